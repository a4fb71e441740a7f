//! Rust types that can be PTX storage.

use core::marker::PhantomData;

use crate::ir::{Extent, Pointer, Type};

/// A Rust type that is a PTX storage type with the same layout.
///
/// Implemented for the PTX scalars with a Rust counterpart, [`V2`](crate::V2) and
/// [`V4`](crate::V4), arrays, [`Aligned`](crate::Aligned), [`Ptr`](crate::Ptr), and by
/// `#[derive(PtxType)]` for `#[repr(C)]` structs.
///
/// # Safety
/// `TYPE` describes the layout of `Self`, every byte of a value is initialised (no padding), and no
/// byte is part of a Rust pointer. Every pattern of bits is a value, unless there are no values: a struct
/// with `#[derive(PtxType)]` is [`DeviceCopy`] whatever its fields are. Where `TYPE`'s size differs from `size_of::<Self>()`, the rules
/// must refuse it before bytes are read.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be PTX storage",
    label = "not a PTX type",
    note = "storage is made of `u8`..`u64`, `i8`..`i64`, `f32`, `f64`, `f16`, `bf16`, `B8`..`B128`, `V2<T>`, `V3<T>`, `V4<T>`, `Ptr<Space, T>`, the packed types such as `E4M3x4`, and arrays of these",
    note = "`E2M1`, `E2M3`, `E3M2` and `Ue8m0` are stored packed, as `E2M1x2` (PTX ISA 5.2.3), or as tensor maps read them, in `Dense<E2M1, BYTES>`",
    note = "for a struct of your own, write `#[derive(PtxType)] #[repr(C)]`"
)]
pub unsafe trait PtxType: Sized + Sync + 'static {
    /// The type's layout and its spelling in PTX.
    const TYPE: &'static Type<'static>;
    /// What the type points to, where it is a pointer.
    #[doc(hidden)]
    const POINTER: Option<Pointer<'static>> = None;
    /// The same of a field of this type: not asked for before it is needed, since what it points to may be
    /// the struct that has the field.
    #[doc(hidden)]
    const POINTS: Option<fn() -> Pointer<'static>> = None;
    /// What a declaration needs to know of its type; as it is made here, and in no other way.
    #[doc(hidden)]
    const TYPED: Typed<Self> = Typed { ty: Self::TYPE, of: PhantomData };
}

/// What is declared of a type `T`, by which rustc finds the type where the expansion leaves it out: each
/// time that the expansion writes `[f32; N]`, rustc evaluates `N` anew.
#[doc(hidden)]
pub struct Typed<T: ?Sized> {
    pub(crate) ty: &'static Type<'static>,
    of: PhantomData<fn() -> T>,
}

impl<T: ?Sized> Clone for Typed<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Typed<T> {}

impl<T> Typed<[T]> {
    /// Of a slice with this type in PTX.
    pub const fn slice(ty: &'static Type<'static>) -> Self {
        Self { ty, of: PhantomData }
    }
}

impl<T: PtxType> Typed<T> {
    /// Of a type with this type in PTX: what a derived one says, so that its own struct is named where
    /// that has a fault.
    pub const fn of(ty: &'static Type<'static>) -> Self {
        Self { ty, of: PhantomData }
    }
}

impl<T> Typed<T> {
    /// The bytes of a value as the GPU reads them (little endian). The caller has made sure that the
    /// type has no padding.
    #[allow(unsafe_code, clippy::unused_self)] // the type's promise
    pub(crate) const fn bytes_of(self, value: &T) -> &[u8] {
        // SAFETY: only a `PtxType` is typed, which promises that all its bytes are initialised and no
        // pointers.
        unsafe {
            core::slice::from_raw_parts(core::ptr::from_ref(value).cast::<u8>(), size_of::<T>())
        }
    }
}

/// A type whose values the host copies to the GPU and back, and passes to kernels: every pattern of
/// bits is a value.
///
/// Implemented for the scalars, vectors, packed types, arrays of these, [`Ptr`](crate::Ptr), and by
/// `#[derive(PtxType)]`. Textures, samplers and surfaces, tensor maps, their tiles and barriers, and
/// [families](crate::Family) are not copied as values.
///
/// # Safety
/// Every pattern of `size_of::<Self>()` bytes is a value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not copied between the host and the GPU as a value",
    label = "not a value that can be copied",
    note = "scalars, vectors, packed types, arrays of these, and structs with `#[derive(PtxType)]` are"
)]
pub unsafe trait DeviceCopy: PtxType {
    /// How a kernel's parameter of this type gets its value: [`ByValue`] or [`ByAddress`].
    #[doc(hidden)]
    type Passing;
}

/// A kernel's parameter takes the value itself.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum ByValue {}

/// A kernel's parameter takes the address of a buffer.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum ByAddress {}

// SAFETY: an array is its elements, one after the other.
unsafe impl<T: PtxType, const N: usize> PtxType for [T; N] {
    const TYPE: &'static Type<'static> = &Type::Array(Extent::Known(N), T::TYPE);
}

// SAFETY: an array is its elements, one after the other.
unsafe impl<T: DeviceCopy, const N: usize> DeviceCopy for [T; N] {
    type Passing = T::Passing;
}
