//! `ptx min`.

mod asked;
mod file;
mod header;
mod json;
mod lowest;
mod note;
mod problem;
mod text;

use std::io;

use self::file::{File, Outcome};
use self::header::Header;
use self::lowest::{Conflict, Lowest, kernels, lowest, runs_wherever};
use crate::arguments::{self, OutputFormat};
use crate::finding::Finding;
use crate::input::{Input, inputs};
use crate::output;
use crate::parallel::for_each;
use crate::progress::{Doing, Progress};
use crate::render::Rendering;
use crate::terminal::{Status, Terminal};
use crate::verdict::Assembler;

/// What the progress line says.
const READING: Doing = Doing { now: "reading", done: "read" };

/// Shows what the files need, or sets it in them.
///
/// # Errors
/// The output could not be written.
pub(crate) fn min(command: &arguments::Min, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    let inputs = match inputs(&command.files) {
        Ok(inputs) => inputs,
        Err(error) => return terminal.fail(&error),
    };
    if command.write && inputs.iter().any(|input| input.path().is_none()) {
        return terminal
            .fail(&"`-`, the standard input, is not a file to write; leave `--write` out");
    }
    let find = || Assembler::find(command.path.ptxas_path.as_deref(), None);
    let assembler = match command.ptxas.then(find).transpose() {
        Ok(assembler) => assembler,
        Err(error) => return terminal.fail(&error),
    };
    let mut files = Vec::new();
    let mut status = Status::Clean;
    let mut rendering = Rendering::new(terminal.has_color, terminal.width);
    let progress = Progress::new(inputs.len(), terminal.is_watched, READING);
    let work = |input: &Input| file(command, assembler.as_ref(), input);
    for_each(&inputs, progress, work, |file| {
        if let Some(failure) = &file.failure {
            terminal.write_error(failure)?;
        }
        status = status.max(file.status(command.check));
        match command.output.format() {
            OutputFormat::Text => {
                terminal.out.write_all(text::of(&file, command.all, &mut rendering).as_bytes())?;
                terminal.out.flush()
            }
            OutputFormat::Json => {
                files.push(file);
                Ok(())
            }
        }
    })?;
    if command.output.format() == OutputFormat::Json {
        writeln!(terminal.out, "{}", json::document(&files)?)?;
    }
    Ok(status)
}

fn file(command: &arguments::Min, assembler: Option<&Assembler>, input: &Input) -> File {
    let mut file =
        File { name: input.name.clone(), failure: None, errors: Vec::new(), outcome: None };
    let parsed = match input.parse() {
        Ok(parsed) => parsed,
        Err(error) => return File { failure: Some(error.to_string()), ..file },
    };
    if !parsed.syntax().is_empty() {
        let found = parsed.syntax().iter().cloned();
        file.errors = found.map(|diagnostic| Finding::of(&parsed, diagnostic)).collect();
        return file;
    }
    let header = match Header::of(&parsed) {
        Ok(header) => header,
        Err(why) => return File { failure: Some(format!("`{}`: {why}", input.name)), ..file },
    };
    let mut lowest = match lowest(&parsed, &header) {
        Ok(lowest) => lowest,
        Err(Conflict { needs }) => {
            let help = "no target has all of this; use other instructions";
            file.errors = needs.iter().map(|it| note::error(&parsed, it, Some(help))).collect();
            return file;
        }
    };
    if let Some(assembler) = assembler {
        match asked::raise(&parsed, &header, assembler, &mut lowest) {
            Ok(errors) if errors.is_empty() => {}
            Ok(errors) => return File { errors, ..file },
            Err(why) => return File { failure: Some(format!("`{}`: {why}", input.name)), ..file },
        }
    }
    let Lowest { level, for_target, family, for_version, unknown } = lowest;
    let help = "pass `--ptxas` to have one asked what it needs";
    file.errors = unknown.iter().map(|it| note::error(&parsed, it, Some(help))).collect();
    let declared = header.declared();
    let mut is_written = false;
    if let (true, true, Some(path)) = (command.write, file.errors.is_empty(), input.path())
        && level != declared
    {
        match output::write(path, &header.with(parsed.bytes(), level).bytes) {
            Ok(()) => is_written = true,
            Err(error) => file.failure = Some(error.to_string()),
        }
    }
    let notes = |found: &[_]| found.iter().map(|it| note::note(&parsed, it)).collect();
    file.outcome = Some(Outcome {
        declared,
        lowest: level,
        for_target: notes(&for_target),
        family: family.filter(|family| runs_wherever(*family, level.target)),
        for_version: notes(&for_version),
        kernels: if command.all { kernels(&parsed, &header) } else { Vec::new() },
        is_written,
    });
    file
}
