//! Byte ranges that instructions access, as far as they are known.

use ptx_isa::Space;
use ptx_isa::rules::access::Object;

use crate::domains::checker::InstructionChecker;
use crate::flow::memory::MemoryOperand;
use crate::values::location::Located;

/// A byte range that an instruction accesses.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Span {
    /// The storage, and whether it is the pointee; `None` if unknown.
    pub(crate) of: Option<(usize, bool)>,
    /// The state space, if it is known.
    space: Option<Space>,
    /// Whether the storage overlaps other storage.
    is_dynamic: bool,
    /// Whether it is, or may be, in another block of the cluster.
    pub(crate) is_remote: bool,
    /// The bytes that it may access, as offsets into the storage; the end is exclusive.
    range: Option<(i128, i128)>,
    /// The start, if it is the same in every execution, and the minimum number of bytes.
    exact: Option<(i128, i128)>,
    /// Whether a thread accesses the same bytes whenever it gets there.
    pub(crate) is_fixed: bool,
}

impl Span {
    /// An unknown range.
    pub(crate) const UNKNOWN: Self = Self {
        of: None,
        space: None,
        is_dynamic: false,
        is_remote: true,
        range: None,
        exact: None,
        is_fixed: false,
    };

    /// Returns the bytes that an operand accesses.
    pub(crate) fn of<'a>(
        operand: &MemoryOperand<'a>,
        located: Option<&Located<'a>>,
        checker: &InstructionChecker<'_, '_, 'a>,
    ) -> Self {
        let named = operand.form.space.filter(|_| operand.form.names_space);
        let Some(located) = located else {
            return Self { space: named, is_remote: true, ..Self::UNKNOWN };
        };
        let bytes = operand.bytes.known();
        let start = located.offset.value();
        let range = located.offset.span().zip(bytes);
        Self {
            is_remote: located.rank.is_some(),
            range: range.map(|((least, most), bytes)| (least, most + bytes)),
            exact: start.map(|start| (start, bytes.unwrap_or(1))),
            is_fixed: located.offset.affine().is_some(),
            ..Self::somewhere(located.storage, located.is_pointee, checker)
        }
    }

    /// Returns an unknown range in storage.
    pub(crate) fn somewhere(
        storage: usize,
        is_pointee: bool,
        checker: &InstructionChecker<'_, '_, '_>,
    ) -> Self {
        let of = &checker.setting.storages[storage];
        let space = if is_pointee { of.points_to() } else { of.space() };
        let is_dynamic = match of.choices.as_slice() {
            [choice] => choice.object.variable().is_dynamic(),
            [..] => true,
        };
        Self {
            of: Some((storage, is_pointee)),
            space,
            is_dynamic,
            is_remote: false,
            range: None,
            exact: None,
            is_fixed: false,
        }
    }

    /// Whether it may be in shared memory.
    pub(crate) fn may_be_shared(&self) -> bool {
        self.space.is_none_or(|space| space == Space::Shared)
    }

    /// Whether it is in shared memory that the body names, in its own block.
    pub(crate) fn is_own_shared(&self) -> bool {
        !self.is_remote
            && self.space == Some(Space::Shared)
            && self.of.is_some_and(|(_, is_pointee)| !is_pointee)
    }

    /// Whether the ranges may overlap.
    pub(crate) fn may_overlap(&self, other: &Self) -> bool {
        match (self.of, other.of) {
            (Some((_, false)), Some((_, false))) if self.of != other.of => {
                self.is_dynamic && other.is_dynamic
            }
            (Some(one), Some(same)) if one == same => match (self.range, other.range) {
                (Some((first, end)), Some((start, last))) => first < last && start < end,
                (_, _) => true,
            },
            (_, _) => true,
        }
    }

    /// Whether the ranges certainly overlap, in the same block.
    pub(crate) fn must_overlap(&self, other: &Self) -> bool {
        if self.of.is_none() || self.of != other.of || self.is_remote || other.is_remote {
            return false;
        }
        let inside = |range: Option<(i128, i128)>, exact: Option<(i128, i128)>| {
            let all = range.zip(exact);
            all.is_some_and(|((first, end), (start, bytes))| start <= first && end <= start + bytes)
        };
        let meet = self
            .exact
            .zip(other.exact)
            .is_some_and(|((one, bytes), (other, more))| one < other + more && other < one + bytes);
        meet || inside(self.range, other.exact) || inside(other.range, self.exact)
    }

    /// Whether both start at the same byte, which is the same in every execution.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let start = |span: &Self| span.exact.map(|(start, _)| start);
        self.is_exact() && other.is_exact() && self.of == other.of && start(self) == start(other)
    }

    /// Whether its start is known, in the block's own memory.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_own_shared() && self.exact.is_some()
    }

    /// Returns the object that contains it, if it is unique.
    pub(crate) fn object<'a>(
        &self,
        checker: &InstructionChecker<'_, '_, 'a>,
    ) -> Option<Object<'a>> {
        let (storage, is_pointee) = self.of?;
        match checker.setting.storages.get(storage)?.choices.as_slice() {
            [choice] if !choice.is_deferred => Some(choice.at(is_pointee).0),
            [..] => None,
        }
    }
}

#[cfg(test)]
mod tests;
