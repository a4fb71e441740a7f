//! Initial values, as far as they are made of literals.

use ptx_types::ir::body::integer;

use super::Literal;
use super::operand::is_fraction;
use super::token::{Constant, Delimiter, Token, join};
use super::writer::BodyWriter;

/// An initial value that was written.
pub(super) fn literal<P: Copy>(tokens: &[Token<'_, P>], writer: &BodyWriter<P>) -> Literal<P> {
    match tokens {
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
        [Token::Sign('-', _), rest @ ..] => match literal(rest, writer) {
            Literal::Int(value) => Literal::Int(-value),
            Literal::Float(value) => Literal::Float(-value),
            Literal::List(_)
            | Literal::Address { .. }
            | Literal::MaskedInt(..)
            | Literal::Constant(_)
            | Literal::Other => Literal::Other,
        },
        _ => address(tokens, writer).unwrap_or(Literal::Other),
    }
}

/// An address in an initial value: `x`, `generic(x)+8`, `0xff00(x)`.
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

/// A PTX floating-point number: decimal, or the bits behind `0f` or `0d` (PTX ISA 4.5.2).
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
