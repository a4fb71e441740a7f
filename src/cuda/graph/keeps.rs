//! What a graph keeps for its nodes.

use std::boxed::Box;
use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::CudaStream;
use ptx_types::DeviceCopy;

use super::buffer::{GraphBuffer, Kept, Ordered};
use super::error::GraphError;
use super::memory::{HostMemory, Kept as KeptHost, Memory};
use crate::cuda::borrows::Borrows;
use crate::cuda::context::is_captured;
use crate::cuda::launch_log::Log;
use crate::cuda::module::LoadedModule;
use crate::cuda::nodes::GraphNumber;
use crate::cuda::order::{Order, Used};
use crate::cuda::synchronize::wait;
use crate::cuda::turns::Uses;

/// What a graph does with variables of a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum VariableAccess {
    /// Kernels use them.
    Kernels,
    /// Nodes copy some of them to the host.
    Get,
    /// Nodes set some of them.
    Set,
}

/// The variables of a module that a graph uses.
pub(super) struct VariablesOf {
    pub(super) module: Arc<LoadedModule>,
    pub(super) access: VariableAccess,
}

impl Uses for VariablesOf {
    fn order(&self) -> &Order {
        &self.module.order
    }

    fn borrows(&self) -> &Borrows {
        &self.module.borrows
    }

    fn sets(&self) -> bool {
        self.access == VariableAccess::Set
    }
}

/// What a graph keeps: buffers, host memory and modules.
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(super) struct Keeps<'b> {
    pub(super) number: GraphNumber,
    pub(super) stream: Arc<CudaStream>,
    pub(super) buffers: Vec<Box<dyn Ordered + 'b>>,
    pub(super) memory: Vec<Box<dyn HostMemory + 'b>>,
    pub(super) modules: Vec<Arc<LoadedModule>>,
    /// The names of its kernels, in the order in which they were added.
    pub(super) kernels: Vec<&'static str>,
    /// The record of the launches in its context.
    pub(super) log: Arc<Log>,
    /// The modules whose variables it uses, by their addresses in memory.
    pub(super) variables: Vec<VariablesOf>,
    /// All variables of a module.
    pub(super) all: Arc<Used>,
    /// Whether it has been launched.
    pub(super) has_run: bool,
    /// Whether the host has had a view of a buffer since the last launch.
    pub(super) is_lent: bool,
    /// Whether it borrows a buffer, with which launches are ordered.
    pub(super) has_borrowed: bool,
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
            kernels: Vec::new(),
            log: Log::of(stream.context()),
            variables: Vec::new(),
            all: Arc::new(Used::All),
            has_run: false,
            is_lent: false,
            has_borrowed: false,
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
        self.has_borrowed |= kept.is_borrowed();
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
        self.is_lent = true;
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
    pub(super) fn variables(&mut self, module: &Arc<LoadedModule>, access: VariableAccess) {
        // Each graph locks the orders of its modules in the same order.
        let at =
            self.variables.binary_search_by_key(&Arc::as_ptr(module), |it| Arc::as_ptr(&it.module));
        match at {
            Ok(at) => self.variables[at].access = self.variables[at].access.max(access),
            Err(at) => {
                self.variables.insert(at, VariablesOf { module: Arc::clone(module), access });
            }
        }
    }

    /// Keeps memory of the host for a copy.
    pub(super) fn host<T: DeviceCopy>(&mut self, kept: KeptHost<'b, T>) -> Memory<T> {
        let memory = Memory::new(self.number, self.memory.len(), kept.len());
        self.memory.push(Box::new(kept));
        memory
    }

    /// The memory that this stands for.
    pub(super) fn memory<T: DeviceCopy>(
        &self,
        memory: Memory<T>,
    ) -> Result<&KeptHost<'b, T>, GraphError> {
        let other = GraphError::OtherGraph { what: "memory" };
        if memory.graph != self.number {
            return Err(other);
        }
        let kept = self.memory.get(memory.index).ok_or(other)?;
        // SAFETY: `host` made the handle, with the number of this graph, for the memory at this index, of this type.
        Ok(unsafe { &*kept.pointer().cast::<KeptHost<'b, T>>() })
    }

    /// The same, to change it.
    pub(super) fn memory_mut<T: DeviceCopy>(
        &mut self,
        memory: Memory<T>,
    ) -> Result<&mut KeptHost<'b, T>, GraphError> {
        let other = GraphError::OtherGraph { what: "memory" };
        if memory.graph != self.number {
            return Err(other);
        }
        let kept = self.memory.get_mut(memory.index).ok_or(other)?;
        // SAFETY: as above.
        Ok(unsafe { &mut *kept.pointer_mut().cast::<KeptHost<'b, T>>() })
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
        Ok(wait(&self.stream)?)
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
