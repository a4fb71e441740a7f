#![allow(unused)]
use ptx::prelude::*;

type Late = [f32; 4];
type LatePointer = Ptr<Generic, f32>;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 16)]
    static ROW: [V4<f32>; 66];
    #[shared]
    static LATE: Late;

    #[kernel]
    fn k(p: Ptr<Generic, f32>, q: LatePointer) {
        ptx! {
            .reg .b64 %d<4>;
            .reg .f32 %f<4>;
            mov.u64 %d0, ROW;
            cvta.shared.u64 %d0, %d0;
            ld.shared.f32 %f0, [%d0];
            ld.param.u64 %d1, [p];
            ld.shared.f32 %f0, [%d1];
            ld.param.u64 %d1, [q];
            ld.shared.f32 %f0, [%d1];
            cvta.to.shared.u64 %d1, %d1;
            ld.shared.f32 %f0, [%d1];
            ret;
        }
    }
}

fn main() {}
