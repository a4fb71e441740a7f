//! Kernels at the limit of the hardware, and how near they come to it: on a GPU, each is compared with the CPU and measured
//! beside a reference, and a picture of the ratios is written to the path that is given.
//!
//! Kernels in the order in which they are read best: `transpose.rs`, `rows.rs`, `product/whole.rs` and `blocks.rs`,
//! `attention/kernels.rs`. `mod.rs` has the parts that some share, `launch.rs` starts them, and the rest measures and compares.
//!
//! `cargo run --release --example limits [--features cuda] [-- ratios.svg]`; `LIMITS=attention` runs only that part, and so do
//! `products` and `memory`.

#[cfg(feature = "cuda")]
mod attend;
mod attention;
#[cfg(feature = "cuda")]
mod exact;
#[cfg(feature = "cuda")]
#[path = "attention/launch.rs"]
mod launch_attention;
#[cfg(feature = "cuda")]
#[path = "product/launch.rs"]
mod launch_product;
#[cfg(feature = "cuda")]
mod measure;
#[cfg(feature = "cuda")]
mod memory;
#[cfg(feature = "cuda")]
mod multiply;
#[cfg(feature = "cuda")]
mod plan;
mod product;
#[cfg(feature = "cuda")]
mod reference;
mod rows;
mod transpose;

use std::error::Error;
#[cfg(feature = "cuda")]
use std::sync::Arc;

#[cfg(feature = "cuda")]
use cudarc::driver::CudaContext;
#[cfg(feature = "cuda")]
use measure::Ratio;
use ptx::ptxas::{FindError, Ptxas};

/// What is measured, by name.
#[cfg(feature = "cuda")]
type Part = (&'static str, fn(&Arc<CudaContext>) -> Result<Vec<Ratio>, Box<dyn Error>>);
#[cfg(feature = "cuda")]
const PARTS: [Part; 3] =
    [("products", multiply::measure), ("memory", memory::measure), ("attention", attend::measure)];

fn main() -> Result<(), Box<dyn Error>> {
    let modules = [
        &rows::rows::MODULE,
        &transpose::transpose::MODULE,
        &product::of_bf16::MODULE,
        &product::of_e4m3::MODULE,
        &product::of_blocks::MODULE,
        &attention::of_128::MODULE,
        &attention::causal_of_128::MODULE,
        &attention::of_64::MODULE,
        &attention::causal_of_64::MODULE,
    ];
    match Ptxas::find() {
        Ok(ptxas) => {
            for module in modules {
                for kernel in ptxas.assemble(module)?.report.kernels {
                    println!("{}: {} registers", kernel.name, kernel.registers);
                }
            }
        }
        Err(FindError::NotFound { .. }) => println!("{}", FindError::how_to_get_it()),
        Err(wrong) => return Err(wrong.into()),
    }
    #[cfg(not(feature = "cuda"))]
    println!("Not run: build it with `--features cuda`.");
    #[cfg(feature = "cuda")]
    match ptx::cuda::context(0) {
        Ok(context) => {
            println!("{}, CUDA {:?}", context.name()?, ptx::cuda::driver_release());
            // The parts that are named, or all.
            let named = std::env::var("LIMITS").unwrap_or_default();
            if !PARTS.iter().any(|(part, _)| named.is_empty() || named.contains(part)) {
                let parts = PARTS.map(|(part, _)| part).join(", ");
                return Err(format!("`LIMITS` names none of these: {parts}").into());
            }
            let mut ratios = Vec::new();
            for (part, measure) in PARTS {
                if named.is_empty() || named.contains(part) {
                    let measured = measure(&context)?;
                    measure::print(&measured);
                    ratios.extend(measured);
                }
            }
            if let Some(path) = std::env::args().nth(1) {
                std::fs::write(path, measure::picture(&ratios))?;
            }
        }
        Err(why) => println!("Not run: {why}."),
    }
    Ok(())
}
