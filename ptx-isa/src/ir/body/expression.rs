//! Constant expressions (PTX ISA 4.5.4 to 4.5.6), evaluated as ptxas does.

use alloc::vec::Vec;

use super::number::{Number, Operator, Refusal};

/// The maximum nesting depth of parentheses.
const DEEPEST: usize = 128;

/// Part of a constant expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term<'a, T> {
    /// A number, as PTX writes it.
    Number(&'a str),
    /// An integer that was computed elsewhere.
    Integer(i128),
    /// A sign: an operator, or part of one.
    Sign(char),
    /// The contents of parentheses.
    Group(T),
    /// A type in parentheses, `.s64`.
    Cast(&'a str),
    /// Anything else, which makes the value unknown.
    Other,
}

/// The tokens of a constant expression, whichever lexer makes them.
pub trait Terms<'a>: Copy {
    /// The first term, and those after it; `None` after the last.
    fn split(self) -> Option<(Term<'a, Self>, Self)>;
}

/// The reason why a constant expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoValue<T> {
    /// A part of it is not known here.
    Unknown,
    /// ptxas refuses it because of the first of these terms.
    Refused(Refusal, T),
}

/// The value at the start of some terms, and the terms after it.
type Parsed<T> = Result<(Number, T), NoValue<T>>;

/// The value of a constant expression, which extends to the end of the terms.
///
/// # Errors
/// If a part of it is unknown, or ptxas refuses it.
pub fn evaluate<'a, T: Terms<'a>>(terms: T) -> Result<Number, NoValue<T>> {
    whole(terms, 0)
}

/// The value of an expression inside this many parentheses. `0f3F800000` is one by itself alone.
fn whole<'a, T: Terms<'a>>(terms: T, depth: usize) -> Result<Number, NoValue<T>> {
    if let Some((Term::Number(text), rest)) = terms.split()
        && rest.split().is_none()
        && let Some(Ok(single @ Number::Single(_))) = Number::parse(text)
    {
        return Ok(single);
    }
    let (value, rest) = conditional(terms, depth)?;
    if rest.split().is_some() { Err(NoValue::Unknown) } else { Ok(value) }
}

/// A condition whose second value may not have been reached.
struct Condition<T> {
    is_true: bool,
    of_true: Option<Number>,
    /// Where its last value starts.
    start: T,
}

/// `1 ? 2 : 3`, of which all parts are evaluated.
fn conditional<'a, T: Terms<'a>>(terms: T, depth: usize) -> Parsed<T> {
    let integer =
        |value: Number, at: T| value.is_true().map_err(|refusal| NoValue::Refused(refusal, at));
    let mut open: Vec<Condition<T>> = Vec::new();
    let mut start = terms;
    loop {
        let (mut value, rest) = binary(start, 0, depth)?;
        let sign = rest.split();
        if let Some((Term::Sign('?'), after)) = sign {
            open.push(Condition { is_true: integer(value, start)?, of_true: None, start: after });
            start = after;
            continue;
        }
        while let Some(Condition { is_true, of_true: Some(of_true), start }) = open.last() {
            integer(value, *start)?;
            value = if *is_true { *of_true } else { value };
            open.pop();
        }
        match (open.last_mut(), sign) {
            (None, _) => return Ok((value, rest)),
            (Some(condition), Some((Term::Sign(':'), after))) => {
                integer(value, condition.start)?;
                (condition.of_true, condition.start) = (Some(value), after);
                start = after;
            }
            (Some(_), _) => return Err(NoValue::Unknown),
        }
    }
}

/// Binary operators of at least this precedence, from left to right.
fn binary<'a, T: Terms<'a>>(terms: T, least: u8, depth: usize) -> Parsed<T> {
    let (mut value, mut rest) = unary(terms, depth)?;
    while let Some((operator, precedence, after)) = operator(rest)
        && precedence >= least
    {
        let (other, remaining) = binary(after, precedence + 1, depth)?;
        value = value.binary(operator, other).map_err(|refusal| NoValue::Refused(refusal, rest))?;
        rest = remaining;
    }
    Ok((value, rest))
}

/// The binary operator at the start of some terms, its precedence, and the terms after it.
fn operator<'a, T: Terms<'a>>(terms: T) -> Option<(Operator, u8, T)> {
    let Some((Term::Sign(first), after)) = terms.split() else { return None };
    if let Some((Term::Sign(second), remaining)) = after.split() {
        let found = match (first, second) {
            ('<', '<') => Some((Operator::ShiftLeft, 7)),
            ('>', '>') => Some((Operator::ShiftRight, 7)),
            ('<', '=') => Some((Operator::LessOrEqual, 6)),
            ('>', '=') => Some((Operator::GreaterOrEqual, 6)),
            ('=', '=') => Some((Operator::Equal, 5)),
            ('!', '=') => Some((Operator::NotEqual, 5)),
            ('&', '&') => Some((Operator::BothTrue, 1)),
            ('|', '|') => Some((Operator::EitherTrue, 0)),
            (_, _) => None,
        };
        if let Some((operator, precedence)) = found {
            return Some((operator, precedence, remaining));
        }
    }
    let (operator, precedence) = match first {
        '*' => (Operator::Multiply, 9),
        '/' => (Operator::Divide, 9),
        '%' => (Operator::Remainder, 9),
        '+' => (Operator::Add, 8),
        '-' => (Operator::Subtract, 8),
        '<' => (Operator::Less, 6),
        '>' => (Operator::Greater, 6),
        '&' => (Operator::And, 4),
        '^' => (Operator::ExclusiveOr, 3),
        '|' => (Operator::Or, 2),
        _ => return None,
    };
    Some((operator, precedence, after))
}

/// A number or a group, and the signs and casts before it.
fn unary<'a, T: Terms<'a>>(terms: T, depth: usize) -> Parsed<T> {
    let mut prefixes = Vec::new();
    let mut start = terms;
    let (mut value, rest) = loop {
        let (term, rest) = start.split().ok_or(NoValue::Unknown)?;
        let refused = |refusal| NoValue::Refused(refusal, start);
        match term {
            Term::Sign('+' | '-' | '!' | '~') | Term::Cast(_) => {
                prefixes.push((term, start));
                start = rest;
            }
            Term::Number(text) => {
                let number = Number::parse(text).ok_or(NoValue::Unknown)?.map_err(refused)?;
                if matches!(number, Number::Single(_)) {
                    return Err(refused(Refusal::Single));
                }
                break (number, rest);
            }
            Term::Integer(value) => {
                break (Number::of_integer(value).ok_or(NoValue::Unknown)?, rest);
            }
            Term::Group(inner) if depth < DEEPEST => break (whole(inner, depth + 1)?, rest),
            Term::Group(_) | Term::Sign(_) | Term::Other => return Err(NoValue::Unknown),
        }
    };
    for (prefix, start) in prefixes.into_iter().rev() {
        let result = match prefix {
            Term::Sign('-') => Ok(value.negated()),
            Term::Sign('!') => value.is_zero(),
            Term::Sign('~') => value.complement(),
            Term::Cast(ty) => value.cast(ty),
            _ => Ok(value),
        };
        value = result.map_err(|refusal| NoValue::Refused(refusal, start))?;
    }
    Ok((value, rest))
}
