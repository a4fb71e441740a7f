//! Places in a module.

use alloc::vec::Vec;

use super::body::TokenRange;
use super::{Function, Location, Module, Param, Variable};

/// A part of a module, by its place in the IR: what a violation blames. All numbers are indices from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Site {
    /// The module as a whole.
    Module,
    /// A variable of the module.
    Variable(usize),
    /// A function.
    Function(usize),
    /// A parameter of a function.
    Param {
        /// The function.
        function: usize,
        /// The parameter.
        param: usize,
    },
    /// A return value of a function.
    Return {
        /// The function.
        function: usize,
        /// The return value.
        index: usize,
    },
    /// A declaration in a body.
    Local {
        /// The function.
        function: usize,
        /// The declaration, among the function's `locals` followed by its `idle_shared` ones.
        local: usize,
    },
    /// Tokens of a statement.
    Tokens {
        /// The function.
        function: usize,
        /// The statement.
        statement: usize,
        /// The tokens.
        tokens: TokenRange,
    },
}

impl Site {
    /// Returns the index of the function that it is a part of; `None` for variables and the module.
    pub const fn function(self) -> Option<usize> {
        match self {
            Self::Module | Self::Variable(_) => None,
            Self::Function(function)
            | Self::Param { function, .. }
            | Self::Return { function, .. }
            | Self::Local { function, .. }
            | Self::Tokens { function, .. } => Some(function),
        }
    }
}

impl<'a> Module<'a> {
    /// Returns the Rust source location of a declaration; `None` if it is not known, and for statements, whose locations
    /// [`Function::places`] has.
    pub fn location(&self, site: Site) -> Option<Location<&'a str>> {
        let function = |index: usize| self.functions.get(index).copied();
        let place = match site {
            Site::Module | Site::Tokens { .. } => None,
            Site::Local { function: index, local } => function(index)?.local(local)?.place,
            Site::Variable(index) => self.variables.get(index)?.place,
            Site::Function(index) => function(index)?.place,
            Site::Param { .. } | Site::Return { .. } => self.param(site)?.variable.place,
        };
        place?.location()
    }

    /// Returns the parameter or the return value at a site.
    pub fn param(&self, site: Site) -> Option<&'a Param<'a>> {
        match site {
            Site::Param { function, param } => self.functions.get(function)?.params.get(param),
            Site::Return { function, index } => self.functions.get(function)?.returns.get(index),
            Site::Module
            | Site::Variable(_)
            | Site::Function(_)
            | Site::Local { .. }
            | Site::Tokens { .. } => None,
        }
    }
}

impl<'a> Function<'a> {
    /// Returns a declaration of the body, by its index among the [`locals`](Self::locals) followed by the
    /// [`idle_shared`](Self::idle_shared) ones.
    pub fn local(&self, index: usize) -> Option<&'a Variable<'a>> {
        self.locals.iter().chain(self.idle_shared).nth(index).copied()
    }

    /// Returns the index for [`local`](Self::local) of each declaration of the body, whose names are given in order.
    pub fn locals_in_order<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<usize> {
        let mut locals = self.locals.iter().enumerate().peekable();
        let first = self.locals.len();
        let mut idle = self.idle_shared.iter().enumerate().peekable();
        let each = names.map_while(|name| {
            let local = locals.next_if(|(_, variable)| variable.name == name).map(|(n, _)| n);
            local.or_else(|| {
                let idle = idle.next_if(|(_, variable)| variable.name == name);
                idle.map(|(n, _)| first + n)
            })
        });
        each.collect()
    }
}
