//! Vectors of two and four elements (PTX ISA 5.4.2).

use core::fmt;
use core::ops::{Index, IndexMut};

use typenum::{U2, U4};

use crate::ScalarType;
use crate::align_marker;
use crate::bits::{B8, B16, B32, B64};
use crate::ir::Type;
use crate::value::PtxType;

/// A scalar that has vectors of `N` elements: those that fit into 16 bytes, one row each.
#[diagnostic::on_unimplemented(
    message = "there is no PTX vector of `{Self}` with this many elements: a vector holds at most 16 bytes of scalars",
    label = "a vector of `{Self}` like this is no PTX type",
    note = "`V2` takes scalars of up to 8 bytes, `V4` of up to 4 bytes (PTX ISA 5.4.2)"
)]
pub trait Lanes<N>: PtxType + Copy {
    /// A zero-sized type aligned like the vector.
    #[doc(hidden)]
    type Align: Copy + Send + Sync + 'static;
}

macro_rules! vectors {
    ($($(#[$doc:meta])* $V:ident $N:ident $n:literal $ptx:literal { $($T:ty: $Align:ident),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(C)]
        pub struct $V<T: Lanes<$N>> {
            align: [T::Align; 0],
            lanes: [T; $n],
        }

        impl<T: Lanes<$N>> $V<T> {
            /// The vector of these elements, in memory order.
            pub const fn new(lanes: [T; $n]) -> Self {
                Self { align: [], lanes }
            }

            /// The elements, in memory order.
            pub const fn to_array(self) -> [T; $n] {
                self.lanes
            }
        }

        impl<T: Lanes<$N>> From<[T; $n]> for $V<T> {
            fn from(lanes: [T; $n]) -> Self {
                Self::new(lanes)
            }
        }

        impl<T: Lanes<$N>> Index<usize> for $V<T> {
            type Output = T;
            fn index(&self, lane: usize) -> &T {
                &self.lanes[lane]
            }
        }

        impl<T: Lanes<$N>> IndexMut<usize> for $V<T> {
            fn index_mut(&mut self, lane: usize) -> &mut T {
                &mut self.lanes[lane]
            }
        }

        impl<T: Lanes<$N> + PartialEq> PartialEq for $V<T> {
            fn eq(&self, other: &Self) -> bool {
                self.lanes == other.lanes
            }
        }

        impl<T: Lanes<$N> + Default> Default for $V<T> {
            fn default() -> Self {
                Self::new([T::default(); $n])
            }
        }

        impl<T: Lanes<$N> + fmt::Debug> fmt::Debug for $V<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($V))?;
                self.lanes.fmt(f)
            }
        }

        // SAFETY: `repr(C)`; the marker's alignment is the size of the lanes, so nothing is padded.
        unsafe impl<T: Lanes<$N>> PtxType for $V<T> {
            const TYPE: &'static Type<'static> = &Type::Vector($n, scalar_of::<T>());
        }

        $(
            impl Lanes<$N> for $T {
                type Align = align_marker::$Align;
            }
            const _: () = assert!(align_of::<$V<$T>>() == size_of::<$V<$T>>() && size_of::<$V<$T>>() == $n * size_of::<$T>());
        )*
    )*};
}

/// The scalar type that `T` is; `Lanes` is implemented for scalars alone.
const fn scalar_of<T: PtxType>() -> ScalarType {
    match T::TYPE {
        Type::Scalar(scalar) => *scalar,
        Type::Vector(..)
        | Type::Struct(_)
        | Type::Array(..)
        | Type::Aligned(..)
        | Type::Unknown => {
            panic!("the elements of a vector are scalars")
        }
    }
}

vectors! {
    /// Two elements, aligned to their whole size: `.v2`.
    V2 U2 2 ".v2" {
        u8: Align2, i8: Align2, B8: Align2,
        u16: Align4, i16: Align4, B16: Align4, half::f16: Align4, half::bf16: Align4,
        u32: Align8, i32: Align8, f32: Align8, B32: Align8,
        u64: Align16, i64: Align16, f64: Align16, B64: Align16,
    }
    /// Four elements, aligned to their whole size: `.v4`.
    V4 U4 4 ".v4" {
        u8: Align4, i8: Align4, B8: Align4,
        u16: Align8, i16: Align8, B16: Align8, half::f16: Align8, half::bf16: Align8,
        u32: Align16, i32: Align16, f32: Align16, B32: Align16,
    }
}
