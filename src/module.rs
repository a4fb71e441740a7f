//! The module that the macro leaves: its text, its memory, its rules.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use ptx_analysis::check_module;
use ptx_emit::MemoryMap;
use ptx_frontend::text::Parsed;
use ptx_types::ir;

use crate::finding::{Finding, is_text_alone, of_text};

/// A module that prints itself: `Display` is the PTX text.
///
/// What `#[ptx::module]` leaves in `MODULE`; it derefs to the IR.
#[derive(Clone, Copy, Debug)]
pub struct Module<'a>(ir::Module<'a>);

impl<'a> Module<'a> {
    /// The module of this IR.
    pub const fn new(ir: ir::Module<'a>) -> Self {
        Self(ir)
    }

    /// Reads PTX text, as compilers and people write it. It does not fail: what could be read is in the
    /// [IR](Parsed::module), what is wrong among the [findings](Parsed::check), each at its place, and every
    /// byte of the text in what it prints.
    ///
    /// ```
    /// let parsed = ptx::Module::parse(
    ///     ".version 8.0 .target sm_90a .address_size 64
    ///     .visible .entry scale(.param .u64 data) { ret; }",
    /// );
    /// assert!(parsed.check().is_empty());
    /// assert_eq!(parsed.module().functions[0].param_bytes(), Some(8));
    /// ```
    pub fn parse(text: impl Into<String>) -> Parsed {
        Parsed::new(text)
    }

    /// The IR.
    pub const fn ir(&self) -> &ir::Module<'a> {
        &self.0
    }

    /// Every rule that the module breaks, in its declarations and in its bodies: what a module built by
    /// hand or changed after its expansion has to be asked. Nothing for what `#[ptx::module]` let pass,
    /// unless a Rust constant that the macro could not see makes a body wrong, or where a pointer in a struct
    /// leads, which a kernel takes: what is in a struct the macro does not see either. Of statements that are
    /// [verbatim](ir::Body::verbatim) nothing is known, nor of the bodies that have them.
    ///
    /// Of a module that [`import!`](macro@crate::import) left, the text is read, and everything in it judged.
    pub fn check(&self) -> Vec<Finding<'a>> {
        match self.0.source {
            Some(text) if is_text_alone(&self.0) => of_text(&self.0, text),
            Some(_) | None => check_module(&self.0).into_iter().map(Finding::of_module).collect(),
        }
    }

    /// What the module's storage takes, against the budgets of its target.
    pub fn memory_map(&self) -> MemoryMap<'a> {
        MemoryMap::of(&self.0)
    }
}

impl<'a> Deref for Module<'a> {
    type Target = ir::Module<'a>;
    fn deref(&self) -> &ir::Module<'a> {
        &self.0
    }
}

impl fmt::Display for Module<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ptx_emit::write(&self.0, f)
    }
}
