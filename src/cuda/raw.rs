//! Arguments that the caller vouches for: aliased buffers, and addresses from elsewhere.

use core::fmt;
use core::marker::PhantomData;

use ptx_types::tensor::{Descriptor, MapAlign};
use ptx_types::{MapType, Natural, PointeeAlign, PointerSpace, Ptr, PtxType, TensorMap};

use super::argument::{Argument, Bound, ReadOnly};
use super::buffers::HostAddress;
use super::launch_error::LaunchError;
use super::overlap::Written;
use super::prepared::Prepared;

/// A buffer that is passed twice to one launch, or is written though it is only borrowed shared:
/// for work in place.
///
/// It fits every pointer that the buffer itself fits. In the ordering with other streams it counts as
/// read.
pub struct Aliased<'b, B>(&'b B);

impl<'b, B> Aliased<'b, B> {
    /// Makes the buffer usable as any number of arguments.
    ///
    /// # Safety
    /// The kernel does not race on the buffer, and nothing else reads or writes it until the kernel has
    /// ended: other streams are not ordered after what it writes.
    pub const unsafe fn new(buffer: &'b B) -> Self {
        Self(buffer)
    }
}

impl<B> fmt::Debug for Aliased<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Aliased")
    }
}

#[diagnostic::do_not_recommend]
impl<'b, B, S: HostAddress, T: PtxType, A: PointeeAlign> Argument<ReadOnly<Ptr<S, T, A>>>
    for Aliased<'b, B>
where
    &'b B: Argument<ReadOnly<Ptr<S, T, A>>>,
{
    #[doc(hidden)]
    fn __bind<'s>(
        &'s mut self,
        prepared: &Prepared<'s>,
        index: usize,
    ) -> Result<Bound<'s, ReadOnly<Ptr<S, T, A>>>, LaunchError> {
        self.0.__bind(prepared, index)
    }
}

#[diagnostic::do_not_recommend]
impl<'b, B, S: HostAddress, T: PtxType, A: PointeeAlign> Argument<Ptr<S, T, A>> for Aliased<'b, B>
where
    &'b B: Argument<ReadOnly<Ptr<S, T, A>>>,
{
    #[doc(hidden)]
    fn __bind<'s>(
        &'s mut self,
        prepared: &Prepared<'s>,
        index: usize,
    ) -> Result<Bound<'s, Ptr<S, T, A>>, LaunchError> {
        // Bound as a read, which the shared borrow allows.
        self.0.__bind(prepared, index).map(Bound::retyped)
    }
}

/// A device address from elsewhere, as an argument: of another library's buffer, of a variable of
/// the module, or of memory in another space.
///
/// A contract sees `len` elements behind it. Two of them that overlap, and that the kernel may write, are
/// [refused](super::Reason::Overlap); `Aliased::new(&pointer)` is not. For memory of another library there is
/// [`ForeignSlice`](super::ForeignSlice), which is aligned, checked and ordered as a buffer is.
pub struct RawPtr<S, T, A = Natural> {
    pointer: Ptr<S, T, A>,
    len: u64,
}

impl<S, T, A> RawPtr<S, T, A> {
    /// A pointer to `len` elements at this address.
    ///
    /// # Safety
    /// At least `len` elements exist at the address when the kernel runs, aligned as the pointer's type requires, and
    /// nothing else makes conflicting accesses to them. No work is ordered by this argument.
    pub const unsafe fn new(pointer: Ptr<S, T, A>, len: u64) -> Self {
        Self { pointer, len }
    }
}

impl<S, T, A> Clone for RawPtr<S, T, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, T, A> Copy for RawPtr<S, T, A> {}

impl<S, T, A> fmt::Debug for RawPtr<S, T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawPtr({:#x}, {} elements)", self.pointer.address(), self.len)
    }
}

#[diagnostic::do_not_recommend]
impl<S: PointerSpace, T: PtxType, A: PointeeAlign> Argument<Ptr<S, T, A>> for RawPtr<S, T, A> {
    #[doc(hidden)]
    fn __bind<'s>(
        &'s mut self,
        _: &Prepared<'s>,
        _: usize,
    ) -> Result<Bound<'s, Ptr<S, T, A>>, LaunchError> {
        let address = self.pointer.address();
        let written = Written::bytes(address, self.len.saturating_mul(size_of::<T>() as u64));
        Ok(Bound::address_of(address, self.len, None).writing(written))
    }
}

#[diagnostic::do_not_recommend]
impl<S: PointerSpace, T: PtxType, A: PointeeAlign> Argument<ReadOnly<Ptr<S, T, A>>>
    for &RawPtr<S, T, A>
{
    fn __bind<'s>(
        &'s mut self,
        _: &Prepared<'s>,
        _: usize,
    ) -> Result<Bound<'s, ReadOnly<Ptr<S, T, A>>>, LaunchError> {
        Ok(Bound::address_of(self.pointer.address(), self.len, None))
    }
}

#[diagnostic::do_not_recommend]
impl<S: PointerSpace, T: PtxType, A: PointeeAlign> Argument<ReadOnly<Ptr<S, T, A>>>
    for RawPtr<S, T, A>
{
    #[doc(hidden)]
    fn __bind<'s>(
        &'s mut self,
        _: &Prepared<'s>,
        _: usize,
    ) -> Result<Bound<'s, ReadOnly<Ptr<S, T, A>>>, LaunchError> {
        Ok(Bound::address_of(self.pointer.address(), self.len, None))
    }
}

/// A descriptor from elsewhere, as an argument: one that [`tensor::encode`](crate::tensor::encode) made, or
/// over memory that cudarc does not own.
pub struct RawMap<M> {
    descriptor: Descriptor,
    of: PhantomData<fn() -> M>,
}

impl<M: MapType> RawMap<M> {
    /// The descriptor as a map of `M`.
    ///
    /// # Safety
    /// It is a descriptor with `M`'s box, element type and swizzle, over memory that is allocated when the kernel
    /// runs, and nothing else makes conflicting accesses to it. No work is ordered by this argument.
    pub const unsafe fn new(descriptor: Descriptor) -> Self {
        Self { descriptor, of: PhantomData }
    }
}

impl<M> Clone for RawMap<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for RawMap<M> {}

impl<M> fmt::Debug for RawMap<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RawMap")
    }
}

macro_rules! raw_maps {
    ($($Parameter:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<M: MapType, A: MapAlign> Argument<$Parameter> for RawMap<M> {
            #[doc(hidden)]
            fn __bind<'s>(
                &'s mut self,
                _: &Prepared<'s>,
                _: usize,
            ) -> Result<Bound<'s, $Parameter>, LaunchError> {
                Ok(Bound::value(&self.descriptor, None))
            }
        }
    )*};
}

raw_maps! {
    TensorMap<M, A>;
    ReadOnly<TensorMap<M, A>>;
}
