//! `ptx diff`.

mod align;
mod body;
mod compare;
mod comparison;
mod declaration;
mod directives;
mod file;
mod json;
mod names;
mod number;
mod statements;
mod symbols;
mod text;

use std::io;

use crate::arguments::{self, OutputFormat};
use crate::input::inputs;
use crate::refusal::refuse_syntax;
use crate::terminal::{Status, Terminal};
use crate::verdict::Assembler;

use comparison::Comparison;

#[cfg(test)]
mod tests;

/// Compares two files, and writes what differs.
///
/// # Errors
/// It could not be written.
pub(crate) fn diff(command: &arguments::Diff, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    let inputs = match inputs(&[command.a.clone(), command.b.clone()]) {
        Ok(inputs) => inputs,
        Err(error) => return terminal.fail(&error),
    };
    let [a, b] = &inputs[..] else {
        let count = inputs.len();
        return terminal.fail(&format!("two files are compared, and the patterns match {count}"));
    };
    let assembler = match Assembler::if_asked(command.ptxas, &command.assembler) {
        Ok(assembler) => assembler,
        Err(error) => return terminal.fail(&error),
    };
    let mut parsed = Vec::new();
    for input in [a, b] {
        match input.parse() {
            Ok(file) => parsed.push(file),
            Err(error) => return terminal.fail(&error),
        }
    }
    let [one, other] = &parsed[..] else { return Ok(Status::Failed) };
    let mut is_refused = false;
    for (input, parsed) in [(a, one), (b, other)] {
        if !parsed.syntax().is_empty() {
            refuse_syntax(&input.name, parsed, "so nothing is compared", terminal)?;
            is_refused = true;
        }
    }
    if is_refused {
        return Ok(Status::Failed);
    }
    let files = comparison::files([one, other]);
    let mut comparison = Comparison::of([&files[0], &files[1]]);
    if let Some(assembler) = assembler {
        let reports = [(a, one), (b, other)].map(|(input, parsed)| {
            assembler.report(parsed).map_err(|why| format!("`{}`: {why}", input.name))
        });
        match reports {
            [Ok(one), Ok(other)] => comparison.resources([&one, &other]),
            refused => {
                for why in refused.iter().filter_map(|report| report.as_ref().err()) {
                    terminal.write_error(why)?;
                }
                return Ok(Status::Failed);
            }
        }
    }
    let names = [a.name.as_str(), b.name.as_str()];
    match command.output.format() {
        OutputFormat::Json => {
            let document = json::document(&comparison, names, command.context)?;
            writeln!(terminal.out, "{document}")?;
        }
        OutputFormat::Text => text::write(&comparison, names, command.context, terminal)?,
    }
    Ok(if comparison.is_empty() { Status::Clean } else { Status::Errors })
}
