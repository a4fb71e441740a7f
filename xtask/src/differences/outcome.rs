//! What an assembler does with a file, and what the rules report.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ptx_text::Parsed;

/// Whether a file is assembled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// It is.
    Accepted,
    /// There is an error message.
    Refused,
    /// The assembler ends with a signal, without a message or with an internal error, or does not end.
    Crashed,
}

impl Verdict {
    const ALL: [Self; 3] = [Self::Accepted, Self::Refused, Self::Crashed];

    /// The verdict in a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepts",
            Self::Refused => "refuses",
            Self::Crashed => "crashes",
        }
    }
}

/// What a ptxas does with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Whether it is assembled.
    pub verdict: Verdict,
    /// Its messages, or how it ends; of a file that it accepts, also the bytes of variables, `x = 01 00`.
    pub details: Vec<String>,
}

impl Outcome {
    /// Whether two runs agree. A crash may end in different ways, and depends on the C library.
    pub fn agrees(&self, other: &Self) -> bool {
        self.verdict == other.verdict
            && (self.verdict == Verdict::Crashed || self.details == other.details)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verdict.name())?;
        self.details.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

/// What is recorded about a file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Recorded {
    /// What each release of ptxas does.
    pub ptxas: BTreeMap<String, Outcome>,
    /// What `ptx check` finds: the codes of rules, and `syntax`.
    pub rules: BTreeSet<String>,
}

const PTXAS: &str = "ptxas ";
const RULES: &str = "ptx check: ";
const NOTHING: &str = "nothing";

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (version, outcome) in &self.ptxas {
            writeln!(f, "{PTXAS}{version}: {outcome}")?;
        }
        let codes: Vec<&str> = self.rules.iter().map(String::as_str).collect();
        let codes = if codes.is_empty() { NOTHING.to_owned() } else { codes.join(" ") };
        writeln!(f, "{RULES}{codes}")
    }
}

impl Recorded {
    /// Reads what [`Display`](fmt::Display) wrote.
    ///
    /// # Errors
    /// If a line is something else.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut recorded = Self::default();
        let mut last = None;
        for line in text.lines() {
            let wrong = || format!("`{line}` is not an outcome");
            if let Some(detail) = line.strip_prefix("  ") {
                let version = last.as_ref().ok_or_else(wrong)?;
                let outcome: &mut Outcome = recorded.ptxas.get_mut(version).ok_or_else(wrong)?;
                outcome.details.push(detail.to_owned());
            } else if let Some(codes) = line.strip_prefix(RULES) {
                let codes = codes.split(' ').filter(|code| *code != NOTHING);
                recorded.rules = codes.map(str::to_owned).collect();
            } else {
                let rest = line.strip_prefix(PTXAS).ok_or_else(wrong)?;
                let (version, verdict) = rest.split_once(": ").ok_or_else(wrong)?;
                let verdict = Verdict::ALL.into_iter().find(|it| it.name() == verdict);
                let outcome = Outcome { verdict: verdict.ok_or_else(wrong)?, details: Vec::new() };
                recorded.ptxas.insert(version.to_owned(), outcome);
                last = Some(version.to_owned());
            }
        }
        Ok(recorded)
    }
}

/// What `ptx check` finds in a file: the codes of the rules, and `syntax` for errors without one.
pub(super) fn codes(module: &[u8]) -> BTreeSet<String> {
    let parsed = Parsed::from_bytes(module.to_vec());
    let found = parsed.check();
    found.iter().map(|found| found.code.unwrap_or("syntax").to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_recorded_is_read_back() {
        let text =
            "ptxas 12.9.86: accepts\n  x = 01\nptxas 13.0.88: crashes\nptx check: D001 syntax\n";
        let recorded = Recorded::read(text).expect("it is well formed");
        assert_eq!(recorded.to_string(), text);
        assert_eq!(recorded.ptxas["12.9.86"].details, ["x = 01"]);
        assert!(
            Recorded::read("ptx check: nothing\n").expect("it is well formed").rules.is_empty()
        );
        for wrong in ["  x = 01", "ptxas 12.9.86: does", "ptxas", "something"] {
            Recorded::read(wrong).expect_err(wrong);
        }
    }

    #[test]
    fn crashes_agree_however_they_end() {
        let crash =
            |how: &str| Outcome { verdict: Verdict::Crashed, details: vec![how.to_owned()] };
        assert!(crash("signal 6").agrees(&crash("signal 11")));
        let refusal = Outcome { verdict: Verdict::Refused, ..crash("signal 6") };
        assert!(!refusal.agrees(&crash("signal 6")));
        assert!(!refusal.agrees(&Outcome { details: Vec::new(), ..refusal.clone() }));
    }
}
