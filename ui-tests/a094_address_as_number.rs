#![allow(unused)]
use ptx::prelude::*;

#[derive(PtxType)]
#[repr(C)]
pub struct Config {
    scale: f32,
    count: u32,
}

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel]
    fn k(n: u32, m: u32, wide: u64, config: Config, to: Ptr<Global, u64>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %r<8>;
            .reg .b64 %d<8>;
            mov.u32 %r0, n;
            mul.lo.u32 %r1, %r0, 3;
            mov.u32 %r1, m;
            add.u32 %r1, %r1, 1;
            ld.param.u64 %d0, [to];
            st.global.u32 [%d0], %r1;
            mov.u64 %d1, wide;
            setp.lt.u64 %p, %d1, 5;
            mov.u32 %r2, m;
            // Each parameter is reported once.
            mad.lo.u32 %r3, %r2, 3, %r1;
            // These are addresses.
            mov.u64 %d2, config;
            add.u64 %d2, %d2, 4;
            ld.param.u32 %r4, [%d2];
            mov.u64 %d3, wide;
            ld.param.u64 %d4, [%d3];
            mul.lo.u64 %d4, %d4, 3;
            mov.u64 %d5, n;
            cvta.param.u64 %d5, %d5;
            st.global.u64 [%d0], %d5;
            ret;
        }
    }
}

fn main() {}
