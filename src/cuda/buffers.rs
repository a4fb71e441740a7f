//! Buffers as arguments: cudarc's, in device memory, unified memory, and pinned memory of the host.

#![allow(
    clippy::inline_always,
    reason = "code that is called is memory that a launch has to fetch: see docs/measurements.md"
)]

use core::mem::ManuallyDrop;
use std::sync::Arc;

use cudarc::driver::{
    CudaSlice, CudaView, CudaViewMut, DevicePtr, DevicePtrMut, HostSlice, PinnedHostSlice,
    SyncOnDrop, UnifiedSlice, UnifiedView, UnifiedViewMut,
};
use ptx_types::__private::half;
use ptx_types::{
    Bf16x2, E4M3, E4M3x2, E4M3x4, E5M2, E5M2x2, E5M2x4, F16x2, Generic, Global, PointeeAlign,
    PointerSpace, Ptr, PtxType, Scalar, V2, V4,
};

use super::argument::{Access, Argument, Bound, ReadOnly, of_this_context};
use super::calls::{self, Call};
use super::foreign::ForeignSlice;
use super::launch_error::{LaunchError, Reason};
use super::overlap::Written;
use super::prepared::Prepared;
use super::refusal::Refusal;

/// A state space whose addresses the host can pass: global memory, also by generic addresses.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the host has no buffers in `{Self}` memory",
    label = "no buffer fits here"
)]
pub trait HostAddress: PointerSpace {}

impl HostAddress for Global {}
impl HostAddress for Generic {}

/// An element type: a buffer of these elements fits a pointer to `T`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a buffer of `{Self}` does not fit a pointer to `{T}`",
    label = "the parameter points to `{T}`"
)]
pub trait ElementOf<T> {
    /// How many of them make one `T`.
    const PER: usize;
}

#[diagnostic::do_not_recommend]
impl<T: PtxType> ElementOf<T> for T {
    const PER: usize = 1;
}

#[diagnostic::do_not_recommend]
impl<T: Scalar> ElementOf<V2<T>> for T {
    const PER: usize = 2;
}

#[diagnostic::do_not_recommend]
impl<T: Scalar> ElementOf<V4<T>> for T {
    const PER: usize = 4;
}

#[diagnostic::do_not_recommend]
impl<T: PtxType, const N: usize> ElementOf<[T; N]> for T {
    const PER: usize = N;
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, const N: usize> ElementOf<[V2<T>; N]> for T {
    const PER: usize = 2 * N;
}

#[diagnostic::do_not_recommend]
impl<T: Scalar, const N: usize> ElementOf<[V4<T>; N]> for T {
    const PER: usize = 4 * N;
}

/// Packed types whose elements are contiguous in memory.
macro_rules! packed {
    ($($Packed:ty: $count:literal $Element:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl ElementOf<$Packed> for $Element {
            const PER: usize = $count;
        }

        #[diagnostic::do_not_recommend]
        impl<const N: usize> ElementOf<[$Packed; N]> for $Element {
            const PER: usize = $count * N;
        }
    )*};
}

packed! {
    F16x2: 2 half::f16;
    Bf16x2: 2 half::bf16;
    E4M3x2: 2 E4M3;
    E4M3x4: 4 E4M3;
    E5M2x2: 2 E5M2;
    E5M2x4: 4 E5M2;
}

/// Compares a buffer with the pointer parameter that it is for.
#[inline(always)]
pub(super) fn fitted<T, A: PointeeAlign, E: ElementOf<T>>(
    prepared: &Prepared<'_>,
    index: usize,
    (address, len): (u64, usize),
) -> Result<u64, LaunchError>
where
    T: PtxType,
{
    if E::PER > 1 && !len.is_multiple_of(E::PER) {
        return Err(not_whole(prepared, index, len, E::PER));
    }
    let align = const {
        match (A::BYTES, T::TYPE.align()) {
            (Some(align), _) | (None, Some(align)) => align,
            (None, None) => 1,
        }
    };
    if align > 1 && !address.is_multiple_of(align as u64) {
        return Err(misaligned(prepared, index, address, align));
    }
    Ok((len / E::PER.max(1)) as u64)
}

#[cold]
fn not_whole(prepared: &Prepared<'_>, index: usize, len: usize, per: usize) -> LaunchError {
    let parameter = prepared.param(index).variable.name;
    prepared.error(Reason::NotWhole { parameter, len, per })
}

#[cold]
fn misaligned(prepared: &Prepared<'_>, index: usize, address: u64, align: usize) -> LaunchError {
    let parameter = prepared.param(index).variable.name;
    prepared.error(Reason::Misaligned { parameter, address, align })
}

/// Binds memory at this address, which fits the parameter.
#[inline(always)]
fn bind<'s, P, T: PtxType, A: PointeeAlign, E: ElementOf<T>>(
    prepared: &Prepared<'s>,
    index: usize,
    (address, len): (u64, usize),
    access: Option<Access<'s>>,
    may_write: bool,
) -> Result<Bound<'s, P>, LaunchError> {
    let elements = fitted::<T, A, E>(prepared, index, (address, len))?;
    let is_buffer = matches!(access, Some(Access::Buffer(_)));
    let bound = Bound::address_of(address, elements, access);
    let bound = if is_buffer { bound.of_buffer() } else { bound };
    Ok(if may_write { bound.writing(Written::elements::<E>(address, len)) } else { bound })
}

/// Binds a buffer that the kernel only reads.
#[inline(always)]
fn bind_read<'s, P, T: PtxType, A: PointeeAlign, E: ElementOf<T>, B: DevicePtr<E>>(
    buffer: &'s B,
    prepared: &Prepared<'s>,
    index: usize,
) -> Result<Bound<'s, P>, LaunchError> {
    of_this_context(prepared, index, buffer.stream().context())?;
    let len = buffer.len();
    let (address, access) = buffer.device_ptr(prepared.stream());
    let bound = bind::<P, T, A, E>(prepared, index, (address, len), recorded(access), false)?;
    Ok(bound.of_buffer())
}

/// Binds a buffer that the kernel may write.
#[inline(always)]
fn bind_write<'s, P, T: PtxType, A: PointeeAlign, E: ElementOf<T>, B: DevicePtrMut<E>>(
    buffer: &'s mut B,
    prepared: &Prepared<'s>,
    index: usize,
) -> Result<Bound<'s, P>, LaunchError> {
    of_this_context(prepared, index, buffer.stream().context())?;
    let len = buffer.len();
    let (address, access) = buffer.device_ptr_mut(prepared.stream());
    let bound = bind::<P, T, A, E>(prepared, index, (address, len), recorded(access), true)?;
    Ok(bound.of_buffer())
}

/// An access that is recorded after the launch, if the buffer has an event for it.
#[inline(always)]
fn recorded(access: SyncOnDrop<'_>) -> Option<Access<'_>> {
    if matches!(access, SyncOnDrop::Record(None)) {
        // Its drop would find nothing to do, in a call.
        core::mem::forget(access);
        return None;
    }
    Some(Access::Buffer(access))
}

/// An access to memory that the host sees. cudarc waits for the event before it shows the memory to the host,
/// but records it only where it orders streams.
fn of_host(access: SyncOnDrop<'_>) -> Access<'_> {
    // The event is recorded after the launch alone.
    let access = ManuallyDrop::new(access);
    match &*access {
        SyncOnDrop::Record(Some((event, stream))) => Access::Host { event, stream },
        SyncOnDrop::Record(None) | SyncOnDrop::Sync(_) => {
            Access::Buffer(ManuallyDrop::into_inner(access))
        }
    }
}

/// Reports what cudarc recorded while it ordered the memory: that the stream must not access it.
fn check_access(prepared: &Prepared<'_>) -> Result<(), LaunchError> {
    let checked = prepared.stream().context().check_err();
    checked.map_err(|error| prepared.error(Reason::Driver(error)))
}

/// Binds unified memory that the kernel only reads.
fn bind_unified_read<'s, P, T: PtxType, A: PointeeAlign, E: ElementOf<T>, B: DevicePtr<E>>(
    buffer: &'s B,
    prepared: &Prepared<'s>,
    index: usize,
) -> Result<Bound<'s, P>, LaunchError> {
    of_this_context(prepared, index, buffer.stream().context())?;
    let len = buffer.len();
    let (address, access) = buffer.device_ptr(prepared.stream());
    let access = of_host(access);
    check_access(prepared)?;
    bind::<P, T, A, E>(prepared, index, (address, len), Some(access), false)
}

/// Binds unified memory that the kernel may write.
fn bind_unified_write<'s, P, T: PtxType, A: PointeeAlign, E: ElementOf<T>, B: DevicePtrMut<E>>(
    buffer: &'s mut B,
    prepared: &Prepared<'s>,
    index: usize,
) -> Result<Bound<'s, P>, LaunchError> {
    of_this_context(prepared, index, buffer.stream().context())?;
    let len = buffer.len();
    let (address, access) = buffer.device_ptr_mut(prepared.stream());
    let access = of_host(access);
    check_access(prepared)?;
    bind::<P, T, A, E>(prepared, index, (address, len), Some(access), true)
}

/// The device's address of pinned memory of the host.
fn device_address(
    prepared: &Prepared<'_>,
    host: *const core::ffi::c_void,
) -> Result<u64, LaunchError> {
    let call = calls::host_address().map_err(|error| prepared.error(Reason::Call(error)))?;
    let mut address = 0;
    // SAFETY: one number is written; the driver looks the host's address up.
    let code = unsafe { call(&raw mut address, host.cast_mut(), 0) };
    let refused = Refusal::of(Call::HostGetDevicePointer, code);
    refused.map_err(|refusal| prepared.error(Reason::Refused(refusal)))?;
    Ok(address)
}

/// Binds pinned memory that the kernel only reads.
fn bind_pinned_read<'s, P, T: PtxType, A: PointeeAlign, E: ElementOf<T>>(
    buffer: &'s PinnedHostSlice<E>,
    prepared: &Prepared<'s>,
    index: usize,
) -> Result<Bound<'s, P>, LaunchError> {
    of_this_context(prepared, index, buffer.context())?;
    // SAFETY: only the address is used, in the stream.
    let (slice, access) = unsafe { buffer.stream_synced_slice(prepared.stream()) };
    let access = of_host(access);
    let address = device_address(prepared, slice.as_ptr().cast())?;
    bind::<P, T, A, E>(prepared, index, (address, slice.len()), Some(access), false)
}

/// Binds pinned memory that the kernel may write.
fn bind_pinned_write<'s, P, T: PtxType, A: PointeeAlign, E: ElementOf<T>>(
    buffer: &'s mut PinnedHostSlice<E>,
    prepared: &Prepared<'s>,
    index: usize,
) -> Result<Bound<'s, P>, LaunchError> {
    of_this_context(prepared, index, buffer.context())?;
    // SAFETY: only the address is used, in the stream.
    let (slice, access) = unsafe { buffer.stream_synced_mut_slice(prepared.stream()) };
    let access = of_host(access);
    let address = device_address(prepared, slice.as_ptr().cast())?;
    bind::<P, T, A, E>(prepared, index, (address, slice.len()), Some(access), true)
}

/// Buffers as arguments: the type, the parameter, how it is bound, and where the buffer is.
macro_rules! buffers {
    ($([$($life:lifetime),*] $Buffer:ty, $Parameter:ty: $bind:ident($argument:ident => $buffer:expr);)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($life,)* S: HostAddress, T: PtxType, A: PointeeAlign, E: ElementOf<T>>
            Argument<$Parameter> for $Buffer
        {
            #[inline(always)]
            #[doc(hidden)]
            fn __bind<'s>(
                &'s mut self,
                prepared: &Prepared<'s>,
                index: usize,
            ) -> Result<Bound<'s, $Parameter>, LaunchError> {
                let $argument = self;
                buffers!(@bind $bind, $buffer, prepared, index)
            }
        }
    )*};
    (@bind bind_pinned_read, $buffer:expr, $prepared:ident, $index:ident) => {
        bind_pinned_read::<_, T, A, E>($buffer, $prepared, $index)
    };
    (@bind bind_pinned_write, $buffer:expr, $prepared:ident, $index:ident) => {
        bind_pinned_write::<_, T, A, E>($buffer, $prepared, $index)
    };
    (@bind $bind:ident, $buffer:expr, $prepared:ident, $index:ident) => {
        $bind::<_, T, A, E, _>($buffer, $prepared, $index)
    };
}

buffers! {
    ['b] &'b mut CudaSlice<E>, Ptr<S, T, A>: bind_write(it => &mut **it);
    ['b, 'v] &'b mut CudaViewMut<'v, E>, Ptr<S, T, A>: bind_write(it => &mut **it);
    ['v] CudaViewMut<'v, E>, Ptr<S, T, A>: bind_write(it => it);
    ['b] &'b CudaSlice<E>, ReadOnly<Ptr<S, T, A>>: bind_read(it => &**it);
    ['b] &'b Arc<CudaSlice<E>>, ReadOnly<Ptr<S, T, A>>: bind_read(it => &***it);
    [] Arc<CudaSlice<E>>, ReadOnly<Ptr<S, T, A>>: bind_read(it => &**it);
    ['b, 'v] &'b CudaView<'v, E>, ReadOnly<Ptr<S, T, A>>: bind_read(it => &**it);
    ['v] CudaView<'v, E>, ReadOnly<Ptr<S, T, A>>: bind_read(it => &*it);
    ['b, 'v] &'b CudaViewMut<'v, E>, ReadOnly<Ptr<S, T, A>>: bind_read(it => &**it);
    ['v] CudaViewMut<'v, E>, ReadOnly<Ptr<S, T, A>>: bind_read(it => &*it);

    ['b] &'b mut UnifiedSlice<E>, Ptr<S, T, A>: bind_unified_write(it => &mut **it);
    ['b, 'v] &'b mut UnifiedViewMut<'v, E>, Ptr<S, T, A>: bind_unified_write(it => &mut **it);
    ['v] UnifiedViewMut<'v, E>, Ptr<S, T, A>: bind_unified_write(it => it);
    ['b] &'b UnifiedSlice<E>, ReadOnly<Ptr<S, T, A>>: bind_unified_read(it => &**it);
    ['b, 'v] &'b UnifiedView<'v, E>, ReadOnly<Ptr<S, T, A>>: bind_unified_read(it => &**it);
    ['v] UnifiedView<'v, E>, ReadOnly<Ptr<S, T, A>>: bind_unified_read(it => &*it);

    ['b] &'b mut PinnedHostSlice<E>, Ptr<S, T, A>: bind_pinned_write(it => &mut **it);
    ['b] &'b PinnedHostSlice<E>, ReadOnly<Ptr<S, T, A>>: bind_pinned_read(it => &**it);

    ['b, 'f] &'b mut ForeignSlice<'f, E>, Ptr<S, T, A>: bind_write(it => &mut **it);
    ['b, 'f] &'b ForeignSlice<'f, E>, ReadOnly<Ptr<S, T, A>>: bind_read(it => &**it);
}
