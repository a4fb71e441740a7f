//! What is wrong with a body if its constants have the values that tokens suggest; only rustc knows them.

use alloc::vec;
use alloc::vec::Vec;
use core::mem::discriminant;

use ptx_isa::rules::{Comparison, Reached, Violation};

use crate::findings::deferred::{Deferred, DeferredKind};
use crate::findings::finding::{Finding, Problem};
use crate::findings::unit::{Allowance, Analysis};
use crate::flow::place::Place;
use crate::values::claim::Condition;
use crate::values::constants::Constants;
use crate::values::number::{Product, Sum};

/// An analysis of a body of whose constants no value is known, and what another one, with the suggested values, adds.
#[derive(Debug)]
pub struct CheckedBody<'a> {
    /// The analysis, with the checks that are deferred only for the suggested values, under that condition.
    pub analysis: Analysis<'a>,
    /// The rules that are broken if all constants have the suggested values.
    pub assumed: Vec<AssumedFinding<'a>>,
}

/// A rule that is broken if all constants have the suggested values.
#[derive(Clone, Debug)]
pub struct AssumedFinding<'a> {
    /// The place of the violation.
    pub place: Place,
    /// The violation.
    pub violation: Violation<'a>,
}

impl<'a> CheckedBody<'a> {
    /// Combines the analyses; the second one has these constants.
    pub(crate) fn of(
        mut analysis: Analysis<'a>,
        under: Option<&Analysis<'a>>,
        constants: Constants<'_>,
    ) -> Self {
        // A finding that is decided later may need an allowance as well.
        let is_open = constants.values.iter().any(Option::is_none);
        let allows = |under: &Analysis<'_>, n: usize| {
            under.allowances.get(n).is_some_and(|allowance: &Allowance<'_>| allowance.is_needed)
                || under.deferred.iter().any(|check| check.allowances.contains(&n))
        };
        let is_needed = |n| is_open || under.is_some_and(|under| allows(under, n));
        analysis
            .findings
            .retain(|finding| !matches!(finding.problem, Problem::Unneeded(n) if is_needed(n)));
        let Some(under) = under else { return Self { analysis, assumed: Vec::new() } };
        let assumed = under.findings.iter().filter_map(|finding| match &finding.problem {
            Problem::Rule(violation) => {
                let (_, place) = finding.body()?;
                let found = AssumedFinding { place, violation: **violation };
                is_new(&analysis, place, violation).then_some(found)
            }
            _ => None,
        });
        let assumed = assumed.collect();
        let deferred = deferred(&analysis, under, constants);
        analysis.deferred.extend(deferred);
        Self { analysis, assumed }
    }
}

/// Whether a finding under assumptions is neither reported nor deferred at its place without them.
fn is_new(known: &Analysis<'_>, place: Place, violation: &Violation<'_>) -> bool {
    let is_deferred = |check: &Deferred<'_>| {
        (check.place == place || check.value == Some(place)) && decides(check, violation)
    };
    let is_it = |finding: &Finding<'_>| {
        let code = |violation: &Violation<'_>| violation.rule.code;
        finding.is_at(place) && finding.violation().map(code) == Some(code(violation))
    };
    !known.findings.iter().any(is_it) && !known.deferred.iter().any(is_deferred)
}

/// Whether a check at the place of a violation finds that violation: a check of all executions does not find one that
/// only some executions break, such as those of the last thread, and a check of one access none of the order of several.
fn decides(check: &Deferred<'_>, violation: &Violation<'_>) -> bool {
    let is_of_order = matches!(violation.rule.subject, "trace" | "protocol");
    match &check.kind {
        DeferredKind::Operand(operand) => {
            !is_of_order && (violation.reached.is_none() || operand.reached.is_some())
        }
        DeferredKind::Copy(_)
        | DeferredKind::Transactions(..)
        | DeferredKind::Count { .. }
        | DeferredKind::Descriptor(_) => true,
    }
}

/// The execution that a check is of, if others access something else.
fn execution<'c, 'a>(check: &'c Deferred<'a>) -> Option<&'c Reached<'a>> {
    match &check.kind {
        DeferredKind::Operand(operand) => operand.reached.as_ref(),
        _ => None,
    }
}

/// The checks that are deferred only under the assumptions, each conditional on them.
fn deferred<'a>(
    known: &Analysis<'a>,
    under: &Analysis<'a>,
    constants: Constants<'_>,
) -> Vec<Deferred<'a>> {
    let is_known = |check: &Deferred<'_>| {
        let is_it = |other: &Deferred<'_>| {
            other.place == check.place
                && discriminant(&other.kind) == discriminant(&check.kind)
                && execution(other) == execution(check)
        };
        let is_found = known.findings.iter().any(|finding| finding.is_at(check.place));
        is_found || known.deferred.iter().any(is_it)
    };
    let values = constants.values.iter().enumerate();
    let firsts = values.filter(|(n, _)| constants.number(*n) == *n);
    let assumed = firsts.filter_map(|(n, value)| {
        let constant = Sum { known: 0, products: vec![Product { times: 1, of: vec![n] }] };
        Some(Condition {
            one: constant,
            comparison: Comparison::Equal,
            other: Sum::known((*value)?),
            bits: 64,
            is_signed: true,
        })
    });
    let assumed: Vec<Condition> = assumed.collect();
    let new = under.deferred.iter().filter(|check| !is_known(check));
    let conditional = new.map(|check| {
        let mut check = check.clone();
        check.conditions.extend(assumed.iter().cloned());
        check
    });
    conditional.collect()
}

#[cfg(test)]
mod tests;
