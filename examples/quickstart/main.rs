//! A 5-tap blur of rows through shared memory: storage and kernel are declared in Rust, printed as PTX,
//! measured, and assembled by the real ptxas if there is one; with a GPU, the kernel is run and compared with the CPU.
//!
//! `cargo run --example quickstart [--features cuda] [-- --out DIR]`

#[cfg(feature = "cuda")]
mod gpu;
mod kernel;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use kernel::blur;
use ptx::ptxas::{Assembled, FindError, Ptxas};

fn main() -> ExitCode {
    let out = match arguments() {
        Ok(out) => out,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    println!("A 5-tap blur of image rows: constant taps, a shared row, a struct parameter.\n");
    println!("{}", blur::MODULE);
    println!("{}", blur::MODULE.memory_map());

    let assembled = match Ptxas::find() {
        Err(FindError::NotFound { .. }) => {
            println!("Not assembled, because no ptxas was found on this machine.");
            println!("{}", FindError::how_to_get_it());
            None
        }
        Err(wrong) => {
            eprintln!("{wrong}");
            return ExitCode::FAILURE;
        }
        Ok(ptxas) => match ptxas.assemble(&blur::MODULE) {
            Ok(assembled) => {
                report(&ptxas, &assembled);
                Some(assembled)
            }
            Err(refused) => {
                eprintln!("{refused}");
                return ExitCode::FAILURE;
            }
        },
    };
    if let Some(folder) = out
        && let Err(error) = save(&folder, assembled.as_ref())
    {
        eprintln!("cannot write to {}: {error}", folder.display());
        return ExitCode::FAILURE;
    }
    #[cfg(feature = "cuda")]
    if let Err(error) = gpu::run() {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The folder after `--out`.
fn arguments() -> Result<Option<PathBuf>, String> {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next(), arguments.next()) {
        (None, _, _) => Ok(None),
        (Some("--out"), Some(folder), None) => Ok(Some(PathBuf::from(folder))),
        _ => Err("usage: quickstart [--out DIR]".to_owned()),
    }
}

/// Prints what ptxas reports, next to what the declarations predict.
fn report(ptxas: &Ptxas, Assembled { cubin, report, .. }: &Assembled) {
    println!(
        "ptxas {} takes it: {} bytes of cubin for {}",
        ptxas.release(),
        cubin.len(),
        blur::MODULE.target
    );
    let kernel = blur::rows();
    let constants = blur::MODULE.const_bytes().unwrap_or(0);
    println!("  constant memory: {} bytes, declared {constants}", report.const_bytes);
    for resources in &report.kernels {
        println!(
            "  {}: {} registers, {} bytes of shared memory, declared {}, {} bytes of stack",
            resources.name,
            resources.registers,
            resources.shared_bytes,
            kernel.static_shared_bytes(),
            resources.stack_bytes,
        );
    }
}

/// Writes the text and, if there is one, the cubin.
fn save(folder: &Path, assembled: Option<&Assembled>) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("blur.ptx"), blur::MODULE.to_string())?;
    if let Some(assembled) = assembled {
        std::fs::write(folder.join("blur.cubin"), &assembled.cubin)?;
    }
    println!("\nWritten to {}.", folder.display());
    Ok(())
}
