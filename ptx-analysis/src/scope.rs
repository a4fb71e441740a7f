//! Which names a body may use (PTX ISA 4.4).

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

use ptx_types::ir;
use ptx_types::ir::family::is_member;

/// What a name stands for that the function itself declares.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning<'a> {
    /// A declaration in the body, with its number among them.
    Declared(&'a ir::Variable<'a>, usize),
    /// A parameter, by its number.
    Param(usize),
    /// What is returned, by its number.
    Return(usize),
    /// A label, or what a declaration that could not be read may declare.
    Other,
}

/// What one block declares.
#[derive(Debug, Default)]
struct Scope<'a> {
    names: BTreeMap<&'a str, Meaning<'a>>,
    families: Vec<(&'a str, Option<usize>, Meaning<'a>)>,
    labels: BTreeSet<&'a str>,
}

impl<'a> Scope<'a> {
    fn is_empty(&self) -> bool {
        self.names.is_empty() && self.families.is_empty() && self.labels.is_empty()
    }

    fn find(&self, name: &str) -> Option<Meaning<'a>> {
        if let Some(meaning) = self.names.get(name) {
            return Some(*meaning);
        }
        let family = |(prefix, count, _): &&(&str, Option<usize>, Meaning<'a>)| {
            is_member(name, prefix, *count)
        };
        match self.families.iter().find(family) {
            Some((.., meaning)) => Some(*meaning),
            None => self.labels.contains(name).then_some(Meaning::Other),
        }
    }
}

/// What the blocks declare that are open, the innermost last.
#[derive(Debug)]
pub(crate) struct Scopes<'a> {
    open: Vec<Scope<'a>>,
    /// How often the meaning of a name may have changed.
    generation: usize,
}

impl<'a> Scopes<'a> {
    /// That of the whole body, in which the parameters of the function are declared.
    pub(crate) fn of(function: &'a ir::Function<'a>) -> Self {
        let mut scope = Scope::default();
        for (i, param) in function.params.iter().enumerate() {
            scope.names.insert(param.variable.name, Meaning::Param(i));
        }
        for (i, param) in function.returns.iter().enumerate() {
            scope.names.insert(param.variable.name, Meaning::Return(i));
        }
        Self { open: vec![scope], generation: 0 }
    }

    /// A number that is another one whenever a name may have another meaning.
    pub(crate) fn generation(&self) -> usize {
        self.generation
    }

    /// Starts a block.
    pub(crate) fn open(&mut self) {
        self.open.push(Scope::default());
    }

    /// Ends a block.
    pub(crate) fn close(&mut self) {
        if self.open.len() > 1
            && let Some(closed) = self.open.pop()
            && !closed.is_empty()
        {
            self.generation += 1;
        }
    }

    /// What a name stands for.
    pub(crate) fn find(&self, name: &str) -> Option<Meaning<'a>> {
        self.open.iter().rev().find_map(|scope| scope.find(name))
    }

    /// Declares a label of the innermost block; whether its name was free.
    pub(crate) fn declare_label(&mut self, name: &'a str) -> bool {
        self.generation += 1;
        let Some(scope) = self.open.last_mut() else { return true };
        scope.labels.insert(name) && !scope.names.contains_key(name)
    }

    /// Takes a name for declared, as one or as a family.
    pub(crate) fn assume(&mut self, name: &'a str) {
        self.generation += 1;
        if let Some(scope) = self.open.last_mut() {
            scope.names.insert(name, Meaning::Other);
            scope.families.push((name, None, Meaning::Other));
        }
    }

    /// Declares a variable by this name; whether that was free.
    pub(crate) fn declare(
        &mut self,
        name: &'a str,
        variable: &'a ir::Variable<'a>,
        number: usize,
    ) -> bool {
        self.generation += 1;
        let meaning = Meaning::Declared(variable, number);
        let Some(scope) = self.open.last_mut() else { return true };
        let Some((count, _)) = variable.ty.family() else {
            let is_free = scope.find(name).is_none();
            scope.names.insert(name, meaning);
            return is_free;
        };
        let count = count.known();
        let overlaps = scope.families.iter().any(|(prefix, ..)| *prefix == name)
            || scope.names.keys().any(|other| is_member(other, name, count));
        scope.families.push((name, count, meaning));
        !overlaps
    }

    /// The names that can be seen from here, and the families with how many members each has.
    pub(crate) fn visible(&self) -> (Vec<&'a str>, Vec<(&'a str, Option<usize>)>) {
        let mut names = Vec::new();
        let mut families = Vec::new();
        for scope in &self.open {
            names.extend(scope.names.keys().chain(scope.labels.iter()).copied());
            families.extend(scope.families.iter().map(|(prefix, count, _)| (*prefix, *count)));
        }
        (names, families)
    }
}
