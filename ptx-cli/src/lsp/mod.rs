//! `ptx lsp`: a language server for PTX.
//!
//! The [server](server) answers requests on one thread, from the text and its [outline](outline), and passes each text
//! on to the [checker](checker), which publishes findings from another one. A file for each thing that an editor asks.

mod actions;
mod capabilities;
mod changed;
mod checker;
mod completion;
mod diagnostics;
mod document;
mod folding;
mod formatting;
mod hints;
mod hover;
mod instruction;
mod lines;
mod names;
mod outline;
mod part;
mod place;
mod rename;
mod semantic;
mod server;
mod settings;
mod signature;
mod stdio;
mod storage;
mod symbols;
mod values;

use std::io;

use crate::arguments;
use crate::terminal::{Status, Terminal};
pub use server::{ServeError, serve};
use stdio::Stdio;

/// Serves an editor on the standard input and output until it says that it ends.
///
/// # Errors
/// The streams could not be read or written.
pub(crate) fn lsp(_: &arguments::Lsp, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    let (connection, stdio) = Stdio::connect();
    let served = serve(&connection);
    // The writing thread ends once nothing can be sent any more.
    drop(connection);
    match (served, stdio.unread()) {
        (Ok(()), _) => {
            stdio.join()?;
            Ok(Status::Clean)
        }
        // The reading thread may wait for an editor that says nothing any more.
        (Err(_), Some(why)) => terminal
            .fail(&format!("the editor does not follow the language server protocol: {why}")),
        (Err(ServeError::Protocol(error)), None) if error.channel_is_disconnected() => {
            terminal.fail(&ServeError::Disconnected)
        }
        (Err(error), None) => terminal.fail(&error),
    }
}
