//! Allowances in PTX text: `// ptx: allow(A034)` on the line before.

use super::extent::Extent;
use super::faults::SyntaxErrors;
use super::launch;
use super::reader::{Note, Reader};
use crate::codes::{is_of_declarations, named, not_allowed};
use ptx_isa::rules::{self, AllowanceSite};

/// The code of an allowed hazard, and its location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowed {
    pub(super) code: &'static str,
    pub(super) at: Extent,
}

/// The kind of construct that follows an allowance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Before {
    /// A variable of the module, or its accesses.
    Variable,
    /// A function: its parameters and its whole body.
    Function,
    /// A declaration in a body, or its accesses.
    Local,
    /// An instruction, or a directive in a body.
    Statement,
    /// A construct that cannot break a hazard rule.
    Nothing,
}

impl Before {
    /// The sites whose rules can be allowed here.
    const fn sites(self) -> &'static [AllowanceSite] {
        match self {
            Self::Variable => &[AllowanceSite::Variable, AllowanceSite::Local],
            Self::Function => &[
                AllowanceSite::Function,
                AllowanceSite::Param,
                AllowanceSite::Local,
                AllowanceSite::Statement,
            ],
            Self::Local => &[AllowanceSite::Local],
            Self::Statement => &[AllowanceSite::Statement],
            Self::Nothing => &[],
        }
    }
}

/// The allowances in the notes that were read but not yet taken.
pub(super) fn allowances(reader: &mut Reader<'_>, errors: &mut SyntaxErrors) -> Vec<Allowed> {
    let count = reader.notes.len();
    first_allowances(count, reader, errors)
}

/// Like [`allowances`], but for the first notes only.
pub(super) fn first_allowances(
    count: usize,
    reader: &mut Reader<'_>,
    errors: &mut SyntaxErrors,
) -> Vec<Allowed> {
    let mut found: Vec<Allowed> = Vec::new();
    let notes: Vec<Note> = reader.notes.drain(..count.min(reader.notes.len())).collect();
    for note in notes {
        read(note, reader, &mut found, errors);
    }
    found
}

/// Keeps the allowances that can apply here, and reports the others.
pub(super) fn keep_fitting(allowed: &mut Vec<Allowed>, before: Before, errors: &mut SyntaxErrors) {
    allowed.retain(|allowed| {
        let Some(rule) = rules::rule(allowed.code) else { return false };
        let fits = before.sites().iter().any(|site| rule.is_allowed_on(*site));
        if !fits {
            let code = rule.code;
            match before {
                Before::Nothing => errors.at(
                    allowed.at,
                    "an allowance goes before a declaration or a statement, and this is neither; remove it",
                ),
                Before::Statement if is_of_declarations(code) => errors.at(allowed.at, format_args!("`{code}` is a rule of declarations, and this is an instruction; write the allowance before the declaration")),
                _ => errors.at(allowed.at, not_allowed(rule)),
            }
        }
        fits
    });
}

fn read(note: Note, reader: &mut Reader<'_>, found: &mut Vec<Allowed>, errors: &mut SyntaxErrors) {
    let text = reader.text(note.at);
    let form =
        "write the codes of the rules that the next statement may break: `// ptx: allow(A034)`";
    if !note.is_first {
        errors.at(note.at, "an allowance goes on a line of its own, before what it allows");
        return;
    }
    let body = text.trim_start_matches(['/', '*']).trim_start();
    let body = body.strip_prefix("ptx:").unwrap_or_default().trim_start();
    if let Some(rest) = body.strip_prefix("launch") {
        launch::note(rest, note.at, reader, errors);
        return;
    }
    let list = body.strip_prefix("allow").and_then(|rest| rest.trim_start().strip_prefix('('));
    let Some((list, _)) = list.and_then(|list| list.split_once(')')) else {
        errors.at(note.at, form);
        return;
    };
    if list.trim().is_empty() {
        errors.at(note.at, form);
        return;
    }
    for word in list.split(',') {
        // Both are slices of the note's text.
        let start = word.trim_start().as_ptr() as usize - text.as_ptr() as usize;
        let word = word.trim();
        let start = note.at.start + u32::try_from(start).unwrap_or_default();
        let end = start + u32::try_from(word.len()).unwrap_or_default();
        let at = Extent { start, end };
        match named(word, |message| errors.at(at, message)) {
            Some(rule) if rule.allowed.is_anywhere() => {
                if found.iter().any(|allowed| allowed.code == rule.code) {
                    errors.at(at, format_args!("`{word}` is allowed twice here; remove one"));
                } else {
                    found.push(Allowed { code: rule.code, at });
                }
            }
            Some(rule) => errors.at(at, not_allowed(rule)),
            None => {}
        }
    }
}
