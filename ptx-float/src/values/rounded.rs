//! Branchless conversions of slices with any modifiers, which can be vectorised. Their results are identical to those
//! of the scalar conversions.

// Inlining compiles a function for the instruction set of each caller.
#![allow(clippy::inline_always)]

use super::cvt::{Cvt, Rounding};
use super::slice::{LengthMismatch, Quantized, STEP, ZEROS, multiversion, quantize, same_length};
use super::small_float::SmallFloat;

/// A rounding mode, as the value to add to a significand before its low bits are discarded.
trait Carry: 'static {
    /// The value to add to a significand of which `cut` bits, up to 31, are discarded.
    fn added(significand: u32, cut: u32, sign: u32, random: Random) -> u32;

    /// The significand to use where more than 31 bits are discarded, 31 and this many more: the number
    /// only matters for the comparison with random bits.
    #[inline(always)]
    fn far_below(significand: u32, _: u32) -> u32 {
        significand
    }

    /// Whether a number of this sign that is out of range becomes the greatest number.
    #[inline(always)]
    fn stays_finite(_: u32) -> bool {
        false
    }

    /// The storage for the NaN with these bits.
    #[inline(always)]
    fn nan<F: SmallFloat>(_: u32, _: Cvt) -> u32 {
        const { F::FORMAT.nan_or_max() }
    }
}

/// The lowest `count` bits are random.
#[derive(Clone, Copy, Default)]
struct Random {
    bits: u32,
    count: u32,
}

struct ToNearest;
struct AwayFromZero;
struct ToZero;
struct ToPositive;
struct ToNegative;
struct AtRandom;

impl Carry for ToNearest {
    #[inline(always)]
    fn added(significand: u32, cut: u32, _: u32, _: Random) -> u32 {
        (1 << (cut - 1)) - 1 + (significand >> cut & 1)
    }
}

impl Carry for AwayFromZero {
    #[inline(always)]
    fn added(_: u32, cut: u32, _: u32, _: Random) -> u32 {
        1 << (cut - 1)
    }

    #[inline(always)]
    fn nan<F: SmallFloat>(bits: u32, cvt: Cvt) -> u32 {
        // As in `Format::encode_f32`.
        let unit = const { 1 << F::FORMAT.padding };
        let kept = bits & const { !((1 << F::FORMAT.padding) - 1) };
        let left_over = if cvt.satfinite { kept.wrapping_sub(unit) } else { kept };
        if const { F::FORMAT.padding > 0 } { left_over } else { const { F::FORMAT.nan_or_max() } }
    }
}

impl Carry for ToZero {
    #[inline(always)]
    fn added(_: u32, _: u32, _: u32, _: Random) -> u32 {
        0
    }

    #[inline(always)]
    fn stays_finite(_: u32) -> bool {
        true
    }
}

impl Carry for ToPositive {
    #[inline(always)]
    fn added(_: u32, cut: u32, sign: u32, _: Random) -> u32 {
        ((1 << cut) - 1) & sign.wrapping_sub(1)
    }

    #[inline(always)]
    fn stays_finite(sign: u32) -> bool {
        sign == 1
    }
}

impl Carry for ToNegative {
    #[inline(always)]
    fn added(_: u32, cut: u32, sign: u32, _: Random) -> u32 {
        ((1 << cut) - 1) & sign.wrapping_neg()
    }

    #[inline(always)]
    fn stays_finite(sign: u32) -> bool {
        sign == 0
    }
}

impl Carry for AtRandom {
    #[inline(always)]
    fn added(_: u32, cut: u32, _: u32, random: Random) -> u32 {
        let Random { bits, count } = random;
        (bits << cut.saturating_sub(count)) >> count.saturating_sub(cut)
    }

    #[inline(always)]
    fn far_below(significand: u32, more: u32) -> u32 {
        significand.unbounded_shr(more)
    }
}

/// The storage for the number with these bits.
#[inline(always)]
fn encode_lane_with<F: SmallFloat, R: Carry>(bits: u32, cvt: Cvt, random: Random) -> u32 {
    const INFINITY: u32 = 0x7f80_0000;
    let (mantissa_bits, least) =
        const { (F::FORMAT.mantissa_bits, (128 - F::FORMAT.bias).unsigned_abs()) };
    let (magnitude, sign) = (bits & 0x7fff_ffff, bits >> 31);
    let field = magnitude >> 23;
    let hidden = if field == 0 { 0 } else { 1 << 23 };
    let (significand, exponent) = (magnitude & 0x7f_ffff | hidden, field.max(1));
    let cut = 23 - mantissa_bits + least.saturating_sub(exponent);
    let (significand, cut) = (R::far_below(significand, cut.saturating_sub(31)), cut.min(31));
    let kept = (significand + R::added(significand, cut, sign, random)) >> cut;
    let code = (exponent.saturating_sub(least) << mantissa_bits) + kept;
    let most = const { F::FORMAT.max() };
    let overflown = if cvt.satfinite { most } else { const { F::FORMAT.beyond() } };
    let beyond = if R::stays_finite(sign) { most } else { overflown };
    let code = if code > most { beyond } else { code };
    let code = if magnitude == INFINITY { overflown } else { code };
    let code = if cvt.relu || const { !F::FORMAT.is_signed } {
        code & sign.wrapping_sub(1)
    } else {
        code | sign << const { F::FORMAT.bits - 1 }
    };
    if magnitude > INFINITY { R::nan::<F>(bits, cvt) } else { code << const { F::FORMAT.padding } }
}

/// Converts each number of `from` as `cvt` with these modifiers does, and stores the results consecutively: see
/// [`quantize`]. Random bits, if any, are the same for all numbers.
///
/// ```
/// use ptx_float::{Cvt, quantize_with};
/// use ptx_float::{E4M3, E5M2};
///
/// let mut up = [E5M2::ZERO; 2];
/// quantize_with(&[1.01, -1.01], &mut up, Cvt::RP)?;
/// assert_eq!(up.map(E5M2::to_f32), [1.25, -1.0]);
/// let mut relu = [E4M3::ZERO; 2];
/// quantize_with(&[-3.0, 500.0], &mut relu, Cvt::RN.satfinite().relu())?;
/// assert_eq!(relu.map(E4M3::to_f32), [0.0, 448.0]);
/// # Ok::<(), ptx_float::LengthMismatch>(())
/// ```
///
/// # Errors
/// If `to` does not hold exactly as many numbers as `from`.
pub fn quantize_with<S: Quantized>(
    from: &[f32],
    to: &mut [S],
    cvt: Cvt,
) -> Result<(), LengthMismatch> {
    if cvt == S::Element::CVT {
        quantize(from, to)
    } else {
        same_length("destination", to.len() * S::LANES, from.len())?;
        encode_by(from, to, cvt);
        Ok(())
    }
}

fn encode_by<S: Quantized>(from: &[f32], to: &mut [S], cvt: Cvt) {
    match cvt.rounding {
        // In a format without zero, a code has no significand.
        _ if const { !S::Element::FORMAT.has_zero } => each_by_itself(from, to, cvt),
        Rounding::Nearest => encode::<S, ToNearest>(from, to, cvt),
        Rounding::NearestAway => encode::<S, AwayFromZero>(from, to, cvt),
        Rounding::Zero => encode::<S, ToZero>(from, to, cvt),
        Rounding::Up => encode::<S, ToPositive>(from, to, cvt),
        Rounding::Down => encode::<S, ToNegative>(from, to, cvt),
        Rounding::Stochastic { count: ..32, .. } => encode::<S, AtRandom>(from, to, cvt),
        Rounding::Stochastic { .. } => each_by_itself(from, to, cvt),
    }
}

fn each_by_itself<S: Quantized>(from: &[f32], to: &mut [S], cvt: Cvt) {
    let code = |x: &f32| S::narrow(S::Element::convert(*x, cvt).to_storage());
    for (to, from) in to.iter_mut().zip(from.chunks_exact(S::LANES)) {
        let mut codes = [S::Code::default(); STEP];
        for (to, x) in codes.iter_mut().zip(from) {
            *to = code(x);
        }
        *to = S::join(&codes[..S::LANES]);
    }
}

fn encode<S: Quantized, R: Carry>(from: &[f32], to: &mut [S], cvt: Cvt) {
    multiversion!(
        [S: Quantized, R: Carry] encode_all_with [S, R] (from: &[f32], to: &mut [S], cvt: Cvt)
    );
}

#[inline(always)]
fn encode_all_with<S: Quantized, R: Carry>(from: &[f32], to: &mut [S], cvt: Cvt) {
    let random = match cvt.rounding {
        Rounding::Stochastic { bits, count } => Random { bits: bits & ((1 << count) - 1), count },
        _ => Random::default(),
    };
    for (from, to) in from.chunks(STEP).zip(to.chunks_mut(STEP / S::LANES)) {
        let mut numbers = ZEROS;
        numbers[..from.len()].copy_from_slice(from);
        let mut codes = [S::Code::default(); STEP];
        for (code, x) in codes.iter_mut().zip(numbers) {
            *code = S::narrow(encode_lane_with::<S::Element, R>(x.to_bits(), cvt, random));
        }
        for (to, codes) in to.iter_mut().zip(codes.chunks_exact(S::LANES)) {
            *to = S::join(codes);
        }
    }
}
