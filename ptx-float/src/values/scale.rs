//! The scales of blocks: their types, how they are computed, and how many numbers share one.

// Inlining compiles a function for the instruction set of each caller.
#![allow(clippy::inline_always)]

use super::small_float::SmallFloat;
use crate::format::Format;
use crate::sealed::Sealed;

/// The number of numbers that share a scale: see [`BlockLength`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Block<const LENGTH: usize> {}

/// A valid block length: a multiple of 4 up to 256, a multiple of 32 up to 1,024, or a power of
/// two up to 65,536. MX has blocks of 32, NVFP4 blocks of 16, and `f32` scales are often used with blocks of 128.
#[diagnostic::on_unimplemented(
    message = "a block cannot have this length: `{Self}`",
    label = "not a length of blocks",
    note = "blocks hold a multiple of 4 numbers up to 256, a multiple of 32 up to 1024, or a power of two up to 65536; MX has 32 and NVFP4 16"
)]
pub trait BlockLength: Sealed {}

macro_rules! lengths {
    ($($length:literal)*) => {$(
        impl Sealed for Block<$length> {}
        #[diagnostic::do_not_recommend]
        impl BlockLength for Block<$length> {}
    )*};
}
lengths!(4 8 12 16 20 24 28 32 36 40 44 48 52 56 60 64 68 72 76 80 84 88 92 96 100 104 108 112 116 120 124 128);
lengths!(132 136 140 144 148 152 156 160 164 168 172 176 180 184 188 192 196 200 204 208 212 216 220 224 228);
lengths!(232 236 240 244 248 252 256 288 320 352 384 416 448 480 512 544 576 608 640 672 704 736 768 800 832);
lengths!(864 896 928 960 992 1024 2048 4096 8192 16384 32768 65536);

/// How a power-of-two scale is computed from the greatest magnitude of its block, `amax`. Other types of scales are
/// rounded with their [`CVT`](SmallFloat::CVT).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum ScaleRule {
    /// The least power of two with which no element saturates: `amax` divided by the greatest element, rounded up.
    /// `cvt.rp.satfinite.ue8m0x2.f32` computes this, and cuBLAS and Transformer Engine recommend it.
    #[default]
    Up,
    /// The rule of OCP's MX specification 1.0, section 6.3: the exponent of `amax` minus that of the greatest element.
    /// The greatest numbers of a block may saturate.
    Floor,
    /// Like [`Floor`](Self::Floor), after `amax` is rounded to the mantissa bits of an element, ties to even: elements
    /// saturate less often.
    NearestEven,
}

/// A type of block scales: [`Ue8m0`](super::Ue8m0), [`Ue4m3`](super::Ue4m3), [`E4M3`](super::E4M3) or `f32`.
pub trait BlockScale: Copy + Sealed + Send + Sync + 'static {
    /// The least positive scale.
    #[doc(hidden)]
    const LEAST: Self;

    /// The scale of a block of elements of this format whose greatest magnitude is `greatest`.
    #[doc(hidden)]
    fn of_block(greatest: f32, element: &Format, rule: ScaleRule) -> Self;

    /// The value of the scale.
    #[doc(hidden)]
    fn factor(self) -> f32;
}

/// The greatest finite number of a format.
#[inline(always)]
pub(super) fn most_of(format: &Format) -> f32 {
    format.decode_f32(format.max() << format.padding)
}

impl Sealed for f32 {}

impl BlockScale for f32 {
    const LEAST: Self = Self::from_bits(1);

    #[inline(always)]
    fn of_block(greatest: f32, element: &Format, _: ScaleRule) -> Self {
        let scale = greatest / most_of(element);
        // With an infinite scale, even zero elements would be NaN when converted back.
        if scale.is_infinite() { Self::MAX } else { scale }
    }

    #[inline(always)]
    fn factor(self) -> f32 {
        self
    }
}

/// The biased exponent of a power of two, as [`Ue8m0`](super::Ue8m0) stores it, by a rule that rounds `greatest`.
#[inline(always)]
fn exponent(greatest: f32, element: &Format, rule: ScaleRule) -> u32 {
    const MANTISSA_BITS: u32 = f32::MANTISSA_DIGITS - 1;
    let cut = MANTISSA_BITS - element.mantissa_bits;
    let bits = greatest.to_bits();
    let bits = match rule {
        ScaleRule::NearestEven => bits + (1 << (cut - 1)) - 1 + (bits >> cut & 1),
        ScaleRule::Floor | ScaleRule::Up => bits,
    };
    // The greatest number of every format is at least 2, so that no quotient has the exponent of a NaN.
    let of_most = (most_of(element).to_bits() >> MANTISSA_BITS) - 127;
    (bits >> MANTISSA_BITS).saturating_sub(of_most)
}

macro_rules! scales {
    ($($(#[$_type:meta])* $F:ident($_Bits:ident) {
        cvt: $_modifiers:literal = $_cvt:expr,
        with: [$($word:ident)*],
        $($_rest:tt)*
    })*) => {
        $($(scales!(@ $word $F);)*)*
    };
    (@ scale $F:ident) => {
        impl BlockScale for super::types::$F {
            const LEAST: Self = Self::from_bits(1);

            #[inline(always)]
            fn of_block(greatest: f32, element: &Format, rule: ScaleRule) -> Self {
                let is_power = Self::FORMAT.mantissa_bits == 0;
                if is_power && greatest.is_finite() && rule != ScaleRule::Up {
                    return Self::from_storage(exponent(greatest, element, rule));
                }
                Self::convert(greatest / most_of(element), Self::CVT)
            }

            #[inline(always)]
            fn factor(self) -> f32 {
                self.value()
            }
        }
    };
    (@ $_other:ident $F:ident) => {};
}

crate::__small_floats!(scales);
