//! The outcomes of all mutants.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use crate::Outcome;
use crate::refusal::{Class, Refusal};

/// How often ptxas refused mutants with a kind of message.
#[derive(Default)]
struct Kind {
    refused: usize,
    missed: usize,
    /// The number of the first mutant that only ptxas refuses.
    first: Option<usize>,
}

/// Counts of outcomes.
pub(crate) struct Tally {
    seed: u64,
    folder: Option<PathBuf>,
    accepted: usize,
    crashes: usize,
    not_asked: usize,
    kinds: BTreeMap<(Class, String), Kind>,
    falsely: BTreeMap<String, (usize, usize)>,
}

impl Tally {
    pub(crate) fn new(seed: u64) -> Self {
        let folder = std::env::var_os("PTX_MUTANTS_FOLDER").map(PathBuf::from);
        let (kinds, falsely) = (BTreeMap::new(), BTreeMap::new());
        Self { seed, folder, accepted: 0, crashes: 0, not_asked: 0, kinds, falsely }
    }

    pub(crate) fn add(&mut self, number: usize, text: &str, outcome: &Outcome) {
        match outcome {
            Outcome::Accepted => self.accepted += 1,
            Outcome::Crash => self.crashes += 1,
            Outcome::NotAsked => self.not_asked += 1,
            Outcome::FalselyRefused(why) => {
                self.accepted += 1;
                let words = why.split_once(": ").map_or(why.as_str(), |(_, words)| words);
                let kind: Vec<&str> = words.split('`').step_by(2).collect();
                self.falsely.entry(kind.join("`_`")).or_insert((0, number)).0 += 1;
                self.keep("false", number, why, text);
            }
            Outcome::Refused(Refusal { class, kind }, is_refused) => {
                let of_kind = self.kinds.entry((*class, kind.clone())).or_default();
                of_kind.refused += 1;
                if !is_refused {
                    of_kind.missed += 1;
                    of_kind.first.get_or_insert(number);
                    self.keep(&format!("{class:?}"), number, kind, text);
                }
            }
        }
    }

    /// Writes a text on which ptxas and the reader do not agree to the folder, if there is one.
    fn keep(&self, what: &str, number: usize, why: &str, text: &str) {
        if let Some(folder) = &self.folder {
            std::fs::create_dir_all(folder).expect("the folder can be made");
            let path = folder.join(format!("{what}-{number}.ptx"));
            std::fs::write(path, format!("{text}\n// {why}\n")).expect("it can be written to");
        }
    }

    /// The numbers of mutants that ptxas refuses, and of those that only ptxas does.
    fn of(&self, is_it: impl Fn(Class) -> bool) -> (usize, usize) {
        let kinds = self.kinds.iter().filter(|((class, _), _)| is_it(*class));
        kinds.fold((0, 0), |(refused, missed), (_, kind)| {
            (refused + kind.refused, missed + kind.missed)
        })
    }

    /// Asserts that the reader refuses 99.9 % of what ptxas refuses for a declaration, and nothing that ptxas
    /// accepts.
    pub(crate) fn assert(&self) {
        let (refused, missed) = self.of(Class::is_compared);
        assert!(missed * 1_000 <= refused, "only ptxas refuses {missed} of {refused} mutants");
        assert!(self.falsely.is_empty(), "the reader refuses what ptxas accepts");
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds: Vec<_> = self.kinds.iter().collect();
        kinds.sort_by_key(|((class, _), kind)| (*class, core::cmp::Reverse(kind.missed)));
        writeln!(f, "  refused  missed  the messages of ptxas")?;
        for ((class, words), Kind { refused, missed, first }) in kinds {
            write!(f, "{refused:>9}  {missed:>6}  {class:?}: {words}")?;
            match first {
                Some(number) => writeln!(f, " (as in {number})")?,
                None => writeln!(f)?,
            }
        }
        for (why, (count, number)) in &self.falsely {
            writeln!(f, "{count:>9}  refused although ptxas accepts it: {why} (as in {number})")?;
        }
        let (refused, missed) = self.of(Class::is_compared);
        let (instructions, of_instructions) = self.of(|class| class == Class::Instruction);
        let falsely: usize = self.falsely.values().map(|(count, _)| count).sum();
        write!(
            f,
            "seed {}: ptxas refuses {refused} for declarations, of which {missed} are accepted here, and \
             {instructions} for instructions, of which {of_instructions} are; it accepts {}, of which \
             {falsely} are refused here; {} crashes, {} not asked",
            self.seed, self.accepted, self.crashes, self.not_asked
        )
    }
}
