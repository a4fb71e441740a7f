//! Whole slices, converted as fast as the processor can, to the same bits as one value at a time.

// A function is compiled anew for each set of instructions that it is inlined into.
#![allow(clippy::inline_always)]

use core::fmt;

use super::lane::{decode_lane, encode_lane};
use super::small_float::SmallFloat;
use crate::count::Count;
use crate::sealed::Sealed;

/// Calls a function, compiled for the best instructions that this processor has.
macro_rules! multiversion {
    ([$($generic:tt)*] $name:ident [$($parameter:tt)*] ($($arg:ident: $Arg:ty),*)) => {{
        #[allow(unused_labels)] // without `std`
        'done: {
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            {
                #[target_feature(enable = "avx2")]
                fn avx2<$($generic)*>($($arg: $Arg),*) {
                    $name::<$($parameter)*>($($arg),*);
                }
                #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
                fn avx512<$($generic)*>($($arg: $Arg),*) {
                    $name::<$($parameter)*>($($arg),*);
                }
                use std::arch::is_x86_feature_detected;
                if is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                {
                    // SAFETY: the processor has them.
                    #[allow(unsafe_code, reason = "it calls a function for these processors alone")]
                    unsafe {
                        avx512::<$($parameter)*>($($arg),*);
                    }
                    break 'done;
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has them.
                    #[allow(unsafe_code, reason = "it calls a function for these processors alone")]
                    unsafe {
                        avx2::<$($parameter)*>($($arg),*);
                    }
                    break 'done;
                }
            }
            $name::<$($parameter)*>($($arg),*);
        };
    }};
}
pub(super) use multiversion;

/// Storage of one or several numbers of a format, which slices of `f32` are converted to and from.
#[diagnostic::on_unimplemented(
    message = "slices of `{Self}` cannot be converted",
    label = "not storage of small floats",
    note = "a `Dense` array is converted by `from_f32_slice`, or through `units_mut()`"
)]
pub trait Quantized: Copy + Sealed + Send + Sync + 'static {
    /// What the numbers are.
    type Element: SmallFloat;
    /// How many there are in one value, the first in the lowest bits.
    const LANES: usize;

    /// An integer that holds one number.
    #[doc(hidden)]
    type Code: Copy + Default + 'static;

    /// The lowest bits.
    #[doc(hidden)]
    fn narrow(bits: u32) -> Self::Code;

    #[doc(hidden)]
    fn widen(code: Self::Code) -> u32;

    /// The value with these codes, as many as there are lanes.
    #[doc(hidden)]
    fn join(codes: &[Self::Code]) -> Self;

    /// The codes of the lanes.
    #[doc(hidden)]
    fn split(self, codes: &mut [Self::Code]);
}

/// A slice that does not hold as many numbers as another one asks for, or a block that is not whole.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LengthMismatch {
    /// What it is: `destination`, `slice of scales`, `last block`.
    pub what: &'static str,
    /// The numbers that it has room for, or holds.
    pub found: usize,
    /// The numbers that it needs room for, or to hold.
    pub needed: usize,
}

impl fmt::Display for LengthMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, found, needed } = self;
        write!(f, "the {what} holds {} instead of {needed}", Count(*found, "number"))
    }
}

impl core::error::Error for LengthMismatch {}

/// Converts each number of `from` with the modifiers that its type's
/// [`CVT`](SmallFloat::CVT) has, and stores them one after the other.
///
/// What the format does not have is not an error: a NaN becomes its NaN, or its greatest number if it has none (6.0 in
/// [`E2M1`](super::E2M1)), and what is too large its greatest number. [`count_special`](super::count_special) counts these.
///
/// ```
/// use ptx_types::float::{dequantize, quantize};
/// use ptx_types::E2M1x2;
///
/// let mut packed = [E2M1x2::default(); 2];
/// quantize(&[1.0, 2.2, -0.5, 100.0], &mut packed)?;
/// let mut back = [0.0; 4];
/// dequantize(&packed, &mut back)?;
/// assert_eq!(back, [1.0, 2.0, -0.5, 6.0]);
/// # Ok::<(), ptx_types::float::LengthMismatch>(())
/// ```
///
/// # Errors
/// Unless `to` has room for exactly as many numbers as `from` has.
pub fn quantize<S: Quantized>(from: &[f32], to: &mut [S]) -> Result<(), LengthMismatch> {
    same_length("destination", to.len() * S::LANES, from.len())?;
    multiversion!([S: Quantized] encode_all [S] (from: &[f32], to: &mut [S]));
    Ok(())
}

/// The value of each number, which is exact, as [`Format::decode_f32`](crate::float::Format::decode_f32) has it.
///
/// # Errors
/// Unless `to` has room for exactly as many numbers as `from` has.
pub fn dequantize<S: Quantized>(from: &[S], to: &mut [f32]) -> Result<(), LengthMismatch> {
    same_length("destination", to.len(), from.len() * S::LANES)?;
    multiversion!([S: Quantized] decode_all [S] (from: &[S], to: &mut [f32]));
    Ok(())
}

pub(super) fn same_length(
    what: &'static str,
    found: usize,
    needed: usize,
) -> Result<(), LengthMismatch> {
    if found == needed { Ok(()) } else { Err(LengthMismatch { what, found, needed }) }
}

/// How many numbers are converted at a time: enough for the widest registers.
pub(super) const STEP: usize = 64;
/// A step to be filled: numbers past the last one of a slice are converted and left out.
pub(super) const ZEROS: [f32; STEP] = [0.0; STEP];

#[inline(always)]
fn encode_all<S: Quantized>(from: &[f32], to: &mut [S]) {
    for (from, to) in from.chunks(STEP).zip(to.chunks_mut(STEP / S::LANES)) {
        if let Ok(from) = <&[f32; STEP]>::try_from(from) {
            encode_step(from, to);
        } else {
            let mut padded = ZEROS;
            padded[..from.len()].copy_from_slice(from);
            encode_step(&padded, to);
        }
    }
}

#[inline(always)]
pub(super) fn encode_step<S: Quantized>(from: &[f32; STEP], to: &mut [S]) {
    if const { S::LANES == 1 } {
        for (to, x) in to.iter_mut().zip(from) {
            *to = S::join(&[S::narrow(encode_lane::<S::Element>(x.to_bits()))]);
        }
    } else {
        let mut codes = [S::Code::default(); STEP];
        for (code, x) in codes.iter_mut().zip(from) {
            *code = S::narrow(encode_lane::<S::Element>(x.to_bits()));
        }
        for (to, codes) in to.iter_mut().zip(codes.chunks_exact(S::LANES)) {
            *to = S::join(codes);
        }
    }
}

#[inline(always)]
fn decode_all<S: Quantized>(from: &[S], to: &mut [f32]) {
    for (from, to) in from.chunks(STEP / S::LANES).zip(to.chunks_mut(STEP)) {
        if let Ok(to) = <&mut [f32; STEP]>::try_from(&mut *to) {
            decode_step(from, to);
        } else {
            let mut step = ZEROS;
            decode_step(from, &mut step);
            to.copy_from_slice(&step[..to.len()]);
        }
    }
}

#[inline(always)]
pub(super) fn decode_step<S: Quantized>(from: &[S], to: &mut [f32; STEP]) {
    if const { S::LANES == 1 } {
        for (to, from) in to.iter_mut().zip(from) {
            let mut code = [S::Code::default()];
            from.split(&mut code);
            *to = f32::from_bits(decode_lane::<S::Element>(S::widen(code[0])));
        }
    } else {
        let mut codes = [S::Code::default(); STEP];
        for (from, codes) in from.iter().zip(codes.chunks_exact_mut(S::LANES)) {
            from.split(codes);
        }
        for (to, code) in to.iter_mut().zip(codes) {
            *to = f32::from_bits(decode_lane::<S::Element>(S::widen(code)));
        }
    }
}
