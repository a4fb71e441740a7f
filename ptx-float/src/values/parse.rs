//! Parsing of decimal numbers, rounded once.

use alloc::format;
use core::cmp::Ordering;

use super::cvt::{Cvt, Exact};
use crate::format::Format;

pub use core::num::ParseFloatError;

/// The storage of the number in `text`, in the syntax of `f64`, rounded to the nearest, ties to even.
pub(super) fn parse(format: &Format, text: &str) -> Result<u32, ParseFloatError> {
    let near: f64 = text.parse()?;
    if near.is_nan() && format.nan.is_none() {
        "a NaN".parse::<f64>()?;
    }
    let exact = match Exact::of_f64(near) {
        // A number strictly between two `f64` numbers rounds like any other between them: the positive numbers
        // of the format and their midpoints are normal numbers of `f64`.
        Exact::Finite(is_negative, significand, exponent) if near.is_normal() => {
            let twice = match compare(text, near.abs()) {
                Ordering::Less => 2 * significand - 1,
                Ordering::Equal => 2 * significand,
                Ordering::Greater => 2 * significand + 1,
            };
            Exact::Finite(is_negative, twice, exponent - 1)
        }
        other => other,
    };
    // A literal infinity is kept if the format has one.
    let is_infinity =
        near.is_infinite() && text.contains(['i', 'I']) && format.infinity().is_some();
    let cvt = Cvt { satfinite: !is_infinity, ..Cvt::RN };
    Ok(format.encode(exact, cvt))
}

/// The digits of a decimal number from the first to the last nonzero digit.
struct Digits<'a> {
    /// The digits, with the point if it is among them.
    text: &'a str,
    /// The number of digits before the point once the exponent is applied; negative if zeros follow
    /// the point first.
    before_point: i64,
}

impl<'a> Digits<'a> {
    #[allow(clippy::cast_possible_wrap)] // no text is that long
    fn of(text: &'a str) -> Self {
        let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, ""));
        let (_, fraction) = number.split_once('.').unwrap_or((number, ""));
        // An exponent that does not parse belongs to zeros, or has made the number zero or infinite.
        let exponent: i64 = exponent.parse().unwrap_or_default();
        let text = number.trim_start_matches(['+', '-', '0', '.']);
        let count = digits(text).count();
        Self {
            text: text.trim_end_matches(['0', '.']),
            before_point: exponent.saturating_add(count as i64 - fraction.len() as i64),
        }
    }
}

/// The digits of a decimal number.
fn digits(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(u8::is_ascii_digit)
}

/// Compares the magnitude of the decimal number in `text` with a number; the result is exact if that is a number of a
/// format or a midpoint between two.
fn compare(text: &str, number: f64) -> Ordering {
    // No midpoint has more decimal places than 2^-137, the least one of `tf32`.
    let exact = format!("{number:.140}");
    let (a, b) = (Digits::of(text), Digits::of(&exact));
    a.before_point.cmp(&b.before_point).then_with(|| digits(a.text).cmp(digits(b.text)))
}
