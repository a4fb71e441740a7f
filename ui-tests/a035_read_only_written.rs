#![allow(unused)]
use ptx::prelude::*;

type Late = [f32; 4];

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[constant]
    static TAPS: [f32; 4] = [0.0; 4];
    #[constant]
    static LATE: Late = [0.0; 4];

    #[kernel]
    fn k(n: f32) {
        ptx! {
            .reg .b64 %d<4>;
            .reg .f32 %f<4>;
            mov.u64 %d0, TAPS;
            cvta.const.u64 %d0, %d0;
            st.f32 [%d0], %f0;
            mov.u64 %d1, n;
            cvta.param.u64 %d1, %d1;
            st.f32 [%d1], %f0;
            mov.u64 %d2, LATE;
            cvta.const.u64 %d2, %d2;
            red.add.f32 [%d2 + 4], %f0;
            ret;
        }
    }
}

fn main() {}
