//! What was found, and what is allowed.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::vec::Vec;

use ptx_types::rule::Site;
use ptx_types::rules::{self, Violation};

use crate::argument::{Argument, SureCall};
use crate::claim::Condition;
use crate::deferred::{Deferred, DeferredArgument, DeferredKind, Demanded};
use crate::finding::{Broken, Finding, Problem};
use crate::place::Place;
use crate::unit::Allowance;
use ptx_types::rules::LaunchCondition;

/// Collects what is found about a body.
#[derive(Debug, Default)]
pub(crate) struct Report<'a> {
    pub(crate) findings: Vec<Finding<'a>>,
    /// How many of them are kept.
    most: usize,
    /// One that is not: the first, or the first error.
    pub(crate) more: Option<Finding<'a>>,
    /// The statements in which something is found.
    found: BTreeSet<usize>,
    pub(crate) deferred: Vec<Deferred<'a>>,
    pub(crate) arguments: Vec<DeferredArgument>,
    pub(crate) calls: Vec<(usize, Vec<Argument<'a>>)>,
    pub(crate) sure_calls: Vec<(usize, SureCall<'a>)>,
    pub(crate) demands: Vec<Demanded>,
    pub(crate) allowances: Vec<Allowance<'a>>,
    /// How many of them stand on the function.
    of_function: usize,
}

impl<'a> Report<'a> {
    /// A report on a function on which these codes are allowed, which keeps so many findings.
    pub(crate) fn new(allowed: &[&'a str], most: usize) -> Self {
        let allowance = |code: &&'a str| Allowance { code, statement: None, is_needed: false };
        Self {
            allowances: allowed.iter().map(allowance).collect(),
            of_function: allowed.len(),
            most,
            ..Self::default()
        }
    }

    /// Notes the allowances of a statement: their numbers.
    pub(crate) fn allow(
        &mut self,
        statement: usize,
        codes: impl Iterator<Item = &'a str>,
    ) -> Vec<usize> {
        let first = self.allowances.len();
        for (n, code) in codes.enumerate() {
            let statement = Some((statement, n));
            self.allowances.push(Allowance { code, statement, is_needed: false });
        }
        (first..self.allowances.len()).collect()
    }

    /// The allowances at a statement with these of its own.
    pub(crate) fn allowances_with(&self, own: &[usize]) -> Vec<usize> {
        (0..self.of_function).chain(own.iter().copied()).collect()
    }

    /// Whether a violation is allowed by one of these, which is then needed.
    pub(crate) fn is_allowed(&mut self, code: &str, by: &[usize]) -> bool {
        let mut is_allowed = false;
        for i in by {
            if self.allowances[*i].code == code {
                self.allowances[*i].is_needed = true;
                is_allowed = true;
            }
        }
        is_allowed
    }

    /// Reports a problem.
    pub(crate) fn find(&mut self, place: Place, problem: Problem<'a>) {
        self.found.insert(place.statement);
        self.keep(Finding { place, problem });
    }

    fn keep(&mut self, finding: Finding<'a>) {
        if self.findings.len() < self.most {
            self.findings.push(finding);
        } else {
            Problem::keep_one(&mut self.more, finding, |finding| &finding.problem);
        }
    }

    /// Whether something is found in a statement.
    pub(crate) fn has_finding(&self, statement: usize) -> bool {
        self.found.contains(&statement)
    }

    /// Reports a violation, whatever is allowed.
    pub(crate) fn refuse(&mut self, violation: Violation<'a>, place: Place) {
        self.find(place, Problem::Rule(Box::new(broken(violation, None))));
    }

    /// Reports a violation, if it is not allowed by the function or these.
    pub(crate) fn report(&mut self, violation: Violation<'a>, place: Place, own: &[usize]) {
        let allowances = self.allowances_with(own);
        if !self.is_allowed(violation.rule.code, &allowances) {
            self.refuse(violation, place);
        }
    }

    /// Puts off a check of what stands there.
    pub(crate) fn defer(
        &mut self,
        kind: DeferredKind<'a>,
        place: Place,
        own: &[usize],
        conditions: Vec<Condition>,
    ) {
        let allowances = self.allowances_with(own);
        self.deferred.push(Deferred { kind, place, value: Some(place), allowances, conditions });
    }

    /// Reports the allowances that nothing needs; a check that is put off has a word in that.
    pub(crate) fn report_unneeded(&mut self) {
        let deferred: BTreeSet<usize> =
            self.deferred.iter().flat_map(|check| &check.allowances).copied().collect();
        for i in 0..self.allowances.len() {
            let allowance = &self.allowances[i];
            let is_deferred = deferred.contains(&i);
            let is_ours =
                rules::rule(allowance.code).is_some_and(|rule| rule.is_allowed_on(Site::Statement));
            if is_ours && !allowance.is_needed && !is_deferred {
                let statement = allowance.statement.map_or(0, |(statement, _)| statement);
                let place = Place::new(statement, ptx_types::ir::body::TokenRange::one(0));
                self.keep(Finding { place, problem: Problem::Unneeded(i) });
            }
        }
    }
}

/// A violation that outlives the condition under which control gets there.
pub(crate) fn broken(
    violation: Violation<'_>,
    only_where: Option<Rc<LaunchCondition>>,
) -> Broken<'_> {
    let Violation { rule, subject, blames, args, .. } = violation;
    Broken { rule, subject, blames, args, only_where, reached: None }
}

#[cfg(test)]
mod tests;
