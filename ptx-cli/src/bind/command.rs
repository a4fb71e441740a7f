//! The command.

use std::collections::BTreeSet;
use std::io;

use ptx_frontend::import::Declared;
use ptx_text::Kind;

use super::path;
use super::types::invocation;
use crate::arguments;
use crate::finding::Finding;
use crate::import::module_name;
use crate::input::Input;
use crate::made::Making;
use crate::terminal::{Status, Terminal};

/// Writes the bindings of a file; for a file that is not PTX, the errors.
///
/// # Errors
/// They could not be written.
pub(crate) fn bind(command: &arguments::Bind, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    let input = Input::of(&command.file);
    let making = Making {
        file: &input.name.clone(),
        output: command.output.as_deref(),
        format: &command.format,
        so: "so there are no bindings",
    };
    if input.is_stdin() {
        let why = "`ptx::import!` reads a file, which the standard input is not; name one";
        return making.fail(&why, terminal);
    }
    if let Some(why) = making.replaces(std::slice::from_ref(&input)) {
        return making.fail(&why, terminal);
    }
    let parsed = match input.parse() {
        Ok(parsed) => parsed,
        Err(error) => return making.fail(&error, terminal),
    };
    if !parsed.syntax().is_empty() {
        let findings = parsed.syntax().iter().cloned();
        let findings = findings.map(|found| Finding::of(&parsed, found)).collect();
        return making.refuse(findings, terminal);
    }
    let mut allowed = BTreeSet::new();
    if command.allow_hazards {
        let found = parsed.check().into_iter();
        allowed.extend(found.filter(|it| it.kind == Kind::Hazard).filter_map(|it| it.code));
    }
    let allowed: Vec<&str> = allowed.into_iter().collect();
    let stem = command.file.file_stem().unwrap_or_default().to_string_lossy();
    let module = command.name.clone().unwrap_or_else(|| module_name(&stem));
    let path = path::from(&command.file, command.output.as_deref());
    let shown = command.file.file_name().unwrap_or_default().to_string_lossy();
    let declared = Declared::of(parsed.module());
    let text = invocation(&module, &path, &shown, &declared, &allowed);
    making.show((&module, &text), &[], terminal)
}
