//! Lookup of the rows for an instruction.

use alloc::vec::Vec;

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
        for &n in INSTRUCTIONS_BY_OPCODE.of(opcode) {
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
    for &n in QUALIFIERS_BY_OPCODE.of(opcode) {
        let row = &QUALIFIERS[n];
        let stands = |word: &&str| stands(word, modifiers);
        if row.words.iter().all(stands)
            && is_start(row.opcode, opcode, modifiers)
            && !row.without.iter().any(stands)
            && row.operand.is_none_or(has_operand)
        {
            found.push((row.name, row.needs));
        }
    }
    found
}

/// Rows sorted by their opcodes without modifiers: a body can have many thousands of instructions, and
/// the macro, which is compiled without optimisation, looks up the row of each.
struct ByOpcode<const N: usize> {
    /// The indices of the rows.
    rows: [usize; N],
    /// Their opcodes without modifiers.
    opcodes: [&'static str; N],
}

static INSTRUCTIONS_BY_OPCODE: ByOpcode<{ INSTRUCTIONS.len() }> = {
    let mut opcodes = [""; INSTRUCTIONS.len()];
    let mut n = 0;
    while n < opcodes.len() {
        opcodes[n] = INSTRUCTIONS[n].opcode;
        n += 1;
    }
    ByOpcode::new(opcodes)
};

static QUALIFIERS_BY_OPCODE: ByOpcode<{ QUALIFIERS.len() }> = {
    let mut opcodes = [""; QUALIFIERS.len()];
    let mut n = 0;
    while n < opcodes.len() {
        opcodes[n] = QUALIFIERS[n].opcode;
        n += 1;
    }
    ByOpcode::new(opcodes)
};

impl<const N: usize> ByOpcode<N> {
    /// Sorts the rows of a table with these opcodes.
    const fn new(mut opcodes: [&'static str; N]) -> Self {
        let mut rows = [0; N];
        let mut n = 0;
        while n < N {
            let opcode = without_modifiers(opcodes[n]);
            // Insert after rows that are not greater, so that equal rows keep their order.
            let mut to = n;
            while to > 0 && is_less(opcode, opcodes[to - 1]) {
                opcodes[to] = opcodes[to - 1];
                rows[to] = rows[to - 1];
                to -= 1;
            }
            opcodes[to] = opcode;
            rows[to] = n;
            n += 1;
        }
        Self { rows, opcodes }
    }

    /// The rows with this opcode without modifiers.
    fn of(&self, opcode: &str) -> &[usize] {
        let (mut first, mut end) = (0, N);
        while first < end {
            let middle = usize::midpoint(first, end);
            if self.opcodes[middle] < opcode {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        while end < N && self.opcodes[end] == opcode {
            end += 1;
        }
        &self.rows[first..end]
    }
}

/// The part before the first modifier: `cp` for `cp.async.bulk`.
const fn without_modifiers(text: &str) -> &str {
    let mut end = 0;
    while end < text.len() && text.as_bytes()[end] != b'.' {
        end += 1;
    }
    text.split_at(end).0
}

const fn is_less(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut n = 0;
    while n < one.len() && n < other.len() {
        if one[n] != other[n] {
            return one[n] < other[n];
        }
        n += 1;
    }
    one.len() < other.len()
}

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
