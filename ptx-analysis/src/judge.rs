//! What instructions are judged with.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use ptx_types::rules::{Blame, Reached, Violation};

use crate::asked::Asked;
use crate::doubt::Doubts;
use crate::finding::{Broken, Problem};
use crate::fixpoint::Setting;
use crate::formats::Formats;
use crate::node::Resolved;
use crate::origin::{Origin, Writers};
use crate::place::Place;
use crate::report::{Report, broken};
use crate::tile::CopiedTile;
use crate::unit::Unit;

/// What instructions are judged with.
pub(crate) struct Judge<'j, 'c, 'a> {
    pub(crate) unit: Unit<'c, 'a>,
    pub(crate) setting: Setting<'j, 'a>,
    /// Whether copies alone complete the transactions of barriers.
    pub(crate) is_completed_by_copies: bool,
    /// The operands that go to several places, or whose place is not known: their nodes and numbers.
    pub(crate) several: BTreeSet<(usize, usize)>,
    /// The operands that surely go to another block's shared memory, and say so.
    pub(crate) remote: BTreeSet<(usize, usize)>,
    /// What functions may have proven.
    pub(crate) asked: Asked,
    /// The copies of tiles that go to several places, by their nodes.
    pub(crate) copies: BTreeMap<usize, CopiedTile<'a>>,
    /// The registers that were reported because nothing writes them.
    pub(crate) unwritten: BTreeSet<usize>,
    /// The registers that are computed from such a one alone.
    pub(crate) derived: BTreeMap<usize, Origin<'a>>,
    /// Those of them that other instructions may write, too.
    pub(crate) local: BTreeSet<usize>,
    /// The predicates of which single executions tell whether that matters.
    pub(crate) doubts: Doubts<'a>,
    /// The registers that are parameters.
    pub(crate) parameters: Vec<usize>,
    /// What writes each register, once somebody asked.
    pub(crate) writers: Option<Writers>,
    /// What is known of formats, if anybody asks.
    pub(crate) formats: Option<Formats>,
    pub(crate) report: &'j mut Report<'a>,
}

impl<'a> Judge<'_, '_, 'a> {
    /// Reports the first violation that is not allowed, of this execution where others do not break
    /// the rule; whether there is one.
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
                let problem =
                    Problem::Rule(Box::new(Broken { reached, ..broken(violation, None) }));
                self.report.find(if is_name { name } else { value }, problem);
                return true;
            }
        }
        false
    }
}
