//! The mutants that are known to survive, each with the reason: `xtask/mutants.txt`.

use std::collections::{BTreeMap, BTreeSet};

use super::results::{Outcome, Results};

/// The reason of each entry.
#[derive(Debug, Default)]
pub struct List {
    entries: BTreeMap<String, String>,
}

/// The end of an entry for a whole function.
const ALL: &str = ": *";

impl List {
    /// Parses a list. A reason is on lines of its own, followed by its mutants, indented. Lines that start with `#`
    /// are comments.
    ///
    /// # Errors
    /// If a mutant is listed twice, or before any reason.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut list = Self::default();
        let (mut reason, mut is_reason) = (String::new(), false);
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            if let Some(entry) = line.strip_prefix("  ") {
                is_reason = false;
                if reason.is_empty() {
                    return Err(format!("it has no reason: {entry}"));
                }
                if list.entries.insert(entry.to_owned(), reason.clone()).is_some() {
                    return Err(format!("it is listed twice: {entry}"));
                }
            } else {
                if !is_reason {
                    reason.clear();
                }
                is_reason = true;
                reason.push_str(line);
            }
        }
        Ok(list)
    }

    /// Whether a mutant is listed.
    fn entry_of(&self, mutant: &str) -> Option<&str> {
        if let Some((entry, _)) = self.entries.get_key_value(mutant) {
            return Some(entry);
        }
        let function = mutant.find(": ").map_or(mutant, |end| &mutant[..end]);
        self.entries.get_key_value(&format!("{function}{ALL}")).map(|(entry, _)| entry.as_str())
    }

    /// The entries without a mutant.
    pub fn stale<'a>(&self, mutants: impl Iterator<Item = &'a str>) -> Vec<&str> {
        let used: BTreeSet<&str> = mutants.filter_map(|mutant| self.entry_of(mutant)).collect();
        self.entries.keys().map(String::as_str).filter(|entry| !used.contains(entry)).collect()
    }

    /// The problems of the list: mutants that survive and are not on it, and entries for mutants that do not
    /// survive.
    pub(super) fn problems(&self, results: &Results) -> Vec<String> {
        let mut problems = Vec::new();
        let mut lives: BTreeMap<&str, bool> = BTreeMap::new();
        for (mutant, outcome) in results {
            match self.entry_of(mutant) {
                Some(entry) => *lives.entry(entry).or_default() |= outcome.is_alive(),
                None if *outcome == Outcome::Alive => {
                    problems.push(format!("it lives: {mutant}"));
                }
                None if outcome.is_alive() => {
                    problems.push(format!("no test reaches it: {mutant}"));
                }
                None => {}
            }
        }
        for (entry, lives) in lives {
            if !lives {
                problems.push(format!("it is listed, and killed: {entry}"));
            }
        }
        problems
    }
}
