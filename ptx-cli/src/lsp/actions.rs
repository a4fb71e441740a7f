//! Fixes of findings that are one edit, and allowances.

use std::collections::HashMap;
use std::ops::Range;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, TextEdit, WorkspaceEdit,
};
use ptx_text::Parsed;

use super::changed::{LEAST, reduced};
use super::diagnostics::{diagnostic, findings};
use super::document::Document;
use super::settings::Settings;
use crate::finding::{Finding, Kind, Level};

/// The most bytes of a text all of which is checked again with each fix.
const MOST: usize = 1 << 18;

/// The fixes and allowances of the findings in a range.
pub(super) fn actions(
    document: &Document,
    params: &CodeActionParams,
    settings: &Settings,
) -> Vec<CodeActionOrCommand> {
    let wanted =
        |kind: &CodeActionKind| CodeActionKind::QUICKFIX.as_str().starts_with(kind.as_str());
    if params.context.only.as_ref().is_some_and(|only| !only.iter().any(wanted)) {
        return Vec::new();
    }
    // Editors ask at each move of the cursor, and say what they show there.
    let range = document.lines.bytes(&document.text, params.range);
    let shown = params.context.diagnostics.iter();
    let shown = shown.map(|it| document.lines.bytes(&document.text, it.range));
    let shown = shown.filter(|it| it.start <= range.end && range.start <= it.end);
    let Some(shown) = shown.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end))
    else {
        return Vec::new();
    };
    let Some(parsed) = document.parsed() else { return Vec::new() };
    // What is found in a kernel of a large file, a check of that kernel finds, too.
    let is_large = document.text.len() >= LEAST;
    let part = is_large.then(|| reduced(&document.text, &document.outline, &shown)).flatten();
    let all = match &part {
        Some(part) => findings(&Parsed::new(part.as_str()), settings),
        None => findings(parsed, settings),
    };
    let text = part.as_deref().unwrap_or(&document.text);
    let is_checked = part.is_some() || text.len() <= MOST;
    let mut actions = Vec::new();
    for finding in &all {
        let Some(place) = &finding.place else { continue };
        if place.range.end < range.start || range.end < place.range.start {
            continue;
        }
        let blamed = document.slice(place.range.clone());
        for (at, new) in fixes(document, finding, blamed) {
            if is_checked && is_fixed(text, &all, finding, (at.clone(), &new), settings) {
                let title = match (document.slice(at.clone()), new.as_str()) {
                    (old, "") => format!("Remove `{}`", old.trim()),
                    ("", new) => format!("Write `{new}` here"),
                    (old, new) => format!("Write `{new}` for `{old}`"),
                };
                let edit = document.edit(at, new);
                actions.push(action(document, title, edit, finding, true));
            }
        }
        if let Some(rule) = finding.hazard()
            && let Some((at, new)) = allowance(document, place.range.start, rule.code)
        {
            let title = format!("Allow {} here", rule.code);
            actions.push(action(document, title, document.edit(at..at, new), finding, false));
        }
    }
    actions
}

fn action(
    document: &Document,
    title: String,
    edit: TextEdit,
    finding: &Finding,
    is_preferred: bool,
) -> CodeActionOrCommand {
    #[expect(clippy::mutable_key_type, reason = "the protocol's types have it so")]
    let changes = HashMap::from([(document.uri.clone(), vec![edit])]);
    CodeActionOrCommand::CodeAction(CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(
            finding,
            &document.uri,
            (&document.text, &document.lines),
        )]),
        edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
        is_preferred: is_preferred.then_some(true),
        ..CodeAction::default()
    })
}

/// What the advice of a finding may mean as one edit. Whether it does is found out by [`is_fixed`].
fn fixes(document: &Document, finding: &Finding, blamed: &str) -> Vec<(Range<usize>, String)> {
    let Some(place) = &finding.place else { return Vec::new() };
    if finding.kind == Kind::Unneeded {
        return comment_of(document, &place.range)
            .map(|at| (at, String::new()))
            .into_iter()
            .collect();
    }
    let advice = [Some(finding.message.as_str()), finding.help.as_deref()];
    let mut found = Vec::new();
    for advice in advice.into_iter().flatten() {
        for (before, word) in quoted(advice) {
            if before.ends_with("declare more of them, as in ") {
                found.extend(family(document, word).map(|at| (at, word.to_owned())));
            }
            if before.ends_with("remove ") && word == blamed {
                found.push((place.range.clone(), String::new()));
            }
            let is_meant = ["did you mean ", " or ", "write ", "use ", "is missing"]
                .iter()
                .any(|start| before.ends_with(start))
                || matches!(word, ";" | "}" | ")" | "]");
            if is_meant && word != blamed && !word.contains("..") {
                found.push((place.range.clone(), word.to_owned()));
                let at = place.range.end;
                found.push((at..at, word.to_owned()));
            }
        }
        if advice.starts_with("remove it") {
            found.push((place.range.clone(), String::new()));
        }
        // `align it to 8 bytes`, on the number.
        if let Some(number) =
            advice.strip_prefix("align it to ").and_then(|it| it.split(' ').next())
            && blamed.bytes().all(|c| c.is_ascii_digit())
        {
            found.push((place.range.clone(), number.to_owned()));
        }
    }
    found.dedup();
    found
}

/// The declaration of the family of registers that one is of, with its number: `%r<4>`.
fn family(document: &Document, declared: &str) -> Option<Range<usize>> {
    let (name, _) = declared.split_once('<')?;
    let outline = &document.outline;
    let mut same = outline
        .definitions
        .iter()
        .filter(|it| it.family.is_some() && document.slice(it.at.clone()) == name);
    // Of several with this name, each may be the one.
    let (Some(found), None) = (same.next(), same.next()) else { return None };
    let rest = document.slice(found.at.end..document.text.len());
    let end = rest.find('>')? + 1;
    Some(found.at.start..found.at.end + end)
}

/// The words between backquotes, each with what stands before it.
fn quoted(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut parts = text.split('`');
    let mut before = parts.next().unwrap_or_default();
    while let (Some(word), Some(after)) = (parts.next(), parts.next()) {
        found.push((before, word));
        before = after;
    }
    found
}

/// Whether an edit removes a finding and brings no error: then it is a fix.
fn is_fixed(
    text: &str,
    all: &[Finding],
    finding: &Finding,
    (at, new): (Range<usize>, &str),
    settings: &Settings,
) -> bool {
    let mut text = text.to_owned();
    text.replace_range(at, new);
    let after = findings(&Parsed::new(text), settings);
    let errors = |all: &[Finding]| all.iter().filter(|it| it.level == Level::Error).count();
    let same = |all: &[Finding]| {
        let is_same = |it: &&Finding| it.code == finding.code && it.kind == finding.kind;
        all.iter().filter(is_same).count()
    };
    same(&after) < same(all) && errors(&after) <= errors(all) && after.len() < all.len()
}

/// The comment of an allowance that nothing needs, with its line if there is nothing else on it.
fn comment_of(document: &Document, range: &Range<usize>) -> Option<Range<usize>> {
    let is_it = |(start, end): &&(usize, usize)| *start <= range.start && range.end <= *end;
    let (start, end) = *document.outline.comments.iter().find(is_it)?;
    // Of several codes, the others stay.
    if document.slice(start..end).contains(',') {
        return None;
    }
    let line = document.lines.line(start);
    let first = document.lines.start(&document.text, line);
    let next = document.lines.start(&document.text, line + 1);
    let is_alone = document.slice(first..start).trim().is_empty()
        && document.slice(end..next).trim().is_empty();
    Some(if is_alone { first..next } else { start..end })
}

/// Where an allowance goes, and its text: before the statement, on a line of its own.
fn allowance(document: &Document, at: usize, code: &str) -> Option<(usize, String)> {
    let (_, statement) = document.outline.statement_at(at)?;
    let start = document.outline.range_of(statement).start;
    let line = document.lines.start(&document.text, document.lines.line(start));
    let before = document.slice(line..start);
    let indent: String = before.chars().take_while(|c| c.is_whitespace()).collect();
    let is_first = before.trim().is_empty();
    let line_break = if is_first { String::new() } else { format!("\n{indent}") };
    Some((start, format!("{line_break}// ptx: allow({code})\n{indent}")))
}
