//! The tool `ptx`: [`check`](arguments::Check) reports mistakes in PTX files,
//! [`layout`](arguments::Layout) shows where their storage lies, [`fmt`](arguments::Fmt) formats them, and
//! [`explain`](arguments::Explain) prints what a rule means.
//!
//! It parses arguments and writes the output; the files are read and checked by
//! [`ptx_text`], and `docs/guide/src/tool.md` shows each command on a real file.

#![forbid(unsafe_code)]

mod allowed;
pub mod arguments;
mod check;
mod checked;
mod completions;
mod excerpt;
mod explain;
mod finding;
mod fmt;
mod input;
mod json;
mod layout;
mod lsp;
mod output;
mod parallel;
mod progress;
mod render;
mod sarif;
mod terminal;
mod verdict;

use std::io;

pub use arguments::Arguments;
use arguments::Command;
pub use lsp::{ServeError, serve};
pub use terminal::{Status, Terminal};

/// Runs the command that the arguments specify.
///
/// # Errors
/// The output could not be written.
pub fn run(arguments: &Arguments, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    let status = match &arguments.command {
        Command::Check(command) => check::check(command, terminal)?,
        Command::Layout(command) => layout::layout(command, terminal)?,
        Command::Fmt(command) => fmt::fmt(command, terminal)?,
        Command::Explain(command) => explain::explain(command, terminal)?,
        Command::Lsp(command) => lsp::lsp(command, terminal)?,
        Command::Completions(command) => completions::completions(command, terminal)?,
    };
    terminal.out.flush()?;
    Ok(status)
}
