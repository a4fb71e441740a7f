//! Decimal numbers, rounded once.

use core::cmp::Ordering;
use core::fmt::{Error, Result as Written, Write};

use super::cvt::{Cvt, Exact};
use crate::float::format::Format;

pub use core::num::ParseFloatError;

/// The storage of the number in `text`, which is one as `f64` has them.
pub(super) fn parse(format: &Format, text: &str, cvt: Cvt) -> Result<u32, ParseFloatError> {
    let near: f64 = text.parse()?;
    let exact = match Exact::of_f64(near) {
        // What lies between two numbers of `f64` is rounded like any other there: the numbers of
        // the format, and the middles between them, are numbers of `f64`.
        Exact::Finite(is_negative, significand, exponent) => match compare(text, near.abs()) {
            Ordering::Equal => Exact::Finite(is_negative, significand, exponent),
            Ordering::Less => Exact::Finite(is_negative, 2 * significand - 1, exponent - 1),
            Ordering::Greater => Exact::Finite(is_negative, 2 * significand + 1, exponent - 1),
        },
        // A format without a NaN has nothing for it.
        Exact::Nan if format.nan.is_none() => return "no number".parse::<f64>().map(|_| 0),
        other => other,
    };
    // Infinity that is written is meant, where there is one.
    let is_infinity = matches!(exact, Exact::Infinity(_)) && text.contains(['i', 'I']);
    let satfinite = cvt.satfinite && !(is_infinity && format.infinity().is_some());
    Ok(format.encode(exact, Cvt { satfinite, ..cvt }))
}

/// The digits of a decimal number: where the first that is not zero stands, and all from there on.
struct Digits<'a> {
    text: &'a [u8],
    /// The power of ten of the first digit; without meaning if there is none.
    exponent: i64,
}

impl<'a> Digits<'a> {
    fn of(text: &'a str) -> Self {
        let text = text.trim_start_matches(['+', '-']).as_bytes();
        let end = text.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(text.len());
        let written = text.get(end + 1..).map_or(0, exponent);
        let text = &text[..end];
        let point = text.iter().position(|byte| *byte == b'.').unwrap_or(text.len());
        let first = text.iter().position(|byte| matches!(byte, b'1'..=b'9')).unwrap_or(text.len());
        let place = if first < point { point - first - 1 } else { first - point };
        #[allow(clippy::cast_possible_wrap)] // no text is that long
        let place = if first < point { place as i64 } else { -(place as i64) };
        Self { text: &text[first..], exponent: written.saturating_add(place) }
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        self.text.iter().copied().filter(u8::is_ascii_digit)
    }
}

fn exponent(text: &[u8]) -> i64 {
    let is_negative = text.first() == Some(&b'-');
    let digits = text.iter().filter(|byte| byte.is_ascii_digit());
    let magnitude = digits
        .fold(0_i64, |sum, digit| sum.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    if is_negative { -magnitude } else { magnitude }
}

/// How the magnitude of the decimal number in `text` compares with a number, exactly.
fn compare(text: &str, number: f64) -> Ordering {
    let mut exact = Buffer { bytes: [0; Buffer::SIZE], len: 0 };
    if write!(exact, "{number:.760e}").is_err() {
        return Ordering::Equal;
    }
    let (a, b) = (Digits::of(text), Digits::of(exact.as_str()));
    match (a.text.is_empty(), b.text.is_empty()) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Less,
        (false, true) => return Ordering::Greater,
        (false, false) => {}
    }
    if a.exponent != b.exponent {
        return a.exponent.cmp(&b.exponent);
    }
    let (mut a, mut b) = (a.digits(), b.digits());
    loop {
        match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (x, y) => match x.unwrap_or(b'0').cmp(&y.unwrap_or(b'0')) {
                Ordering::Equal => {}
                other => return other,
            },
        }
    }
}

/// Room for all digits of an `f64`.
struct Buffer {
    bytes: [u8; Self::SIZE],
    len: usize,
}

impl Buffer {
    const SIZE: usize = 800;

    fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

impl Write for Buffer {
    fn write_str(&mut self, text: &str) -> Written {
        let end = self.len + text.len();
        let room = self.bytes.get_mut(self.len..end).ok_or(Error)?;
        room.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}
