//! Hazards that are allowed, on a function or a statement, by their codes.

use proc_macro2::Span;
use ptx_types::rules::{self, Violation};

use super::Name;
use super::names::Resolver;
use crate::errors::Errors;
use crate::hazards::is_of_statements;

/// A rule that may be broken.
#[derive(Debug)]
pub struct Allowance {
    /// Its code.
    pub code: &'static str,
    /// Where it stands.
    pub span: Span,
    /// Whether tokens tell that it is needed.
    pub is_needed: bool,
}

impl Resolver<'_, '_, '_> {
    /// Notes the allowances of the next statement, or that it has ended.
    pub(super) fn allow(&mut self, codes: &[(&'static str, Span)]) {
        self.allowed.clear();
        for (code, span) in codes {
            self.allowed.push(self.allowances.len());
            self.allowances.push(Allowance { code, span: *span, is_needed: false });
        }
    }

    /// Whether a violation is allowed by one of these, which is then needed.
    pub(super) fn is_allowed(&mut self, code: &str, by: &[usize]) -> bool {
        let mut is_allowed = false;
        for i in by {
            if self.allowances[*i].code == code {
                self.allowances[*i].is_needed = true;
                is_allowed = true;
            }
        }
        is_allowed
    }

    /// The allowances at a statement with these of its own.
    pub(super) fn allowances_with(&self, own: &[usize]) -> Vec<usize> {
        (0..self.of_function).chain(own.iter().copied()).collect()
    }

    /// Reports a violation, if it is not allowed.
    pub(super) fn report(
        &mut self,
        violation: Violation<'_>,
        place: &Name,
        own: &[usize],
        errors: &mut Errors,
    ) {
        let allowances = self.allowances_with(own);
        if !self.is_allowed(violation.rule.code, &allowances) {
            errors.on(place.tokens(), violation);
        }
    }

    /// Reports the allowances that nothing needs; rustc has a word where it judges something.
    pub(super) fn report_unneeded(&self, errors: &mut Errors) {
        for (i, allowance) in self.allowances.iter().enumerate() {
            let is_judged_late = self.checks.iter().any(|check| check.allowances.contains(&i));
            let is_ours = rules::rule(allowance.code).is_some_and(is_of_statements);
            if is_ours && !allowance.is_needed && !is_judged_late {
                errors.at(allowance.span, rules::unneeded(allowance.code));
            }
        }
    }
}
