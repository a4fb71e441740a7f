#![allow(unused)]
use ptx::prelude::*;

type Late = [f32; 4];
type LatePointer = Ptr<Global, f32>;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 16)]
    static ROW: [V4<f32>; 66];
    #[shared]
    static LATE: Late;
    #[constant]
    static TAPS: [f32; 4] = [0.0; 4];
    #[global]
    static G: [u32; 64];

    #[kernel]
    fn k(p: Ptr<Shared, f32>, q: LatePointer) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %d<4>;
            .reg .f32 %f<4>;
            mov.u32 %r0, ROW;
            ld.global.f32 %f0, [%r0];
            mad.lo.u32 %r1, %r3, 4, %r0;
            ld.local.f32 %f0, [%r1 + 4];
            mov.u64 %d0, TAPS;
            ld.global.f32 %f0, [%d0];
            mov.u64 %d1, G;
            ld.shared.u32 %r2, [%d1];
            ld.param.u64 %d2, [p];
            ld.global.f32 %f0, [%d2];
            ld.param.u64 %d3, [q];
            ld.shared.f32 %f0, [%d3];
            mov.u32 %r2, LATE;
            ld.const.f32 %f0, [%r2];
            ret;
        }
    }

    #[device]
    fn f(p: Reg<Ptr<Global, f32>>) -> Reg<f32> {
        ptx! {
            ld.shared.f32 returned, [p + 4];
            ret;
        }
    }

    #[kernel(allow(A031))]
    fn allowed() {
        ptx! {
            .reg .b32 %r;
            .reg .f32 %f;
            mov.u32 %r, LATE;
            ld.const.f32 %f, [%r];
            ret;
        }
    }
}

fn main() {}
