//! A module against which every rule was checked.

use ptx_isa::rules::alignment::Demands;

use super::body::CheckedBody;
use super::unused::AllUnused;
use crate::ast::Function;
use crate::ast::{Item, Module, Wanting};
use crate::body::Body;

/// A module against which every rule was checked, as far as tokens allow.
pub struct Checked<'a> {
    /// The module.
    pub module: Module,
    /// The bodies of its items, in order.
    pub bodies: Vec<Option<CheckedBody<'a>>>,
    /// The bytes of its variables, in order, where tokens determine them.
    pub bytes: Vec<Option<usize>>,
    /// The demands of accesses on variables, as far as tokens determine them, where rustc knows of more.
    pub demanded: Vec<(usize, Demands)>,
    /// Whether a function returns several values, which makes ptxas abandon the usual calling convention.
    pub several_returns: bool,
    /// Whether it names types from outside without importing anything, which was reported.
    pub lacks_imports: bool,
    /// The unused names and variables; empty if the module has errors.
    pub unused: AllUnused,
    /// The fragments whose tokens are needed before anything can be checked.
    pub wanting: Option<Wanting>,
    /// The module for its other targets, in order.
    pub others: Vec<Checked<'a>>,
    /// Its kernels that another target lacks, by their items.
    pub partial: Vec<usize>,
    /// The kernels that it lacks, and another target has.
    pub other_kernels: Vec<OtherKernel>,
}

/// A kernel that the first target of a module lacks.
pub struct OtherKernel {
    /// The first of the [others](Checked::others) that has it.
    pub other: usize,
    /// The index of the item there.
    pub item: usize,
    /// The kernel as it is written, without its body's analysis.
    pub function: Box<Function>,
}

impl<'a> Checked<'a> {
    /// A module that is read again, once the tokens of the fragments that it uses are there.
    pub(crate) fn wanting(module: Module, wanting: Wanting) -> Self {
        Self {
            module,
            bodies: Vec::new(),
            bytes: Vec::new(),
            demanded: Vec::new(),
            several_returns: false,
            lacks_imports: false,
            unused: AllUnused::default(),
            wanting: Some(wanting),
            others: Vec::new(),
            partial: Vec::new(),
            other_kernels: Vec::new(),
        }
    }

    /// The body of an item, as parsed and as analysed.
    pub fn body(&self, item: usize) -> Option<(&Body, &CheckedBody<'a>)> {
        let Item::Function(function) = self.module.items.get(item)? else { return None };
        Some((function.body.as_ref()?, self.bodies.get(item)?.as_ref()?))
    }
}
