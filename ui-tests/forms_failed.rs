//! A statement with an error may be the one that writes a register.

#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static ROW: [u32; 64];

    #[kernel]
    fn addresses(src: Ptr<Global, f32>) {
        ptx! {
            let %i: u32;
            let %at: u64;
            let %x: f32;
            mov.u32 %i, %tid.x;
            lea.global %at, src[%i];
            ld.global.f32 %x, [%at];
            ret;
        }
    }

    #[kernel]
    fn instructions() {
        ptx! {
            let %i: u32;
            mov.u32 %i %tid.x;
            st.shared.u32 [%i], 1;
            ret;
        }
    }

    #[kernel]
    fn names() {
        ptx! {
            let %i: u32;
            mov.u32 %j, %tid.x;
            st.shared.u32 [%i], 1;
            ret;
        }
    }

    #[kernel]
    fn whole() {
        ptx! {
            let %i: u32;
            st.shared.u32 [%i], 1;
            ret;
        }
    }
}

fn main() {}
