//! Reads PTX files, writes them back, and compares the cubins of both.

use std::fmt;
use std::path::PathBuf;

use ptx_emit::ptxas::Ptxas;
use ptx_text::Parsed;
use ptx_types::ir;

use crate::cubin::compare_texts;

/// The outcome for a file.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The file.
    pub name: String,
    /// The grammar errors, each with its line.
    pub syntax: Vec<String>,
    /// The number of findings of the rules.
    pub findings: usize,
    /// Whether the printed text equals the file.
    pub is_same: bool,
    /// The difference between the cubin of the IR and that of the file.
    pub different: Option<String>,
}

/// The outcomes for all files.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The files, in order.
    pub outcomes: Vec<Outcome>,
}

/// Reads files, and compares them.
///
/// # Errors
/// If a file cannot be read.
pub fn compare(files: &[PathBuf], ptxas: &Ptxas) -> Result<Report, String> {
    let mut report = Report::default();
    for file in files {
        let name = file.display().to_string();
        let bytes = std::fs::read(file).map_err(|error| format!("cannot read {name}: {error}"))?;
        let parsed = Parsed::from_bytes(bytes.clone());
        let syntax = parsed
            .syntax()
            .iter()
            .map(|found| format!("{name}:{}: {found}", parsed.position(found.range.start)));
        let mut declared = String::new();
        let module = ir::Module { source: None, ..*parsed.module() };
        let is_written = ptx_emit::write(&module, &mut declared).is_ok();
        let different = match compare_texts(parsed.text(), &declared, ptxas) {
            _ if !is_written => Some("it cannot be written".to_owned()),
            Ok(()) => None,
            Err(different) => Some(different),
        };
        report.outcomes.push(Outcome {
            syntax: syntax.collect(),
            findings: parsed.check().len(),
            is_same: parsed.bytes() == bytes && parsed.to_string().as_bytes() == bytes,
            different,
            name,
        });
    }
    Ok(report)
}

impl Report {
    /// Whether every file was read unchanged.
    pub fn is_clean(&self) -> bool {
        let is_clean = |outcome: &Outcome| {
            outcome.is_same && outcome.syntax.is_empty() && outcome.different.is_none()
        };
        self.outcomes.iter().all(is_clean)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for outcome in &self.outcomes {
            for finding in &outcome.syntax {
                writeln!(f, "{finding}")?;
            }
            if !outcome.is_same {
                writeln!(f, "{} prints different bytes", outcome.name)?;
            }
            if let Some(different) = &outcome.different {
                writeln!(f, "{} differs: {different}", outcome.name)?;
            }
        }
        let count = |is: fn(&Outcome) -> bool| self.outcomes.iter().filter(|it| is(it)).count();
        writeln!(
            f,
            "{} files, {} read without a grammar error, {} printed byte for byte, {} with an equal cubin, {} without findings",
            self.outcomes.len(),
            count(|outcome| outcome.syntax.is_empty()),
            count(|outcome| outcome.is_same),
            count(|outcome| outcome.different.is_none()),
            count(|outcome| outcome.findings == 0),
        )
    }
}
