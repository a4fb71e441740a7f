//! The vocabulary of typed PTX storage.
//!
//! State spaces, scalar types, vectors, pointers and their layout (PTX ISA chapter 5), the
//! span-free [IR](ir) of a module, and the [rule table](rules) that every front end asks.
//!
//! The crate is `no_std` (it needs `alloc`), has no macros to expand and no driver to find, and is
//! usable alone. The `ptx` crate re-exports it beside the attribute macros and the emitter.
//!
//! `f16` and `bf16` are those of the crate `half`, with the feature `half`, which is on by default.
//! Without the feature `types`, which is on by default, it is the IR and the rules alone: without the Rust
//! types of what PTX has in memory, their handles, conversions of small floats, and tensor copies on the
//! CPU. `std` is for slices of small floats, which then use what the processor has.
//!
//! Sizes, offsets and alignments are in **bytes** unless a name says otherwise.
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
mod const_str;
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
