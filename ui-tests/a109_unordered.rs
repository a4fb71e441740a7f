//! A109: accesses of several threads to the same bytes that nothing orders.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 16)]
    static ROW: [u32; 64];

    #[shared]
    static FULL: Mbarrier;

    #[global(align = 16)]
    static DATA: [u32; 64];

    /// A thread reads what one of the other warp writes.
    #[kernel(reqntid = 64)]
    fn no_barrier() {
        ptx! {
            .reg .b32 %t, %row, %own, %other, %x;
            mov.u32 %t, %tid.x;
            mov.u32 %row, ROW;
            shl.b32 %t, %t, 2;
            add.u32 %own, %row, %t;
            xor.b32 %t, %t, 128;
            add.u32 %other, %row, %t;
            st.shared.u32 [%own], %t;
            ld.shared.u32 %x, [%other];
            ret;
        }
    }

    /// All threads write first.
    #[kernel(reqntid = 64)]
    fn barrier() {
        ptx! {
            .reg .b32 %t, %row, %own, %other, %x;
            mov.u32 %t, %tid.x;
            mov.u32 %row, ROW;
            shl.b32 %t, %t, 2;
            add.u32 %own, %row, %t;
            xor.b32 %t, %t, 128;
            add.u32 %other, %row, %t;
            st.shared.u32 [%own], %t;
            bar.sync 0;
            ld.shared.u32 %x, [%other];
            ret;
        }
    }

    /// The next round overwrites what the other warp may not have read.
    #[kernel(reqntid = 64)]
    fn overwritten() {
        ptx! {
            .reg .b32 %t, %row, %own, %other, %x, %n;
            .reg .pred %more;
            mov.u32 %t, %tid.x;
            mov.u32 %row, ROW;
            shl.b32 %t, %t, 2;
            add.u32 %own, %row, %t;
            xor.b32 %t, %t, 128;
            add.u32 %other, %row, %t;
            mov.u32 %x, 0;
            mov.u32 %n, 0;
        ROUND:
            st.shared.u32 [%own], %x;
            bar.sync 0;
            ld.shared.u32 %x, [%other];
            add.u32 %n, %n, 1;
            setp.lt.u32 %more, %n, 4;
            @%more bra ROUND;
            ret;
        }
    }

    /// All threads read before the next round.
    #[kernel(reqntid = 64)]
    fn read_first() {
        ptx! {
            .reg .b32 %t, %row, %own, %other, %x, %n;
            .reg .pred %more;
            mov.u32 %t, %tid.x;
            mov.u32 %row, ROW;
            shl.b32 %t, %t, 2;
            add.u32 %own, %row, %t;
            xor.b32 %t, %t, 128;
            add.u32 %other, %row, %t;
            mov.u32 %x, 0;
            mov.u32 %n, 0;
        ROUND:
            st.shared.u32 [%own], %x;
            bar.sync 0;
            ld.shared.u32 %x, [%other];
            bar.sync 0;
            add.u32 %n, %n, 1;
            setp.lt.u32 %more, %n, 4;
            @%more bra ROUND;
            ret;
        }
    }

    /// The other threads do not wait for the copy that the first one starts.
    #[kernel(reqntid = 64)]
    fn copy() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t, %at, %x;
            .reg .b64 %from;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            @%first mbarrier.init.shared.b64 [FULL], 1;
            bar.sync 0;
            @!%first bra WAIT;
            mov.u64 %from, DATA;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 256;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [%from], 256, [FULL];
        WAIT:
            ld.shared.u32 %x, [ROW];
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ret;
        }
    }

    /// They do.
    #[kernel(reqntid = 64)]
    fn copied() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t, %at, %x;
            .reg .b64 %from;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            @%first mbarrier.init.shared.b64 [FULL], 1;
            bar.sync 0;
            @!%first bra WAIT;
            mov.u64 %from, DATA;
            mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 256;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [%from], 256, [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ld.shared.u32 %x, [ROW];
            ret;
        }
    }
}

fn main() {}
