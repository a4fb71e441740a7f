//! Whole numbers (PTX ISA 4.5).

use super::group::{MOST_DEPTH, group};
use super::token::{Token, TokenKind};

/// A whole number in an operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Amount {
    /// This one.
    Known(i128),
    /// The Rust constant of the body with this number, of which nothing is known yet.
    Constant(usize),
    /// Something else, or nothing.
    Unknown,
}

impl Amount {
    /// The number, if it is known.
    pub const fn known(self) -> Option<i128> {
        match self {
            Self::Known(value) => Some(value),
            Self::Constant(_) | Self::Unknown => None,
        }
    }

    /// A number of bytes or elements.
    pub fn of_size(bytes: usize) -> Self {
        i128::try_from(bytes).map_or(Self::Unknown, Self::Known)
    }
}

/// The number that some tokens are.
pub(super) fn amount(tokens: &[Token<'_>], constants: &[Option<i128>]) -> Amount {
    match (sum(tokens, constants, 0), tokens) {
        (Some((value, [])), _) => Amount::Known(value),
        (_, [one]) if one.kind == TokenKind::Constant => Amount::Constant(one.constant),
        (_, _) => Amount::Unknown,
    }
}

/// A number, and the tokens behind it.
type Read<'t, 'a> = Option<(i128, &'t [Token<'a>])>;

/// The sum of known integers that tokens in so many parentheses start with, and what follows:
/// `2 * 128 + (4 - 8)`.
fn sum<'t, 'a>(tokens: &'t [Token<'a>], constants: &[Option<i128>], depth: usize) -> Read<'t, 'a> {
    let (mut value, mut rest) = product(tokens, constants, depth)?;
    while let [operator, after @ ..] = rest {
        let (other, behind);
        if operator.is_sign("+") {
            (other, behind) = product(after, constants, depth)?;
            value = fits(value.checked_add(other)?)?;
        } else if operator.is_sign("-") {
            (other, behind) = product(after, constants, depth)?;
            value = fits(value.checked_sub(other)?)?;
        } else {
            break;
        }
        rest = behind;
    }
    Some((value, rest))
}

fn product<'t, 'a>(
    tokens: &'t [Token<'a>],
    constants: &[Option<i128>],
    depth: usize,
) -> Read<'t, 'a> {
    let (mut value, mut rest) = factor(tokens, constants, depth)?;
    while let [times, after @ ..] = rest
        && times.is_sign("*")
    {
        let (other, behind) = factor(after, constants, depth)?;
        value = fits(value.checked_mul(other)?)?;
        rest = behind;
    }
    Some((value, rest))
}

fn factor<'t, 'a>(
    tokens: &'t [Token<'a>],
    constants: &[Option<i128>],
    depth: usize,
) -> Read<'t, 'a> {
    let is_sign = |token: &&Token<'_>| token.is_sign("-") || token.is_sign("+");
    let signs = tokens.iter().take_while(is_sign).count();
    let (signs, tokens) = tokens.split_at(signs);
    let (first, rest) = tokens.split_first()?;
    let (mut value, rest) = match first.kind {
        TokenKind::Number => (integer(first.text)?, rest),
        TokenKind::Constant => ((*constants.get(first.constant)?)?, rest),
        TokenKind::Open if first.text == "(" && depth < MOST_DEPTH => {
            let (inner, rest) = group(tokens);
            match sum(inner, constants, depth + 1)? {
                (value, []) => (value, rest),
                (_, [..]) => return None,
            }
        }
        _ => return None,
    };
    for _ in signs.iter().filter(|sign| sign.is_sign("-")) {
        value = fits(value.checked_neg()?)?;
    }
    Some((value, rest))
}

/// A number, if ptxas computes it without wrapping around.
fn fits(value: i128) -> Option<i128> {
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value).then_some(value)
}

/// A PTX integer: decimal, `0x`, `0b` or octal, with an optional `U` (PTX ISA 4.5.1).
pub fn integer(text: &str) -> Option<i128> {
    let digits = text.trim_end_matches('U');
    if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        i128::from_str_radix(hex, 16).ok()
    } else if let Some(binary) = digits.strip_prefix("0b").or(digits.strip_prefix("0B")) {
        i128::from_str_radix(binary, 2).ok()
    } else if digits.len() > 1 && digits.starts_with('0') {
        i128::from_str_radix(digits, 8).ok()
    } else {
        digits.parse().ok()
    }
}
