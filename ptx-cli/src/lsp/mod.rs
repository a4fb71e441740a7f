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
mod directives;
mod document;
mod folding;
mod formatting;
mod hints;
mod hover;
mod instruction;
mod lines;
mod names;
mod outline;
mod rename;
mod semantic;
mod server;
mod settings;
mod signature;
mod storage;
mod symbols;
mod values;

use std::io;

use lsp_server::Connection;

use crate::arguments;
use crate::terminal::{Status, Terminal};
pub use server::{ServeError, serve};

/// Serves an editor on the standard input and output until it says that it ends.
///
/// # Errors
/// The streams could not be read or written.
pub(crate) fn lsp(_: &arguments::Lsp, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    let (connection, threads) = Connection::stdio();
    let served = serve(&connection);
    // The writing thread ends once nothing can be sent any more.
    drop(connection);
    match served {
        Ok(()) => {
            threads.join()?;
            Ok(Status::Clean)
        }
        // The reading thread may wait for an editor that says nothing any more.
        Err(error) => terminal.fail(&error),
    }
}
