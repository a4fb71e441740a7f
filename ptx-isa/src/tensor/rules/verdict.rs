//! All the rules that a map breaks, or the first of them in constants.

use alloc::vec::Vec;
use core::fmt;

use super::{Violation, table};
use crate::map::{Spec, Tensor};
use crate::rule::all;
use crate::target::Target;

/// All the rules that a map breaks.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    violations: Vec<Violation>,
}

impl Verdict {
    /// Every violation, in the table's order.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The violations of rules that a document, the driver's manual or the PTX ISA, states.
    pub fn manual(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(|violation| violation.rule.is_forbidden())
    }

    /// The violations of rules that the driver was observed to enforce: see
    /// [`OBSERVED`](super::OBSERVED).
    pub fn driver(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(|violation| violation.rule.is_refused())
    }

    /// Whether no document forbids the map.
    pub fn is_allowed(&self) -> bool {
        self.manual().next().is_none()
    }

    /// Whether the driver accepts the map, as far as observed.
    pub fn is_accepted(&self) -> bool {
        self.driver().next().is_none()
    }

    /// Whether no rule is broken.
    pub fn is_clean(&self) -> bool {
        self.violations.is_empty()
    }
}

impl fmt::Display for Verdict {
    /// Writes one violation per line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, violation) in self.violations.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{violation}")?;
        }
        Ok(())
    }
}

impl core::error::Error for Verdict {}

impl Spec {
    /// Every rule that the declaration alone breaks, for a target if it is known.
    pub fn check(&self, target: Option<Target>) -> Verdict {
        Verdict { violations: all(|from| table::spec(self, from, target, false)) }
    }

    /// Every rule that the declaration breaks, alone or with this tensor.
    pub fn check_tensor(&self, tensor: &Tensor, target: Option<Target>) -> Verdict {
        let mut verdict = self.check(target);
        verdict.violations.extend(all(|from| table::tensor(self, tensor, from, target, false)));
        verdict
    }

    /// The first rule at or after a position of the table that the declaration alone breaks, and
    /// its position.
    pub(crate) const fn violation(
        &self,
        target: Option<Target>,
        from: usize,
    ) -> Option<(usize, Violation)> {
        table::spec(self, from, target, false)
    }

    /// The first rule at or after a position of the table that the declaration breaks with this
    /// tensor, and its position.
    pub(in crate::tensor) const fn violation_with(
        &self,
        tensor: &Tensor,
        target: Option<Target>,
        from: usize,
    ) -> Option<(usize, Violation)> {
        table::tensor(self, tensor, from, target, false)
    }

    /// The first rule that the declaration alone breaks; [`check`](Self::check) for constant code.
    pub const fn first_violation(&self, target: Option<Target>) -> Option<Violation> {
        match table::spec(self, 0, target, false) {
            Some((_, violation)) => Some(violation),
            None => None,
        }
    }

    /// The first rule that the declaration breaks, alone or with this tensor;
    /// [`check_tensor`](Self::check_tensor) for constant code.
    pub const fn first_violation_with(
        &self,
        tensor: &Tensor,
        target: Option<Target>,
    ) -> Option<Violation> {
        if let Some(violation) = self.first_violation(target) {
            return Some(violation);
        }
        match table::tensor(self, tensor, 0, target, false) {
            Some((_, violation)) => Some(violation),
            None => None,
        }
    }
}

impl Spec {
    /// Whether the map breaks a rule that the driver was observed to enforce: whether
    /// [`first_refusal`](Self::first_refusal) would find one, without the search. Both arguments
    /// have [unit dimensions](Self::with_unit_dimensions) past the rank.
    #[inline(always)]
    #[allow(clippy::inline_always)] // The callers know the target and the mode.
    pub(in crate::tensor) const fn is_refused(
        &self,
        tensor: &Tensor,
        target: Option<Target>,
    ) -> bool {
        table::breaks_spec(self, target, true) | table::breaks_tensor(self, tensor, target, true)
    }

    /// The first rule that the map breaks among those that the driver was observed to enforce.
    pub const fn first_refusal(
        &self,
        tensor: &Tensor,
        target: Option<Target>,
    ) -> Option<Violation> {
        if let Some((_, violation)) = table::spec(self, 0, target, true) {
            return Some(violation);
        }
        match table::tensor(self, tensor, 0, target, true) {
            Some((_, violation)) => Some(violation),
            None => None,
        }
    }
}
