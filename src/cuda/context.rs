//! Contexts, and the limits of a device.

use std::sync::{Arc, Mutex, PoisonError};
use std::vec::Vec;

use cudarc::driver::sys::{CUdevice, CUstreamCaptureStatus};
use cudarc::driver::{CudaContext, CudaStream, DriverError, result};
use thiserror::Error;

use super::calls::{device_attribute, has_driver};
use super::fault_meaning::{code_of, fault_meaning};

/// Why a context could not be made.
#[derive(Clone, Copy, Error)]
#[non_exhaustive]
pub enum ContextError {
    /// There is no driver.
    #[error("there is no CUDA driver on this machine")]
    NoDriver,
    /// A kernel has failed on the device earlier in this process, which cannot use the device any more.
    #[error(
        "this process cannot use device {ordinal} any more: an earlier call reported {}; start a new process",
        fault_meaning(code_of(*.source)).map_or("a failure", |meaning| meaning.what)
    )]
    Lost {
        /// The requested number.
        ordinal: usize,
        /// The driver's error.
        source: DriverError,
    },
    /// The driver has no such device.
    #[error("there is no device {ordinal}: {source}")]
    NoDevice {
        /// The requested number.
        ordinal: usize,
        /// The driver's error.
        source: DriverError,
    },
}

ptx_types::__debug_as_message!(ContextError);

/// Returns the context of the device with this number, from 0. [`CudaContext::new`] panics if there
/// is no driver; this does not.
///
/// # Errors
/// There is no driver, or no device with this number, or a kernel has failed on it in this process.
pub fn context(ordinal: usize) -> Result<Arc<CudaContext>, ContextError> {
    // SAFETY: it only looks for the library, as cudarc is about to.
    if !has_driver() || !unsafe { cudarc::driver::sys::is_culib_present() } {
        return Err(ContextError::NoDriver);
    }
    CudaContext::new(ordinal).map_err(|source| match fault_meaning(code_of(source)) {
        Some(_) => ContextError::Lost { ordinal, source },
        None => ContextError::NoDevice { ordinal, source },
    })
}

/// Whether two handles refer to the same context.
#[inline]
pub(super) fn is_same(one: &Arc<CudaContext>, other: &Arc<CudaContext>) -> bool {
    Arc::ptr_eq(one, other) || are_equal(one, other)
}

#[cold]
fn are_equal(one: &CudaContext, other: &CudaContext) -> bool {
    one == other
}

/// Makes the context current in this thread, without looking for errors of earlier calls that cudarc has kept: it does
/// that by an atomic instruction, which costs a launch more than all other instructions here together.
#[inline]
pub(super) fn make_current(context: &CudaContext) -> Result<(), DriverError> {
    if result::ctx::get_current()? == Some(context.cu_ctx()) {
        return Ok(());
    }
    // SAFETY: the context exists.
    unsafe { result::ctx::set_current(context.cu_ctx()) }
}

/// Makes the stream's context current, and says whether work submitted to the stream is captured for a graph, which may run
/// much later.
pub(super) fn is_captured(stream: &CudaStream) -> Result<bool, DriverError> {
    make_current(stream.context())?;
    // SAFETY: the stream exists.
    let status = unsafe { result::stream::is_capturing(stream.cu_stream()) }?;
    Ok(status != CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE)
}

/// The limits of a device, queried once when a module is loaded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) threads: u32,
    /// Bytes of shared memory that a block can have, static and dynamic, after an opt-in.
    pub(super) shared: usize,
    pub(super) multiprocessors: u32,
    /// 90 for compute capability 9.0.
    pub(super) arch: u16,
    pub(super) has_cooperative: bool,
    pub(super) has_clusters: bool,
    /// The maximum size of an access-policy window in bytes.
    pub(super) window: usize,
}

impl Limits {
    /// The limits of a context's device, which are queried once in a process; `None` if the driver does not report them.
    pub(super) fn of(context: &CudaContext) -> Option<Self> {
        static KNOWN: Mutex<Vec<(CUdevice, Limits)>> = Mutex::new(Vec::new());
        let device = context.cu_device();
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, limits)) = known.iter().find(|(known, _)| *known == device) {
            return Some(*limits);
        }
        let limits = Self::ask(device)?;
        known.push((device, limits));
        Some(limits)
    }

    /// Queries the limits.
    fn ask(device: CUdevice) -> Option<Self> {
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
