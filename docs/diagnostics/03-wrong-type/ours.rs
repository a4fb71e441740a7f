#[ptx::module(target = sm_90a)]
pub mod m {
    #[global]
    static COUNT: u32 = 1;

    #[kernel]
    fn k() {
        ptx! {
            let %x: f32;
            ld.global.f32 %x, [COUNT];
            add.f32 %x, %x, %x;
            ret;
        }
    }
}

fn main() {}
