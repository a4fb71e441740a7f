//! For tools that read, write or check PTX: what the PTX ISA says, as data and rules. State spaces, scalar types, targets, the
//! [instructions](instruction), the span-free [IR](ir), tensor maps, and the [rule table](rules) that every front end
//! asks.
//!
//! It is the part of `ptx` that its macro and a program share, and depends on no other crate. Without Rust types of
//! storage it is of use to a tool that reads and checks PTX; what a host program needs is in `ptx-types`, which
//! re-exports all of it.
//!
//! ```
//! use ptx_isa::{ScalarType, Space, Target, Version};
//!
//! assert_eq!(ScalarType::from_name("bf16").map(ScalarType::bytes), Some(2));
//! assert_eq!(Target::from_name("sm_90a").map(Target::since), Some(Version::new(8, 0)));
//! assert!(Space::Const.is_initialisable());
//! ```
//!
//! Sizes, offsets and alignments are in **bytes** unless the name gives another unit.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod comparison;
mod const_ord;
mod const_str;
mod constant;
#[doc(hidden)]
pub mod count;
mod demand;
pub mod directive;
mod error_text;
mod expansion;
mod found;
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
mod reached;
pub mod rule;
pub mod rules;
mod scalar;
#[doc(hidden)]
pub mod sorted;
mod space;
pub mod special;
mod target;
pub mod tensor;
mod text;

pub use constant::Number;
pub use demand::{Demand, Resource};
pub use name::ParseError;
pub use number_format::{NumberFormat, PackedNumbers};
pub use opaque::{
    AddressMode, Applies, Assignment, ChannelOrder, ChannelType, Domain, FilterMode, Member,
    MemberValue, Opaque, TextureMode,
};
pub use scalar::{Class, ScalarType};
pub use space::{Space, Spaces};
pub use target::{Release, Target, Version};
pub use text::Text;

/// Items that expanded code and `ptx-types` need besides the public interface. They are not covered by semantic
/// versioning.
#[doc(hidden)]
pub mod __private {
    pub use crate::const_str::same;
    pub use crate::constant::whole_of;
    pub use crate::expansion::{CHECKED_AT_ONCE, rounds};
    pub use crate::found::{Found, require};
    #[cfg(feature = "serde")]
    pub use crate::name::Visitor;
    pub use crate::rules::checked::*;
    pub use crate::rules::checks::*;
    pub use crate::rules::deferred::*;
    pub use crate::rules::{check_outside, check_own};
    pub use crate::tensor::deferred::*;
}

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
