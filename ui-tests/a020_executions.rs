//! What single threads and rounds of loops do, where others stay inside.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static ROW: [f32; 128];
    #[shared]
    static SUMS: [u32; 64];
    #[shared]
    static FULL: [Mbarrier; 4];
    #[shared(align = 16)]
    static VECTORS: [f32; 256];

    #[kernel(reqntid = 256)]
    fn threads() {
        ptx! {
            .reg .b32 %t, %row, %at;
            .reg .f32 %x;
            mov.u32 %t, %tid.x;
            mov.u32 %row, ROW;
            shl.b32 %at, %t, 2;
            add.u32 %at, %at, %row;
            mov.f32 %x, 0f00000000;
            st.shared.f32 [%at], %x;
            ret;
        }
    }

    #[kernel]
    fn rounds() {
        ptx! {
            .reg .b32 %i, %at;
            .reg .pred %p;
            mov.u32 %i, 0;
        FILL:
            mad.lo.u32 %at, %i, 4, SUMS;
            st.shared.u32 [%at], %i;
            add.u32 %i, %i, 1;
            setp.le.u32 %p, %i, 64;
            @%p bra FILL;
            ret;
        }
    }

    #[kernel(reqntid = 64)]
    fn stride() {
        ptx! {
            .reg .b32 %t, %at;
            .reg .pred %p;
            mov.u32 %t, %tid.x;
            mad.lo.u32 %at, %t, 4, FULL;
            setp.ge.u32 %p, %t, 4;
            @%p bra DONE;
            mbarrier.init.shared.b64 [%at], 1;
        DONE:
            ret;
        }
    }

    #[kernel(reqntid = 64)]
    fn vectors() {
        ptx! {
            .reg .b32 %t, %at;
            .reg .f32 %x<4>;
            mov.u32 %t, %tid.x;
            mad.lo.u32 %at, %t, 4, VECTORS;
            ld.shared.v4.f32 {%x0, %x1, %x2, %x3}, [%at];
            ret;
        }
    }
}

fn main() {}
