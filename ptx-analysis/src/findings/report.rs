//! Collects findings and applies allowances.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::ir::Site;
use ptx_isa::rule::AllowanceSite;
use ptx_isa::rules::{self, Violation};
use ptx_isa::sorted::SortedSet;

use crate::findings::deferred::{Deferred, DeferredArgument, DeferredKind, Demanded};
use crate::findings::finding::{Finding, Problem};
use crate::findings::unit::Allowance;
use crate::flow::object::DeferredObject;
use crate::flow::place::Place;
use crate::values::argument::{Argument, MustCall};
use crate::values::claim::Condition;

/// The rule about an address in another state space than the instruction's, and that about a register that is too narrow
/// for an address there: the first is why the second is broken.
const OTHER_SPACE: &str = "A031";
const NARROW_ADDRESS: &str = "A052";

/// The findings about one body.
#[derive(Debug, Default)]
pub(crate) struct BodyReport<'a> {
    /// The function, by its index.
    function: usize,
    pub(crate) findings: Vec<Finding<'a>>,
    /// The maximum number of findings to keep.
    most: usize,
    /// A finding beyond the limit: the first, or the first error.
    pub(crate) more: Option<Finding<'a>>,
    /// The statements that have a finding.
    found: SortedSet<usize>,
    /// The statements about which no other rule says anything.
    left: SortedSet<usize>,
    pub(crate) deferred: Vec<Deferred<'a>>,
    pub(crate) arguments: Vec<DeferredArgument>,
    pub(crate) calls: Vec<(usize, Vec<Argument<'a>>)>,
    pub(crate) must_calls: Vec<(usize, MustCall<'a>)>,
    pub(crate) demands: Vec<Demanded>,
    pub(crate) allowances: Vec<Allowance<'a>>,
    /// The declarations that allow what violates a rule, and its code.
    pub(crate) allowed_by: Vec<(DeferredObject, &'static str)>,
    /// How many of the allowances are on the function itself.
    of_function: usize,
}

impl<'a> BodyReport<'a> {
    /// Creates a report for a function, by its index, that allows these codes; it keeps at most `most` findings.
    pub(crate) fn new(function: usize, allowed: &[&'a str], most: usize) -> Self {
        let allowance = |code: &&'a str| Allowance { code, statement: None, is_needed: false };
        Self {
            function,
            allowances: allowed.iter().map(allowance).collect(),
            of_function: allowed.len(),
            most,
            ..Self::default()
        }
    }

    /// Records the allowances of a statement and returns their indices.
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

    /// Returns the allowances in effect at a statement, given its own.
    pub(crate) fn allowances_with(&self, own: &[usize]) -> Vec<usize> {
        (0..self.of_function).chain(own.iter().copied()).collect()
    }

    /// Whether one of these allowances permits the violation; if so, that allowance counts as needed.
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

    /// Says nothing more about the rules in a statement: what it means is not certain.
    pub(crate) fn leave(&mut self, statement: usize) {
        self.left.insert(statement);
    }

    /// Reports a problem.
    pub(crate) fn find(&mut self, place: Place, problem: Problem<'a>) {
        self.find_both((place, None), problem);
    }

    /// Reports a problem at a place, and at another one if there is one.
    fn find_both(&mut self, (place, other): (Place, Option<Place>), problem: Problem<'a>) {
        let is_of_rule = matches!(problem, Problem::Rule(_) | Problem::UnknownInstruction(_));
        if is_of_rule && self.left.contains(&place.statement) {
            return;
        }
        self.found.insert(place.statement);
        if let Problem::Rule(violation) = &problem
            && violation.rule.code == OTHER_SPACE
        {
            self.drop_at(place, NARROW_ADDRESS);
        }
        self.keep((place, other), problem);
    }

    /// Drops a finding of this rule at a place: another one has the same cause.
    fn drop_at(&mut self, place: Place, code: &str) {
        let Place { statement, tokens } = place;
        let site = Site::Tokens { function: self.function, statement, tokens };
        self.findings.retain(|finding| match &finding.problem {
            Problem::Rule(violation) => violation.rule.code != code || finding.site != site,
            _ => true,
        });
    }

    /// Keeps a problem at a place, and at another one if there is one.
    fn keep(&mut self, (place, other): (Place, Option<Place>), problem: Problem<'a>) {
        let function = self.function;
        let site =
            |Place { statement, tokens }: Place| Site::Tokens { function, statement, tokens };
        let finding = Finding { problem, site: site(place), other: other.map(site) };
        if self.findings.len() < self.most {
            self.findings.push(finding);
        } else {
            Problem::keep_one(&mut self.more, finding, |finding| &finding.problem);
        }
    }

    /// Whether a statement has a finding.
    pub(crate) fn has_finding(&self, statement: usize) -> bool {
        self.found.contains(&statement)
    }

    /// Whether there is a finding of the rule with this code, about a subject if one is given.
    pub(crate) fn has_finding_of(&self, code: &str, subject: Option<&str>) -> bool {
        let is_it = |problem: &Problem<'_>| match problem {
            Problem::Rule(violation) => {
                violation.rule.code == code && subject.is_none_or(|it| it == violation.subject)
            }
            _ => false,
        };
        self.findings.iter().any(|finding| is_it(&finding.problem))
    }

    /// Reports a violation regardless of allowances.
    pub(crate) fn refuse(&mut self, violation: &Violation<'a>, place: Place) {
        self.find(place, Problem::Rule(Box::new(*violation)));
    }

    /// Reports a violation unless the function or one of these allowances permits it.
    pub(crate) fn report(&mut self, violation: &Violation<'a>, place: Place, own: &[usize]) {
        self.report_both(violation, (place, None), own);
    }

    /// Reports a violation by an access, and the place of the other one if there are two.
    pub(crate) fn report_both(
        &mut self,
        violation: &Violation<'a>,
        places: (Place, Option<Place>),
        own: &[usize],
    ) {
        let allowances = self.allowances_with(own);
        if !self.is_allowed(violation.rule.code, &allowances) {
            self.find_both(places, Problem::Rule(Box::new(*violation)));
        }
    }

    /// Defers a check of this place.
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

    /// Reports unneeded allowances; a deferred check may still need one.
    pub(crate) fn report_unneeded(&mut self) {
        let deferred: SortedSet<usize> =
            self.deferred.iter().flat_map(|check| &check.allowances).copied().collect();
        for i in 0..self.allowances.len() {
            let allowance = &self.allowances[i];
            let is_deferred = deferred.contains(&i);
            let is_ours = rules::rule(allowance.code)
                .is_some_and(|rule| rule.is_allowed_on(AllowanceSite::Statement));
            if is_ours && !allowance.is_needed && !is_deferred {
                let statement = allowance.statement.map_or(0, |(statement, _)| statement);
                let place = Place::new(statement, ptx_isa::ir::body::TokenRange::one(0));
                self.keep((place, None), Problem::Unneeded(i));
            }
        }
    }
}

#[cfg(test)]
mod tests;
