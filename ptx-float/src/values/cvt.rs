//! The conversions of the instruction `cvt` (PTX ISA 9.7.9, `cvt`), bit for bit, and usable in
//! constants.

// Bits are cast between widths throughout; they always fit, as the tests of all inputs show.
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]
#![allow(clippy::cast_precision_loss)] // no significand of a format has more than 11 bits

use crate::format::{Format, Specials};

/// How a value that a format cannot represent is rounded to one that it can (PTX ISA, `cvt`, "Floating
/// Point Notes").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounding {
    /// `.rn`: to the nearest, ties to even.
    Nearest,
    /// `.rna`: to the nearest, ties away from zero.
    NearestAway,
    /// `.rz`: towards zero.
    Zero,
    /// `.rp`: towards positive infinity.
    Up,
    /// `.rm`: towards negative infinity.
    Down,
    /// `.rs`: away from zero if adding these random bits to as many of the highest discarded bits
    /// carries; otherwise, towards zero.
    Stochastic {
        /// The random bits, in the lowest `count` bits.
        bits: u32,
        /// The number of random bits, up to 32: 13 for `f16`, 16 for the others.
        count: u32,
    },
}

/// A conversion: the modifiers of the instruction `cvt`.
///
/// ```
/// use ptx_float::{Cvt, E4M3};
///
/// const RELU: E4M3 = E4M3::from_f32_with(-1.0, Cvt::RN.satfinite().relu());
/// assert_eq!(RELU, E4M3::ZERO);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cvt {
    /// The rounding mode.
    pub rounding: Rounding,
    /// `.satfinite`: a value out of range becomes the greatest finite number of its sign.
    pub satfinite: bool,
    /// `.relu`: a negative value becomes 0.
    pub relu: bool,
}

impl Cvt {
    /// `.rn`.
    pub const RN: Self = Self::new(Rounding::Nearest);
    /// `.rna`.
    pub const RNA: Self = Self::new(Rounding::NearestAway);
    /// `.rz`.
    pub const RZ: Self = Self::new(Rounding::Zero);
    /// `.rp`.
    pub const RP: Self = Self::new(Rounding::Up);
    /// `.rm`.
    pub const RM: Self = Self::new(Rounding::Down);

    /// A conversion with this rounding mode, without other modifiers.
    pub const fn new(rounding: Rounding) -> Self {
        Self { rounding, satfinite: false, relu: false }
    }

    /// `.rs` with the lowest `count` of these random bits.
    pub const fn rs(bits: u32, count: u32) -> Self {
        Self::new(Rounding::Stochastic { bits, count })
    }

    /// The conversions of `cvt.rs.f16x2.f32 d, a, b, rbits` by lane, that of `b` first: each takes 13 bits of
    /// one half.
    pub const fn rs_f16x2(rbits: u32) -> [Self; 2] {
        [Self::rs(rbits, 13), Self::rs(rbits >> 16, 13)]
    }

    /// The conversions of `cvt.rs.bf16x2.f32 d, a, b, rbits` by lane, that of `b` first: each takes one
    /// half.
    pub const fn rs_bf16x2(rbits: u32) -> [Self; 2] {
        [Self::rs(rbits, 16), Self::rs(rbits >> 16, 16)]
    }

    /// The conversions of `cvt.rs.satfinite.e4m3x4.f32 d, {a, b, e, f}, rbits` by lane, that of `f`
    /// first, and likewise of `e5m2x4`, `e2m3x4` and `e3m2x4`: the lower half of the bits is for `f` and `e`, the
    /// upper half for `b` and `a`.
    ///
    /// There is no such function for `e2m1x4`: the text of the ISA gives the bytes for its operands, but
    /// their order only in a figure. No GPU that executes `.rs` was available for a comparison: if more bits
    /// are discarded than there are random bits, these are assumed to be aligned with the highest.
    pub const fn rs_x4(rbits: u32) -> [Self; 4] {
        let (low, high) = (Self::rs(rbits, 16).satfinite(), Self::rs(rbits >> 16, 16).satfinite());
        [low, low, high, high]
    }

    /// The conversion with `.satfinite`.
    pub const fn satfinite(self) -> Self {
        Self { satfinite: true, ..self }
    }

    /// The conversion with `.relu`.
    pub const fn relu(self) -> Self {
        Self { relu: true, ..self }
    }
}

/// An exact number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Exact {
    Nan,
    /// Whether it is negative.
    Infinity(bool),
    /// Whether it is negative, and the magnitude `significand * 2^exponent`.
    Finite(bool, u64, i32),
}

impl Exact {
    /// The number with these bits in an IEEE 754 format.
    #[inline]
    const fn of_ieee(bits: u64, exponent_bits: u32, mantissa_bits: u32) -> Self {
        let is_negative = bits >> (exponent_bits + mantissa_bits) != 0;
        let greatest = (1 << exponent_bits) - 1;
        let (exponent, mantissa) =
            ((bits >> mantissa_bits) as i32 & greatest, bits & ((1 << mantissa_bits) - 1));
        // The exponent of the last bit of a subnormal number.
        let least = 1 - greatest / 2 - mantissa_bits as i32;
        match (exponent, mantissa) {
            (0, _) => Self::Finite(is_negative, mantissa, least),
            (_, _) if exponent < greatest => {
                Self::Finite(is_negative, mantissa | 1 << mantissa_bits, least + exponent - 1)
            }
            (_, 0) => Self::Infinity(is_negative),
            (_, _) => Self::Nan,
        }
    }

    pub(super) const fn of_f32(x: f32) -> Self {
        Self::of_ieee(x.to_bits() as u64, 8, 23)
    }

    const fn magnitude(self) -> Self {
        match self {
            Self::Nan => Self::Nan,
            Self::Infinity(_) => Self::Infinity(false),
            Self::Finite(_, significand, exponent) => Self::Finite(false, significand, exponent),
        }
    }

    pub(super) const fn of_f64(x: f64) -> Self {
        Self::of_ieee(x.to_bits(), 11, 52)
    }

    pub(super) const fn of_i64(x: i64) -> Self {
        Self::Finite(x < 0, x.unsigned_abs(), 0)
    }

    pub(super) const fn of_u64(x: u64) -> Self {
        Self::Finite(false, x, 0)
    }
}

impl Format {
    /// The storage of `x` converted to the format.
    ///
    /// In formats without infinities and NaN, a number out of range becomes the greatest number of its
    /// sign, and a NaN the positive one, with `.satfinite` or without: PTX has no other conversion to them.
    /// In formats with a NaN but no infinity, a number out of range becomes a NaN of its sign without
    /// `.satfinite`. `ue8m0` converts the number's magnitude, and negative numbers become 0 in
    /// `ue4m3`.
    ///
    /// `cvt.rna.tf32` has no canonical NaN: on `sm_90`, the result keeps the upper bits of the input,
    /// from which `.satfinite` subtracts one unit. If they are all zero, the result is not a NaN.
    pub const fn encode_f32(&self, x: f32, cvt: Cvt) -> u32 {
        match (cvt.rounding, x.is_nan()) {
            (Rounding::NearestAway, true) if self.padding != 0 => {
                let unit = 1 << self.padding;
                let kept = x.to_bits() & !(unit - 1);
                if cvt.satfinite { kept - unit } else { kept }
            }
            (_, _) => self.encode(Exact::of_f32(x), cvt),
        }
    }

    /// Like [`encode_f32`](Self::encode_f32), rounded once.
    pub const fn encode_f64(&self, x: f64, cvt: Cvt) -> u32 {
        self.encode(Exact::of_f64(x), cvt)
    }

    /// Like [`encode_f32`](Self::encode_f32), rounded once.
    pub const fn encode_i64(&self, x: i64, cvt: Cvt) -> u32 {
        self.encode(Exact::of_i64(x), cvt)
    }

    /// Like [`encode_f32`](Self::encode_f32), rounded once.
    pub const fn encode_u64(&self, x: u64, cvt: Cvt) -> u32 {
        self.encode(Exact::of_u64(x), cvt)
    }

    /// The storage of a value of the format `from`, given its storage there, converted to this format.
    pub const fn encode_from(&self, from: &Self, storage: u32, cvt: Cvt) -> u32 {
        self.encode(from.decode(storage), cvt)
    }

    pub(super) const fn encode(&self, x: Exact, cvt: Cvt) -> u32 {
        let x = if self.has_zero { x } else { x.magnitude() };
        let code = match x {
            Exact::Nan => return self.nan_or_max(),
            Exact::Infinity(is_negative) if is_negative && self.loses_sign(cvt) => 0,
            Exact::Infinity(is_negative) => self.signed(is_negative, self.overflown(cvt)),
            Exact::Finite(true, ..) if self.loses_sign(cvt) => 0,
            Exact::Finite(is_negative, 0, _) => self.signed(is_negative, 0),
            Exact::Finite(is_negative, significand, exponent) => {
                let rounded = self.round(is_negative, significand, exponent, cvt.rounding);
                let code = if rounded > self.max() {
                    match (cvt.satfinite, cvt.rounding) {
                        (true, _) | (_, Rounding::Zero) => self.max(),
                        (_, Rounding::Up) if is_negative => self.max(),
                        (_, Rounding::Down) if !is_negative => self.max(),
                        (false, _) => self.overflown(cvt),
                    }
                } else {
                    rounded
                };
                self.signed(is_negative, code)
            }
        };
        code << self.padding
    }

    /// Whether negative numbers become 0.
    const fn loses_sign(&self, cvt: Cvt) -> bool {
        cvt.relu || !self.is_signed
    }

    const fn signed(&self, is_negative: bool, code: u32) -> u32 {
        if is_negative { code | self.sign_bit() } else { code }
    }

    /// The code for an infinity.
    const fn overflown(&self, cvt: Cvt) -> u32 {
        if cvt.satfinite { self.max() } else { self.beyond() }
    }

    /// The code for an infinity without `.satfinite`.
    pub(super) const fn beyond(&self) -> u32 {
        match (self.infinity(), self.nan) {
            (Some(infinity), _) => infinity,
            (None, Some(nan)) => nan,
            (None, None) => self.max(),
        }
    }

    /// The storage of a NaN, or of the greatest number in a format without NaN, none of which has padding.
    pub(super) const fn nan_or_max(&self) -> u32 {
        match self.nan {
            Some(nan) => nan,
            None => self.max(),
        }
    }

    /// The code of the magnitude of a nonzero number, rounded as if the exponent were unbounded.
    pub(super) const fn round(
        &self,
        is_negative: bool,
        significand: u64,
        exponent: i32,
        rounding: Rounding,
    ) -> u32 {
        let (mantissa_bits, least) =
            (self.mantissa_bits as i32, if self.has_zero { 1 - self.bias } else { -self.bias });
        let magnitude = exponent + significand.ilog2() as i32;
        // A lesser exponent becomes the least exponent.
        let above_least = 0_u32.saturating_add_signed(magnitude - least);
        let scale = above_least << self.mantissa_bits;
        // The number of bits of the significand that are discarded.
        let cut = least + above_least as i32 - mantissa_bits - exponent;
        // A carry propagates into the exponent.
        let rounded = if cut <= 0 {
            scale + (significand << -cut) as u32
        } else {
            let cut = cut as u32;
            let kept = significand.unbounded_shr(cut);
            let below = scale + kept as u32;
            let rest = significand - kept.unbounded_shl(cut);
            // Far below the least number, the half does not fit in 64 bits.
            let (half, is_half) = (1_u64.unbounded_shl(cut - 1), rest.unbounded_shr(cut - 1) == 1);
            let goes_up = match rounding {
                // In a format without zero, the code is `below` minus 1, which has the opposite parity.
                Rounding::Nearest => is_half && (rest != half || (below & 1 == 1) == self.has_zero),
                Rounding::NearestAway => is_half,
                Rounding::Zero => false,
                Rounding::Up => rest != 0 && !is_negative,
                Rounding::Down => rest != 0 && is_negative,
                Rounding::Stochastic { bits, count } => {
                    let count = match count {
                        ..32 => count,
                        _ => 32,
                    };
                    let random = bits as u64 & ((1 << count) - 1);
                    let highest =
                        rest.unbounded_shr(cut.saturating_sub(count)) << count.saturating_sub(cut);
                    (highest + random) >> count != 0
                }
            };
            below + goes_up as u32
        };
        if self.has_zero { rounded } else { rounded.saturating_sub(1) }
    }

    /// Whether a value is the upper bits of an `f32`.
    pub(super) const fn is_cut_f32(&self) -> bool {
        self.bias == 127 && self.has_zero
    }

    /// The exact value of a storage.
    pub(super) const fn decode(&self, storage: u32) -> Exact {
        let code = storage >> self.padding;
        let (magnitude, is_negative) = (code & self.magnitude_mask(), code & self.sign_bit() != 0);
        match (self.specials, self.infinity()) {
            (Specials::Ieee, Some(infinity)) if magnitude >= infinity => {
                return if magnitude == infinity {
                    Exact::Infinity(is_negative)
                } else {
                    Exact::Nan
                };
            }
            (Specials::OneNan, _) if magnitude == self.magnitude_mask() => return Exact::Nan,
            (_, _) => {}
        }
        let (exponent, mantissa) =
            ((magnitude >> self.mantissa_bits) as i32, magnitude & ((1 << self.mantissa_bits) - 1));
        let least = 1 - self.bias - self.mantissa_bits as i32;
        match exponent {
            _ if !self.has_zero => Exact::Finite(false, 1, exponent - self.bias),
            0 => Exact::Finite(is_negative, mantissa as u64, least),
            _ => {
                let significand = (mantissa + (1 << self.mantissa_bits)) as u64;
                Exact::Finite(is_negative, significand, least + exponent - 1)
            }
        }
    }

    /// The exact value of a storage. A NaN becomes PTX's canonical one, `0f7FFFFFFF`, except in
    /// `bf16` and `tf32`, which are a truncated `f32`: their NaNs keep their bits, as on `sm_90`.
    pub const fn decode_f32(&self, storage: u32) -> f32 {
        if self.is_cut_f32() {
            return f32::from_bits(
                (storage & self.storage_mask()) << (32 - self.bits - self.padding),
            );
        }
        match self.decode(storage) {
            Exact::Nan => f32::from_bits(0x7fff_ffff),
            // `f32` represents every value of every format exactly.
            Exact::Infinity(_) | Exact::Finite(..) => self.decode_f64(storage) as f32,
        }
    }

    /// The exact value of a storage.
    pub const fn decode_f64(&self, storage: u32) -> f64 {
        match self.decode(storage) {
            Exact::Nan => f64::NAN,
            Exact::Infinity(is_negative) => {
                if is_negative {
                    f64::NEG_INFINITY
                } else {
                    f64::INFINITY
                }
            }
            Exact::Finite(is_negative, significand, exponent) => {
                // No exponent of a format is subnormal in `f64`.
                let power = f64::from_bits(((exponent + 1023) as u64) << 52);
                let value = significand as f64 * power;
                if is_negative { -value } else { value }
            }
        }
    }
}
