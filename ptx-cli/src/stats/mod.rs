//! `ptx stats`.

mod bounds;
mod count;
mod json;
mod kind;
mod outcome;
mod text;

use std::io;

use ptx_emit::ptxas::AssembleError;

use crate::arguments::{self, OutputFormat};
use crate::finding::Finding;
use crate::input::{Input, inputs};
use crate::parallel::for_each;
use crate::progress::{Doing, Progress};
use crate::refusal::refuse;
use crate::terminal::{Status, Terminal};
use crate::verdict::Assembler;

use bounds::Exceeded;
use count::CountedFile;
use outcome::Outcome;

/// What the progress line says.
const COUNTING: Doing = Doing { now: "counting", done: "counted" };

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
    let is_json = command.output.format() == OutputFormat::Json;
    let (outcomes, status) = counted(&inputs, assembler.as_ref(), terminal)?;
    let counted = outcomes.iter().filter_map(|outcome| match outcome {
        Outcome::Counted(file) => Some(file.clone()),
        _ => None,
    });
    let files: Vec<CountedFile> = counted.collect();
    if status != Status::Clean
        && (files.is_empty() || command.against.is_some() || bounds.is_some())
    {
        // Nothing is compared, but a document says which files are the reason.
        if is_json {
            writeln!(terminal.out, "{}", json::document(&outcomes, &[])?)?;
        }
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
        (OutputFormat::Json, _) => {
            writeln!(terminal.out, "{}", json::document(&outcomes, &exceeded)?)?;
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

/// The files in order, and whether all of them could be counted; what is wrong with the others is reported.
fn counted(
    inputs: &[Input],
    assembler: Option<&Assembler>,
    terminal: &mut Terminal<'_>,
) -> io::Result<(Vec<Outcome>, Status)> {
    let progress = Progress::new(inputs.len(), terminal.is_watched, COUNTING);
    let (mut files, mut status) = (Vec::new(), Status::Clean);
    for_each(
        inputs,
        progress,
        |input| count_file(input, assembler),
        |outcome| {
            let failed = match &outcome {
                Outcome::Counted(_) => Status::Clean,
                Outcome::Syntax(name, findings) => {
                    refuse(name, findings.clone(), "so nothing is counted", terminal)?;
                    Status::Errors
                }
                Outcome::Refused(_, why) => {
                    terminal.write_error(why)?;
                    Status::Errors
                }
                Outcome::Failed(_, why) => {
                    terminal.write_error(why)?;
                    Status::Failed
                }
            };
            files.push(outcome);
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
        Err(error) => return Outcome::Failed(name, error.to_string()),
    };
    if !parsed.syntax().is_empty() {
        let findings = parsed.syntax().iter().cloned();
        return Outcome::Syntax(name, findings.map(|it| Finding::of(&parsed, it)).collect());
    }
    let report = match assembler.map(|assembler| assembler.report(&parsed)).transpose() {
        Ok(report) => report,
        Err(why @ AssembleError::Refused { .. }) => {
            let why = format!("`{name}`: {why}");
            return Outcome::Refused(name, why);
        }
        Err(why) => {
            let why = format!("`{name}`: {why}");
            return Outcome::Failed(name, why);
        }
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
    use ptx_text::Parsed;

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
