//! Pointers to GPU memory, as the host and kernel parameters hold them (PTX ISA 5.1.6.3).

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

use core::fmt;
use core::marker::PhantomData;

use crate::PointerSpace;
use crate::ScalarType;
use crate::ir::{Pointer, Type};
use crate::types::aligned::{Natural, PointeeAlign};
use crate::types::value::{ByAddress, DeviceCopy, PtxType};

/// An address of `T`s in state space `S`, aligned to `A` bytes (`T`'s natural alignment by default).
///
/// As a kernel parameter it is declared `.param .u64 .ptr .global .align 16 name`. The host creates
/// one from a device address, and never reads through it.
#[repr(transparent)]
pub struct Ptr<S, T = Unknown, A = Natural> {
    address: u64,
    #[allow(clippy::type_complexity)] // a name would only hide it
    to: PhantomData<fn() -> (S, T, A)>,
}

/// What a pointer points to whose type has no second argument, which is an error.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Unknown {}

// SAFETY: There is no layout: to ask for it does not compile.
unsafe impl PtxType for Unknown {
    const TYPE: &'static Type<'static> =
        panic!("this pointer does not name what it points to; write it, as in `Ptr<Global, f32>`");
}

impl<S, T, A> Ptr<S, T, A> {
    /// The null pointer.
    pub const NULL: Self = Self::new(0);

    /// The pointer to `address`, a byte address in `S`.
    pub const fn new(address: u64) -> Self {
        Self { address, to: PhantomData }
    }

    /// The byte address.
    pub const fn address(self) -> u64 {
        self.address
    }
}

impl<S, T, A> Clone for Ptr<S, T, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, T, A> Copy for Ptr<S, T, A> {}

impl<S, T, A> PartialEq for Ptr<S, T, A> {
    fn eq(&self, other: &Self) -> bool {
        self.address == other.address
    }
}

impl<S, T, A> Eq for Ptr<S, T, A> {}

impl<S, T, A> fmt::Debug for Ptr<S, T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ptr({:#x})", self.address)
    }
}

const fn pointer<S: PointerSpace, T: PtxType, A: PointeeAlign>() -> Pointer<'static> {
    Pointer { space: S::SPACE, align: A::BYTES, pointee: T::TYPE }
}

// SAFETY: a transparent `u64`.
unsafe impl<S: PointerSpace, T: PtxType, A: PointeeAlign> PtxType for Ptr<S, T, A> {
    const TYPE: &'static Type<'static> = &Type::Scalar(ScalarType::U64);
    const POINTER: Option<Pointer<'static>> = Some(pointer::<S, T, A>());
    const POINTS: Option<fn() -> Pointer<'static>> = Some(pointer::<S, T, A>);
}

// SAFETY: a transparent `u64`.
unsafe impl<S: PointerSpace, T: PtxType, A: PointeeAlign> DeviceCopy for Ptr<S, T, A> {
    type Passing = ByAddress;
}
