//! What the declaration of a tensor map fixes, and what follows from its numbers alone (PTX ISA 5.5).

mod element;
mod options;
mod rank;
mod spec;
mod unit_dimensions;

pub use element::{Direction, ElementType};
pub use options::{Interleave, L2Promotion, OobFill, Swizzle};
pub use rank::MAX_RANK;
pub use spec::{Mode, Spec, Tensor};
pub(crate) use spec::{extent, row_bytes};

#[cfg(test)]
mod tests;
