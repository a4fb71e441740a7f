//! Development tasks: see the usage.

mod check_cost;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK
  ptxas                fetch the pinned releases of ptxas into target/ptxas/
  check-cost [COUNT..]
                       time cargo check of a crate with so many declarations, or statements of a
                       body (0, 100 and 1000)
  verdicts FILE.csv[.gz]
                       compare the tensor maps with what a driver said and wrote";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let outcome = match arguments.next().as_deref() {
        Some("ptxas") => ptxas(),
        Some("check-cost") => check_cost::run(&arguments.collect::<Vec<_>>()),
        Some("verdicts") => verdicts(&arguments.collect::<Vec<_>>()),
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

fn verdicts(files: &[String]) -> Result<(), String> {
    if files.is_empty() {
        return Err(USAGE.to_owned());
    }
    let mut is_clean = true;
    for file in files {
        let report = xtask::verdicts::compare_file(file.as_ref())?;
        println!("{report}");
        is_clean &= report.is_clean();
    }
    if is_clean { Ok(()) } else { Err("there are disagreements".to_owned()) }
}
