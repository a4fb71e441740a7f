//! What was drawn: rows of the instruction table, and the types, modifiers and state spaces of statements.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ptx_isa::instruction::{INSTRUCTIONS, named_spaces, named_types};

use crate::kind::Case;
use crate::statement;

/// Numbers of what was drawn.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// The number of files.
    pub files: usize,
    /// How often each row of the instruction table was drawn, by its index.
    pub rows: BTreeMap<usize, usize>,
    /// How often each type was named.
    pub types: BTreeMap<String, usize>,
    /// How often each state space was named.
    pub spaces: BTreeMap<String, usize>,
    /// How often each modifier stood, types and state spaces aside.
    pub modifiers: BTreeMap<String, usize>,
    /// The combinations of an opcode with all its modifiers.
    pub combinations: BTreeSet<String>,
    /// The number of files that break each rule, of PTX or of tensor maps, by its code.
    pub rules: BTreeMap<&'static str, usize>,
}

impl Statistics {
    /// Counts a case.
    pub fn add(&mut self, case: &Case) {
        self.files += 1;
        for code in case.rules.iter().collect::<BTreeSet<_>>() {
            *self.rules.entry(code).or_default() += 1;
        }
        for statement in &case.statements {
            *self.rows.entry(statement.row).or_default() += 1;
            let opcode = INSTRUCTIONS[statement.row].opcode;
            let pairs: Vec<(&str, &str)> = statement.pairs().collect();
            let types: Vec<usize> = named_types(&pairs).iter().map(|named| named.at).collect();
            let spaces: Vec<usize> = named_spaces(&pairs).iter().map(|named| named.at).collect();
            for (n, (separator, word)) in pairs.iter().enumerate() {
                let (counted, name) = if types.contains(&n) {
                    (&mut self.types, (*word).to_owned())
                } else if spaces.contains(&n) {
                    (&mut self.spaces, (*word).to_owned())
                } else {
                    (&mut self.modifiers, format!("{separator}{word}"))
                };
                *counted.entry(name).or_default() += 1;
            }
            let first = opcode.split('.').next().unwrap_or(opcode);
            self.combinations.insert(format!("{first}{}", statement.modifiers.concat()));
        }
    }

    /// The rows that were not drawn, by their indices.
    pub fn missing(&self) -> Vec<usize> {
        (0..INSTRUCTIONS.len()).filter(|n| !self.rows.contains_key(n)).collect()
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "files: {}", self.files)?;
        if !self.rows.is_empty() {
            writeln!(f, "statements: {}", self.rows.values().sum::<usize>())?;
            writeln!(f, "instructions with all modifiers: {}", self.combinations.len())?;
            writeln!(
                f,
                "rows of the instruction table: {} of {}",
                self.rows.len(),
                INSTRUCTIONS.len()
            )?;
            let by_table: usize = self.rows.keys().filter(|n| !statement::has_form(**n)).count();
            writeln!(f, "rows whose statements the table alone makes: {by_table}")?;
            let names = self.missing().into_iter().map(|n| INSTRUCTIONS[n].opcode);
            write_list(f, "rows not drawn", names)?;
        }
        write_counts(f, "types", &self.types)?;
        write_counts(f, "state spaces", &self.spaces)?;
        write_counts(f, "other modifiers", &self.modifiers)?;
        write_counts(f, "rules", &self.rules)
    }
}

fn write_list<'a>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    names: impl Iterator<Item = &'a str>,
) -> fmt::Result {
    let names: Vec<&str> = names.collect();
    if names.is_empty() { Ok(()) } else { writeln!(f, "{title}: {}", names.join(", ")) }
}

fn write_counts<K: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    counts: &BTreeMap<K, usize>,
) -> fmt::Result {
    if counts.is_empty() {
        return Ok(());
    }
    let each = counts.iter().map(|(name, count)| format!("{name} {count}"));
    writeln!(f, "{title}: {}", each.collect::<Vec<_>>().join(", "))
}
