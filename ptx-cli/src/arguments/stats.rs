//! `ptx stats`.

use std::path::PathBuf;

use clap::Args;

use super::assembler::AssemblerOptions;
use super::output::Output;

/// `ptx stats`.
#[derive(Debug, Args)]
#[command(
    after_help = "Statements are counted as they are written, however often they are executed.\n\n\
    Bounds are a TOML file with tables for kernels, functions and the whole file:\n  \
    [kernel.gemm]\n  \
    registers = 168\n  \
    spills = 0\n  \
    [total]\n  \
    statements = 5000\n\n\
    Examples:\n  \
    ptx stats 'kernels/**/*.ptx'\n  \
    ptx stats new.ptx --against old.ptx --ptxas\n  \
    ptx stats gemm.ptx --ptxas --bounds bounds.toml\n\n\
    Exit status:\n  \
    0  everything is counted, and within its bounds\n  \
    1  a bound is exceeded, a file has errors of grammar, or ptxas refuses one\n  \
    2  the command line or the bounds are wrong, a file could not be read, ptxas could not be run or crashed, \
    or the output could not be written"
)]
pub struct Stats {
    /// PTX files; `-` is the standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// How to write the result.
    #[command(flatten)]
    pub output: Output,
    /// Show what differs from this file.
    #[arg(long, value_name = "OTHER")]
    pub against: Option<PathBuf>,
    /// A TOML file with the greatest values that are allowed.
    #[arg(long, value_name = "FILE")]
    pub bounds: Option<PathBuf>,
    /// Run ptxas, for the registers, spills, stack and shared memory that it reports.
    #[arg(long)]
    pub ptxas: bool,
    /// Which ptxas runs.
    #[command(flatten)]
    pub assembler: AssemblerOptions,
}
