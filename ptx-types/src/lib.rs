//! Typed PTX storage, and a host library for kernels that are written elsewhere: checked tensor maps, and
//! small floats with their scales. It needs no GPU, no driver and no `std`.
//!
//! A descriptor for `cp.async.bulk.tensor`, with sizes that are known at run time
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
//! Weights as MXFP4, with one scale for every 32 ([chapter](guide::small_floats)):
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
//! The crate is also the foundation of the crate `ptx`, which re-exports all of it along with its attribute
//! macros and its emitter: state spaces, scalar types, vectors, pointers and their layout (PTX ISA chapter 5),
//! the span-free [IR](ir) of a module, and the [rule table](rules) that every front end uses.
//!
//! Sizes, offsets and alignments are in **bytes** unless the name gives another unit.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! | --- | --- | --- |
//! | `types` | yes | the Rust types of PTX storage, conversions of small floats, tensor copies on the CPU. Without it, the crate is the IR, the rules, and tensor maps |
//! | `half` | yes | `f16` and `bf16` from the crate `half`, which is re-exported |
//! | `std` | yes | conversions of slices detect and use the processor's vector instructions; errors suggest the name that may have been meant |
//! | `serde` | no | serialises small floats as their bits, tensor maps as their fields and names |
//! | `rayon` | no | `float::parallel`: conversions of slices on all cores |
//! | `ndarray` | no | `float::arrays`: conversions of `ndarray` matrices with any strides |
//! | `cudarc` | no | the types are kernel arguments in cudarc's launches |
#![no_std]
// Some items are used only by the types and by the constants of expanded code.
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
#[doc(hidden)]
pub mod count;
mod demand;
#[cfg(feature = "cudarc")]
mod driver;
mod error_text;
mod expansion;
#[cfg(feature = "types")]
mod exports;
pub mod float;
#[cfg(feature = "types")]
mod halves;
#[cfg(feature = "types")]
mod handle;
/// Chapters on the host library.
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

/// The crate `half`, whose `f16` and `bf16` are the Rust types of PTX's.
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

/// Seals traits whose implementations unsafe code relies on.
mod sealed {
    pub trait Sealed {}
    /// Sealed for each number of elements: a foreign `N` does not make a packed type.
    pub trait SealedPack<N> {}
}

/// Items that expanded code needs besides the public interface. They are not covered by semantic versioning.
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
