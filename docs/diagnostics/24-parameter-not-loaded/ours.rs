#[ptx::module(target = sm_90a)]
pub mod m {
    use ptx::prelude::*;

    #[kernel]
    fn k(src: Ptr<Global, f32>) {
        ptx! {
            let %src: u64;
            let %x: f32;
            ld.global.f32 %x, [src];
            ret;
        }
    }
}

fn main() {}
