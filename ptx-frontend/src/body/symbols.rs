//! What a body finds outside itself.

use std::collections::HashMap;

use ptx_types::ir::family::{base_of, is_member};
use ptx_types::ir::{self, Extent};

/// The names that a body finds outside itself, by their names in Rust.
#[derive(Debug, Default)]
pub struct Symbols<'a> {
    /// The module's variables; several under one name where `cfg` chooses.
    pub variables: HashMap<String, Vec<Symbol<&'a ir::Variable<'a>>>>,
    /// The module's functions and kernels.
    pub functions: HashMap<String, Vec<Symbol<&'a ir::Function<'a>>>>,
    /// What of Rust stands in the module.
    pub rust: HashMap<String, RustName>,
    /// A function that returns several values, if there is one.
    pub several_returns: Option<&'a str>,
    /// A parameter of a kernel that points to constant memory, if there is one.
    pub constant_pointer: Option<&'a str>,
}

/// A name of the module that PTX does not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RustName {
    /// A constant.
    Const,
    /// A static without an attribute.
    Static,
    /// A function without one.
    Function,
}

/// What a name of the module stands for.
#[derive(Clone, Debug)]
pub struct Symbol<T> {
    /// Its index among the items.
    pub index: usize,
    /// The name in PTX.
    pub name: String,
    /// The declaration, with unknowns where tokens do not tell.
    pub ir: T,
    /// Whether its alignment is a Rust constant that tokens do not tell.
    pub is_aligned_late: bool,
}

impl<'a> Symbols<'a> {
    /// The variables that `name` can be, members of families among them, with the name in PTX.
    pub(super) fn variables(
        &self,
        name: &str,
    ) -> Option<(&[Symbol<&'a ir::Variable<'a>>], String)> {
        if let Some(found) = self.variables.get(name) {
            let plain = found.iter().any(|symbol| symbol.ir.ty.family().is_none());
            return plain.then(|| (found.as_slice(), found[0].name.clone()));
        }
        let base = base_of(name)?;
        let found = self.variables.get(base)?;
        let is_member = found.iter().any(|symbol| {
            let family = symbol.ir.ty.family();
            family.is_some_and(|(count, _)| is_member(name, base, count.known()))
        });
        is_member.then(|| (found.as_slice(), format!("{}{}", found[0].name, &name[base.len()..])))
    }

    /// The variable that `name` stands for, itself or through a member, with the name in PTX.
    pub fn variable(&self, name: &str) -> Option<(&Symbol<&'a ir::Variable<'a>>, String)> {
        let (found, name) = self.variables(name)?;
        Some((found.first()?, name))
    }

    /// What to do about a name that stands for something of Rust.
    pub(crate) fn rust_hint(&self, name: &str) -> Option<String> {
        Some(match self.rust.get(name)? {
            RustName::Const => format!("`{name}` is a Rust constant; write `#({name})`"),
            RustName::Static => format!(
                "`{name}` is a Rust static, and no storage of the GPU; write `#[global]` or `#[constant]` before it"
            ),
            RustName::Function => {
                format!("`{name}` is a Rust function; write `#[device]` or `#[kernel]` before it")
            }
        })
    }

    /// What is wrong with a name that stands for a family or for a member that it does not have.
    pub(crate) fn family_fault(&self, name: &str) -> Option<String> {
        self.variables.iter().find_map(|(base, found)| match found.first()?.ir.ty.family()?.0 {
            _ if base == name => Some(family_named(base)),
            Extent::Known(count) if is_member(name, base, None) => {
                Some(member_missing(name, base, count))
            }
            Extent::Known(_) | Extent::Incomplete | Extent::Unknown => None,
        })
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.keys().chain(self.functions.keys()).map(String::as_str)
    }
}

pub(super) fn family_named(prefix: &str) -> String {
    format!("`{prefix}` is a family; name one of its members, as in `{prefix}0`")
}

pub(super) fn member_missing(name: &str, prefix: &str, count: usize) -> String {
    let last = count.saturating_sub(1);
    format!(
        "`{name}` is not declared: `{prefix}<{count}>` ends at `{prefix}{last}`; declare more of them"
    )
}
