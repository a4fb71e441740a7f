//! Which ptxas runs.

use std::path::PathBuf;

use clap::Args;
use ptx_isa::Target;

use super::names::target;

/// Which ptxas runs.
#[derive(Clone, Debug, Args)]
pub struct AssemblerPath {
    /// The ptxas to run, instead of the one that is found in `PTXAS`, `CUDA_HOME`, `CUDA_PATH` or
    /// `PATH`.
    #[arg(long, value_name = "PATH", requires = "ptxas")]
    pub ptxas_path: Option<PathBuf>,
}

/// Which ptxas runs, and for what; a command that has these has an option `--ptxas`.
#[derive(Clone, Debug, Args)]
pub struct AssemblerOptions {
    /// The ptxas to run.
    #[command(flatten)]
    pub path: AssemblerPath,
    /// The target that ptxas assembles for, such as `sm_90a`, instead of the file's own.
    #[arg(long, value_name = "TARGET", requires = "ptxas", value_parser = target)]
    pub target: Option<Target>,
}
