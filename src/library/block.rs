//! Reductions and scans over the threads of a block of one dimension, all of which execute them.

use ptx_macros::fragment;
use ptx_types::Reg;

use super::warp;

/// The number of the warp in a block of one dimension, that of the lane, and the address of the warp's number in `row`.
#[fragment(returns(warp, lane, at))]
pub(super) fn of_warp(row: &[f32; 32]) -> (Reg<u32>, Reg<u32>, Reg<u32>) {
    ptx! {
        mov.u32 warp, %tid.x;
        and.b32 lane, warp, 31;
        shr.u32 warp, warp, 5;
        lea.shared.u32 at, row[warp];
    }
}

/// The sum of `x` over the threads of a block of `WARPS` warps, in each of them: `block::sum::<f32, 4> %sum, %x, SUMS;`.
///
/// `row` is shared memory for one number of each warp; it may be used again right after. The types have 32 bits: `f32`,
/// `u32`, `i32`. The block has 32 × `WARPS` threads along x, and one along y and z.
///
/// 2 `bar.sync`, 5 `shfl.sync`, 1 `st.shared`, `WARPS` `ld.shared` of one address for all lanes, 4 + `WARPS` `add`, and 6
/// instructions for the address; 5 registers, 1 predicate.
#[fragment]
pub fn sum<T, const WARPS: u32>(x: Reg<T>, row: &[f32; 32]) -> Reg<T> {
    ptx! {
        let %other: T;
        let %lane, %warp, %at: u32;
        let %is_first: bool;
        warp::sum::<T> returned, x;
        of_warp %warp, %lane, %at, row;
        setp.eq.u32 %is_first, %lane, 0;
        // The row may still be read from before.
        bar.sync 0;
        @%is_first st.shared.T [%at], returned;
        bar.sync 0;
        ld.shared.T returned, [row];
        for warp in 1..WARPS {
            ld.shared.T %other, [row + #(warp * 4)];
            add.T returned, returned, %other;
        }
    }
}

/// The sum of `x` over the threads up to and including this one, in a block of `WARPS` warps:
/// `block::inclusive_sum::<u32, 4> %sum, %x, SUMS;`.
///
/// `row` is shared memory for one number of each warp; it may be used again right after. The types have 32 bits: `f32`,
/// `u32`, `i32`. The block has 32 × `WARPS` threads along x, and one along y and z.
///
/// 2 `bar.sync`, 5 `shfl.sync`, 1 `st.shared`, `WARPS` - 1 `ld.shared` of one address for all lanes, as many `setp`, 4 + `WARPS`
/// `add`, and 6 instructions for the address; 4 registers, 2 predicates.
#[fragment]
pub fn inclusive_sum<T, const WARPS: u32>(x: Reg<T>, row: &[f32; 32]) -> Reg<T> {
    ptx! {
        let %other: T;
        let %lane, %warp, %at: u32;
        let %is_last, %is_after: bool;
        warp::inclusive_sum::<T> returned, x;
        of_warp %warp, %lane, %at, row;
        setp.eq.u32 %is_last, %lane, 31;
        // The row may still be read from before.
        bar.sync 0;
        @%is_last st.shared.T [%at], returned;
        bar.sync 0;
        for before in 0..WARPS - 1 {
            ld.shared.T %other, [row + #(before * 4)];
            setp.gt.u32 %is_after, %warp, before;
            @%is_after add.T returned, returned, %other;
        }
    }
}
