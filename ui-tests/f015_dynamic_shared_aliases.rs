#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(dynamic)]
    static FLOATS: [f32];
    #[shared(dynamic)]
    static COUNTS: [u32];
    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r<2>;
            .reg .f32 %f<2>;
            mov.b32 %r0, 1;
            mov.f32 %f0, 0.5;
            st.shared.f32 [FLOATS], %f0;
            st.shared.u32 [COUNTS], %r0;
            ld.shared.f32 %f1, [FLOATS];
            ret;
        }
    }

    #[kernel(allow(F015))]
    fn allowed() {
        ptx! {
            .reg .b32 %r<2>;
            mov.b32 %r0, 1;
            st.shared.u32 [COUNTS], %r0;
            st.shared.f32 [FLOATS], 0.5;
            ld.shared.u32 %r1, [COUNTS];
            ret;
        }
    }

    /// One after the other, or at different bytes.
    #[kernel]
    fn right() {
        ptx! {
            .reg .b32 %r<2>;
            .reg .f32 %f<2>;
            mov.b32 %r0, 1;
            st.shared.f32 [FLOATS], 0.5;
            ld.shared.f32 %f1, [FLOATS];
            st.shared.u32 [COUNTS], %r0;
            st.shared.f32 [FLOATS + 64], 0.5;
            ld.shared.u32 %r1, [COUNTS];
            ld.shared.f32 %f1, [FLOATS + 64];
            ret;
        }
    }
}

fn main() {}
