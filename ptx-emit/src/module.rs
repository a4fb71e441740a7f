use core::fmt;
use core::ops::Deref;

use ptx_types::ir;
use ptx_types::rules::{self, Violation};

use crate::memory_map::MemoryMap;

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

    /// The IR.
    pub const fn ir(&self) -> &ir::Module<'a> {
        &self.0
    }

    /// Every rule that the module breaks; nothing for what `#[ptx::module]` let pass.
    pub fn violations(&self) -> Vec<Violation<'a>> {
        rules::check_module(&self.0)
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
        crate::write(&self.0, f)
    }
}
