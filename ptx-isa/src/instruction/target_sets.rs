//! Sets of targets that several instructions require, each in the order of the architectures.

use crate::target::Target;

/// The targets on which a kernel can modify tensor maps.
pub(super) const TENSOR_MAPS: &[Target] = &[
    Target::Sm90a,
    Target::Sm100f,
    Target::Sm100a,
    Target::Sm101f,
    Target::Sm101a,
    Target::Sm103f,
    Target::Sm103a,
    Target::Sm107f,
    Target::Sm107a,
    Target::Sm110f,
    Target::Sm110a,
    Target::Sm120f,
    Target::Sm120a,
    Target::Sm121f,
    Target::Sm121a,
];

/// The targets from `sm_100` on that are not baselines.
pub(super) const FROM_100: &[Target] = within(TENSOR_MAPS, 100, u16::MAX);

/// The targets with tensor memory, and the instructions introduced with it.
pub(super) const TENSOR_MEMORY: &[Target] = within(TENSOR_MAPS, 100, 110);

/// The targets with reducing loads from tensor memory.
pub(super) const TENSOR_MEMORY_REDUCING: &[Target] = within(TENSOR_MAPS, 101, 110);

/// The architecture-specific targets with tensor memory.
pub(super) const TENSOR_MEMORY_SPECIFIC: &[Target] =
    &[Target::Sm100a, Target::Sm101a, Target::Sm103a, Target::Sm107a, Target::Sm110a];

/// The targets whose architecture is in an inclusive range.
const fn within(targets: &[Target], first: u16, last: u16) -> &[Target] {
    let (mut start, mut end) = (0, targets.len());
    while start < end && targets[start].arch() < first {
        start += 1;
    }
    while start < end && targets[end - 1].arch() > last {
        end -= 1;
    }
    targets.split_at(end).0.split_at(start).1
}
