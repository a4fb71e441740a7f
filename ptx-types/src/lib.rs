//! Typed PTX storage, and a host library for those whose kernels are written elsewhere: tensor maps that are checked, and
//! small floats with their scales. No GPU, no driver, no `std`.
//!
//! A descriptor for `cp.async.bulk.tensor`, of sizes that are known at run time
//! ([chapter](guide::tensor_maps)):
//!
//! ```
//! # #[cfg(feature = "types")] {
//! use ptx_types::Target;
//! use ptx_types::tensor::{ElementType, MapError, Spec, Swizzle, encode};
//!
//! # fn main() -> Result<(), MapError> {
//! let spec = Spec::tiled(ElementType::Bf16, &[64, 128])?.with_swizzle(Swizzle::B128);
//! let tensor = spec.tensor(0x7f00_0000_0000, &[1024, 4096], None)?;
//! let descriptor = encode(&spec, &tensor, Target::Sm90)?;
//! assert_eq!(spec.tile_bytes(), 16384);
//! # let _ = descriptor;
//! # Ok(())
//! # }
//! # main().unwrap();
//! # }
//! ```
//!
//! Weights as MXFP4, with a scale for each 32 of them ([chapter](guide::small_floats)):
//!
//! ```
//! # #[cfg(feature = "types")] {
//! use ptx_types::float::quantize_blocks;
//! use ptx_types::{E2M1x2, Ue8m0};
//!
//! let weights = vec![0.3_f32; 4096];
//! let mut elements = vec![E2M1x2::default(); weights.len() / 2];
//! let mut scales = vec![Ue8m0::ONE; weights.len() / 32];
//! quantize_blocks::<_, _, 32>(&weights, &mut elements, &mut scales)?;
//! # }
//! # Ok::<(), ptx_types::float::LengthMismatch>(())
//! ```
//!
//! Beside these the crate has what the crate `ptx` is built on, which re-exports all of it beside its attribute macros and its
//! emitter: state spaces, scalar types, vectors, pointers and their layout (PTX ISA chapter 5), the span-free [IR](ir) of
//! a module, and the [rule table](rules) that every front end asks.
//!
//! Sizes, offsets and alignments are in **bytes** unless a name says otherwise.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! | --- | --- | --- |
//! | `types` | yes | the Rust types of PTX storage, conversions of small floats, tensor copies on the CPU. Without it: the IR, the rules, and tensor maps |
//! | `half` | yes | `f16` and `bf16` of the crate `half`, which is re-exported |
//! | `std` | yes | slices of small floats use what the processor has; errors say what a mistyped name may have been meant to be |
//! | `serde` | no | small floats as their bits, tensor maps as their fields and names |
//! | `rayon` | no | `float::parallel`: slices on all cores |
//! | `ndarray` | no | `float::arrays`: matrices of `ndarray`, of any strides |
//! | `cudarc` | no | the types are arguments of cudarc's launches |
#![no_std]
// What only the types and the constants of expanded code ask.
#![cfg_attr(not(feature = "types"), allow(dead_code, unreachable_pub))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(target_endian = "big")]
compile_error!(
    "ptx reads the bytes of initial values as the GPU will: little endian; \
     big-endian hosts are not supported"
);

#[cfg(feature = "types")]
mod address;
mod comparison;
mod const_ord;
mod const_str;
mod count;
mod demand;
#[cfg(feature = "cudarc")]
mod driver;
mod expansion;
#[cfg(feature = "types")]
mod exports;
pub mod float;
#[cfg(feature = "types")]
mod halves;
#[cfg(feature = "types")]
mod handle;
/// Chapters on what the crate does by itself.
#[cfg(feature = "types")]
pub mod guide {
    #[doc = include_str!("../docs/small-floats.md")]
    pub mod small_floats {}
    #[doc = include_str!("../docs/tensor-maps.md")]
    pub mod tensor_maps {}
}
pub mod ident;
pub mod instruction;
pub mod ir;
mod launch_condition;
mod map;
mod name;
#[doc(hidden)]
pub mod near;
mod number_format;
mod opaque;
#[cfg(feature = "types")]
mod packed;
#[cfg(feature = "types")]
mod place;
#[cfg(feature = "types")]
mod private;
mod reached;
pub mod rule;
pub mod rules;
mod scalar;
mod space;
pub mod special;
mod splice;
mod target;
pub mod tensor;
mod text;
#[cfg(feature = "types")]
mod texture;
#[cfg(feature = "types")]
mod types;

/// The crate whose `f16` and `bf16` are those of PTX.
#[cfg(feature = "half")]
pub use ::half;
pub use demand::{Demand, Resource};
#[cfg(feature = "types")]
pub use exports::*;
pub use name::ParseError;
pub use number_format::{NumberFormat, PackedNumbers};
pub use opaque::{
    AddressMode, Applies, Assignment, ChannelOrder, ChannelType, Domain, FilterMode, Member,
    MemberValue, Opaque, TextureMode,
};
pub use scalar::{Class, ScalarType};
pub use space::{Const, Generic, Global, Local, PointerSpace, Reg, Shared, Space, StateSpace};
pub use splice::{Number, Splice, Whole, splice};
pub use target::{Release, Target, Version};
pub use text::Text;
#[cfg(feature = "types")]
pub use types::*;

/// Keeps traits to this crate whose implementations unsafe code relies on.
mod sealed {
    pub trait Sealed {}
    /// Of a number of elements, too: no one else's `N` makes a packed type.
    pub trait SealedPack<N> {}
}

/// What expanded code needs beside the public interface. Not covered by semantic versioning.
#[doc(hidden)]
pub mod __private {
    pub use crate::expansion::{JUDGED_AT_ONCE, rounds};
    #[cfg(feature = "types")]
    pub use crate::private::*;
}

/// The example of the README is a test.
#[cfg(all(doctest, feature = "types"))]
#[doc = include_str!("../README.md")]
pub struct Readme;
