//! Waiting at an mbarrier in shared memory (PTX ISA 9.7.13.15; `sm_90` or newer).

use ptx_macros::fragment;
use ptx_types::{Mbarrier, Reg};

/// Waits until the phase with this parity is over: `mbarrier::wait SMEM.full[1], %parity;`.
///
/// 1 `try_wait`, which sleeps by itself for a while, and 1 `bra` for each round; 1 predicate.
#[fragment(target = sm_90)]
pub fn wait(bar: &Mbarrier, parity: Reg<u32>) {
    ptx! {
        let %is_over: bool;
    AGAIN:
        mbarrier.try_wait.parity.shared.b64 %is_over, [bar], parity;
        @!%is_over bra AGAIN;
    }
}

/// The same, and sleeps for about this many nanoseconds after each round, for threads that wait for long:
/// `mbarrier::wait_sleeping SMEM.full[1], %parity, 64;`.
///
/// 1 `try_wait`, 2 `bra` and 1 `nanosleep` for each round; 1 predicate.
#[fragment(target = sm_90)]
pub fn wait_sleeping(bar: &Mbarrier, parity: Reg<u32>, nanoseconds: u32) {
    ptx! {
        let %is_over: bool;
    AGAIN:
        mbarrier.try_wait.parity.shared.b64 %is_over, [bar], parity;
        @%is_over bra OVER;
        nanosleep.u32 nanoseconds;
        bra AGAIN;
    OVER:
    }
}

/// The same, and ends the kernel with an error after `rounds` tests, each of at most about `nanoseconds`, so that a mistake does
/// not hang: `mbarrier::wait_or_trap SMEM.full[1], %parity, 100000, 100000;`.
///
/// 1 `try_wait`, 1 `add`, 1 `setp` and 1 `bra` for each round; 1 register, 2 predicates.
#[fragment(target = sm_90)]
pub fn wait_or_trap(bar: &Mbarrier, parity: Reg<u32>, nanoseconds: u32, rounds: u32) {
    ptx! {
        let %round: u32;
        let %is_over, %is_enough: bool;
        mov.b32 %round, 0;
    AGAIN:
        add.u32 %round, %round, 1;
        setp.gt.u32 %is_enough, %round, rounds;
        @%is_enough trap;
        mbarrier.try_wait.parity.shared::cta.b64 %is_over, [bar], parity, nanoseconds;
        @!%is_over bra AGAIN;
    }
}

/// Arrives, and expects this many bytes in the current phase: `mbarrier::expect SMEM.full[1], #(A::TRANSACTION_BYTES);`.
///
/// 1 `mbarrier.arrive.expect_tx`.
#[fragment(target = sm_90)]
pub fn expect(bar: &Mbarrier, bytes: u32) {
    ptx! { mbarrier.arrive.expect_tx.shared.b64 _, [bar], bytes; }
}
