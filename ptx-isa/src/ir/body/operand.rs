//! Operands (PTX ISA 6).

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::group::{MOST_DEPTH, group, split};
use super::integer::{Amount, amount, is_float_expression};
use super::modifier::{Modifier, modifiers};
use super::token::{Token, TokenKind, TokenRange};

/// An operand: the tokens between two commas.
#[derive(Clone, PartialEq, Debug)]
pub struct Operand<'a> {
    /// The kind.
    pub kind: OperandKind<'a>,
    /// The modifiers after it: `[X].unified`.
    pub modifiers: Vec<Modifier<'a>>,
    /// Its place; `None` if there is nothing between two commas.
    pub at: Option<TokenRange>,
}

/// The kind of an operand. What a name refers to depends on the scopes of the body.
#[derive(Clone, PartialEq, Debug)]
pub enum OperandKind<'a> {
    /// A register, storage, a parameter, a function, a label or a special register, and perhaps an
    /// element of it: `%r1`, `ROW`, `%tid.x`; `_`.
    Name(Name<'a>),
    /// A name with a number of bytes added, `ROW+32` or `%rd1-8`, and the place of that number.
    Offset(Name<'a>, Amount, Option<TokenRange>),
    /// An element of an array: `ROW[3]`.
    Element(Name<'a>, Box<Operand<'a>>),
    /// A number.
    Immediate(Immediate),
    /// The negation of a predicate: `!%p1`.
    Not(Box<Operand<'a>>),
    /// Two predicates, the second of which is the negation of the first: `%p1|%p2`.
    Pair(Name<'a>, Name<'a>),
    /// An address in brackets, with everything else in them: `[MAP, {%r1, %r2}]`.
    Address(Vec<Operand<'a>>),
    /// A vector in braces.
    Vector(Vec<Operand<'a>>),
    /// Arguments in parentheses.
    Arguments(Vec<Operand<'a>>),
    /// Something else, with the names in it that are outside brackets.
    Other(Vec<Name<'a>>),
}

/// A name in an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name<'a> {
    /// The name.
    pub text: &'a str,
    /// The element of it that is used, without the dot: `x` of `%tid.x`; empty for the whole.
    pub element: &'a str,
    /// The index of its token; its element, if any, is the next one.
    pub token: usize,
}

impl<'a> Name<'a> {
    pub(super) fn of(token: &Token<'a>) -> Self {
        Self { text: token.text, element: "", token: token.index }
    }

    /// Its place, without the element.
    pub const fn at(&self) -> TokenRange {
        TokenRange::one(self.token)
    }

    /// Its place, with the element.
    pub const fn whole_at(&self) -> TokenRange {
        TokenRange { first: self.token, last: self.token + !self.element.is_empty() as usize }
    }
}

/// A number among the operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Immediate {
    /// An integer literal.
    Integer(i128),
    /// A floating-point literal or expression, of this many bytes: 4 for `0f3F800000`, 8 for any other.
    Float(usize),
    /// A Rust constant of the body, by its number.
    Constant(usize, Amount),
    /// Numbers and operators between them, whose result is an integer.
    Expression(Amount),
}

impl<'a> Operand<'a> {
    /// Reads the tokens of an operand.
    pub(super) fn of(tokens: &[Token<'a>], constants: &[Option<i128>]) -> Self {
        Self::at_depth(tokens, constants, 0)
    }

    /// Reads the tokens of an operand that is nested in this many others.
    fn at_depth(tokens: &[Token<'a>], constants: &[Option<i128>], depth: usize) -> Self {
        let at = TokenRange::over(tokens);
        let (kind, rest) = if depth < MOST_DEPTH {
            kind(tokens, constants, depth)
        } else {
            (OperandKind::Other(names(tokens)), &[][..])
        };
        Self { kind, modifiers: modifiers(rest).0, at }
    }

    /// Its value, if it is a number.
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

    /// The name that it starts with, if any.
    pub fn name(&self) -> Option<Name<'a>> {
        match &self.kind {
            OperandKind::Name(name)
            | OperandKind::Offset(name, ..)
            | OperandKind::Element(name, _)
            | OperandKind::Pair(name, _) => Some(*name),
            _ => None,
        }
    }

    /// Calls `note` with every name in it that is outside brackets.
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

fn kind<'t, 'a>(
    tokens: &'t [Token<'a>],
    constants: &[Option<i128>],
    depth: usize,
) -> (OperandKind<'a>, &'t [Token<'a>]) {
    let inside = |tokens: &[Token<'a>]| Operand::at_depth(tokens, constants, depth + 1);
    let each = |tokens: &'t [Token<'a>]| -> Vec<Operand<'a>> {
        split(tokens).into_iter().map(inside).collect()
    };
    if let [first, ..] = tokens
        && first.kind == TokenKind::Open
    {
        let (inner, rest) = group(tokens);
        match first.text {
            "[" => return (OperandKind::Address(each(inner)), rest),
            // A texture fetch with a predicate, `{%a, %b, %c, %d}|%p`, is read as names below.
            "{" if rest.first().is_some_and(|token| token.is_sign("|")) => {}
            "{" => return (OperandKind::Vector(each(inner)), rest),
            _ if modifiers(rest).1.is_empty() => {
                return (OperandKind::Arguments(each(inner)), rest);
            }
            _ => {}
        }
    }
    if let [not, rest @ ..] = tokens
        && not.is_sign("!")
        && amount(tokens, constants).known().is_none()
    {
        return (OperandKind::Not(Box::new(inside(rest))), &[]);
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
                let (inner, remaining) = group(rest);
                let index = Box::new(inside(inner));
                return (OperandKind::Element(name, index), remaining);
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
    let immediate = match (literal.map(|token| (token.kind, token)), amount) {
        (Some((TokenKind::Constant, token)), amount) => Immediate::Constant(token.constant, amount),
        (Some((TokenKind::Number, token)), _) if is_float(token.text) => {
            Immediate::Float(if is_single(token.text) { 4 } else { 8 })
        }
        (Some((TokenKind::Number, _)), Amount::Known(value)) => Immediate::Integer(value),
        (_, Amount::Known(_)) => Immediate::Expression(amount),
        (None, Amount::Unknown) if is_float_expression(tokens, constants) => Immediate::Float(8),
        (_, _) => return (OperandKind::Other(names(tokens)), &[]),
    };
    (OperandKind::Immediate(immediate), &[])
}

/// The name that some tokens start with, and the tokens after it. `WARP_SZ` is a number.
fn name<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<(Name<'a>, &'t [Token<'a>])> {
    match tokens {
        [name, ..] if name.kind == TokenKind::Name && name.text == "WARP_SZ" => None,
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

/// The names that are outside brackets.
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

/// Whether a number is a floating-point literal (PTX ISA 4.5.2).
fn is_float(text: &str) -> bool {
    let starts = |prefix: [&str; 2]| prefix.iter().any(|prefix| text.starts_with(prefix));
    text.contains('.')
        || is_single(text)
        || starts(["0d", "0D"])
        || !starts(["0x", "0X"]) && text.contains(['e', 'E'])
}

/// Whether a literal has the bits of a number in single precision.
fn is_single(text: &str) -> bool {
    text.starts_with("0f") || text.starts_with("0F")
}
