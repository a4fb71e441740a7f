//! All that is wrong with a map, at once, or the first of it in constants.

use alloc::vec::Vec;
use core::fmt;

use super::{Violation, table};
use crate::target::Target;
use crate::tensor::spec::{Spec, Tensor};

/// Every rule that a map breaks, at once.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    violations: Vec<Violation>,
}

impl Verdict {
    /// Every violation, in the table's order.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// What a document forbids: the driver's manual or the PTX ISA.
    pub fn manual(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(|violation| violation.rule.is_forbidden())
    }

    /// What the driver was observed to refuse: see [`OBSERVED`](super::OBSERVED).
    pub fn driver(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(|violation| violation.rule.is_refused())
    }

    /// Whether no document forbids it.
    pub fn is_allowed(&self) -> bool {
        self.manual().next().is_none()
    }

    /// Whether the driver takes it, as far as observed.
    pub fn is_accepted(&self) -> bool {
        self.driver().next().is_none()
    }

    /// Whether no rule is broken.
    pub fn is_clean(&self) -> bool {
        self.violations.is_empty()
    }
}

impl fmt::Display for Verdict {
    /// A violation a line.
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
        Verdict { violations: all(|from| table::spec(self, target, false, from)).collect() }
    }

    /// Every rule that the declaration breaks, alone or with this tensor.
    pub fn check_tensor(&self, tensor: &Tensor, target: Option<Target>) -> Verdict {
        let mut verdict = self.check(target);
        verdict.violations.extend(all(|from| table::tensor(self, tensor, target, false, from)));
        verdict
    }

    /// The first rule at or after a position of the table that the declaration alone breaks, and
    /// its position.
    pub(crate) const fn violation(
        &self,
        target: Option<Target>,
        from: usize,
    ) -> Option<(usize, Violation)> {
        table::spec(self, target, false, from)
    }

    /// The first rule at or after a position of the table that the declaration breaks with this
    /// tensor, and its position.
    pub(in crate::tensor) const fn violation_with(
        &self,
        tensor: &Tensor,
        target: Option<Target>,
        from: usize,
    ) -> Option<(usize, Violation)> {
        table::tensor(self, tensor, target, false, from)
    }

    /// The first rule that the declaration alone breaks; [`check`](Self::check) for constant code.
    pub const fn first_violation(&self, target: Option<Target>) -> Option<Violation> {
        match table::spec(self, target, false, 0) {
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
        match table::tensor(self, tensor, target, false, 0) {
            Some((_, violation)) => Some(violation),
            None => None,
        }
    }
}

impl Spec {
    /// The first rule that the map breaks of those that the driver was observed to enforce.
    pub const fn first_refusal(
        &self,
        tensor: &Tensor,
        target: Option<Target>,
    ) -> Option<Violation> {
        if let Some((_, violation)) = table::spec(self, target, true, 0) {
            return Some(violation);
        }
        match table::tensor(self, tensor, target, true, 0) {
            Some((_, violation)) => Some(violation),
            None => None,
        }
    }
}

/// All that `next` gives, each from behind the one before.
fn all(next: impl Fn(usize) -> Option<(usize, Violation)>) -> impl Iterator<Item = Violation> {
    let mut from = 0;
    core::iter::from_fn(move || {
        let (at, violation) = next(from)?;
        from = at + 1;
        Some(violation)
    })
}
