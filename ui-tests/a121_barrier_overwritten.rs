//! A121: stores to an mbarrier.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared(align = 16)]
    static ROW: [u64; 8];

    #[kernel(reqntid = 64)]
    fn wrong() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t, %at, %row;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            mov.u32 %row, ROW;
            @%first mbarrier.init.shared.b64 [%row], 64;
            bar.sync 0;
            mov.u32 %at, 4;
            add.u32 %at, %row, %at;
            @%first st.shared.u32 [%at], 0;
            bar.sync 0;
            mbarrier.arrive.shared.b64 _, [%row];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [%row], 0;
            @!%done bra WAIT;
            ret;
        }
    }

    #[kernel(reqntid = 64)]
    fn right() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t, %at, %row;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            mov.u32 %row, ROW;
            @%first mbarrier.init.shared.b64 [%row], 64;
            bar.sync 0;
            mov.u32 %at, 8;
            add.u32 %at, %row, %at;
            @%first st.shared.u32 [%at], 0;
            bar.sync 0;
            mbarrier.arrive.shared.b64 _, [%row];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [%row], 0;
            @!%done bra WAIT;
            ret;
        }
    }
}

fn main() {}
