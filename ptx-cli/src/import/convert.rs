//! Converts a PTX file to the text of a module.

use std::collections::HashSet;
use std::fmt::Write as _;

use ptx_text::{Diagnostic, Parsed, PieceKind};

use super::allowance::Allowances;
use super::names::Names;
use super::source::{Item, Source};
use super::types::Types;
use super::writer::Writer;

/// How a file becomes a module.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// The name of the module.
    pub module: &'o str,
    /// The hazards that are allowed in its items, beyond those that the file allows.
    pub allowed: &'o Allowances,
    /// The types of variables and parameters that are not those of the file.
    pub types: &'o Types<'o>,
    /// Whether accesses at known offsets are written as places: `[row[3]]` for `[row+12]`.
    pub places: bool,
}

/// A PTX file as a Rust module.
#[derive(Clone, Debug, Default)]
pub struct Converted {
    /// `#[ptx::module(..)] pub mod NAME { .. }`
    pub text: String,
    /// Whether it uses names from around it, which are those of `ptx::prelude`.
    pub uses_prelude: bool,
    /// Descriptions of the parts that the module does not have: they change nothing that runs.
    pub left_out: Vec<String>,
}

impl Converted {
    /// The Rust name of the item that a line, from 1, belongs to.
    pub fn item_at(&self, line: usize) -> Option<&str> {
        let lines: Vec<&str> = self.text.lines().collect();
        let at = line.checked_sub(1).filter(|at| *at < lines.len())?;
        let is_before = |line: &str| line.starts_with("    #[") || line.starts_with("    ///");
        if is_before(lines[at]) {
            lines[at..].iter().find(|line| !is_before(line)).and_then(|line| item_name(line))
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

/// Converts a PTX file to a module.
///
/// # Errors
/// The text is not valid PTX, or something in it has no form in a module: everything that is in the way, with its place.
pub fn convert(parsed: &Parsed, options: &Options<'_>) -> Result<Converted, Vec<Diagnostic>> {
    if !parsed.syntax().is_empty() {
        return Err(parsed.syntax().to_vec());
    }
    let source = Source::of(parsed);
    let mut writer = Writer {
        parsed,
        names: names(parsed, &source),
        allowed: options.allowed,
        types: options.types,
        places: options.places,
        left_out: Vec::new(),
        uses_prelude: false,
        refused: Vec::new(),
    };
    for (word, why, at) in &source.refused {
        writer.refuse(at.clone(), format!("`{word}` has no form in a module; {why}"));
    }
    let mut mode = "";
    for (option, at) in &source.options {
        match *option {
            "texmode_independent" => mode = ", texmode = independent",
            "texmode_unified" => {}
            "debug" => writer.left_out.push("`debug` of `.target`".to_owned()),
            other => {
                let why = format!("`{other}` of `.target` has no form in a module; leave it out");
                writer.refuse(at.clone(), why);
            }
        }
    }
    if source.has_lines {
        writer.left_out.push(
            "the lines of another source, `.file` and `.loc`; `line_info = true` names those of the module"
                .to_owned(),
        );
    }
    let Source { target, version, .. } = source;
    let mut text = format!("#[ptx::module(target = {target}, version = {version}{mode})]\n");
    let mut written = HashSet::new();
    let items: Vec<String> =
        source.items.iter().filter_map(|item| writer.item(item, &mut written)).collect();
    let Writer { left_out, uses_prelude, mut refused, .. } = writer;
    let _ = writeln!(text, "pub mod {} {{", options.module);
    if uses_prelude {
        text.push_str("    use super::*;\n\n");
    }
    let _ = writeln!(text, "{}}}", items.join("\n"));
    if refused.is_empty() {
        return Ok(Converted { text, uses_prelude, left_out });
    }
    refused.sort_by_key(|found| found.range.start);
    Err(refused)
}

impl<'a> Writer<'a> {
    /// The text of an item; `None` for a declaration that adds nothing, and for what has no form in a module.
    fn item(&mut self, item: &Item<'a>, written: &mut HashSet<&'a str>) -> Option<String> {
        let ir = self.parsed.module();
        let is_new = written.insert(item.name);
        let outcome = if item.is_function {
            let functions = ir.functions.iter().filter(|function| function.name == item.name);
            let defined = functions.clone().find(|function| function.body.is_some());
            if item.body.is_none() && (!is_new || defined.is_some()) {
                // A declaration before its definition adds nothing.
                if is_new {
                    written.remove(item.name);
                }
                return None;
            }
            let function = if item.body.is_some() { defined } else { functions.clone().next() };
            match function {
                Some(_) if !is_new => {
                    Err(format!("`{}` has two bodies; leave one of them out", item.name))
                }
                Some(function) => self.function(function, item),
                None => Err(differ(item.name)),
            }
        } else {
            // Of several declarations of a variable, the IR has one, unless they differ.
            let mut variables = ir.variables.iter().filter(|it| it.name == item.name);
            match (variables.next(), variables.next(), is_new) {
                (Some(variable), None, true) => self.variable(variable, item),
                (Some(_), None, false) => return None,
                (None, ..) | (_, Some(_), _) => Err(differ(item.name)),
            }
        };
        match outcome {
            Ok(text) => Some(docs(item) + &text),
            Err(why) => {
                self.refuse(item.at.clone(), why);
                None
            }
        }
    }
}

/// The documentation of an item.
fn docs(item: &Item<'_>) -> String {
    let is_text = |line: &String| !line.is_empty();
    let first = item.docs.iter().position(is_text).unwrap_or_default();
    let end = item.docs.iter().rposition(is_text).map_or(first, |at| at + 1);
    let lines = item.docs[first..end].iter().map(|line| format!("    /// {line}"));
    lines.map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn differ(name: &str) -> String {
    format!("`{name}` is declared in several ways; leave all but one out")
}

/// The names of a file's items.
pub(super) fn names<'p>(parsed: &'p Parsed, source: &Source<'p>) -> Names<'p> {
    let words = parsed.pieces().filter(|piece| piece.kind == PieceKind::Word);
    let words = words.map(|piece| &parsed.text()[piece.at.range()]);
    let functions = parsed.module().functions.iter().map(|function| function.name);
    let items = source.items.iter().map(|item| item.name);
    Names::of_items(items, functions, words)
}
