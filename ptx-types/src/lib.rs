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
#[cfg(feature = "cudarc")]
mod driver;
mod family;
pub mod float;
mod handle;
pub mod ident;
pub mod ir;
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
mod words;

pub use address::{Code, Holds};
pub use aligned::{Aligned, Alignment, Natural, PointeeAlign, align_marker};
pub use bits::{B8, B16, B32, B64, B128};
pub use family::Family;
pub use float::{
    Cvt, Dense, E2M1, E2M3, E3M2, E4M3, E5M2, Padded, Rounding, SmallFloat, Tf32, Ue4m3, Ue8m0,
};
pub use handle::{DeviceFunction, Kernel, Variable};
pub use opaque::{
    AddressMode, Applies, Assignment, ChannelOrder, ChannelType, Domain, FilterMode, Member,
    MemberValue, Opaque, TextureMode,
};
pub use packed::{
    Bf16x2, E2M1x2, E2M1x4, E2M3x2, E2M3x4, E3M2x2, E3M2x4, E4M3x2, E4M3x4, E5M2x2, E5M2x4, F16x2,
    F32x2, Pack, Packed, S16x2, U16x2, Ue8m0x2,
};
pub use pointer::Ptr;
pub use scalar::{Class, ScalarType};
pub use space::{Const, Generic, Global, Local, PointerSpace, Reg, Shared, Space, StateSpace};
pub use splice::{Number, Splice, Whole, splice};
pub use target::{Release, Target, Version};
pub use tensor::{MapType, Mbarrier, TensorMap, Tile};
pub use text::Text;
pub use texture::{SamplerRef, SurfRef, TexRef};

pub use value::{DeviceCopy, Pred, PtxType};
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
    pub use crate::address::{
        Numbered, aligned, byte, count_links, linked, locate_links, masked, placeholder,
        placeholder_byte, rounds,
    };
    pub use crate::rules::deferred::*;
    pub use crate::tensor::deferred::*;
    pub use crate::value::{ByAddress, ByValue};
    pub use half;
    pub use typenum;
}
