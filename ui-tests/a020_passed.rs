//! A020: what every call of a function passes, and what threads do behind a call that comes back.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static ROW: [f32; 32];

    #[device]
    fn load(index: u32) -> f32 {
        ptx! {
            .reg .b32 %r<3>;
            .reg .f32 %f;
            ld.param.u32 %r1, [index];
            mov.u32 %r2, ROW;
            mad.lo.u32 %r2, %r1, 4, %r2;
            ld.shared.f32 %f, [%r2];
            st.param.f32 [returned], %f;
            ret;
        }
    }

    #[device]
    fn next(index: Reg<u32>) -> Reg<u32> {
        ptx! {
            .reg .pred %p;
            setp.eq.u32 %p, index, 0;
            @%p bra first;
            add.u32 returned, index, 1;
            ret;
        first:
            mov.u32 returned, 3;
            ret;
        }
    }

    #[kernel]
    fn one() {
        ptx! {
            .param .b32 passed, loaded;
            st.param.b32 [passed], 40;
            call (loaded), load, (passed);
            ret;
        }
    }

    #[kernel(reqntid = 64)]
    fn other() {
        ptx! {
            .reg .b32 %t, %at, %next;
            .param .b32 passed, loaded;
            st.param.b32 [passed], 40;
            call (loaded), load, (passed);
            mov.u32 %t, %tid.x;
            call (%next), next, (%t);
            mov.u32 %at, ROW;
            mad.lo.u32 %at, %t, 4, %at;
            st.shared.b32 [%at], %next;
            ret;
        }
    }
}

fn main() {}
