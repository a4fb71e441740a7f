//! A110: waits for phases that are never over.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static FULL: Mbarrier;

    #[shared]
    static EMPTY: Mbarrier;

    /// Nothing arrives in the second phase.
    #[kernel(reqntid = 64)]
    fn second_phase() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            @%first mbarrier.init.shared.b64 [FULL], 64;
            bar.sync 0;
            mbarrier.arrive.shared.b64 _, [FULL];
        FIRST:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra FIRST;
        SECOND:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 1;
            @!%done bra SECOND;
            ret;
        }
    }

    /// All threads do.
    #[kernel(reqntid = 64)]
    fn both_phases() {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            @%first mbarrier.init.shared.b64 [FULL], 64;
            bar.sync 0;
            mbarrier.arrive.shared.b64 _, [FULL];
        FIRST:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra FIRST;
            mbarrier.arrive.shared.b64 _, [FULL];
        SECOND:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 1;
            @!%done bra SECOND;
            ret;
        }
    }

    /// The consumers do not say that the stage is empty.
    #[kernel(reqntid = 64)]
    fn never_empty() {
        ptx! {
            .reg .pred %p, %done, %more;
            .reg .b32 %t, %full, %empty, %n, %parity;
            mov.u32 %t, %tid.x;
            mov.u32 %full, FULL;
            mov.u32 %empty, EMPTY;
            mov.u32 %n, 0;
            mov.u32 %parity, 0;
            setp.eq.u32 %p, %t, 0;
            @!%p bra READY;
            mbarrier.init.shared.b64 [%full], 32;
            mbarrier.init.shared.b64 [%empty], 32;
        READY:
            bar.sync 0;
            setp.ge.u32 %p, %t, 32;
            @%p bra CONSUME;
        PRODUCE:
            xor.b32 %parity, %parity, 1;
        EMPTY_YET:
            mbarrier.try_wait.parity.shared.b64 %done, [%empty], %parity;
            @!%done bra EMPTY_YET;
            mbarrier.arrive.shared.b64 _, [%full];
            add.u32 %n, %n, 1;
            setp.lt.u32 %more, %n, 4;
            @%more bra PRODUCE;
            ret;
        CONSUME:
        FULL_YET:
            mbarrier.try_wait.parity.shared.b64 %done, [%full], %parity;
            @!%done bra FULL_YET;
            xor.b32 %parity, %parity, 1;
            add.u32 %n, %n, 1;
            setp.lt.u32 %more, %n, 4;
            @%more bra CONSUME;
            ret;
        }
    }

    /// They do.
    #[kernel(reqntid = 64)]
    fn emptied() {
        ptx! {
            .reg .pred %p, %done, %more;
            .reg .b32 %t, %full, %empty, %n, %parity;
            mov.u32 %t, %tid.x;
            mov.u32 %full, FULL;
            mov.u32 %empty, EMPTY;
            mov.u32 %n, 0;
            mov.u32 %parity, 0;
            setp.eq.u32 %p, %t, 0;
            @!%p bra READY;
            mbarrier.init.shared.b64 [%full], 32;
            mbarrier.init.shared.b64 [%empty], 32;
        READY:
            bar.sync 0;
            setp.ge.u32 %p, %t, 32;
            @%p bra CONSUME;
        PRODUCE:
            xor.b32 %parity, %parity, 1;
        EMPTY_YET:
            mbarrier.try_wait.parity.shared.b64 %done, [%empty], %parity;
            @!%done bra EMPTY_YET;
            mbarrier.arrive.shared.b64 _, [%full];
            add.u32 %n, %n, 1;
            setp.lt.u32 %more, %n, 4;
            @%more bra PRODUCE;
            ret;
        CONSUME:
        FULL_YET:
            mbarrier.try_wait.parity.shared.b64 %done, [%full], %parity;
            @!%done bra FULL_YET;
            mbarrier.arrive.shared.b64 _, [%empty];
            xor.b32 %parity, %parity, 1;
            add.u32 %n, %n, 1;
            setp.lt.u32 %more, %n, 4;
            @%more bra CONSUME;
            ret;
        }
    }
}

fn main() {}
