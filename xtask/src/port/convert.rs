//! Converts the text of a PTX file to the text of a module.

use std::collections::HashSet;
use std::fmt::{self, Write as _};
use std::path::Path;

use super::allowance::Allowances;
use super::file::{read, stem};
use super::names::{Names, module_name};
use super::source::{Parsed, PieceKind, Source};
use super::writer::Writer;

/// A PTX file as a Rust module.
#[derive(Clone, Debug, Default)]
pub struct Converted {
    /// `#[ptx::module(..)] pub mod NAME { .. }`
    pub text: String,
    /// Descriptions of the parts without a form in Rust.
    pub left_out: Vec<String>,
}

impl Converted {
    /// The Rust name of the item that a line, from 1, belongs to.
    pub fn item_at(&self, line: usize) -> Option<&str> {
        let lines: Vec<&str> = self.text.lines().collect();
        let at = line.checked_sub(1).filter(|at| *at < lines.len())?;
        let is_attribute = |line: &str| line.starts_with("    #[");
        if is_attribute(lines[at]) {
            lines[at..].iter().find(|line| !is_attribute(line)).and_then(|line| item_name(line))
        } else {
            lines[..=at].iter().rev().find_map(|line| item_name(line))
        }
    }
}

/// The name that a line `    pub fn NAME(` or `    static NAME: ..` declares.
fn item_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("    ")?;
    let rest = rest.strip_prefix("pub ").unwrap_or(rest);
    let rest = rest.strip_prefix("fn ").or_else(|| rest.strip_prefix("static "))?;
    rest.split(['(', ':']).next()
}

/// Converts the text of a PTX file to a module with this name.
///
/// # Errors
/// If it is not valid PTX, or has no form in Rust; the error names the line.
pub fn convert(ptx: &str, module: &str, allowed: &Allowances) -> Result<Converted, String> {
    let parsed = Parsed::new(ptx);
    let at =
        |at: usize, why: &dyn fmt::Display| format!("line {}: {why}", parsed.position(at).line);
    if let Some(error) = parsed.syntax().first() {
        return Err(at(error.range.start, error));
    }
    let (source, ir) = (Source::of(&parsed), parsed.module());
    if let Some((word, place)) = source.refused {
        let why = format!("`{word}` has no form in Rust; leave what it says out");
        return Err(at(place, &why));
    }
    let words = parsed.pieces().filter(|piece| piece.kind == PieceKind::Word);
    let words = words.map(|piece| &parsed.text()[piece.at.range()]);
    let functions = ir.functions.iter().map(|function| function.name);
    let names = Names::of_file(functions, words);
    let mut writer = Writer { names, allowed, left_out: Vec::new() };
    let mut mode = "";
    for option in &source.options {
        match *option {
            "texmode_independent" => mode = ", texmode = independent",
            "texmode_unified" => {}
            "debug" => writer.left_out.push("`debug` of `.target`".to_owned()),
            other => {
                return Err(format!("`{other}` of `.target` has no form in Rust; remove it"));
            }
        }
    }
    let Source { target, version, .. } = source;
    let mut text = format!("#[ptx::module(target = {target}, version = \"{version}\"{mode})]\n");
    let _ = writeln!(text, "pub mod {module} {{\n    use super::*;");
    let mut written = HashSet::new();
    for item in &source.items {
        let functions = ir.functions.iter().filter(|function| function.name == item.name);
        let defined = functions.clone().find(|function| function.body.is_some());
        let is_new = written.insert(item.name);
        let differ =
            || format!("`{}` is declared in several ways; leave all but one out", item.name);
        let outcome = if !item.is_function {
            // Of several declarations of a variable, the IR has one, unless they differ.
            let mut variables = ir.variables.iter().filter(|it| it.name == item.name);
            match (variables.next(), variables.next(), is_new) {
                (Some(variable), None, true) => writer.variable(variable, item),
                (Some(_), None, false) => continue,
                (None, ..) | (_, Some(_), _) => Err(differ()),
            }
        } else if item.body.is_none() && (!is_new || defined.is_some()) {
            // A declaration before its definition adds nothing.
            if is_new {
                writer.names.of_declaration(item.name);
                written.remove(item.name);
            }
            continue;
        } else if !is_new {
            Err(format!("`{}` has two bodies; leave one of them out", item.name))
        } else {
            let function = if item.body.is_some() { defined } else { functions.clone().next() };
            function.ok_or_else(differ).and_then(|function| writer.function(function, item))
        };
        let _ = write!(text, "\n{}", outcome.map_err(|why| at(item.at, &why))?);
    }
    text.push_str("}\n");
    Ok(Converted { text, left_out: writer.left_out })
}

/// The converted text of a file, followed by comments that list what was left out.
///
/// # Errors
/// As [`convert`], with the name of the file; or if it cannot be read.
pub fn convert_file(path: &Path) -> Result<String, String> {
    let module = module_name(&stem(path)?);
    let converted = convert(&read(path)?, &module, &Allowances::default());
    let Converted { mut text, left_out } =
        converted.map_err(|why| format!("{}: {why}", path.display()))?;
    for what in left_out {
        let _ = writeln!(text, "// Left out: {what}.");
    }
    Ok(text)
}
