//! Converts the text of a PTX file to the text of a module.

use std::fmt::Write as _;
use std::path::Path;

use super::allowance::Allowances;
use super::file::{read, stem};
use super::parse::Parser;
use super::{names, tokens};

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
    let text = tokens::strip(ptx);
    let mut parser = Parser::new(&text, allowed);
    let outcome = parser.parse_file();
    outcome.map_err(|why| format!("line {}: {why}", parser.tokens.line()))?;
    let Parser { header, items, defined, left_out, .. } = parser;
    let missing = |directive| format!("there is no `{directive}`; is this a complete PTX file?");
    let target = header.target.ok_or_else(|| missing(".target"))?;
    let version = header.version.ok_or_else(|| missing(".version"))?;
    let mode = if header.is_independent { ", texmode = independent" } else { "" };
    let mut text = format!("#[ptx::module(target = {target}, version = \"{version}\"{mode})]\n");
    let _ = writeln!(text, "pub mod {module} {{\n    use super::*;");
    for item in items {
        // A declaration before its definition adds nothing.
        if item.declares.is_none_or(|name| !defined.contains(&name)) {
            let _ = write!(text, "\n{}", item.text);
        }
    }
    text.push_str("}\n");
    Ok(Converted { text, left_out })
}

/// The converted text of a file, followed by comments that list what was left out.
///
/// # Errors
/// As [`convert`], with the name of the file; or if it cannot be read.
pub fn convert_file(path: &Path) -> Result<String, String> {
    let module = names::module_name(&stem(path)?);
    let converted = convert(&read(path)?, &module, &Allowances::default());
    let Converted { mut text, left_out } =
        converted.map_err(|why| format!("{}: {why}", path.display()))?;
    for what in left_out {
        let _ = writeln!(text, "// Left out: {what}.");
    }
    Ok(text)
}
