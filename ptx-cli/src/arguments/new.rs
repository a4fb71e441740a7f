//! `ptx new`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::output::Output;

/// `ptx new`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    ptx new blur                          a kernel, its test, and a program that launches it\n  \
    ptx new blur --template tensor-map    with tiles that the hardware copies\n  \
    ptx new blur --path ../ptx            with the library from a checkout\n\n\
    Exit status:\n  \
    0  the project is created\n  \
    2  the command line is wrong, the folder is not empty, or the output could not be written;\n     \
    nothing is created")]
pub struct New {
    /// The folder to create; its last part is the name of the package.
    #[arg(value_name = "NAME")]
    pub folder: PathBuf,
    /// What to start from.
    #[arg(short, long, value_name = "TEMPLATE", default_value = "kernel", value_enum)]
    pub template: Template,
    /// Take `ptx` from a checkout in this folder, and not from crates.io.
    #[arg(long, value_name = "DIR", conflicts_with = "git")]
    pub path: Option<PathBuf>,
    /// Take `ptx` from the repository at this address, and not from crates.io.
    #[arg(long, value_name = "URL")]
    pub git: Option<String>,
    /// How to write the result.
    #[command(flatten)]
    pub output: Output,
}

/// What a project starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Template {
    /// A kernel with a constant and a contract.
    Kernel,
    /// A kernel whose tiles come and go through tensor maps.
    TensorMap,
    /// PTX that nvcc wrote, with typed launches.
    Imported,
    /// A kernel that quantises to 8-bit floats, and the same on the CPU.
    Floats,
}
