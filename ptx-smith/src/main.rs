//! The command `ptx-smith`.

mod arguments;
mod command;
mod judge;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

use arguments::Arguments;
use command::{Error, Status};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    let status = command::run(&arguments, &mut out);
    match status.and_then(|status| out.flush().map(|()| status).map_err(Error::Output)) {
        Ok(Status::Done) => ExitCode::SUCCESS,
        Ok(Status::Failed) => ExitCode::from(1),
        // The reader of the output has closed it.
        Err(Error::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(2),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
