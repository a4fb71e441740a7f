//! Changes of single tokens.

use ptx_text::PieceKind;

use super::parts::{Parts, Place};
use super::words::{
    DIRECTIVES, FLAGS, KINDS, LINKAGES, MODES, NUMBERS, PIECES, SPACES, TARGETS, TYPES, VECTORS,
    VERSIONS,
};
use crate::Rng;

/// The text with one token changed, mostly one of a declaration.
pub(super) fn change(parts: &Parts<'_>, rng: &mut Rng) -> String {
    if rng.one_in(10) {
        return header(parts, rng);
    }
    let in_instruction = rng.one_in(12);
    let mut tokens = parts.at(|place| match place {
        Place::Instruction => in_instruction,
        Place::Header => false,
        Place::Module | Place::Signature | Place::Local => !in_instruction,
    });
    if tokens.is_empty() {
        tokens = (0..parts.tokens.len()).collect();
    }
    if tokens.is_empty() {
        return parts.text.to_owned();
    }
    // The long tables of some files would hide the other tokens.
    let is_number = |n: &usize| parts.kinds[*n] == PieceKind::Number;
    let is_of_table = |n: &usize| is_number(n) || matches!(parts.token(*n), "," | "{" | "}");
    let others: Vec<usize> = tokens.iter().copied().filter(|n| !is_of_table(n)).collect();
    let n = match others.as_slice() {
        [] => rng.pick(&tokens),
        others if rng.below(4) < 3 => rng.pick(others),
        _ => rng.pick(&tokens),
    };
    let (token, at) = (parts.token(n), parts.tokens[n].clone());
    match rng.below(16) {
        0..6 => parts.with(at, &other(token, parts.kinds[n], rng)),
        6 | 7 => parts.with(at, ""),
        8 => parts.with(at, &format!("{token} {token}")),
        9 => {
            let other = (n + 1).min(parts.tokens.len() - 1);
            let between = &parts.text[at.end..parts.tokens[other].start.max(at.end)];
            let swapped = [parts.token(other), between, token].concat();
            parts.with(at.start..parts.tokens[other].end, &swapped)
        }
        10 => parts.with(at, parts.token(rng.pick(&tokens))),
        11 => parts.with(at.start..at.start, &format!("{} ", parts.token(rng.pick(&tokens)))),
        12 | 13 => parts.with(at.start..at.start, &format!("{} ", rng.pick(PIECES))),
        14 => parts.with(at.end..at.end, &format!(" {}", rng.pick(PIECES))),
        _ => {
            let words = rng.pick(&[SPACES, TYPES, VECTORS, LINKAGES, FLAGS, DIRECTIVES, NUMBERS]);
            parts.with(at.start..at.start, &format!("{} ", rng.pick(words)))
        }
    }
}

/// A word of the same kind.
fn other(token: &str, kind: PieceKind, rng: &mut Rng) -> String {
    if kind == PieceKind::Number {
        return rng.pick(NUMBERS).to_owned();
    }
    match KINDS.iter().find(|words| words.contains(&token)) {
        Some(words) => rng.pick(words).to_owned(),
        None => match kind {
            PieceKind::Dotted => {
                let words = rng.pick(&[SPACES, TYPES, VECTORS, LINKAGES, FLAGS]);
                rng.pick(words).to_owned()
            }
            PieceKind::Word => rng.pick(&["other", "_", "added", "%r1", "WARP_SZ"]).to_owned(),
            _ => rng.pick(&[",", ";", "(", ")", "[", "]", "{", "}", "=", ":"]).to_owned(),
        },
    }
}

/// The text with another version, another target, or a mode.
fn header(parts: &Parts<'_>, rng: &mut Rng) -> String {
    let after = |directive: &str| {
        let n = (0..parts.tokens.len()).find(|n| parts.token(*n) == directive)?;
        parts.tokens.get(n + 1).cloned()
    };
    let (version, target) = (after(".version"), after(".target"));
    let tokens = parts.at(|place| place == Place::Header);
    let change = match rng.below(16) {
        0..4 => version.map(|at| (at, rng.pick(VERSIONS).to_owned())),
        4..9 => target.map(|at| (at, rng.pick(TARGETS).to_owned())),
        9..13 => target.map(|at| (at.end..at.end, rng.pick(MODES).to_owned())),
        13 if !tokens.is_empty() => {
            let at = parts.tokens[rng.pick(&tokens)].clone();
            Some((at, String::new()))
        }
        14 if !tokens.is_empty() => {
            let at = parts.tokens[rng.pick(&tokens)].clone();
            let again = parts.text[at.clone()].to_owned();
            Some((at.start..at.start, again + " "))
        }
        _ if !tokens.is_empty() => {
            let at = parts.tokens[rng.pick(&tokens)].clone();
            Some((at.end..at.end, rng.pick(&[" 64", " 32", " ;", " .target sm_80"]).to_owned()))
        }
        _ => None,
    };
    match change {
        Some((at, by)) => parts.with(at, &by),
        None => parts.text.to_owned(),
    }
}
