//! Tensor maps (PTX ISA 5.5): declarations, what follows from them, and the rules.
//!
//! A [`Spec`] is the part of a map that a declaration fixes; a [`Tensor`] is the part that the host
//! adds: address, extents and strides. Everything here works in constants.

mod banks;
mod bits;
mod checked;
mod decode;
pub(crate) mod deferred;
mod describe;
mod difference;
mod encode;
mod error;
mod fitted;
mod major;
mod matrix;
mod matrix_error;
mod mma;
mod mma_error;
mod mma_kind;
pub mod rules;
mod tile;

pub use crate::map::{
    Direction, ElementType, Interleave, L2Promotion, MAX_RANK, Mode, OobFill, Spec, Swizzle, Tensor,
};
pub use banks::{BANKS, Picture, bank_conflicts};
pub use bits::{BITS, Bits};
pub(crate) use decode::extent_bytes;
pub use decode::{DecodeError, decode};
pub use describe::{Description, describe};
pub use difference::{Difference, difference};
pub use encode::{encode, encode_unchecked};
pub use error::MapError;
pub use major::Major;
pub use matrix::MatrixDescriptor;
pub(crate) use matrix::offset_bytes;
pub use matrix_error::MatrixError;
pub use mma::MmaDescriptor;
pub use mma_error::MmaError;
pub use mma_kind::{CtaGroup, MmaAccumulator, MmaElement, MmaKind, MmaScale};
pub use rules::{Field, Rule, Verdict, Violation};

#[cfg(test)]
mod tests;
