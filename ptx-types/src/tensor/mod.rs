//! Tensor maps (PTX ISA 5.5): declarations, what follows from them, and the rules.
//!
//! A [`Spec`] is the part of a map that a declaration fixes; a [`Tensor`] is the part that the host
//! adds: address, extents and strides. Everything here works in constants.

mod descriptor;
pub mod model;
mod typed;

pub use descriptor::{Descriptor, encode, encode_unchecked};
pub use ptx_isa::tensor::{
    BANKS, BITS, Bits, CtaGroup, DecodeError, Description, Difference, Direction, ElementType,
    Field, Interleave, L2Promotion, MAX_RANK, Major, MapError, MatrixDescriptor, MatrixError,
    MmaAccumulator, MmaDescriptor, MmaElement, MmaError, MmaKind, MmaScale, Mode, OobFill, Picture,
    Rule, Spec, Swizzle, Tensor, Verdict, Violation, bank_conflicts, describe, difference, rules,
};
pub use typed::{MapAlign, MapType, Mbarrier, TensorMap, Tile};
