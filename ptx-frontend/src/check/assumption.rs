//! Values of Rust constants that are known from tokens, and assumed for the constants in a body.

use ptx_analysis::deferred::{Deferred, DeferredKind};
use ptx_analysis::{Analysis, Broken, Condition, Place, Problem, Product, Sum};
use ptx_isa::rules::Comparison;

/// A violation that exists if the Rust constants of a body have the assumed values, which rustc confirms.
#[derive(Debug)]
pub struct Assumed {
    /// The place of the violation.
    pub place: Place,
    /// The code of its rule.
    pub code: &'static str,
    /// The message.
    pub message: String,
    /// The constants that decide it, and their assumed values.
    pub constants: Vec<(usize, i128)>,
}

/// The maximum number of analyses of one body that find out which constants decide a finding.
const MOST_ANALYSES: usize = 64;

/// The analyses of a body without assumptions about its constants, and with them.
pub(super) struct Assumptions<'c, 'a, F> {
    /// The analysis without assumptions.
    pub(super) known: &'c Analysis<'a>,
    /// The analysis with assumptions.
    pub(super) under: &'c Analysis<'a>,
    /// The assumed value of each constant.
    pub(super) values: &'c [Option<i128>],
    /// For each constant, the first one that is the same expression.
    pub(super) same: &'c [usize],
    /// Analyses the body under other assumptions.
    pub(super) analyse_with: F,
}

impl<'a, F: Fn(&[Option<i128>]) -> Analysis<'a>> Assumptions<'_, 'a, F> {
    /// The rules that are broken only under the assumptions: those that, without them, are neither reported
    /// nor deferred at the same place.
    pub(super) fn findings(&self) -> Vec<Assumed> {
        let found = self.under.findings.iter().filter_map(|finding| match &finding.problem {
            Problem::Rule(broken) if self.is_new(finding.place, broken) => {
                Some((finding.place, broken))
            }
            _ => None,
        });
        let mut analyses = 0;
        found
            .map(|(place, broken)| Assumed {
                place,
                code: broken.rule.code,
                message: broken.violation().to_string(),
                constants: self.deciding(place, broken, &mut analyses),
            })
            .collect()
    }

    fn is_new(&self, place: Place, broken: &Broken<'_>) -> bool {
        let is_deferred = |check: &Deferred<'_>| {
            (check.place == place || check.value == Some(place)) && decides(check, broken)
        };
        !has(self.known, place, broken) && !self.known.deferred.iter().any(is_deferred)
    }

    /// The constants that a finding depends on.
    fn deciding(
        &self,
        place: Place,
        broken: &Broken<'_>,
        analyses: &mut usize,
    ) -> Vec<(usize, i128)> {
        let mut values = self.values.to_vec();
        let firsts = (0..values.len()).filter(|n| self.same.get(*n).is_none_or(|first| first == n));
        for first in firsts.filter(|n| self.values[*n].is_some()) {
            if *analyses == MOST_ANALYSES {
                break;
            }
            *analyses += 1;
            let mut fewer = values.clone();
            for (n, value) in fewer.iter_mut().enumerate() {
                if self.same.get(n).copied().unwrap_or(n) == first {
                    *value = None;
                }
            }
            if has(&(self.analyse_with)(&fewer), place, broken) {
                values = fewer;
            }
        }
        values.iter().enumerate().filter_map(|(n, value)| Some((n, (*value)?))).collect()
    }

    /// The checks that are deferred only under the assumptions, each conditional on them.
    pub(super) fn deferred(&self) -> Vec<Deferred<'a>> {
        let is_known = |check: &Deferred<'_>| {
            let is_it = |other: &Deferred<'_>| {
                other.place == check.place
                    && core::mem::discriminant(&other.kind) == core::mem::discriminant(&check.kind)
            };
            let is_found = self.known.findings.iter().any(|finding| finding.place == check.place);
            is_found || self.known.deferred.iter().any(is_it)
        };
        let assumed: Vec<Condition> = self
            .values
            .iter()
            .enumerate()
            .filter(|(n, _)| self.same.get(*n).is_none_or(|first| first == n))
            .filter_map(|(n, value)| {
                let constant = Sum { known: 0, products: vec![Product { times: 1, of: vec![n] }] };
                Some(Condition {
                    one: constant,
                    comparison: Comparison::Equal,
                    other: Sum::known((*value)?),
                    bits: 64,
                    is_signed: true,
                })
            })
            .collect();
        let new = self.under.deferred.iter().filter(|check| !is_known(check));
        new.map(|check| {
            let mut check = check.clone();
            check.conditions.extend(assumed.iter().cloned());
            check
        })
        .collect()
    }
}

/// Whether a check at the place of a violation finds that violation: a check of all executions does not find one that
/// only some executions break, such as those of the last thread.
fn decides(check: &Deferred<'_>, broken: &Broken<'_>) -> bool {
    match &check.kind {
        DeferredKind::Operand(operand) => broken.reached.is_none() || operand.reached.is_some(),
        DeferredKind::Copy(_)
        | DeferredKind::Transactions(..)
        | DeferredKind::Count { .. }
        | DeferredKind::Descriptor(_) => true,
    }
}

/// Whether an analysis finds this rule broken at this place.
fn has(analysis: &Analysis<'_>, place: Place, broken: &Broken<'_>) -> bool {
    analysis.findings.iter().any(|finding| match &finding.problem {
        Problem::Rule(other) | Problem::UnknownInstruction(other) => {
            finding.place == place && other.rule.code == broken.rule.code
        }
        Problem::Undeclared(_)
        | Problem::Hidden { .. }
        | Problem::Misplaced(_)
        | Problem::SideBySide
        | Problem::Unneeded(_) => false,
    })
}
