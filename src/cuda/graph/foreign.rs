//! Work of other libraries in a graph.

use std::sync::Arc;
use std::vec::Vec;

use cudarc::driver::CudaStream;

use super::error::GraphError;
use super::scope::Scope;
use crate::cuda::calls::{self, Call, NodeHandle};
use crate::cuda::nodes::End;
use crate::cuda::refusal::Refusal;

impl Scope<'_> {
    /// Adds what the closure submits to a stream of its own, which the driver captures: the calls of other libraries,
    /// such as cuBLAS. CUDA 12.3.
    ///
    /// Buffers are passed by their [`address`](super::GraphBuffer::address): cudarc's own calls wait for the events of
    /// their buffers, which is not allowed in a capture.
    ///
    /// # Safety
    /// What the closure submits is sound whenever the graph is launched: memory, modules and host functions live as long
    /// as the graph, and what reads or writes buffers that are not bound to it is ordered by the caller.
    ///
    /// # Errors
    /// Those of the closure; the driver is too old, or ends the capture, because a call of the closure is not allowed in
    /// it: the whole graph is refused then.
    pub unsafe fn capture_stream<R>(
        &mut self,
        submit: impl FnOnce(&Arc<CudaStream>) -> Result<R, GraphError>,
    ) -> Result<R, GraphError> {
        const RELAXED: u32 = 2;
        self.keeps.enter()?;
        let begin = calls::begin_capture()?;
        let stream = self.keeps.stream.context().new_stream()?;
        let raw = stream.cu_stream().cast();
        let (dependencies, count) = End::dependencies(self.end.last.as_ref());
        // SAFETY: stream, graph and dependencies are alive.
        let code =
            unsafe { begin(raw, self.end.graph, dependencies, core::ptr::null(), count, RELAXED) };
        Refusal::of(Call::StreamBeginCaptureToGraph, code)?;
        let mut capturing = Capturing { scope: self, stream, is_ended: false };
        match (submit(&capturing.stream), capturing.end()) {
            (Ok(result), Ok(())) => Ok(result),
            (Err(error), Err(GraphError::Invalidated { source, .. })) => {
                Err(GraphError::Invalidated { source, call: Some(error.into()) })
            }
            (Err(error), Ok(())) | (_, Err(error)) => Err(error),
        }
    }
}

/// A stream whose capture ends when this is dropped, also if the closure fails or panics.
struct Capturing<'s, 'b> {
    scope: &'s mut Scope<'b>,
    stream: Arc<CudaStream>,
    is_ended: bool,
}

impl Capturing<'_, '_> {
    /// Ends the capture; what is added next follows all that was captured.
    fn end(&mut self) -> Result<(), GraphError> {
        self.is_ended = true;
        // Until all has succeeded.
        self.scope.is_invalid = true;
        let last = self.last();
        let mut graph = core::ptr::null_mut();
        let end = calls::end_capture()?;
        // SAFETY: the stream is alive; a handle is written, that of the scope's graph.
        let code = unsafe { end(self.stream.cu_stream().cast(), &raw mut graph) };
        Refusal::of(Call::StreamEndCapture, code)
            .map_err(|source| GraphError::Invalidated { source, call: None })?;
        let last = last?;
        if !last.is_empty() {
            // SAFETY: the driver says that they are the graph's.
            unsafe { self.scope.end.join(&last)? };
        }
        self.scope.is_invalid = false;
        Ok(())
    }

    /// The nodes on which the next one would depend.
    fn last(&self) -> Result<Vec<NodeHandle>, GraphError> {
        let (mut status, mut count) = (0, 0);
        let mut nodes = core::ptr::null();
        let (mut id, mut graph, mut edges) = (0, core::ptr::null_mut(), core::ptr::null());
        let info = calls::capture_info()?;
        // SAFETY: the stream is alive; the results are written.
        let code = unsafe {
            info(
                self.stream.cu_stream().cast(),
                &raw mut status,
                &raw mut id,
                &raw mut graph,
                &raw mut nodes,
                &raw mut edges,
                &raw mut count,
            )
        };
        Refusal::of(Call::StreamGetCaptureInfo, code)?;
        if nodes.is_null() {
            return Ok(Vec::new());
        }
        // SAFETY: the driver wrote the address of as many nodes, valid until the next call with this stream.
        Ok(unsafe { core::slice::from_raw_parts(nodes, count) }.to_vec())
    }
}

impl Drop for Capturing<'_, '_> {
    fn drop(&mut self) {
        if !self.is_ended {
            // The graph is refused if it fails.
            let _ = self.end();
        }
    }
}
