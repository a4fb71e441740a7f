//! Tests of a declaration together with all accesses to it: whether its alignment is sufficient.

use super::access::Object;
use super::copy::{TensorCopy, swizzle_alignment};
use super::operand::may_demand;
use super::operand::{StorageAccess, aligned_below};
use crate::rule::{Arg, Args};
pub use crate::rule::{Demand, Demands};

impl Demand {
    /// Whether an access may need a greater alignment than its storage has, at any offset.
    pub(super) const fn may_be(operand: &StorageAccess<'_>, object: Object<'_>) -> bool {
        may_demand(operand.shape(), object)
    }

    /// The alignment that an access needs, if its storage has less.
    pub const fn of(operand: StorageAccess<'_>, object: Object<'_>) -> Option<Self> {
        match (aligned_below(operand, object), operand.align) {
            (true, Some(align)) => Some(Self { align, is_typed: operand.form.ty.is_some() }),
            (_, _) => None,
        }
    }

    /// The alignment that the swizzle of a copied tile needs, if its storage does not even have the alignment that the
    /// copy needs; with that, the rule about swizzles (A038) reports it.
    pub const fn of_tile(copy: TensorCopy<'_>) -> Option<Self> {
        match swizzle_alignment(copy) {
            Some((align, is)) if is < Self::TILE => Some(Self { align, is_typed: false }),
            Some(_) | None => None,
        }
    }
}

/// A declaration and the alignment that the accesses to it need.
#[derive(Clone, Copy, Debug)]
pub struct Alignment<'a> {
    /// The declaration.
    pub object: Object<'a>,
    /// The alignment that the accesses need.
    pub demands: Demands,
}

impl<'a> Alignment<'a> {
    const fn values(self) -> Option<Args<'a>> {
        let Some(is) = self.object.alignment() else { return None };
        // An alignment that is not a power of two breaks a rule of its own.
        if self.demands.count == 0 || !is.is_power_of_two() {
            return None;
        }
        Some([
            self.object.declared(),
            Arg::sized(is),
            Arg::Demands(self.demands),
            Arg::SatisfyDemands(self.demands),
        ])
    }
}

pub(super) const fn base_misaligned(alignment: Alignment<'_>) -> Option<Args<'_>> {
    if alignment.object.is_pointee() { None } else { alignment.values() }
}

pub(super) const fn promise_too_low(alignment: Alignment<'_>) -> Option<Args<'_>> {
    match alignment.values() {
        Some([name, is, demands, _]) if alignment.object.is_pointee() => {
            Some([name, is, demands, Arg::Int(alignment.demands.most as i128)])
        }
        Some(_) | None => None,
    }
}
