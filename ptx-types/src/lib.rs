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

#[cfg(target_endian = "big")]
compile_error!(
    "ptx reads the bytes of initial values as the GPU will: little endian; \
     big-endian hosts are not supported"
);

mod aligned;
mod bits;
mod handle;
pub mod ident;
pub mod ir;
mod pointer;
pub mod rules;
mod scalar;
mod space;
pub mod special;
mod splice;
mod target;
mod text;
mod value;
mod vector;

pub use aligned::{Aligned, Alignment, Natural, PointeeAlign, align_marker};
pub use bits::{B8, B16, B32, B64, B128};
pub use handle::{DeviceFunction, Kernel, Variable};
pub use pointer::Ptr;
pub use scalar::{Class, Pred, ScalarType};
pub use space::{Const, Generic, Global, Local, PointerSpace, Shared, Space, StateSpace};
pub use splice::{Number, Splice, splice};
pub use target::{Release, Target, Version};
pub use text::Text;
pub use value::PtxType;
pub use vector::{Lanes, Scalar, V2, V4};

/// Keeps traits to this crate whose implementations unsafe code relies on.
mod sealed {
    pub trait Sealed {}
}

/// What expanded code needs beside the public interface. Not covered by semantic versioning.
#[doc(hidden)]
pub mod __private {
    pub use crate::rules::late::*;
    pub use half;
    pub use typenum;
}
