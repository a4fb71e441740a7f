//! Contexts, and what a device holds.

use std::sync::Arc;

use cudarc::driver::sys::CUstreamCaptureStatus;
use cudarc::driver::{CudaContext, CudaStream, DriverError};
use thiserror::Error;

use super::calls::{device_attribute, has_driver};

/// Why there is no context.
#[derive(Clone, Copy, Debug, Error)]
#[non_exhaustive]
pub enum ContextError {
    /// There is no driver.
    #[error("there is no CUDA driver on this machine")]
    NoDriver,
    /// The driver has no such device.
    #[error("there is no device {ordinal}: {source}")]
    NoDevice {
        /// The number that was asked for.
        ordinal: usize,
        /// What the driver says.
        source: DriverError,
    },
}

/// The context of the device with this number, from 0: [`CudaContext::new`], which panics where there
/// is no driver.
///
/// # Errors
/// There is no driver, or no such device.
pub fn context(ordinal: usize) -> Result<Arc<CudaContext>, ContextError> {
    // SAFETY: only looks for the library, as cudarc is about to.
    if !has_driver() || !unsafe { cudarc::driver::sys::is_culib_present() } {
        return Err(ContextError::NoDriver);
    }
    CudaContext::new(ordinal).map_err(|source| ContextError::NoDevice { ordinal, source })
}

/// Whether two handles are of one context.
#[inline]
pub(super) fn is_same(one: &Arc<CudaContext>, other: &Arc<CudaContext>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

/// Whether what is put into the stream is captured for a graph, which may run much later.
pub(super) fn is_captured(stream: &CudaStream) -> Result<bool, DriverError> {
    let status = stream.capture_status()?;
    Ok(status != CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE)
}

/// What a device holds at most, asked once when a module is loaded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) threads: u32,
    /// Bytes of shared memory of a block, static and dynamic, after an opt-in.
    pub(super) shared: usize,
    pub(super) multiprocessors: u32,
    /// 90 for compute capability 9.0.
    pub(super) arch: u16,
    pub(super) has_cooperative: bool,
    pub(super) has_clusters: bool,
    /// Bytes of an access-policy window.
    pub(super) window: usize,
}

impl Limits {
    /// `None` where the driver does not say.
    pub(super) fn of(context: &CudaContext) -> Option<Self> {
        let device = context.cu_device();
        let number = |attribute| device_attribute(attribute, device);
        let small = |attribute| u32::try_from(number(attribute)?).ok();
        let flag = |attribute| number(attribute).is_some_and(|value| value != 0);
        let bytes = |attribute| number(attribute).and_then(|value| usize::try_from(value).ok());
        let arch = number(75)?.checked_mul(10)?.checked_add(number(76)?)?;
        Some(Self {
            grid: [small(5)?, small(6)?, small(7)?],
            block: [small(2)?, small(3)?, small(4)?],
            threads: small(1)?,
            shared: bytes(97).filter(|bytes| *bytes > 0).or_else(|| bytes(8))?,
            multiprocessors: small(16)?,
            arch: u16::try_from(arch).ok()?,
            has_cooperative: flag(95),
            has_clusters: flag(120),
            window: bytes(109).unwrap_or(0),
        })
    }
}
