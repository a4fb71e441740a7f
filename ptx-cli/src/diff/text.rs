//! A comparison as text.

use std::fmt::Write as _;
use std::io;

use annotate_snippets::renderer::{
    DEFAULT_ADDITION_STYLE, DEFAULT_EMPHASIS_STYLE, DEFAULT_REMOVAL_STYLE, Style,
};
use ptx_isa::count::Count;

use super::compare::Step;
use super::comparison::{Change, Comparison, FunctionChange};
use super::statements::{Shown, Statements};
use crate::table::write_table;
use crate::terminal::Terminal;

/// Writes what differs, with so many statements around each difference.
pub(super) fn write(
    comparison: &Comparison<'_, '_>,
    names: [&str; 2],
    context: usize,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    let mut parts: Vec<String> = Vec::new();
    if !comparison.rows.is_empty() {
        parts.push(table(comparison, names));
    }
    let variables = comparison.variables.iter().map(|change| {
        let mut text = String::new();
        heading(&mut text, comparison, names, "variable", change);
        text
    });
    let variables: String = variables.collect();
    if !variables.is_empty() {
        parts.push(variables);
    }
    let styles = if terminal.has_color {
        [DEFAULT_EMPHASIS_STYLE, DEFAULT_REMOVAL_STYLE, DEFAULT_ADDITION_STYLE]
    } else {
        [Style::new(); 3]
    };
    for change in &comparison.functions {
        parts.push(function(comparison, names, change, context, styles));
    }
    write!(terminal.out, "{}", parts.join("\n"))
}

fn table(comparison: &Comparison<'_, '_>, names: [&str; 2]) -> String {
    let mut rows = vec![[String::new(), names[0].to_owned(), names[1].to_owned()]];
    for row in &comparison.rows {
        let what = match &row.of {
            Some(of) => format!("{} of {of}", row.what),
            None => row.what.clone(),
        };
        let [a, b] = row.values.clone().map(|value| value.unwrap_or_else(|| "-".to_owned()));
        rows.push([what, a, b]);
    }
    write_table(&rows, &[1, 2])
}

/// Which symbol differs, and how.
fn heading(
    text: &mut String,
    comparison: &Comparison<'_, '_>,
    names: [&str; 2],
    kind: &str,
    change: &Change,
) {
    let name = comparison.name(change.symbols);
    let line = |side: usize| {
        let file = comparison.files[side];
        change.symbols[side].map(|n| file.line(file.symbols[n].site))
    };
    let place = match (line(0), line(1)) {
        (Some(a), Some(b)) => format!("lines {a} and {b}"),
        (Some(line), None) => format!("only in {}, line {line}", names[0]),
        (None, Some(line)) => format!("only in {}, line {line}", names[1]),
        (None, None) => String::new(),
    };
    let _ = writeln!(text, "{kind} {name}: {place}");
    for note in &change.notes {
        let _ = writeln!(text, "  {note}");
    }
}

fn function(
    comparison: &Comparison<'_, '_>,
    names: [&str; 2],
    FunctionChange { change, difference }: &FunctionChange,
    context: usize,
    [emphasis, removal, addition]: [Style; 3],
) -> String {
    let mut text = String::new();
    let mut head = String::new();
    heading(&mut head, comparison, names, comparison.kind(change.symbols), change);
    let (first, rest) = head.split_once('\n').unwrap_or_default();
    let _ = write!(text, "{emphasis}{first}{emphasis:#}");
    let count =
        |is_it: fn(&Step) -> bool| difference.steps.iter().filter(|step| is_it(step)).count();
    let removed = count(|step| matches!(step, Step::Removed(_)));
    let added = count(|step| matches!(step, Step::Added(_)));
    if removed + added > 0 {
        let _ = write!(text, "; {} removed, {added} added", Count(removed, "statement"));
    }
    let _ = writeln!(text, "\n{rest}");
    text.truncate(text.trim_end().len());
    text.push('\n');
    let Some(statements) = Statements::of(comparison, change.symbols) else { return text };
    let width = statements.width(difference);
    let mut is_first = true;
    for hunk in statements.hunks(difference, context) {
        if !std::mem::take(&mut is_first) {
            let _ = writeln!(text, "{:>1$}", "..", 2 * width + 5);
        }
        for Shown { lines, text: statement, notes, .. } in hunk {
            let [a, b] = lines.map(|line| line.map_or_else(String::new, |line| line.to_string()));
            let (sign, style) = match lines {
                [Some(_), Some(_)] => (' ', Style::new()),
                [Some(_), None] => ('-', removal),
                _ => ('+', addition),
            };
            let line = format!("{a:>width$} {b:>width$} {sign} {statement}");
            let _ = writeln!(text, "  {style}{line}{style:#}");
            for note in notes {
                let _ = writeln!(text, "  {:>1$} {note}", "", 2 * width + 3);
            }
        }
    }
    text
}
