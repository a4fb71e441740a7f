//! Operands (PTX ISA 6).

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::modifier::{Modifier, modifiers};
use super::token::{Token, TokenKind, TokenRange};

/// An operand: what stands between two commas.
#[derive(Clone, PartialEq, Debug)]
pub struct Operand<'a> {
    /// What it is.
    pub kind: OperandKind<'a>,
    /// What stands behind it: `[X].unified`.
    pub modifiers: Vec<Modifier<'a>>,
    /// Where it stands; `None` of nothing between two commas.
    pub at: Option<TokenRange>,
}

/// What an operand is. What a name means, the scopes of the body say.
#[derive(Clone, PartialEq, Debug)]
pub enum OperandKind<'a> {
    /// A register, storage, a parameter, a function, a label or a special register, and perhaps an
    /// element of it: `%r1`, `ROW`, `%tid.x`; `_`.
    Name(Name<'a>),
    /// A name with a number of bytes added: `ROW+32`, `%rd1-8`, and where the number stands.
    Offset(Name<'a>, Amount, Option<TokenRange>),
    /// An element of an array: `ROW[3]`.
    Element(Name<'a>, Box<Operand<'a>>),
    /// A number.
    Immediate(Immediate),
    /// What a predicate is not: `!%p1`.
    Not(Box<Operand<'a>>),
    /// Two predicates, of which the second is what the first is not: `%p1|%p2`.
    Pair(Name<'a>, Name<'a>),
    /// An address in brackets, with what else stands there: `[MAP, {%r1, %r2}]`.
    Address(Vec<Operand<'a>>),
    /// A vector in braces.
    Vector(Vec<Operand<'a>>),
    /// Arguments in parentheses.
    Arguments(Vec<Operand<'a>>),
    /// Something else, with the names in it that stand outside brackets.
    Other(Vec<Name<'a>>),
}

/// A name in an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name<'a> {
    /// The name.
    pub text: &'a str,
    /// What is taken of it, without the dot: `x` of `%tid.x`; empty for all of it.
    pub element: &'a str,
    /// The token that it is; one with an element is followed by that.
    pub token: usize,
}

impl<'a> Name<'a> {
    pub(super) fn of(token: &Token<'a>) -> Self {
        Self { text: token.text, element: "", token: token.index }
    }

    /// Where it stands, without an element.
    pub const fn at(&self) -> TokenRange {
        TokenRange::one(self.token)
    }

    /// Where it stands with its element.
    pub const fn whole_at(&self) -> TokenRange {
        TokenRange { first: self.token, last: self.token + !self.element.is_empty() as usize }
    }
}

/// A number among the operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Immediate {
    /// A literal, an integer.
    Integer(i128),
    /// A literal, a floating-point number.
    Float,
    /// A Rust constant of the body, by its number.
    Constant(usize, Amount),
    /// Integers and operators between them.
    Expression(Amount),
}

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

impl<'a> Operand<'a> {
    /// Reads the tokens of an operand.
    pub(super) fn of(tokens: &[Token<'a>], constants: &[Option<i128>]) -> Self {
        let at = TokenRange::over(tokens);
        let (kind, rest) = kind(tokens, constants);
        Self { kind, modifiers: modifiers(rest).0, at }
    }

    /// The number that it is, if it is one.
    pub fn amount(&self) -> Amount {
        match &self.kind {
            OperandKind::Immediate(Immediate::Integer(value)) => Amount::Known(*value),
            OperandKind::Immediate(
                Immediate::Constant(_, amount) | Immediate::Expression(amount),
            ) => *amount,
            OperandKind::Arguments(inner) => match inner.as_slice() {
                [one] => one.amount(),
                _ => Amount::Unknown,
            },
            _ => Amount::Unknown,
        }
    }

    /// The name that it starts with, if it does.
    pub fn name(&self) -> Option<Name<'a>> {
        match &self.kind {
            OperandKind::Name(name)
            | OperandKind::Offset(name, ..)
            | OperandKind::Element(name, _)
            | OperandKind::Pair(name, _) => Some(*name),
            _ => None,
        }
    }

    /// Calls `note` with every name in it that stands outside brackets.
    pub fn each_name(&self, note: &mut impl FnMut(Name<'a>)) {
        match &self.kind {
            OperandKind::Name(name)
            | OperandKind::Offset(name, ..)
            | OperandKind::Element(name, _) => {
                note(*name);
            }
            OperandKind::Pair(one, other) => {
                note(*one);
                note(*other);
            }
            OperandKind::Not(inner) => inner.each_name(note),
            OperandKind::Vector(inner) | OperandKind::Arguments(inner) => {
                for operand in inner {
                    operand.each_name(note);
                }
            }
            OperandKind::Other(names) => names.iter().copied().for_each(note),
            OperandKind::Immediate(_) | OperandKind::Address(_) => {}
        }
    }
}

/// The tokens between the commas that stand in no group.
pub(super) fn split<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Comma if depth == 0 => {
                parts.push(&tokens[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    if start < tokens.len() || !parts.is_empty() {
        parts.push(&tokens[start..]);
    }
    parts
}

/// What is in the group that some tokens start with, and what follows.
fn group<'t, 'a>(tokens: &'t [Token<'a>]) -> (&'t [Token<'a>], &'t [Token<'a>]) {
    let mut depth = 0_usize;
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return (&tokens[1..i], &tokens[i + 1..]);
                }
            }
            _ => {}
        }
    }
    (tokens.get(1..).unwrap_or_default(), &[])
}

fn kind<'t, 'a>(
    tokens: &'t [Token<'a>],
    constants: &[Option<i128>],
) -> (OperandKind<'a>, &'t [Token<'a>]) {
    let each = |tokens: &'t [Token<'a>]| -> Vec<Operand<'a>> {
        split(tokens).into_iter().map(|tokens| Operand::of(tokens, constants)).collect()
    };
    if let [first, ..] = tokens
        && first.kind == TokenKind::Open
    {
        let (inner, rest) = group(tokens);
        match first.text {
            "[" => return (OperandKind::Address(each(inner)), rest),
            // A texture says beside it whether it was there: `{%a, %b, %c, %d}|%p`.
            "{" if rest.first().is_some_and(|token| token.is_sign("|")) => {
                return (OperandKind::Other(names(tokens)), &[]);
            }
            "{" => return (OperandKind::Vector(each(inner)), rest),
            _ if modifiers(rest).1.is_empty() => {
                return (OperandKind::Arguments(each(inner)), rest);
            }
            _ => {}
        }
    }
    if let [not, rest @ ..] = tokens
        && not.is_sign("!")
    {
        return (OperandKind::Not(Box::new(Operand::of(rest, constants))), &[]);
    }
    if let Some((name, rest)) = name(tokens) {
        let whole = &tokens[tokens.len() - rest.len()..];
        match whole {
            [] => return (OperandKind::Name(name), rest),
            [sign, ..] if sign.is_sign("+") || sign.is_sign("-") => {
                let added = if sign.is_sign("+") { &rest[1..] } else { rest };
                let at = TokenRange::over(&rest[1..]);
                return (OperandKind::Offset(name, amount(added, constants), at), &[]);
            }
            [open, ..] if open.opens("[") => {
                let (inner, behind) = group(rest);
                let index = Box::new(Operand::of(inner, constants));
                return (OperandKind::Element(name, index), behind);
            }
            [or, ..] if or.is_sign("|") => {
                if let Some((other, [])) = self::name(&rest[1..]) {
                    return (OperandKind::Pair(name, other), &[]);
                }
            }
            [..] => {}
        }
    }
    let literal = match tokens {
        [minus, number] if minus.is_sign("-") => Some(number),
        [number] => Some(number),
        _ => None,
    };
    let amount = amount(tokens, constants);
    let immediate = match (literal.map(|token| (token.kind, token.text)), amount) {
        (Some((TokenKind::Constant, _)), amount) => {
            Immediate::Constant(literal.map_or(0, |token| token.constant), amount)
        }
        (Some((TokenKind::Number, text)), _) if is_float(text) => Immediate::Float,
        (Some((TokenKind::Number, _)), Amount::Known(value)) => Immediate::Integer(value),
        (_, Amount::Known(_)) => Immediate::Expression(amount),
        (_, _) => return (OperandKind::Other(names(tokens)), &[]),
    };
    (OperandKind::Immediate(immediate), &[])
}

/// The name that some tokens start with, and what follows.
fn name<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<(Name<'a>, &'t [Token<'a>])> {
    match tokens {
        [name, element, rest @ ..]
            if name.kind == TokenKind::Name && element.kind == TokenKind::Element =>
        {
            let element = element.text.trim_start_matches('.');
            Some((Name { element, ..Name::of(name) }, rest))
        }
        [name, rest @ ..] if name.kind == TokenKind::Name => Some((Name::of(name), rest)),
        _ => None,
    }
}

/// The names that stand outside brackets.
fn names<'a>(tokens: &[Token<'a>]) -> Vec<Name<'a>> {
    let (mut found, mut depth) = (Vec::new(), 0_usize);
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open if token.text == "[" || depth > 0 => depth += 1,
            TokenKind::Close if depth > 0 => depth -= 1,
            TokenKind::Name if depth == 0 => found.extend(name(&tokens[i..]).map(|(name, _)| name)),
            _ => {}
        }
    }
    found
}

/// Whether a number is a floating-point one (PTX ISA 4.5.2).
fn is_float(text: &str) -> bool {
    let starts = |prefix: [&str; 2]| prefix.iter().any(|prefix| text.starts_with(prefix));
    text.contains('.')
        || starts(["0f", "0F"])
        || starts(["0d", "0D"])
        || !text.starts_with("0x") && text.contains(['e', 'E'])
}

/// The number that some tokens are.
fn amount(tokens: &[Token<'_>], constants: &[Option<i128>]) -> Amount {
    match (sum(tokens, constants), tokens) {
        (Some((value, [])), _) => Amount::Known(value),
        (_, [one]) if one.kind == TokenKind::Constant => Amount::Constant(one.constant),
        (_, _) => Amount::Unknown,
    }
}

/// A number, and the tokens behind it.
type Read<'t, 'a> = Option<(i128, &'t [Token<'a>])>;

/// The sum of known integers that tokens start with, and what follows: `2 * 128 + (4 - 8)`.
fn sum<'t, 'a>(tokens: &'t [Token<'a>], constants: &[Option<i128>]) -> Read<'t, 'a> {
    let (mut value, mut rest) = product(tokens, constants)?;
    while let [operator, after @ ..] = rest {
        let (other, behind);
        if operator.is_sign("+") {
            (other, behind) = product(after, constants)?;
            value = fits(value.checked_add(other)?)?;
        } else if operator.is_sign("-") {
            (other, behind) = product(after, constants)?;
            value = fits(value.checked_sub(other)?)?;
        } else {
            break;
        }
        rest = behind;
    }
    Some((value, rest))
}

fn product<'t, 'a>(tokens: &'t [Token<'a>], constants: &[Option<i128>]) -> Read<'t, 'a> {
    let (mut value, mut rest) = factor(tokens, constants)?;
    while let [times, after @ ..] = rest
        && times.is_sign("*")
    {
        let (other, behind) = factor(after, constants)?;
        value = fits(value.checked_mul(other)?)?;
        rest = behind;
    }
    Some((value, rest))
}

fn factor<'t, 'a>(tokens: &'t [Token<'a>], constants: &[Option<i128>]) -> Read<'t, 'a> {
    let (first, rest) = tokens.split_first()?;
    match first.kind {
        TokenKind::Number => Some((integer(first.text)?, rest)),
        TokenKind::Constant => Some(((*constants.get(first.constant)?)?, rest)),
        TokenKind::Open if first.text == "(" => {
            let (inner, rest) = group(tokens);
            match sum(inner, constants)? {
                (value, []) => Some((value, rest)),
                (_, [..]) => None,
            }
        }
        TokenKind::Sign if first.text == "-" => {
            let (value, rest) = factor(rest, constants)?;
            Some((fits(value.checked_neg()?)?, rest))
        }
        TokenKind::Sign if first.text == "+" => factor(rest, constants),
        _ => None,
    }
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
