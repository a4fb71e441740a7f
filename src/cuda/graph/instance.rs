//! A graph that can be launched.

use core::fmt;
use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::{CudaStream, CudaView, CudaViewMut};
use ptx_types::DeviceCopy;

use super::buffer::GraphBuffer;
use super::error::GraphError;
use super::keeps::{Keeps, VariableAccess, VariablesOf};
use super::memory::{Download, Kept, Upload};
use super::scope::Scope;
use crate::cuda::bound::Stores;
use crate::cuda::context::is_captured;
use crate::cuda::launch_log::GraphOf;
use crate::cuda::nodes::{Executable, Failure, KernelNode, OwnedGraph};
use crate::cuda::order::Used;
use crate::cuda::turns::in_turn;

/// Kernels and copies that [`capture`](super::capture) has put together, and that one call launches.
///
/// It keeps what its nodes use: it borrows or owns their buffers, owns the memory of their copies on the host, and
/// keeps their modules loaded. It may be dropped while it runs: that waits if it has memory on the host, a buffer of another
/// stream that cudarc does not order, or the last handle of a module, and returns at once otherwise.
pub struct Graph<'b> {
    // Dropped before what its nodes use.
    pub(super) executable: Executable,
    /// Its nodes stay as long as they may be replaced.
    _nodes: OwnedGraph,
    pub(super) kernels: Vec<KernelNode>,
    /// The record of its launches.
    recorded: GraphOf,
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
        let recorded = GraphOf::new(&keeps.log, &keeps.kernels);
        Ok(Self { executable, _nodes: graph, kernels, recorded, keeps })
    }

    /// The stream that it is launched in.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.keeps.stream
    }

    /// Launches the graph in its stream, and returns at once. Launches of one graph do not overlap.
    ///
    /// It waits for another thread that [holds](crate::cuda::Held) a variable that the graph sets, or has a
    /// [guard](crate::cuda::ManagedGuard) of one that it uses.
    ///
    /// # Errors
    /// The stream is being captured, this thread has a [guard](crate::cuda::ManagedGuard) of a managed variable of a module
    /// that it uses, or the driver refuses; nothing runs then, unless the driver cannot record an event after it.
    pub fn launch(&mut self) -> Result<(), GraphError> {
        let launched = self.submit();
        launched.map_err(|error| error.explained(self.keeps.stream.context()))
    }

    fn submit(&mut self) -> Result<(), GraphError> {
        let Keeps {
            stream,
            buffers,
            memory,
            variables,
            all,
            has_run,
            is_lent,
            has_borrowed,
            log,
            ..
        } = &mut self.keeps;
        let stream: &CudaStream = stream;
        // This also makes the context current.
        if is_captured(stream)? {
            return Err(GraphError::Captured);
        }
        if core::mem::take(is_lent) {
            for buffer in buffers.iter_mut() {
                buffer.before(stream);
            }
        }
        let handle = stream.cu_stream();
        let mut is_launched = false;
        let mut launch = || {
            *has_run = true;
            let ticket = self.recorded.record(handle.addr());
            if let Err(failure) = self.executable.launch(handle.cast()) {
                match failure {
                    Failure::Refused(refusal) => _ = log.refused(ticket, refusal.code),
                    Failure::Call(_) => ticket.retract(),
                }
                return Err(failure.into());
            }
            ticket.submitted();
            is_launched = true;
            Ok(())
        };
        let launched = if variables.is_empty() {
            launch()
        } else {
            in_turn(variables, &mut || in_order(variables, all, stream, &mut launch))
                .unwrap_or(Err(GraphError::Borrowed))
        };
        if !is_launched {
            return launched;
        }
        // Also if its order could not be recorded: it runs.
        if *has_borrowed {
            for buffer in buffers.iter_mut() {
                buffer.after(stream);
            }
        }
        let mut ordered = Ok(());
        for memory in memory.iter_mut() {
            ordered = ordered.and(memory.after(stream));
        }
        if ordered.is_err() {
            // Others would use the memory too early.
            stream.synchronize()?;
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
        self.wait()
    }

    fn wait(&self) -> Result<(), GraphError> {
        let ended = self.keeps.synchronize();
        ended.map_err(|error| error.explained(self.keeps.stream.context()))
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

    /// Waits for the stream, and returns a copy of what the last launch has copied to the host.
    ///
    /// It is not the memory of the graph itself, which is page-locked: cudarc's copies from such memory would return before
    /// they are done, and the next launch writes it.
    ///
    /// # Errors
    /// The memory belongs to another graph, the graph has not been launched, or something in the stream failed.
    pub fn read<T: DeviceCopy>(&self, download: &Download<T>) -> Result<Vec<T>, GraphError> {
        let mut values = Vec::with_capacity(download.len());
        let memory = self.finished(download)?;
        // SAFETY: launches need `&mut self`, and the earlier ones have ended; the vector has room for as many elements,
        // each of whose bits are a value.
        unsafe {
            memory.copy_to(values.as_mut_ptr(), &self.keeps.stream);
            values.set_len(download.len());
        }
        Ok(values)
    }

    /// The same as [`read`](Self::read), to a slice of as many elements.
    ///
    /// # Errors
    /// The slice has another number of elements; or the same as [`read`](Self::read).
    pub fn read_into<T: DeviceCopy>(
        &self,
        download: &Download<T>,
        values: &mut [T],
    ) -> Result<(), GraphError> {
        if values.len() != download.len() {
            return Err(GraphError::Length { len: download.len(), given: values.len() });
        }
        let memory = self.finished(download)?;
        // SAFETY: as above; the slice has as many elements.
        unsafe { memory.copy_to(values.as_mut_ptr(), &self.keeps.stream) };
        Ok(())
    }

    /// Memory that no launch is writing any more.
    fn finished<T: DeviceCopy>(&self, download: &Download<T>) -> Result<&Kept<'b, T>, GraphError> {
        let memory = self.keeps.memory(download.place)?;
        if !self.keeps.has_run {
            return Err(GraphError::NotLaunched);
        }
        self.wait()?;
        Ok(memory)
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
        self.keeps.memory(upload.place)?;
        if values.len() != upload.len() {
            return Err(GraphError::Length { len: upload.len(), given: values.len() });
        }
        self.wait()?;
        let stream = Arc::clone(&self.keeps.stream);
        let memory = self.keeps.memory_mut(upload.place)?;
        // SAFETY: the earlier launches have ended, and the memory has as many elements.
        unsafe { memory.fill(values, &stream) };
        Ok(())
    }
}

/// Launches after what has set the variables of these modules, and before what sets them next; nothing is allocated.
fn in_order(
    variables: &[VariablesOf],
    all: &Arc<Used>,
    stream: &CudaStream,
    launch: &mut dyn FnMut() -> Result<(), GraphError>,
) -> Result<(), GraphError> {
    let Some((VariablesOf { module, access }, others)) = variables.split_first() else {
        return launch();
    };
    let order = &module.order;
    // Copies to the host wait for kernels that use the variable, too.
    let copies = *access != VariableAccess::Kernels;
    let submission = if copies { order.copy(stream, all)? } else { order.launch(stream, all)? };
    in_order(others, all, stream, launch)?;
    if let Some(mut submission) = submission {
        submission.used(stream, all)?;
        if copies {
            submission.set(stream, all)?;
        }
    }
    Ok(())
}
