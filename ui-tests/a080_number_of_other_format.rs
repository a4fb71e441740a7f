//! A080: registers that hold numbers in a format other than the instruction's.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared(align = 16)]
    static ROW: [bf16; 64];

    /// The scale is in `bf16`, and the numbers are `e5m2`.
    #[kernel]
    fn scale(src: Ptr<Global, V4<E5M2x4>>, by: Ptr<Global, bf16>, dst: Ptr<Global, F16x2>) {
        ptx! {
            .reg .b16 %s, %low, %high;
            .reg .b32 %q0, %q1, %q2, %q3, %x, %y;
            .reg .b64 %src, %by, %dst;
            .reg .f32 %f;
            ld.param.u64 %src, [src];
            ld.param.u64 %by, [by];
            ld.param.u64 %dst, [dst];
            ld.global.v4.b32 {%q0, %q1, %q2, %q3}, [%src];
            mov.b32 {%low, %high}, %q1;
            cvt.rn.f16x2.e4m3x2 %x, %low;
            cvt.rn.f16x2.e5m2x2 %y, %high;
            ld.global.b16 %s, [%by];
            cvt.f32.f16 %f, %s;
            fma.rn.f16x2 %x, %x, %y, %y;
            st.global.b32 [%dst], %x;
            ret;
        }
    }

    /// Computed values, too; but single bytes and upper halves may be intended.
    #[kernel]
    fn sums(dst: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %t, %x, %y, %at;
            .reg .b64 %dst;
            .reg .f32 %f, %g;
            ld.param.u64 %dst, [dst];
            mov.u32 %t, %tid.x;
            and.b32 %t, %t, 31;
            mov.u32 %at, ROW;
            mad.lo.u32 %at, %t, 4, %at;
            ld.shared.b32 %x, [%at];
            add.f16x2 %y, %x, %x;
            shl.b32 %y, %x, 16;
            mov.b32 %f, %y;
            mov.b32 %g, %x;
            add.f32 %f, %f, %g;
            cvt.rn.bf16x2.f32 %x, %f, %g;
            add.bf16x2 %x, %x, %x;
            #[allow(A080)]
            mul.f16x2 %x, %x, %x;
            st.global.f32 [%dst], %f;
            ret;
        }
    }
}

fn main() {}
