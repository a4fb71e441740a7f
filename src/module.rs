//! The module that the macro generates: its text, its memory, its rules.

#[cfg(feature = "parse")]
use alloc::string::String;
#[cfg(feature = "check")]
use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

use ptx_emit::MemoryMap;
#[cfg(feature = "parse")]
use ptx_text::Parsed;
use ptx_types::ir;

#[cfg(feature = "check")]
use crate::finding::{Finding, is_text_alone, of_ir, of_text};

/// A module. `Display` prints the PTX text.
///
/// `#[ptx::module]` defines one as `MODULE`; it derefs to the IR.
#[derive(Clone, Copy, Debug)]
pub struct Module<'a>(ir::Module<'a>);

impl<'a> Module<'a> {
    /// The module of this IR.
    pub const fn new(ir: ir::Module<'a>) -> Self {
        Self(ir)
    }

    /// Reads PTX text, as compilers and people write it. This never fails: what could be read is in the
    /// [IR](Parsed::module), each error is one of the [findings](Parsed::check), with its location, and
    /// the module prints every byte of the text unchanged. It needs the feature `parse`, which is on by default.
    ///
    /// ```
    /// let parsed = ptx::Module::parse(
    ///     ".version 8.0 .target sm_90a .address_size 64
    ///     .visible .entry scale(.param .u64 data) { ret; }",
    /// );
    /// assert!(parsed.check().is_empty());
    /// assert_eq!(parsed.module().functions[0].param_bytes(), Some(8));
    /// ```
    #[cfg(feature = "parse")]
    pub fn parse(text: impl Into<String>) -> Parsed {
        Parsed::new(text)
    }

    /// The IR.
    pub const fn ir(&self) -> &ir::Module<'a> {
        &self.0
    }

    /// Returns every rule that the module breaks, in its declarations and in its bodies. Call it for a module that was
    /// built by hand or changed after its expansion. For a module from `#[ptx::module]` it returns nothing,
    /// unless a body is wrong because of a Rust constant that the macro could not see, or because of the target of a
    /// pointer in a struct that a kernel takes: the macro does not see inside structs either. Nothing is known of
    /// [verbatim](ir::Body::verbatim) statements, nor of the bodies that contain them.
    ///
    /// For a module from [`import!`](macro@crate::import), the text is read and everything in it is checked.
    ///
    /// It needs the feature `check`, which is on by default.
    #[cfg(feature = "check")]
    pub fn check(&self) -> Vec<Finding<'a>> {
        match self.0.source {
            Some(text) if is_text_alone(&self.0) => of_text(&self.0, text),
            Some(_) | None => of_ir(&self.0),
        }
    }

    /// The memory that the module's storage takes, against the budgets of its target.
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
