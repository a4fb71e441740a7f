//! What a body finds outside itself.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use ptx_types::ir::{self, family};

/// The names that a body finds outside itself, as its text has them. A front end whose names are not
/// those of the PTX, as Rust's may not be, says of each what it is called there.
#[derive(Debug, Default)]
pub struct Symbols<'a> {
    /// The module's variables; several under one name where a condition chooses.
    pub variables: BTreeMap<String, Vec<Symbol<&'a ir::Variable<'a>>>>,
    /// The module's functions and kernels.
    pub functions: BTreeMap<String, Vec<Symbol<&'a ir::Function<'a>>>>,
    /// A parameter of a kernel that points to constant memory, if there is one.
    pub constant_pointer: Option<&'a str>,
    /// The functions, by their index, from which control surely comes back.
    pub returning: BTreeSet<usize>,
    /// Of functions, by their index, the parameters that they surely compute with.
    pub needed: BTreeMap<usize, BTreeSet<usize>>,
}

/// What a name of the module stands for.
#[derive(Clone, Debug)]
pub struct Symbol<T> {
    /// Its index among the variables or functions of the caller.
    pub index: usize,
    /// The name in PTX.
    pub name: String,
    /// The declaration, with unknowns where the front end cannot tell.
    pub ir: T,
    /// Whether its alignment is a constant that the front end cannot tell.
    pub is_alignment_deferred: bool,
}

impl<T> Symbol<T> {
    /// What is all known.
    pub(crate) const fn known(index: usize, name: String, ir: T) -> Self {
        Self { index, name, ir, is_alignment_deferred: false }
    }
}

impl<'a> Symbols<'a> {
    /// The variables that `name` can be, members of families among them, with the name in PTX.
    pub fn variables(&self, name: &str) -> Option<(&[Symbol<&'a ir::Variable<'a>>], String)> {
        if let Some(found) = self.variables.get(name) {
            let plain = found.iter().any(|symbol| symbol.ir.ty.family().is_none());
            return plain.then(|| (found.as_slice(), found[0].name.clone()));
        }
        let base = family::base_of(name)?;
        let found = self.variables.get(base)?;
        let is_member = found.iter().any(|symbol| match symbol.ir.ty.family() {
            Some((count, _)) => family::is_member(name, base, count.known()),
            None => false,
        });
        is_member
            .then(|| (found.as_slice(), [found[0].name.as_str(), &name[base.len()..]].concat()))
    }

    /// The variable that `name` stands for, itself or through a member, with the name in PTX.
    pub fn variable(&self, name: &str) -> Option<(&Symbol<&'a ir::Variable<'a>>, String)> {
        let (found, name) = self.variables(name)?;
        Some((found.first()?, name))
    }
}

#[cfg(test)]
mod tests;
