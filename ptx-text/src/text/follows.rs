//! Findings that may only follow from an error that is reported as well.

use ptx_isa::sorted::{SortedMap, SortedSet};

use ptx_analysis::{Finding, Problem};
use ptx_isa::Space;
use ptx_isa::instruction::Control;
use ptx_isa::ir::body::Statement;
use ptx_isa::ir::family::is_member;
use ptx_isa::ir::{Type, Variable};

use super::body::ReadBody;
use crate::absence;

/// The functions in which something is unknown because of an error.
#[derive(Debug, Default)]
pub(super) struct Unknown<'a> {
    /// The functions with an instruction that could not be parsed, or that writes to an unknown register.
    instructions: SortedSet<usize>,
    /// The statements of functions in which operands stand side by side, so that it is not known which there are.
    unseparated: SortedSet<(usize, usize)>,
    /// The functions whose end is missing.
    ends: SortedSet<usize>,
    /// The arrays of registers of each function, which are families that are misspelt.
    arrays: SortedMap<usize, Vec<&'a str>>,
}

impl<'a> Unknown<'a> {
    /// Adds what is unknown in the body of a function.
    pub(super) fn add(&mut self, function: usize, body: &ReadBody<'a>) {
        if !body.is_whole {
            self.instructions.insert(function);
        }
        if body.is_open {
            self.ends.insert(function);
        }
        let is_array = |variable: &&&Variable<'_>| {
            variable.space == Space::Reg && matches!(variable.ty, Type::Array(..))
        };
        let arrays: Vec<&'a str> =
            body.declared.iter().filter(is_array).map(|variable| variable.name).collect();
        if !arrays.is_empty() {
            self.arrays.insert(function, arrays);
        }
    }

    /// Adds the functions in which a register that is written is unknown. `statement` finds the statement of a problem.
    pub(super) fn note<'s>(
        &mut self,
        problems: &[Finding<'_>],
        statement: impl Fn(usize, usize) -> Option<Statement<'s>>,
    ) {
        for finding in problems {
            let Some((function, place)) = finding.body() else { continue };
            if matches!(finding.problem, Problem::SideBySide) {
                self.unseparated.insert((function, place.statement));
            }
            let found = || statement(function, place.statement);
            let is_unknown = absence::is_caused_by(&finding.problem, place, found);
            if is_unknown {
                self.instructions.insert(function);
            }
        }
    }

    /// Whether this problem may only follow from what is unknown. `statement` finds the statement of a problem.
    pub(super) fn explains<'s>(
        &self,
        finding: &Finding<'_>,
        statement: impl FnOnce(usize, usize) -> Option<Statement<'s>>,
    ) -> bool {
        let Some((function, place)) = finding.body() else { return false };
        match &finding.problem {
            Problem::Rule(broken) => {
                absence::is_concluded(broken.rule.code) && self.instructions.contains(&function)
                    || self.unseparated.contains(&(function, place.statement))
            }
            Problem::Undeclared(found) => {
                let is_of_array = |base: &&str| is_member(found.name, base, None);
                // A label may be in the missing part.
                self.arrays.get(&function).is_some_and(|arrays| arrays.iter().any(is_of_array))
                    || self.ends.contains(&function)
                        && statement(function, place.statement)
                            .and_then(|statement| statement.instruction(&[])?.row)
                            .is_some_and(|row| row.control == Control::Jump)
            }
            Problem::UnknownInstruction(_)
            | Problem::Hidden { .. }
            | Problem::Ambiguous(_)
            | Problem::SideBySide
            | Problem::Unneeded(_)
            | Problem::NotFollowed(_) => false,
        }
    }
}
