//! The symbols that a body can use from outside itself.

use alloc::string::String;
use alloc::vec::Vec;

use ptx_isa::ir::{self, family};
use ptx_isa::sorted::{SortedMap, SortedSet};

/// The symbols that a body can use from outside itself, by the names in its text. A front end whose names differ
/// from the PTX names, as Rust's may, provides the PTX name of each.
#[derive(Debug, Default)]
pub struct Symbols<'a> {
    /// The module's variables; several with one name if a condition chooses between them.
    pub variables: SortedMap<String, Vec<Symbol<&'a ir::Variable<'a>>>>,
    /// The module's functions and kernels.
    pub functions: SortedMap<String, Vec<Symbol<&'a ir::Function<'a>>>>,
    /// A parameter of a kernel that points to constant memory, if there is one.
    pub constant_pointer: Option<&'a str>,
    /// The functions, by index, that certainly return.
    pub returning: SortedSet<usize>,
    /// For each function, by index, the parameters that it certainly uses in a computation.
    pub needed: SortedMap<usize, SortedSet<usize>>,
}

/// A module-level symbol.
#[derive(Clone, Debug)]
pub struct Symbol<T> {
    /// Its index among the caller's variables or functions.
    pub index: usize,
    /// The PTX name.
    pub name: String,
    /// The declaration, with unknowns where the front end lacks information.
    pub ir: T,
    /// Whether its alignment is a constant that the front end cannot evaluate.
    pub is_alignment_deferred: bool,
}

impl<'a> Symbols<'a> {
    /// Returns the variables that `name` may refer to, including through family members, with the PTX name.
    pub fn variables(&self, name: &str) -> Option<(&[Symbol<&'a ir::Variable<'a>>], String)> {
        let (found, number) = self.find(name)?;
        Some((found, [found[0].name.as_str(), number].concat()))
    }

    /// Returns the variables that `name` may refer to, and the number of the member that it names, if any.
    fn find<'n>(&self, name: &'n str) -> Option<(&[Symbol<&'a ir::Variable<'a>>], &'n str)> {
        if let Some(found) = self.variables.get(name) {
            let plain = found.iter().any(|symbol| symbol.ir.ty.family().is_none());
            return plain.then_some((found, ""));
        }
        let base = family::base_of(name)?;
        let found = self.variables.get(base)?;
        let is_member = found.iter().any(|symbol| match symbol.ir.ty.family() {
            Some((count, _)) => family::is_member(name, base, count.known()),
            None => false,
        });
        is_member.then_some((found, &name[base.len()..]))
    }

    /// Returns what is declared in PTX, a family or something else, under each of the names there that `name` may
    /// have: several if a condition chooses.
    pub fn in_ptx(&self, name: &str) -> impl Iterator<Item = (&str, String)> {
        let (variables, number) = self.find(name).unwrap_or((&[], ""));
        let variables = variables.iter().map(|symbol| symbol.name.as_str());
        let functions = self.functions.get(name).into_iter().flatten();
        let functions = functions.map(|symbol| (symbol.name.as_str(), symbol.name.clone()));
        variables.map(move |name| (name, [name, number].concat())).chain(functions)
    }

    /// Returns the variable that `name` refers to, directly or through a family member, with the PTX name.
    pub fn variable(&self, name: &str) -> Option<(&Symbol<&'a ir::Variable<'a>>, String)> {
        let (found, name) = self.variables(name)?;
        Some((found.first()?, name))
    }
}

#[cfg(test)]
mod tests;
