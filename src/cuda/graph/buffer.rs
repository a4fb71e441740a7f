//! Buffers that a graph keeps.

use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

use cudarc::driver::{
    CudaSlice, CudaStream, CudaView, CudaViewMut, DevicePtr, DevicePtrMut, DeviceSlice, SyncOnDrop,
};
use ptx_types::{MapType, PointeeAlign, Ptr, PtxType};

use crate::cuda::argument::{Argument, Bound, ReadOnly};
use crate::cuda::bound::{Loads, MapBuilder, Stores};
use crate::cuda::buffers::{ElementOf, HostAddress, fitted};
use crate::cuda::launch_error::LaunchError;
use crate::cuda::nodes::GraphNumber;
use crate::cuda::prepared::Prepared;

/// A buffer that a [graph](super::Graph) keeps, as an argument of its nodes.
///
/// It takes the place of the buffer: as `&mut`, it fits a [`Ptr`]; as `&`, one that is declared `#[readonly]`. `A` is
/// [`Stores`] for what [`Scope::write`](super::Scope::write) binds, and [`Loads`] for what
/// [`Scope::read`](super::Scope::read) binds, which fits `#[readonly]` parameters alone.
pub struct GraphBuffer<T, A = Stores> {
    address: u64,
    len: usize,
    pub(super) index: usize,
    pub(super) graph: GraphNumber,
    stream: Arc<CudaStream>,
    of: PhantomData<fn(T) -> (T, A)>,
}

impl<T, A> GraphBuffer<T, A> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The address of the first element, for [`Scope::capture_stream`](super::Scope::capture_stream). It is valid as long
    /// as the graph exists.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// A map that loads from this buffer, in nodes of this graph: what [`Over::over`](crate::cuda::Over::over) is for
    /// launches.
    pub fn map<M: MapType<Element = T>>(&self) -> MapBuilder<'_, M, Loads> {
        self.builder()
    }

    fn builder<M: MapType, C: crate::cuda::bound::Access>(&self) -> MapBuilder<'_, M, C> {
        let bytes = self.len * size_of::<T>();
        // The graph orders the buffer.
        let access = SyncOnDrop::Record(None);
        MapBuilder::new(self.address, bytes, access, &self.stream, self.graph)
    }
}

impl<T> GraphBuffer<T, Stores> {
    /// A map that may also store into this buffer, in nodes of this graph: what
    /// [`Over::over_mut`](crate::cuda::Over::over_mut) is for launches.
    pub fn map_mut<M: MapType<Element = T>>(&mut self) -> MapBuilder<'_, M, Stores> {
        self.builder()
    }
}

impl<T> Clone for GraphBuffer<T, Loads> {
    fn clone(&self) -> Self {
        Self { stream: Arc::clone(&self.stream), ..*self }
    }
}

impl<T, A> fmt::Debug for GraphBuffer<T, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GraphBuffer({:#x}, {} elements)", self.address, self.len)
    }
}

#[diagnostic::do_not_recommend]
impl<S: HostAddress, T: PtxType, A: PointeeAlign, E: ElementOf<T>> Argument<Ptr<S, T, A>>
    for &mut GraphBuffer<E, Stores>
{
    #[doc(hidden)]
    fn __bind<'s>(
        &'s mut self,
        prepared: &Prepared<'s>,
        index: usize,
    ) -> Result<Bound<'s, Ptr<S, T, A>>, LaunchError> {
        prepared.same_graph(self.graph, index)?;
        let elements = fitted::<T, A, E>(prepared, index, (self.address, self.len))?;
        Ok(Bound::address_of(self.address, elements, None))
    }
}

#[diagnostic::do_not_recommend]
impl<S: HostAddress, T: PtxType, A: PointeeAlign, E: ElementOf<T>, C>
    Argument<ReadOnly<Ptr<S, T, A>>> for &GraphBuffer<E, C>
{
    #[doc(hidden)]
    fn __bind<'s>(
        &'s mut self,
        prepared: &Prepared<'s>,
        index: usize,
    ) -> Result<Bound<'s, ReadOnly<Ptr<S, T, A>>>, LaunchError> {
        prepared.same_graph(self.graph, index)?;
        let elements = fitted::<T, A, E>(prepared, index, (self.address, self.len))?;
        Ok(Bound::address_of(self.address, elements, None))
    }
}

/// What a graph may read from: `&buffer` and views of it, which it borrows, and an [`Arc`] of a buffer, which it keeps.
#[diagnostic::on_unimplemented(
    message = "a graph does not read from `{Self}`",
    label = "not a buffer that it can borrow or keep",
    note = "it borrows `&buffer` and `buffer.slice(..)`, and keeps an `Arc<CudaSlice<T>>`"
)]
pub trait Readable<'b> {
    /// The type of its elements.
    type Element: 'b;

    #[doc(hidden)]
    fn __source(self) -> Source<'b, Self::Element>;
}

/// What a graph may write to: `&mut buffer` and mutable views of it, which it borrows, and a buffer, which it owns.
#[diagnostic::on_unimplemented(
    message = "a graph does not write to `{Self}`",
    label = "not a buffer that it can borrow or own",
    note = "it borrows `&mut buffer` and `buffer.slice_mut(..)`, and owns a `CudaSlice<T>`"
)]
pub trait Writable<'b> {
    /// The type of its elements.
    type Element: 'b;

    #[doc(hidden)]
    fn __source(self) -> Source<'b, Self::Element>;
}

/// A buffer, and whether it is borrowed. Other crates cannot name it, and so not implement the traits above.
pub enum Source<'b, T> {
    Read(&'b CudaSlice<T>),
    ReadView(CudaView<'b, T>),
    Shared(Arc<CudaSlice<T>>),
    Write(&'b mut CudaSlice<T>),
    WriteView(CudaViewMut<'b, T>),
    Owned(CudaSlice<T>),
}

macro_rules! sources {
    ($($Trait:ident: $Source:ty => $Variant:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'b, T: 'b> $Trait<'b> for $Source {
            type Element = T;

            fn __source(self) -> Source<'b, T> {
                Source::$Variant(self)
            }
        }
    )*};
}

sources! {
    Readable: &'b CudaSlice<T> => Read;
    Readable: CudaView<'b, T> => ReadView;
    Readable: Arc<CudaSlice<T>> => Shared;
    Writable: &'b mut CudaSlice<T> => Write;
    Writable: CudaViewMut<'b, T> => WriteView;
    Writable: CudaSlice<T> => Owned;
}

impl<T> Source<'_, T> {
    /// The address, which the stream may use after this, and what orders others after it once it is dropped.
    fn access<'s>(&'s mut self, stream: &'s CudaStream) -> (u64, SyncOnDrop<'s>) {
        match self {
            Self::Read(slice) => slice.device_ptr(stream),
            Self::ReadView(view) => view.device_ptr(stream),
            Self::Shared(slice) => slice.device_ptr(stream),
            Self::Write(slice) => slice.device_ptr_mut(stream),
            Self::WriteView(view) => view.device_ptr_mut(stream),
            Self::Owned(slice) => slice.device_ptr_mut(stream),
        }
    }

    fn any(&self) -> &dyn DeviceSlice<T> {
        match self {
            Self::Read(slice) => *slice,
            Self::ReadView(view) => view,
            Self::Shared(slice) => &**slice,
            Self::Write(slice) => &**slice,
            Self::WriteView(view) => view,
            Self::Owned(slice) => slice,
        }
    }

    pub(super) fn view(&self) -> CudaView<'_, T> {
        match self {
            Self::Read(slice) => slice.as_view(),
            Self::ReadView(view) => view.slice(..),
            Self::Shared(slice) => slice.as_view(),
            Self::Write(slice) => slice.as_view(),
            Self::WriteView(view) => view.as_view(),
            Self::Owned(slice) => slice.as_view(),
        }
    }

    /// A view to write; nothing of what is only read.
    pub(super) fn view_mut(&mut self) -> Option<CudaViewMut<'_, T>> {
        match self {
            Self::Read(_) | Self::ReadView(_) | Self::Shared(_) => None,
            Self::Write(slice) => Some(slice.as_view_mut()),
            Self::WriteView(view) => Some(view.slice_mut(..)),
            Self::Owned(slice) => Some(slice.as_view_mut()),
        }
    }
}

/// A buffer of a graph.
pub(super) struct Kept<'b, T> {
    pub(super) source: Source<'b, T>,
    /// Whether the host has had a view of it since the last launch.
    is_lent: bool,
}

impl<'b, T> Kept<'b, T> {
    pub(super) fn new(source: Source<'b, T>) -> Self {
        Self { source, is_lent: false }
    }

    /// Lets the stream wait for earlier work on the buffer, and makes its argument.
    pub(super) fn bind<A>(
        &mut self,
        stream: &Arc<CudaStream>,
        graph: GraphNumber,
        index: usize,
    ) -> GraphBuffer<T, A> {
        let len = self.source.any().len();
        let (address, access) = self.source.access(stream);
        // Nothing uses it yet.
        core::mem::forget(access);
        GraphBuffer { address, len, index, graph, stream: Arc::clone(stream), of: PhantomData }
    }

    /// Whether others can reach it without the graph.
    pub(super) fn is_borrowed(&self) -> bool {
        match self.source {
            Source::Read(_) | Source::ReadView(_) | Source::Write(_) | Source::WriteView(_) => true,
            Source::Shared(_) | Source::Owned(_) => false,
        }
    }

    /// The stream that it was allocated on.
    pub(super) fn stream(&self) -> &Arc<CudaStream> {
        self.source.any().stream()
    }
}

/// What a launch of the graph does with a buffer of any type.
pub(super) trait Ordered: Send + Sync {
    /// Orders the launch after what the host did with a view.
    fn before(&mut self, stream: &CudaStream);

    /// Orders others after the launch, if they can reach the buffer without the graph.
    fn after(&mut self, stream: &CudaStream);

    /// Orders others after all launches.
    fn release(&mut self, stream: &CudaStream);

    /// The same, before the host has a view of it.
    fn lend(&mut self, stream: &CudaStream);

    /// This buffer as a [`Kept`].
    fn pointer(&mut self) -> *mut c_void;
}

impl<T> Ordered for Kept<'_, T>
where
    Self: Send + Sync,
{
    fn before(&mut self, stream: &CudaStream) {
        if core::mem::take(&mut self.is_lent) {
            core::mem::forget(self.source.access(stream));
        }
    }

    fn after(&mut self, stream: &CudaStream) {
        // Its borrow may end although nobody drops the graph.
        if self.is_borrowed() {
            drop(self.source.access(stream));
        }
    }

    fn release(&mut self, stream: &CudaStream) {
        if !self.is_borrowed() {
            drop(self.source.access(stream));
        }
    }

    fn lend(&mut self, stream: &CudaStream) {
        self.release(stream);
        self.is_lent = true;
    }

    fn pointer(&mut self) -> *mut c_void {
        core::ptr::from_mut(self).cast()
    }
}
