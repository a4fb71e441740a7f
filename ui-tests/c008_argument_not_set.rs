//! C008: an argument that is never stored, with which the function computes.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static ROW: [u32; 32];

    #[device]
    fn add(a: u32, b: u32) -> u32 {
        ptx! {
            .reg .b32 %r<3>;
            ld.param.u32 %r1, [a];
            ld.param.u32 %r2, [b];
            add.u32 %r1, %r1, %r2;
            st.param.u32 [returned], %r1;
            ret;
        }
    }

    #[device]
    fn load(row: Reg<u32>, index: Reg<u32>) -> Reg<u32> {
        ptx! {
            .reg .b32 %at;
            mad.lo.u32 %at, index, 4, row;
            ld.shared.u32 returned, [%at];
            ret;
        }
    }

    /// It is unknown whether the second one matters.
    #[device]
    fn either(first: Reg<u32>, second: Reg<u32>) -> Reg<u32> {
        ptx! {
            .reg .pred %p;
            setp.ne.u32 %p, first, 0;
            selp.b32 returned, first, second, %p;
            ret;
        }
    }

    #[kernel]
    fn k() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %r<6>;
            .param .b32 first, second, sum;
            st.param.b32 [first], 3;
            call (sum), add, (first, second);
            mov.u32 %r1, ROW;
            call (%r2), load, (%r1, %r3);
            call (%r2), either, (%r1, %r3);
            setp.eq.u32 %p, %r2, 0;
            @%p mov.u32 %r4, 1;
            call (%r2), load, (%r1, %r4);
            st.param.b32 [second], %r2;
            call (sum), add, (first, second);
            ret;
        }
    }
}

fn main() {}
