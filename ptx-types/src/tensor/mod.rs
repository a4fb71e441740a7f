//! Tensor maps (PTX ISA 5.5): what a declaration fixes, what follows from it, and the rules.
//!
//! A [`Spec`] is what a declaration says of a map; a [`Tensor`] is what the host adds: address,
//! extents and strides. Everything here works in constants.

mod bits;
pub(crate) mod deferred;
mod describe;
mod difference;
mod element;
mod encode;
mod matrix;
pub mod model;
mod options;
pub mod rules;
mod spec;
mod tile;
mod typed;

pub use bits::{BITS, Bits};
pub use describe::{Description, describe};
pub use difference::{Difference, difference};
pub use element::{Direction, ElementType};
pub(crate) use encode::extent_bytes;
pub use encode::{Descriptor, encode, encode_unchecked};
pub use matrix::{Major, MatrixDescriptor};
pub use options::{Interleave, L2Promotion, OobFill, Swizzle};
pub use rules::{Field, Rule, Verdict, Violation};
pub use spec::{MAX_RANK, Mode, Spec, Tensor};
pub use typed::{MapAlign, MapType, Mbarrier, TensorMap, Tile};
