//! Alignments as types: typenum's powers of two.

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

use core::fmt;
use core::ops::{Deref, DerefMut};

use typenum::Unsigned;

use crate::ir::Type;
use crate::sealed::Sealed;
use crate::types::value::{DeviceCopy, PtxType};

/// A power of two as a typenum number: the alignment of [`Aligned`], from `U1` to `U4096` bytes.
#[diagnostic::on_unimplemented(
    message = "an alignment is a power of two from `U1` to `U4096`, in bytes",
    label = "not one of these powers of two",
    note = "write `U1`, `U2`, `U4`, `U8`, `U16`, ... `U4096`"
)]
pub trait Alignment: Sealed + 'static {
    /// The alignment in bytes.
    const BYTES: usize;
    /// A zero-sized type with that alignment.
    #[doc(hidden)]
    type Marker: Copy + Send + Sync + 'static;
}

/// The third parameter of [`Ptr`](crate::Ptr): [`Natural`], or a typenum number of
/// bytes, which must be a power of two (rule D020).
#[diagnostic::on_unimplemented(
    message = "a pointer's alignment is `Natural` or a number of bytes such as `U16`",
    label = "not an alignment"
)]
pub trait PointeeAlign: 'static {
    /// The alignment in bytes; `None` for the pointee's natural alignment.
    const BYTES: Option<usize>;
}

/// The natural alignment of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Natural {}

impl PointeeAlign for Natural {
    const BYTES: Option<usize> = None;
}

#[diagnostic::do_not_recommend]
impl<N: Unsigned + 'static> PointeeAlign for N {
    const BYTES: Option<usize> = Some(N::USIZE);
}

macro_rules! alignments {
    ($($Marker:ident $U:ident $bytes:literal;)*) => {
        /// Zero-sized types with an alignment, which give [`Aligned`] and the vectors theirs.
        #[doc(hidden)]
        pub mod align_marker {
            $(
                #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
                #[repr(align($bytes))]
                pub struct $Marker;
            )*
        }
        $(
            impl Sealed for typenum::$U {}
            #[diagnostic::do_not_recommend] // typenum's types are useless as suggestions
            impl Alignment for typenum::$U {
                const BYTES: usize = $bytes;
                type Marker = align_marker::$Marker;
            }
        )*
    };
}

alignments! {
    Align1 U1 1;
    Align2 U2 2;
    Align4 U4 4;
    Align8 U8 8;
    Align16 U16 16;
    Align32 U32 32;
    Align64 U64 64;
    Align128 U128 128;
    Align256 U256 256;
    Align512 U512 512;
    Align1024 U1024 1024;
    Align2048 U2048 2048;
    Align4096 U4096 4096;
}

/// A value that is aligned to `A` bytes wherever it is stored: `Aligned<[f32; 4], U16>`.
///
/// The size of `T` must be a multiple of the alignment, so that there is no padding and the
/// elements of an array stay aligned (rule D016); to align a single variable, write
/// `#[global(align = 16)]` instead. See PTX ISA 5.4.5.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Aligned<T, A: Alignment> {
    align: [A::Marker; 0],
    value: T,
}

impl<T, A: Alignment> Aligned<T, A> {
    /// Aligns `value`.
    pub const fn new(value: T) -> Self {
        Self { align: [], value }
    }

    /// Returns the value without its alignment.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T, A: Alignment> Deref for Aligned<T, A> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T, A: Alignment> DerefMut for Aligned<T, A> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T: fmt::Debug, A: Alignment> fmt::Debug for Aligned<T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<T: PartialEq, A: Alignment> PartialEq for Aligned<T, A> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Default, A: Alignment> Default for Aligned<T, A> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

// SAFETY: `repr(C)` with a zero-sized first field places `value` at offset 0; if the alignment
// adds padding, the size of `TYPE` is not `size_of::<Self>()`, and rule D016 rejects it.
unsafe impl<T: PtxType, A: Alignment> PtxType for Aligned<T, A> {
    const TYPE: &'static Type<'static> = &Type::Aligned(A::BYTES, T::TYPE);
}

// SAFETY: a `T` at offset 0.
unsafe impl<T: DeviceCopy, A: Alignment> DeviceCopy for Aligned<T, A> {
    type Passing = T::Passing;
}
