//! What an instruction does to registers, to memory and to the flow of control.

use proc_macro2::Delimiter;
use ptx_types::Space;
use ptx_types::rules::TensorMode;
use ptx_types::rules::instruction::{Instruction, spaces};

use super::Name;
use super::memory::{self, Amount, MemoryOperand};
use super::operand::{join, split_modifiers};
use super::token::Token;
use super::value::{Value, made, operand, unknown, value};

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
pub(super) fn collect_written(tokens: &[Token], names: &mut Vec<Name>) {
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
    let mode = memory::tensor(modifiers).map(|(_, mode)| mode);
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
