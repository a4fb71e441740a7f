//! Targets that several instructions need, each set in the order of the architectures.

use crate::target::Target;

/// Whose tensor maps can be changed.
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

/// From `sm_100` on, the targets that are not baselines.
pub(super) const FROM_100: &[Target] = within(TENSOR_MAPS, 100, u16::MAX);

/// With tensor memory, and what came with it.
pub(super) const TENSOR_MEMORY: &[Target] = within(TENSOR_MAPS, 100, 110);

/// With loads from tensor memory that reduce.
pub(super) const TENSOR_MEMORY_REDUCING: &[Target] = within(TENSOR_MAPS, 101, 110);

/// Of those with tensor memory, the architecture-specific ones.
pub(super) const TENSOR_MEMORY_SPECIFIC: &[Target] =
    &[Target::Sm100a, Target::Sm101a, Target::Sm103a, Target::Sm107a, Target::Sm110a];

/// Those of some targets whose architecture is between two, both included.
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
