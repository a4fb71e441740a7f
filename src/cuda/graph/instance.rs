//! A graph that can be launched.

use core::fmt;
use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::{CudaStream, CudaView, CudaViewMut};
use ptx_types::DeviceCopy;

use super::buffer::GraphBuffer;
use super::error::GraphError;
use super::keeps::Keeps;
use super::memory::{Download, Upload};
use super::scope::Scope;
use crate::cuda::bound::Stores;
use crate::cuda::context::is_captured;
use crate::cuda::module::LoadedModule;
use crate::cuda::nodes::{Executable, KernelNode, OwnedGraph};
use crate::cuda::order::Used;

/// Kernels and copies that [`capture`](super::capture) has put together, and that one call launches.
///
/// It keeps what its nodes use: it borrows or owns their buffers, owns the memory of their copies on the host, and
/// keeps their modules loaded. It may be dropped while it runs: that waits if it owns memory on the host, a buffer of another
/// stream that cudarc does not order, or the last handle of a module, and returns at once otherwise.
pub struct Graph<'b> {
    // Dropped before what its nodes use.
    pub(super) executable: Executable,
    /// Its nodes stay as long as they may be replaced.
    _nodes: OwnedGraph,
    pub(super) kernels: Vec<KernelNode>,
    pub(super) keeps: Keeps<'b>,
}

impl fmt::Debug for Graph<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("kernels", &self.kernels.len())
            .field("buffers", &self.keeps.buffers.len())
            .finish_non_exhaustive()
    }
}

impl<'b> Graph<'b> {
    pub(super) fn new(scope: Scope<'b>) -> Result<Self, GraphError> {
        let Scope { mut graph, kernels, keeps, is_invalid, conditions, .. } = scope;
        if is_invalid {
            return Err(GraphError::Invalid);
        }
        if conditions.contains(&false) {
            return Err(GraphError::ConditionUnused);
        }
        keeps.enter()?;
        let mut executable = graph.instantiate()?;
        for kernel in kernels.iter().filter(|kernel| !kernel.is_enabled) {
            executable.disable(kernel)?;
        }
        Ok(Self { executable, _nodes: graph, kernels, keeps })
    }

    /// The stream that it is launched in.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.keeps.stream
    }

    /// Launches the graph in its stream, and returns at once. Launches of one graph do not overlap.
    ///
    /// # Errors
    /// The stream is being captured, this thread has a [guard](crate::cuda::ManagedGuard) of a managed variable of a module
    /// that it uses, or the driver refuses; nothing runs then, unless the driver cannot record an event after it.
    pub fn launch(&mut self) -> Result<(), GraphError> {
        let Keeps { stream, buffers, variables, all, has_run, .. } = &mut self.keeps;
        let stream: &CudaStream = stream;
        // This also makes the context current.
        if is_captured(stream)? {
            return Err(GraphError::Captured);
        }
        for buffer in buffers.iter_mut() {
            buffer.before(stream);
        }
        let mut is_launched = false;
        let launched = in_order(variables, all, stream, &mut || {
            *has_run = true;
            self.executable.launch(stream.cu_stream().cast())?;
            is_launched = true;
            Ok(())
        });
        // Also if its order could not be recorded: it runs.
        for buffer in buffers.iter_mut().filter(|_| is_launched) {
            buffer.after(stream);
        }
        launched
    }

    /// Copies the graph to the device, so that its first launch is as fast as the others.
    ///
    /// # Errors
    /// The stream is being captured, or the driver refuses.
    pub fn prepare(&mut self) -> Result<(), GraphError> {
        self.keeps.enter()?;
        Ok(self.executable.upload(self.keeps.stream.cu_stream().cast())?)
    }

    /// Waits until its launches, and all other work in its stream, have ended.
    ///
    /// # Errors
    /// The stream is being captured, or something in it failed.
    pub fn synchronize(&self) -> Result<(), GraphError> {
        self.keeps.synchronize()
    }

    /// A view of a buffer, to copy from. Work on it waits for earlier launches, and later launches wait for that work.
    ///
    /// # Errors
    /// The buffer belongs to another graph, or the stream is being captured.
    pub fn view<T: 'b, A>(
        &mut self,
        buffer: &GraphBuffer<T, A>,
    ) -> Result<CudaView<'_, T>, GraphError> {
        self.keeps.enter()?;
        Ok(self.keeps.buffer(buffer)?.source.view())
    }

    /// A view of a buffer, to copy to, in the same order as [`view`](Self::view).
    ///
    /// # Errors
    /// The same as [`view`](Self::view).
    pub fn view_mut<T: 'b>(
        &mut self,
        buffer: &mut GraphBuffer<T, Stores>,
    ) -> Result<CudaViewMut<'_, T>, GraphError> {
        self.keeps.enter()?;
        let view = self.keeps.buffer(buffer)?.source.view_mut();
        view.ok_or(GraphError::OtherGraph { what: "buffer" })
    }

    /// Waits for the stream, and returns what the last launch has copied to the host. The memory is page-locked, from which
    /// cudarc's copies return before they are done: give them no part of it.
    ///
    /// # Errors
    /// The memory belongs to another graph, the graph has not been launched, or something in the stream failed.
    pub fn read<T: DeviceCopy>(&self, download: &Download<T>) -> Result<&[T], GraphError> {
        self.keeps.owns(download.place)?;
        if !self.keeps.has_run {
            return Err(GraphError::NotLaunched);
        }
        self.keeps.synchronize()?;
        let memory = self.keeps.memory.get(download.place.index);
        let memory = memory.ok_or(GraphError::OtherGraph { what: "memory" })?;
        // SAFETY: launches need `&mut self`, and the earlier ones have ended.
        Ok(unsafe { memory.elements() })
    }

    /// Waits for the stream, and replaces the values that later launches copy to the device.
    ///
    /// # Errors
    /// The memory belongs to another graph, there are not as many values as it has elements, or something in the stream
    /// failed.
    pub fn write<T: DeviceCopy>(
        &mut self,
        upload: &Upload<T>,
        values: &[T],
    ) -> Result<(), GraphError> {
        self.keeps.owns(upload.place)?;
        if values.len() != upload.place.len {
            return Err(GraphError::Length { len: upload.place.len, given: values.len() });
        }
        self.keeps.synchronize()?;
        let memory = self.keeps.memory.get_mut(upload.place.index);
        let memory = memory.ok_or(GraphError::OtherGraph { what: "memory" })?;
        // SAFETY: the earlier launches have ended, and the memory has as many elements.
        unsafe { memory.fill(values) };
        Ok(())
    }
}

/// Launches after what has set the variables of these modules, and before what sets them next; nothing is allocated.
fn in_order(
    variables: &[(Arc<LoadedModule>, bool)],
    all: &Arc<Used>,
    stream: &CudaStream,
    launch: &mut dyn FnMut() -> Result<(), GraphError>,
) -> Result<(), GraphError> {
    let Some(((module, sets), others)) = variables.split_first() else { return launch() };
    let _submitted = module.borrows.submit(|_| true).map_err(|_| GraphError::Borrowed)?;
    let order = &module.order;
    let submission = if *sets { order.copy(stream, all)? } else { order.launch(stream, all)? };
    in_order(others, all, stream, launch)?;
    if let Some(mut submission) = submission {
        submission.used(stream, all)?;
        if *sets {
            submission.set(stream, all)?;
        }
    }
    Ok(())
}
