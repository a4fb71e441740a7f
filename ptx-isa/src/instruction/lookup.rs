//! Lookup of the rows for an instruction.

use alloc::vec::Vec;

use super::buckets::{Buckets, bucket};
use super::qualifiers::QUALIFIERS;
use super::row::{Needs, OperandForm, Row};
use super::table::INSTRUCTIONS;
use crate::space::Space;

impl Row {
    /// The row of an instruction, given its opcode and its modifiers, each with the separator before
    /// it.
    pub fn find(opcode: &str, modifiers: &[(&str, &str)]) -> Option<&'static Self> {
        Self::number(opcode, modifiers).and_then(|row| INSTRUCTIONS.get(row))
    }

    /// The index of that row in the table.
    pub fn number(opcode: &str, modifiers: &[(&str, &str)]) -> Option<usize> {
        let mut longest: Option<usize> = None;
        for &n in INSTRUCTION_BUCKETS.of(opcode) {
            let row = &INSTRUCTIONS[n];
            let is_found = is_start(row.opcode, opcode, modifiers)
                && row.first_space.is_none_or(|space| spaces(modifiers).next() == Some(space));
            // The last of the longest matches.
            if is_found
                && longest.is_none_or(|it| INSTRUCTIONS[it].opcode.len() <= row.opcode.len())
            {
                longest = Some(n);
            }
        }
        longest
    }
}

/// The requirements of an instruction with this row, and operands whose forms `operand` returns, each with the part that causes it:
/// the row itself, modifiers, or an operand.
pub fn needs(
    row: Option<&'static Row>,
    opcode: &str,
    modifiers: &[(&str, &str)],
    operand: impl Fn(usize) -> Option<OperandForm>,
) -> Vec<(&'static str, Needs)> {
    let has_operand =
        |(n, form)| operand(n).is_some_and(|given| form == OperandForm::Any || form == given);
    let mut found = Vec::new();
    found.extend(row.map(|row| (row.opcode, row.needs)));
    for &n in QUALIFIER_BUCKETS.of(opcode) {
        let row = &QUALIFIERS[n];
        let stands = |word: &&str| stands(word, modifiers);
        if is_start(row.opcode, opcode, modifiers)
            && row.words.iter().all(stands)
            && !row.without.iter().any(stands)
            && row.operand.is_none_or(has_operand)
        {
            found.push((row.name, row.needs));
        }
    }
    found
}

static INSTRUCTION_BUCKETS: Buckets<{ INSTRUCTIONS.len() }> = {
    let mut buckets = [0; INSTRUCTIONS.len()];
    let mut n = 0;
    while n < buckets.len() {
        buckets[n] = bucket(INSTRUCTIONS[n].opcode);
        n += 1;
    }
    Buckets::new(&buckets)
};

static QUALIFIER_BUCKETS: Buckets<{ QUALIFIERS.len() }> = {
    let mut buckets = [0; QUALIFIERS.len()];
    let mut n = 0;
    while n < buckets.len() {
        buckets[n] = bucket(QUALIFIERS[n].opcode);
        n += 1;
    }
    Buckets::new(&buckets)
};

/// Whether an instruction starts with `text`.
fn is_start(text: &str, opcode: &str, modifiers: &[(&str, &str)]) -> bool {
    match text.strip_prefix(opcode) {
        Some("") => true,
        Some(rest) => rest.starts_with('.') && start(rest, modifiers),
        None => false,
    }
}

/// Whether adjacent modifiers among these match `text`.
fn stands(text: &str, modifiers: &[(&str, &str)]) -> bool {
    for first in 0..modifiers.len() {
        if start(text, &modifiers[first..]) {
            return true;
        }
    }
    false
}

/// Whether the modifiers start with those in `text`: `.shared::cta.global`.
fn start(text: &str, modifiers: &[(&str, &str)]) -> bool {
    let mut rest = text;
    for (separator, word) in modifiers {
        let Some(remaining) = rest.strip_prefix(separator).and_then(|rest| rest.strip_prefix(word))
        else {
            return false;
        };
        // The word in `text` may be longer.
        match remaining.as_bytes() {
            [] => return true,
            [b'.' | b':', ..] => rest = remaining,
            [..] => return false,
        }
    }
    false
}

/// The state spaces among modifiers.
pub fn spaces(modifiers: &[(&str, &str)]) -> impl Iterator<Item = Space> {
    modifiers.iter().filter_map(|(separator, word)| {
        let space = (*separator == ".").then(|| Space::from_name(word)).flatten()?;
        (!matches!(space, Space::Reg | Space::Tex)).then_some(space)
    })
}
