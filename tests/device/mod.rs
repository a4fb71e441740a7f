//! The GPU that tests run on.

use std::sync::Arc;

use cudarc::driver::CudaContext;

/// The first GPU. A machine without one says so, and the test is not run.
pub(crate) fn gpu() -> Option<Arc<CudaContext>> {
    // SAFETY: only looks for the library.
    let has_driver = unsafe { cudarc::driver::sys::is_culib_present() };
    if !has_driver {
        eprintln!("NOT RUN: there is no CUDA driver on this machine");
        return None;
    }
    match CudaContext::new(0) {
        Ok(context) => Some(context),
        Err(error) => {
            eprintln!("NOT RUN: there is no GPU: {error}");
            None
        }
    }
}
