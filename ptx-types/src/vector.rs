//! Vectors of two and four elements (PTX ISA 5.4.2).

use core::fmt;
use core::ops::{Index, IndexMut};

use typenum::{U2, U4};

use crate::aligned::align_marker;
use crate::bits::{B8, B16, B32, B64, B128};
use crate::float::{E4M3, E5M2, Tf32, Ue4m3};
use crate::ir::Type;
use crate::scalar::ScalarType;
use crate::sealed::Sealed;
use crate::value::{ByValue, DeviceCopy, PtxType};

/// A PTX scalar with a Rust counterpart: what vectors are made of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no PTX scalar, and vectors are made of scalars",
    label = "not a scalar",
    note = "the scalars are `u8`..`u64`, `i8`..`i64`, `f16`, `bf16`, `f32`, `f64`, `B8`..`B128`, and the packed types such as `E4M3x4`"
)]
pub trait Scalar: PtxType + Copy + Sealed {
    /// The scalar type.
    const SCALAR: ScalarType;
    /// A zero-sized type aligned like two of them.
    #[doc(hidden)]
    type Align2: Copy + Send + Sync + 'static;
    /// A zero-sized type aligned like four of them.
    #[doc(hidden)]
    type Align4: Copy + Send + Sync + 'static;
}

/// A scalar that has PTX vectors of `N` elements, which hold at most 16 bytes: the bound for
/// generic code, `fn load<T: Lanes<U4>>()`. A vector that is too wide is refused where it is
/// declared (rule D004).
#[diagnostic::on_unimplemented(
    message = "PTX has no vector of `{Self}` with this many elements: one holds at most 16 bytes",
    label = "too wide for a vector",
    note = "`V2` takes scalars of up to 8 bytes, `V4` of up to 4 bytes (PTX ISA 5.4.2)"
)]
pub trait Lanes<N>: Scalar {}

/// One row a scalar: the alignments of its vectors, and which of them PTX has.
macro_rules! scalars {
    ($($T:ty => $Scalar:ident, $Align2:ident, $Align4:ident, [$($N:ident),*];)*) => {$(
        impl Scalar for $T {
            const SCALAR: ScalarType = ScalarType::$Scalar;
            type Align2 = align_marker::$Align2;
            type Align4 = align_marker::$Align4;
        }
        $(impl Lanes<$N> for $T {})*
        const _: () = assert!(
            align_of::<V2<$T>>() == 2 * size_of::<$T>() && align_of::<V4<$T>>() == 4 * size_of::<$T>()
        );
    )*};
}

scalars! {
    u8 => U8, Align2, Align4, [U2, U4];
    i8 => S8, Align2, Align4, [U2, U4];
    B8 => B8, Align2, Align4, [U2, U4];
    u16 => U16, Align4, Align8, [U2, U4];
    i16 => S16, Align4, Align8, [U2, U4];
    B16 => B16, Align4, Align8, [U2, U4];
    half::f16 => F16, Align4, Align8, [U2, U4];
    half::bf16 => Bf16, Align4, Align8, [U2, U4];
    u32 => U32, Align8, Align16, [U2, U4];
    i32 => S32, Align8, Align16, [U2, U4];
    f32 => F32, Align8, Align16, [U2, U4];
    B32 => B32, Align8, Align16, [U2, U4];
    u64 => U64, Align16, Align32, [U2];
    i64 => S64, Align16, Align32, [U2];
    f64 => F64, Align16, Align32, [U2];
    B64 => B64, Align16, Align32, [U2];
    B128 => B128, Align32, Align64, [];
    E4M3 => E4m3, Align2, Align4, [U2, U4];
    E5M2 => E5m2, Align2, Align4, [U2, U4];
    Ue4m3 => Ue4m3, Align2, Align4, [U2, U4];
    Tf32 => Tf32, Align8, Align16, [U2, U4];
}

macro_rules! seal {
    ($($T:ty),*) => {$(impl Sealed for $T {})*};
}

// The formats of `packed.rs` are sealed there.
seal!(
    u8,
    i8,
    u16,
    i16,
    u32,
    i32,
    u64,
    i64,
    f32,
    f64,
    half::f16,
    half::bf16,
    B8,
    B16,
    B32,
    B64,
    B128
);

macro_rules! vectors {
    ($($(#[$doc:meta])* $V:ident $n:literal $Align:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(C)]
        pub struct $V<T: Scalar> {
            align: [T::$Align; 0],
            lanes: [T; $n],
        }

        impl<T: Scalar> $V<T> {
            /// The vector of these elements, in memory order.
            pub const fn new(lanes: [T; $n]) -> Self {
                Self { align: [], lanes }
            }

            /// The elements, in memory order.
            pub const fn to_array(self) -> [T; $n] {
                self.lanes
            }
        }

        impl<T: Scalar> From<[T; $n]> for $V<T> {
            fn from(lanes: [T; $n]) -> Self {
                Self::new(lanes)
            }
        }

        impl<T: Scalar> Index<usize> for $V<T> {
            type Output = T;
            fn index(&self, lane: usize) -> &T {
                &self.lanes[lane]
            }
        }

        impl<T: Scalar> IndexMut<usize> for $V<T> {
            fn index_mut(&mut self, lane: usize) -> &mut T {
                &mut self.lanes[lane]
            }
        }

        impl<T: Scalar + PartialEq> PartialEq for $V<T> {
            fn eq(&self, other: &Self) -> bool {
                self.lanes == other.lanes
            }
        }

        impl<T: Scalar + Default> Default for $V<T> {
            fn default() -> Self {
                Self::new([T::default(); $n])
            }
        }

        impl<T: Scalar + fmt::Debug> fmt::Debug for $V<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($V))?;
                self.lanes.fmt(f)
            }
        }

        // SAFETY: `repr(C)`; the marker's alignment is the size of the lanes, so nothing is padded.
        unsafe impl<T: Scalar> PtxType for $V<T> {
            const TYPE: &'static Type<'static> = &Type::Vector($n, T::SCALAR);
        }

        // SAFETY: its lanes, one after the other.
        unsafe impl<T: Scalar + DeviceCopy> DeviceCopy for $V<T> {
            type Passing = ByValue;
        }
    )*};
}

vectors! {
    /// Two elements, aligned to their whole size: `.v2`.
    V2 2 Align2;
    /// Four elements, aligned to their whole size: `.v4`.
    V4 4 Align4;
}

/// Three elements in a four-element vector, the fourth of which is **padding**: `.v4` in PTX, four
/// elements large and aligned to them, as PTX ISA 5.4.2 advises. An access with `.v4` moves all
/// three at once; the padding is zero in initial values.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct V3<T: Scalar>(V4<T>);

impl<T: Scalar> V3<T> {
    /// The vector of these elements, in memory order, with a padding whose bits are zero.
    #[allow(unsafe_code)]
    pub const fn new(lanes: [T; 3]) -> Self {
        // SAFETY: every scalar is plain bits, of which zero is one value.
        let padding: T = unsafe { core::mem::zeroed() };
        Self::padded([lanes[0], lanes[1], lanes[2], padding])
    }

    const fn padded(lanes: [T; 4]) -> Self {
        Self(V4::new(lanes))
    }

    /// The three elements, in memory order.
    pub const fn to_array(self) -> [T; 3] {
        let [x, y, z, _] = self.0.to_array();
        [x, y, z]
    }
}

impl<T: Scalar> From<[T; 3]> for V3<T> {
    fn from(lanes: [T; 3]) -> Self {
        Self::new(lanes)
    }
}

impl<T: Scalar> Index<usize> for V3<T> {
    type Output = T;
    fn index(&self, lane: usize) -> &T {
        &self.0.lanes[..3][lane]
    }
}

impl<T: Scalar> IndexMut<usize> for V3<T> {
    fn index_mut(&mut self, lane: usize) -> &mut T {
        &mut self.0.lanes[..3][lane]
    }
}

impl<T: Scalar + PartialEq> PartialEq for V3<T> {
    fn eq(&self, other: &Self) -> bool {
        self.to_array() == other.to_array()
    }
}

impl<T: Scalar + Default> Default for V3<T> {
    fn default() -> Self {
        Self::new([T::default(); 3])
    }
}

impl<T: Scalar + fmt::Debug> fmt::Debug for V3<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("V3")?;
        self.to_array().fmt(f)
    }
}

// SAFETY: a transparent `V4`.
unsafe impl<T: Scalar> PtxType for V3<T> {
    const TYPE: &'static Type<'static> = &Type::Vector(4, T::SCALAR);
}

// SAFETY: a transparent `V4`.
unsafe impl<T: Scalar + DeviceCopy> DeviceCopy for V3<T> {
    type Passing = ByValue;
}
