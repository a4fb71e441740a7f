//! Packing and unpacking of small floats.

pub mod portable;

use ptx_macros::fragment;
use ptx_types::{B32, Reg};

/// Four numbers as `e4m3`, the first in the lowest byte, rounded to nearest and saturated: `float::to_e4m3x4 %packed, %a, %b,
/// %c, %d;` (`sm_89` or newer).
///
/// 2 `cvt`, 1 `mov`; 2 registers.
#[fragment(target = sm_89)]
pub fn to_e4m3x4(a: Reg<f32>, b: Reg<f32>, c: Reg<f32>, d: Reg<f32>) -> Reg<B32> {
    ptx! {
        .reg .b16 %low, %high;
        cvt.rn.satfinite.e4m3x2.f32 %low, b, a;
        cvt.rn.satfinite.e4m3x2.f32 %high, d, c;
        mov.b32 returned, {%low, %high};
    }
}

/// The same as `e5m2`: `float::to_e5m2x4 %packed, %a, %b, %c, %d;` (`sm_89` or newer).
///
/// 2 `cvt`, 1 `mov`; 2 registers.
#[fragment(target = sm_89)]
pub fn to_e5m2x4(a: Reg<f32>, b: Reg<f32>, c: Reg<f32>, d: Reg<f32>) -> Reg<B32> {
    ptx! {
        .reg .b16 %low, %high;
        cvt.rn.satfinite.e5m2x2.f32 %low, b, a;
        cvt.rn.satfinite.e5m2x2.f32 %high, d, c;
        mov.b32 returned, {%low, %high};
    }
}

/// Two numbers as `bf16`, the first in the lower half, rounded to nearest: `float::to_bf16x2 %packed, %a, %b;` (`sm_80` or
/// newer).
///
/// 1 `cvt`.
#[fragment(target = sm_80)]
pub fn to_bf16x2(a: Reg<f32>, b: Reg<f32>) -> Reg<B32> {
    ptx! { cvt.rn.bf16x2.f32 returned, b, a; }
}

/// Two `bf16` as `f32`, the lower half first: `float::of_bf16x2 %a, %b, %packed;`. Exact, on any target.
///
/// 1 `shl`, 1 `and`, 2 `mov`, which cost nothing; 2 registers.
#[fragment(returns(a, b))]
pub fn of_bf16x2(packed: Reg<B32>) -> (Reg<f32>, Reg<f32>) {
    ptx! {
        .reg .b32 %low, %high;
        shl.b32 %low, packed, 16;
        and.b32 %high, packed, 0xffff0000;
        mov.b32 a, %low;
        mov.b32 b, %high;
    }
}
