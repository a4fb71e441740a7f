//! What a text is allowed: `// ptx: allow(A034)` on the line before.

use super::extent::Extent;
use super::faults::Complaints;
use super::reader::{Note, Reader};
use crate::codes::{no_hazard, not_allowed};
use ptx_types::rules::{self, Kind};

/// The code of a hazard that is allowed, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowed {
    pub(super) code: &'static str,
    pub(super) at: Extent,
}

/// What the notes before the next token allow.
pub(super) fn allowances(reader: &mut Reader<'_>, complaints: &mut Complaints) -> Vec<Allowed> {
    let mut found: Vec<Allowed> = Vec::new();
    for note in core::mem::take(&mut reader.notes) {
        read(note, reader.text(note.at), &mut found, complaints);
    }
    found
}

fn read(note: Note, text: &str, found: &mut Vec<Allowed>, complaints: &mut Complaints) {
    let form =
        "write the codes of the hazards that the next statement may have: `// ptx: allow(A034)`";
    if !note.is_first {
        complaints.at(note.at, "an allowance stands on a line of its own, before what it is for");
        return;
    }
    let said = text.trim_start_matches(['/', '*']).trim_start();
    let said = said.strip_prefix("ptx:").unwrap_or_default().trim_start();
    let list = said.strip_prefix("allow").and_then(|rest| rest.trim_start().strip_prefix('('));
    let Some((list, _)) = list.and_then(|list| list.split_once(')')) else {
        complaints.at(note.at, form);
        return;
    };
    if list.trim().is_empty() {
        complaints.at(note.at, form);
        return;
    }
    for word in list.split(',') {
        // Both are parts of the text of the note.
        let start = word.trim_start().as_ptr() as usize - text.as_ptr() as usize;
        let word = word.trim();
        let start = note.at.start + u32::try_from(start).unwrap_or_default();
        let end = start + u32::try_from(word.len()).unwrap_or_default();
        let at = Extent { start, end };
        match rules::rule(word) {
            Some(rule) if rule.kind == Kind::Hazard => {
                if found.iter().any(|allowed| allowed.code == rule.code) {
                    complaints.at(at, format_args!("`{word}` is allowed twice here; remove one"));
                } else {
                    found.push(Allowed { code: rule.code, at });
                }
            }
            Some(rule) => complaints.at(at, not_allowed(rule)),
            None => complaints.at(at, no_hazard(word)),
        }
    }
}
