//! `ptx fmt`.

use std::path::PathBuf;

use clap::Args;

use super::output::Output;

/// `ptx fmt`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    ptx fmt kernels.ptx              format a file in place\n  \
    ptx fmt 'kernels/**/*.ptx'       format all files that match\n  \
    ptx fmt src/*.rs                 format the bodies, `ptx! { .. }`, of Rust files\n  \
    ptx fmt --check kernels/*.ptx    show what would change, and fail if anything would\n  \
    ptx fmt - <a.ptx >b.ptx          format the standard input\n\n\
    With `--json`, the document takes the place of the text of the standard input.\n\n\
    Exit status:\n  \
    0  the files are formatted\n  \
    1  a file has errors of syntax, and stays as it is; or with --check, a file is not formatted\n  \
    2  the command line is wrong, a file could not be read or written, or the output could\n     \
    not be written")]
pub struct Fmt {
    /// PTX files, and Rust files, which end in `.rs`; `-` is the standard input, whose format is
    /// written to the standard output.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write no file; show the differences, and fail if there are any.
    #[arg(long)]
    pub check: bool,
    /// Take the input for Rust, also the standard input, and files that do not end in `.rs`.
    #[arg(long)]
    pub rust: bool,
    /// How to write the result.
    #[command(flatten)]
    pub output: Output,
}
