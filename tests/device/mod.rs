//! The GPU that tests run on.

use std::sync::Arc;

use cudarc::driver::CudaContext;

/// The first GPU. Without one, a line says so, and the test is skipped.
pub(crate) fn gpu() -> Option<Arc<CudaContext>> {
    match ptx::cuda::context(0) {
        Ok(context) => Some(context),
        Err(why) => {
            xtask::not_run(&why.to_string());
            None
        }
    }
}
