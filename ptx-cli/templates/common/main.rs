//! {{about}}

mod kernels;
mod run;

use std::process::ExitCode;

use ptx::cuda::ContextError;

/// What a launch needs.
const NEEDS: &str = "NVIDIA's driver and {{needs}}";

fn main() -> ExitCode {
    match run::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            if why.is::<ContextError>() {
                eprintln!("a launch needs {NEEDS};");
                eprintln!("without them, `cargo test` checks the kernel");
            }
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write as _};

    use super::*;

    #[test]
    fn the_gpu_agrees_with_the_cpu() -> io::Result<()> {
        match run::run() {
            Ok(()) => Ok(()),
            // Not by `eprintln!`, of which a test that passes shows nothing.
            Err(why) if why.is::<ContextError>() => writeln!(io::stderr(), "NOT RUN: {why}"),
            Err(why) => panic!("{why}"),
        }
    }
}
