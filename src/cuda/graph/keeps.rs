//! What a graph keeps for its nodes.

use std::boxed::Box;
use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::CudaStream;

use super::buffer::{GraphBuffer, Kept, Ordered};
use super::error::GraphError;
use super::memory::{Memory, Pinned};
use crate::cuda::context::is_captured;
use crate::cuda::module::LoadedModule;
use crate::cuda::nodes::GraphNumber;
use crate::cuda::order::Used;

/// What a graph keeps: buffers, host memory and modules.
pub(super) struct Keeps<'b> {
    pub(super) number: GraphNumber,
    pub(super) stream: Arc<CudaStream>,
    pub(super) buffers: Vec<Box<dyn Ordered + 'b>>,
    pub(super) memory: Vec<Pinned>,
    pub(super) modules: Vec<Arc<LoadedModule>>,
    /// The modules whose variables it uses, by their addresses in memory, and whether it copies one, to or from the host.
    pub(super) variables: Vec<(Arc<LoadedModule>, bool)>,
    /// All variables of a module.
    pub(super) all: Arc<Used>,
    /// Whether it has been launched.
    pub(super) has_run: bool,
    /// Whether a buffer that it owns is freed in another stream.
    is_freed_elsewhere: bool,
}

impl<'b> Keeps<'b> {
    pub(super) fn new(stream: &Arc<CudaStream>) -> Self {
        Self {
            number: GraphNumber::next(),
            stream: Arc::clone(stream),
            buffers: Vec::new(),
            memory: Vec::new(),
            modules: Vec::new(),
            variables: Vec::new(),
            all: Arc::new(Used::All),
            has_run: false,
            is_freed_elsewhere: false,
        }
    }

    /// Keeps a buffer.
    pub(super) fn bind<T: Send + Sync + 'b, A>(
        &mut self,
        mut kept: Kept<'b, T>,
    ) -> GraphBuffer<T, A> {
        let buffer = kept.bind(&self.stream, self.number, self.buffers.len());
        self.is_freed_elsewhere |= kept.stream().cu_stream() != self.stream.cu_stream();
        self.buffers.push(Box::new(kept));
        buffer
    }

    /// The buffer that this stands for.
    pub(super) fn buffer<T: 'b, A>(
        &mut self,
        buffer: &GraphBuffer<T, A>,
    ) -> Result<&mut Kept<'b, T>, GraphError> {
        let other = GraphError::OtherGraph { what: "buffer" };
        if buffer.graph != self.number {
            return Err(other);
        }
        let kept = self.buffers.get_mut(buffer.index).ok_or(other)?;
        kept.lend(&self.stream);
        let kept = kept.pointer().cast::<Kept<'b, T>>();
        // SAFETY: `bind` made the handle, with the number of this graph, for the buffer at this index, of this type.
        Ok(unsafe { &mut *kept })
    }

    /// Keeps a module loaded.
    pub(super) fn module(&mut self, module: &Arc<LoadedModule>) {
        if !self.modules.iter().any(|kept| Arc::ptr_eq(kept, module)) {
            self.modules.push(Arc::clone(module));
        }
    }

    /// Orders launches with what else sets, or uses, the variables of a module.
    pub(super) fn variables(&mut self, module: &Arc<LoadedModule>, sets: bool) {
        // Each graph locks the orders of its modules in the same order.
        let at =
            self.variables.binary_search_by_key(&Arc::as_ptr(module), |(it, _)| Arc::as_ptr(it));
        match at {
            Ok(at) => self.variables[at].1 |= sets,
            Err(at) => self.variables.insert(at, (Arc::clone(module), sets)),
        }
    }

    /// Whether this memory is of this graph.
    pub(super) fn owns<T>(&self, memory: Memory<T>) -> Result<(), GraphError> {
        if memory.graph == self.number {
            return Ok(());
        }
        Err(GraphError::OtherGraph { what: "memory" })
    }

    /// Makes the context current, for work in the stream.
    pub(super) fn enter(&self) -> Result<(), GraphError> {
        if is_captured(&self.stream)? {
            return Err(GraphError::Captured);
        }
        Ok(self.stream.context().bind_to_thread()?)
    }

    /// Waits for the launches.
    pub(super) fn synchronize(&self) -> Result<(), GraphError> {
        self.enter()?;
        Ok(self.stream.synchronize()?)
    }
}

impl Drop for Keeps<'_> {
    fn drop(&mut self) {
        if !self.has_run {
            return;
        }
        // cudarc frees a buffer in the order of its own stream, after the events that it has, if it has any. It frees
        // host memory at once.
        let is_ordered = self.stream.context().is_managing_stream_synchronization();
        let must_wait = !self.memory.is_empty() || (self.is_freed_elsewhere && !is_ordered);
        let is_done = if must_wait { self.synchronize() } else { self.enter() };
        if is_done.is_err() {
            // The launches may still run: what they use stays allocated.
            core::mem::forget(core::mem::take(&mut self.memory));
            core::mem::forget(core::mem::take(&mut self.buffers));
            core::mem::forget(core::mem::take(&mut self.modules));
            return;
        }
        for buffer in &mut self.buffers {
            buffer.release(&self.stream);
        }
    }
}
