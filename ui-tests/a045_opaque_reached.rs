#![allow(unused)]
use ptx::prelude::*;

type Late = TexRef;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static IMAGE: TexRef;
    #[global]
    static LATE: Late;

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r;
            .reg .b64 %d;
            .reg .f32 %f<4>;
            mov.u64 %d, IMAGE;
            tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d, {%r}];
            ld.global.b32 %r, [%d];
            mov.u64 %d, LATE;
            ld.global.b32 %r, [%d];
            ret;
        }
    }
}

fn main() {}
