//! Diagnostics about a text.

use core::ops::Range;

use ptx_isa::rules;

/// A diagnostic about a text. `Display` writes its message, its help and the rule with its section of the PTX ISA, as
/// compile errors do; [`Parsed::position`](super::Parsed::position) has the line and column of its range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The kind of diagnostic.
    pub kind: Kind,
    /// The code of the rule, `A034`; `None` for syntax errors, and syntax that only ptxas accepts (which is
    /// unenforced) or of which it warns.
    pub code: Option<&'static str>,
    /// The location, in bytes from the start of the text.
    pub range: Range<usize>,
    /// The location of the other of two accesses that it is about, in bytes from the start of the text.
    pub other: Option<Range<usize>>,
    /// The message; unless it comes from a rule, it includes what to write instead.
    pub message: String,
    /// The rule's advice on what to write instead.
    pub help: Option<String>,
}

/// The kind of a diagnostic, by what requires it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// The grammar.
    Syntax,
    /// A rule that ptxas or the driver enforces as well.
    Refused,
    /// A rule of the PTX ISA that no tool enforces.
    Unenforced,
    /// A rule against code that the ISA allows but that faults, corrupts memory or hangs.
    Hazard,
    /// A rule against what tools accept with a warning, which is a warning here as well.
    Warned,
    /// An allowance is not needed, which is a warning.
    Unneeded,
    /// From here on, the threads of a kernel are not followed in the launch that is given, which is information.
    NotFollowed,
}

impl Kind {
    /// Whether it is an error, not a warning.
    pub const fn is_error(self) -> bool {
        !matches!(self, Self::Warned | Self::Unneeded | Self::NotFollowed)
    }
}

impl core::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.message)?;
        if let Some(help) = &self.help {
            write!(f, "; {help}")?;
        }
        // An allowance that is not needed breaks no rule, and its message has the code.
        match self.code.filter(|_| self.kind != Kind::Unneeded).and_then(rules::rule) {
            Some(rule) => write!(f, " [{}, PTX ISA {}]", rule.code, rule.source),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Diagnostic {}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(kind: Kind, code: Option<&'static str>, help: Option<&str>) -> String {
        let help = help.map(str::to_owned);
        let message = "wrong".to_owned();
        Diagnostic { kind, code, range: 0..1, other: None, message, help }.to_string()
    }

    #[test]
    fn the_message_the_help_and_the_rule_are_shown() {
        assert_eq!(shown(Kind::Syntax, None, None), "wrong");
        assert_eq!(shown(Kind::Hazard, Some("A034"), None), "wrong [A034, PTX ISA 5.2.1]");
        let full = shown(Kind::Hazard, Some("A034"), Some("write it"));
        assert_eq!(full, "wrong; write it [A034, PTX ISA 5.2.1]");
        assert_eq!(shown(Kind::Unneeded, Some("A034"), None), "wrong");
    }
}
