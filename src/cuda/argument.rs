//! Arguments of launches, and the parameters that they fit.

use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaEvent, CudaSlice, CudaStream, CudaView, CudaViewMut, DevicePtr, DevicePtrMut,
    DeviceSlice, SyncOnDrop,
};
use ptx_types::__private::{ByAddress, ByValue, half};
use ptx_types::tensor::MapAlign;
use ptx_types::{
    Bf16x2, DeviceCopy, E4M3, E4M3x2, E4M3x4, E5M2, E5M2x2, E5M2x4, F16x2, Generic, Global,
    MapType, PointeeAlign, PointerSpace, Ptr, PtxType, Scalar, TensorMap, V2, V4,
};

use super::bound::{self, BoundMap};
use super::context::is_same;
use super::facts::KernelType;
use super::launch_error::{LaunchError, Reason};
use super::prepared::Prepared;

/// In [`Argument`], the type of a pointer or map parameter that is declared `#[readonly]`.
#[derive(Debug)]
pub struct ReadOnly<P>(PhantomData<fn() -> P>);

/// The arguments of the kernel `K`: a tuple with one for each parameter. The kernel's expansion
/// implements it.
#[diagnostic::on_unimplemented(
    message = "these are not the arguments of the kernel `{K}`",
    label = "the kernel has `{N}`",
    note = "arguments are a tuple with one for each parameter, in the order of the declaration: `(&src, &mut dst, n)`; of a single one, `(n,)`"
)]
pub trait Arguments<K: KernelType, N = <K as KernelType>::Count> {
    /// Binds each argument, checks the contract, and launches.
    #[doc(hidden)]
    fn __launch(&mut self, prepared: &Prepared<'_>) -> Result<(), LaunchError>;
}

/// An argument that fits a parameter of type `P`.
///
/// - A value fits a parameter of exactly its type: `u32`, `f32`, `V4<f32>`, `E4M3x4`, `[f32; 4]`, structs
///   with `#[derive(PtxType)]`.
/// - A [`CudaSlice`] or [`CudaViewMut`] of `T`, as `&mut`, fits a [`Ptr<Global, T>`](Ptr) and a
///   `Ptr<Generic, T>`; as `&`, with [`CudaView`] too, it fits one that is declared `#[readonly]`. A buffer of
///   scalars fits a pointer to vectors, packed types or arrays of them if its length and its start are
///   multiples of theirs.
/// - A [`BoundMap`] of `M`, as `&`, fits a [`TensorMap<M>`](TensorMap). Where the launch is safe and the
///   parameter is not declared `#[readonly]`, the map has to be one that may store, from
///   [`over_mut`](super::Over::over_mut).
/// - [`RawPtr`](super::RawPtr), [`RawMap`](super::RawMap) and [`Aliased`](super::Aliased), which only unsafe
///   code makes, fit the parameters that they name.
#[diagnostic::on_unimplemented(
    message = "a parameter of type `{P}` does not take `{Self}`",
    label = "this does not fit the parameter",
    note = "a value fits a parameter of exactly its type, `1_u32` a `u32`",
    note = "a buffer of `T` fits a `Ptr<Global, T>`: as `&mut buffer`, or as `&buffer` where the parameter is declared `#[readonly]`",
    note = "a map made by `A::over(..)` or `A::over_mut(..)` fits a `TensorMap<A>`, as `&map`",
    note = "for one buffer as two arguments, or an address from elsewhere, see `ptx::cuda::Aliased` and `ptx::cuda::RawPtr`"
)]
pub trait Argument<P: ?Sized> {
    /// Compares the argument with its parameter, and orders the stream after earlier work on the argument.
    #[doc(hidden)]
    fn __bind<'s>(
        &'s mut self,
        prepared: &Prepared<'s>,
        index: usize,
    ) -> Result<Bound<'s, P>, LaunchError>;
}

/// An argument of a launch: the value that is passed, and what has to follow once the launch is submitted.
#[doc(hidden)]
pub struct Bound<'s, P: ?Sized> {
    passed: Passed<'s>,
    elements: u64,
    access: Option<Access<'s>>,
    of: PhantomData<fn() -> P>,
}

enum Passed<'s> {
    Address(u64),
    Value(*const c_void, PhantomData<&'s ()>),
}

/// Orders later work after the launch, when it is dropped.
pub(super) enum Access<'s> {
    /// An access to a buffer.
    #[allow(dead_code)] // its drop is what matters
    Buffer(SyncOnDrop<'s>),
    /// An access to a map: orders its own stream after the launch's stream, if they differ, and the buffer after both,
    /// if the map may be forgotten, which safe code may do.
    Map { own: &'s CudaStream, launch: Option<&'s CudaStream>, buffer: Option<&'s CudaEvent> },
}

impl Drop for Access<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Self::Map { own, launch, buffer } = self {
            let context = own.context();
            if let Some(launch) = launch {
                context.record_err(own.join(launch));
            }
            if let Some(buffer) = buffer {
                context.record_err(buffer.record(own));
            }
        }
    }
}

impl<'s, P: ?Sized> Bound<'s, P> {
    #[inline]
    pub(super) fn value<T>(value: &'s T, access: Option<Access<'s>>) -> Self {
        let passed = Passed::Value(core::ptr::from_ref(value).cast(), PhantomData);
        Self { passed, elements: 0, access, of: PhantomData }
    }

    #[inline]
    pub(super) fn address_of(address: u64, elements: u64, access: Option<SyncOnDrop<'s>>) -> Self {
        Self {
            passed: Passed::Address(address),
            elements,
            access: access.map(Access::Buffer),
            of: PhantomData,
        }
    }

    /// The same argument for a parameter of another type.
    pub(super) fn retyped<Q: ?Sized>(self) -> Bound<'s, Q> {
        let Self { passed, elements, access, of: _ } = self;
        Bound { passed, elements, access, of: PhantomData }
    }

    /// The address of the value that is passed.
    #[inline]
    pub fn pass(&self) -> *mut c_void {
        match &self.passed {
            Passed::Address(address) => core::ptr::from_ref(address).cast_mut().cast(),
            Passed::Value(value, _) => value.cast_mut(),
        }
    }
}

impl<P: ?Sized> fmt::Debug for Bound<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bound").finish_non_exhaustive()
    }
}

/// A buffer as a contract sees it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Buffer(u64);

impl Buffer {
    /// The number of elements, of the type that the parameter points to.
    #[must_use]
    pub const fn len(self) -> u64 {
        self.0
    }

    /// Whether it has no elements.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// How a contract sees the argument of a parameter: a value by reference, a pointer as a [`Buffer`].
#[doc(hidden)]
pub trait Seen {
    /// The type that a contract computes with.
    type As<'a>
    where
        Self: 'a;

    /// The argument as a contract sees it.
    fn seen<'a>(bound: &'a Bound<'_, Self>) -> Self::As<'a>;
}

/// The same, selected by how an argument is passed.
#[doc(hidden)]
pub trait SeenAs {
    /// The type that a contract computes with.
    type As<'a, P: 'a>;

    /// The argument as a contract sees it.
    fn seen<'a, P: DeviceCopy<Passing = Self>>(bound: &'a Bound<'_, P>) -> Self::As<'a, P>;
}

impl SeenAs for ByValue {
    type As<'a, P: 'a> = &'a P;

    #[inline]
    fn seen<'a, P: DeviceCopy<Passing = Self>>(bound: &'a Bound<'_, P>) -> &'a P {
        // SAFETY: only `Bound::value` binds values of this type, from a reference to a `P`
        // that outlives the bound argument.
        unsafe { &*bound.pass().cast::<P>() }
    }
}

impl SeenAs for ByAddress {
    type As<'a, P: 'a> = Buffer;

    #[inline]
    fn seen<P: DeviceCopy<Passing = Self>>(bound: &Bound<'_, P>) -> Buffer {
        Buffer(bound.elements)
    }
}

impl<P: DeviceCopy<Passing: SeenAs>> Seen for P {
    type As<'a> = <P::Passing as SeenAs>::As<'a, P>;

    #[inline]
    fn seen<'a>(bound: &'a Bound<'_, Self>) -> Self::As<'a> {
        <P::Passing as SeenAs>::seen(bound)
    }
}

impl<S: PointerSpace, T: PtxType, A: PointeeAlign> Seen for ReadOnly<Ptr<S, T, A>> {
    type As<'a>
        = Buffer
    where
        Self: 'a;

    #[inline]
    fn seen(bound: &Bound<'_, Self>) -> Buffer {
        Buffer(bound.elements)
    }
}

#[diagnostic::do_not_recommend]
impl<P: DeviceCopy<Passing = ByValue>> Argument<P> for P {
    #[inline]
    #[doc(hidden)]
    fn __bind<'s>(&'s mut self, _: &Prepared<'s>, _: usize) -> Result<Bound<'s, P>, LaunchError> {
        Ok(Bound::value(&*self, None))
    }
}

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
#[inline]
fn fitted<T, A: PointeeAlign, E: ElementOf<T>>(
    prepared: &Prepared<'_>,
    index: usize,
    (address, len): (u64, usize),
) -> Result<u64, LaunchError>
where
    T: PtxType,
{
    let parameter = || prepared.param(index).variable.name;
    if E::PER > 1 && !len.is_multiple_of(E::PER) {
        return Err(prepared.error(Reason::NotWhole { parameter: parameter(), len, per: E::PER }));
    }
    let align = const {
        match (A::BYTES, T::TYPE.align()) {
            (Some(align), _) | (None, Some(align)) => align,
            (None, None) => 1,
        }
    };
    if align > 1 && !address.is_multiple_of(align as u64) {
        return Err(prepared.error(Reason::Misaligned { parameter: parameter(), address, align }));
    }
    Ok((len / E::PER.max(1)) as u64)
}

#[inline]
fn of_this_context(
    prepared: &Prepared<'_>,
    index: usize,
    context: &Arc<CudaContext>,
) -> Result<(), LaunchError> {
    if is_same(context, prepared.stream().context()) {
        return Ok(());
    }
    let parameter = prepared.param(index).variable.name;
    Err(prepared.error(Reason::ArgumentContext { parameter }))
}

/// Buffers that are passed by reference.
macro_rules! buffers {
    ($($Buffer:ty, $access:ident, $Parameter:ty, [$($mutable:tt)?], [$($life:lifetime)?];)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($life,)? S: HostAddress, T: PtxType, A: PointeeAlign, E: ElementOf<T>>
            Argument<$Parameter> for &$($mutable)? $Buffer
        {
            #[inline]
            #[doc(hidden)]
            fn __bind<'s>(
                &'s mut self,
                prepared: &Prepared<'s>,
                index: usize,
            ) -> Result<Bound<'s, $Parameter>, LaunchError> {
                of_this_context(prepared, index, DeviceSlice::stream(&**self).context())?;
                let len = DeviceSlice::len(&**self);
                let (address, access) = (**self).$access(prepared.stream());
                let elements = fitted::<T, A, E>(prepared, index, (address, len))?;
                Ok(Bound::address_of(address, elements, Some(access)))
            }
        }
    )*};
}

buffers! {
    CudaSlice<E>, device_ptr_mut, Ptr<S, T, A>, [mut], [];
    CudaViewMut<'v, E>, device_ptr_mut, Ptr<S, T, A>, [mut], ['v];
    CudaSlice<E>, device_ptr, ReadOnly<Ptr<S, T, A>>, [], [];
    CudaView<'v, E>, device_ptr, ReadOnly<Ptr<S, T, A>>, [], ['v];
    CudaViewMut<'v, E>, device_ptr, ReadOnly<Ptr<S, T, A>>, [], ['v];
}

/// A map of the same declaration. rustc may suggest the implementation that requires this trait, so that this
/// message is the one that is shown.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a map of `{Self}` does not fit a parameter of `{M}`",
    label = "this is a map of `{Self}`",
    note = "a tile with a different box, element type or swizzle has a different layout"
)]
pub trait SameMap<M> {}

#[diagnostic::do_not_recommend]
impl<M: MapType> SameMap<M> for M {}

impl<M: MapType, N: MapType + SameMap<M>, A: MapAlign, C: bound::Access> Argument<TensorMap<M, A>>
    for &BoundMap<'_, N, C>
{
    #[inline]
    #[doc(hidden)]
    fn __bind<'s>(
        &'s mut self,
        prepared: &Prepared<'s>,
        index: usize,
    ) -> Result<Bound<'s, TensorMap<M, A>>, LaunchError> {
        // A buffer that safe code has borrowed shared must not be written.
        if !C::CAN_STORE && prepared.is_vouched() {
            let parameter = prepared.param(index).variable.name;
            return Err(prepared.error(Reason::LoadsOnly { parameter }));
        }
        bound_map(self, prepared, index)
    }
}

#[diagnostic::do_not_recommend]
impl<M: MapType, N: MapType + SameMap<M>, A: MapAlign, C> Argument<ReadOnly<TensorMap<M, A>>>
    for &BoundMap<'_, N, C>
{
    #[inline]
    #[doc(hidden)]
    fn __bind<'s>(
        &'s mut self,
        prepared: &Prepared<'s>,
        index: usize,
    ) -> Result<Bound<'s, ReadOnly<TensorMap<M, A>>>, LaunchError> {
        bound_map(self, prepared, index)
    }
}

/// Binds the descriptor of a map, in order with the work on the map's own stream.
#[inline]
fn bound_map<'s, P, N: MapType, C>(
    map: &'s BoundMap<'_, N, C>,
    prepared: &Prepared<'s>,
    index: usize,
) -> Result<Bound<'s, P>, LaunchError> {
    let (own, launch) = (map.stream(), prepared.stream());
    of_this_context(prepared, index, own.context())?;
    let is_apart = own.cu_stream() != launch.cu_stream();
    if is_apart {
        // The launch waits for what the map's stream waits for, and that stream waits for the launch.
        launch.join(own).map_err(|error| prepared.error(Reason::Driver(error)))?;
    }
    let launch = is_apart.then_some(launch);
    let buffer = if prepared.is_vouched() { map.event() } else { None };
    let access = (is_apart || buffer.is_some()).then_some(Access::Map { own, launch, buffer });
    Ok(Bound::value(map.descriptor(), access))
}
