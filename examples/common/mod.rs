//! Code that the examples share: they print their PTX, assemble it if there is a ptxas, and
//! run if there is a GPU.

use ptx::ptxas::{FindError, Ptxas};

/// The types that the examples need to run.
#[cfg(feature = "cuda")]
pub(crate) type Stream = std::sync::Arc<cudarc::driver::CudaStream>;

/// The return type of the examples.
pub(crate) type Result = std::result::Result<(), Box<dyn std::error::Error>>;

/// Prints the PTX of a module, and the report of ptxas if there is one.
pub(crate) fn show(module: &ptx::Module<'_>) -> Result {
    println!("{module}");
    match Ptxas::find() {
        Ok(ptxas) => {
            for kernel in ptxas.assemble(module)?.report.kernels {
                println!("{}: {} registers, according to ptxas", kernel.name, kernel.registers);
            }
        }
        Err(FindError::NotFound { .. }) => {
            println!("Not assembled, because no ptxas was found on this machine.");
            println!("{}", FindError::how_to_get_it());
        }
        Err(wrong) => return Err(wrong.into()),
    }
    if cfg!(not(feature = "cuda")) {
        println!("Not run: build it with `--features cuda`.");
    }
    Ok(())
}

/// The `main` of an example: shows its module and, on the first GPU, calls its `run` with the loaded
/// module; without a GPU, it prints the reason.
macro_rules! main {
    ($module:ident) => {
        fn main() -> common::Result {
            common::show(&$module::MODULE)?;
            #[cfg(feature = "cuda")]
            match ptx::cuda::context(0) {
                Ok(gpu) => run(&gpu.default_stream(), &ptx::cuda::load::<$module::Loaded>(&gpu)?)?,
                Err(why) => println!("Not run: {why}."),
            }
            Ok(())
        }
    };
}
pub(crate) use main;

/// `count` numbers from -4 to 4, in arbitrary order.
#[cfg(feature = "cuda")]
#[allow(clippy::cast_precision_loss)] // small numbers
pub(crate) fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i * 7919 % 1001) as f32 / 125.0 - 4.0).collect()
}

/// Compares the GPU's results with the expected ones, element by element, and prints the largest
/// difference.
#[cfg(feature = "cuda")]
pub(crate) fn compare(
    stream: &Stream,
    found: &cudarc::driver::CudaSlice<f32>,
    expected: impl Iterator<Item = f64>,
    tolerance: f64,
) -> Result {
    let (found, expected) = (stream.clone_dtoh(found)?, expected.collect::<Vec<_>>());
    assert_eq!(found.len(), expected.len());
    let mut worst = 0.0_f64;
    for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let apart = (f64::from(*found) - expected).abs();
        assert!(apart <= tolerance * expected.abs(), "{i}: {found}, and {expected} on the CPU");
        worst = worst.max(apart / expected.abs().max(f64::MIN_POSITIVE));
    }
    println!("On the GPU: {} elements, right to {worst:.1e} of each.", found.len());
    Ok(())
}
