//! Kernels at the limit of the hardware, and how near they come to it: on a GPU, each is compared with the CPU and measured
//! beside a reference, and a picture of the ratios is written to the path that is given.
//!
//! `cargo run --release --example limits [--features cuda] [-- ratios.svg]`

#[cfg(feature = "cuda")]
mod attend;
mod attention;
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

use ptx::ptxas::{FindError, Ptxas};

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
            // What is named, or all.
            let part = std::env::var("LIMITS").ok();
            let is_wanted = |name: &str| part.as_deref().is_none_or(|part| part.contains(name));
            let mut ratios = Vec::new();
            if is_wanted("products") {
                ratios.extend(multiply::measure(&context)?);
            }
            if is_wanted("memory") {
                ratios.extend(memory::measure(&context)?);
            }
            if is_wanted("attention") {
                ratios.extend(attend::measure(&context)?);
            }
            measure::print(&ratios);
            if let Some(path) = std::env::args().nth(1) {
                std::fs::write(path, measure::picture(&ratios))?;
            }
        }
        Err(why) => println!("Not run: {why}."),
    }
    Ok(())
}
