#![allow(unused)]
use ptx::prelude::*;

const ODD: usize = 6;
type Late = [V4<f32>; 4];

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 16)]
    static ROW: [V4<f32>; 66];
    #[shared]
    static LATE: Late;
    #[shared(dynamic)]
    static BARRIERS: [u64];

    #[kernel]
    fn k(n: u64) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .f32 %f<4>;
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [ROW + 4];
            ld.shared.v2.f32 {%f0, %f1}, [LATE + 8];
            ld.shared.v2.f32 {%f0, %f1}, [LATE + 12];
            st.shared.f32 [ROW + #(ODD)], %f0;
            st.shared.f32 [ROW + #(2 * ODD)], %f0;
            ld.param.u32 %r0, [n + 2];
            mbarrier.init.shared.b64 [BARRIERS + 4], 1;
            ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [ROW + 8];
            ret;
        }
    }

    #[kernel]
    fn registers(p: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %d<4>;
            .reg .f32 %f<4>;
            ld.param.u64 %d0, [p];
            ld.global.u32 %r0, [%d0 + 6];
            mov.u32 %r1, %tid.x;
            mov.u32 %r2, ROW;
            mad.lo.u32 %r2, %r1, 16, %r2;
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%r2 + 8];
            mov.u32 %r3, LATE;
        LOOP:
            ld.shared.v2.f32 {%f0, %f1}, [%r3 + #(ODD)];
            add.u32 %r3, %r3, 8;
            bra LOOP;
        }
    }

    #[kernel(allow(A021))]
    fn allowed() {
        ptx! {
            .reg .b32 %r;
            ld.shared.b32 %r, [ROW + 2];
            ld.shared.b32 %r, [ROW + #(ODD)];
            ret;
        }
    }
}

fn main() {}
