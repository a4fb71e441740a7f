//! The GPU with the kernels loaded, and its memory.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError,
    LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::Ptx;

use crate::device::gpu;
use crate::kernels::{HEADER, Job, KERNELS, Map, THREADS};

// SAFETY: `repr(C)` without padding or pointers, as `PtxType` checks.
unsafe impl DeviceRepr for Map {}
// SAFETY: as above.
unsafe impl DeviceRepr for Job {}

/// The most bytes of a window.
pub(crate) const WINDOW: usize = 16 << 10;

/// The bytes of the barrier behind the window.
const BARRIER: u32 = 16;

/// A GPU, and the kernels that were asked for.
pub(crate) struct Machine {
    pub(crate) stream: Arc<CudaStream>,
    context: Arc<CudaContext>,
    kernels: RefCell<HashMap<&'static str, CudaFunction>>,
}

/// What a load showed.
pub(crate) struct Shown<'a> {
    /// The phases of the barrier that ended: both if what came was what was expected, none if it
    /// was less, one if it was more.
    pub(crate) phases: u32,
    /// The shared address of the window.
    pub(crate) base: u32,
    /// The window.
    pub(crate) window: &'a [u8],
}

impl Machine {
    /// The first GPU, if there is one.
    pub(crate) fn new() -> Option<Self> {
        let context = gpu()?;
        Some(Self { stream: context.default_stream(), context, kernels: RefCell::default() })
    }

    /// The kernel with this name, loaded when it is first asked for.
    fn kernel(&self, name: &str) -> Result<CudaFunction, DriverError> {
        let mut kernels = self.kernels.borrow_mut();
        if let Some(kernel) = kernels.get(name) {
            return Ok(kernel.clone());
        }
        let (name, module) =
            KERNELS.iter().find(|(known, _)| *known == name).expect("a kernel's name");
        let loaded = self.context.load_module(Ptx::from_src(module.to_string()))?;
        let kernel = loaded.load_function("copy")?;
        kernels.insert(name, kernel.clone());
        Ok(kernel)
    }

    /// Starts one copy.
    pub(crate) fn start(
        &self,
        kernel: &str,
        map: &[u8; 128],
        job: &Job,
        memory: u64,
    ) -> Result<(), DriverError> {
        let config = LaunchConfig {
            grid_dim: (1, 1, 1),
            block_dim: (THREADS, 1, 1),
            shared_mem_bytes: job.window + BARRIER,
        };
        let map = Map { bytes: *map };
        let kernel = self.kernel(kernel)?;
        let mut launch = self.stream.launch_builder(&kernel);
        launch.arg(&map).arg(job).arg(&memory);
        // SAFETY: the arguments are the kernel's, and `memory` holds what it reads or writes.
        unsafe { launch.launch(config)? };
        Ok(())
    }

    /// The device's address of memory.
    pub(crate) fn address<T>(&self, memory: &CudaSlice<T>) -> u64 {
        memory.device_ptr(&self.stream).0
    }
}

/// Reads what a load showed.
pub(crate) fn shown(bytes: &[u8], window: usize) -> Shown<'_> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
    Shown { phases: word(0), base: word(4), window: &bytes[HEADER..HEADER + window] }
}

/// What the window holds before the copy.
pub(crate) fn poison(window: usize) -> Vec<u8> {
    let word = |at: u32| at.wrapping_mul(0x9E37_79B1) ^ 0x5bd1_e995;
    let at = 0..u32::try_from(window / 4).expect("small");
    at.flat_map(|i| word(i * 4).to_le_bytes()).collect()
}
