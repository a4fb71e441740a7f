//! A matrix product on the tensor cores of `sm_90a`: tensor maps, a ring of stages in dynamic shared
//! memory, `wgmma`; printed as PTX, measured, and assembled by the real ptxas if there is one.
//!
//! `cargo run --example gemm`

mod kernel;

use std::process::ExitCode;

use kernel::gemm;
use ptx::ptxas::{FindError, Ptxas};

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
    let ptxas = match Ptxas::find() {
        Ok(ptxas) => ptxas,
        Err(FindError::NotFound { .. }) => {
            println!("Not assembled, because no ptxas was found on this machine.");
            println!("{}", FindError::how_to_get_it());
            return ExitCode::SUCCESS;
        }
        Err(wrong) => {
            eprintln!("{wrong}");
            return ExitCode::FAILURE;
        }
    };
    match ptxas.assemble(&gemm::MODULE) {
        Ok(assembled) => {
            println!(
                "ptxas {} takes it: {} bytes of cubin",
                ptxas.release(),
                assembled.cubin.len()
            );
            for kernel in &assembled.report.kernels {
                println!(
                    "  {}: {} registers, {} bytes of stack",
                    kernel.name, kernel.registers, kernel.stack_bytes
                );
            }
            ExitCode::SUCCESS
        }
        Err(refused) => {
            eprintln!("{refused}");
            ExitCode::FAILURE
        }
    }
}
