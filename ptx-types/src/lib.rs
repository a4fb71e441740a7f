//! For those who only need tensor maps: they are checked and encoded on the host, for kernels that are written elsewhere, with
//! small floats and their scales. And the Rust types of storage of [`ptx`](https://docs.rs/ptx). It needs no GPU, no driver and no `std`.
//!
//! A descriptor for `cp.async.bulk.tensor`, with sizes that are known at run time
//! ([chapter](guide::tensor_maps)):
//!
//! ```
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
//! ```
//!
//! Weights as MXFP4, with one scale for every 32 ([chapter](guide::small_floats)):
//!
//! ```
//! use ptx_types::float::quantize_blocks;
//! use ptx_types::{E2M1x2, Ue8m0};
//!
//! let weights = vec![0.3_f32; 4096];
//! let mut elements = vec![E2M1x2::default(); weights.len() / 2];
//! let mut scales = vec![Ue8m0::ONE; weights.len() / 32];
//! quantize_blocks::<_, _, 32>(&weights, &mut elements, &mut scales)?;
//! # Ok::<(), ptx_types::float::LengthMismatch>(())
//! ```
//!
//! The crate is also the foundation of the crate `ptx`, which re-exports all of it along with its attribute
//! macros and its emitter: vectors, pointers and their layout (PTX ISA chapter 5), and all of `ptx-isa`, the
//! span-free [IR](ir) of a module and the [rule table](rules) that every front end uses.
//!
//! Sizes, offsets and alignments are in **bytes** unless the name gives another unit.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! | --- | --- | --- |
//! | `half` | yes | `f16` and `bf16` from the crate `half`, which is re-exported |
//! | `std` | yes | conversions of slices detect and use the processor's vector instructions |
//! | `serde` | no | serialises small floats as their bits, tensor maps as their fields and names |
//! | `rayon` | no | `float::parallel`: conversions of slices on all cores |
//! | `ndarray` | no | `float::arrays`: conversions of `ndarray` matrices with any strides |
//! | `cudarc` | no | the types are kernel arguments in cudarc's launches |
#![no_std]

extern crate alloc;

#[cfg(target_endian = "big")]
compile_error!(
    "ptx reads the bytes of initial values as the GPU will: little endian; \
     big-endian hosts are not supported"
);

mod address;
mod constant;
#[cfg(feature = "cudarc")]
mod driver;
/// Small floating-point formats (PTX ISA 5.2.3) on the host, bit for bit as the GPU produces and reads them: all of
/// `ptx-float`.
pub mod float {
    pub use ptx_float::*;
}
mod halves;
mod handle;
/// Chapters on the host library.
pub mod guide {
    #[doc = include_str!("../docs/small-floats.md")]
    pub mod small_floats {}
    #[doc = include_str!("../docs/tensor-maps.md")]
    pub mod tensor_maps {}
}
mod place;
mod space;
mod splice;
pub mod tensor;
mod texture;
mod types;

pub use address::{Code, Holds};
pub use halves::types::*;
pub use handle::{DeviceFunction, Kernel, Variable};
pub use ptx_float::__private::{packed_types::*, small_floats::*};
#[doc(hidden)]
pub use ptx_float::__small_floats;
/// The crate `half`, whose `f16` and `bf16` are the Rust types of PTX's.
#[cfg(feature = "half")]
pub use ptx_float::half;
pub use ptx_float::{Cvt, Dense, Pack, Packed, Padded, Rounding, SmallFloat};
#[doc(hidden)]
pub use ptx_isa::{__debug_as_message, count, near};
pub use ptx_isa::{
    AddressMode, Applies, Assignment, ChannelOrder, ChannelType, Class, Demand, Domain, FilterMode,
    Member, MemberValue, Number, NumberFormat, Opaque, PackedNumbers, ParseError, Release,
    Resource, ScalarType, Space, Spaces, Target, Text, TextureMode, Version, ident, instruction,
    ir, rule, rules, special,
};
pub use space::{Const, Generic, Global, Local, PointerSpace, Reg, Shared, StateSpace};
pub use splice::{Splice, Whole, splice};
pub use tensor::{MapType, Mbarrier, TensorMap, Tile};
pub use texture::{SamplerRef, SurfRef, TexRef};
/// The crate `typenum`, whose numbers are alignments, vector widths and ranks in types: those that the prelude does not have.
pub use typenum;
pub use types::*;

/// Seals traits whose implementations unsafe code relies on.
mod sealed {
    pub trait Sealed {}
}

/// Items that expanded code needs besides the public interface. They are not covered by semantic versioning.
#[doc(hidden)]
pub mod __private {
    pub use crate::address::{
        Numbered, aligned, byte, count_links, linked, locate_links, masked, placeholder,
        placeholder_byte,
    };
    pub use crate::constant::*;
    pub use crate::halves::half;
    pub use crate::place::{
        Place, Places, TilePlaces, coordinate, elements, index, place, place_in, pointee,
        pointee_in, swizzle_of,
    };
    pub use crate::types::padding::{gaps, zeros};
    pub use crate::types::value::{ByAddress, ByValue, Typed};
    pub use ptx_float::__private::small_floats;
    pub use ptx_isa::__private::*;
    pub use typenum;

    /// The types that the prelude re-exports.
    pub mod packed_types {
        pub use crate::halves::types::*;
        pub use ptx_float::__private::packed_types::*;
    }
}

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
