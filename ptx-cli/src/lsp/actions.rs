//! Fixes of findings that are one edit, and allowances.

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Diagnostic, NumberOrString,
    TextEdit, WorkspaceEdit,
};
use ptx_isa::rules;
use ptx_text::{Launches, Parsed};

use super::changed::LEAST;
use super::diagnostics::{diagnostic, findings_in};
use super::document::{Document, Language};
use super::part::around;
use super::settings::Settings;
use crate::finding::{Finding, Kind, Level};

/// How long fixes of a large file are tried out after the first: an editor waits.
const LONGEST: Duration = Duration::from_millis(25);

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
    let is_in = |it: &Range<usize>| it.start <= range.end && range.start <= it.end;
    let shown = params.context.diagnostics.iter();
    let shown = shown.map(|it| document.lines.bytes(&document.text, it.range));
    let shown = shown.filter(is_in);
    let Some(shown) = shown.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end))
    else {
        return Vec::new();
    };
    if document.language != Language::Ptx {
        return Vec::new();
    }
    let is_large = document.text.len() >= LEAST;
    let start = Instant::now();
    let part = is_large.then(|| around(&document.text, &document.outline, &shown)).flatten();
    let text = part.as_deref().unwrap_or(&document.text);
    // Of a large file, only launches that directives declare are followed, which takes little time.
    let launches = if is_large { Launches::Declared } else { Launches::Usual };
    let check = |parsed: &Parsed| findings_in(parsed, launches, settings);
    let all = match &part {
        Some(part) => check(&Parsed::new(part.as_str())),
        None => document.parsed().map(check).unwrap_or_default(),
    };
    let (mut actions, mut is_tried) = (Vec::new(), false);
    for finding in &all {
        let Some(place) = &finding.place else { continue };
        // What only a part of a file shows need not be so in the whole.
        let is_shown =
            || params.context.diagnostics.iter().any(|it| is_same(document, finding, it));
        if !is_in(&place.range) || part.is_some() && !is_shown() {
            continue;
        }
        let blamed = document.slice(place.range.clone());
        for (at, new) in fixes(document, finding, blamed) {
            let may_try = !is_large || !is_tried || start.elapsed() < LONGEST;
            is_tried = true;
            if may_try && is_fixed((text, &all), finding, (at.clone(), &new), check) {
                let title = match (document.slice(at.clone()), new.as_str()) {
                    (old, "") => format!("Remove `{}`", old.trim()),
                    ("", new) => format!("Write `{new}` here"),
                    (old, new) => format!("Write `{new}` for `{old}`"),
                };
                let edit = document.edit(at, new);
                let shown = own(document, finding, params);
                actions.push(action(document, title, edit, shown, true));
            }
        }
        if let Some(rule) = finding.hazard() {
            actions.extend(allow(document, place.range.start, rule.code, || {
                own(document, finding, params)
            }));
        }
    }
    // What only the whole of a large file shows, the editor has been told.
    for shown in params.context.diagnostics.iter().filter(|_| is_large) {
        let start = document.offset(shown.range.start);
        if !is_in(&document.lines.bytes(&document.text, shown.range))
            || all.iter().any(|it| is_same(document, it, shown))
        {
            continue;
        }
        if let Some(NumberOrString::String(code)) = &shown.code
            && rules::rule(code).is_some_and(|rule| rule.allowed.is_anywhere())
        {
            actions.extend(allow(document, start, code, || shown.clone()));
        }
    }
    actions
}

/// Whether an editor shows this finding so.
fn is_same(document: &Document, finding: &Finding, shown: &Diagnostic) -> bool {
    let code = match &shown.code {
        Some(NumberOrString::String(code)) => Some(code.as_str()),
        Some(NumberOrString::Number(_)) | None => None,
    };
    let place = finding.place.as_ref();
    finding.code == code && place.is_some_and(|it| document.span(it.range.clone()) == shown.range)
}

/// A finding as the editor shows it, so that it knows which one an action is for.
fn own(document: &Document, finding: &Finding, params: &CodeActionParams) -> Diagnostic {
    let mut shown = params.context.diagnostics.iter();
    let shown = shown.find(|shown| is_same(document, finding, shown));
    let made = || diagnostic(finding, &document.uri, (&document.text, &document.lines));
    shown.cloned().unwrap_or_else(made)
}

/// The allowance of a rule at the statement at an offset.
fn allow(
    document: &Document,
    at: usize,
    code: &str,
    shown: impl FnOnce() -> Diagnostic,
) -> Option<CodeActionOrCommand> {
    let (at, new) = allowance(document, at, code)?;
    let title = format!("Allow {code} here");
    Some(action(document, title, document.edit(at..at, new), shown(), false))
}

fn action(
    document: &Document,
    title: String,
    edit: TextEdit,
    shown: Diagnostic,
    is_preferred: bool,
) -> CodeActionOrCommand {
    #[expect(clippy::mutable_key_type, reason = "the protocol's types have it so")]
    let changes = HashMap::from([(document.uri.clone(), vec![edit])]);
    CodeActionOrCommand::CodeAction(CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![shown]),
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
    (text, all): (&str, &[Finding]),
    finding: &Finding,
    (at, new): (Range<usize>, &str),
    check: impl Fn(&Parsed) -> Vec<Finding>,
) -> bool {
    let mut text = text.to_owned();
    text.replace_range(at, new);
    let after = check(&Parsed::new(text));
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
