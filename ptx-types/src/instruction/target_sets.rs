//! Targets that several instructions need.

use crate::target::Target;

/// With tensor memory, and what came with it.
pub(super) const TENSOR_MEMORY: &[Target] = &[
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
];

/// Of those with tensor memory, the architecture-specific ones.
pub(super) const TENSOR_MEMORY_SPECIFIC: &[Target] =
    &[Target::Sm100a, Target::Sm101a, Target::Sm103a, Target::Sm107a, Target::Sm110a];
