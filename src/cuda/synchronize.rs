//! Waits for streams, and explains what they report.

use cudarc::driver::{CudaContext, CudaStream, DriverError};
use thiserror::Error;

use super::fault::{Fault, fault_of};
use super::fault_meaning::code_of;
use super::launch_log::Log;

/// Why a wait for a stream failed.
#[derive(Clone, Error)]
#[non_exhaustive]
pub enum SynchronizeError {
    /// A kernel failed.
    #[error(transparent)]
    Fault(Fault),
    /// The driver reports another error.
    #[error("the driver refuses the call: {0}")]
    Driver(DriverError),
}

ptx_types::__debug_as_message!(SynchronizeError);

/// Waits until all work in the stream has completed.
///
/// It does what [`CudaStream::synchronize`] does, and where a kernel has failed, the error says what that means, and names the
/// launches that may have caused it, with their shapes and arguments: those since the last wait by this function, or by
/// [`LoadedVariable::get`](super::LoadedVariable::get), that succeeded.
///
/// ```no_run
/// # use ptx::prelude::*;
/// # #[ptx::module(target = sm_80)]
/// # pub mod fill {
/// #     use super::*;
/// #     #[kernel(reqntid = 128)]
/// #     pub fn fill(to: Ptr<Global, f32>, n: u32) {
/// #         ptx! { ret; }
/// #     }
/// # }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let context = ptx::cuda::context(0)?;
/// # let stream = context.default_stream();
/// # let fill = ptx::cuda::load::<fill::Loaded>(&context)?;
/// # let mut to = stream.alloc_zeros::<f32>(1000)?;
/// unsafe { fill.fill().grid(8).launch(&stream, (&mut to, 1000))? };
/// ptx::cuda::synchronize(&stream)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// A kernel has failed, or the stream cannot be waited for.
pub fn synchronize(stream: &CudaStream) -> Result<(), SynchronizeError> {
    wait(stream).map_err(|error| explain(stream.context(), error))
}

/// Waits for the stream, and notes that its launches have succeeded.
pub(super) fn wait(stream: &CudaStream) -> Result<(), DriverError> {
    let log = Log::of(stream.context());
    let mark = log.mark(stream.cu_stream().addr());
    stream.synchronize()?;
    log.succeeded(&[mark]);
    Ok(())
}

/// Explains an error of cudarc's calls, in this context: a fault with the launches that may have caused it.
///
/// ```no_run
/// # fn f(stream: &std::sync::Arc<cudarc::driver::CudaStream>, to: cudarc::driver::CudaSlice<f32>)
/// # -> Result<(), Box<dyn std::error::Error>> {
/// let to = stream.clone_dtoh(&to).map_err(|error| ptx::cuda::explain(stream.context(), error))?;
/// # Ok(())
/// # }
/// ```
pub fn explain(context: &CudaContext, error: DriverError) -> SynchronizeError {
    fault_of(context, code_of(error))
        .map_or(SynchronizeError::Driver(error), SynchronizeError::Fault)
}
