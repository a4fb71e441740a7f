//! Files that a command cannot use.

use std::io;

use ptx_text::Parsed;

use crate::checked::{Checked, Totals};
use crate::finding::Finding;
use crate::render::Rendering;
use crate::terminal::Terminal;

/// Reports the syntax errors of a file, and what there is not because of them.
///
/// # Errors
/// It could not be written.
pub(crate) fn refuse_syntax(
    name: &str,
    parsed: &Parsed,
    so: &str,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    let findings = parsed.syntax().iter().cloned();
    let findings = findings.map(|diagnostic| Finding::of(parsed, diagnostic)).collect();
    refuse(name, findings, so, terminal)
}

/// Reports why a file cannot be used, and what there is not because of that: "so there is no layout".
///
/// # Errors
/// It could not be written.
pub(crate) fn refuse(
    name: &str,
    findings: Vec<Finding>,
    so: &str,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    let mut rendering = Rendering::new(terminal.has_color_in_errors, terminal.width);
    for finding in &findings {
        write!(terminal.err, "{}", rendering.finding(name, finding))?;
    }
    let mut totals = Totals::default();
    totals.add(&Checked { name: name.to_owned(), findings, allowed: 0, failure: None });
    let name = annotate_snippets::normalize_untrusted_str(name);
    writeln!(terminal.err, "{}, {so}", totals.summary(Some(&name)))
}
