#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static SUM: f32;
    #[shared]
    static ROW: [f32; 4];

    #[kernel]
    fn k(n: u32) {
        ptx! {
            .reg .b32 %r<2>;
            .reg .f32 %f;
            ld.shared.f32 %f, SUM[0];
            mov.u32 %r0, SUM[1];
            ld.param.u32 %r0, n[0];
            ld.shared.f32 %f, ROW[3];
            ld.shared.f32 %f, ROW[4];
            ld.shared.f32 %f, ROW[%r0 + -1];
            ld.shared.f32 %f [ROW];
            ret;
        }
    }
}

fn main() {}
