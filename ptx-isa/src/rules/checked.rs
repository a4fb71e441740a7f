//! Checks of memory accesses that rustc evaluates, of all kinds.

use super::access::Object;
use super::alignment::Demand;
use super::copy::{BarrierCount, TensorCopy, TileDescriptor, Transactions};
use super::{Blame, Offset, OperandFacts, Rule, StorageAccess, Violation, alignment_rule, table};

/// A check of a memory access, with the codes of the hazards that are allowed there.
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    /// The subject.
    pub of: Checked<'a>,
    /// The codes.
    pub allow: &'a [&'a str],
    /// Whether control reaches it, as far as Rust constants decide that.
    pub is_reached: bool,
}

/// The subject of a [`Check`].
#[derive(Clone, Copy, Debug)]
pub enum Checked<'a> {
    /// An operand that equals this one except for its offset, and its storage.
    Operand(&'a StorageAccess<'a>, &'a Object<'a>, Offset),
    /// A tile and its map.
    Copy(TensorCopy<'a>),
    /// The bytes that a barrier expects.
    Transactions(Transactions<'a>),
    /// The number that a barrier counts to.
    Count(BarrierCount),
    /// A matrix descriptor.
    Descriptor(TileDescriptor<'a>),
}

impl<'a> Checked<'a> {
    pub(super) const fn violation(
        &self,
        from: usize,
        part: Option<Blame>,
    ) -> Option<(usize, Violation<'a>)> {
        match *self {
            Self::Operand(like, object, offset) => {
                let (operand, mut from) = (StorageAccess { offset, ..*like }, from);
                while let Some((row, violation)) = table::operand(operand, *object, from, part) {
                    if violation.is_allowed {
                        from = row + 1;
                        continue;
                    }
                    if like.reached.is_none() || like.form.is_checked_alone(violation.rule.blames) {
                        return Some((row, violation.under(like.only_where, like.reached)));
                    }
                    from = row + 1;
                }
                None
            }
            Self::Copy(copy) => copy_violation(copy, from, part),
            Self::Transactions(transactions) => table::transactions(transactions, from, part),
            Self::Count(count) => table::count(count, from, part),
            Self::Descriptor(descriptor) => table::descriptor(descriptor, from, part),
        }
    }

    /// The alignment that it needs beyond what the declaration guarantees, and the rule about it.
    pub(super) const fn demand(&self) -> Option<(Demand, &'static Rule)> {
        match *self {
            Self::Operand(like, object, offset) => {
                match Demand::of(StorageAccess { offset, ..*like }, *object) {
                    Some(demand) => Some((demand, alignment_rule(*object))),
                    None => None,
                }
            }
            Self::Copy(copy) => match Demand::of_tile(copy) {
                Some(demand) => Some((demand, alignment_rule(copy.tile.1))),
                None => None,
            },
            Self::Transactions(_) | Self::Count(_) | Self::Descriptor(_) => None,
        }
    }
}

/// The first rule from `from` on that a copy breaks at all of its offsets, or else in one of its executions.
const fn copy_violation(
    copy: TensorCopy<'_>,
    from: usize,
    part: Option<Blame>,
) -> Option<(usize, Violation<'_>)> {
    let mut found = table::copy(copy, from, part);
    let mut n = 0;
    while n < copy.executions.len() && found.is_none() {
        let (offset, reached) = &copy.executions[n];
        let alone = TensorCopy { tile: (Offset::exact(*offset), copy.tile.1), ..copy };
        if let Some((row, violation)) = table::copy(alone, from, part) {
            found = Some((row, Violation { reached: Some(*reached), ..violation }));
        }
        n += 1;
    }
    found
}

/// The facts about an operand that do not depend on its offset, and whether it may need a greater alignment than its
/// declaration guarantees.
pub(super) const fn facts(
    operand: &StorageAccess<'_>,
    object: &Object<'_>,
) -> (OperandFacts, bool) {
    (table::operand_facts(*operand, *object), Demand::may_be(operand, *object))
}

/// Whether an operand breaks a rule, even if the hazard is allowed.
pub(super) const fn is_broken(
    facts: &OperandFacts,
    operand: StorageAccess<'_>,
    object: Object<'_>,
) -> bool {
    table::operand_at_once(facts, operand, object)
}
