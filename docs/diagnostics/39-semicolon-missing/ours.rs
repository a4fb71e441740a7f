#[ptx::module(target = sm_90a)]
pub mod m {
    #[kernel]
    fn k() {
        ptx! {
            let %x: f32;
            mov.f32 %x, 1.0
            add.f32 %x, %x, %x;
            ret;
        }
    }
}

fn main() {}
