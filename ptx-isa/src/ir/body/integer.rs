//! Integers (PTX ISA 4.5).

use super::expression::{Term, Terms, evaluate};
use super::group::group;
use super::number::Number;
use super::token::{Token, TokenKind};

/// An integer in an operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Amount {
    /// A known value.
    Known(i128),
    /// The Rust constant of the body with this number, whose value is not known yet.
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

/// The value of some tokens. The result of an operator is signed, as offsets are.
pub(super) fn amount(tokens: &[Token<'_>], constants: &[Option<i128>]) -> Amount {
    let written = match tokens {
        [one] if one.kind == TokenKind::Number => integer(one.text),
        [one] if one.kind == TokenKind::Constant => constants.get(one.constant).copied().flatten(),
        _ => None,
    };
    let value = match written {
        Some(value) => Some(value),
        None => match evaluate(Operand { tokens, constants }) {
            Ok(Number::Signed(value)) => Some(value.into()),
            Ok(Number::Unsigned(value)) => Some(value.cast_signed().into()),
            Ok(Number::Double(_) | Number::Single(_)) | Err(_) => None,
        },
    };
    match (value, tokens) {
        (Some(value), _) => Amount::Known(value),
        (None, [one]) if one.kind == TokenKind::Constant => Amount::Constant(one.constant),
        (None, _) => Amount::Unknown,
    }
}

/// Whether some tokens are a constant expression whose value is a floating-point number.
pub(super) fn is_float_expression(tokens: &[Token<'_>], constants: &[Option<i128>]) -> bool {
    matches!(evaluate(Operand { tokens, constants }), Ok(Number::Double(_) | Number::Single(_)))
}

/// The tokens of an operand, and the values of the constants of its body.
#[derive(Clone, Copy)]
struct Operand<'t, 'a> {
    tokens: &'t [Token<'a>],
    constants: &'t [Option<i128>],
}

impl<'a> Terms<'a> for Operand<'_, 'a> {
    fn split(self) -> Option<(Term<'a, Self>, Self)> {
        let (first, rest) = self.tokens.split_first()?;
        let of = |tokens| Self { tokens, ..self };
        Some(match first.kind {
            TokenKind::Number => (Term::Number(first.text), of(rest)),
            TokenKind::Constant => {
                let value = self.constants.get(first.constant).copied().flatten();
                (value.map_or(Term::Other, Term::Integer), of(rest))
            }
            TokenKind::Name if first.text == "WARP_SZ" => (Term::Integer(32), of(rest)),
            TokenKind::Open if first.text == "(" => match group(self.tokens) {
                ([ty], rest) if ty.kind == TokenKind::Modifier => (Term::Cast(ty.text), of(rest)),
                (inner, rest) => (Term::Group(of(inner)), of(rest)),
            },
            TokenKind::Sign => {
                (first.text.chars().next().map_or(Term::Other, Term::Sign), of(rest))
            }
            _ => (Term::Other, of(rest)),
        })
    }
}

/// A PTX integer: decimal, `0x`, `0b` or octal, with an optional `U` (PTX ISA 4.5.1).
pub fn integer(text: &str) -> Option<i128> {
    let digits = text.trim_end_matches('U');
    if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        i128::from_str_radix(hex, 16).ok()
    } else if let Some(binary) = digits.strip_prefix("0b").or(digits.strip_prefix("0B")) {
        i128::from_str_radix(binary, 2).ok()
    } else if digits.starts_with('0') {
        i128::from_str_radix(digits, 8).ok()
    } else {
        digits.parse().ok()
    }
}
