//! Reductions, scans and exchanges over the 32 lanes of a warp, all of which execute them.
//!
//! The types have 32 bits: `f32`, `u32`, `i32`.

use ptx_macros::fragment;
use ptx_types::Reg;

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
