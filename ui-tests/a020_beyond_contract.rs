#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[kernel(requires(to.len() == 64))]
    fn by_offset(to: Ptr<Global, f32>) {
        ptx! {
            let %g: Ptr<Global, f32>;
            ld.param.u64 %g, [to];
            st.global.f32 [%g[100]], 0f00000000;
            st.global.f32 [%g[63]], 0f00000000;
            st.global.f32 [%g[64]], 0f00000000;
            // Nothing is known about what is before the pointer.
            st.global.f32 [%g + -4], 0f00000000;
            ret;
        }
    }

    #[kernel(reqntid = 128, requires(to.len() >= 64))]
    fn by_thread(to: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %t;
            .reg .b64 %g;
            ld.param.u64 %g, [to];
            mov.u32 %t, %tid.x;
            mad.wide.u32 %g, %t, 4, %g;
            st.global.f32 [%g], 0f00000000;
            ret;
        }
    }

    #[kernel(reqntid = 128, requires(n >= 1 && 32 > to.len()))]
    fn at_most(to: Ptr<Global, V4<f32>>, n: u32) {
        ptx! {
            .reg .b64 %g;
            .reg .b32 %x;
            ld.param.u64 %g, [to];
            ld.global.b32 %x, [%g + 496];
            ld.global.b32 %x, [%g + 492];
            ret;
        }
    }

    /// Threads beyond the end do nothing, or the contract grants more.
    #[kernel(reqntid = 128, requires(to.len() >= 64, to.len() >= n, more.len() >= 64))]
    fn tested(to: Ptr<Global, f32>, more: Ptr<Global, f32>, n: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %n;
            .reg .b64 %g, %m;
            ld.param.u64 %g, [to];
            st.global.f32 [%g + 400], 0f00000000;
            ld.param.u32 %n, [n];
            mov.u32 %t, %tid.x;
            setp.ge.u32 %p, %t, %n;
            @%p bra END;
            ld.param.u64 %m, [more];
            mad.wide.u32 %m, %t, 4, %m;
            st.global.f32 [%m], 0f00000000;
        END:
            ret;
        }
    }
}

fn main() {}
