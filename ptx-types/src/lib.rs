//! The vocabulary of typed PTX storage.
//!
//! State spaces, scalar types, vectors, pointers and their layout (PTX ISA chapter 5), the
//! span-free [IR](ir) of a module, and the [rule table](rules) that every front end asks.
//!
//! The crate is `no_std` (it needs `alloc`), has no macros to expand and no driver to find, and is
//! usable alone. The `ptx` crate re-exports it beside the attribute macros and the emitter.
//!
//! Sizes, offsets and alignments are in **bytes** unless a name says otherwise.
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(target_endian = "big")]
compile_error!(
    "ptx reads the bytes of initial values as the GPU will: little endian; \
     big-endian hosts are not supported"
);

mod address;
mod aligned;
mod bits;
mod comparison;
mod const_str;
#[cfg(feature = "cudarc")]
mod driver;
mod family;
pub mod float;
mod handle;
mod host;
pub mod ident;
pub mod instruction;
pub mod ir;
mod launch_condition;
mod map;
mod opaque;
mod packed;
mod pointer;
pub mod rule;
pub mod rules;
mod scalar;
mod space;
pub mod special;
mod splice;
mod target;
pub mod tensor;
mod text;
mod texture;
mod value;
mod vector;

pub use address::{Code, Holds};
pub use aligned::{Aligned, Alignment, Natural, PointeeAlign, align_marker};
pub use bits::{B8, B16, B32, B64, B128};
pub use family::Family;
pub use float::types::*;
pub use float::{Cvt, Dense, Padded, Rounding, SmallFloat};
pub use handle::{DeviceFunction, Kernel, Variable};
pub use host::Pred;
pub use opaque::{
    AddressMode, Applies, Assignment, ChannelOrder, ChannelType, Domain, FilterMode, Member,
    MemberValue, Opaque, TextureMode,
};
pub use packed::*;
pub use pointer::Ptr;
pub use scalar::{Class, ScalarType};
pub use space::{Const, Generic, Global, Local, PointerSpace, Reg, Shared, Space, StateSpace};
pub use splice::{Number, Splice, Whole, splice};
pub use target::{Release, Target, Version};
pub use tensor::{MapType, Mbarrier, TensorMap, Tile};
pub use text::Text;
pub use texture::{SamplerRef, SurfRef, TexRef};
pub use value::{DeviceCopy, PtxType};
pub use vector::{Lanes, Scalar, V2, V3, V4};

/// Keeps traits to this crate whose implementations unsafe code relies on.
mod sealed {
    pub trait Sealed {}
    /// Of a number of elements, too: no one else's `N` makes a packed type.
    pub trait SealedPack<N> {}
}

/// What expanded code needs beside the public interface. Not covered by semantic versioning.
#[doc(hidden)]
pub mod __private {
    /// What the prelude names of these.
    pub mod packed_types {
        pub use crate::packed::types::*;
    }
    /// What the prelude names of these.
    pub mod small_floats {
        pub use crate::float::types::*;
    }
    pub use crate::address::{
        Numbered, aligned, byte, count_links, linked, locate_links, masked, placeholder,
        placeholder_byte, rounds,
    };
    pub use crate::rules::deferred::*;
    pub use crate::tensor::deferred::*;
    pub use crate::value::{ByAddress, ByValue, Typed};
    pub use half;
    pub use typenum;
}
