//! `ptx import`.

use std::path::PathBuf;

use clap::Args;

use super::output::Output;

/// `ptx import`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    ptx import blur.ptx -o src/blur.rs\n  \
    ptx import blur.ptx --places --name rows\n\n\
Exit status:\n  \
    0  the module is written\n  \
    1  the file has errors of grammar, or something that a module cannot say; nothing is written\n  \
    2  the command line is wrong, the file could not be read, or the output could not be written")]
pub struct Import {
    /// A PTX file; `-` is the standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write a Rust file instead of printing it.
    #[arg(short, long, value_name = "FILE.rs")]
    pub output: Option<PathBuf>,
    /// The name of the module; without it, that of the file.
    #[arg(long, value_name = "NAME", value_parser = super::names::module_name)]
    pub name: Option<String>,
    /// Write accesses to elements of the file's arrays as places: `[row[3]]` for `[row+12]`.
    #[arg(long)]
    pub places: bool,
    /// Allow the hazards that are found, each in its item: the module is compiled in spite of them.
    #[arg(long)]
    pub allow_hazards: bool,
    /// How to write the result.
    #[command(flatten)]
    pub format: Output,
}
