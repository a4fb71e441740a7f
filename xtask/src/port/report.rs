//! The outcomes for files, as a table and a list.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::outcome::{Finding, Outcome};

/// The outcomes for all files.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The files, in order.
    pub outcomes: Vec<Outcome>,
    /// Whether hazards were allowed, and the rest was checked again.
    pub allows_hazards: bool,
}

/// The number of samples that are printed for each rule.
const SAMPLES: usize = 12;

/// The number of characters of a sample that are printed.
const SAMPLE: usize = 260;

/// The group in which a file is counted: `nvcc-sm_80` of `nvcc-sm_80-reduce`.
fn group(name: &str) -> String {
    name.splitn(3, '-').take(2).collect::<Vec<_>>().join("-")
}

/// The source of a file: `reduce` of `nvcc-sm_80-reduce`.
fn source(name: &str) -> &str {
    name.splitn(3, '-').nth(2).unwrap_or(name)
}

fn shortened(text: &str, length: usize) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(length).collect()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_table(f)?;
        self.write_findings(f)?;
        for outcome in &self.outcomes {
            let name = &outcome.name;
            if self.allows_hazards {
                for finding in &outcome.remaining {
                    let code = finding.code.as_deref().unwrap_or("other");
                    writeln!(f, "{name} keeps {code}: {}", shortened(&finding.message, SAMPLE))?;
                }
            }
            if let Some(different) = &outcome.different {
                writeln!(f, "{name} differs: {}", shortened(different, 2 * SAMPLE))?;
            }
            for what in &outcome.left_out {
                writeln!(f, "{name} left out: {what}")?;
            }
        }
        Ok(())
    }
}

impl Report {
    fn write_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows: BTreeMap<String, [usize; 4]> = BTreeMap::new();
        let mut total = [0; 4];
        for outcome in &self.outcomes {
            let is =
                [true, outcome.findings.is_empty(), outcome.remaining.is_empty(), outcome.is_equal];
            let row = rows.entry(group(&outcome.name)).or_default();
            for counts in [row, &mut total] {
                for (count, is) in counts.iter_mut().zip(is) {
                    *count += usize::from(is);
                }
            }
        }
        // Without allowances, it is unknown which errors the hazards hide.
        let columns = if self.allows_hazards { [true; 4] } else { [true, true, false, true] };
        let heads = ["files", "no error", "none but hazards", "equal cubin"];
        let mut write_row = |first: &str, cells: [String; 4]| {
            let shown = cells.into_iter().zip(columns).filter(|(_, is_shown)| *is_shown);
            let cells: Vec<String> = shown.map(|(cell, _)| cell).collect();
            writeln!(f, "| {first} | {} |", cells.join(" | "))
        };
        write_row("source", heads.map(str::to_owned))?;
        write_row("---", heads.map(|_| "---".to_owned()))?;
        for (name, counts) in rows.into_iter().chain([("all".to_owned(), total)]) {
            write_row(&name, counts.map(|count| count.to_string()))?;
        }
        writeln!(f)
    }

    /// The errors by code, with samples: the first for each source, whatever architecture it was compiled
    /// for.
    fn write_findings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut by_code: BTreeMap<&str, Vec<(&str, &Finding)>> = BTreeMap::new();
        for outcome in &self.outcomes {
            for finding in &outcome.findings {
                let code = finding.code.as_deref().unwrap_or("other");
                by_code.entry(code).or_default().push((&outcome.name, finding));
            }
        }
        for (code, found) in &by_code {
            let files: BTreeSet<&str> = found.iter().map(|(name, _)| *name).collect();
            let (errors, files) = (found.len(), files.len());
            let plural = |count| if count == 1 { "" } else { "s" };
            writeln!(
                f,
                "{code}: {errors} error{} in {files} file{}",
                plural(errors),
                plural(files)
            )?;
            let mut seen = BTreeSet::new();
            for (name, finding) in found {
                if seen.len() < SAMPLES && seen.insert(source(name)) {
                    let line = finding.line.map_or(String::new(), |line| format!(":{line}"));
                    writeln!(f, "  {name}{line}: {}", shortened(&finding.message, SAMPLE))?;
                    if !finding.text.is_empty() {
                        writeln!(f, "      {}", shortened(&finding.text, SAMPLE))?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_counted_by_what_they_are_of() {
        let finding = |code: &str| Finding {
            code: Some(code.to_owned()),
            message: format!("wrong [{code}]"),
            line: Some(3),
            text: "ret;".to_owned(),
        };
        let of = |name: &str, findings: Vec<Finding>, remaining: Vec<Finding>| Outcome {
            name: name.to_owned(),
            is_equal: remaining.is_empty(),
            findings,
            remaining,
            ..Outcome::default()
        };
        let mut report = Report {
            outcomes: vec![
                of("nvcc-sm_80-a", vec![finding("A020")], vec![]),
                of("nvcc-sm_80-b", vec![finding("A001")], vec![finding("A001")]),
                of("mine", vec![], vec![]),
            ],
            allows_hazards: true,
        };
        let text = report.to_string();
        for line in [
            "| source | files | no error | none but hazards | equal cubin |\n",
            "| nvcc-sm_80 | 2 | 0 | 1 | 1 |\n",
            "| all | 3 | 1 | 2 | 2 |\n",
            "A020: 1 error in 1 file\n  nvcc-sm_80-a:3: wrong [A020]\n      ret;\n",
            "nvcc-sm_80-b keeps A001: wrong [A001]\n",
        ] {
            assert!(text.contains(line), "{line}\nis not in\n{text}");
        }
        report.allows_hazards = false;
        assert!(report.to_string().contains("| all | 3 | 1 | 2 |\n"));
    }
}
