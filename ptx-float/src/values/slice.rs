//! Vectorised conversions of whole slices, with the same results as one value at a time.

// Inlining compiles a function for the instruction set of each caller.
#![allow(clippy::inline_always)]

use core::fmt;

use super::lane::{decode_lane, encode_lane};
use super::small_float::SmallFloat;
use crate::message::Count;
use crate::sealed::Sealed;

/// Calls a function, compiled for the widest vector instructions that the processor supports.
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
                    // SAFETY: the processor supports these instructions.
                    #[allow(unsafe_code, reason = "it calls a function for these processors alone")]
                    unsafe {
                        avx512::<$($parameter)*>($($arg),*);
                    }
                    break 'done;
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor supports these instructions.
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

/// The storage of one or several numbers of a format, to and from which slices of `f32` are converted.
#[diagnostic::on_unimplemented(
    message = "slices of `{Self}` cannot be converted",
    label = "not storage of small floats",
    note = "a `Dense` array is converted by `from_f32_slice`, or through `units_mut()`"
)]
pub trait Quantized: Copy + Sealed + Send + Sync + 'static {
    /// The type of the numbers.
    type Element: SmallFloat;
    /// The number of numbers in one value, the first in the lowest bits.
    const LANES: usize;

    /// An integer type that holds the code of one number.
    #[doc(hidden)]
    type Code: Copy + Default + 'static;

    /// Truncates to the lowest bits.
    #[doc(hidden)]
    fn narrow(bits: u32) -> Self::Code;

    #[doc(hidden)]
    fn widen(code: Self::Code) -> u32;

    /// The value with these codes, one for each lane.
    #[doc(hidden)]
    fn join(codes: &[Self::Code]) -> Self;

    /// The codes of the lanes.
    #[doc(hidden)]
    fn split(self, codes: &mut [Self::Code]);
}

/// The error for a slice whose length does not match another slice, or for an incomplete block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LengthMismatch {
    /// The part with the wrong length: `destination`, `slice of scales`, `last block`.
    pub what: &'static str,
    /// The number of numbers that it holds.
    pub found: usize,
    /// The number of numbers that it has to hold.
    pub needed: usize,
}

crate::message::debug_as_message!(LengthMismatch);

impl fmt::Display for LengthMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, found, needed } = self;
        write!(f, "the {what} holds {} instead of {needed}", Count(*found, "number"))
    }
}

impl core::error::Error for LengthMismatch {}

/// Converts each number of `from` with the modifiers of the element type's
/// [`CVT`](SmallFloat::CVT), and stores the results consecutively.
///
/// Numbers that the format cannot represent are not an error: a NaN becomes the format's NaN, or its greatest number if
/// it has no NaN (6.0 in [`E2M1`](super::E2M1)), and a number out of range becomes the greatest number.
/// [`count_special`](super::count_special) counts them.
///
/// ```
/// use ptx_float::{dequantize, quantize};
/// use ptx_float::E2M1x2;
///
/// let mut packed = [E2M1x2::default(); 2];
/// quantize(&[1.0, 2.2, -0.5, 100.0], &mut packed)?;
/// let mut back = [0.0; 4];
/// dequantize(&packed, &mut back)?;
/// assert_eq!(back, [1.0, 2.0, -0.5, 6.0]);
/// # Ok::<(), ptx_float::LengthMismatch>(())
/// ```
///
/// # Errors
/// If `to` does not hold exactly as many numbers as `from`.
pub fn quantize<S: Quantized>(from: &[f32], to: &mut [S]) -> Result<(), LengthMismatch> {
    same_length("destination", to.len() * S::LANES, from.len())?;
    multiversion!([S: Quantized] encode_all [S] (from: &[f32], to: &mut [S]));
    Ok(())
}

/// Converts each number to its exact value, as [`Format::decode_f32`](crate::Format::decode_f32) does.
///
/// # Errors
/// If `to` does not hold exactly as many numbers as `from`.
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

/// The number of numbers converted at a time: enough to fill the widest registers.
pub(super) const STEP: usize = 64;
/// An empty step: the numbers past the end of a slice are converted too, and discarded.
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
