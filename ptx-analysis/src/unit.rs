//! What is analysed: a body, and what is known of what is around it.

use alloc::vec::Vec;

use ptx_types::Version;
use ptx_types::ir;
use ptx_types::rules::Environment;

use crate::argument::{Argument, Called, SureCall};
use crate::constants::Constants;
use crate::deferred::{Deferred, DeferredArgument, Demanded};
use crate::finding::Finding;
use crate::launch::Block;
use crate::object::{DeferredObject, VariableUse};
use crate::symbols::Symbols;

/// A body, and what is known of what is around it.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'c, 'a> {
    /// What it finds outside itself.
    pub symbols: &'c Symbols<'a>,
    /// The function's own signature.
    pub function: &'a ir::Function<'a>,
    /// The body, with the names that the symbols have.
    pub body: ir::Body<'a>,
    /// What it declares, in order, whether it is named or not.
    pub declared: &'c [Declared<'a>],
    /// What is known of its constants.
    pub constants: Constants<'c>,
    /// What the module is judged for.
    pub environment: Environment,
    /// The extents of a block, as far as directives say.
    pub block: Block,
    /// The most blocks of a cluster, if directives say it, and whether there are as many.
    pub cluster: Option<(u32, bool)>,
    /// How the function is called.
    pub called: &'c Called<'a>,
    /// The codes of the rules of accesses that are allowed on the function.
    pub allowed: &'c [&'a str],
    /// Names that count as declared, since a declaration of them could not be read.
    pub assumed: &'c [&'a str],
    /// Whether checks that need a constant or a type which is not known are put off; else nothing is,
    /// because everything is known.
    pub defers: bool,
}

/// What a body declares.
#[derive(Clone, Copy, Debug)]
pub struct Declared<'a> {
    /// The declaration, with unknowns where the front end cannot tell.
    pub variable: &'a ir::Variable<'a>,
    /// Whether a constant that the front end cannot tell decides a part of it.
    pub is_deferred: bool,
}

/// What was found out about a body.
#[derive(Debug, Default)]
pub struct Analysis<'a> {
    /// What is wrong, in the order of the statements as far as one statement tells, and then of what
    /// several tell together.
    pub findings: Vec<Finding<'a>>,
    /// One that is not among them, where there are more than were asked for: the first, or the first error.
    pub more: Option<Finding<'a>>,
    /// What can only be judged where constants and types are known that are not known here.
    pub deferred: Vec<Deferred<'a>>,
    /// Arguments of calls of which the same is true.
    pub arguments: Vec<DeferredArgument>,
    /// The functions of the module that it calls by their names, by their index, and what it passes.
    pub calls: Vec<(usize, Vec<Argument<'a>>)>,
    /// Those calls that threads surely come to.
    pub sure_calls: Vec<(usize, SureCall<'a>)>,
    /// What accesses need of declarations that promise less.
    pub demands: Vec<Demanded>,
    /// The allowances: those of the function, then those of statements, in order.
    pub allowances: Vec<Allowance<'a>>,
    /// What the body names.
    pub uses: Uses<'a>,
    /// The tokens that are other names in PTX.
    pub renames: Vec<Rename>,
}

/// A rule that may be broken.
#[derive(Clone, Debug)]
pub struct Allowance<'a> {
    /// Its code.
    pub code: &'a str,
    /// The statement that it stands on, and which of its codes it is; `None` of the function's.
    pub statement: Option<(usize, usize)>,
    /// Whether something here breaks the rule.
    pub is_needed: bool,
}

/// What a body names outside itself, and of what it declares.
#[derive(Debug, Default)]
pub struct Uses<'a> {
    /// The variables of the module.
    pub variables: Vec<VariableUse>,
    /// The functions of the module, by their index.
    pub functions: Vec<usize>,
    /// Of those, whose addresses it takes.
    pub taken: Vec<usize>,
    /// Whether it calls what a register points to.
    pub calls_indirectly: bool,
    /// The special registers.
    pub specials: Vec<&'a str>,
    /// The lowest PTX version that the qualifiers in it need.
    pub since: Option<Version>,
    /// Whether the names of the module have one meaning each.
    pub is_certain: bool,
    /// Of what it declares, in order, whether any name in the body is that.
    pub named: Vec<bool>,
}

/// A token that is another name in PTX.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rename {
    /// The number of the statement.
    pub statement: usize,
    /// The number of the token in it.
    pub token: usize,
    /// The name in PTX.
    pub name: alloc::string::String,
}

impl Analysis<'_> {
    /// Whether a check is deferred that may find this to need more alignment than it has.
    pub fn defers_alignment_of(&self, is_meant: impl Fn(&DeferredObject) -> bool) -> bool {
        self.deferred.iter().any(|check| check.perhaps_misaligned().is_some_and(&is_meant))
    }
}

#[cfg(test)]
mod tests;
