//! A violation in the wording for readers of PTX, who declare nothing in Rust.

use core::fmt;

use super::language::Language;
use super::{NONE, Table, Violation};
use crate::text::Text;

/// A violation whose fix is stated in PTX. The rule's code and its source are not part of the text.
#[derive(Clone, Copy, Debug)]
pub struct InPtx<'v, 'a, T: Table>(&'v Violation<'a, T>);

impl<'a, T: Table> Violation<'a, T> {
    /// The violation in the wording for readers of PTX.
    pub const fn in_ptx(&self) -> InPtx<'_, 'a, T> {
        InPtx(self)
    }
}

impl<T: Table> InPtx<'_, '_, T> {
    /// The problem.
    pub const fn message(&self) -> Text<1024> {
        let mut text = Text::new();
        self.0.push_message(&mut text, NONE, Language::Ptx);
        text
    }

    /// The fix.
    pub const fn fix(&self) -> Text<1024> {
        let mut text = Text::new();
        self.0.push_fix(&mut text, NONE, Language::Ptx);
        text
    }

    /// The problem and the fix.
    pub const fn text(&self) -> Text<1024> {
        let mut text = self.message();
        text.push_str("; ");
        self.0.push_fix(&mut text, NONE, Language::Ptx);
        text
    }
}

impl<T: Table> fmt::Display for InPtx<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}
