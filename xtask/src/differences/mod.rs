//! Where ptxas and the PTX ISA differ, and where ptxas crashes: `docs/differences.md`.
//!
//! Each difference is a directory of `docs/differences/` with the smallest file that shows it, a description, and what
//! the releases of ptxas and the rules do with it. `cargo xtask differences` runs the releases and compares;
//! `cargo xtask differences search` looks for more in generated files.

mod assembler;
mod entry;
mod outcome;
mod page;
pub mod search;

use std::fmt;
use std::path::{Path, PathBuf};

use ptx_emit::ptxas::Ptxas;

use assembler::Assembler;
use search::{Config, FoundBy};

pub use entry::{Entry, Kind, READING};
pub use outcome::{Outcome, Recorded, Verdict};
pub use page::document;

/// The page.
const PAGE: &str = "docs/differences.md";

/// What these releases of ptxas and the rules do with the file of each entry now.
///
/// # Errors
/// If an entry cannot be read, or a ptxas cannot be run.
pub fn outcomes(root: &Path, ptxas: &[Ptxas]) -> Result<Vec<(Entry, Recorded)>, String> {
    let assemblers: Vec<Assembler> =
        ptxas.iter().map(|it| Assembler::new(it.path())).collect::<Result<_, _>>()?;
    let mut found = Vec::new();
    for entry in Entry::all(root)? {
        let mut now = Recorded::default();
        for assembler in &assemblers {
            let bytes = assembler.assemble(&entry.module, &entry.arch, &entry.options)?;
            now.ptxas.insert(assembler.version.clone(), bytes.of(&entry.variables()));
        }
        now.rules = outcome::codes(&entry.module);
        found.push((entry, now));
    }
    Ok(found)
}

/// A comparison with what is recorded.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The number of files.
    pub files: usize,
    /// The releases that were run.
    pub versions: Vec<String>,
    /// The outcomes that are not as recorded, as text.
    pub differing: Vec<String>,
}

impl Report {
    /// Whether everything is as recorded.
    pub fn is_clean(&self) -> bool {
        self.differing.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.differing.iter().try_for_each(|one| writeln!(f, "{one}\n"))?;
        let (files, count) = (self.files, self.differing.len());
        write!(f, "{files} files, ptxas {}: ", self.versions.join(", "))?;
        write!(f, "{count} outcomes are not as recorded")
    }
}

/// Compares with what is recorded; a release that is not recorded, with the newest that is.
///
/// # Errors
/// If an entry cannot be read, or a ptxas cannot be run.
pub fn compare(root: &Path, ptxas: &[Ptxas]) -> Result<Report, String> {
    let mut report = Report::default();
    for (entry, now) in outcomes(root, ptxas)? {
        report.files += 1;
        report.versions = now.ptxas.keys().cloned().collect();
        for (version, outcome) in &now.ptxas {
            let newest = entry.recorded.ptxas.iter().next_back();
            let recorded = match entry.recorded.ptxas.get_key_value(version).or(newest) {
                Some((_, recorded)) if recorded.agrees(outcome) => continue,
                Some((of, recorded)) => format!("recorded of {of}: {recorded}"),
                None => "nothing is recorded".to_owned(),
            };
            let name = &entry.folder;
            report.differing.push(format!("{name}: ptxas {version}: {outcome}\n{recorded}"));
        }
        if now.rules != entry.recorded.rules {
            let (name, rules, recorded) = (&entry.folder, &now.rules, &entry.recorded.rules);
            report.differing.push(format!("{name}: rules {rules:?}, recorded {recorded:?}"));
        }
    }
    Ok(report)
}

/// Records what these releases do, and writes the page.
///
/// # Errors
/// If an entry cannot be read or written, or a ptxas cannot be run.
pub fn record(root: &Path, ptxas: &[Ptxas]) -> Result<(), String> {
    let write = |path: PathBuf, text: &str| {
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    for (entry, now) in outcomes(root, ptxas)? {
        let mut recorded = Recorded { rules: now.rules, ..entry.recorded.clone() };
        for (version, outcome) in now.ptxas {
            // The way in which a release crashes is not the same every time.
            if recorded.ptxas.get(&version).is_none_or(|recorded| !recorded.agrees(&outcome)) {
                recorded.ptxas.insert(version, outcome);
            }
        }
        write(entry.path.join(entry::OUTCOMES), &recorded.to_string())?;
    }
    write(root.join(PAGE), &document(root)?)
}

/// Looks for the entries among generated texts, prints which ones are found, and records the texts.
///
/// # Errors
/// If an entry cannot be read or written, or a ptxas cannot be run.
pub fn find(root: &Path, ptxas: &[Ptxas], config: &Config) -> Result<(), String> {
    let entries = Entry::all(root)?;
    let tell = |entry: &Entry, found: FoundBy| {
        let (by, shown) = match found {
            FoundBy::Text(text) => (text.to_string(), text.to_string()),
            FoundBy::Recorded => (entry.found.clone(), "not among these texts".to_owned()),
            FoundBy::Nothing => (READING.to_owned(), "not found".to_owned()),
        };
        println!("{}: {shown}", entry.folder);
        if by == entry.found { Ok(()) } else { entry.record_found(&by) }
    };
    let found = search::find(config, &entries, ptxas, tell)?;
    let count = found.iter().filter(|found| matches!(found, FoundBy::Text(_))).count();
    println!("{count} of {} are found among {config}", entries.len());
    let page = root.join(PAGE);
    std::fs::write(&page, document(root)?).map_err(|error| format!("{}: {error}", page.display()))
}
