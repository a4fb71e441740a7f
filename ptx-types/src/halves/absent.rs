//! The types without the feature `half`: their names stand for types with which nothing can be declared, so that
//! the compile error reports the missing feature.

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

use core::marker::PhantomData;

use ptx_float::__private::SealedPack;
use ptx_float::{Pack, Packed};
use typenum::{U2, U4};

use crate::align_marker::Align2;
use crate::ir::Type;
use crate::sealed::Sealed;
use crate::splice::{Splice, sealed::SealedSplice};
use crate::types::value::{ByValue, DeviceCopy, PtxType};
use crate::types::vector::{Lanes, Scalar};
use crate::{Class, ScalarType};

/// A bound that no type meets: the types of the crate `half` need its feature.
#[diagnostic::on_unimplemented(
    message = "`f16` and `bf16` are types of the crate `half`, but `ptx` is built without its feature `half`",
    label = "needs the feature `half` of `ptx`",
    note = "the feature is on by default; beside `default-features = false`, write `features = [\"half\"]` in `Cargo.toml`"
)]
pub trait Present: Copy + Sync + 'static {}

/// A missing type with this name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Absent<Name>(PhantomData<Name>);

impl<Name> Absent<Name> {
    /// Never called, since nothing compiles with a missing type. It exists so that there is no
    /// second error.
    pub const fn from_bits(_: u16) -> Self {
        Self(PhantomData)
    }

    /// See [`from_bits`](Self::from_bits).
    pub const fn from_f32_const(_: f32) -> Self {
        Self(PhantomData)
    }

    /// See [`from_bits`](Self::from_bits).
    pub const fn from_f64_const(_: f64) -> Self {
        Self(PhantomData)
    }
}

mod name {
    /// Only a name.
    #[allow(non_camel_case_types)] // the name in the crate `half`
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub enum f16 {}

    /// Only a name.
    #[allow(non_camel_case_types)] // the name in the crate `half`
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub enum bf16 {}
}

/// The names of the crate `half`.
pub mod half {
    use super::{Absent, name};

    /// Needs the feature `half`.
    #[allow(non_camel_case_types)] // the name in the crate `half`
    pub type f16 = Absent<name::f16>;
    /// Needs the feature `half`.
    #[allow(non_camel_case_types)] // the name in the crate `half`
    pub type bf16 = Absent<name::bf16>;
}

/// The packed types.
pub(crate) mod types {
    use super::{Packed, U2, half};

    /// Needs the feature `half`.
    pub type F16x2 = Packed<half::f16, U2>;
    /// Needs the feature `half`.
    pub type Bf16x2 = Packed<half::bf16, U2>;
}

// SAFETY: the bound is not met by any type.
unsafe impl<Name: Present> PtxType for Absent<Name> {
    const TYPE: &'static Type<'static> = &Type::Scalar(ScalarType::B16);
}

// SAFETY: the bound is not met by any type.
unsafe impl<Name: Present> DeviceCopy for Absent<Name> {
    type Passing = ByValue;
}

impl<Name: Present> Scalar for Absent<Name> {
    const SCALAR: ScalarType = ScalarType::B16;
    type Align2 = Align2;
    type Align4 = Align2;
}

#[diagnostic::do_not_recommend]
impl<Name: Present> Splice for Absent<Name> {
    const CLASS: Class = Class::Bits;
}

impl<Name: Present> Pack<U2> for Absent<Name> {
    type Bits = u32;
    const NAME: &'static str = "B32";
}

impl<Name: Present> Lanes<U2> for Absent<Name> {}
impl<Name: Present> Lanes<U4> for Absent<Name> {}
impl<Name: Present> Sealed for Absent<Name> {}
impl<Name: Present> SealedPack<U2> for Absent<Name> {}
impl<Name: Present> SealedSplice for Absent<Name> {}
