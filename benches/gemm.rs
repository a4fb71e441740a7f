//! The matrix product of `examples/gemm` compared with cuBLAS, 8192 x 8192 x 8192 random numbers:
//! `cargo bench --features cuda --bench gemm`, on a GPU of `sm_90`.

#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]
#![allow(missing_docs)] // the kernel's module

#[path = "../examples/gemm/kernel.rs"]
#[macro_use]
mod kernel;

use std::error::Error;
use std::ffi::{c_int, c_void};

use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DevicePtrMut, sys};
use kernel::gemm;
use libloading::Library;
use ptx::cuda::Over as _;
use ptx::prelude::*;
use ptx::tensor::Major;

gemm! {
    /// Fewer rows of tiles per group.
    groups_of_8: 4 stages, clusters of 2, groups of 8;
    /// Every block loads all of its own data.
    no_clusters: 4 stages, clusters of 1, groups of 16;
    /// A shorter ring.
    three_stages: 3 stages, clusters of 2, groups of 16;
}

/// Rows and columns of all three matrices.
const SIZE: usize = 8192;
const WARM_UP: usize = 2;
const ROUNDS: usize = 20;
/// Products of a round, back to back.
const LAUNCHES: usize = 10;

type Multiply = unsafe extern "C" fn(
    *mut c_void,
    c_int,
    c_int,
    c_int,
    c_int,
    c_int,
    *const c_void,
    *const c_void,
    c_int,
    c_int,
    *const c_void,
    c_int,
    c_int,
    *const c_void,
    *mut c_void,
    c_int,
    c_int,
    c_int,
    c_int,
) -> c_int;

/// cuBLAS, loaded when the program runs.
struct Cublas {
    library: Library,
    handle: *mut c_void,
}

impl Cublas {
    /// Loads the library on a stream, with its release; `None` if it is not installed.
    fn load(stream: &CudaStream) -> Result<Option<(Self, c_int)>, Box<dyn Error>> {
        let found = ["libcublas.so.13", "libcublas.so.12", "libcublas.so"]
            .iter()
            // SAFETY: its initialisers come from NVIDIA.
            .find_map(|name| unsafe { Library::new(*name) }.ok());
        let Some(library) = found else { return Ok(None) };
        let (mut handle, mut release) = (std::ptr::null_mut(), 0);
        // SAFETY: `cublas_api.h` declares the functions with these types, and the pointers are valid.
        unsafe {
            let create = library
                .get::<unsafe extern "C" fn(*mut *mut c_void) -> c_int>(b"cublasCreate_v2\0")?;
            done("cublasCreate", create(&raw mut handle))?;
            let set = library.get::<unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int>(
                b"cublasSetStream_v2\0",
            )?;
            done("cublasSetStream", set(handle, stream.cu_stream().cast()))?;
            let version = library.get::<unsafe extern "C" fn(*mut c_void, *mut c_int) -> c_int>(
                b"cublasGetVersion_v2\0",
            )?;
            done("cublasGetVersion", version(handle, &raw mut release))?;
        }
        Ok(Some((Self { library, handle }, release)))
    }

    /// Computes the same product. cuBLAS is column-major, so the matrices appear transposed to it.
    fn multiply(
        &self,
        a: &CudaSlice<bf16>,
        b: &CudaSlice<bf16>,
        d: &mut CudaSlice<bf16>,
        stream: &CudaStream,
    ) -> Result<(), Box<dyn Error>> {
        /// `CUBLAS_OP_N`, `CUBLAS_OP_T`.
        const OPS: [c_int; 2] = [0, 1];
        /// `CUDA_R_16BF`.
        const BF16: c_int = 14;
        /// `CUBLAS_COMPUTE_32F`.
        const COMPUTE: c_int = 68;
        /// `CUBLAS_GEMM_DEFAULT`.
        const ALGORITHM: c_int = -1;
        let (one, zero) = (1.0_f32, 0.0_f32);
        let (one, zero) = ((&raw const one).cast(), (&raw const zero).cast());
        let size = c_int::try_from(SIZE)?;
        let ((a, _a), (b, _b), (d, _d)) =
            (a.device_ptr(stream), b.device_ptr(stream), d.device_ptr_mut(stream));
        // SAFETY: `cublas_api.h` declares the function with this type; the buffers are as large as the matrices.
        let status = unsafe {
            let multiply = self.library.get::<Multiply>(b"cublasGemmEx\0")?;
            multiply(
                self.handle,
                OPS[1],
                OPS[0],
                size,
                size,
                size,
                one,
                b as *const c_void,
                BF16,
                size,
                a as *const c_void,
                BF16,
                size,
                zero,
                d as *mut c_void,
                BF16,
                size,
                COMPUTE,
                ALGORITHM,
            )
        };
        done("cublasGemmEx", status)
    }
}

fn done(call: &str, status: c_int) -> Result<(), Box<dyn Error>> {
    if status == 0 { Ok(()) } else { Err(format!("{call} answers {status}").into()) }
}

/// Uniform numbers from -1 to 1.
fn random(mut state: u64) -> Vec<bf16> {
    (0..SIZE * SIZE)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            #[allow(clippy::cast_precision_loss)] // 24 bits
            let number = (state >> 40) as f32 / (1_u32 << 23) as f32;
            bf16::from_f32(number - 1.0)
        })
        .collect()
}

/// Starts a product.
type Run<'a> = Box<dyn FnMut(&mut CudaSlice<bf16>) -> Result<(), Box<dyn Error>> + 'a>;

/// Loads a module of [`gemm!`], and returns a function that starts a product.
macro_rules! load {
    ($name:ident, $context:expr, $stream:expr, $a:expr, $b:expr) => {{
        use $name as gemm;
        let (context, stream, a, b) = ($context, $stream, $a, $b);
        let module = ptx::cuda::load::<gemm::Loaded>(context)?;
        let (threads, cluster) = (u32::try_from(gemm::THREADS)?, u32::try_from(gemm::CLUSTER)?);
        // As many whole clusters as the multiprocessors can hold.
        let blocks = module.multiply().resources()?.multiprocessors / cluster * cluster;
        let run: Run<'_> = Box::new(move |d| {
            let (dims, size) = ([SIZE as u64; 2], u32::try_from(SIZE)?);
            let a = gemm::A::over(a, stream).dims(dims).encode()?;
            let b = gemm::B::over(b, stream).dims(dims).encode()?;
            let d = gemm::D::over_mut(d, stream).dims(dims).encode()?;
            let launch = module.multiply().grid(blocks).block(threads);
            // SAFETY: the maps are over buffers of these sizes, and that of `d` stores.
            unsafe { launch.launch(stream, (&a, &b, &d, size, size, size))? };
            Ok(())
        });
        (stringify!($name), run)
    }};
}

fn main() -> Result<(), Box<dyn Error>> {
    let context = ptx::cuda::context(0)?;
    let stream = context.new_stream()?;
    let (left, right) = (random(0x9E37_79B9), random(0x85EB_CA6B));
    let (a, b) = (stream.clone_htod(&left)?, stream.clone_htod(&right)?);
    let poison = vec![bf16::NAN; SIZE * SIZE];
    let mut d = stream.clone_htod(&poison)?;
    let cublas = Cublas::load(&stream)?;
    let mut runs = vec![
        load!(gemm, &context, &stream, &a, &b),
        load!(groups_of_8, &context, &stream, &a, &b),
        load!(no_clusters, &context, &stream, &a, &b),
        load!(three_stages, &context, &stream, &a, &b),
    ];
    match &cublas {
        Some((cublas, release)) => {
            println!("cuBLAS {release}");
            let (a, b, stream) = (&a, &b, &stream);
            runs.push(("cuBLAS", Box::new(move |d| cublas.multiply(a, b, d, stream))));
        }
        None => println!("NOT RUN: there is no libcublas on this machine"),
    }

    let mut products = Vec::new();
    for (name, run) in &mut runs {
        stream.memcpy_htod(&poison, &mut d)?;
        run(&mut d)?;
        let product = stream.clone_dtoh(&d)?;
        check(name, &product, &left, &right);
        products.push(product);
    }
    let count = runs.len();
    let mut times = vec![Vec::new(); count];
    let now = || stream.record_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT));
    for round in 0..WARM_UP + ROUNDS {
        // Forwards and backwards in turn, starting with another product in each round.
        for i in 0..count {
            let at = (if round % 2 == 0 { i } else { count - 1 - i } + round) % count;
            let ((_, run), times) = (&mut runs[at], &mut times[at]);
            let start = now()?;
            for _ in 0..LAUNCHES {
                run(&mut d)?;
            }
            let time = start.elapsed_ms(&now()?)?;
            if round >= WARM_UP {
                #[allow(clippy::cast_precision_loss)] // ten
                times.push(time / LAUNCHES as f32);
            }
        }
    }
    let medians: Vec<f32> = times.iter_mut().map(|times| median(times)).collect();
    let (last, reference) = (medians[medians.len() - 1], &products[products.len() - 1]);
    for (((name, _), time), product) in runs.iter().zip(&medians).zip(&products) {
        #[allow(clippy::cast_precision_loss)] // a rate
        let rate = 2.0 * (SIZE as f32).powi(3) / time / 1e9;
        print!("{name}: {time:.3} ms, {rate:.0} TFLOP/s");
        if cublas.is_some() {
            let different = product.iter().zip(reference).filter(|(a, b)| a != b).count();
            print!(
                ", {:.1} % of cuBLAS, {different} elements differ from its",
                100.0 * last / time
            );
        }
        println!();
    }
    Ok(())
}

/// Compares 1,024 elements with 64-bit sums, and looks for elements that were not written.
fn check(name: &str, product: &[bf16], left: &[bf16], right: &[bf16]) {
    assert!(product.iter().all(|at| at.is_finite()), "{name}: elements were not written");
    let mut worst = 0.0_f64;
    for i in 0..1024 {
        let (row, column) = (i * 5_003 % SIZE, i * 7_919 % SIZE);
        let pairs = left[row * SIZE..][..SIZE].iter().zip(&right[column * SIZE..][..SIZE]);
        let sum: f64 = pairs.map(|(a, b)| a.to_f64() * b.to_f64()).sum();
        let error = (product[row * SIZE + column].to_f64() - sum).abs();
        // Half a unit in the last place of 8 bits, and the rounding errors of the sum itself.
        assert!(error <= sum.abs() / 256.0 + 0.05, "{name}: ({row}, {column}) is wrong by {error}");
        worst = worst.max(error);
    }
    println!("{name}: 1,024 elements are right to {worst:.3}");
}

fn median(times: &mut [f32]) -> f32 {
    times.sort_by(f32::total_cmp);
    times[times.len() / 2]
}
