//! The fragments that are being inlined, and where statements come from.

use std::rc::Rc;

use proc_macro2::Span;
use ptx_isa::sorted::SortedMap;

use super::super::fragments::Fragment;

/// The statement of a fragment that a statement of a body comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// The use of the fragment, by its number.
    pub(crate) of: usize,
    /// Which of the fragment's statements it is.
    pub(crate) statement: usize,
    /// Where that is written.
    pub(crate) at: Span,
}

/// A use of a fragment.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// The fragment's name.
    pub(crate) name: String,
    /// Where it is used.
    pub(crate) at: Span,
    /// The statement of another fragment that it is, by the number of its origin.
    pub(crate) parent: Option<usize>,
    /// Whether the fragment is used to check it where it is written, so that spans show its own statements.
    pub(crate) is_definition: bool,
}

/// The fragments that are being inlined.
#[derive(Default)]
pub(super) struct Inlining {
    /// From the outermost to the innermost.
    pub(super) stack: Vec<Rc<Fragment>>,
    /// The constants that were made for splices that do not depend on a use, by the fragment's address.
    pub(super) own: SortedMap<(usize, usize), usize>,
    pub(super) origins: Vec<Origin>,
    pub(super) uses: Vec<Use>,
    /// The origin of the statements that are being written.
    pub(super) current: Option<usize>,
    /// Whether a statement was left out, for a fragment that is not known.
    pub(super) is_incomplete: bool,
}

impl Inlining {
    /// Whether no fragment is being inlined.
    pub(super) fn is_outside(&self) -> bool {
        self.stack.is_empty()
    }
}
