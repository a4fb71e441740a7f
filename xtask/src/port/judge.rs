//! What the library says to converted files, and whether ptxas makes of what comes back what it
//! makes of the files themselves.

use std::path::{Path, PathBuf};

use ptx_emit::ptxas::Ptxas;

pub use super::outcome::{Finding, Outcome};

use super::file::{read, stem};
use super::package::{Example, Package};
use super::report::Report;
use crate::wheel::WHEELS;
use crate::{cubin, oracle};

/// How to judge.
#[derive(Clone, Debug)]
pub struct Config {
    /// The checkout of the library.
    pub library: PathBuf,
    /// Where a package of the converted files is made.
    pub work: PathBuf,
    /// The assembler.
    pub ptxas: Ptxas,
    /// Whether hazards are allowed where they are reported, and what remains is judged again.
    pub allows_hazards: bool,
}

impl Config {
    /// With this workspace's library, its `target/port` and the first of [`crate::WHEELS`], which
    /// is fetched if need be.
    ///
    /// # Errors
    /// Why there is no ptxas.
    pub fn of_workspace() -> Result<Self, String> {
        Ok(Self {
            library: Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
            work: oracle::target().join("port"),
            ptxas: oracle::fetch(&WHEELS[0], None)?,
            allows_hazards: false,
        })
    }
}

/// How often hazards are allowed and the rest is judged again: one error can hide another.
const ROUNDS: usize = 6;

/// Converts files, has the library judge them, and compares what comes back.
///
/// # Errors
/// A file cannot be read, or cargo does not run.
pub fn judge(files: &[PathBuf], config: &Config) -> Result<Report, String> {
    let package = Package::create(&config.library, &config.work)?;
    let mut outcomes = Vec::new();
    let mut pending: Vec<(usize, Example)> = Vec::new();
    for file in files {
        let name = stem(file)?;
        let mut outcome = Outcome { name: name.clone(), ..Outcome::default() };
        let mut example = Example::new(&name, read(file)?);
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
