#[ptx::module(target = sm_90a)]
pub mod m {
    use ptx::prelude::*;

    #[kernel]
    fn k(#[readonly] src: Ptr<Global, f32>) {
        ptx! {
            let %src: u64;
            let %a, %b, %c, %d: f32;
            ld.param.u64 %src, [src];
            ld.global.v4.f32 {%a, %b, %c, %d}, [%src];
            ret;
        }
    }
}

fn main() {}
