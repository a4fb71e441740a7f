//! The command.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use ptx_frontend::Arena;
use ptx_frontend::structs::Structs;

use super::types::module_path;
use super::{Allowances, Options, Types, allow_hazards, convert, module_name};
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
    let inputs = [&command.file].into_iter().chain(&command.structs);
    let inputs: Vec<Input> = inputs.map(|file| Input::of(file)).collect();
    if let Some(why) = making.replaces(&inputs) {
        return making.fail(&why, terminal);
    }
    let parsed = match input.parse() {
        Ok(parsed) => parsed,
        Err(error) => return making.fail(&error, terminal),
    };
    let mut allowed = Allowances::default();
    if command.allow_hazards && parsed.syntax().is_empty() {
        allow_hazards(&parsed, &mut allowed);
    }
    let module = command.name.clone().unwrap_or_else(|| module(&command.file, &input));
    let (mut structs, arena) = (Structs::default(), Arena::new());
    let mut uses = String::new();
    for file in &command.structs {
        match add_structs(file, &command.types, &mut structs) {
            Ok(line) => uses += &line,
            Err(why) => return making.fail(&why, terminal),
        }
    }
    let types = match Types::of(&command.types, &structs, parsed.module(), &arena) {
        Ok(types) => types,
        Err(why) => return making.fail_each(&why, terminal),
    };
    let options =
        Options { module: &module, allowed: &allowed, types: &types, places: command.places };
    let converted = match convert(&parsed, &options) {
        Ok(converted) => converted,
        Err(refused) => {
            let findings = refused.into_iter().map(|found| Finding::of(&parsed, found)).collect();
            return making.refuse(findings, terminal);
        }
    };
    let prelude = if converted.uses_prelude { "use ptx::prelude::*;\n\n" } else { "" };
    let text = if uses.is_empty() {
        format!("{prelude}{}", converted.text)
    } else {
        format!("{}\n{uses}\n{}", prelude.trim_end_matches('\n'), converted.text)
    };
    making.show((&module, &text), &converted.left_out, terminal)
}

/// Adds the structs of a Rust file, and returns the line that brings those into scope that types name.
fn add_structs(
    file: &Path,
    types: &[(String, String)],
    structs: &mut Structs,
) -> Result<String, String> {
    let input = Input::of(file);
    let text = input.read_text().map_err(|error| error.to_string())?;
    let known: BTreeSet<String> = structs.names().map(str::to_owned).collect();
    structs.add(&text).map_err(|error| {
        let start = error.span().start();
        format!("{}:{}:{}: {error}", input.name, start.line, start.column + 1)
    })?;
    let mut named = BTreeSet::new();
    for (_, rust) in types {
        let words = rust.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        named.extend(words.filter(|word| structs.declares(word) && !known.contains(*word)));
    }
    let named: Vec<&str> = named.into_iter().collect();
    let path = module_path(file);
    Ok(match named.as_slice() {
        [] => String::new(),
        [name] => format!("use {path}::{name};\n"),
        names => format!("use {path}::{{{}}};\n", names.join(", ")),
    })
}

/// The name of the module of a file.
fn module(file: &Path, input: &Input) -> String {
    match file.file_stem().and_then(|stem| stem.to_str()) {
        Some(stem) if !input.is_stdin() => module_name(stem),
        _ => "kernels".to_owned(),
    }
}
