//! The command.

use std::io;
use std::path::Path;

use super::{Allowances, Options, allow_hazards, convert, module_name};
use crate::arguments;
use crate::finding::Finding;
use crate::input::Input;
use crate::made::Making;
use crate::terminal::{Status, Terminal};

/// Converts a file, and writes the module, or everything that is in the way.
///
/// # Errors
/// It could not be written.
pub(crate) fn import(
    command: &arguments::Import,
    terminal: &mut Terminal<'_>,
) -> io::Result<Status> {
    let input = Input::of(&command.file);
    let making = Making {
        file: &input.name.clone(),
        output: command.output.as_deref(),
        format: &command.format,
        so: "so there is no module",
    };
    let parsed = match input.parse() {
        Ok(parsed) => parsed,
        Err(error) => return making.fail(&error, terminal),
    };
    let mut allowed = Allowances::default();
    if command.allow_hazards && parsed.syntax().is_empty() {
        allow_hazards(&parsed, &mut allowed);
    }
    let module = command.name.clone().unwrap_or_else(|| module(&command.file, &input));
    let options = Options { module: &module, allowed: &allowed, places: command.places };
    let converted = match convert(&parsed, &options) {
        Ok(converted) => converted,
        Err(refused) => {
            let findings = refused.into_iter().map(|found| Finding::of(&parsed, found)).collect();
            return making.refuse(findings, terminal);
        }
    };
    let prelude = if converted.uses_prelude { "use ptx::prelude::*;\n\n" } else { "" };
    let text = format!("{prelude}{}", converted.text);
    making.show((&module, &text), &converted.left_out, terminal)
}

/// The name of the module of a file.
fn module(file: &Path, input: &Input) -> String {
    match file.file_stem().and_then(|stem| stem.to_str()) {
        Some(stem) if !input.is_stdin() => module_name(stem),
        _ => "kernels".to_owned(),
    }
}
