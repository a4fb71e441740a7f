#![allow(unused)]
use ptx::prelude::*;

type Late = [f32; 4];
type LatePointer = Ptr<Shared, f32>;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 16)]
    static ROW: [V4<f32>; 66];
    #[constant]
    static TAPS: [f32; 4] = [0.0; 4];
    #[shared]
    static LATE: Late;

    #[kernel]
    fn k(q: LatePointer) {
        ptx! {
            .reg .b64 %d<4>;
            .reg .f32 %f<4>;
            .local .align 4 .f32 stack[4];
            mov.u64 %d0, ROW;
            ld.f32 %f0, [%d0];
            mov.u64 %d1, stack;
            st.f32 [%d1 + 4], %f0;
            mov.u64 %d3, TAPS;
            ld.f32 %f0, [%d3];
            ld.param.u64 %d2, [q];
            ld.f32 %f0, [%d2];
            cvta.shared.u64 %d0, %d0;
            ld.f32 %f0, [%d0];
            ret;
        }
    }
}

fn main() {}
