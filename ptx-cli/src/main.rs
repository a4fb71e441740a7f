//! The tool `ptx`.

use std::io::{self, BufWriter, ErrorKind};
use std::process::ExitCode;

use clap::Parser;
use ptx_cli::{Arguments, Status, Terminal};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let (mut out, mut err) = (BufWriter::new(io::stdout().lock()), io::stderr());
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
