//! Initial values, as far as they consist of literals.

use ptx_types::ir::body::{Term, Terms, computed, integer};

use super::Literal;
use super::token::{Constant, Delimiter, Token, is_fraction, join, listed};
use super::writer::BodyWriter;

/// A literal number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Plain {
    /// An integer.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
}

impl Plain {
    /// Parses a number's text; a minus sign before it is given separately.
    pub(crate) fn of(is_negative: bool, text: &str) -> Option<Self> {
        if is_fraction(text) {
            let value: f64 = format!("0{text}").parse().ok()?;
            return Some(Self::Float(if is_negative { -value } else { value }));
        }
        match (integer(text), float(text)) {
            (Some(value), _) => Some(Self::Integer(if is_negative { -value } else { value })),
            (None, Some(value)) => Some(Self::Float(if is_negative { -value } else { value })),
            (None, None) => None,
        }
    }
}

/// The values of a list of numbers.
fn values<P>(list: &str) -> Literal<P> {
    let count = list.bytes().filter(|byte| *byte == b',').count() + 1;
    let (mut integers, mut floats) = (Vec::new(), Vec::new());
    for (is_negative, number) in listed(list) {
        match Plain::of(is_negative, number) {
            Some(Plain::Integer(value)) => {
                integers.reserve_exact(if integers.is_empty() { count } else { 0 });
                integers.push(value);
            }
            Some(Plain::Float(value)) => {
                floats.reserve_exact(if floats.is_empty() { count } else { 0 });
                floats.push(value);
            }
            None => return Literal::Other,
        }
    }
    match (integers.len(), floats.len()) {
        (_, 0) => Literal::Integers(integers),
        (0, _) => Literal::Floats(floats),
        _ => Literal::Other,
    }
}

/// The literal value of an initial value's tokens.
pub(super) fn literal<P: Copy>(tokens: &[Token<'_, P>], writer: &BodyWriter<P>) -> Literal<P> {
    match tokens {
        [Token::Group(Delimiter::Brace, [Token::Numbers(list, ..)], ..)] => values(list),
        [Token::Group(Delimiter::Brace, inner, open, _)] => {
            let mut values: Vec<&[Token<'_, P>]> =
                inner.split(|token| token.is_sign(',')).collect();
            if values.last().is_some_and(|last| last.is_empty()) {
                values.pop();
            }
            let value = |value: &[Token<'_, P>]| {
                (literal(value, writer), value.first().map_or(*open, Token::start))
            };
            Literal::List(values.into_iter().map(value).collect())
        }
        [Token::Constant(Constant::Expression(number), ..)] => {
            writer.number(*number).map_or(Literal::Other, Literal::Constant)
        }
        [Token::Constant(Constant::Integer(digits), ..)] => {
            digits.parse().map_or(Literal::Other, Literal::Int)
        }
        [Token::Number(text, _)] => match (integer(text), float(text)) {
            (Some(value), _) => Literal::Int(value),
            (None, Some(value)) => Literal::Float(value),
            (None, None) => Literal::Other,
        },
        [Token::Dotted(text, ..)] if is_fraction(text) => {
            format!("0{text}").parse().map_or(Literal::Other, Literal::Float)
        }
        [Token::Sign('-', _), ..] => {
            let number =
                tokens.iter().position(|token| !token.is_sign('-')).unwrap_or(tokens.len());
            let is_negative = number % 2 == 1;
            match (literal(&tokens[number..], writer), &tokens[number..]) {
                (Literal::Int(value), [_]) => {
                    Literal::Int(if is_negative { -value } else { value })
                }
                (Literal::Float(value), _) => {
                    Literal::Float(if is_negative { -value } else { value })
                }
                (_, _) => computed(Expression(tokens)).map_or(Literal::Other, Literal::Int),
            }
        }
        _ => match computed(Expression(tokens)) {
            Some(value) => Literal::Int(value),
            None => address(tokens, writer).unwrap_or(Literal::Other),
        },
    }
}

/// Tokens that may form a constant expression.
struct Expression<'s, 't, P>(&'s [Token<'t, P>]);

impl<P> Clone for Expression<'_, '_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Expression<'_, '_, P> {}

impl<P: Copy> Terms for Expression<'_, '_, P> {
    fn split(self) -> Option<(Term<Self>, Self)> {
        let (first, rest) = self.0.split_first()?;
        let term = match first {
            Token::Number(text, _) => integer(text).map_or(Term::Other, Term::Number),
            Token::Word("WARP_SZ", _) => Term::Number(32),
            Token::Sign(sign, _) => Term::Sign(*sign),
            Token::Group(Delimiter::Parenthesis, inner, ..) => Term::Group(Expression(inner)),
            _ => Term::Other,
        };
        Some((term, Expression(rest)))
    }
}

/// Recognises an address in an initial value: `x`, `generic(x)+8`, `0xff00(x)`.
fn address<P: Copy>(tokens: &[Token<'_, P>], writer: &BodyWriter<P>) -> Option<Literal<P>> {
    if let [Token::Number(mask, _), Token::Group(Delimiter::Parenthesis, inner, ..)] = tokens {
        let mask = u64::try_from(integer(mask)?).ok()?;
        return match literal(inner, writer) {
            Literal::Address { name, generic, addend, mask: None } => {
                Some(Literal::Address { name, generic, addend, mask: Some(mask) })
            }
            Literal::Int(value) => Some(Literal::MaskedInt(mask, value)),
            _ => None,
        };
    }
    let (name, rest) = join(tokens)?;
    let (generic, name, rest) = match rest {
        [Token::Group(Delimiter::Parenthesis, inner, ..), after @ ..] if name.text == "generic" => {
            let (name, []) = join(inner)? else { return None };
            (true, name, after)
        }
        rest => (false, name, rest),
    };
    let addend = match rest {
        [] => 0,
        [Token::Sign('+', _), rest @ ..] => match literal(rest, writer) {
            Literal::Int(value) => value,
            _ => return None,
        },
        _ => return None,
    };
    Some(Literal::Address { name: name.into_owned(), generic, addend, mask: None })
}

/// Parses a PTX floating-point number: decimal, or the bits after `0f` or `0d` (PTX ISA 4.5.2).
fn float(text: &str) -> Option<f64> {
    let hex = |prefix: [&str; 2]| text.strip_prefix(prefix[0]).or(text.strip_prefix(prefix[1]));
    if let Some(bits) = hex(["0f", "0F"]).filter(|bits| bits.len() == 8) {
        return u32::from_str_radix(bits, 16).ok().map(|bits| f32::from_bits(bits).into());
    }
    if let Some(bits) = hex(["0d", "0D"]).filter(|bits| bits.len() == 16) {
        return u64::from_str_radix(bits, 16).ok().map(f64::from_bits);
    }
    text.contains(['.', 'e', 'E']).then(|| text.parse().ok()).flatten()
}
