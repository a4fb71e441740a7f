//! A matrix product on the tensor cores of `sm_90a`: tensor maps, a ring of stages in dynamic shared
//! memory, `wgmma`. It is printed as PTX, measured, and assembled by the real ptxas if there is one; with a
//! GPU, it is run and compared with the CPU.
//!
//! `cargo run --example gemm [--features cuda]`

#[cfg(feature = "cuda")]
mod gpu;
mod kernel;

use std::process::ExitCode;

use kernel::gemm;
use ptx::ptxas::{Assembled, FindError, Ptxas};

fn main() -> ExitCode {
    println!("{}", gemm::MODULE);
    println!("{}", gemm::MODULE.memory_map());
    println!(
        "A block: {} threads, {} bytes of dynamic shared memory, {} by {} of the product",
        gemm::THREADS,
        gemm::STAGES_OF_BLOCK.bytes(),
        gemm::ROWS,
        gemm::COLUMNS,
    );
    match Ptxas::find() {
        Err(FindError::NotFound { .. }) => {
            println!("Not assembled, because no ptxas was found on this machine.");
            println!("{}", FindError::how_to_get_it());
        }
        Err(wrong) => {
            eprintln!("{wrong}");
            return ExitCode::FAILURE;
        }
        Ok(ptxas) => match ptxas.assemble(&gemm::MODULE) {
            Ok(assembled) => report(&ptxas, &assembled),
            Err(refused) => {
                eprintln!("{refused}");
                return ExitCode::FAILURE;
            }
        },
    }
    #[cfg(feature = "cuda")]
    if let Err(error) = gpu::run() {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Prints the resources that ptxas reports.
fn report(ptxas: &Ptxas, Assembled { cubin, report, .. }: &Assembled) {
    println!("ptxas {} takes it: {} bytes of cubin", ptxas.release(), cubin.len());
    for kernel in &report.kernels {
        println!(
            "  {}: {} registers, {} bytes of stack",
            kernel.name, kernel.registers, kernel.stack_bytes
        );
    }
}
