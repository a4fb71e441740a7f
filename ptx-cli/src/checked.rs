//! The result of checking a file.

use std::fmt::Write as _;

use ptx_isa::count::Count;

use crate::finding::{Finding, Level};

/// A file that was checked, or could not be.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    /// The name of the file.
    pub(crate) name: String,
    /// The findings, in order of location.
    pub(crate) findings: Vec<Finding>,
    /// The number of hazards that the command line allowed.
    pub(crate) allowed: usize,
    /// Why it could not be checked, or not with ptxas.
    pub(crate) failure: Option<String>,
}

impl Checked {
    /// A file that could not be checked.
    pub(crate) fn failed(name: String, failure: String) -> Self {
        Self { name, findings: Vec::new(), allowed: 0, failure: Some(failure) }
    }
}

/// The totals of some files.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Totals {
    /// The number of files.
    pub(crate) files: usize,
    /// The number of files that could not be checked.
    pub(crate) failures: usize,
    /// The number of files with errors or warnings.
    pub(crate) faulty: usize,
    /// The number of errors.
    pub(crate) errors: usize,
    /// The number of warnings.
    pub(crate) warnings: usize,
    /// The number of hazards that the command line allowed.
    pub(crate) allowed: usize,
}

impl Totals {
    /// The totals of these files.
    pub(crate) fn of(files: &[Checked]) -> Self {
        let mut totals = Self::default();
        for file in files {
            totals.add(file);
        }
        totals
    }

    /// Adds a file.
    pub(crate) fn add(&mut self, file: &Checked) {
        let count = |level| file.findings.iter().filter(|finding| finding.level == level).count();
        let (errors, warnings) = (count(Level::Error), count(Level::Warning));
        self.files += 1;
        self.failures += usize::from(file.failure.is_some());
        self.faulty += usize::from(errors + warnings > 0);
        self.errors += errors;
        self.warnings += warnings;
        self.allowed += file.allowed;
    }

    /// The totals in one line: "3 errors and 1 warning in kernels.ptx". `only` is the file, if there is only one.
    pub(crate) fn summary(&self, only: Option<&str>) -> String {
        let found = match (self.errors, self.warnings) {
            (0, 0) => "no errors".to_owned(),
            (errors, 0) => Count(errors, "error").to_string(),
            (0, warnings) => Count(warnings, "warning").to_string(),
            (errors, warnings) => {
                format!("{} and {}", Count(errors, "error"), Count(warnings, "warning"))
            }
        };
        let read = self.files - self.failures;
        let place = match only {
            Some(name) => name.to_owned(),
            None if self.faulty == 0 => Count(read, "file").to_string(),
            None => format!("{} of {}", self.faulty, Count(read, "file")),
        };
        let mut line = format!("{found} in {place}");
        if self.allowed > 0 {
            let _ = write!(line, " ({} allowed)", self.allowed);
        }
        if self.failures > 0 {
            let _ = write!(line, "; {} not checked", Count(self.failures, "file"));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_a_sentence() {
        let clean = Totals { files: 1, ..Totals::default() };
        assert_eq!(clean.summary(Some("a.ptx")), "no errors in a.ptx");
        let three = Totals { files: 1, faulty: 1, errors: 3, warnings: 1, allowed: 2, failures: 0 };
        assert_eq!(three.summary(Some("a.ptx")), "3 errors and 1 warning in a.ptx (2 allowed)");
        let several = Totals { files: 6, faulty: 2, errors: 1, failures: 1, ..Totals::default() };
        assert_eq!(several.summary(None), "1 error in 2 of 5 files; 1 file not checked");
        assert_eq!(Totals { files: 3, ..Totals::default() }.summary(None), "no errors in 3 files");
    }
}
