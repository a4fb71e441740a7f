//! Barriers and reductions over the threads of a cluster of blocks of one dimension, all of which execute them (`sm_90` or newer).

use ptx_macros::fragment;
use ptx_types::Reg;

use super::{block, warp};

/// Waits for all threads of the cluster, and lets each see what the others have written: `cluster::sync;`.
///
/// 1 `bar.warp.sync`, 1 `barrier.cluster.arrive` and `wait`.
#[fragment(target = sm_90)]
pub fn sync() {
    ptx! {
        bar.warp.sync 0xffffffff;
        barrier.cluster.arrive;
        barrier.cluster.wait;
    }
}

/// The sum of `x` over the threads of `BLOCKS` blocks of `WARPS` warps, in each of them:
/// `cluster::sum::<f32, 2, 4> %sum, %x, SUMS;`.
///
/// `row` is shared memory for one number of each warp; it may be used again right after, and a block may end. The types
/// have 32 bits: `f32`, `u32`, `i32`. All blocks add in the same order, so that all have the same result.
///
/// 1 `bar.sync`, 2 times `barrier.cluster.arrive` and `wait`, 5 `shfl.sync`, 1 `st.shared`, `BLOCKS` `mapa`, `BLOCKS` x `WARPS`
/// `ld.shared::cluster` and `add`, and 5 `add` and 6 instructions for the addresses; 6 registers, 1 predicate.
#[fragment(target = sm_90)]
pub fn sum<T, const BLOCKS: u32, const WARPS: u32>(x: Reg<T>, row: &[f32; 32]) -> Reg<T> {
    ptx! {
        let %other: T;
        let %lane, %warp, %at, %theirs: u32;
        let %is_first: bool;
        warp::sum::<T> returned, x;
        block::of_warp %warp, %lane, %at, row;
        setp.eq.u32 %is_first, %lane, 0;
        // The row may still be read from before.
        bar.sync 0;
        @%is_first st.shared.T [%at], returned;
        barrier.cluster.arrive;
        barrier.cluster.wait;
        mov.b32 returned, 0;
        lea.shared.u32 %at, row[0];
        for block in 0..BLOCKS {
            mapa.shared::cluster.u32 %theirs, %at, block;
            for warp in 0..WARPS {
                ld.shared::cluster.T %other, [%theirs + #(warp * 4)];
                add.T returned, returned, %other;
            }
        }
        // The memory of a block is gone when it ends, and may be written again.
        barrier.cluster.arrive;
        barrier.cluster.wait;
    }
}
