//! The Rust types that stand for PTX scalars.

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

use typenum::{U2, U4};

use crate::ScalarType;
use crate::align_marker::{Align2, Align4, Align8, Align16, Align32, Align64};
use crate::ir::Type;
use crate::sealed::Sealed;
use crate::types::bits::{B8, B16, B32, B64, B128};
use crate::types::value::PtxType;

/// Implements the traits of a Rust scalar, given its PTX type, the alignments of its vectors of two and four
/// elements, and the vectors that PTX has.
macro_rules! host_scalar {
    ($T:ty => $Scalar:ident, $Align2:ty, $Align4:ty, [$($N:ty),*]) => {
        // SAFETY: a scalar of that size without padding or pointers.
        unsafe impl $crate::types::value::PtxType for $T {
            const TYPE: &'static $crate::ir::Type<'static> =
                &$crate::ir::Type::Scalar($crate::ScalarType::$Scalar);
        }

        // SAFETY: an integer or a floating-point number, or transparent over one.
        unsafe impl $crate::types::value::DeviceCopy for $T {
            type Passing = $crate::types::value::ByValue;
        }

        impl $crate::types::vector::Scalar for $T {
            const SCALAR: $crate::ScalarType = $crate::ScalarType::$Scalar;
            type Align2 = $Align2;
            type Align4 = $Align4;
        }

        $(impl $crate::types::vector::Lanes<$N> for $T {})*

        const _: () = {
            let bytes = $crate::ScalarType::$Scalar.bytes();
            assert!(
                size_of::<$T>() == bytes && align_of::<$T>() == bytes,
                concat!("this host lays out `", stringify!($T), "` unlike the GPU")
            );
            assert!(
                align_of::<$crate::types::vector::V2<$T>>() == 2 * bytes
                    && align_of::<$crate::types::vector::V4<$T>>() == 4 * bytes
            );
        };
    };
}
pub(crate) use host_scalar;

/// One row for each Rust scalar; `ScalarType` has their other properties. The rows of the small floats are
/// those of `ptx-float`.
macro_rules! host_scalars {
    ($($T:ty => $Scalar:ident, $Align2:ty, $Align4:ty, [$($N:ty),*];)*) => {$(
        host_scalar!($T => $Scalar, $Align2, $Align4, [$($N),*]);

        impl Sealed for $T {}
    )*};
}

host_scalars! {
    u8 => U8, Align2, Align4, [U2, U4];
    i8 => S8, Align2, Align4, [U2, U4];
    B8 => B8, Align2, Align4, [U2, U4];
    u16 => U16, Align4, Align8, [U2, U4];
    i16 => S16, Align4, Align8, [U2, U4];
    B16 => B16, Align4, Align8, [U2, U4];
    u32 => U32, Align8, Align16, [U2, U4];
    i32 => S32, Align8, Align16, [U2, U4];
    f32 => F32, Align8, Align16, [U2, U4];
    B32 => B32, Align8, Align16, [U2, U4];
    u64 => U64, Align16, Align32, [U2];
    i64 => S64, Align16, Align32, [U2];
    f64 => F64, Align16, Align32, [U2];
    B64 => B64, Align16, Align32, [U2];
    B128 => B128, Align32, Align64, [];
}

/// A predicate, as a type: only registers can be predicates (PTX ISA 5.1.1, 5.4.1), so this type only
/// serves to name it in an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pred {}

// SAFETY: the type has no values, and every declaration of storage with it is rejected (D003).
unsafe impl PtxType for Pred {
    const TYPE: &'static Type<'static> = &Type::Scalar(ScalarType::Pred);
}
