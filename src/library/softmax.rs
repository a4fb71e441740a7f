//! The softmax of attention, for some keys at a time, on the scores that a matrix product leaves.
//!
//! The scores are a lane's part of 16 rows, queries, and `KEYS` columns: four registers for each 8 columns, as in
//! [`matrix::C_16X8`](super::matrix::C_16X8) and [`matrix::accumulators_of_warpgroup`](super::matrix::accumulators_of_warpgroup), so
//! that a lane has two rows and four lanes share them. All numbers are finite, and scores are greater than [`MASKED`].

use ptx_macros::fragment;
use ptx_types::Reg;

use super::warp;

/// The score of a key that a query does not see, -2^100, with which `max` starts: less than any score; and a power of two, so that
/// the difference of two of them is 0, however they are scaled.
pub const MASKED: f32 = -1_267_650_600_228_229_401_496_703_205_376.0;

/// Leaves of each row the scores of as many keys as it sees, counted from the lane's first column, and [`MASKED`] of the others:
/// `softmax::mask::<128> %s, %see;`.
///
/// `KEYS` / 2 `setp` and `selp`; 1 predicate.
#[fragment]
pub fn mask<const KEYS: u32>(s: &mut Reg<[f32; KEYS / 2]>, see: Reg<[i32; 2]>) {
    ptx! {
        let %sees: bool;
        for i in 0..KEYS / 2 {
            setp.gt.s32 %sees, see[i / 2 % 2], #(i / 4 * 8 + i % 2);
            selp.f32 s[i], s[i], #(MASKED), %sees;
        }
    }
}

/// Turns scores into weights: powers of two of what they, scaled, are less than the largest so far, `max`. The lane's part of
/// the sums of weights is in `sum`, and what else was summed with the weights before is to be multiplied by `shrink`:
/// `softmax::weigh::<128> %s, %max, %sum, %shrink, %scale;`.
///
/// Before the first keys, `max` is [`MASKED`] and `sum` 0. After the last, [`warp::sum_of_four`] adds the parts of a row. With
/// `scale` times the logarithm of e to base 2, weights are powers of e.
///
/// `KEYS` / 2 `max`, `fma`, `ex2` and `add`, and for each of two rows 2 `shfl.sync`, 2 `max`, 3 `mul`, `sub`, `neg`, `ex2`, 3
/// `mov`; 4 registers.
#[fragment]
pub fn weigh<const KEYS: u32>(
    s: &mut Reg<[f32; KEYS / 2]>,
    max: &mut Reg<[f32; 2]>,
    sum: &mut Reg<[f32; 2]>,
    shrink: &mut Reg<[f32; 2]>,
    scale: Reg<f32>,
) {
    ptx! {
        let %most: f32;
        let %shift: [f32; 2];
        for r in 0..2 {
            mov.f32 %most, max[r];
            for i in 0..KEYS / 8 {
                max.f32 %most, %most, s[4 * i + 2 * r];
                max.f32 %most, %most, s[4 * i + 2 * r + 1];
            }
            warp::max_of_four::<f32> %most, %most;
            sub.f32 shrink[r], max[r], %most;
            mul.f32 shrink[r], shrink[r], scale;
            ex2.approx.ftz.f32 shrink[r], shrink[r];
            mov.f32 max[r], %most;
            mul.f32 %shift[r], %most, scale;
            neg.f32 %shift[r], %shift[r];
            mul.f32 sum[r], sum[r], shrink[r];
        }
        for i in 0..KEYS / 2 {
            fma.rn.f32 s[i], s[i], scale, %shift[i / 2 % 2];
            ex2.approx.ftz.f32 s[i], s[i];
            add.f32 sum[i / 2 % 2], sum[i / 2 % 2], s[i];
        }
    }
}
