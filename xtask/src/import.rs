//! Imports PTX files into a crate, and compares its modules with the files.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use ptx_text::{Kind, Parsed};

use crate::cubin::compare_texts;
use crate::port::check::Config;
use crate::port::package::Package;

/// The outcome for a file.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The file.
    pub name: String,
    /// The hazards that are allowed in it.
    pub allowed: BTreeSet<&'static str>,
    /// The errors from rustc for the import.
    pub errors: Vec<String>,
    /// The difference between the module's text and the file, or between the cubins.
    pub different: Option<String>,
}

/// The outcomes for all files.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The files, in order.
    pub outcomes: Vec<Outcome>,
}

/// Imports files into examples of a package, and compares what they print.
///
/// # Errors
/// If a file cannot be read, or cargo does not run.
pub fn compare(files: &[PathBuf], config: &Config) -> Result<Report, String> {
    let package = Package::create(&config.library, &config.work)?;
    let (mut outcomes, mut texts, mut examples) = (Vec::new(), Vec::new(), Vec::new());
    for (n, file) in files.iter().enumerate() {
        let name = file.display().to_string();
        let unread = |error| format!("cannot read {name}: {error}");
        let path = file.canonicalize().map_err(unread)?;
        let text = std::fs::read_to_string(&path).map_err(unread)?;
        let found = Parsed::new(text.clone()).check();
        let hazards = found.iter().filter(|found| found.kind == Kind::Hazard);
        let allowed: BTreeSet<&str> = hazards.filter_map(|found| found.code).collect();
        examples.push((format!("import_{n}"), example(&path, &allowed)));
        outcomes.push(Outcome { name, allowed, ..Outcome::default() });
        texts.push(text);
    }
    let built = package.build(examples.iter().cloned())?;
    for (((target, _), outcome), text) in examples.iter().zip(&mut outcomes).zip(texts) {
        if let Some(findings) = built.findings.get(target) {
            outcome.errors = findings.iter().map(|found| found.message.clone()).collect();
        }
        outcome.different = match built.programs.get(target) {
            None => Some("it does not build".to_owned()),
            Some(program) => match printed(program) {
                Err(why) => Some(why),
                Ok(printed) if printed != text => Some("it prints different bytes".to_owned()),
                Ok(printed) => compare_texts(&text, &printed, &config.ptxas).err(),
            },
        };
    }
    Ok(Report { outcomes })
}

/// A program that imports a file and prints it.
fn example(path: &Path, allowed: &BTreeSet<&str>) -> String {
    let codes = allowed.iter().copied().collect::<Vec<_>>().join(", ");
    let allow = if codes.is_empty() { String::new() } else { format!(", allow({codes})") };
    let path = path.to_string_lossy();
    format!(
        "ptx::import!(mod imported = {path:?}{allow});\n\nfn main() {{\n    print!(\"{{}}\", imported::MODULE);\n}}\n"
    )
}

fn printed(program: &Path) -> Result<String, String> {
    let output = Command::new(program).output();
    let output = output.map_err(|error| format!("the program does not run: {error}"))?;
    let printed = String::from_utf8(output.stdout).ok().filter(|_| output.status.success());
    printed.ok_or_else(|| "the program does not print its module".to_owned())
}

impl Report {
    /// Whether every module equals its file.
    pub fn is_clean(&self) -> bool {
        self.outcomes.iter().all(|outcome| outcome.different.is_none())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for outcome in &self.outcomes {
            for error in &outcome.errors {
                writeln!(f, "{}: {error}", outcome.name)?;
            }
            if let Some(different) = &outcome.different {
                writeln!(f, "{} differs: {different}", outcome.name)?;
            }
        }
        let equal = self.outcomes.iter().filter(|outcome| outcome.different.is_none()).count();
        let silent = self.outcomes.iter().filter(|outcome| outcome.allowed.is_empty()).count();
        let all = self.outcomes.len();
        writeln!(
            f,
            "{all} files, {equal} imported, printed byte for byte, with an equal cubin, {silent} without an allowance"
        )
    }
}
