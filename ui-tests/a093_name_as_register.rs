#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static SUM: u32;
    #[global]
    static ROW: [f32; 4];

    #[kernel]
    fn k(n: u32, x: f32, at: u64) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %r<2>;
            .reg .b64 %d<2>;
            .reg .f32 %f;
            add.u32 %r0, n, 1;
            setp.lt.f32 %p, x, 0f00000000;
            ld.param.u64 %d0, [at];
            st.global.u32 [%d0], n;
            add.u32 %r0, SUM, 1;
            cvt.u64.u32 %d0, n;
            add.f32 %f, ROW, ROW;
            // These copy or convert addresses.
            mov.u64 %d0, ROW;
            mov.u32 %r0, SUM;
            cvta.global.u64 %d0, ROW;
            ret;
        }
    }
}

fn main() {}
