//! `ptx completions`.

use std::io;

use clap::CommandFactory;

use crate::arguments::{self, Arguments};
use crate::terminal::{Status, Terminal};

/// Writes the completions.
///
/// # Errors
/// The output could not be written.
pub(crate) fn completions(
    command: &arguments::Completions,
    terminal: &mut Terminal<'_>,
) -> io::Result<Status> {
    // Written at once: the generators panic where a reader has closed the output.
    let mut script = Vec::new();
    clap_complete::generate(command.shell, &mut Arguments::command(), "ptx", &mut script);
    terminal.out.write_all(&script)?;
    Ok(Status::Clean)
}
