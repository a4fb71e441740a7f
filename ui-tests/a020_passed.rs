//! A020: values that every call of a function passes, and accesses of threads after a call that returns.
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

    #[device]
    fn next_but_one(index: u32) -> u32 {
        ptx! {
            .reg .b32 %r<3>;
            ld.param.u32 %r1, [index];
            call (%r2), next, (%r1);
            call (%r2), next, (%r2);
            st.param.u32 [returned], %r2;
            ret;
        }
    }

    #[device]
    fn of_thread() {
        ptx! {
            .reg .b32 %t, %at;
            mov.u32 %t, %tid.x;
            mov.u32 %at, ROW;
            mad.lo.u32 %at, %t, 4, %at;
            st.shared.b32 [%at], %t;
            ret;
        }
    }

    /// Other modules may call it with smaller values.
    #[device]
    pub fn sum(row: Reg<u32>, count: Reg<u32>) -> Reg<f32> {
        ptx! {
            .reg .pred %p;
            .reg .b32 %i, %at;
            .reg .f32 %f;
            mov.u32 %i, 0;
            mov.u32 %at, row;
            mov.f32 returned, 0f00000000;
        next:
            ld.shared.f32 %f, [%at];
            add.f32 returned, returned, %f;
            add.u32 %at, %at, 4;
            add.u32 %i, %i, 1;
            setp.le.u32 %p, %i, count;
            @%p bra next;
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
            .reg .f32 %f;
            .param .b32 passed, loaded;
            st.param.b32 [passed], 40;
            call (loaded), load, (passed);
            mov.u32 %t, %tid.x;
            call of_thread;
            call (%next), next, (%t);
            st.param.b32 [passed], %next;
            call (loaded), next_but_one, (passed);
            mov.u32 %at, ROW;
            mad.lo.u32 %at, %t, 4, %at;
            st.shared.b32 [%at], %next;
            mov.u32 %at, ROW;
            call (%f), sum, (%at, 32);
            ret;
        }
    }
}

fn main() {}
