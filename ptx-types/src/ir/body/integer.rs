//! Integers (PTX ISA 4.5).

use super::group::{MOST_DEPTH, group};
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

/// The value of some tokens.
pub(super) fn amount(tokens: &[Token<'_>], constants: &[Option<i128>]) -> Amount {
    match (computed(Operand { tokens, constants }), tokens) {
        (Some(value), _) => Amount::Known(value),
        (None, [one]) if one.kind == TokenKind::Constant => Amount::Constant(one.constant),
        (None, _) => Amount::Unknown,
    }
}

/// The tokens of an operand, and the values of the constants of its body.
#[derive(Clone, Copy)]
struct Operand<'t, 'a> {
    tokens: &'t [Token<'a>],
    constants: &'t [Option<i128>],
}

impl Terms for Operand<'_, '_> {
    fn split(self) -> Option<(Term<Self>, Self)> {
        let (first, rest) = self.tokens.split_first()?;
        let of = |tokens| Self { tokens, ..self };
        let number = |number: Option<i128>| number.map_or(Term::Other, Term::Number);
        Some(match first.kind {
            TokenKind::Number => (number(integer(first.text)), of(rest)),
            TokenKind::Constant => {
                (number(self.constants.get(first.constant).copied().flatten()), of(rest))
            }
            TokenKind::Open if first.text == "(" => {
                let (inner, rest) = group(self.tokens);
                (Term::Group(of(inner)), of(rest))
            }
            TokenKind::Sign => {
                (first.text.chars().next().map_or(Term::Other, Term::Sign), of(rest))
            }
            _ => (Term::Other, of(rest)),
        })
    }
}

/// Part of a constant expression (PTX ISA 4.5.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term<T> {
    /// A number.
    Number(i128),
    /// A sign: an operator, or an unknown one.
    Sign(char),
    /// The contents of parentheses.
    Group(T),
    /// Anything else, which makes the value unknown.
    Other,
}

/// The tokens of a constant expression, whichever lexer makes them.
pub trait Terms: Copy {
    /// The first term, and those after it; `None` after the last.
    fn split(self) -> Option<(Term<Self>, Self)>;
}

/// The value of a constant expression of integers, `2 * 128 + (4 - 8)`; `None` if it has other
/// operators, results of more than 64 bits, or parentheses nested too deeply.
pub fn computed<T: Terms>(terms: T) -> Option<i128> {
    let (value, rest) = sum(terms, 0)?;
    rest.split().is_none().then_some(value)
}

/// The sum at the start of terms inside this many parentheses, and the terms after it.
fn sum<T: Terms>(terms: T, depth: usize) -> Option<(i128, T)> {
    let (mut value, mut rest) = product(terms, depth)?;
    while let Some((Term::Sign(sign @ ('+' | '-')), after)) = rest.split() {
        let (other, behind) = product(after, depth)?;
        let result = if sign == '+' { value.checked_add(other) } else { value.checked_sub(other) };
        (value, rest) = (fits(result?)?, behind);
    }
    Some((value, rest))
}

fn product<T: Terms>(terms: T, depth: usize) -> Option<(i128, T)> {
    let (mut value, mut rest) = factor(terms, depth)?;
    while let Some((Term::Sign('*'), after)) = rest.split() {
        let (other, behind) = factor(after, depth)?;
        (value, rest) = (fits(value.checked_mul(other)?)?, behind);
    }
    Some((value, rest))
}

fn factor<T: Terms>(terms: T, depth: usize) -> Option<(i128, T)> {
    let (mut term, mut rest) = terms.split()?;
    let mut is_negative = false;
    while let Term::Sign(sign @ ('+' | '-')) = term {
        is_negative ^= sign == '-';
        (term, rest) = rest.split()?;
    }
    let value = match term {
        Term::Number(value) => value,
        Term::Group(inner) if depth < MOST_DEPTH => {
            let (value, behind) = sum(inner, depth + 1)?;
            if behind.split().is_some() {
                return None;
            }
            value
        }
        Term::Group(_) | Term::Sign(_) | Term::Other => return None,
    };
    Some((if is_negative { fits(value.checked_neg()?)? } else { value }, rest))
}

/// The number, if ptxas computes it without wrapping around.
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
    } else if digits.starts_with('0') {
        i128::from_str_radix(digits, 8).ok()
    } else {
        digits.parse().ok()
    }
}
