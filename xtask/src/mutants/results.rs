//! The outcomes of the mutants.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The outcome of a mutant.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Outcome {
    /// A test of this program fails.
    Killed(String),
    /// A test of this program does not end.
    Hung(String),
    /// All tests pass.
    Alive,
    /// No test reaches it.
    Unreached,
}

impl Outcome {
    pub(super) fn is_alive(&self) -> bool {
        matches!(self, Self::Alive | Self::Unreached)
    }
}

/// The outcomes by name of the mutant.
pub(super) type Results = BTreeMap<String, Outcome>;

/// Writes one line for each mutant: the outcome, the program that decided it, and the mutant's name.
pub(super) fn write(results: &Results, path: &Path) -> Result<(), String> {
    let lines: String = results.iter().fold(String::new(), |mut lines, (name, outcome)| {
        let (word, by) = match outcome {
            Outcome::Killed(by) => ("killed", by.as_str()),
            Outcome::Hung(by) => ("hung", by.as_str()),
            Outcome::Alive => ("alive", "-"),
            Outcome::Unreached => ("unreached", "-"),
        };
        let _ = writeln!(lines, "{word}\t{by}\t{name}");
        lines
    });
    std::fs::write(path, lines).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads the file that [`write`] wrote; empty if it does not exist.
pub(super) fn read(path: &Path) -> Results {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let line = |line: &str| {
        let mut parts = line.splitn(3, '\t');
        let (word, by, name) = (parts.next()?, parts.next()?, parts.next()?);
        let outcome = match word {
            "killed" => Outcome::Killed(by.to_owned()),
            "hung" => Outcome::Hung(by.to_owned()),
            "alive" => Outcome::Alive,
            _ => Outcome::Unreached,
        };
        Some((name.to_owned(), outcome))
    };
    text.lines().filter_map(line).collect()
}

/// The number of mutants with each outcome, by file.
pub(super) fn summary(results: &Results) -> String {
    let mut files: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for (name, outcome) in results {
        let file = name.split(' ').next().unwrap_or_default();
        let column = match outcome {
            Outcome::Killed(_) => 0,
            Outcome::Hung(_) => 1,
            Outcome::Alive => 2,
            Outcome::Unreached => 3,
        };
        for row in [file, "all"] {
            files.entry(row).or_default()[column] += 1;
        }
    }
    let all = files.remove("all").unwrap_or_default();
    let mut text = format!(
        "{:56}{:>8}{:>8}{:>8}{:>8}{:>11}\n",
        "file", "mutants", "killed", "hung", "alive", "unreached"
    );
    for (file, row) in files.into_iter().chain([("all", all)]) {
        let [killed, hung, alive, unreached] = row;
        let mutants: usize = row.iter().sum();
        let _ =
            writeln!(text, "{file:56}{mutants:>8}{killed:>8}{hung:>8}{alive:>8}{unreached:>11}");
    }
    text
}
