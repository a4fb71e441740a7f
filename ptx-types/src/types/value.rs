//! Rust types that can be PTX storage.

#![allow(
    unsafe_code,
    reason = "it declares unsafe traits, and reads values as the bytes that they promise"
)]

use core::marker::PhantomData;

use crate::ir::{Extent, Pointer, Type};

/// A Rust type that is a PTX storage type with the same layout.
///
/// It is implemented for the PTX scalars with a Rust counterpart, [`V2`](crate::V2) and
/// [`V4`](crate::V4), arrays, [`Aligned`](crate::Aligned), [`Ptr`](crate::Ptr), and by
/// `#[derive(PtxType)]` for `#[repr(C)]` structs.
///
/// # Safety
/// `TYPE` must describe the layout of `Self`, every byte of a value must be initialised (no padding), and no
/// byte may be part of a Rust pointer. Every bit pattern must be a value, unless the type has no values, since a
/// struct with `#[derive(PtxType)]` is [`DeviceCopy`] whatever its fields are. If the size of `TYPE` differs from
/// `size_of::<Self>()`, the rules must reject the type before bytes are read.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be PTX storage",
    label = "not a PTX type",
    note = "storage is made of `u8`..`u64`, `i8`..`i64`, `f32`, `f64`, `f16`, `bf16`, `B8`..`B128`, `V2<T>`, `V3<T>`, `V4<T>`, `Ptr<Space, T>`, the packed types such as `E4M3x4`, and arrays of these",
    note = "`E2M1`, `E2M3`, `E3M2` and `Ue8m0` are stored packed, as `E2M1x2` (PTX ISA 5.2.3), or as tensor maps read them, in `Dense<E2M1, BYTES>`",
    note = "for a struct of your own, write `#[derive(PtxType)] #[repr(C)]`"
)]
pub unsafe trait PtxType: Sized + Sync + 'static {
    /// The type's layout and its name in PTX.
    const TYPE: &'static Type<'static>;
    /// The pointee, if the type is a pointer.
    #[doc(hidden)]
    const POINTER: Option<Pointer<'static>> = None;
    /// The pointee of a field of this type. It is evaluated lazily, since it may be the struct that contains the
    /// field.
    #[doc(hidden)]
    const POINTS: Option<fn() -> Pointer<'static>> = None;
    /// The information that a declaration needs about its type; only this constant can create it.
    #[doc(hidden)]
    const TYPED: Typed<Self> = Typed { ty: Self::TYPE, of: PhantomData };
}

/// The PTX type of a Rust type `T`, from which rustc infers `T` where the expansion omits it: each
/// time the expansion writes `[f32; N]`, rustc evaluates `N` again.
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
    /// The information about a slice with this PTX type.
    pub const fn slice(ty: &'static Type<'static>) -> Self {
        Self { ty, of: PhantomData }
    }
}

impl<T: PtxType> Typed<T> {
    /// The information about a type with this PTX type. Derived implementations use it, so that a fault is reported
    /// at their own struct.
    pub const fn of(ty: &'static Type<'static>) -> Self {
        Self { ty, of: PhantomData }
    }
}

impl<T> Typed<T> {
    /// The bytes of a value as the GPU reads them (little endian). The caller ensures that the
    /// type has no padding.
    #[allow(clippy::unused_self)] // the type's promise
    pub(crate) const fn bytes_of(self, value: &T) -> &[u8] {
        // SAFETY: only a `PtxType` has a `Typed`, and it promises that all its bytes are initialised and not part
        // of pointers.
        unsafe {
            core::slice::from_raw_parts(core::ptr::from_ref(value).cast::<u8>(), size_of::<T>())
        }
    }
}

/// A type whose values the host can copy to the GPU and back, and pass to kernels: every bit
/// pattern is a value.
///
/// It is implemented for the scalars, vectors, packed types, arrays of these, [`Ptr`](crate::Ptr), and by
/// `#[derive(PtxType)]`. Textures, samplers and surfaces, tensor maps, their tiles and barriers, and
/// [families](crate::Family) are not copied as values.
///
/// # Safety
/// Every pattern of `size_of::<Self>()` bytes must be a value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not copied between the host and the GPU as a value",
    label = "not a value that can be copied",
    note = "scalars, vectors, packed types, arrays of these, and structs with `#[derive(PtxType)]` are"
)]
pub unsafe trait DeviceCopy: PtxType {
    /// How a kernel parameter of this type is passed: [`ByValue`] or [`ByAddress`].
    #[doc(hidden)]
    type Passing;
}

/// A kernel parameter takes the value itself.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum ByValue {}

/// A kernel parameter takes the address of a buffer.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum ByAddress {}

// SAFETY: an array consists of its elements without gaps.
unsafe impl<T: PtxType, const N: usize> PtxType for [T; N] {
    const TYPE: &'static Type<'static> = &Type::Array(Extent::Known(N), T::TYPE);
}

// SAFETY: an array consists of its elements without gaps.
unsafe impl<T: DeviceCopy, const N: usize> DeviceCopy for [T; N] {
    type Passing = T::Passing;
}
