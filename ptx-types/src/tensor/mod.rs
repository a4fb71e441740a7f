//! Tensor maps (PTX ISA 5.5): what a declaration fixes, what follows from it, and the rules.
//!
//! A [`Spec`] is what a declaration says of a map; a [`Tensor`] is what the host adds: address,
//! extents and strides. Everything here works in constants.

mod element;
mod options;
mod spec;

pub use element::{Direction, ElementType};
pub use options::{Interleave, L2Promotion, OobFill, Swizzle};
pub use spec::{MAX_RANK, Mode, Spec, Tensor};
