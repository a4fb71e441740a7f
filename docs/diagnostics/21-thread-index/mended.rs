#[ptx::module(target = sm_90a)]
pub mod m {
    #[kernel]
    fn k() {
        ptx! {
            let %i: u32;
            mov.u32 %i, %tid.x;
            ret;
        }
    }
}

fn main() {}
