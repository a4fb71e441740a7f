//! Files that are not PTX.

use std::io;

use ptx_text::Parsed;

use crate::checked::{Checked, Totals};
use crate::finding::Finding;
use crate::render::Rendering;
use crate::terminal::Terminal;

/// Reports the syntax errors of a file, and what follows from them.
pub(crate) fn refuse(
    name: &str,
    parsed: &Parsed,
    so: &str,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    let findings = parsed.syntax().iter().cloned();
    let findings: Vec<Finding> =
        findings.map(|diagnostic| Finding::of(parsed, diagnostic)).collect();
    let mut rendering = Rendering::new(terminal.has_color_in_errors, terminal.width);
    for finding in &findings {
        write!(terminal.err, "{}", rendering.finding(name, finding))?;
    }
    let mut totals = Totals::default();
    totals.add(&Checked { name: name.to_owned(), findings, allowed: 0, failure: None });
    let name = annotate_snippets::normalize_untrusted_str(name);
    writeln!(terminal.err, "{}, {so}", totals.summary(Some(&name)))
}
