//! Addresses that `lea` computes with sizes that only rustc knows: the threads that decide are checked.
#![allow(unused)]
use ptx::prelude::*;

/// 24 bytes, declared outside of the module.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Record {
    a: [u32; 6],
}

/// 6 bytes.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Three {
    a: [u16; 3],
}

pub mod sizes {
    pub const STRIDE: usize = 8;
}

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static RECORDS: [Record; 127];
    #[shared(align = 16)]
    static THREES: [Three; 128];
    #[shared]
    static WORDS: [u32; 128];

    /// The last thread is beyond the end.
    #[kernel(reqntid = 128)]
    fn too_many() {
        ptx! {
            let %i, %at: u32;
            mov.u32 %i, %tid.x;
            lea.shared.u32 %at, RECORDS[%i].a[0];
            st.shared.u32 [%at], 0;
            ret;
        }
    }

    /// Here, the last thread that stores is.
    #[kernel(reqntid = 128)]
    fn guarded() {
        ptx! {
            let %i, %at: u32;
            let %is_far: bool;
            mov.u32 %i, %tid.x;
            setp.ge.u32 %is_far, %i, 100;
            @%is_far bra END;
            mov.u32 %at, WORDS;
            mad.lo.u32 %at, %i, #(sizes::STRIDE), %at;
            st.shared.u32 [%at], 0;
        END:
            ret;
        }
    }

    /// Each second thread is misaligned.
    #[kernel(reqntid = 128)]
    fn misaligned() {
        ptx! {
            let %i, %at: u32;
            mov.u32 %i, %tid.x;
            lea.shared.u32 %at, THREES[%i].a[0];
            st.shared.u32 [%at], 0;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn right() {
        ptx! {
            let %i, %at: u32;
            let %is_far: bool;
            mov.u32 %i, %tid.x;
            setp.ge.u32 %is_far, %i, 127;
            @%is_far ret;
            lea.shared.u32 %at, RECORDS[%i].a[5];
            st.shared.u32 [%at], 0;
            lea.shared.u32 %at, THREES[%i].a[2];
            st.shared.u16 [%at], 0;
            ret;
        }
    }
}

fn main() {}
