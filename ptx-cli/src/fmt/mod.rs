//! `ptx fmt`.

mod diff;
mod formatted;
mod json;

use std::io;

use ptx_isa::count::Count;

use crate::arguments::{self, OutputFormat};
use crate::input::{Input, inputs};
use crate::parallel::for_each;
use crate::progress::{Doing, Progress};
use crate::refusal::refuse;
use crate::terminal::{Status, Terminal};
use formatted::{Formatted, Outcome};

/// What the progress line says.
const FORMATTING: Doing = Doing { now: "formatting", done: "formatted" };

/// Formats the files, or shows what would change.
///
/// # Errors
/// The output could not be written.
pub(crate) fn fmt(command: &arguments::Fmt, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    let inputs = match inputs(&command.files) {
        Ok(inputs) => inputs,
        Err(error) => return terminal.fail(&error),
    };
    let mut report = Report { is_check: command.check, status: Status::Clean, changed: 0 };
    let mut files = Vec::new();
    let progress = Progress::new(inputs.len(), terminal.is_watched, FORMATTING);
    let work = |input: &Input| Formatted::of(input, command);
    for_each(&inputs, progress, work, |file| match command.output.format() {
        OutputFormat::Text => report.write(file, terminal),
        OutputFormat::Json => {
            report.count(&file);
            files.push(file);
            Ok(())
        }
    })?;
    match command.output.format() {
        OutputFormat::Text => report.summarise(&inputs, terminal)?,
        OutputFormat::Json => writeln!(terminal.out, "{}", json::document(&files)?)?,
    }
    Ok(report.status)
}

/// What is reported of one file after another.
struct Report {
    is_check: bool,
    status: Status,
    changed: usize,
}

impl Report {
    /// Counts a file, and what it means for the exit status.
    fn count(&mut self, file: &Formatted) {
        let status = match file.outcome {
            Outcome::Failed(_) => Status::Failed,
            Outcome::Refused(_) => Status::Errors,
            Outcome::Changed(_) if self.is_check => Status::Errors,
            Outcome::Changed(_) | Outcome::Unchanged | Outcome::Text(_) => Status::Clean,
        };
        self.changed += usize::from(matches!(file.outcome, Outcome::Changed(_)));
        self.status = self.status.max(status);
    }

    fn write(&mut self, file: Formatted, terminal: &mut Terminal<'_>) -> io::Result<()> {
        self.count(&file);
        match file.outcome {
            Outcome::Unchanged => Ok(()),
            Outcome::Text(text) => terminal.out.write_all(text.as_bytes()),
            Outcome::Changed(Some(diff)) => diff::write(&diff, terminal),
            Outcome::Changed(None) => {
                let name = annotate_snippets::normalize_untrusted_str(&file.name);
                writeln!(terminal.out, "formatted {name}")
            }
            Outcome::Failed(why) => terminal.write_error(&why),
            Outcome::Refused(findings) => {
                refuse(&file.name, findings, "which is not formatted", terminal)
            }
        }?;
        terminal.out.flush()
    }

    /// Says how many files are not formatted.
    fn summarise(&self, inputs: &[Input], terminal: &mut Terminal<'_>) -> io::Result<()> {
        match (inputs, self.changed) {
            ([_], _) | (_, 0) => Ok(()),
            _ if !self.is_check => Ok(()),
            (_, 1) => {
                writeln!(terminal.out, "1 of {} is not formatted", Count(inputs.len(), "file"))
            }
            (_, changed) => {
                let files = Count(inputs.len(), "file");
                writeln!(terminal.out, "{changed} of {files} are not formatted")
            }
        }
    }
}
