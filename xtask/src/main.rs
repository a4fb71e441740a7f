//! Development tasks: `cargo xtask ptxas` fetches the pinned releases of ptxas.

mod check_cost;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK
  ptxas                fetch the pinned releases of ptxas into target/ptxas/
  check-cost [COUNT..] time cargo check of a crate with so many declarations (0, 100 and 1000)";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let outcome = match arguments.next().as_deref() {
        Some("ptxas") => ptxas(),
        Some("check-cost") => check_cost::run(&arguments.collect::<Vec<_>>()),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn ptxas() -> Result<(), String> {
    for wheel in xtask::WHEELS {
        let found = xtask::fetch(wheel)?;
        println!("ptxas {}: {}", found.release(), found.path().display());
    }
    Ok(())
}
