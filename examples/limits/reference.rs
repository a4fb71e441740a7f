//! The products of cublasLt, with every algorithm that it offers.
#![allow(unsafe_code, reason = "the library is one of C")]
#![allow(clippy::many_single_char_names, reason = "the matrices and their sizes")]

use std::error::Error;
use std::ffi::{c_int, c_void};
use std::mem::size_of_val;
use std::ptr::null_mut;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DevicePtrMut};
use libloading::Library;

/// `CUDA_R_32F`, `CUDA_R_16BF`, `CUDA_R_8F_E4M3`, `CUBLAS_COMPUTE_32F`.
pub(crate) const F32: c_int = 0;
pub(crate) const BF16: c_int = 14;
pub(crate) const E4M3: c_int = 28;
const COMPUTE_F32: c_int = 68;

/// The bytes of the workspace, and the number of algorithms to ask for.
const WORKSPACE: usize = 256 << 20;
const ALGORITHMS: usize = 32;

/// How a product is scaled: by a number for each matrix, or for each of its rows.
#[derive(Clone, Copy)]
pub(crate) enum Scales {
    None,
    OfMatrices,
    OfRows,
}

type Handle = *mut c_void;

/// `cublasLtMatmulHeuristicResult_t`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Heuristic {
    algorithm: [u64; 8],
    workspace: usize,
    state: c_int,
    waves: f32,
    reserved: [c_int; 4],
}

/// The library, with its handle.
pub(crate) struct CublasLt {
    library: Library,
    handle: Handle,
}

/// Calls a function of the library, which answers 0 or is an error.
macro_rules! call {
    ($lt:expr, $name:ident($($value:expr => $ty:ty),*)) => {{
        let name = concat!(stringify!($name), "\0").as_bytes();
        // SAFETY: `cublasLt.h` declares the function so, and the pointers are valid for the call.
        let status = unsafe {
            $lt.library.get::<unsafe extern "C" fn($($ty),*) -> c_int>(name)?($($value),*)
        };
        if status != 0 {
            return Err(format!("{} answers {status}", stringify!($name)).into());
        }
    }};
}

impl CublasLt {
    /// Loads the library; `None` if it is not installed.
    pub(crate) fn load() -> Result<Option<Self>, Box<dyn Error>> {
        let names = ["libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"];
        // SAFETY: its initialisers come from NVIDIA.
        let found = names.iter().find_map(|name| unsafe { Library::new(*name) }.ok());
        let Some(library) = found else { return Ok(None) };
        let mut lt = Self { library, handle: null_mut() };
        let mut handle = null_mut();
        call!(lt, cublasLtCreate(&raw mut handle => *mut Handle));
        lt.handle = handle;
        Ok(Some(lt))
    }

    /// Its release, as a number.
    pub(crate) fn release(&self) -> Result<usize, Box<dyn Error>> {
        // SAFETY: the function takes nothing.
        Ok(unsafe {
            self.library.get::<unsafe extern "C" fn() -> usize>(b"cublasLtGetVersion\0")?()
        })
    }
}

/// A product, `D = A Bᵀ` by rows, and the algorithms for it.
pub(crate) struct Product<'r> {
    lt: &'r CublasLt,
    stream: &'r Arc<CudaStream>,
    description: Handle,
    layouts: [Handle; 3],
    algorithms: Vec<Heuristic>,
    workspace: CudaSlice<u8>,
}

impl<'r> Product<'r> {
    /// Asks for the algorithms of a product of these sizes and elements.
    pub(crate) fn new<S>(
        lt: &'r CublasLt,
        stream: &'r Arc<CudaStream>,
        [m, n, k]: [usize; 3],
        element: c_int,
        (scales, of_a, of_b): (Scales, &CudaSlice<S>, &CudaSlice<S>),
    ) -> Result<Self, Box<dyn Error>> {
        let mut description = null_mut();
        call!(lt, cublasLtMatmulDescCreate(
            &raw mut description => *mut Handle, COMPUTE_F32 => c_int, F32 => c_int));
        let set = |attribute: c_int, value: *const c_void, bytes: usize| {
            call!(lt, cublasLtMatmulDescSetAttribute(
                description => Handle, attribute => c_int, value => *const c_void, bytes => usize));
            Ok::<(), Box<dyn Error>>(())
        };
        let one: c_int = 1;
        // `CUBLASLT_MATMUL_DESC_TRANSA`: the library's matrices are column-major, so its first is our second, transposed.
        set(3, (&raw const one).cast(), 4)?;
        if !matches!(scales, Scales::None) {
            // `..A_SCALE_POINTER`, `..B_SCALE_POINTER`, `..FAST_ACCUM`, and `..A_SCALE_MODE` with `OUTER_VEC_32F`.
            let ((a, _a), (b, _b)) = (of_a.device_ptr(stream), of_b.device_ptr(stream));
            set(17, (&raw const b).cast(), 8)?;
            set(18, (&raw const a).cast(), 8)?;
            set(25, (&raw const one).cast(), 1)?;
            if matches!(scales, Scales::OfRows) {
                let by_row: c_int = 3;
                set(31, (&raw const by_row).cast(), 4)?;
                set(32, (&raw const by_row).cast(), 4)?;
            }
        }
        let layout = |element: c_int, rows: usize, columns: usize| {
            let mut layout = null_mut();
            call!(lt, cublasLtMatrixLayoutCreate(
                &raw mut layout => *mut Handle, element => c_int, rows as u64 => u64,
                columns as u64 => u64, i64::try_from(rows)? => i64));
            Ok::<Handle, Box<dyn Error>>(layout)
        };
        let layouts = [layout(element, k, n)?, layout(element, k, m)?, layout(BF16, n, m)?];
        let mut preference = null_mut();
        call!(lt, cublasLtMatmulPreferenceCreate(&raw mut preference => *mut Handle));
        // `CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES`
        call!(lt, cublasLtMatmulPreferenceSetAttribute(
            preference => Handle, 1 => c_int, (&raw const WORKSPACE_BYTES).cast() => *const c_void,
            size_of_val(&WORKSPACE_BYTES) => usize));
        let nothing =
            Heuristic { algorithm: [0; 8], workspace: 0, state: 0, waves: 0.0, reserved: [0; 4] };
        let (mut algorithms, mut count) = (vec![nothing; ALGORITHMS], 0);
        let [b, a, d] = layouts;
        call!(lt, cublasLtMatmulAlgoGetHeuristic(
            lt.handle => Handle, description => Handle, b => Handle, a => Handle, d => Handle, d => Handle,
            preference => Handle, c_int::try_from(ALGORITHMS)? => c_int,
            algorithms.as_mut_ptr() => *mut Heuristic, &raw mut count => *mut c_int));
        algorithms.truncate(usize::try_from(count)?);
        algorithms.retain(|it| it.state == 0);
        let workspace = stream.alloc_zeros(WORKSPACE)?;
        Ok(Self { lt, stream, description, layouts, algorithms, workspace })
    }

    /// The number of algorithms.
    pub(crate) fn count(&self) -> usize {
        self.algorithms.len()
    }

    /// Starts the product with one of the algorithms.
    pub(crate) fn run<E, D>(
        &mut self,
        algorithm: usize,
        a: &CudaSlice<E>,
        b: &CudaSlice<E>,
        d: &mut CudaSlice<D>,
    ) -> Result<(), Box<dyn Error>> {
        let (lt, [of_b, of_a, of_d]) = (self.lt, self.layouts);
        let (one, zero) = (1.0_f32, 0.0_f32);
        let stream = self.stream;
        let ((a, _a), (b, _b)) = (a.device_ptr(stream), b.device_ptr(stream));
        let ((d, _d), (workspace, _w)) =
            (d.device_ptr_mut(stream), self.workspace.device_ptr_mut(stream));
        let (d, workspace) = (d as *mut c_void, workspace as *mut c_void);
        let algorithm = &raw const self.algorithms[algorithm].algorithm;
        call!(lt, cublasLtMatmul(
            lt.handle => Handle, self.description => Handle, (&raw const one).cast() => *const c_void,
            b as *const c_void => *const c_void, of_b => Handle,
            a as *const c_void => *const c_void, of_a => Handle, (&raw const zero).cast() => *const c_void,
            d.cast_const() => *const c_void, of_d => Handle, d => *mut c_void, of_d => Handle,
            algorithm.cast() => *const c_void, workspace => *mut c_void, WORKSPACE => usize,
            stream.cu_stream().cast() => *mut c_void));
        Ok(())
    }
}

static WORKSPACE_BYTES: usize = WORKSPACE;
