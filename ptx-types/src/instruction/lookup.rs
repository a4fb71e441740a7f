//! The rows of an instruction.

use super::qualifiers::QUALIFIERS;
use super::row::{Needs, Qualifier, Row};
use super::table::INSTRUCTIONS;
use crate::space::Space;

impl Row {
    /// The row of an instruction: its opcode, and its modifiers with what separates each from the
    /// one before.
    pub fn find(opcode: &str, modifiers: &[(&str, &str)]) -> Option<&'static Self> {
        Self::number(opcode, modifiers).and_then(|row| INSTRUCTIONS.get(row))
    }

    /// The number of that row in the table.
    pub fn number(opcode: &str, modifiers: &[(&str, &str)]) -> Option<usize> {
        let spelled = |(_, row): &(usize, &Self)| {
            is_start(row.opcode, opcode, modifiers)
                && row.first_space.is_none_or(|space| spaces(modifiers).next() == Some(space))
        };
        let rows = INSTRUCTIONS.iter().enumerate().filter(spelled);
        rows.max_by_key(|(_, row)| row.opcode.len()).map(|(n, _)| n)
    }
}

/// What an instruction needs, each with the part of it that needs it: its row and its modifiers.
pub fn needs(
    opcode: &str,
    modifiers: &[(&str, &str)],
) -> impl Iterator<Item = (&'static str, Needs)> {
    let stands = |word: &&str| {
        let sought = words(word);
        let length = sought.clone().count();
        modifiers.windows(length).any(|found| found.iter().copied().eq(sought.clone()))
    };
    let qualifies = move |row: &&Qualifier| {
        is_start(row.opcode, opcode, modifiers)
            && row.words.iter().all(stands)
            && !row.without.iter().any(stands)
    };
    let row = Row::find(opcode, modifiers).map(|row| (row.opcode, row.needs));
    let qualifiers = QUALIFIERS.iter().filter(qualifies).map(|row| (row.name, row.needs));
    row.into_iter().chain(qualifiers)
}

/// The modifiers in `text`, each with what separates it from the one before.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> + Clone {
    text.split('.').skip(1).flat_map(|word| {
        let separator = |n| if n == 0 { "." } else { "::" };
        word.split("::").enumerate().map(move |(n, part)| (separator(n), part))
    })
}

/// Whether an instruction starts with `text`.
fn is_start(text: &str, opcode: &str, modifiers: &[(&str, &str)]) -> bool {
    text.split('.').next() == Some(opcode)
        && words(text).enumerate().all(|(n, word)| modifiers.get(n) == Some(&word))
}

/// The state spaces among modifiers.
pub fn spaces(modifiers: &[(&str, &str)]) -> impl Iterator<Item = Space> {
    modifiers.iter().filter_map(|(separator, word)| {
        let space = (*separator == ".").then(|| Space::from_name(word)).flatten()?;
        (!matches!(space, Space::Reg | Space::Tex)).then_some(space)
    })
}
