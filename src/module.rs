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
pub struct Module<'a> {
    ir: ir::Module<'a>,
    others: &'a [&'a Self],
}

impl<'a> Module<'a> {
    /// The module of this IR.
    pub const fn new(ir: ir::Module<'a>) -> Self {
        Self { ir, others: &[] }
    }

    /// The same, with the modules that it is for other targets: `#[ptx::module(targets = [..])]` declares it once for all of them.
    pub const fn with_others(mut self, others: &'a [&'a Self]) -> Self {
        self.others = others;
        self
    }

    /// The module for each of its targets, this one first.
    pub fn each_target(&self) -> impl Iterator<Item = &Self> {
        core::iter::once(self).chain(self.others.iter().copied())
    }

    /// The module for the target that suits a device of this architecture (90 for compute capability 9.0) best: the latest
    /// that it runs, and of these the one with a letter at its end. `None` if it runs none.
    ///
    /// ```
    /// use ptx::prelude::*;
    ///
    /// #[ptx::module(targets = [sm_80, sm_90a])]
    /// mod nothing {
    ///     #[kernel]
    ///     pub fn nothing() {
    ///         ptx! { ret; }
    ///     }
    /// }
    ///
    /// # fn main() {
    /// let target = |arch| nothing::MODULE.for_arch(arch).map(|module| module.target);
    /// assert_eq!(target(75), None);
    /// assert_eq!(target(89), Some(ptx::Target::Sm80));
    /// assert_eq!(target(90), Some(ptx::Target::Sm90a));
    /// assert_eq!(target(100), Some(ptx::Target::Sm80));
    /// # }
    /// ```
    pub fn for_arch(&self, arch: u16) -> Option<&Self> {
        let fit = self.each_target().filter(|module| module.target.runs_on(arch));
        fit.min_by_key(|module| module.target.preference())
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
        &self.ir
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
        match self.ir.source {
            Some(text) if is_text_alone(&self.ir) => of_text(&self.ir, text),
            Some(_) | None => of_ir(&self.ir),
        }
    }

    /// The memory that the module's storage takes, against the budgets of its target.
    pub fn memory_map(&self) -> MemoryMap<'a> {
        MemoryMap::of(&self.ir)
    }
}

impl<'a> Deref for Module<'a> {
    type Target = ir::Module<'a>;
    fn deref(&self) -> &ir::Module<'a> {
        &self.ir
    }
}

impl fmt::Display for Module<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ptx_emit::write(&self.ir, f)
    }
}
