//! What instructions do with the names in them: the accesses and calls that rules are about.

use proc_macro2::{Delimiter, Span};
use ptx_types::rules::TensorMode;
use ptx_types::rules::access::{Access, Opcode, SubSpace};
use ptx_types::rules::form::{NO_SUB_WORDS, WITH_RESULT};
use ptx_types::rules::instruction::{INSTRUCTIONS, Needs, needs};
use ptx_types::special;

use super::operand::{Writer, element, join, spliced_integer, split_modifiers};
use super::step::split;
use super::token::Token;
use super::{Argument, ArgumentKind, Call, Event, FormEvent, Name};
use super::{memory, step};
use crate::near::{list, near};

/// Notes what an instruction goes to, or calls, and what it does. `operands` follow the modifiers.
pub(super) fn note(
    (opcode, span): (&str, Span),
    guard: Option<(Name, bool)>,
    modifiers: &[(&str, &str)],
    operands: &[Token],
    writer: &mut Writer,
) {
    let each = split(operands);
    note_uses((opcode, span), modifiers, (operands, &each), writer);
    let memory = memory::read(opcode, modifiers, &each);
    let step = step::read(opcode, guard, modifiers, &each, memory);
    writer.event(Event::Step(Box::new(step)));
}

fn note_uses(
    (opcode, span): (&str, Span),
    modifiers: &[(&str, &str)],
    (operands, each): (&[Token], &[&[Token]]),
    writer: &mut Writer,
) {
    let window = modifiers.windows(2).find_map(|pair| match pair {
        [(".", "param"), ("::", "entry")] => Some(SubSpace::Entry),
        [(".", "param"), ("::", "func")] => Some(SubSpace::Func),
        [(".", "shared"), ("::", "cta")] => Some(SubSpace::Cta),
        [(".", "shared"), ("::", "cluster")] => Some(SubSpace::Cluster),
        _ => None,
    });
    let here = || Name { text: opcode.to_owned(), start: span, end: span };
    let needed: Vec<(&'static str, Needs)> = needs(opcode, modifiers).collect();
    // Where the instruction needs as much, one error is enough.
    let needs_less = |window: &SubSpace| {
        let covers =
            |needs: &Needs| needs.since >= window.since() && needs.min_arch >= window.min_arch();
        !needed.iter().any(|(_, needs)| covers(needs))
    };
    if let Some(window) = window.filter(needs_less) {
        writer.event(Event::Form(FormEvent::SubSpace(window), here()));
    }
    if opcode == "cvta" && modifiers.contains(&(".", "const")) {
        writer.event(Event::Form(FormEvent::CvtaConst, here()));
    }
    if let Some((".", ty @ ("u8" | "s8" | "b8"))) = modifiers.last()
        && NO_SUB_WORDS.contains(&opcode)
    {
        writer.event(Event::Form(FormEvent::SubWord((*ty).to_owned()), here()));
    }
    if (NO_SUB_WORDS.contains(&opcode) || WITH_RESULT.contains(&opcode))
        && let Some((name, _)) = join(operands)
        && special::is_special(&name.text)
    {
        writer.event(Event::Form(FormEvent::Result, name));
    }
    if ["tex", "tld4", "txq"].contains(&opcode) {
        let mut textures = each.iter().filter_map(|operand| match operand {
            [Token::Group(Delimiter::Bracket, inner, ..)] => Some(join(inner)?.0),
            _ => None,
        });
        if let Some(name) = textures.next() {
            writer.event(Event::Form(FormEvent::Texture, name));
        }
    }
    let goes_to_memory =
        operands.iter().any(|token| matches!(token, Token::Group(Delimiter::Bracket, ..)));
    if !needed.is_empty() {
        writer.event(Event::Form(FormEvent::Needs(needed), here()));
    } else if goes_to_memory {
        let (text, near) = unknown(opcode, modifiers);
        let name = Name { text, start: span, end: span };
        writer.event(Event::Form(FormEvent::Unknown(near), name));
    }
    if opcode == "cp" {
        note_coordinates(modifiers, each, writer);
    }
    let opcode = match opcode {
        "call" => {
            if let Some(call) = call(operands, span) {
                writer.event(Event::Call(call));
            }
            return;
        }
        "ld" | "ldu" => Opcode::Load,
        "st" => Opcode::Store,
        "atom" | "red" | "prefetch" | "prefetchu" => Opcode::Other,
        "mov" | "cvta" => Opcode::Address,
        _ => return,
    };
    for (n, operand) in each.iter().copied().enumerate() {
        let (place, after) = match (opcode, operand) {
            (Opcode::Address, operand) if n == 1 => (operand, &[][..]),
            (
                Opcode::Load | Opcode::Store | Opcode::Other,
                [Token::Group(Delimiter::Bracket, inner, ..), after @ ..],
            ) => (inner.as_slice(), after),
            (Opcode::Load | Opcode::Store, operand) => match element(operand) {
                Some((_, _, after)) => (&operand[..operand.len() - after.len()], after),
                None => continue,
            },
            (_, _) => continue,
        };
        let Some((name, rest)) = join(place) else { continue };
        let unified = split_modifiers(after).0.contains(&(".", "unified"));
        let access = Access { opcode, window, unified, has_offset: !rest.is_empty() };
        writer.event(Event::Access(access, name));
    }
}

/// Notes how many numbers a tensor copy names its place by.
fn note_coordinates(modifiers: &[(&str, &str)], operands: &[&[Token]], writer: &mut Writer) {
    let Some((rank, mode)) = memory::tensor(modifiers) else { return };
    let rank = usize::try_from(rank).unwrap_or_default();
    let counted = |group: &[Token]| Some((split(step::inside(group)).len(), Name::over(group)?));
    let Some((given, place)) = step::coordinates(operands).and_then(counted) else { return };
    let offsets = step::offsets(operands).and_then(counted);
    // Stores in these modes have no offsets: `.im2col_no_offs`.
    let has_offsets = !modifiers.iter().any(|(_, word)| *word == "im2col_no_offs");
    let (wanted, wanted_offsets) = match mode {
        TensorMode::Tile => (rank, 0),
        TensorMode::Gather4 | TensorMode::Scatter4 => (5, 0),
        TensorMode::Im2col => (rank, rank.saturating_sub(2)),
        TensorMode::Im2colW | TensorMode::Im2colW128 => (rank, 2),
    };
    let says = match mode {
        TensorMode::Tile => format!(".{rank}d"),
        _ => format!(".{rank}d.{}", mode.name()),
    };
    let mut note = |what, wanted, given, place| {
        let form = FormEvent::Coordinates(what, says.clone(), wanted, given);
        writer.event(Event::Form(form, place));
    };
    note("coordinates", wanted, given, place.clone());
    if has_offsets {
        let (given, place) = offsets.unwrap_or((0, place));
        note("offsets behind them", wanted_offsets, given, place);
    }
}

/// What an instruction that the table has not is called, and the question which of the table's it was
/// meant to be.
fn unknown(opcode: &str, modifiers: &[(&str, &str)]) -> (String, String) {
    let longest = INSTRUCTIONS.iter().map(|row| row.opcode.split('.').count()).max();
    let mut name = opcode.to_owned();
    let mut rest = modifiers;
    for length in 1..=longest.unwrap_or_default() {
        let known = INSTRUCTIONS.iter().map(|row| row.opcode);
        let near = near(&name, known.filter(|known| known.split('.').count() == length));
        if !near.is_empty() {
            return (name, format!("did you mean {}? If not, ", list(near)));
        }
        let words = rest.iter().skip(1).take_while(|(separator, _)| *separator == "::").count() + 1;
        for (separator, word) in rest.iter().take(words) {
            name.push_str(separator);
            name.push_str(word);
        }
        rest = rest.get(words..).unwrap_or_default();
    }
    (opcode.to_owned(), String::new())
}

/// `(r), f, (a, b)`, `f, (a, b)` or `f`.
fn call(operands: &[Token], span: Span) -> Option<Call> {
    let operands = split(operands);
    let (receivers, operands) = match operands.as_slice() {
        [[Token::Group(Delimiter::Parenthesis, inner, ..)], rest @ ..] => {
            (arguments(inner, span), rest)
        }
        rest => (Vec::new(), rest),
    };
    let [function, operands @ ..] = operands else { return None };
    let (name, []) = join(function)? else { return None };
    let args = match operands {
        [[Token::Group(Delimiter::Parenthesis, inner, ..)], ..] => arguments(inner, span),
        _ => Vec::new(),
    };
    Some(Call { name, receivers, args })
}

fn arguments(tokens: &[Token], span: Span) -> Vec<Argument> {
    if tokens.is_empty() {
        return Vec::new();
    }
    split(tokens).into_iter().map(|tokens| argument(tokens, span)).collect()
}

fn argument(tokens: &[Token], span: Span) -> Argument {
    let place = Name {
        text: String::new(),
        start: tokens.first().map_or(span, Token::span),
        end: tokens.last().map_or(span, Token::end),
    };
    let number = |tokens: &[Token]| match tokens {
        [Token::Number(text, _)] => {
            let is_float = text.contains('.')
                || text.starts_with("0f")
                || text.starts_with("0F")
                || text.starts_with("0d")
                || text.starts_with("0D")
                || !text.starts_with("0x") && text.contains(['e', 'E']);
            Some(if is_float { ArgumentKind::Float } else { ArgumentKind::Int })
        }
        [Token::Splice(tokens, ..)] => Some(match spliced_integer(tokens) {
            Some(_) => ArgumentKind::Int,
            None => ArgumentKind::Splice(tokens.clone()),
        }),
        _ => None,
    };
    let kind = match tokens {
        [minus, rest @ ..] if minus.is_punct('-') => number(rest),
        rest => number(rest),
    };
    match (kind, join(tokens)) {
        (Some(kind), _) => Argument { kind, place },
        (None, Some((name, []))) if name.text == "_" => {
            Argument { kind: ArgumentKind::Sink, place }
        }
        (None, Some((name, []))) => Argument { kind: ArgumentKind::Name, place: name },
        (None, _) => Argument { kind: ArgumentKind::Other, place },
    }
}
