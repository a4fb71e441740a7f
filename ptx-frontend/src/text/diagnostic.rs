//! Diagnostics about a text.

use core::ops::Range;

/// A diagnostic about a text. `Display` writes its message and its help.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The kind of diagnostic.
    pub kind: Kind,
    /// The code of the rule, `A034`; `None` for syntax errors, syntax that only ptxas accepts (which is
    /// unenforced), and names.
    pub code: Option<&'static str>,
    /// The location, in bytes from the start of the text.
    pub range: Range<usize>,
    /// The message; unless it comes from a rule, it includes what to write instead.
    pub message: String,
    /// The rule's advice on what to write instead.
    pub help: Option<String>,
}

/// The kind of a diagnostic, by what requires it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// The grammar.
    Syntax,
    /// A name is undeclared, or denotes something else.
    Name,
    /// A rule that ptxas or the driver enforces as well.
    Refused,
    /// A rule of the PTX ISA that no tool enforces.
    Unenforced,
    /// A rule against code that the ISA allows but that faults, corrupts memory or hangs.
    Hazard,
    /// An allowance is not needed, which is a warning.
    Unneeded,
}

impl Kind {
    /// Whether it is an error, not a warning.
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
