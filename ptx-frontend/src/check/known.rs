//! What the tokens of a module show, and do not show, besides the IR.

use ptx_analysis::{Known, Place, Unknown};
use ptx_isa::ir::{self, Site};
use ptx_isa::rules::Environment;

use super::lower::Lowered;
use crate::ast::{Function, Module, Variable};
use crate::attribute::is_conditional;
use crate::name::ptx_name;

/// The most steps of warps in which the threads of a kernel are followed: macros are not optimised, and tests follow the
/// rest.
const EFFORT: usize = 20_000;

/// A module in tokens.
pub(super) struct InTokens<'c, 'a> {
    module: &'c Module,
    lowered: &'c Lowered<'a>,
    variables: Vec<&'c Variable>,
    functions: Vec<&'c Function>,
    /// The names of the variables in Rust, and those of the functions.
    names: [Vec<String>; 2],
}

impl<'c, 'a> InTokens<'c, 'a> {
    pub(super) fn of(module: &'c Module, lowered: &'c Lowered<'a>) -> Self {
        Self {
            module,
            lowered,
            variables: module.each_variable().collect(),
            functions: module.each_function().collect(),
            names: [
                module.each_variable().map(|variable| ptx_name(&variable.ident)).collect(),
                module.function_names(),
            ],
        }
    }
}

impl<'a> Known<'a> for InTokens<'_, 'a> {
    fn environment(&self, _: &ir::Module<'a>) -> Environment {
        environment(self.module)
    }

    fn name(&self, site: Site) -> Option<&str> {
        let (list, n) = match site {
            Site::Variable(n) => (0, n),
            Site::Function(n) => (1, n),
            _ => return None,
        };
        self.names[list].get(n).map(String::as_str)
    }

    fn is_conditional(&self, site: Site) -> bool {
        match site {
            Site::Variable(n) => is_conditional(&self.variables[n].attrs),
            Site::Function(n) => is_conditional(&self.functions[n].attrs),
            _ => false,
        }
    }

    fn is_alignment_unknown(&self, variable: usize) -> bool {
        let is_given = self.variables[variable].align.is_some();
        is_given && self.lowered.ir.variables[variable].align.is_none()
    }

    fn assumed(&self, function: usize) -> &[&'a str] {
        &self.lowered.functions[function].assumed
    }

    fn unknown(&self, function: usize) -> Option<Unknown<'_>> {
        let lowered = &self.lowered.functions[function];
        Some(Unknown {
            values: &lowered.values,
            same: &lowered.same,
            declared: &lowered.is_unknown,
            directives: &lowered.directives,
        })
    }

    fn effort(&self) -> usize {
        EFFORT
    }

    fn line(&self, function: usize, place: Place) -> Option<u32> {
        let (start, _) = self.functions[function].body.as_ref()?.at(place)?;
        u32::try_from(start.start().line).ok()
    }
}

/// What a module is checked for.
pub(super) fn environment(module: &Module) -> Environment {
    let args = &module.args;
    Environment {
        target: args.target,
        version: args.version.map(|(version, _)| version),
        release: args.release,
        texture_mode: Some(args.texture_mode),
    }
}
