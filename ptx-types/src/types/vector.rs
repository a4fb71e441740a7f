//! Vectors of two and four elements (PTX ISA 5.4.2).

#![allow(
    unsafe_code,
    reason = "it makes the promises of unsafe traits, and zeros are a value of each scalar"
)]

use core::fmt;
use core::ops::{Index, IndexMut};

use crate::ScalarType;
use crate::ir::Type;
use crate::sealed::Sealed;
use crate::types::value::{ByValue, DeviceCopy, PtxType};

/// A PTX scalar with a Rust counterpart, as an element of vectors.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a PTX scalar, and the elements of a vector are scalars",
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

/// A scalar with PTX vectors of `N` elements, which hold at most 16 bytes. It is a bound for
/// generic code: `fn load<T: Lanes<U4>>()`. A vector that is too wide is rejected where it is
/// declared (rule D004).
#[diagnostic::on_unimplemented(
    message = "PTX has no vector of `{Self}` with this many elements: one holds at most 16 bytes",
    label = "too wide for a vector",
    note = "`V2` takes scalars of up to 8 bytes, `V4` of up to 4 bytes (PTX ISA 5.4.2)"
)]
pub trait Lanes<N>: Scalar {}

macro_rules! vectors {
    ($($(#[$doc:meta])* $V:ident $n:literal $Align:ident $($lane:ident $at:literal)*;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(C)]
        pub struct $V<T: Scalar> {
            align: [T::$Align; 0],
            $(#[doc = concat!("Element ", $at, ": `.", stringify!($lane), "` in PTX.")] pub $lane: T,)*
        }

        impl<T: Scalar> $V<T> {
            /// The vector of these elements, in memory order.
            pub const fn new(lanes: [T; $n]) -> Self {
                let [$($lane),*] = lanes;
                Self { align: [], $($lane),* }
            }

            /// The elements, in memory order.
            pub const fn to_array(self) -> [T; $n] {
                [$(self.$lane),*]
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
                match lane {
                    $($at => &self.$lane,)*
                    _ => panic!("{} has {} elements, but this is element {lane}", stringify!($V), $n),
                }
            }
        }

        impl<T: Scalar> IndexMut<usize> for $V<T> {
            fn index_mut(&mut self, lane: usize) -> &mut T {
                match lane {
                    $($at => &mut self.$lane,)*
                    _ => panic!("{} has {} elements, but this is element {lane}", stringify!($V), $n),
                }
            }
        }

        impl<T: Scalar + PartialEq> PartialEq for $V<T> {
            fn eq(&self, other: &Self) -> bool {
                self.to_array() == other.to_array()
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
                self.to_array().fmt(f)
            }
        }

        // SAFETY: `repr(C)`; the marker's alignment is the size of the lanes, so nothing is padded.
        unsafe impl<T: Scalar> PtxType for $V<T> {
            const TYPE: &'static Type<'static> = &Type::Vector($n, T::SCALAR);
        }

        // SAFETY: its lanes without gaps.
        unsafe impl<T: Scalar + DeviceCopy> DeviceCopy for $V<T> {
            type Passing = ByValue;
        }
    )*};
}

vectors! {
    /// Two elements, aligned to their whole size: `.v2`.
    V2 2 Align2 x 0 y 1;
    /// Four elements, aligned to their whole size: `.v4`.
    V4 4 Align4 x 0 y 1 z 2 w 3;
}

/// Three elements in a four-element vector whose fourth element is **padding**: `.v4` in PTX, with the size
/// and the alignment of four elements, as PTX ISA 5.4.2 recommends. An access with `.v4` moves all
/// three at once; the padding is zero in initial values.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct V3<T: Scalar> {
    align: [T::Align4; 0],
    /// Element 0: `.x` in PTX.
    pub x: T,
    /// Element 1: `.y` in PTX.
    pub y: T,
    /// Element 2: `.z` in PTX.
    pub z: T,
    padding: T,
}

impl<T: Scalar> V3<T> {
    /// The vector of these elements, in memory order, with padding whose bits are zero.
    pub const fn new(lanes: [T; 3]) -> Self {
        // SAFETY: every scalar is plain bits for which zero is a valid value.
        let padding: T = unsafe { core::mem::zeroed() };
        let [x, y, z] = lanes;
        Self { align: [], x, y, z, padding }
    }

    /// The three elements, in memory order.
    pub const fn to_array(self) -> [T; 3] {
        [self.x, self.y, self.z]
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
        match lane {
            0 => &self.x,
            1 => &self.y,
            2 => &self.z,
            _ => panic!("V3 has 3 elements, but this is element {lane}"),
        }
    }
}

impl<T: Scalar> IndexMut<usize> for V3<T> {
    fn index_mut(&mut self, lane: usize) -> &mut T {
        match lane {
            0 => &mut self.x,
            1 => &mut self.y,
            2 => &mut self.z,
            _ => panic!("V3 has 3 elements, but this is element {lane}"),
        }
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

// SAFETY: `repr(C)`; the marker's alignment is the size of the lanes and the padding.
unsafe impl<T: Scalar> PtxType for V3<T> {
    const TYPE: &'static Type<'static> = &Type::Vector(4, T::SCALAR);
}

// SAFETY: its lanes and the padding without gaps, all of them initialised.
unsafe impl<T: Scalar + DeviceCopy> DeviceCopy for V3<T> {
    type Passing = ByValue;
}
