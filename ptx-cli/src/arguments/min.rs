//! `ptx min`.

use std::path::PathBuf;

use clap::Args;

use super::assembler::AssemblerPath;
use super::output::Output;

/// `ptx min`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    ptx min kernels.ptx            what the file needs, and which statements need it\n  \
    ptx min --all kernels.ptx      every statement that needs as much, and what each kernel needs\n  \
    ptx min --write kernels/*.ptx  set `.version` and `.target` in the files; nothing else changes\n  \
    ptx min --check kernels/*.ptx  exit with 1 if a file declares something else\n\n\
    A lower target is one that runs wherever the declared one does: for sm_90a that is sm_90a, sm_90 and what \
    is older, and never sm_100.\n\n\
    Exit status:\n  \
    0  it is known what the files need\n  \
    1  a file has errors or instructions that nobody here knows, or `--check` found a difference\n  \
    2  the command line is wrong, a file could not be read or written, ptxas could not be run, or the\n     \
    output could not be written")]
#[allow(clippy::struct_excessive_bools)] // options
pub struct Min {
    /// PTX files; `-` is the standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Show every statement that needs the version or the target, and what each kernel needs.
    #[arg(long)]
    pub all: bool,
    /// Set `.version` and `.target` in the files.
    #[arg(long, conflicts_with = "check")]
    pub write: bool,
    /// Exit with 1 if a file declares another version or target than the lowest.
    #[arg(long)]
    pub check: bool,
    /// How to write the result.
    #[command(flatten)]
    pub output: Output,
    /// Have ptxas assemble each file with the lowest version and target, and raise them until it does:
    /// it knows instructions that are not known here.
    #[arg(long)]
    pub ptxas: bool,
    /// The ptxas to run.
    #[command(flatten)]
    pub path: AssemblerPath,
}
