//! `ptx diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ptx_isa::Target;

use super::names::target;

/// `ptx diff`.
#[derive(Debug, Args)]
#[command(
    after_help = "These make no difference: names of registers, labels, parameters and private symbols, the order of \
    declarations, comments, white space, the spelling of numbers, how registers are declared, and debug information.\n\n\
    Examples:\n  \
    ptx diff old.ptx new.ptx\n  \
    git show HEAD:gemm.ptx | ptx diff - gemm.ptx\n\n\
    Exit status:\n  \
    0  the files mean the same\n  \
    1  they differ\n  \
    2  the command line is wrong, a file could not be read or has errors of grammar, ptxas could not be run or \
    refuses a file, or the output could not be written"
)]
pub struct Diff {
    /// A PTX file; `-` is the standard input.
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The PTX file to compare it with.
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// How to write what differs.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub format: DiffFormat,
    /// Short for `--format json`.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// The statements to show before and after those that differ.
    #[arg(short = 'U', long, value_name = "NUMBER", default_value_t = 2)]
    pub context: usize,
    /// Run ptxas, and compare the registers, spills, stack and shared memory that it reports.
    #[arg(long)]
    pub ptxas: bool,
    /// The ptxas to run, instead of the one that is found in `PTXAS`, `CUDA_HOME`, `CUDA_PATH` or
    /// `PATH`.
    #[arg(long, value_name = "PATH", requires = "ptxas")]
    pub ptxas_path: Option<PathBuf>,
    /// The target that ptxas assembles for, such as `sm_90a`, instead of the files' own.
    #[arg(long, value_name = "TARGET", requires = "ptxas", value_parser = target)]
    pub target: Option<Target>,
}

impl Diff {
    /// How to write what differs.
    pub fn format(&self) -> DiffFormat {
        if self.json { DiffFormat::Json } else { self.format }
    }
}

/// How a comparison is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DiffFormat {
    /// A table, and statements with their lines.
    Text,
    /// One JSON document.
    Json,
}
