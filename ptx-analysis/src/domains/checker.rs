//! The state shared by the rule checks of instructions.

use alloc::vec::Vec;

use ptx_isa::ir::body::Statements;
use ptx_isa::rules::{Blame, Reached, Violation};
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::domains::formats::Formats;
use crate::domains::tile::CopiedTile;
use crate::findings::report::BodyReport;
use crate::findings::unit::Unit;
use crate::flow::node::Resolved;
use crate::flow::origin::{Origin, Writers};
use crate::flow::place::Place;
use crate::values::fixpoint::Setting;
use crate::values::flags::Flagged;
use crate::values::guarded::Guarded;
use crate::values::proven_by_callee::ProvenByCallee;
use crate::values::uncertain_guard::UncertainGuards;

/// The state shared by the rule checks of instructions.
pub(crate) struct InstructionChecker<'j, 'c, 'a> {
    pub(crate) unit: Unit<'c, 'a>,
    pub(crate) setting: Setting<'j, 'a>,
    /// Whether only copies complete the transactions of mbarriers.
    pub(crate) is_completed_by_copies: bool,
    /// The operands that access several locations or an unknown one, by node and operand index.
    pub(crate) several: SortedSet<(usize, usize)>,
    /// The checks that functions may have settled.
    pub(crate) proven_by_callee: ProvenByCallee,
    /// The code that depends on what only some launches have.
    pub(crate) guarded: Guarded<'j, 'a>,
    /// The code that a flag which the host passes selects.
    pub(crate) flagged: Flagged,
    /// The tile copies with several destinations, by node.
    pub(crate) copies: SortedMap<usize, CopiedTile<'a>>,
    /// The registers that are already reported as never written.
    pub(crate) unwritten: SortedSet<usize>,
    /// The storage whose address was already reported as taken for a number.
    pub(crate) taken_as_numbers: SortedSet<usize>,
    /// The statements from the last one on that was read again, and the index of the first of them.
    pub(crate) statements: (Statements<'a>, usize),
    /// The registers computed only from an unwritten register.
    pub(crate) derived: SortedMap<usize, Origin<'a>>,
    /// Those of them that other instructions may also write.
    pub(crate) local: SortedSet<usize>,
    /// The predicates that decide, for single executions, whether an unwritten register matters.
    pub(crate) uncertain_guards: UncertainGuards<'a>,
    /// The registers that are parameters.
    pub(crate) parameters: Vec<usize>,
    /// The writers of each register, computed on first use.
    pub(crate) writers: Option<Writers>,
    /// The known number formats, computed on first use.
    pub(crate) formats: Option<Formats>,
    pub(crate) report: &'j mut BodyReport<'a>,
}

impl<'a> InstructionChecker<'_, '_, 'a> {
    /// Reports the first violation that is not allowed, and returns whether there is one. The violation is
    /// attributed to this execution if others do not violate the rule.
    pub(crate) fn first(
        &mut self,
        found: Vec<Violation<'a>>,
        (name, value): (Place, Place),
        resolved: &Resolved<'a>,
        reached: Option<Reached<'a>>,
    ) -> bool {
        let allowances = self.report.allowances_with(&resolved.allowed);
        for violation in found {
            if !self.report.is_allowed(violation.rule.code, &allowances) {
                let is_name = violation.rule.blames == Blame::Name;
                let place = if is_name { name } else { value };
                self.report.refuse(&Violation { reached, ..violation }, place);
                return true;
            }
        }
        false
    }
}
