//! Packed types (PTX ISA 5.2.4).
//!
//! PTX declares them as untyped bits: each type has a carrier, a size and an alignment.

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

#[cfg(feature = "bytemuck")]
use bytemuck::{CheckedBitPattern, NoUninit, Pod, Zeroable};
use typenum::{U2, U4};

use crate::sealed::{Sealed, SealedPack};
#[cfg(feature = "bytemuck")]
use crate::values::bytes::Storage;
use crate::values::quantized::quantized;
use crate::{E2M1, E2M3, E3M2, E4M3, E5M2, Ue8m0};

/// An element type of which PTX packs `N` into one value (PTX ISA 5.2.4, table 9).
#[diagnostic::on_unimplemented(
    message = "PTX does not pack this many `{Self}` into one value",
    label = "not a packed type",
    note = "the packed types are `F16x2`, `F32x2`, `Bf16x2`, `U16x2`, `S16x2`, `Ue8m0x2`, and `x2` and `x4` of `E4M3`, `E5M2`, `E2M3`, `E3M2` and `E2M1`"
)]
pub trait Pack<N>: SealedPack<N> + 'static {
    /// The carrier: untyped bits of the packed value's size and alignment.
    type Bits: Copy + Default + Eq + Send + Sync + fmt::LowerHex + 'static;
    /// The name of the packed type: `E4M3x2`.
    const NAME: &'static str;
}

/// `N` values of `E` packed into one (PTX ISA 5.2.4): it has the size of its carrier, and is aligned to
/// that size.
#[repr(transparent)]
pub struct Packed<E: Pack<N>, N: 'static> {
    pub(crate) bits: E::Bits,
    pub(crate) of: PhantomData<fn() -> (E, N)>,
}

impl<E: Pack<N>, N: 'static> Packed<E, N> {
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

impl<E: Pack<N, Bits: Hash>, N: 'static> Hash for Packed<E, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits.hash(state);
    }
}

impl<E: Pack<N>, N: 'static> Default for Packed<E, N> {
    fn default() -> Self {
        Self { bits: E::Bits::default(), of: PhantomData }
    }
}

// SAFETY: transparent bits, and 0 is a valid value of every element.
#[cfg(feature = "bytemuck")]
unsafe impl<E: Pack<N, Bits: Zeroable>, N: 'static> Zeroable for Packed<E, N> {}

// SAFETY: transparent bits; the elements accept every bit pattern and leave no bit unused.
#[cfg(feature = "bytemuck")]
unsafe impl<E: Pack<N, Bits: Pod> + Pod, N: 'static> Pod for Packed<E, N> {}

/// Implements the traits of bytemuck for packed types whose lanes have zero bits above them.
#[cfg(feature = "bytemuck")]
macro_rules! zero_above {
    ($($Alias:ident: $Bits:ty;)*) => {$(
        // SAFETY: transparent over an integer.
        unsafe impl NoUninit for $Alias {}

        // SAFETY: transparent; the mask has exactly the bits that belong to lanes.
        unsafe impl CheckedBitPattern for $Alias {
            type Bits = $Bits;

            fn is_valid_bit_pattern(bits: &$Bits) -> bool {
                bits & !Self::MASK == 0
            }
        }
    )*};
}

#[cfg(feature = "bytemuck")]
zero_above! {
    E2M3x2: u16;
    E2M3x4: u32;
    E3M2x2: u16;
    E3M2x4: u32;
}

#[cfg(feature = "serde")]
impl<E: Pack<N, Bits: serde::Serialize>, N: 'static> serde::Serialize for Packed<E, N> {
    /// The bits.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.bits.serialize(serializer)
    }
}

// SAFETY: transparent bits, all of which belong to two elements of 4 bits.
#[cfg(feature = "bytemuck")]
unsafe impl Pod for Packed<E2M1, U2> {}

// SAFETY: transparent bits, all of which belong to four elements of 4 bits.
#[cfg(feature = "bytemuck")]
unsafe impl Pod for Packed<E2M1, U4> {}

impl<E: Pack<N>, N: 'static> Sealed for Packed<E, N> {}

/// Declares the packed types, one row for each; `ScalarType` of `ptx-isa` has their other properties.
macro_rules! packed {
    ($($Alias:ident = $E:ty, $N:ident in $Bits:ty, $count:literal of $Lane:ty: $to_bits:path, $from_bits:path;)*) => {
        /// The packed types.
        pub(crate) mod types {
            use super::*;

            $(
                #[doc = concat!("`", stringify!($E), "` packed: `.", stringify!($Alias), "` of table 9, in ", stringify!($Bits), " bits.")]
                pub type $Alias = Packed<$E, $N>;
            )*
        }

        $(
        impl SealedPack<$N> for $E {}

        impl Pack<$N> for $E {
            type Bits = $Bits;
            const NAME: &'static str = stringify!($Alias);
        }

        impl Packed<$E, $N> {
            /// The number of lanes.
            pub const LANES: usize = $count;
            /// The distance in bits from one lane to the next.
            const WIDTH: usize = size_of::<$Bits>() * 8 / $count;

            /// The bits that belong to lanes; a lane of 6 bits has two zero bits above it.
            const MASK: $Bits = Self::from_lanes([$from_bits(<$Lane>::MAX); $count]).bits;

            /// The packed value with these bits; bits outside the lanes are ignored.
            pub const fn from_bits(bits: $Bits) -> Self {
                Self { bits: bits & Self::MASK, of: PhantomData }
            }

            #[allow(clippy::cast_lossless)] // no trait is const
            /// Packs lanes, the first into the lowest bits. `cvt` takes its operands the other way
            /// round: `d, a, b` puts `a` into the highest lane (PTX ISA 9.7.9, `cvt`).
            pub const fn from_lanes(lanes: [$E; $count]) -> Self {
                let (mut bits, mut n) = (0, 0);
                while n < $count {
                    bits |= ($to_bits(lanes[n]) as $Bits) << (n * Self::WIDTH);
                    n += 1;
                }
                Self { bits, of: PhantomData }
            }

            /// The lanes, from the lowest bits up.
            #[allow(clippy::cast_possible_truncation)] // the bits of one lane
            pub const fn lanes(self) -> [$E; $count] {
                let (mut lanes, mut n) = ([$from_bits(self.bits as $Lane); $count], 1);
                while n < $count {
                    lanes[n] = $from_bits((self.bits >> (n * Self::WIDTH)) as $Lane);
                    n += 1;
                }
                lanes
            }

            /// Lane `n`; `None` if there is no such lane.
            pub const fn get(self, n: usize) -> Option<$E> {
                if n < $count { Some(self.lanes()[n]) } else { None }
            }

            /// The value with lane `n` replaced; `None` if there is no such lane.
            pub const fn with(self, n: usize, lane: $E) -> Option<Self> {
                if n >= $count {
                    return None;
                }
                let mut lanes = self.lanes();
                lanes[n] = lane;
                Some(Self::from_lanes(lanes))
            }
        }

        impl fmt::Display for Packed<$E, $N> {
            /// The values of the lanes, as an array: `[1, -0.5]`.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut before = "[";
                for lane in self.lanes() {
                    f.write_str(before)?;
                    fmt::Display::fmt(&lane, f)?;
                    before = ", ";
                }
                f.write_str("]")
            }
        }

        impl fmt::Debug for Packed<$E, $N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($Alias), "({}, {:#x})"), self, self.bits)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for Packed<$E, $N> {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let bits = <$Bits>::deserialize(from)?;
                let value = Self::from_bits(bits);
                if value.bits == bits {
                    return Ok(value);
                }
                Err(serde::de::Error::custom(format_args!(
                    concat!("{:#x} has bits that no lane of an `", stringify!($Alias), "` has"),
                    bits
                )))
            }
        }
        )*
    };
}
#[cfg(feature = "half")]
pub(crate) use packed;

use types::*;

const fn unsigned(x: u16) -> u16 {
    x
}

packed! {
    F32x2 = f32, U2 in u64, 2 of u32: f32::to_bits, f32::from_bits;
    E4M3x2 = E4M3, U2 in u16, 2 of u8: E4M3::to_bits, E4M3::from_bits;
    E5M2x2 = E5M2, U2 in u16, 2 of u8: E5M2::to_bits, E5M2::from_bits;
    E2M3x2 = E2M3, U2 in u16, 2 of u8: E2M3::to_bits, E2M3::from_bits;
    E3M2x2 = E3M2, U2 in u16, 2 of u8: E3M2::to_bits, E3M2::from_bits;
    Ue8m0x2 = Ue8m0, U2 in u16, 2 of u8: Ue8m0::to_bits, Ue8m0::from_bits;
    E2M1x2 = E2M1, U2 in u8, 2 of u8: E2M1::to_bits, E2M1::from_bits;
    E4M3x4 = E4M3, U4 in u32, 4 of u8: E4M3::to_bits, E4M3::from_bits;
    E5M2x4 = E5M2, U4 in u32, 4 of u8: E5M2::to_bits, E5M2::from_bits;
    E2M3x4 = E2M3, U4 in u32, 4 of u8: E2M3::to_bits, E2M3::from_bits;
    E3M2x4 = E3M2, U4 in u32, 4 of u8: E3M2::to_bits, E3M2::from_bits;
    E2M1x4 = E2M1, U4 in u16, 4 of u8: E2M1::to_bits, E2M1::from_bits;
    U16x2 = u16, U2 in u32, 2 of u16: unsigned, unsigned;
    S16x2 = i16, U2 in u32, 2 of u16: i16::cast_unsigned, u16::cast_signed;
}

/// Declares conversions of packed floats from and to `f32`, given the layout of their lanes.
macro_rules! packed_floats {
    ($($Alias:ident = $E:ident * $count:tt, $kind:ident of $Bits:tt;)*) => {$(
        quantized! { $Alias: $E, u8, $count $kind of $Bits; }

        #[cfg(feature = "bytemuck")]
        impl Storage for $Alias {
            const NAME: &'static str = stringify!($Alias);
            #[allow(clippy::cast_lossless)] // no trait is const
            const MASK: u32 = <$Alias>::MASK as u32;
        }

        impl $Alias {
            /// Converts each number as the element type's `from_f32` does, the first into the lowest lane.
            pub const fn from_f32_array(values: [f32; $count]) -> Self {
                Self::from_lanes($E::from_f32_array(values))
            }

            /// The values of the lanes, from the lowest lane up.
            pub const fn to_f32_array(self) -> [f32; $count] {
                let (lanes, mut values, mut n) = (self.lanes(), [0.0; $count], 0);
                while n < $count {
                    values[n] = lanes[n].to_f32();
                    n += 1;
                }
                values
            }
        }
    )*};
}

packed_floats! {
    E4M3x2 = E4M3 * 2, bytes of u16;
    E5M2x2 = E5M2 * 2, bytes of u16;
    E2M3x2 = E2M3 * 2, bytes of u16;
    E3M2x2 = E3M2 * 2, bytes of u16;
    Ue8m0x2 = Ue8m0 * 2, bytes of u16;
    E2M1x2 = E2M1 * 2, nibbles of u8;
    E4M3x4 = E4M3 * 4, bytes of u32;
    E5M2x4 = E5M2 * 4, bytes of u32;
    E2M3x4 = E2M3 * 4, bytes of u32;
    E3M2x4 = E3M2 * 4, bytes of u32;
    E2M1x4 = E2M1 * 4, nibbles of u16;
}
