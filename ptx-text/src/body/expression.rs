//! The values of constant expressions (PTX ISA 4.5.4), and what is wrong with one.

use std::fmt::Display;

use ptx_isa::ir::body::{self, NoValue, Refusal, Term, Terms, integer};

use super::token::{Constant, Delimiter, Faults, Language, Token, is_fraction};

/// Tokens that may form a constant expression.
struct Expression<'s, 't, P>(&'s [Token<'t, P>]);

impl<P> Clone for Expression<'_, '_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Expression<'_, '_, P> {}

impl<'s, 't: 's, P: Copy> Terms<'s> for Expression<'s, 't, P> {
    fn split(self) -> Option<(Term<'s, Self>, Self)> {
        let (first, rest) = self.0.split_first()?;
        let term = match first {
            Token::Number(text, _) => Term::Number(text),
            Token::Dotted(text, ..) if is_fraction(text) => Term::Number(text),
            Token::Constant(Constant::Integer(digits), ..) => Term::Number(digits),
            Token::Word("WARP_SZ", _) => Term::Integer(32),
            Token::Sign(sign, _) => Term::Sign(*sign),
            Token::Group(Delimiter::Parenthesis, [Token::Dotted(ty, ..)], ..)
                if !is_fraction(ty) =>
            {
                Term::Cast(ty)
            }
            Token::Group(Delimiter::Parenthesis, inner, ..) => Term::Group(Expression(inner)),
            Token::Group(..)
            | Token::Constant(..)
            | Token::Word(..)
            | Token::Dotted(..)
            | Token::Text(..)
            | Token::Colons(..)
            | Token::List(..)
            | Token::Inlined(..) => Term::Other,
        };
        Some((term, Expression(rest)))
    }
}

/// The value of a constant expression; `None` if a part of it is unknown, or ptxas refuses it.
pub(super) fn value<P: Copy>(tokens: &[Token<'_, P>]) -> Option<body::Number> {
    body::evaluate(Expression(tokens)).ok()
}

/// Reports a constant expression that ptxas refuses, and integers in it of which ptxas keeps only the low bits.
pub(super) fn check<P: Copy>(tokens: &[Token<'_, P>], faults: &mut Faults<P>) -> Option<()> {
    match body::evaluate(Expression(tokens)) {
        Ok(_) => {
            // A rule reports one that is an initial value by itself.
            if tokens.len() > 1 && faults.language() == Language::Ptx {
                report_wrapped(tokens, faults);
            }
            Some(())
        }
        Err(NoValue::Unknown) => Some(()),
        Err(NoValue::Refused(refusal, at)) => {
            let first = at.0.first()?;
            faults.at(first.start(), message(refusal, first));
            None
        }
    }
}

/// Whether this is a number, which may be too large.
pub(super) fn is_number(text: &str) -> bool {
    let tokens = [Token::Number(text, ())];
    !matches!(body::evaluate(Expression(&tokens)), Err(NoValue::Unknown))
}

/// The 64-bit number that ptxas uses for an integer, of which it keeps the low bits; `None` if ptxas refuses it.
pub(crate) fn wrapped(text: &str) -> Option<u64> {
    match value(&[Token::Number(text, ())])? {
        body::Number::Signed(value) => Some(value.cast_unsigned()),
        body::Number::Unsigned(value) => Some(value),
        body::Number::Double(_) | body::Number::Single(_) => None,
    }
}

/// The 64-bit number that ptxas uses for one that does not fit, which is reported; `None` if ptxas refuses it.
pub(crate) fn taken<P>(text: &str, at: P, faults: &mut Faults<P>) -> Option<u64> {
    let taken = wrapped(text)?;
    faults.accepted(at, format_args!("`{text}` does not fit in 64 bits, and ptxas keeps only the low bits, {taken}; write the intended number (PTX ISA 4.5.1)"));
    Some(taken)
}

/// A number of 32 bits, or the one that ptxas uses for a greater one, which is reported: it compares the lowest 64 bits
/// as a signed number with the limit, and uses the lowest 32. `None` if it refuses it.
pub(crate) fn taken_word<P>(
    number: i128,
    text: impl Display,
    at: P,
    faults: &mut Faults<P>,
) -> Option<u32> {
    if let Ok(number) = u32::try_from(number) {
        return Some(number);
    }
    let taken = number & i128::from(u32::MAX);
    let is_negative = number & 1 << 63 != 0;
    if !is_negative && number & i128::from(u64::MAX) != taken {
        return None;
    }
    faults.accepted(at, format_args!("`{text}` does not fit in 32 bits, and ptxas takes {taken} for it; write the intended number"));
    u32::try_from(taken).ok()
}

/// Reports the integers of which ptxas keeps only the low bits.
fn report_wrapped<P: Copy>(tokens: &[Token<'_, P>], faults: &mut Faults<P>) {
    for token in tokens {
        match token {
            Token::Number(text, at)
                if integer(text).is_some_and(|number| number > u64::MAX.into()) =>
            {
                taken(text, *at, faults);
            }
            Token::Group(_, inner, ..) => report_wrapped(inner, faults),
            _ => {}
        }
    }
}

/// Reports an expression that is not an integer, where only one may stand.
pub(super) fn require_integer<P: Copy>(
    tokens: &[Token<'_, P>],
    faults: &mut Faults<P>,
) -> Option<()> {
    match (value(tokens), tokens) {
        (Some(number), [first, ..]) if number.integer().is_none() => {
            faults.at(first.start(), message(Refusal::NotAnInteger, first));
            None
        }
        (_, _) => Some(()),
    }
}

/// What is wrong with an expression at this token, and what to write.
fn message<P>(refusal: Refusal, first: &Token<'_, P>) -> String {
    let text = match first {
        Token::Number(text, _) | Token::Dotted(text, ..) => text,
        Token::Constant(Constant::Integer(digits), ..) => digits.as_str(),
        _ => "",
    };
    match refusal {
        Refusal::Overflow if text.is_empty() => {
            "the quotient does not fit in 64 bits; write the intended number (PTX ISA 4.5.1)".into()
        }
        Refusal::Overflow => format!(
            "`{text}` does not fit in 64 bits; write the intended number (PTX ISA 4.5.1)"
        ),
        Refusal::Single => format!(
            "`{text}` has no sign or operator beside it; write a decimal number, or the bits of an `.f64` after `0d` (PTX ISA 4.5.2)"
        ),
        Refusal::Mixed => "one operand of this is an integer, and the other is a floating-point number; write `1.0` for 1 (PTX ISA 4.5.4)".into(),
        Refusal::NotAnInteger => "this is a floating-point number where only an integer may stand; write an integer (PTX ISA 4.5.4)".into(),
        Refusal::Zero => "this divides by zero; write another divisor".into(),
        Refusal::Cast => "a constant is cast to `.s64` or `.u64` alone; write one of them (PTX ISA 4.5.4)".into(),
    }
}
