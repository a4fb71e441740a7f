//! What an instruction does to registers, to memory and to the flow of control.

use proc_macro2::Delimiter;
use ptx_types::rules::instruction::{Instruction, spaces};
use ptx_types::rules::{Comparison, TensorMode};
use ptx_types::{ScalarType, Space, special};

use super::Name;
use super::memory::{self, Amount, MemoryOperand};
use super::operand::{join, split_modifiers};
use super::token::Token;

/// An instruction, as far as it is followed.
#[derive(Debug)]
pub(crate) struct Step {
    /// The predicate that guards it, and whether it is negated.
    pub(crate) guard: Option<(Name, bool)>,
    /// The registers that it writes.
    pub(crate) writes: Vec<Name>,
    /// What it writes to the only one of them.
    pub(crate) value: Value,
    /// Where it goes in memory.
    pub(crate) memory: Vec<MemoryOperand>,
    /// What it does to barriers and matrices.
    pub(crate) effect: Effect,
    /// Where control goes.
    pub(crate) jump: Jump,
    /// Whether it calls a function.
    pub(crate) calls: bool,
}

/// Where control goes after an instruction.
#[derive(Debug)]
pub(crate) enum Jump {
    /// To the next one.
    On,
    /// To this label, or if guarded on.
    To(Name),
    /// To any label.
    Anywhere,
    /// Nowhere.
    Ends,
}

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

/// What an instruction does to barriers and matrices.
#[derive(Debug)]
pub(crate) enum Effect {
    /// Nothing.
    None,
    /// It arrives on the barrier of its first operand in brackets, or counts on it.
    Arrive,
    /// It makes that barrier, for so many arrivals; where the count stands.
    Init(Value, Name),
    /// It has that barrier expect so many bytes; where the count stands.
    Expect(Value, Name),
    /// It waits for that barrier.
    Wait,
    /// It completes transactions of its barrier by itself.
    Complete,
    /// It copies so many bytes, which complete on its barrier.
    Copy(Value),
    /// It copies a tile, which completes on its last operand in brackets, or on no barrier.
    CopyTile(TileCopy),
    /// It multiplies matrices in shared memory.
    Multiply(Vec<Matrix>),
}

/// A copy of a tile.
#[derive(Debug)]
pub(crate) struct TileCopy {
    /// Which operand in brackets is the tile, and which the map.
    pub(crate) operands: Option<(usize, usize)>,
    /// Whether a barrier is the last one.
    pub(crate) completes: bool,
    /// Whether it goes to several blocks.
    pub(crate) is_multicast: bool,
    /// The coordinate along the innermost dimension, and where it stands.
    pub(crate) first: Option<(Value, Name)>,
    /// The halo, if there is one.
    pub(crate) halo: Amount,
}

/// A matrix that an instruction reads through a descriptor.
#[derive(Debug)]
pub(crate) struct Matrix {
    /// The register with the descriptor.
    pub(crate) name: Name,
    /// Whether it is the transpose.
    pub(crate) is_transposed: bool,
    /// The type of its elements.
    pub(crate) element: Option<String>,
    /// Its rows, or columns of the other one.
    pub(crate) rows: usize,
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

/// The operands between commas.
pub(super) fn split(tokens: &[Token]) -> Vec<&[Token]> {
    tokens.split(|token| token.is_punct(',')).collect()
}

/// Reads the operands of an instruction, which follow its modifiers.
pub(super) fn read(
    opcode: &str,
    guard: Option<(Name, bool)>,
    modifiers: &[(&str, &str)],
    operands: &[&[Token]],
    memory: Vec<MemoryOperand>,
) -> Step {
    let jump = match opcode {
        "bra" => match operands.first().and_then(|tokens| join(tokens)) {
            Some((name, _)) => Jump::To(name),
            None => Jump::Anywhere,
        },
        "brx" => Jump::Anywhere,
        "ret" | "exit" | "trap" => Jump::Ends,
        _ => Jump::On,
    };
    let mut writes = Vec::new();
    if !matches!(jump, Jump::To(_) | Jump::Anywhere)
        && let Some(first) = operands.first()
    {
        collect_written(first, &mut writes);
    }
    // An element of a vector is not followed.
    let has_one = operands.first().is_some_and(|first| matches!(join(first), Some((_, []))));
    let value = match operands {
        [_, rest @ ..] if has_one => value(opcode, modifiers, rest),
        [_, rest @ ..] => made(rest),
        [] => Value::Made(Vec::new()),
    };
    let effect = effect(opcode, modifiers, operands);
    Step { guard, writes, value, memory, effect, jump, calls: opcode == "call" }
}

/// Notes every name outside brackets.
fn collect_written(tokens: &[Token], names: &mut Vec<Name>) {
    let mut rest = tokens;
    while !rest.is_empty() {
        if let Some((name, after)) = join(rest) {
            if name.text != "_" {
                names.push(name);
            }
            rest = split_modifiers(after).1;
            continue;
        }
        if let Token::Group(Delimiter::Brace | Delimiter::Parenthesis, inner, ..) = &rest[0] {
            collect_written(inner, names);
        }
        rest = &rest[1..];
    }
}

fn made(operands: &[&[Token]]) -> Value {
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
fn unknown() -> Value {
    Value::Operand(Operand::Amount(Amount::Unknown))
}

/// The value of an instruction with one result.
fn value(opcode: &str, modifiers: &[(&str, &str)], operands: &[&[Token]]) -> Value {
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

fn effect(opcode: &str, modifiers: &[(&str, &str)], operands: &[&[Token]]) -> Effect {
    let has = |word: &str| modifiers.iter().any(|(_, other)| *other == word);
    let starts = |words: &[&str]| {
        words.iter().enumerate().all(|(i, word)| modifiers.get(i) == Some(&(".", *word)))
    };
    match opcode {
        "mbarrier" => {
            let count =
                operands.last().and_then(|tokens| Some((operand(tokens), Name::over(tokens)?)));
            if has("expect_tx") {
                count.map_or(Effect::Arrive, |(value, place)| Effect::Expect(value, place))
            } else if has("init") {
                count.map_or(Effect::Arrive, |(value, place)| Effect::Init(value, place))
            } else if has("try_wait") || has("test_wait") {
                Effect::Wait
            } else if has("complete_tx") {
                Effect::Complete
            } else {
                Effect::Arrive
            }
        }
        "cp" if starts(&["async", "bulk", "tensor"])
            || starts(&["reduce", "async", "bulk", "tensor"])
            || starts(&["async", "bulk", "prefetch", "tensor"]) =>
        {
            Effect::CopyTile(tile_copy(modifiers, operands))
        }
        "cp" if has("complete_tx") => {
            // What comes from another block's shared memory may complete on a barrier there.
            let is_here = !spaces(modifiers).eq([Space::Shared, Space::Shared]);
            let is_known = is_here && !has("multicast");
            let bytes = operands.get(2).filter(|_| is_known);
            Effect::Copy(bytes.map_or_else(unknown, |tokens| operand(tokens)))
        }
        "cp" if has("mbarrier") && has("arrive") => Effect::Arrive,
        "tcgen05" if has("commit") => Effect::Arrive,
        _ if has("complete_tx") => Effect::Copy(unknown()),
        _ => match Instruction::find(opcode, modifiers) {
            // A sparse matrix is stored without its zeros, and another tile.
            Some(row) if opcode == "wgmma" && !row.descriptors.is_empty() && !has("sp") => {
                Effect::Multiply(matrices(row.descriptors, modifiers, operands))
            }
            Some(_) | None => Effect::None,
        },
    }
}

/// The coordinates of a tensor copy, in braces behind its map.
pub(super) fn coordinates<'t>(operands: &[&'t [Token]]) -> Option<&'t [Token]> {
    operands.iter().find_map(|operand| match operand {
        [Token::Group(Delimiter::Bracket, inner, ..)] => match split(inner)[..] {
            [_, group @ [Token::Group(Delimiter::Brace, ..)]] => Some(group),
            [..] => None,
        },
        _ => None,
    })
}

/// What the `im2col` modes add to the coordinates, in braces behind the brackets.
pub(super) fn offsets<'t>(operands: &[&'t [Token]]) -> Option<&'t [Token]> {
    let is_group = |operand: &&&[Token]| matches!(operand, [Token::Group(Delimiter::Brace, ..)]);
    operands.iter().rev().find(is_group).copied()
}

/// What is inside a group that stands alone.
pub(super) fn inside(tokens: &[Token]) -> &[Token] {
    match tokens {
        [Token::Group(_, inner, ..)] => inner,
        tokens => tokens,
    }
}

fn tile_copy(modifiers: &[(&str, &str)], operands: &[&[Token]]) -> TileCopy {
    let has = |word: &str| modifiers.iter().any(|(_, other)| *other == word);
    let is_load = spaces(modifiers).next() == Some(Space::Shared);
    let is_prefetch = has("prefetch");
    let first = coordinates(operands).and_then(|group| {
        let first = split(inside(group)).first().copied()?;
        Some((operand(first), Name::over(first)?))
    });
    let mode = memory::tensor(modifiers).map(|tensor| tensor.mode);
    let is_wide = matches!(mode, Some(TensorMode::Im2colW | TensorMode::Im2colW128));
    TileCopy {
        operands: match (is_prefetch, is_load) {
            (true, _) => None,
            (false, true) => Some((0, 1)),
            (false, false) => Some((1, 0)),
        },
        completes: has("complete_tx"),
        is_multicast: has("multicast"),
        first,
        halo: match offsets(operands) {
            Some(group) if is_wide => Amount::of(split(inside(group))[0]),
            Some(_) | None => Amount::Known(0),
        },
    }
}

/// The matrices of `wgmma.mma_async`: `{d}, a, b, scale-d, scale-a, scale-b, trans-a, trans-b`,
/// where `a` may be registers, which have no transpose.
fn matrices(
    descriptors: &[usize],
    modifiers: &[(&str, &str)],
    operands: &[&[Token]],
) -> Vec<Matrix> {
    let is_register = |n: &usize| operands.get(*n).is_some_and(|tokens| join(tokens).is_some());
    let found: Vec<usize> = descriptors.iter().copied().filter(is_register).collect();
    // Behind the scales stand the transposes, one for each matrix in memory.
    let flags = operands.iter().skip(6).map(|tokens| Amount::of(tokens).known());
    let flags = flags.chain(core::iter::repeat(None));
    // `.m64n256k16.f32.bf16.bf16`: the shape, and the types of the product and of both.
    let shape = modifiers.iter().position(|(_, word)| word.starts_with("m64n"));
    let word = |n: usize| shape.and_then(|shape| modifiers.get(shape + n)).map(|(_, word)| *word);
    let columns = word(0).and_then(|shape| shape.strip_prefix("m64n")?.split('k').next());
    let columns = columns.and_then(|columns| columns.parse().ok()).unwrap_or(0);
    let matrix = |(n, flag): (usize, Option<i128>)| {
        let (name, _) = join(operands[n])?;
        Some(Matrix {
            name,
            is_transposed: flag.is_some_and(|flag| flag != 0),
            element: word(n + 1).map(str::to_owned),
            rows: if n == 1 { 64 } else { columns },
        })
    };
    found.into_iter().zip(flags).filter_map(matrix).collect()
}
