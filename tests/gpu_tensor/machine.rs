//! The GPU with the kernels loaded, and its memory.

use std::cell::RefCell;
use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, CudaView, CudaViewMut, DevicePtr};

use crate::device::gpu;
use crate::kernels::{HEADER, Job, Known, LOADS, Load, Map, STORES, Store};

/// The maximum bytes of a window.
pub(crate) const WINDOW: usize = 16 << 10;

/// A GPU, and the kernels that are loaded.
pub(crate) struct Machine {
    pub(crate) stream: Arc<CudaStream>,
    context: Arc<CudaContext>,
    loads: Loaded<Load>,
    stores: Loaded<Store>,
}

/// Kernels by name.
type Loaded<F> = RefCell<HashMap<&'static str, Arc<F>>>;

/// The output of a load.
pub(crate) struct Shown<'a> {
    /// The phases of the barrier that ended: both if the expected number of bytes arrived, none if fewer, one if
    /// more.
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
        let (loads, stores) = Default::default();
        Some(Self { stream: context.default_stream(), context, loads, stores })
    }

    /// The kernel with this name, loaded on first use.
    fn kernel<F: ?Sized>(
        &self,
        name: &str,
        all: &[Known<F>],
        loaded: &Loaded<F>,
    ) -> Result<Arc<F>, Box<dyn Error>> {
        let mut loaded = loaded.borrow_mut();
        if let Some(kernel) = loaded.get(name) {
            return Ok(Arc::clone(kernel));
        }
        let (name, load) = all.iter().find(|(known, _)| *known == name).expect("a kernel's name");
        let kernel = load(&self.context)?;
        loaded.insert(name, Arc::clone(&kernel));
        Ok(kernel)
    }

    /// Starts one load.
    pub(crate) fn load(
        &self,
        kernel: &str,
        map: [u8; 128],
        job: Job,
        results: &mut CudaViewMut<'_, u8>,
    ) -> Result<(), Box<dyn Error>> {
        let start = self.kernel(kernel, LOADS, &self.loads)?;
        Ok(start(&self.stream, Map { bytes: map }, job, results)?)
    }

    /// Starts one store or reduction.
    pub(crate) fn store(
        &self,
        kernel: &str,
        map: [u8; 128],
        job: Job,
        data: &CudaView<'_, u8>,
    ) -> Result<(), Box<dyn Error>> {
        let start = self.kernel(kernel, STORES, &self.stores)?;
        Ok(start(&self.stream, Map { bytes: map }, job, data)?)
    }

    /// The device address of a buffer.
    pub(crate) fn address<T>(&self, memory: &CudaSlice<T>) -> u64 {
        memory.device_ptr(&self.stream).0
    }
}

/// Reads the output of a load.
pub(crate) fn shown(bytes: &[u8], window: usize) -> Shown<'_> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
    Shown { phases: word(0), base: word(4), window: &bytes[HEADER..HEADER + window] }
}

/// The contents of the window before the copy.
pub(crate) fn poison(window: usize) -> Vec<u8> {
    let word = |at: u32| at.wrapping_mul(0x9E37_79B1) ^ 0x5bd1_e995;
    let at = 0..u32::try_from(window / 4).expect("small");
    at.flat_map(|i| word(i * 4).to_le_bytes()).collect()
}
