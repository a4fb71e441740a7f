//! For those who have PTX files: the tool `ptx`. [`Command`] lists what it does: it checks them, shows where their storage lies,
//! compares, counts, formats and imports them, and serves editors.
//!
//! It parses arguments and writes the output; the files are read and checked by
//! [`ptx_text`], and `docs/guide/src/tool.md` shows each command on a real file.

#![forbid(unsafe_code)]

mod allowed;
pub mod arguments;
mod bind;
mod check;
mod checked;
mod completions;
mod diff;
mod excerpt;
mod explain;
mod finding;
mod fmt;
pub mod import;
mod input;
mod json;
mod layout;
mod lsp;
mod made;
mod map;
mod min;
mod new;
mod output;
mod parallel;
mod progress;
mod refusal;
mod render;
mod sarif;
mod site;
mod stats;
mod table;
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
        Command::New(command) => new::new(command, terminal)?,
        Command::Check(command) => check::check(command, terminal)?,
        Command::Import(command) => import::import(command, terminal)?,
        Command::Bind(command) => bind::bind(command, terminal)?,
        Command::Layout(command) => layout::layout(command, terminal)?,
        Command::Diff(command) => diff::diff(command, terminal)?,
        Command::Stats(command) => stats::stats(command, terminal)?,
        Command::Fmt(command) => fmt::fmt(command, terminal)?,
        Command::Min(command) => min::min(command, terminal)?,
        Command::Map(command) => map::map(command, terminal)?,
        Command::Explain(command) => explain::explain(command, terminal)?,
        Command::Lsp(command) => lsp::lsp(command, terminal)?,
        Command::Completions(command) => completions::completions(command, terminal)?,
    };
    terminal.out.flush()?;
    Ok(status)
}
