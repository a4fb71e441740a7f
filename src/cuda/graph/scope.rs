//! A graph while it is captured.

use core::fmt;
use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::CudaStream;
use ptx_types::DeviceCopy;

use super::buffer::{GraphBuffer, Kept, Readable, Writable};
use super::error::GraphError;
use super::keeps::{Keeps, VariableAccess};
use super::memory::{Download, Host, Kept as KeptHost, PinnedMemory, Upload};
use crate::cuda::bound::{Loads, Stores};
use crate::cuda::context::is_same;
use crate::cuda::nodes::{End, KernelNode, OwnedGraph, Place};
use crate::cuda::pinned::Pinned;
use crate::cuda::variable::{HostSpace, LoadedVariable};
use crate::cuda::variable_slice::LoadedSlice;

/// A graph that [`capture`](super::capture) is making: what is added to it runs one after the other, in the order in
/// which it is added.
///
/// Buffers are bound first, by [`read`](Self::read) and [`write`](Self::write); `'b` is how long they are borrowed. Then
/// [`Launch::capture`](crate::cuda::Launch::capture) adds kernels, and the methods here add copies.
pub struct Scope<'b> {
    pub(super) graph: OwnedGraph,
    pub(super) end: End,
    pub(super) kernels: Vec<KernelNode>,
    /// For each condition, whether a node has it.
    pub(super) conditions: Vec<bool>,
    /// Whether the driver has invalidated it.
    pub(super) is_invalid: bool,
    /// How many bodies of conditions the next node is in.
    pub(super) depth: usize,
    pub(super) keeps: Keeps<'b>,
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field("kernels", &self.kernels.len())
            .field("buffers", &self.keeps.buffers.len())
            .finish_non_exhaustive()
    }
}

impl<'b> Scope<'b> {
    /// A graph without nodes, for this stream.
    pub(super) fn new(stream: &Arc<CudaStream>) -> Result<Self, GraphError> {
        // `CU_STREAM_PER_THREAD`.
        if stream.cu_stream().addr() == 2 {
            return Err(GraphError::PerThreadStream);
        }
        let keeps = Keeps::new(stream);
        keeps.enter()?;
        let graph = OwnedGraph::new()?;
        let end = End { graph: graph.handle(), last: None };
        Ok(Self {
            graph,
            end,
            kernels: Vec::new(),
            conditions: Vec::new(),
            is_invalid: false,
            depth: 0,
            keeps,
        })
    }

    /// The stream that the graph is launched in. It is not being captured: other work in it runs as always.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.keeps.stream
    }

    /// Binds a buffer that the graph only reads: `&buffer` or a view, which it borrows as long as it exists, or an
    /// [`Arc`] of a buffer, which it keeps.
    ///
    /// The stream waits for earlier writes to the buffer.
    ///
    /// # Errors
    /// The buffer belongs to another context.
    pub fn read<B: Readable<'b, Element: Send + Sync>>(
        &mut self,
        buffer: B,
    ) -> Result<GraphBuffer<B::Element, Loads>, GraphError> {
        self.bind(Kept::new(buffer.__source()))
    }

    /// Binds a buffer that the graph writes: `&mut buffer` or a mutable view, which it borrows as long as it exists, or
    /// a buffer, which it owns from now on.
    ///
    /// The stream waits for earlier work on the buffer. A buffer that the graph owns costs nothing at a launch; for each
    /// borrowed one, cudarc's events are recorded, as at the launch of a kernel.
    ///
    /// # Errors
    /// The buffer belongs to another context.
    pub fn write<B: Writable<'b, Element: Send + Sync>>(
        &mut self,
        buffer: B,
    ) -> Result<GraphBuffer<B::Element, Stores>, GraphError> {
        self.bind(Kept::new(buffer.__source()))
    }

    fn bind<T: Send + Sync + 'b, A>(
        &mut self,
        kept: Kept<'b, T>,
    ) -> Result<GraphBuffer<T, A>, GraphError> {
        self.keeps.enter()?;
        if !is_same(kept.stream().context(), self.keeps.stream.context()) {
            return Err(GraphError::OtherContext);
        }
        Ok(self.keeps.bind(kept))
    }

    /// Adds a copy of the values to the buffer. The graph keeps its own copy of the values, which
    /// [`Graph::write`](super::Graph::write) replaces.
    ///
    /// # Errors
    /// There are not as many values as the buffer has elements; the buffer belongs to another graph; or the driver
    /// refuses.
    pub fn upload<T: DeviceCopy>(
        &mut self,
        values: &[T],
        to: &mut GraphBuffer<T, Stores>,
    ) -> Result<Upload<T>, GraphError> {
        let to_place = self.place(to)?;
        same_len(to.len(), values.len())?;
        self.copy_in(values, to_place)
    }

    /// Adds a copy of a [`Pinned`] buffer or of cudarc's `PinnedHostSlice` to the buffer. The graph borrows the memory
    /// as long as it exists: [`Graph::write`](super::Graph::write) replaces the values in it.
    ///
    /// The stream waits for earlier copies of the memory. At each launch, the memory's event is recorded.
    ///
    /// # Errors
    /// There are not as many values as the buffer has elements; the memory belongs to another context, or the buffer to
    /// another graph; or the driver refuses.
    pub fn upload_pinned<P: PinnedMemory<'b>>(
        &mut self,
        values: P,
        to: &mut GraphBuffer<P::Element, Stores>,
    ) -> Result<Upload<P::Element>, GraphError> {
        let to_place = self.place(to)?;
        let host = self.borrowed(values, to.len())?;
        self.copy_from_host(host, to_place)
    }

    /// Adds a copy of the buffer to a [`Pinned`] buffer or to cudarc's `PinnedHostSlice`, which the graph borrows as
    /// long as it exists: [`Graph::read`](super::Graph::read) returns the values meanwhile, and the memory itself has
    /// those of the last launch afterwards.
    ///
    /// # Errors
    /// The same as [`upload_pinned`](Self::upload_pinned).
    pub fn download_pinned<P: PinnedMemory<'b>, A>(
        &mut self,
        from: &GraphBuffer<P::Element, A>,
        values: P,
    ) -> Result<Download<P::Element>, GraphError> {
        let from_place = self.place(from)?;
        let host = self.borrowed(values, from.len())?;
        self.copy_to_host(from_place, host)
    }

    /// Adds a copy of the buffer to memory of the graph, which [`Graph::read`](super::Graph::read) returns.
    ///
    /// # Errors
    /// The buffer belongs to another graph, or the driver refuses.
    pub fn download<T: DeviceCopy, A>(
        &mut self,
        from: &GraphBuffer<T, A>,
    ) -> Result<Download<T>, GraphError> {
        let from_place = self.place(from)?;
        self.copy_out(from_place, from.len())
    }

    /// Adds a copy from one buffer to another.
    ///
    /// # Errors
    /// Their lengths differ, one belongs to another graph, or the driver refuses.
    pub fn copy<T: DeviceCopy, A>(
        &mut self,
        from: &GraphBuffer<T, A>,
        to: &mut GraphBuffer<T, Stores>,
    ) -> Result<(), GraphError> {
        let (from_place, to_place) = (self.place(from)?, self.place(to)?);
        same_len(to.len(), from.len())?;
        // SAFETY: the graph keeps both buffers, of as many elements.
        unsafe { self.add_copy(from_place, to_place, to.len() * size_of::<T>()) }
    }

    /// Sets all bytes of the buffer to zero.
    ///
    /// # Errors
    /// The buffer belongs to another graph, or the driver refuses.
    pub fn zero<T: DeviceCopy>(
        &mut self,
        buffer: &mut GraphBuffer<T, Stores>,
    ) -> Result<(), GraphError> {
        self.place(buffer)?;
        let bytes = buffer.len() * size_of::<T>();
        if bytes > 0 {
            self.keeps.enter()?;
            // SAFETY: the graph keeps the buffer.
            unsafe { self.end.zero(buffer.address(), bytes, self.keeps.stream.context())? };
        }
        Ok(())
    }

    /// Adds a copy of the value to a variable. The graph keeps the value, which
    /// [`Graph::write`](super::Graph::write) replaces.
    ///
    /// # Errors
    /// The compiler removed the variable, its module belongs to another context, or the driver refuses.
    pub fn set<L, S: HostSpace, T: DeviceCopy>(
        &mut self,
        variable: &LoadedVariable<L, S, T>,
        value: &T,
    ) -> Result<Upload<T>, GraphError> {
        let address = variable.enter(&self.keeps.stream)?;
        self.keeps.module(variable.module());
        self.keeps.variables(variable.module(), VariableAccess::Set);
        self.copy_in(core::slice::from_ref(value), Place::Device(address))
    }

    /// Adds a copy of a variable to memory of the graph, which [`Graph::read`](super::Graph::read) returns.
    ///
    /// # Errors
    /// The same as [`set`](Self::set).
    pub fn get<L, S: HostSpace, T: DeviceCopy>(
        &mut self,
        variable: &LoadedVariable<L, S, T>,
    ) -> Result<Download<T>, GraphError> {
        let address = variable.enter(&self.keeps.stream)?;
        self.keeps.module(variable.module());
        self.keeps.variables(variable.module(), VariableAccess::Get);
        self.copy_out(Place::Device(address), 1)
    }

    /// Adds a copy of the values to a range of an array, as [`set`](Self::set) does.
    ///
    /// # Errors
    /// There are not as many values as elements; or the same as [`set`](Self::set).
    pub fn set_slice<L, S: HostSpace, E: DeviceCopy, const N: usize>(
        &mut self,
        slice: &LoadedSlice<'_, L, S, E, N>,
        values: &[E],
    ) -> Result<Upload<E>, GraphError> {
        slice.fits(values.len())?;
        let address = slice.enter(&self.keeps.stream)?;
        self.keeps.module(slice.module());
        self.keeps.variables(slice.module(), VariableAccess::Set);
        self.copy_in(values, Place::Device(address))
    }

    /// Adds a copy of a range of an array, as [`get`](Self::get) does.
    ///
    /// # Errors
    /// The same as [`set`](Self::set).
    pub fn get_slice<L, S: HostSpace, E: DeviceCopy, const N: usize>(
        &mut self,
        slice: &LoadedSlice<'_, L, S, E, N>,
    ) -> Result<Download<E>, GraphError> {
        let address = slice.enter(&self.keeps.stream)?;
        self.keeps.module(slice.module());
        self.keeps.variables(slice.module(), VariableAccess::Get);
        self.copy_out(Place::Device(address), slice.len())
    }

    /// The memory of a buffer of this graph.
    fn place<T, A>(&self, buffer: &GraphBuffer<T, A>) -> Result<Place, GraphError> {
        if buffer.graph == self.keeps.number {
            return Ok(Place::Device(buffer.address()));
        }
        Err(GraphError::OtherGraph { what: "buffer" })
    }

    fn copy_in<T: DeviceCopy>(&mut self, values: &[T], to: Place) -> Result<Upload<T>, GraphError> {
        let host = KeptHost::new(Host::Owned(self.pinned(values)?));
        self.copy_from_host(host, to)
    }

    fn copy_from_host<T: DeviceCopy>(
        &mut self,
        mut host: KeptHost<'b, T>,
        to: Place,
    ) -> Result<Upload<T>, GraphError> {
        let (start, len) = (host.bind(&self.keeps.stream)?, host.len());
        let place = self.keeps.host(host);
        // SAFETY: the graph keeps the memory and the buffer or the module, of as many elements.
        unsafe { self.add_copy(Place::Host(start.cast()), to, len * size_of::<T>())? };
        Ok(Upload { place })
    }

    fn copy_out<T: DeviceCopy>(
        &mut self,
        from: Place,
        len: usize,
    ) -> Result<Download<T>, GraphError> {
        self.keeps.enter()?;
        let host = Pinned::zeroed(self.keeps.stream.context(), len)?;
        self.copy_to_host(from, KeptHost::new(Host::Owned(host)))
    }

    fn copy_to_host<T: DeviceCopy>(
        &mut self,
        from: Place,
        mut host: KeptHost<'b, T>,
    ) -> Result<Download<T>, GraphError> {
        let (start, len) = (host.bind(&self.keeps.stream)?, host.len());
        let place = self.keeps.host(host);
        // SAFETY: as above.
        unsafe { self.add_copy(from, Place::Host(start.cast()), len * size_of::<T>())? };
        Ok(Download { place })
    }

    /// A copy of these values.
    fn pinned<T: DeviceCopy>(&self, values: &[T]) -> Result<Pinned<T>, GraphError> {
        self.keeps.enter()?;
        Ok(Pinned::from_slice(self.keeps.stream.context(), values)?)
    }

    /// Memory of the host that the graph borrows for a copy of so many elements.
    fn borrowed<P: PinnedMemory<'b>>(
        &self,
        memory: P,
        len: usize,
    ) -> Result<KeptHost<'b, P::Element>, GraphError> {
        self.keeps.enter()?;
        let host = KeptHost::new(memory.__host());
        same_len(len, host.len())?;
        if !is_same(host.context(), self.keeps.stream.context()) {
            return Err(GraphError::OtherContextMemory);
        }
        Ok(host)
    }

    /// Adds a copy of some bytes.
    ///
    /// # Safety
    /// Both places have as many bytes, and the graph keeps them.
    unsafe fn add_copy(&mut self, from: Place, to: Place, bytes: usize) -> Result<(), GraphError> {
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the caller's.
        unsafe { self.end.copy(from, to, bytes, self.keeps.stream.context())? };
        Ok(())
    }
}

fn same_len(len: usize, given: usize) -> Result<(), GraphError> {
    if len == given { Ok(()) } else { Err(GraphError::Length { len, given }) }
}
