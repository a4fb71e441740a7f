//! The order of a module's declarations in its text: ptxas knows a name only after its declaration.

use alloc::vec::Vec;

use ptx_isa::sorted::SortedMap;

/// The positions of a module's declarations in its text; empty where the order is that of the writer.
#[derive(Debug, Default)]
pub struct Order<'a> {
    /// Where each variable and function is first declared.
    pub declared: SortedMap<&'a str, u32>,
    /// Where each function starts, by its index.
    pub functions: Vec<u32>,
}

/// What is declared before a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before<'c> {
    order: &'c Order<'c>,
    function: u32,
}

impl Order<'_> {
    /// What is declared before a function; `None` if the order does not count.
    pub(crate) fn before(&self, function: usize) -> Option<Before<'_>> {
        Some(Before { order: self, function: *self.functions.get(function)? })
    }
}

impl Before<'_> {
    /// Whether the module declares a name only after the function.
    pub(crate) fn lacks(self, name: &str) -> bool {
        self.order.declared.get(name).is_some_and(|first| *first > self.function)
    }
}
