//! Arguments of launches, and the parameters that they fit.

#![allow(
    clippy::inline_always,
    reason = "code that is called is memory that a launch has to fetch: see docs/measurements.md"
)]

use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaEvent, CudaStream, SyncOnDrop};
use ptx_types::__private::{ByAddress, ByValue};
use ptx_types::tensor::MapAlign;
use ptx_types::{DeviceCopy, MapType, PointeeAlign, PointerSpace, Ptr, PtxType, TensorMap};

use super::bound::{self, BoundMap};
use super::context::is_same;
use super::kept::Pointed;
use super::launch_error::{LaunchError, Reason};
use super::overlap::Written;
use super::prepared::Prepared;

/// In [`Argument`], the type of a pointer or map parameter that is declared `#[readonly]`.
#[derive(Debug)]
pub struct ReadOnly<P>(PhantomData<fn() -> P>);

/// An argument that fits a parameter of type `P`.
///
/// - A value fits a parameter of exactly its type: `u32`, `f32`, `V4<f32>`, `E4M3x4`, `[f32; 4]`, structs
///   with `#[derive(PtxType)]`. An integer of another type, such as the `usize` of `data.len()`, is
///   converted by [`Checked`](super::Checked).
/// - A [`CudaSlice`] or [`CudaViewMut`] of `T`, as `&mut`, fits a [`Ptr<Global, T>`](Ptr) and a
///   `Ptr<Generic, T>`; as `&`, with [`CudaView`] too, it fits one that is declared `#[readonly]`. Views are
///   taken by value, too, and so is an `Arc<CudaSlice<T>>` where the parameter is `#[readonly]`. A buffer of
///   scalars fits a pointer to vectors, packed types or arrays of them if its length and its start are
///   multiples of theirs.
/// - A [`UnifiedSlice`] or one of its views, and a [`PinnedHostSlice`], which the kernel accesses in the host's
///   memory, fit as a `CudaSlice` does. cudarc's methods that show them to the host wait for the launch.
/// - A [`ForeignSlice`](super::ForeignSlice), memory of another library, fits as a `CudaSlice` does.
/// - A [`BoundMap`] of `M`, as `&`, fits a [`TensorMap<M>`](TensorMap). Where the launch is safe and the
///   parameter is not declared `#[readonly]`, the map has to be one that may store, from
///   [`over_mut`](super::Over::over_mut).
/// - In a [graph](super::capture), a [`GraphBuffer`](super::GraphBuffer) takes the place of a buffer, and a map is one
///   [of such a buffer](super::GraphBuffer::map); a [`Condition`](super::Condition) fits a `u64`.
/// - [`RawPtr`](super::RawPtr), [`RawMap`](super::RawMap) and [`Aliased`](super::Aliased), which only unsafe
///   code makes, fit the parameters that they name.
///
/// Two buffers that the kernel may write, that is, without `#[readonly]`, must not overlap; that is an `Err`,
/// [`Reason::Overlap`](super::Reason::Overlap), unless one of them is `Aliased`.
///
/// [`CudaSlice`]: cudarc::driver::CudaSlice
/// [`CudaView`]: cudarc::driver::CudaView
/// [`CudaViewMut`]: cudarc::driver::CudaViewMut
/// [`UnifiedSlice`]: cudarc::driver::UnifiedSlice
/// [`PinnedHostSlice`]: cudarc::driver::PinnedHostSlice
#[diagnostic::on_unimplemented(
    message = "a parameter of type `{P}` does not take `{Self}`",
    label = "this does not fit the parameter"
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
    written: Written,
    /// Whether it is a buffer of cudarc's, which is borrowed for the launch.
    is_buffer: bool,
    after: After<'s>,
    of: PhantomData<fn() -> P>,
}

enum Passed<'s> {
    /// An address, or a number of at most 8 bytes, whose value starts at the first byte.
    Word(u64),
    Value(*const c_void, PhantomData<&'s ()>),
}

/// Orders later work after the launch, when it is dropped.
pub(super) enum Access<'s> {
    /// An access to a buffer.
    #[allow(dead_code)] // its drop is what matters
    Buffer(SyncOnDrop<'s>),
    /// An access to memory that the host sees: before that, it waits for the event, also where cudarc orders no streams.
    Host { event: &'s CudaEvent, stream: &'s CudaStream },
    /// An access to a map: orders its own stream after the launch's stream, if they differ, and the buffer after both,
    /// if the map may be forgotten, which safe code may do.
    Map { own: &'s CudaStream, launch: Option<&'s CudaStream>, buffer: Option<&'s CudaEvent> },
}

/// The access that ends when this is dropped, if there is one. Most arguments have none, and the compiler sees that: what it
/// knows of an argument is not in memory then.
struct After<'s>(ManuallyDrop<Option<Access<'s>>>);

impl Drop for After<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.0.is_some() {
            self.end();
        }
    }
}

impl After<'_> {
    #[inline(never)]
    fn end(&mut self) {
        // SAFETY: only `drop` calls it, once.
        unsafe { ManuallyDrop::drop(&mut self.0) }
    }
}

impl Drop for Access<'_> {
    #[inline]
    fn drop(&mut self) {
        match self {
            Self::Buffer(_) => {}
            Self::Host { event, stream } => stream.context().record_err(event.record(stream)),
            Self::Map { own, launch, buffer } => {
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
}

impl<'s, P: ?Sized> Bound<'s, P> {
    #[inline]
    pub(super) fn value<T>(value: &'s T, access: Option<Access<'s>>) -> Self {
        let passed = Passed::Value(core::ptr::from_ref(value).cast(), PhantomData);
        Self::new(passed, 0, access)
    }

    /// The value with these bytes, which is stored here.
    #[inline]
    pub(super) fn stored<const N: usize>(bytes: [u8; N]) -> Self
    where
        P: DeviceCopy,
    {
        const { assert!(size_of::<P>() == N && N <= 8 && align_of::<P>() <= align_of::<u64>()) }
        let mut word = [0; 8];
        word[..N].copy_from_slice(&bytes);
        let passed = Passed::Word(u64::from_ne_bytes(word));
        Self::new(passed, 0, None)
    }

    #[inline]
    pub(super) fn address_of(address: u64, elements: u64, access: Option<Access<'s>>) -> Self {
        Self::new(Passed::Word(address), elements, access)
    }

    #[inline]
    fn new(passed: Passed<'s>, elements: u64, access: Option<Access<'s>>) -> Self {
        let (written, after) = (Written::NOTHING, After(ManuallyDrop::new(access)));
        Self { passed, elements, written, is_buffer: false, after, of: PhantomData }
    }

    /// The same argument, a buffer of cudarc's.
    #[inline]
    pub(super) fn of_buffer(self) -> Self {
        Self { is_buffer: true, ..self }
    }

    /// The same argument, through which the kernel may write these bytes.
    #[inline]
    pub(super) fn writing(self, written: Written) -> Self {
        Self { written, ..self }
    }

    /// The bytes that the kernel may write through the argument.
    #[inline]
    pub fn written(&self) -> Written {
        self.written
    }

    /// The same argument for a parameter of another type.
    pub(super) fn retyped<Q: ?Sized>(self) -> Bound<'s, Q> {
        let Self { passed, elements, written, is_buffer, after, of: _ } = self;
        Bound { passed, elements, written, is_buffer, after, of: PhantomData }
    }

    /// What it points to.
    #[inline]
    pub fn pointed(&self) -> Pointed {
        Pointed::new(self.elements, self.is_buffer)
    }

    /// The value that is passed, if it is stored here.
    #[inline]
    pub fn word(&self) -> u64 {
        match self.passed {
            Passed::Word(word) => word,
            Passed::Value(..) => 0,
        }
    }

    /// The address of the value that is passed, where that is [stored](Self::word) in this word: none of the argument itself is
    /// in memory then.
    #[inline]
    pub fn pass(&self, word: &u64) -> *mut c_void {
        match self.passed {
            Passed::Word(_) => core::ptr::from_ref(word).cast_mut().cast(),
            Passed::Value(value, _) => value.cast_mut(),
        }
    }

    /// The address of the value that is passed.
    #[inline]
    fn value_of(&self) -> *const c_void {
        match &self.passed {
            Passed::Word(word) => core::ptr::from_ref(word).cast(),
            Passed::Value(value, _) => *value,
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
        // SAFETY: only `Bound::value` and `Bound::stored` bind values of this type: from a reference to a `P`
        // that outlives the bound argument, or with as many bytes as a `P` has, all of which are values, in a word
        // that is aligned for it.
        unsafe { &*bound.value_of().cast::<P>() }
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
    #[inline(always)]
    #[doc(hidden)]
    fn __bind<'s>(&'s mut self, _: &Prepared<'s>, _: usize) -> Result<Bound<'s, P>, LaunchError> {
        Ok(Bound::value(&*self, None))
    }
}

#[inline(always)]
pub(super) fn of_this_context(
    prepared: &Prepared<'_>,
    index: usize,
    context: &Arc<CudaContext>,
) -> Result<(), LaunchError> {
    let of_stream = prepared.stream().context();
    if is_same(context, of_stream) { Ok(()) } else { Err(of_other_context(prepared, index)) }
}

#[cold]
fn of_other_context(prepared: &Prepared<'_>, index: usize) -> LaunchError {
    let parameter = prepared.param(index).variable.name;
    prepared.error(Reason::ArgumentContext { parameter })
}

#[diagnostic::do_not_recommend]
impl<M: MapType, A: MapAlign, C: bound::Access> Argument<TensorMap<M, A>> for &BoundMap<'_, M, C> {
    #[inline(always)]
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
        let bound = bound_map(self, prepared, index)?;
        Ok(if C::CAN_STORE { bound.writing(self.written()) } else { bound })
    }
}

#[diagnostic::do_not_recommend]
impl<M: MapType, A: MapAlign, C> Argument<ReadOnly<TensorMap<M, A>>> for &BoundMap<'_, M, C> {
    #[inline(always)]
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
#[inline(always)]
fn bound_map<'s, P, N: MapType, C>(
    map: &'s BoundMap<'_, N, C>,
    prepared: &Prepared<'s>,
    index: usize,
) -> Result<Bound<'s, P>, LaunchError> {
    prepared.same_graph(map.graph(), index)?;
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
