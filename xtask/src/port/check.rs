//! Checks converted files with the library, and compares the cubins of the emitted text with those of the
//! original files.

use std::path::{Path, PathBuf};

use ptx_emit::ptxas::Ptxas;

pub use super::outcome::{Finding, Outcome};

use super::file::{read, stem};
use super::package::{Example, Package};
use super::report::Report;
use crate::wheel::WHEELS;
use crate::{cubin, oracle};

/// The configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// The checkout of the library.
    pub library: PathBuf,
    /// The folder for the package of the converted files.
    pub work: PathBuf,
    /// The ptxas to use.
    pub ptxas: Ptxas,
    /// Whether reported hazards are allowed, and the remaining errors are collected again.
    pub allows_hazards: bool,
    /// Whether accesses to elements of arrays are written as places.
    pub places: bool,
}

impl Config {
    /// The configuration with this workspace's library, its `target/port` and the first of [`crate::wheel::WHEELS`], which
    /// is fetched if necessary.
    ///
    /// # Errors
    /// If there is no ptxas; the error gives the reason.
    pub fn of_workspace() -> Result<Self, String> {
        Ok(Self {
            library: Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
            work: oracle::target().join("port"),
            ptxas: oracle::fetch(&WHEELS[0], None)?,
            allows_hazards: false,
            places: false,
        })
    }
}

/// The number of times that hazards are allowed and the rest is checked again: one error can hide another.
const ROUNDS: usize = 6;

/// Converts files, checks them with the library, and compares the cubins.
///
/// # Errors
/// If a file cannot be read, or cargo does not run.
pub fn check(files: &[PathBuf], config: &Config) -> Result<Report, String> {
    let package = Package::create(&config.library, &config.work)?;
    let mut outcomes = Vec::new();
    let mut pending: Vec<(usize, Example)> = Vec::new();
    for file in files {
        let name = stem(file)?;
        let mut outcome = Outcome { name: name.clone(), ..Outcome::default() };
        let mut example = Example::new(&name, read(file)?, config.places);
        if pending.iter().any(|(_, other)| other.target == example.target) {
            return Err(format!("two files are named `{name}`, or almost so; rename one"));
        }
        match example.convert() {
            Ok(()) => {
                outcome.left_out.clone_from(&example.converted.left_out);
                pending.push((outcomes.len(), example));
            }
            Err(why) => {
                let message = format!("not converted: {why}");
                let finding = Finding { code: None, message, line: None, text: String::new() };
                outcome.findings.push(finding.clone());
                outcome.remaining.push(finding);
            }
        }
        outcomes.push(outcome);
    }
    for round in 0..if config.allows_hazards { ROUNDS } else { 1 } {
        if pending.is_empty() {
            break;
        }
        let mut built = package
            .build(pending.iter().map(|(_, example)| (example.target.clone(), example.text())))?;
        let mut again = Vec::new();
        for (i, mut example) in pending {
            let outcome: &mut Outcome = &mut outcomes[i];
            let found = built.findings.remove(&example.target).unwrap_or_default();
            if round == 0 {
                outcome.findings.clone_from(&found);
            } else {
                let is_new = |finding: &&Finding| {
                    finding.line.is_some()
                        && !outcome.findings.iter().any(|old| old.message == finding.message)
                };
                let uncovered: Vec<Finding> = found.iter().filter(is_new).cloned().collect();
                outcome.findings.extend(uncovered);
            }
            if let Some(program) = built.programs.get(&example.target) {
                outcome.remaining.clear();
                match cubin::compare(&example.ptx, program, &config.ptxas) {
                    Ok(()) => outcome.is_equal = true,
                    Err(why) => outcome.different = Some(why),
                }
            } else {
                let is_changed = config.allows_hazards && example.allow(&found);
                outcome.remaining = found;
                if is_changed {
                    example.convert()?;
                    again.push((i, example));
                }
            }
        }
        pending = again;
    }
    Ok(Report { outcomes, allows_hazards: config.allows_hazards })
}
