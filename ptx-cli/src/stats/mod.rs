//! `ptx stats`.

mod bounds;
mod count;
mod json;
mod kind;
mod text;

use std::io;

use ptx_emit::ptxas::AssembleError;
use ptx_text::Parsed;

use crate::arguments::{self, OutputFormat};
use crate::input::{Input, inputs};
use crate::parallel::for_each;
use crate::progress::{Doing, Progress};
use crate::refusal::refuse_syntax;
use crate::terminal::{Status, Terminal};
use crate::verdict::Assembler;

use bounds::Exceeded;
use count::CountedFile;

/// What the progress line says.
const COUNTING: Doing = Doing { now: "counting", done: "counted" };

/// A file that was counted, or why it was not.
enum Outcome {
    Counted(CountedFile),
    /// It has errors of grammar.
    Syntax(String, Parsed),
    /// ptxas refuses it.
    Refused(String),
    /// It could not be read.
    Failed(String),
}

/// Counts what the statements of files do, and compares that with other files and with bounds.
///
/// # Errors
/// The output could not be written.
pub(crate) fn stats(command: &arguments::Stats, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    let mut inputs = match inputs(&command.files) {
        Ok(inputs) => inputs,
        Err(error) => return terminal.fail(&error),
    };
    let count = inputs.len();
    if let Some(against) = &command.against {
        if count > 1 {
            return terminal.fail(&format!(
                "`--against` compares one file with another, and {count} are named"
            ));
        }
        match crate::input::inputs(&[command.files[0].clone(), against.clone()]) {
            Ok(all) if all.len() == 2 => inputs = all,
            Ok(all) => {
                let count = all.len() - 1;
                return terminal
                    .fail(&format!("`--against` takes one file, and {count} match the pattern"));
            }
            Err(error) => return terminal.fail(&error),
        }
    }
    let assembler = match Assembler::if_asked(command.ptxas, &command.assembler) {
        Ok(assembler) => assembler,
        Err(error) => return terminal.fail(&error),
    };
    let bounds = match command.bounds.as_deref().map(|path| Input::of(path).read_text()) {
        None => None,
        Some(Ok(text)) => Some(text),
        Some(Err(error)) => return terminal.fail(&error),
    };
    let (files, status) = counted(&inputs, assembler.as_ref(), terminal)?;
    if status != Status::Clean
        && (files.is_empty() || command.against.is_some() || bounds.is_some())
    {
        return Ok(status);
    }
    // The other file is not what is bounded.
    let bounded = if command.against.is_some() { &files[..1] } else { &files[..] };
    let checked = bounds.map(|text| bounds::exceeded(&text, bounded, command.ptxas));
    let exceeded = match (checked, &command.bounds) {
        (Some(Err(why)), Some(path)) => {
            return terminal.fail(&format!("`{}`: {why}", path.display()));
        }
        (Some(Ok(exceeded)), _) => exceeded,
        (_, _) => Vec::new(),
    };
    match (command.output.format(), &files[..]) {
        (OutputFormat::Json, [new, old]) if command.against.is_some() => {
            writeln!(terminal.out, "{}", json::difference(old, new, &exceeded)?)?;
        }
        (OutputFormat::Json, files) => {
            writeln!(terminal.out, "{}", json::document(files, &exceeded)?)?;
        }
        (OutputFormat::Text, [new, old]) if command.against.is_some() => {
            write!(terminal.out, "{}", text::difference(old, new))?;
        }
        (OutputFormat::Text, files) => write!(terminal.out, "{}", text::all(files))?,
    }
    terminal.out.flush()?;
    for exceeded in &exceeded {
        terminal.write_error(&message(exceeded))?;
    }
    Ok(if exceeded.is_empty() { status } else { Status::Errors })
}

/// The files that could be counted, in order, and whether that is all of them; what is wrong with the others is reported.
fn counted(
    inputs: &[Input],
    assembler: Option<&Assembler>,
    terminal: &mut Terminal<'_>,
) -> io::Result<(Vec<CountedFile>, Status)> {
    let progress = Progress::new(inputs.len(), terminal.is_watched, COUNTING);
    let (mut files, mut status) = (Vec::new(), Status::Clean);
    for_each(
        inputs,
        progress,
        |input| count_file(input, assembler),
        |outcome| {
            let failed = match outcome {
                Outcome::Counted(file) => {
                    files.push(file);
                    return Ok(());
                }
                Outcome::Syntax(name, parsed) => {
                    refuse_syntax(&name, &parsed, "so nothing is counted", terminal)?;
                    Status::Errors
                }
                Outcome::Refused(why) => {
                    terminal.write_error(&why)?;
                    Status::Errors
                }
                Outcome::Failed(why) => {
                    terminal.write_error(&why)?;
                    Status::Failed
                }
            };
            status = status.max(failed);
            Ok(())
        },
    )?;
    Ok((files, status))
}

fn count_file(input: &Input, assembler: Option<&Assembler>) -> Outcome {
    let name = input.name.clone();
    let parsed = match input.parse() {
        Ok(parsed) => parsed,
        Err(error) => return Outcome::Failed(error.to_string()),
    };
    if !parsed.syntax().is_empty() {
        return Outcome::Syntax(name, parsed);
    }
    let report = match assembler.map(|assembler| assembler.report(&parsed)).transpose() {
        Ok(report) => report,
        Err(why @ AssembleError::Refused { .. }) => {
            return Outcome::Refused(format!("`{name}`: {why}"));
        }
        Err(why) => return Outcome::Failed(format!("`{name}`: {why}")),
    };
    Outcome::Counted(CountedFile::of(name, &parsed, report.as_ref()))
}

fn message(Exceeded { file, name, key, value, bound }: &Exceeded) -> String {
    let of = match name {
        Some(name) => format!("`{name}` in {file}"),
        None => file.clone(),
    };
    format!("`{key}` of {of} is {value}, and the bound is {bound}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/stats.in/gemm.ptx");
        std::fs::read_to_string(path).expect("it is there")
    }

    /// Cut texts and changed bytes are counted without a panic, and the total is the sum of the functions.
    #[test]
    fn nothing_panics() {
        let text = text();
        for at in (0..text.len()).step_by(97) {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = b"{}[]();,.%7-\xFF\0"[at % 14];
            let cut = text.as_bytes()[..at].to_vec();
            for bytes in [bytes, cut] {
                let file = CountedFile::of("a".to_owned(), &Parsed::from_bytes(bytes), None);
                let sum: usize = file.functions.iter().map(|it| it.counts.statements()).sum();
                assert_eq!(file.total.statements(), sum);
                let files = [file];
                assert!(!text::all(&files).is_empty());
                assert_eq!(text::difference(&files[0], &files[0]), "no difference\n");
                let bounds = "[total]\nstatements = 0\n";
                let exceeded = bounds::exceeded(bounds, &files, false).expect("it is known");
                assert_eq!(exceeded.len(), usize::from(sum > 0));
            }
        }
    }
}
