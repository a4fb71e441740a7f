//! `ptx diff`.

use std::path::PathBuf;

use clap::Args;

use super::assembler::AssemblerOptions;
use super::output::Output;

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
    /// How to write the result.
    #[command(flatten)]
    pub output: Output,
    /// The statements to show before and after those that differ.
    #[arg(short = 'U', long, value_name = "NUMBER", default_value_t = 2)]
    pub context: usize,
    /// Run ptxas, and compare the registers, spills, stack and shared memory that it reports.
    #[arg(long)]
    pub ptxas: bool,
    /// Which ptxas runs.
    #[command(flatten)]
    pub assembler: AssemblerOptions,
}
