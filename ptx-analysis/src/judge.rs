//! What instructions are judged with.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use ptx_types::rules::{Blame, Violation};

use crate::fixpoint::Setting;
use crate::node::Resolved;
use crate::place::Place;
use crate::report::Report;
use crate::unit::Unit;

/// What instructions are judged with.
pub(crate) struct Judge<'j, 'c, 'a> {
    pub(crate) unit: Unit<'c, 'a>,
    pub(crate) setting: Setting<'j, 'a>,
    /// Whether copies alone complete the transactions of barriers.
    pub(crate) is_completed_by_copies: bool,
    /// The operands that go to several places, or whose place is not known: their nodes and numbers.
    pub(crate) several: BTreeSet<(usize, usize)>,
    /// The registers that were reported because nothing writes them.
    pub(crate) unwritten: BTreeSet<usize>,
    pub(crate) report: &'j mut Report<'a>,
}

impl<'a> Judge<'_, '_, 'a> {
    /// Reports the first violation that is not allowed.
    pub(crate) fn first(
        &mut self,
        found: Vec<Violation<'a>>,
        name: Place,
        value: Place,
        resolved: &Resolved<'a>,
    ) {
        let allowances = self.report.allowances_with(&resolved.allowed);
        for violation in found {
            if !self.report.is_allowed(violation.rule.code, &allowances) {
                let is_name = violation.rule.blames == Blame::Name;
                self.report.refuse(violation, if is_name { name } else { value });
                return;
            }
        }
    }
}
