//! Initial values, as far as they consist of literals.

use ptx_isa::ir::body::{Number, integer};
use ptx_isa::{Class, ScalarType};

use super::Literal;
use super::expression;
use super::token::{Constant, Delimiter, Token, join};
use super::writer::BodyWriter;

/// The value of an initial value's tokens for such scalars.
pub(super) fn literal<P: Copy>(
    tokens: &[Token<'_, P>],
    scalar: ScalarType,
    writer: &BodyWriter<P>,
) -> Literal<P> {
    match tokens {
        [Token::Group(Delimiter::Brace, [Token::List(list, ..)], ..)] => {
            Literal::Written(list.written())
        }
        [Token::Group(Delimiter::Brace, inner, open, _)] => {
            let mut values: Vec<&[Token<'_, P>]> =
                inner.split(|token| token.is_sign(',')).collect();
            if values.last().is_some_and(|last| last.is_empty()) {
                values.pop();
            }
            let value = |value: &[Token<'_, P>]| {
                (literal(value, scalar, writer), value.first().map_or(*open, Token::start))
            };
            Literal::List(values.into_iter().map(value).collect())
        }
        [Token::Constant(Constant::Expression(number), ..)] => {
            writer.number(*number).map_or(Literal::Other, Literal::Constant)
        }
        _ => number(tokens, scalar).or_else(|| address(tokens, writer)).unwrap_or(Literal::Other),
    }
}

/// The value of an element of a long list, in which there are no Rust constants.
pub(crate) fn element<P: Copy>(tokens: &[Token<'_, P>], scalar: ScalarType) -> Literal<P> {
    literal(tokens, scalar, &BodyWriter::sink())
}

/// A number or a constant expression as the value of a scalar.
fn number<P: Copy>(tokens: &[Token<'_, P>], scalar: ScalarType) -> Option<Literal<P>> {
    let prefix = tokens.iter().take_while(|token| token.is_sign('-')).count();
    let written = match &tokens[prefix..] {
        [Token::Number(text, _)] => integer(text),
        [Token::Constant(Constant::Integer(digits), ..)] => digits.parse().ok(),
        _ => None,
    };
    // A rule reports a number that does not fit, so all of it is kept.
    if let Some(value) = written {
        return Some(Literal::Int(if prefix % 2 == 1 { -value } else { value }));
    }
    Some(match expression::value(tokens)? {
        Number::Signed(value) => Literal::Int(value.into()),
        Number::Unsigned(value) => Literal::Int(of_unsigned(value, scalar)),
        Number::Double(value) => Literal::Float(of_double(value, scalar)),
        Number::Single(bits) => Literal::Float(of_single(bits, scalar)),
    })
}

/// The result of an operator as the value of a scalar: `~0` is -1, or the greatest unsigned number.
fn of_unsigned(value: u64, scalar: ScalarType) -> i128 {
    let is_small = scalar.bytes() < size_of::<u64>();
    let range = 1_i128 << (8 * scalar.bytes()).min(64);
    match (i128::from(value.cast_signed()), scalar.class()) {
        (value @ ..0, Class::Unsigned | Class::Bits) if is_small && value >= -range / 2 => {
            value + range
        }
        (value @ ..0, Class::Signed) if is_small => value,
        (_, _) => value.into(),
    }
}

/// An `.f64` as the value of a scalar. A NaN that becomes an `.f32` is quiet.
fn of_double(value: f64, scalar: ScalarType) -> f64 {
    const QUIET: u64 = 1 << 51;
    match scalar {
        ScalarType::F32 | ScalarType::B32 if value.is_nan() => {
            f64::from_bits(value.to_bits() | QUIET)
        }
        _ => value,
    }
}

/// The bits of an `.f32` as the value of a scalar: an `.f64` has them as its low bits.
fn of_single(bits: u32, scalar: ScalarType) -> f64 {
    match scalar {
        ScalarType::F32 | ScalarType::B32 => widened(bits),
        _ if scalar.class() == Class::Float && scalar != ScalarType::F64 => widened(bits),
        _ => f64::from_bits(bits.into()),
    }
}

/// An `.f32` as an `.f64`, in which a NaN keeps its bits.
fn widened(bits: u32) -> f64 {
    let value = f32::from_bits(bits);
    if !value.is_nan() {
        return value.into();
    }
    let sign = u64::from(bits >> 31) << 63;
    f64::from_bits(sign | 0x7FF << 52 | u64::from(bits & 0x7F_FFFF) << 29)
}

/// Recognises an address in an initial value: `x`, `generic(x)+8`, `0xff00(x)`.
fn address<P: Copy>(tokens: &[Token<'_, P>], writer: &BodyWriter<P>) -> Option<Literal<P>> {
    if let [Token::Number(mask, _), Token::Group(Delimiter::Parenthesis, inner, ..)] = tokens {
        let mask = expression::wrapped(mask)?;
        return match literal(inner, ScalarType::U64, writer) {
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
        // A Rust constant, which rustc knows, leaves the shape of the value as it is.
        [Token::Sign('+', _), rest @ ..] => {
            expression::value(rest).map_or(Some(0), |value| match value {
                Number::Signed(value) => Some(value.into()),
                Number::Unsigned(value) => Some(value.cast_signed().into()),
                Number::Double(_) | Number::Single(_) => None,
            })?
        }
        _ => return None,
    };
    Some(Literal::Address { name: name.into_owned(), generic, addend, mask: None })
}
