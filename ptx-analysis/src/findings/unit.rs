//! The input and the output of an analysis: a body, its surroundings, and the results.

use alloc::vec::Vec;
use core::cell::Cell;

use ptx_isa::Version;
use ptx_isa::ir;
use ptx_isa::rules::Environment;

use crate::findings::deferred::{Deferred, DeferredArgument, Demanded};
use crate::findings::finding::Finding;
use crate::findings::order::Before;
use crate::findings::symbols::Symbols;
use crate::flow::object::DeferredObject;
use crate::flow::place::Place;
use crate::values::argument::{Argument, Called, MustCall};
use crate::values::constants::Constants;
use crate::values::launch::Block;
use crate::values::launches::Following;

/// A body, and what is known about its surroundings.
#[derive(Clone, Copy)]
pub(crate) struct Unit<'c, 'a> {
    /// The symbols visible from outside the body.
    pub symbols: &'c Symbols<'a>,
    /// The function's index in its module.
    pub index: usize,
    /// The function's own signature.
    pub function: &'a ir::Function<'a>,
    /// The body, with names as in `symbols`.
    pub body: ir::Body<'a>,
    /// Its declarations in order, named or not.
    pub declared: &'c [Declared<'a>],
    /// What is known about its constants.
    pub constants: Constants<'c>,
    /// The environment that the module is checked for.
    pub environment: Environment,
    /// The block extents, as far as directives specify them.
    pub block: Block,
    /// The maximum number of blocks of a cluster, if directives specify it, and whether it is exact.
    pub cluster: Option<(u32, bool)>,
    /// How the function is called.
    pub called: &'c Called<'a>,
    /// Whether the module was read from PTX text, where a compiler may have declared other types than it accesses.
    pub is_ptx: bool,
    /// Names that count as declared, since their declaration could not be parsed.
    pub assumed: &'c [&'a str],
    /// What the module declares before the function, where only that is known; `None` where the order does not count.
    pub before: Option<Before<'c>>,
    /// How the threads of a kernel are followed in its launch, if they are.
    pub traced: Option<&'c Traced<'c>>,
    /// Whether checks that need an unknown constant or type are deferred; otherwise everything is known, and no
    /// check is deferred.
    pub defers: bool,
    /// Whether the body is analysed again, with values for more of its constants.
    pub is_first: bool,
}

/// How the threads of a kernel are followed.
#[derive(Clone, Copy)]
pub(crate) struct Traced<'c> {
    /// The directives whose values are known.
    pub directives: &'c [ir::Directive],
    /// The launches, and what is reported.
    pub following: Following<'c>,
    /// The most steps of warps.
    pub effort: usize,
    /// What is left of the steps that the kernel gets beside the others of its module.
    pub part: &'c Cell<usize>,
    /// Returns the line of a place in the body, from 1, if there are lines.
    pub line: &'c dyn Fn(Place) -> Option<u32>,
}

/// A declaration of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared<'a> {
    /// The declaration, with unknowns where the front end lacks information.
    pub variable: &'a ir::Variable<'a>,
    /// Whether it depends on a constant that the front end cannot evaluate.
    pub is_deferred: bool,
}

/// The results of analysing a body.
#[derive(Debug, Default)]
pub struct Analysis<'a> {
    /// The findings: those about single statements first, in statement order, then those about
    /// several statements.
    pub findings: Vec<Finding<'a>>,
    /// A finding beyond the requested maximum: the first, or the first error.
    pub more: Option<Finding<'a>>,
    /// The checks that depend on constants and types that are not known here.
    pub deferred: Vec<Deferred<'a>>,
    /// The call arguments that depend on unknown types or alignments.
    pub arguments: Vec<DeferredArgument>,
    /// The module functions that it calls by name, by their index, and the arguments.
    pub(crate) calls: Vec<(usize, Vec<Argument<'a>>)>,
    /// Those calls that threads certainly reach.
    pub(crate) must_calls: Vec<(usize, MustCall<'a>)>,
    /// The requirements of accesses that declarations do not guarantee.
    pub(crate) demands: Vec<Demanded>,
    /// The allowances: those of the function, then those of statements, in order.
    pub allowances: Vec<Allowance<'a>>,
    /// The declarations that allow what violates a rule, and its code.
    pub(crate) allowed_by: Vec<(DeferredObject, &'static str)>,
    /// The lowest PTX version that the qualifiers in the body require.
    pub since: Option<Version>,
    /// The tokens that have different names in PTX.
    pub renames: Vec<Rename>,
}

/// A rule that may be violated here.
#[derive(Clone, Debug)]
pub struct Allowance<'a> {
    /// Its code.
    pub code: &'a str,
    /// The statement it is on and its index among that statement's codes; `None` for the function's.
    pub statement: Option<(usize, usize)>,
    /// Whether something here violates the rule.
    pub is_needed: bool,
}

/// A token with a different name in PTX.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rename {
    /// The statement index.
    pub statement: usize,
    /// The index of the token in the statement.
    pub token: usize,
    /// The PTX name.
    pub name: alloc::string::String,
}

impl Analysis<'_> {
    /// Whether a deferred check may find that this object needs a larger alignment than it has.
    pub fn defers_alignment_of(&self, is_meant: impl Fn(&DeferredObject) -> bool) -> bool {
        self.deferred.iter().any(|check| check.maybe_misaligned().is_some_and(&is_meant))
    }
}

#[cfg(test)]
mod tests;
