//! Alternate floating-point formats and packed types (PTX ISA 5.2.3 and 5.2.4).
//!
//! PTX declares them as untyped bits: each knows its carrier, size and alignment.

use core::fmt;
use core::marker::PhantomData;

use half::{bf16, f16};
use typenum::{U2, U4};

use crate::ir::Type;
use crate::scalar::ScalarType;
use crate::sealed::Sealed;
use crate::value::PtxType;
use crate::vector::{Lanes, Scalar};

macro_rules! formats {
    ($($(#[$doc:meta])* $F:ident($Bits:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[repr(transparent)]
        pub struct $F($Bits);

        impl $F {
            /// The value with these bits.
            pub const fn from_bits(bits: $Bits) -> Self {
                Self(bits)
            }

            /// The bits.
            pub const fn to_bits(self) -> $Bits {
                self.0
            }
        }

        impl fmt::Debug for $F {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($F), "({:#x})"), self.0)
            }
        }

        impl Sealed for $F {}
    )*};
}

formats! {
    /// 1 sign, 4 exponent and 3 mantissa bits; no infinity. `.b8` in PTX.
    E4M3(u8);
    /// 1 sign, 5 exponent and 2 mantissa bits. `.b8` in PTX.
    E5M2(u8);
    /// 1 sign, 2 exponent and 3 mantissa bits, in the lower 6 bits of a byte. Only packed in PTX.
    E2M3(u8);
    /// 1 sign, 3 exponent and 2 mantissa bits, in the lower 6 bits of a byte. Only packed in PTX.
    E3M2(u8);
    /// 1 sign, 2 exponent bits and 1 mantissa bit, in the lower 4 bits. Only packed in PTX.
    E2M1(u8);
    /// 8 exponent bits: a power of two. Only packed in PTX.
    Ue8m0(u8);
    /// 4 exponent and 3 mantissa bits, no sign, in the lower 7 bits of a byte. `.b8` in PTX.
    Ue4m3(u8);
    /// The range of `f32` with at least 10 mantissa bits; the layout is the hardware's. `.b32` in
    /// PTX.
    Tf32(u32);
}

/// An element type of which PTX packs `N` into one value (PTX ISA 5.2.4, table 9).
#[diagnostic::on_unimplemented(
    message = "PTX does not pack this many `{Self}` into one value",
    label = "no packed type",
    note = "the packed types are `F16x2`, `F32x2`, `Bf16x2`, `U16x2`, `S16x2`, `Ue8m0x2`, and `x2` and `x4` of `E4M3`, `E5M2`, `E2M3`, `E3M2` and `E2M1`"
)]
pub trait Pack<N>: Sealed + 'static {
    /// Bits that carry the packed value: as large, and aligned alike.
    type Bits: Scalar + Default + Eq + fmt::LowerHex;
    /// The packed type.
    const PACKED: ScalarType;
}

/// `N` values of `E` packed into one (PTX ISA 5.2.4): as large as its carrier, and aligned to its
/// size in bytes.
#[repr(transparent)]
pub struct Packed<E: Pack<N>, N: 'static> {
    bits: E::Bits,
    of: PhantomData<fn() -> (E, N)>,
}

impl<E: Pack<N>, N: 'static> Packed<E, N> {
    /// The packed value with these bits.
    pub const fn from_bits(bits: E::Bits) -> Self {
        Self { bits, of: PhantomData }
    }

    /// The bits.
    pub const fn to_bits(self) -> E::Bits {
        self.bits
    }
}

impl<E: Pack<N>, N: 'static> Clone for Packed<E, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Pack<N>, N: 'static> Copy for Packed<E, N> {}

impl<E: Pack<N>, N: 'static> PartialEq for Packed<E, N> {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<E: Pack<N>, N: 'static> Eq for Packed<E, N> {}

impl<E: Pack<N>, N: 'static> Default for Packed<E, N> {
    fn default() -> Self {
        Self::from_bits(E::Bits::default())
    }
}

impl<E: Pack<N>, N: 'static> fmt::Debug for Packed<E, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({:#x})", E::PACKED.rust_name().unwrap_or_default(), self.bits)
    }
}

// SAFETY: transparent bits of the packed type's size and alignment.
unsafe impl<E: Pack<N>, N: 'static> PtxType for Packed<E, N> {
    const TYPE: &'static Type<'static> = &Type::Scalar(E::PACKED);
}

impl<E: Pack<N>, N: 'static> Sealed for Packed<E, N> {}

impl<E: Pack<N>, N: 'static> Scalar for Packed<E, N> {
    const SCALAR: ScalarType = E::PACKED;
    type Align2 = <E::Bits as Scalar>::Align2;
    type Align4 = <E::Bits as Scalar>::Align4;
}

impl<E: Pack<N>, N: 'static> Lanes<U2> for Packed<E, N> {}
impl<E: Pack<N, Bits: Lanes<U4>>, N: 'static> Lanes<U4> for Packed<E, N> {}

/// One row a packed type; `scalar.rs` has the rest of each.
macro_rules! packed {
    ($($Alias:ident = $E:ty, $N:ident in $Bits:ty, $Scalar:ident;)*) => {$(
        #[doc = concat!("`", stringify!($E), "` packed: `.", stringify!($Alias), "` of table 9, in ", stringify!($Bits), " bits.")]
        pub type $Alias = Packed<$E, $N>;

        impl Pack<$N> for $E {
            type Bits = $Bits;
            const PACKED: ScalarType = ScalarType::$Scalar;
        }

        const _: () = assert!(
            size_of::<$Alias>() == ScalarType::$Scalar.bytes()
                && align_of::<$Alias>() == ScalarType::$Scalar.bytes()
        );
    )*};
}

packed! {
    F16x2 = f16, U2 in u32, F16x2;
    F32x2 = f32, U2 in u64, F32x2;
    Bf16x2 = bf16, U2 in u32, Bf16x2;
    E4M3x2 = E4M3, U2 in u16, E4m3x2;
    E5M2x2 = E5M2, U2 in u16, E5m2x2;
    E2M3x2 = E2M3, U2 in u16, E2m3x2;
    E3M2x2 = E3M2, U2 in u16, E3m2x2;
    Ue8m0x2 = Ue8m0, U2 in u16, Ue8m0x2;
    E2M1x2 = E2M1, U2 in u8, E2m1x2;
    E4M3x4 = E4M3, U4 in u32, E4m3x4;
    E5M2x4 = E5M2, U4 in u32, E5m2x4;
    E2M3x4 = E2M3, U4 in u32, E2m3x4;
    E3M2x4 = E3M2, U4 in u32, E3m2x4;
    E2M1x4 = E2M1, U4 in u16, E2m1x4;
    U16x2 = u16, U2 in u32, U16x2;
    S16x2 = i16, U2 in u32, S16x2;
}
