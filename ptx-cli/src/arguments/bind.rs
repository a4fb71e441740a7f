//! `ptx bind`.

use std::path::PathBuf;

use clap::Args;

use super::output::Output;

/// `ptx bind`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    ptx bind kernels/blur.ptx -o src/blur.rs\n  \
    ptx bind blur.ptx --name rows\n\n\
Exit status:\n  \
    0  the bindings are written\n  \
    1  the file has errors of grammar; nothing is written\n  \
    2  the command line is wrong, the file could not be read, or the output could not be written")]
pub struct Bind {
    /// A PTX file; not the standard input, since the bindings name it.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write a Rust file instead of printing it: the path of the PTX file starts at its folder.
    #[arg(short, long, value_name = "FILE.rs")]
    pub output: Option<PathBuf>,
    /// The name of the module; without it, that of the file.
    #[arg(long, value_name = "NAME", value_parser = super::names::module_name)]
    pub name: Option<String>,
    /// Allow the hazards that are found in the file, which are compile errors otherwise.
    #[arg(long)]
    pub allow_hazards: bool,
    /// How to write the result.
    #[command(flatten)]
    pub format: Output,
}
