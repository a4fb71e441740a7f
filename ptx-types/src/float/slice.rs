//! Whole slices, converted as fast as the processor can, to the same bits as one value at a time.

// A function is compiled anew for each set of instructions that it is inlined into.
#![allow(clippy::inline_always)]

use core::fmt;

use half::{bf16, f16};

use super::lane::{decode_lane, encode_lane};
use super::small::SmallFloat;
use super::types::{E2M1, E2M3, E3M2, E4M3, E5M2, Tf32, Ue4m3, Ue8m0};
use crate::sealed::Sealed;

/// Calls a function, compiled for the best instructions that this processor has.
macro_rules! multiversion {
    ([$($generic:tt)*] $name:ident [$($parameter:tt)*] ($($arg:ident: $Arg:ty),*)) => {{
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
                #[allow(unsafe_code)]
                unsafe {
                    avx512::<$($parameter)*>($($arg),*);
                }
                return Ok(());
            }
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has them.
                #[allow(unsafe_code)]
                unsafe {
                    avx2::<$($parameter)*>($($arg),*);
                }
                return Ok(());
            }
        }
        $name::<$($parameter)*>($($arg),*);
        Ok(())
    }};
}
pub(super) use multiversion;

/// Storage of one or several numbers of a format, which slices of `f32` are converted to and from.
#[diagnostic::on_unimplemented(
    message = "slices of `{Self}` are not converted",
    label = "no storage of small floats",
    note = "a `Dense` array is converted by `from_f32_slice`, or through `units_mut()`"
)]
pub trait Quantized: Copy + Sealed + 'static {
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

/// Two slices of which one does not hold as many numbers as the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LengthMismatch {
    /// What it is: `destination`, `slice of scales`.
    pub what: &'static str,
    /// The numbers that it has room for, or holds.
    pub found: usize,
    /// The numbers that it needs room for, or to hold.
    pub needed: usize,
}

impl fmt::Display for LengthMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, found, needed } = self;
        write!(f, "the {what} holds {found} numbers, and {needed} are needed")
    }
}

impl core::error::Error for LengthMismatch {}

/// Converts each number of `from` with the modifiers that its type's
/// [`CVT`](SmallFloat::CVT) has, and stores them one after the other.
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
    multiversion!([S: Quantized] encode_all [S] (from: &[f32], to: &mut [S]))
}

/// The value of each number, which is exact, as [`Format::decode_f32`](super::Format::decode_f32) has it.
///
/// # Errors
/// Unless `to` has room for exactly as many numbers as `from` has.
pub fn dequantize<S: Quantized>(from: &[S], to: &mut [f32]) -> Result<(), LengthMismatch> {
    same_length("destination", to.len(), from.len() * S::LANES)?;
    multiversion!([S: Quantized] decode_all [S] (from: &[S], to: &mut [f32]))
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

#[inline(always)]
fn encode_all<S: Quantized>(from: &[f32], to: &mut [S]) {
    for (from, to) in from.chunks(STEP).zip(to.chunks_mut(STEP / S::LANES)) {
        if let Ok(from) = <&[f32; STEP]>::try_from(from) {
            encode_step(from, to);
        } else {
            let mut padded = [0.0; STEP];
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
        return;
    }
    let mut codes = [S::Code::default(); STEP];
    for (code, x) in codes.iter_mut().zip(from) {
        *code = S::narrow(encode_lane::<S::Element>(x.to_bits()));
    }
    for (to, codes) in to.iter_mut().zip(codes.chunks_exact(S::LANES)) {
        *to = S::join(codes);
    }
}

#[inline(always)]
fn decode_all<S: Quantized>(from: &[S], to: &mut [f32]) {
    for (from, to) in from.chunks(STEP / S::LANES).zip(to.chunks_mut(STEP)) {
        if let Ok(to) = <&mut [f32; STEP]>::try_from(&mut *to) {
            decode_step(from, to);
        } else {
            let mut step = [0.0; STEP];
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
        return;
    }
    let mut codes = [S::Code::default(); STEP];
    for (from, codes) in from.iter().zip(codes.chunks_exact_mut(S::LANES)) {
        from.split(codes);
    }
    for (to, code) in to.iter_mut().zip(codes) {
        *to = f32::from_bits(decode_lane::<S::Element>(S::widen(code)));
    }
}

/// How lanes stand in a value: the first in the lowest bits, of bytes, nibbles or halves.
macro_rules! lanes {
    (bytes $Bits:ty, $LANES:literal) => {
        #[inline(always)]
        fn join(codes: &[u8]) -> Self {
            let mut bytes = [0; $LANES];
            bytes.copy_from_slice(codes);
            Self::from_bits(<$Bits>::from_le_bytes(bytes))
        }

        #[inline(always)]
        fn split(self, codes: &mut [u8]) {
            codes.copy_from_slice(&self.to_bits().to_le_bytes());
        }
    };
    (nibbles $Bits:ty, 2) => {
        #[inline(always)]
        fn join(codes: &[u8]) -> Self {
            Self::from_bits(codes[0] | codes[1] << 4)
        }

        #[inline(always)]
        fn split(self, codes: &mut [u8]) {
            codes.copy_from_slice(&[self.to_bits() & 15, self.to_bits() >> 4]);
        }
    };
    (nibbles $Bits:ty, 4) => {
        #[inline(always)]
        fn join(codes: &[u8]) -> Self {
            Self::from_bits(u16::from_le_bytes([
                codes[0] | codes[1] << 4,
                codes[2] | codes[3] << 4,
            ]))
        }

        #[inline(always)]
        fn split(self, codes: &mut [u8]) {
            let [low, high] = self.to_bits().to_le_bytes();
            codes.copy_from_slice(&[low & 15, low >> 4, high & 15, high >> 4]);
        }
    };
    (halves u32, 2) => {
        #[inline(always)]
        fn join(codes: &[u16]) -> Self {
            Self::from_bits(u32::from(codes[0]) | u32::from(codes[1]) << 16)
        }

        #[allow(clippy::cast_possible_truncation)] // the halves
        #[inline(always)]
        fn split(self, codes: &mut [u16]) {
            codes.copy_from_slice(&[self.to_bits() as u16, (self.to_bits() >> 16) as u16]);
        }
    };
    // Elements of 6 bits, four in three bytes.
    (six 3, 4) => {
        #[inline(always)]
        fn join(codes: &[u8]) -> Self {
            Self::from_bytes([
                codes[0] | codes[1] << 6,
                codes[1] >> 2 | codes[2] << 4,
                codes[2] >> 4 | codes[3] << 2,
            ])
        }

        #[inline(always)]
        fn split(self, codes: &mut [u8]) {
            let [a, b, c] = self.to_bytes();
            codes.copy_from_slice(&[
                a & 0x3f,
                (a >> 6 | b << 2) & 0x3f,
                (b >> 4 | c << 4) & 0x3f,
                c >> 2,
            ]);
        }
    };
    (four 1, 2) => {
        #[inline(always)]
        fn join(codes: &[u8]) -> Self {
            Self::from_bytes([codes[0] | codes[1] << 4])
        }

        #[inline(always)]
        fn split(self, codes: &mut [u8]) {
            let [byte] = self.to_bytes();
            codes.copy_from_slice(&[byte & 15, byte >> 4]);
        }
    };
    // Sixteen elements as so many units, then padding.
    (padded ($Unit:ty), 16) => {
        #[inline(always)]
        fn join(codes: &[u8]) -> Self {
            const UNIT: usize = size_of::<$Unit>();
            let mut bytes = [0; 16];
            let units = codes.chunks_exact(<$Unit as $crate::float::Quantized>::LANES);
            for (to, codes) in bytes.chunks_exact_mut(UNIT).zip(units) {
                to.copy_from_slice(&<$Unit as $crate::float::Quantized>::join(codes).to_bytes());
            }
            Self::from_bytes(bytes)
        }

        #[inline(always)]
        fn split(self, codes: &mut [u8]) {
            const UNIT: usize = size_of::<$Unit>();
            let units = codes.chunks_exact_mut(<$Unit as $crate::float::Quantized>::LANES);
            for (bytes, codes) in self.to_bytes().chunks_exact(UNIT).zip(units) {
                let mut unit = [0; UNIT];
                unit.copy_from_slice(bytes);
                <$Unit>::from_bytes(unit).split(codes);
            }
        }
    };
    (whole $Bits:ty, 1) => {
        #[inline(always)]
        fn join(codes: &[$Bits]) -> Self {
            Self::from_bits(codes[0])
        }

        #[inline(always)]
        fn split(self, codes: &mut [$Bits]) {
            codes[0] = self.to_bits();
        }
    };
}

/// One row a storage, beside the type: its element, the integer of one number, its lanes and its bits.
macro_rules! quantized {
    ($($S:ty: $E:ty, $Code:ty, $LANES:tt $kind:ident of $Bits:tt;)*) => {$(
        impl $crate::float::Quantized for $S {
            type Element = $E;
            const LANES: usize = $LANES;
            type Code = $Code;

            #[allow(clippy::cast_possible_truncation)] // no code is wider
            #[inline(always)]
            fn narrow(bits: u32) -> $Code {
                bits as $Code
            }

            #[inline(always)]
            fn widen(code: $Code) -> u32 {
                code.into()
            }

            $crate::float::lanes!($kind $Bits, $LANES);
        }
    )*};
}

pub(crate) use {lanes, quantized};

quantized! {
    f16: f16, u16, 1 whole of u16;
    bf16: bf16, u16, 1 whole of u16;
    Tf32: Tf32, u32, 1 whole of u32;
    E4M3: E4M3, u8, 1 whole of u8;
    E5M2: E5M2, u8, 1 whole of u8;
    E2M3: E2M3, u8, 1 whole of u8;
    E3M2: E3M2, u8, 1 whole of u8;
    E2M1: E2M1, u8, 1 whole of u8;
    Ue4m3: Ue4m3, u8, 1 whole of u8;
    Ue8m0: Ue8m0, u8, 1 whole of u8;
}
