//! `ptx layout`.

mod json;
mod picture;
mod svg;

use std::io;

use ptx_emit::MemoryMap;

use crate::arguments::{self, LayoutFormat};
use crate::input::Input;
use crate::refusal::refuse_syntax;
use crate::terminal::{Status, Terminal};

/// Shows the layout of a file's storage; for a file that is not PTX, the errors.
///
/// # Errors
/// It could not be written.
pub(crate) fn layout(
    command: &arguments::Layout,
    terminal: &mut Terminal<'_>,
) -> io::Result<Status> {
    let input = Input::of(&command.file);
    let parsed = match input.parse() {
        Ok(parsed) => parsed,
        Err(error) => return terminal.fail(&error),
    };
    if !parsed.syntax().is_empty() {
        refuse_syntax(&input.name, &parsed, "so there is no layout", terminal)?;
        return Ok(Status::Errors);
    }
    let module = parsed.module();
    let map = MemoryMap::of(module);
    match command.format() {
        LayoutFormat::Json => {
            writeln!(terminal.out, "{}", json::document(&input.name, module, &map)?)?;
        }
        LayoutFormat::Svg => write!(terminal.out, "{}", picture::of(&input.name, module, &map))?,
        LayoutFormat::Text => {
            write!(terminal.out, "{map}")?;
            let places = map.places().to_string();
            if !places.is_empty() {
                write!(terminal.out, "\n{places}")?;
            }
        }
    }
    Ok(Status::Clean)
}
