//! The tool `ptx`.

use std::io::{self, BufWriter, ErrorKind};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, Error};
use ptx_cli::{Arguments, Status, Terminal};

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| advised(error).exit());
    // It is not locked: the language server writes on a thread of its own.
    let (mut out, mut err) = (BufWriter::new(io::stdout()), io::stderr());
    let mut terminal = Terminal::of_program(&mut out, &mut err, arguments.color);
    match ptx_cli::run(&arguments, &mut terminal) {
        Ok(status) => status.into(),
        // The reader of the output has closed it.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Status::Failed.into(),
        Err(error) => {
            eprintln!("error: cannot write: {error}");
            Status::Failed.into()
        }
    }
}

/// The error with advice for a file in the place of a command.
fn advised(mut error: Error) -> Error {
    let file = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) if Path::new(word).extension().is_some() => word.clone(),
        _ => return error,
    };
    let advice = format!("to check a file, write 'ptx check {file}'");
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    error
}
