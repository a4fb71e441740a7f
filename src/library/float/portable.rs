//! Conversions of small floats on targets that have no `cvt` for them, one number at a time. Bits are in the lowest byte of a
//! register; what is above is ignored, and zero in a result.

use ptx_macros::fragment;
use ptx_types::{B32, Reg};

/// Conversions to a format of 8 bits or fewer: the largest number and the smallest normal one, as bits of an `f32`; how many
/// bits of an `f32` are dropped, and half of that minus one; the difference of the exponents in the result's place; the
/// number whose last bit is that of the smallest numbers; the bits of NaN, if there is one.
macro_rules! roundings {
    ($($(#[$doc:meta])* $name:ident: $largest:literal, $normal:literal, $dropped:literal, $half:literal, $bias:literal, $magic:literal, $sign:literal, $nan:literal;)*) => {$(
        $(#[$doc])*
        #[fragment]
        pub fn $name(x: Reg<f32>) -> Reg<B32> {
            ptx! {
                .reg .pred %is_nan, %is_normal;
                .reg .b32 %bits, %sign, %odd, %small;
                .reg .f32 %sum;
                setp.nan.f32 %is_nan, x, x;
                mov.b32 %bits, x;
                shr.u32 %sign, %bits, $sign;
                and.b32 %sign, %sign, #(0x8000_0000_u32 >> $sign);
                and.b32 %bits, %bits, 0x7fffffff;
                min.u32 %bits, %bits, #($largest);
                setp.ge.u32 %is_normal, %bits, #($normal);
                // The sum is rounded to the last bit of the smallest numbers.
                mov.b32 %sum, %bits;
                add.rn.f32 %sum, %sum, #(f32::from_bits($magic));
                mov.b32 %small, %sum;
                sub.u32 %small, %small, #($magic);
                // To the nearest, and to even between two.
                shr.u32 %odd, %bits, $dropped;
                and.b32 %odd, %odd, 1;
                add.u32 %bits, %bits, %odd;
                add.u32 %bits, %bits, #($half);
                shr.u32 %bits, %bits, $dropped;
                sub.u32 %bits, %bits, $bias;
                selp.b32 %bits, %bits, %small, %is_normal;
                or.b32 %bits, %bits, %sign;
                selp.b32 returned, $nan, %bits, %is_nan;
            }
        }
    )*};
}

roundings! {
    /// A number as `e4m3`, rounded to nearest and saturated, as `cvt.rn.satfinite` does: `float::portable::to_e4m3 %bits, %x;`.
    ///
    /// 20 instructions; 5 registers, 2 predicates.
    to_e4m3: 0x43E0_0000, 0x3C80_0000, 20, 0x7_FFFF, 960, 0x4680_0000, 24, 0x7F;

    /// A number as `e5m2`, rounded to nearest and saturated: `float::portable::to_e5m2 %bits, %x;`.
    ///
    /// 20 instructions; 5 registers, 2 predicates.
    to_e5m2: 0x4760_0000, 0x3880_0000, 21, 0xF_FFFF, 448, 0x4300_0000, 24, 0x7F;

    /// A number as `e2m1`, rounded to nearest and saturated, NaN as 6: `float::portable::to_e2m1 %bits, %x;`.
    ///
    /// 20 instructions; 5 registers, 2 predicates.
    to_e2m1: 0x40C0_0000, 0x3F80_0000, 22, 0x1F_FFFF, 252, 0x4A80_0000, 28, 0x7;
}

/// Conversions from a format: the bits without the sign, how far they are below those of an `f32`, the power of two between
/// the numbers, as bits of an `f32`, and how far the sign is.
macro_rules! exact {
    ($($(#[$doc:meta])* $name:ident: $magnitude:literal, $shift:literal, $scale:literal, $sign:literal, $top:literal;)*) => {$(
        $(#[$doc])*
        #[fragment]
        pub fn $name(bits: Reg<B32>) -> Reg<f32> {
            ptx! {
                .reg .b32 %magnitude, %sign;
                and.b32 %magnitude, bits, $magnitude;
                and.b32 %sign, bits, $sign;
                shl.b32 %magnitude, %magnitude, $shift;
                shl.b32 %sign, %sign, $top;
                or.b32 %magnitude, %magnitude, %sign;
                mov.b32 returned, %magnitude;
                mul.rn.f32 returned, returned, #(f32::from_bits($scale));
            }
        }
    )*};
}

exact! {
    /// The number whose `e2m1` this is: `float::portable::of_e2m1 %x, %bits;`. Exact.
    ///
    /// 7 instructions; 2 registers.
    of_e2m1: 0x7, 22, 0x7E80_0000, 0x8, 28;

    /// The number whose `e4m3` this is, unless it is NaN, which becomes 480: [`of_e4m3`] without two instructions.
    ///
    /// 7 instructions; 2 registers.
    of_finite_e4m3: 0x7F, 20, 0x7B80_0000, 0x80, 24;
}

/// The number whose `e4m3` this is: `float::portable::of_e4m3 %x, %bits;`. Exact; NaN stays NaN.
///
/// 10 instructions; 3 registers, 1 predicate.
#[fragment]
pub fn of_e4m3(bits: Reg<B32>) -> Reg<f32> {
    ptx! {
        .reg .pred %is_nan;
        .reg .b32 %magnitude;
        .reg .f32 %x;
        of_finite_e4m3 %x, bits;
        and.b32 %magnitude, bits, 0x7f;
        setp.eq.u32 %is_nan, %magnitude, 0x7f;
        selp.f32 returned, 0f7FFFFFFF, %x, %is_nan;
    }
}

/// The number whose `e5m2` this is: `float::portable::of_e5m2 %x, %bits;`. Exact; infinities and NaN stay what they are.
/// (`sm_53` or newer, for the `cvt` of `f16`.)
///
/// 3 instructions; 1 register of 16 bits, 1 of 32.
#[fragment]
pub fn of_e5m2(bits: Reg<B32>) -> Reg<f32> {
    ptx! {
        .reg .b16 %half, %above;
        .reg .b32 %shifted;
        // It is the upper byte of an `f16`.
        shl.b32 %shifted, bits, 8;
        mov.b32 {%half, %above}, %shifted;
        cvt.f32.f16 returned, %half;
    }
}
