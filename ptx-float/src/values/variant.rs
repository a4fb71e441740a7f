//! 8-bit floats that other libraries have and PTX does not.

use core::fmt;

use super::cvt::{Cvt, Exact, Rounding};
use super::scale::most_of;
use super::slice::{LengthMismatch, same_length};
use super::small_float::SmallFloat;
use crate::format::{Format, Specials};

/// An 8-bit float format that other libraries have and PTX does not, for conversions from and to PTX's
/// formats.
///
/// The *Fnuz* formats of AMD and Graphcore have no infinities and no -0, whose pattern 0x80 is the only NaN; the
/// others follow IEEE 754.
///
/// ```
/// use ptx_float::E4M3;
/// use ptx_float::Variant;
///
/// assert_eq!(Variant::E4M3Fnuz.to_f32(0x40), 1.0);
///
/// let mut weights = [E4M3::ZERO; 3];
/// let changed = Variant::E4M3Fnuz.to_floats(&[0x40, 0x80, 0x01], &mut weights)?;
/// assert_eq!(weights[0], E4M3::ONE);
/// assert!(weights[1].is_nan());
/// // 2^-10, which is half the least positive number of `E4M3`.
/// assert_eq!((weights[2], changed.rounded), (E4M3::ZERO, 1));
/// # Ok::<(), ptx_float::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
#[doc(alias("fnuz", "ml_dtypes"))]
pub enum Variant {
    /// 4 exponent bits with a bias of 8, up to 240: the MI300's `e4m3`.
    #[doc(alias("float8_e4m3fnuz", "F8_E4M3FNUZ", "F8E4M3FNUZ"))]
    E4M3Fnuz,
    /// 5 exponent bits with a bias of 16, up to 57344: the MI300's `e5m2`.
    #[doc(alias("float8_e5m2fnuz", "F8_E5M2FNUZ", "F8E5M2FNUZ"))]
    E5M2Fnuz,
    /// 4 exponent bits with a bias of 11, up to 30.
    #[doc(alias("float8_e4m3b11fnuz", "F8E4M3B11FNUZ"))]
    E4M3B11Fnuz,
    /// 3 exponent bits with a bias of 3, up to 15.5, with infinities.
    #[doc(alias("float8_e3m4", "F8E3M4"))]
    E3M4,
    /// 4 exponent bits with a bias of 7, up to 240, with infinities. It is not PTX's [`E4M3`](super::E4M3), which
    /// other libraries call `e4m3fn`.
    #[doc(alias("float8_e4m3", "F8E4M3"))]
    E4M3,
}

/// The number of values that a conversion changed, by reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Changed {
    /// NaNs that became the greatest number in a format without NaN.
    pub nan: usize,
    /// Infinities that became the greatest number of their sign in a format without infinities, or 0 in a format
    /// without a sign.
    pub infinite: usize,
    /// Finite numbers whose magnitude is out of range: they became the greatest number.
    pub saturated: usize,
    /// Other numbers that were rounded or lost their sign. A -0 that became 0 compares equal, and is not counted.
    pub rounded: usize,
}

impl Changed {
    /// Whether no value was changed.
    pub const fn is_none(&self) -> bool {
        self.nan == 0 && self.infinite == 0 && self.saturated == 0 && self.rounded == 0
    }

    /// Counts the conversion of a value.
    #[allow(clippy::float_cmp)] // a number is another one if it is not equal
    fn note(&mut self, from: f32, to: f32, most: f32) {
        let count = match (from, to) {
            _ if from.is_nan() && to.is_nan() || from == to => return,
            _ if from.is_nan() => &mut self.nan,
            _ if from.is_infinite() => &mut self.infinite,
            _ if from.abs() > most => &mut self.saturated,
            (_, _) => &mut self.rounded,
        };
        *count += 1;
    }
}

impl Variant {
    /// Every variant.
    pub const ALL: [Self; 5] =
        [Self::E4M3Fnuz, Self::E5M2Fnuz, Self::E4M3B11Fnuz, Self::E3M4, Self::E4M3];

    /// The name in `ml_dtypes`, and thus in JAX.
    pub const fn name(self) -> &'static str {
        match self {
            Self::E4M3Fnuz => "float8_e4m3fnuz",
            Self::E5M2Fnuz => "float8_e5m2fnuz",
            Self::E4M3B11Fnuz => "float8_e4m3b11fnuz",
            Self::E3M4 => "float8_e3m4",
            Self::E4M3 => "float8_e4m3",
        }
    }

    /// The format of its numbers, without the NaN of the *Fnuz* formats.
    const fn row(self) -> Format {
        let (exponent_bits, mantissa_bits, bias, specials) = match self {
            Self::E4M3Fnuz => (4, 3, 8, Specials::None),
            Self::E5M2Fnuz => (5, 2, 16, Specials::None),
            Self::E4M3B11Fnuz => (4, 3, 11, Specials::None),
            Self::E3M4 => (3, 4, 3, Specials::Ieee),
            Self::E4M3 => (4, 3, 7, Specials::Ieee),
        };
        Format { exponent_bits, mantissa_bits, bias, specials, ..Format::E5M2 }
    }

    /// Whether it has infinities and -0.
    const fn is_ieee(self) -> bool {
        matches!(self.row().specials, Specials::Ieee)
    }

    /// The greatest finite number.
    pub const fn max(self) -> f32 {
        self.row().decode_f32(self.row().max())
    }

    /// The exact value of a pattern; a NaN becomes PTX's canonical one, `0f7FFFFFFF`.
    pub const fn to_f32(self, bits: u8) -> f32 {
        if !self.is_ieee() && bits == 0x80 {
            return f32::from_bits(0x7fff_ffff);
        }
        self.row().decode_f32(bits as u32)
    }

    /// `x` rounded to the nearest, ties to even, as in `ml_dtypes`: a number out of range becomes an
    /// infinity, or the NaN in a format without infinities. A NaN keeps its sign if the format has signed NaNs.
    pub const fn from_f32(self, x: f32) -> u8 {
        self.convert(x, false)
    }

    /// Like [`from_f32`](Self::from_f32), but a number out of range, an infinity included, becomes the greatest number
    /// of its sign.
    pub const fn from_f32_saturating(self, x: f32) -> u8 {
        self.convert(x, true)
    }

    #[allow(clippy::cast_possible_truncation)] // a code has 7 bits
    const fn convert(self, x: f32, saturates: bool) -> u8 {
        let row = self.row();
        let (sign, max) = (((x.to_bits() >> 24) & 0x80) as u8, row.max());
        let rounded = match Exact::of_f32(x) {
            // The quiet NaN with no other mantissa bits.
            Exact::Nan => match row.infinity() {
                Some(infinity) => return sign | infinity as u8 | 1 << (row.mantissa_bits - 1),
                None => return 0x80,
            },
            Exact::Infinity(_) => None,
            Exact::Finite(_, 0, _) => Some(0),
            Exact::Finite(_, significand, exponent) => {
                Some(row.round(false, significand, exponent, Rounding::Nearest))
            }
        };
        let code = match (rounded, row.infinity()) {
            (Some(code), _) if code <= max => code as u8,
            _ if saturates => max as u8,
            (_, Some(infinity)) => infinity as u8,
            (_, None) => return 0x80,
        };
        // Only the formats that follow IEEE 754 have -0.
        if code == 0 && !self.is_ieee() { 0 } else { sign | code }
    }

    /// Converts each value of `from` to a float of PTX, rounded with its [`CVT`](SmallFloat::CVT): a number out of
    /// range becomes the greatest number. NaNs and infinities are kept if the format has them.
    ///
    /// # Errors
    /// If `to` does not have the length of `from`.
    pub fn to_floats<F: SmallFloat>(
        self,
        from: &[u8],
        to: &mut [F],
    ) -> Result<Changed, LengthMismatch> {
        same_length("destination", to.len(), from.len())?;
        let values: [f32; 256] = core::array::from_fn(|code| self.to_f32(code.to_le_bytes()[0]));
        let floats = values.map(|x| {
            let keeps = x.is_infinite() && F::FORMAT.infinity().is_some();
            F::convert(x, if keeps { Cvt { satfinite: false, ..F::CVT } } else { F::CVT })
        });
        let mut times = [0_usize; 256];
        for (from, to) in from.iter().zip(to) {
            *to = floats[usize::from(*from)];
            times[usize::from(*from)] += 1;
        }
        let most = most_of(F::FORMAT);
        let mut changed = Changed::default();
        for ((x, float), times) in values.into_iter().zip(floats).zip(times) {
            let mut one = Changed::default();
            one.note(x, float.value(), most);
            changed.nan += one.nan * times;
            changed.infinite += one.infinite * times;
            changed.saturated += one.saturated * times;
            changed.rounded += one.rounded * times;
        }
        Ok(changed)
    }

    /// Converts each float of PTX to a pattern like [`from_f32_saturating`](Self::from_f32_saturating), but
    /// infinities are kept if the format has them.
    ///
    /// # Errors
    /// If `to` does not have the length of `from`.
    pub fn from_floats<F: SmallFloat>(
        self,
        from: &[F],
        to: &mut [u8],
    ) -> Result<Changed, LengthMismatch> {
        same_length("destination", to.len(), from.len())?;
        let mut changed = Changed::default();
        let most = self.max();
        for (from, to) in from.iter().zip(to) {
            let x = from.value();
            *to = self.convert(x, x.is_finite() || !self.is_ieee());
            changed.note(x, self.to_f32(*to), most);
        }
        Ok(changed)
    }
}

impl fmt::Display for Variant {
    /// The [`name`](Self::name).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
