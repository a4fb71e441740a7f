//! A ring of stages, each with an mbarrier whose phases follow from the rounds.

use ptx_macros::fragment;
use ptx_types::Reg;

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
