//! What is wrong with a text.

use core::ops::Range;

/// Something that is wrong with a text. `Display` is its message and what to write instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Who says so.
    pub kind: Kind,
    /// The code of the rule, `A034`; `None` of what is no PTX, which is unenforced where ptxas takes it, and of names.
    pub code: Option<&'static str>,
    /// Where, in bytes from the start of the text.
    pub range: Range<usize>,
    /// What is wrong; where no rule says so, with what to write instead.
    pub message: String,
    /// What to write instead, as a rule says it.
    pub help: Option<String>,
}

/// Who says that something is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// The grammar.
    Syntax,
    /// Nothing declares a name, or it stands for something else.
    Name,
    /// A rule that ptxas or the driver has, too.
    Refused,
    /// A rule of the PTX ISA that no tool enforces.
    Unenforced,
    /// A rule against what the ISA allows, and what faults, corrupts or hangs.
    Hazard,
    /// Nothing needs an allowance, which is a warning.
    Unneeded,
}

impl Kind {
    /// Whether it is an error, and not a warning.
    pub const fn is_error(self) -> bool {
        !matches!(self, Self::Unneeded)
    }
}

impl core::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Diagnostic {}
