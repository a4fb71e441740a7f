//! Reductions, scans and exchanges over the 32 lanes of a warp, all of which execute them.
//!
//! The types have 32 bits: `f32`, `u32`, `i32`.

use ptx_macros::fragment;
use ptx_types::{B32, Reg};

/// A reduction by an instruction of two operands.
macro_rules! reductions {
    ($($(#[$doc:meta])* $name:ident: $combine:ident;)*) => {$(
        $(#[$doc])*
        #[fragment]
        pub fn $name<T>(x: Reg<T>) -> Reg<T> {
            ptx! {
                let %other: T;
                mov.b32 returned, x;
                for lanes in [16, 8, 4, 2, 1] {
                    shfl.sync.bfly.b32 %other, returned, lanes, 31, 0xffffffff;
                    $combine.T returned, returned, %other;
                }
            }
        }
    )*};
}

reductions! {
    /// The sum of `x` over the lanes, in each of them: `warp::sum::<f32> %sum, %x;`.
    ///
    /// 5 `shfl.sync`, 5 `add`, 1 `mov`; 1 register. Lanes are added in the same order in every lane, so that all have the same
    /// result.
    sum: add;

    /// The largest `x` of the lanes, in each of them: `warp::max::<f32> %max, %x;`.
    ///
    /// 5 `shfl.sync`, 5 `max`, 1 `mov`; 1 register.
    max: max;

    /// The smallest `x` of the lanes, in each of them: `warp::min::<f32> %min, %x;`.
    ///
    /// 5 `shfl.sync`, 5 `min`, 1 `mov`; 1 register.
    min: min;
}

/// A reduction among each four lanes, by an instruction of two operands.
macro_rules! reductions_of_four {
    ($($(#[$doc:meta])* $name:ident: $combine:ident;)*) => {$(
        $(#[$doc])*
        #[fragment]
        pub fn $name<T>(x: Reg<T>) -> Reg<T> {
            ptx! {
                let %other: T;
                mov.b32 returned, x;
                for lanes in [1, 2] {
                    shfl.sync.bfly.b32 %other, returned, lanes, 31, 0xffffffff;
                    $combine.T returned, returned, %other;
                }
            }
        }
    )*};
}

reductions_of_four! {
    /// The sum of `x` over the four lanes that have a row of the sums of a matrix product, in each of them:
    /// `warp::sum_of_four::<f32> %sum, %x;`.
    ///
    /// 2 `shfl.sync`, 2 `add`, 1 `mov`; 1 register.
    sum_of_four: add;

    /// The largest `x` of these four lanes, in each of them: `warp::max_of_four::<f32> %max, %x;`.
    ///
    /// 2 `shfl.sync`, 2 `max`, 1 `mov`; 1 register.
    max_of_four: max;
}

/// The transpose among each four lanes: `v[i]` of lane `j` of the four becomes `v[j]` of lane `i`. What a matrix product leaves as
/// two columns of each eight is then one lane's eight columns, which it stores at once: `warp::transpose_4x4 %v, %lane;`.
///
/// 4 `shfl.sync`, 16 `selp`, 2 `and`, 2 `setp`; 5 registers, 2 predicates.
#[fragment]
pub fn transpose_4x4(v: &mut Reg<[B32; 4]>, lane: Reg<u32>) {
    ptx! {
        let %bit: u32;
        let %is_odd, %is_upper: bool;
        let %send, %keep: [B32; 2];
        and.b32     %bit, lane, 1;
        setp.ne.u32 %is_odd, %bit, 0;
        and.b32     %bit, lane, 2;
        setp.ne.u32 %is_upper, %bit, 0;
        for i in 0..2 {
            selp.b32    %send[i], v[2 * i], v[2 * i + 1], %is_odd;
            selp.b32    %keep[i], v[2 * i + 1], v[2 * i], %is_odd;
            shfl.sync.bfly.b32 %send[i], %send[i], 1, 0x1f, 0xffffffff;
            selp.b32    v[2 * i], %send[i], %keep[i], %is_odd;
            selp.b32    v[2 * i + 1], %keep[i], %send[i], %is_odd;
        }
        for i in 0..2 {
            selp.b32    %send[i], v[i], v[2 + i], %is_upper;
            selp.b32    %keep[i], v[2 + i], v[i], %is_upper;
            shfl.sync.bfly.b32 %send[i], %send[i], 2, 0x1f, 0xffffffff;
            selp.b32    v[i], %send[i], %keep[i], %is_upper;
            selp.b32    v[2 + i], %keep[i], %send[i], %is_upper;
        }
    }
}

/// The sum of `x` over the lanes up to each one, its own included: `warp::inclusive_sum::<u32> %sum, %x;`.
///
/// 5 `shfl.sync`, 5 `add`, 1 `mov`; 1 register, 1 predicate.
#[fragment]
pub fn inclusive_sum<T>(x: Reg<T>) -> Reg<T> {
    ptx! {
        let %other: T;
        let %has_other: bool;
        mov.b32 returned, x;
        for distance in [1, 2, 4, 8, 16] {
            shfl.sync.up.b32 %other|%has_other, returned, distance, 0, 0xffffffff;
            @%has_other add.T returned, returned, %other;
        }
    }
}

/// The `x` of one lane, in each of them: `warp::broadcast::<f32> %y, %x, 0;`.
///
/// 1 `shfl.sync`, and 1 `mov` if `lane` is a number. `lane` is from 0 to 31.
#[fragment]
pub fn broadcast<T>(x: Reg<T>, lane: Reg<u32>) -> Reg<T> {
    ptx! { shfl.sync.idx.b32 returned, x, lane, 31, 0xffffffff; }
}

/// The warpgroup of a thread in a block of one dimension, as a value that ptxas knows to be the same in each lane: it runs one
/// `wgmma` at a time where another value decides who executes them: `warp::warpgroup %group, %thread;`.
///
/// 1 `shr`, 1 `shfl.sync`.
#[fragment]
pub fn warpgroup(thread: Reg<u32>) -> Reg<u32> {
    ptx! {
        shr.u32 returned, thread, 7;
        shfl.sync.idx.b32 returned, returned, 0, 31, 0xffffffff;
    }
}
