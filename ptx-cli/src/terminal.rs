//! The tool's output streams and exit status.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use annotate_snippets::renderer::{DEFAULT_ERROR_STYLE, DEFAULT_TERM_WIDTH, Style};
use anstream::AutoStream;
use clap::ColorChoice;

/// The exit status of the tool; of several, the greatest counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// Nothing is wrong.
    Clean,
    /// The input has errors.
    Errors,
    /// The command line is wrong, or something could not be read or run.
    Failed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        match status {
            Status::Clean => Self::SUCCESS,
            Status::Errors => Self::from(1),
            Status::Failed => Self::from(2),
        }
    }
}

/// The tool's output streams.
pub struct Terminal<'t> {
    /// The requested output.
    pub out: &'t mut dyn Write,
    /// The error messages.
    pub err: &'t mut dyn Write,
    /// Whether `out` supports colours.
    pub has_color: bool,
    /// Whether `err` supports colours.
    pub has_color_in_errors: bool,
    /// The characters in a line.
    pub width: usize,
    /// Whether `err` is a terminal.
    pub is_watched: bool,
}

impl<'t> Terminal<'t> {
    /// The streams of this program.
    pub fn of_program(out: &'t mut dyn Write, err: &'t mut dyn Write, color: ColorChoice) -> Self {
        let has_color = |auto: anstream::ColorChoice| match color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => auto != anstream::ColorChoice::Never,
        };
        let width = terminal_size::terminal_size_of(io::stdout())
            .map_or(DEFAULT_TERM_WIDTH, |(width, _)| usize::from(width.0));
        Self {
            out,
            err,
            has_color: has_color(AutoStream::choice(&io::stdout())),
            has_color_in_errors: has_color(AutoStream::choice(&io::stderr())),
            width,
            is_watched: io::stderr().is_terminal(),
        }
    }

    /// Reports why something could not be done.
    pub(crate) fn write_error(&mut self, why: &dyn Display) -> io::Result<()> {
        let style = if self.has_color_in_errors { DEFAULT_ERROR_STYLE } else { Style::default() };
        let why = why.to_string();
        let lines = why.lines().map(annotate_snippets::normalize_untrusted_str);
        writeln!(self.err, "{style}error{style:#}: {}", lines.collect::<Vec<_>>().join("\n"))
    }

    /// Reports why nothing could be done.
    pub(crate) fn fail(&mut self, why: &dyn Display) -> io::Result<Status> {
        self.write_error(why)?;
        Ok(Status::Failed)
    }
}
