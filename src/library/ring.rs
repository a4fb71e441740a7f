//! A ring of stages, each with an mbarrier whose phases follow from the rounds.

use ptx_macros::fragment;
use ptx_types::{Mbarrier, Reg};

use super::mbarrier;

/// Initialises the mbarriers of a ring of `STAGES` stages, by one thread: a stage is full after one arrival, and empty after
/// `readers`: `ring::init::<4> SMEM.full, SMEM.empty, 8;`. A fence and a barrier follow, before other threads use them.
///
/// 2 × `STAGES` `mbarrier.init`.
#[fragment(target = sm_90)]
pub fn init<const STAGES: u32>(
    full: &[Mbarrier; STAGES],
    empty: &[Mbarrier; STAGES],
    readers: u32,
) {
    ptx! {
        for stage in 0..STAGES {
            mbarrier.init.shared::cta.b64 [full[stage]], 1;
            mbarrier.init.shared::cta.b64 [empty[stage]], readers;
        }
    }
}

/// Waits until the phase of a stage with this parity is over: `ring::wait SMEM.full, %stage, %parity;`.
///
/// 2 instructions for the address, and those of [`mbarrier::wait`]; 1 register, 1 predicate.
#[fragment(target = sm_90)]
pub fn wait(barriers: &[Mbarrier; 1], stage: Reg<u32>, parity: Reg<u32>) {
    ptx! {
        let %bar: u32;
        lea.shared.u32 %bar, barriers[stage];
        mbarrier::wait %bar, parity;
    }
}

/// The next of `STAGES` stages, and the parity of its phase, which changes after the last one: `ring::next::<4> %stage,
/// %parity;`. Both start at 0.
///
/// 1 `add`, 1 `setp`, 2 guarded instructions; 1 predicate.
#[fragment]
pub fn next<const STAGES: u32>(stage: &mut Reg<u32>, parity: &mut Reg<u32>) {
    ptx! {
        let %is_around: bool;
        add.u32 stage, stage, 1;
        setp.eq.u32 %is_around, stage, STAGES;
        @%is_around mov.u32 stage, 0;
        @%is_around xor.b32 parity, parity, 1;
    }
}

/// Says that a stage has been read, by the lanes for which `signals` holds, and goes on as [`next`] does:
/// `ring::release::<4> SMEM.empty, %stage, %parity, %signals;`.
///
/// 2 instructions for the address, 1 guarded `mbarrier.arrive`, and those of [`next`]; 1 register, 1 predicate.
#[fragment(target = sm_90)]
pub fn release<const STAGES: u32>(
    empty: &[Mbarrier; STAGES],
    stage: &mut Reg<u32>,
    parity: &mut Reg<u32>,
    signals: Reg<bool>,
) {
    ptx! {
        let %bar: u32;
        lea.shared.u32 %bar, empty[stage];
        @signals mbarrier.arrive.shared::cta.b64 _, [%bar];
        next::<STAGES> stage, parity;
    }
}
