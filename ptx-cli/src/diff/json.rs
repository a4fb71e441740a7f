//! A comparison as one JSON document.

use serde::Serialize;

use super::comparison::{Change, Comparison, FunctionChange};
use super::statements::Statements;
use crate::json;

#[derive(Serialize)]
struct Document<'c> {
    files: [&'c str; 2],
    is_equal: bool,
    /// Sizes, alignments, registers, directives, target and version that differ.
    properties: Vec<Property<'c>>,
    variables: Vec<Symbol<'c>>,
    functions: Vec<Function<'c>>,
}

#[derive(Serialize)]
struct Property<'c> {
    what: &'c str,
    /// The name in backticks of what has it; `null` for the module.
    of: Option<&'c str>,
    /// `null` if the file does not have it.
    values: &'c [Option<String>; 2],
}

#[derive(Serialize)]
struct Symbol<'c> {
    /// `null` if the file does not have it.
    names: [Option<&'c str>; 2],
    lines: [Option<u32>; 2],
    notes: &'c [String],
}

#[derive(Serialize)]
struct Function<'c> {
    #[serde(flatten)]
    symbol: Symbol<'c>,
    kind: &'static str,
    /// The statements that differ, with those around them, in groups.
    statements: Vec<Vec<Statement>>,
}

#[derive(Serialize)]
struct Statement {
    /// `null` in a file that does not have it.
    lines: [Option<u32>; 2],
    text: String,
    notes: Vec<String>,
}

/// The document.
pub(super) fn document(
    comparison: &Comparison<'_, '_>,
    files: [&str; 2],
    context: usize,
) -> serde_json::Result<String> {
    let properties = comparison.rows.iter().map(|row| Property {
        what: &row.what,
        of: row.of.as_deref(),
        values: &row.values,
    });
    let function = |it: &'_ FunctionChange| {
        let statements = Statements::of(comparison, it.change.symbols);
        let hunks = statements.map(|it_is| it_is.hunks(&it.difference, context));
        let hunks = hunks.unwrap_or_default().into_iter().map(|hunk| {
            let shown = hunk.into_iter();
            shown.map(|it| Statement { lines: it.lines, text: it.text, notes: it.notes }).collect()
        });
        hunks.collect::<Vec<Vec<Statement>>>()
    };
    let functions = comparison.functions.iter().map(|it| Function {
        symbol: symbol(comparison, &it.change),
        kind: comparison.kind(it.change.symbols),
        statements: function(it),
    });
    json::document(&Document {
        files,
        is_equal: comparison.is_empty(),
        properties: properties.collect(),
        variables: comparison.variables.iter().map(|it| symbol(comparison, it)).collect(),
        functions: functions.collect(),
    })
}

fn symbol<'c>(comparison: &'c Comparison<'_, '_>, change: &'c Change) -> Symbol<'c> {
    let of = |side: usize| change.symbols[side].map(|n| &comparison.files[side].symbols[n]);
    Symbol {
        names: [0, 1].map(|side| of(side).map(|symbol| symbol.name)),
        lines: [0, 1].map(|side| of(side).map(|symbol| comparison.files[side].line(symbol.site))),
        notes: &change.notes,
    }
}
