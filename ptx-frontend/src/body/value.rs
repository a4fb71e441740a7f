//! The number that an instruction writes, as its operands say it.

use proc_macro2::Delimiter;
use ptx_types::rules::Comparison;
use ptx_types::rules::instruction::spaces;
use ptx_types::{ScalarType, Space, special};

use super::Name;
use super::memory::Amount;
use super::operand::join;
use super::step::{collect_written, split};
use super::token::Token;

/// A number in a register or an operand.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// That of an operand.
    Operand(Operand),
    /// The address of an element of an array, by its index.
    Element(Name, Box<Value>),
    /// The value of a parameter, loaded in as many bytes.
    Param(Name, Amount, usize),
    /// A sum, in as many bits.
    Add(Box<[Value; 2]>, u32),
    /// A difference.
    Subtract(Box<[Value; 2]>, u32),
    /// A product, in as many bits.
    Multiply(Box<[Value; 2]>, u32),
    /// Shifted to the left, in as many bits.
    ShiftLeft(Box<[Value; 2]>, u32),
    /// Shifted to the right, in as many bits, signed or not.
    ShiftRight(Box<[Value; 2]>, u32, bool),
    /// Bit by bit, in as many bits.
    And(Box<[Value; 2]>, u32),
    /// Bit by bit, in as many bits.
    Or(Box<[Value; 2]>, u32),
    /// Bit by bit, in as many bits.
    ExclusiveOr(Box<[Value; 2]>, u32),
    /// One of both.
    Either(Box<[Value; 2]>),
    /// The first where a predicate holds, else the second.
    Select(Box<[Value; 2]>, Box<Value>),
    /// Whether two numbers of so many bits, signed or not, compare so.
    Compare(Box<[Value; 2]>, Comparison, u32, bool),
    /// Zero for what is not, one for zero.
    Not(Box<Value>),
    /// Two halves of 32 bits, the lower first.
    Halves(Box<[Value; 2]>),
    /// A generic address of one in a state space.
    ToGeneric(Space, Box<Value>),
    /// An address in a state space of a generic one.
    FromGeneric(Space, Box<Value>),
    /// The same number of fewer bits.
    Narrow(Box<Value>, u32),
    /// The same number of more bits than these, signed or not.
    Extend(Box<Value>, u32, bool),
    /// The same address in another block.
    Remote(Box<Value>),
    /// Made of these in ways that are not followed.
    Made(Vec<Value>),
}

/// An operand without brackets.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    /// A name.
    Name(Name),
    /// A number.
    Amount(Amount),
    /// An element of a special register: `%tid.x`.
    Special(String),
}

impl Value {
    /// Calls `note` with every name in it.
    pub(super) fn each_name<'v>(&'v self, note: &mut impl FnMut(&'v Name)) {
        match self {
            Self::Operand(Operand::Name(name)) | Self::Param(name, ..) => note(name),
            Self::Operand(Operand::Amount(_) | Operand::Special(_)) => {}
            Self::Element(name, index) => {
                note(name);
                index.each_name(note);
            }
            Self::Add(two, _)
            | Self::Subtract(two, _)
            | Self::Multiply(two, _)
            | Self::ShiftLeft(two, _)
            | Self::ShiftRight(two, ..)
            | Self::And(two, _)
            | Self::Or(two, _)
            | Self::ExclusiveOr(two, _)
            | Self::Either(two)
            | Self::Compare(two, ..)
            | Self::Halves(two) => two.iter().for_each(|value| value.each_name(note)),
            Self::ToGeneric(_, one)
            | Self::FromGeneric(_, one)
            | Self::Narrow(one, _)
            | Self::Extend(one, ..)
            | Self::Not(one)
            | Self::Remote(one) => one.each_name(note),
            Self::Select(two, third) => {
                two.iter().for_each(|value| value.each_name(note));
                third.each_name(note);
            }
            Self::Made(values) => values.iter().for_each(|value| value.each_name(note)),
        }
    }
}

pub(super) fn made(operands: &[&[Token]]) -> Value {
    let mut names = Vec::new();
    for operand in operands {
        collect_written(operand, &mut names);
    }
    Value::Made(names.into_iter().map(|name| Value::Operand(Operand::Name(name))).collect())
}

/// An operand that is a name or a number, or one more than the other.
pub(super) fn operand(tokens: &[Token]) -> Value {
    let amount = |tokens| Value::Operand(Operand::Amount(Amount::of(tokens)));
    if let [not, rest @ ..] = tokens
        && not.is_punct('!')
    {
        return Value::Not(Box::new(operand(rest)));
    }
    let Some((name, after)) = join(tokens) else { return amount(tokens) };
    let named = Value::Operand(Operand::Name(name));
    match after {
        [] => named,
        [plus, rest @ ..] if plus.is_punct('+') => Value::Add(Box::new([named, amount(rest)]), 64),
        [minus, ..] if minus.is_punct('-') => Value::Add(Box::new([named, amount(after)]), 64),
        [Token::Group(Delimiter::Bracket, inner, ..)] => match named {
            Value::Operand(Operand::Name(name)) => Value::Element(name, Box::new(operand(inner))),
            _ => unknown(),
        },
        // `%tid.x`
        [dot, Token::Word(element, _)] if dot.is_punct('.') => match named {
            Value::Operand(Operand::Name(name)) if special::is_special(&name.text) => {
                Value::Operand(Operand::Special(format!("{}.{element}", name.text)))
            }
            _ => unknown(),
        },
        [..] => unknown(),
    }
}

/// A number that nothing tells.
pub(super) fn unknown() -> Value {
    Value::Operand(Operand::Amount(Amount::Unknown))
}

/// The value of an instruction with one result.
pub(super) fn value(opcode: &str, modifiers: &[(&str, &str)], operands: &[&[Token]]) -> Value {
    let has = |word: &str| modifiers.contains(&(".", word));
    let types = || {
        modifiers
            .iter()
            .filter(|(dot, _)| *dot == ".")
            .filter_map(|(_, word)| ScalarType::from_name(word).filter(|scalar| scalar.bytes() > 0))
    };
    // Several numbers in one register, and those that stop at the end of their range.
    let is_other = types().any(|ty| ty.is_float() || ty.name().contains('x')) || has("sat");
    let last = types().next_back();
    let is_predicate = modifiers.last() == Some(&(".", "pred"));
    let bits = || match last {
        _ if is_predicate => 1,
        Some(ty) => u32::try_from(ty.bytes() * 8).unwrap_or(64),
        None => 64,
    };
    let is_signed = last.is_some_and(ScalarType::is_signed);
    let two = || match operands {
        [one, other, ..] => Some(Box::new([operand(one), operand(other)])),
        [..] => None,
    };
    let product = || {
        let two = two()?;
        if !has("wide") {
            return Some(Value::Multiply(two, bits()));
        }
        let extend = |one| Value::Extend(Box::new(one), bits(), is_signed);
        Some(Value::Multiply(Box::new((*two).map(extend)), bits() * 2))
    };
    let followed = match (opcode, operands) {
        ("ld", [[Token::Group(Delimiter::Bracket, inner, ..)], ..])
            if spaces(modifiers).next() == Some(Space::Param) =>
        {
            let bytes = types().next_back().map_or(0, ScalarType::bytes);
            join(inner).map(|(name, added)| Value::Param(name, Amount::added(added), bytes))
        }
        ("mov", [[Token::Group(Delimiter::Brace, inner, ..)]]) => match split(inner)[..] {
            [low, high] if bits() == 64 => {
                Some(Value::Halves(Box::new([operand(low), operand(high)])))
            }
            [..] => None,
        },
        (_, _) if is_other => None,
        ("mov", [one]) => Some(match bits() {
            1 | 64.. => operand(one),
            bits => Value::Narrow(Box::new(operand(one)), bits),
        }),
        ("cvt", [one]) => match types().collect::<Vec<_>>()[..] {
            [to, from] => {
                let bits = |ty: ScalarType| u32::try_from(ty.bytes() * 8).unwrap_or(64);
                let one = Box::new(operand(one));
                Some(if to.bytes() > from.bytes() {
                    Value::Extend(one, bits(from), from.is_signed())
                } else if to.bytes() < 4 {
                    // The register may be wider, and is filled.
                    let narrowed = Box::new(Value::Narrow(one, bits(to)));
                    Value::Extend(narrowed, bits(to), to.is_signed())
                } else {
                    Value::Narrow(one, bits(to))
                })
            }
            [..] => None,
        },
        ("cvta", [one]) => spaces(modifiers).next().map(|space| {
            let one = Box::new(operand(one));
            if has("to") { Value::FromGeneric(space, one) } else { Value::ToGeneric(space, one) }
        }),
        ("mapa", [one, _]) => Some(Value::Remote(Box::new(operand(one)))),
        ("add", _) => two().map(|two| Value::Add(two, bits())),
        ("sub", _) => two().map(|two| Value::Subtract(two, bits())),
        ("mul", _) if has("lo") || has("wide") => product(),
        ("mad", [_, _, third]) if has("lo") || has("wide") => {
            let bits = if has("wide") { bits() * 2 } else { bits() };
            product().map(|product| Value::Add(Box::new([product, operand(third)]), bits))
        }
        ("rem", [one, by]) if !is_signed => match Amount::of(by).known() {
            Some(by) if by > 0 && by & (by - 1) == 0 => {
                let mask = Value::Operand(Operand::Amount(Amount::Known(by - 1)));
                Some(Value::And(Box::new([operand(one), mask]), bits()))
            }
            Some(_) | None => None,
        },
        ("shl", _) => two().map(|two| Value::ShiftLeft(two, bits())),
        ("shr", _) => two().map(|two| Value::ShiftRight(two, bits(), is_signed)),
        ("and", _) => two().map(|two| Value::And(two, bits())),
        ("or", _) => two().map(|two| Value::Or(two, bits())),
        ("xor", _) => two().map(|two| Value::ExclusiveOr(two, bits())),
        ("not", [one]) if is_predicate => Some(Value::Not(Box::new(operand(one)))),
        ("selp", [_, _, third]) => two().map(|two| Value::Select(two, Box::new(operand(third)))),
        ("setp", [_, _, rest @ ..]) => {
            two().and_then(|two| comparison(modifiers, two, bits(), is_signed, rest))
        }
        ("min" | "max", _) => two().map(Value::Either),
        (_, _) => None,
    };
    followed.unwrap_or_else(|| made(operands))
}

/// The predicate that `setp` writes: `.lt`, and perhaps `.and` with another.
fn comparison(
    modifiers: &[(&str, &str)],
    two: Box<[Value; 2]>,
    bits: u32,
    is_signed: bool,
    rest: &[&[Token]],
) -> Option<Value> {
    let (comparison, is_unsigned) = Comparison::from_modifier(modifiers.first()?.1)?;
    let compared = Value::Compare(two, comparison, bits, is_signed && !is_unsigned);
    let [third] = rest else { return rest.is_empty().then_some(compared) };
    let both = Box::new([compared, operand(third)]);
    match modifiers.get(1)?.1 {
        "and" => Some(Value::And(both, 1)),
        "or" => Some(Value::Or(both, 1)),
        "xor" => Some(Value::ExclusiveOr(both, 1)),
        _ => None,
    }
}
