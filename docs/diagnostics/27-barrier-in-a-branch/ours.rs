#[ptx::module(target = sm_90a)]
pub mod m {
    #[kernel(reqntid = 128)]
    fn k() {
        ptx! {
            let %i: u32;
            let %p: bool;
            mov.u32 %i, %tid.x;
            setp.lt.u32 %p, %i, 16;
            @%p bar.sync 0;
            ret;
        }
    }
}

fn main() {}
