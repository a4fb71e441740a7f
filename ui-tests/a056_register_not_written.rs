//! A056: registers that nothing writes.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[global]
    static OUT: [u32; 4];

    #[kernel]
    fn k() {
        ptx! {
            .reg .pred %p, %q;
            .reg .b32 %r<4>;
            .reg .b64 %from, %to;
            mov.u64 %to, OUT;
            @%p st.global.u32 [%to], %r0;
            ld.global.u32 %r1, [%from];
            // Written on one path, it may be.
            setp.eq.u32 %q, %r1, 0;
            @%q mov.u64 %from, OUT;
            ld.global.u32 %r2, [%from + 4];
            ret;
        }
    }
}

fn main() {}
