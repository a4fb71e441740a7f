//! Small floats as PTX storage: one by one, packed (PTX ISA 5.2.4), and as tensor maps read them.

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

use ptx_float::{Dense, Pack, Packed, Padded, SubByte};
use typenum::{U2, U4};

use crate::ScalarType;
use crate::ir::{Extent, Type};
use crate::sealed::Sealed;
use crate::types::host::host_scalar;
use crate::types::value::{ByValue, DeviceCopy, PtxType};
use crate::types::vector::{Lanes, Scalar};

/// Implements the traits of the small floats of which PTX has variables of one element.
macro_rules! floats {
    ($($(#[$_type:meta])* $F:ident($Bits:ident) {
        cvt: $_modifiers:literal = $_cvt:expr,
        with: [$($_word:ident)*],
        $(#[$_format:meta])* format: $_ROW:ident { $($_fields:tt)* },
        $(variable: $Scalar:ident,)?
    })*) => {$($(
        impl Sealed for ptx_float::$F {}

        host_scalar!(
            ptx_float::$F => $Scalar, <$Bits as Scalar>::Align2, <$Bits as Scalar>::Align4, [U2, U4]
        );
    )?)*};
}

ptx_float::__small_floats!(floats);

/// The scalar type with this name in Rust, in constants.
const fn packed(name: &str) -> ScalarType {
    let mut n = 0;
    while n < ScalarType::ALL.len() {
        if let Some(known) = ScalarType::ALL[n].rust_name()
            && ptx_isa::__private::same(known, name)
        {
            return ScalarType::ALL[n];
        }
        n += 1;
    }
    panic!("every packed type is a scalar type")
}

// SAFETY: transparent bits of the packed type's size and alignment.
unsafe impl<E: Pack<N>, N: 'static> PtxType for Packed<E, N> {
    const TYPE: &'static Type<'static> = {
        let scalar = packed(E::NAME);
        assert!(size_of::<Self>() == scalar.bytes() && align_of::<Self>() == scalar.bytes());
        &Type::Scalar(scalar)
    };
}

// SAFETY: transparent bits; those above the lanes are ignored.
unsafe impl<E: Pack<N>, N: 'static> DeviceCopy for Packed<E, N> {
    type Passing = ByValue;
}

impl<E: Pack<N>, N: 'static> Sealed for Packed<E, N> {}

impl<E: Pack<N, Bits: Scalar>, N: 'static> Scalar for Packed<E, N> {
    const SCALAR: ScalarType = packed(E::NAME);
    type Align2 = <E::Bits as Scalar>::Align2;
    type Align4 = <E::Bits as Scalar>::Align4;
}

impl<E: Pack<N, Bits: Scalar>, N: 'static> Lanes<U2> for Packed<E, N> {}
impl<E: Pack<N, Bits: Lanes<U4>>, N: 'static> Lanes<U4> for Packed<E, N> {}

// SAFETY: transparent bytes.
unsafe impl<E: SubByte, const BYTES: usize> PtxType for Dense<E, BYTES> {
    const TYPE: &'static Type<'static> = {
        let _ = Self::LEN;
        &Type::Array(Extent::Known(BYTES), &Type::Scalar(ScalarType::B8))
    };
}

// SAFETY: transparent bytes; every pattern of 4 or 6 bits is an element.
unsafe impl<E: SubByte, const BYTES: usize> DeviceCopy for Dense<E, BYTES> {
    type Passing = ByValue;
}

// SAFETY: transparent bytes.
unsafe impl<E: SubByte> PtxType for Padded<E> {
    const TYPE: &'static Type<'static> =
        &Type::Array(Extent::Known(16), &Type::Scalar(ScalarType::B8));
}

// SAFETY: transparent bytes; every pattern of 4 or 6 bits is an element.
unsafe impl<E: SubByte> DeviceCopy for Padded<E> {
    type Passing = ByValue;
}
