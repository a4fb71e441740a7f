//! The numbers that the declaration of a tensor map fixes, and what they alone determine (PTX ISA
//! 5.5).

mod element;
mod options;
mod rank;
mod spec;
mod text;
mod unit_dimensions;

pub use element::{Direction, ElementType};
pub use options::{Interleave, L2Promotion, OobFill, Swizzle};
pub use rank::MAX_RANK;
pub(crate) use spec::row_bytes;
pub use spec::{Mode, Spec, Tensor};

#[cfg(test)]
mod tests;
