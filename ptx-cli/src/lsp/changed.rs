//! The findings of a text of which only one kernel has changed.
//!
//! What is found in a kernel that nothing else names depends on that kernel, on declarations and on device functions. So
//! after an edit inside of one, it is checked without the other kernels, and they keep their findings. What an edit
//! changes elsewhere (a limit that all kernels share, a line that a message names) comes with the check of the whole
//! text that follows.

use std::ops::Range;
use std::sync::Arc;

use super::outline::{Outline, scan};
use super::part::{alone, blank, body};
use crate::finding::Finding;

/// The size of a text in bytes below which all of it is checked as fast.
pub(super) const LEAST: usize = 1 << 15;

/// A text that was checked.
pub(super) struct Checked {
    /// The text.
    pub(super) text: Arc<str>,
    /// What was found in it.
    pub(super) findings: Vec<Finding>,
}

/// An edit inside of one kernel.
pub(super) struct Edit {
    /// The extent of the kernel before the edit.
    old: Range<usize>,
    /// The same after it.
    new: Range<usize>,
    /// The text with spaces in the place of the other kernels.
    pub(super) reduced: String,
}

impl Edit {
    /// The edit from one text to another, if it is inside of the body of one kernel that nothing else names.
    pub(super) fn of(old: &str, new: &str) -> Option<Self> {
        let (was, is) = difference(old.as_bytes(), new.as_bytes());
        if changes_structure(old, &was) || changes_structure(new, &is) {
            return None;
        }
        let (before, after) = (scan(old), scan(new));
        let (was_alone, is_alone) = (alone(&before), alone(&after));
        let number = kernel_around(&before, &was_alone, &was)?;
        if kernel_around(&after, &is_alone, &is)? != number
            || before.functions.len() != after.functions.len()
        {
            return None;
        }
        Some(Self {
            old: before.functions[number].range.clone(),
            new: after.functions[number].range.clone(),
            reduced: without_others(new, &after, &is_alone, number)?,
        })
    }

    /// The findings after the edit: those of the changed kernel, and the others as they were.
    pub(super) fn merged(&self, old: &[Finding], new: Vec<Finding>) -> Vec<Finding> {
        let start = |finding: &Finding| finding.place.as_ref().map_or(0, |it| it.range.start);
        let moved = |finding: &Finding| {
            let mut finding = finding.clone();
            let is_after = |range: &Range<usize>| range.start >= self.old.end;
            let to = |offset: usize| offset - self.old.end + self.new.end;
            let ranges = finding.place.as_mut().map(|place| &mut place.range);
            for range in ranges
                .into_iter()
                .chain(finding.other.as_mut().map(|(place, _)| &mut place.range))
                .filter(|it| is_after(it))
            {
                *range = to(range.start)..to(range.end);
            }
            finding
        };
        let others = old.iter().filter(|finding| !self.old.contains(&start(finding)));
        let own = new.into_iter().filter(|finding| self.new.contains(&start(finding)));
        let mut all: Vec<Finding> = others.map(moved).chain(own).collect();
        all.sort_by_key(start);
        all
    }
}

/// The text with spaces in the place of all kernels but one.
fn without_others(text: &str, outline: &Outline, alone: &[bool], kept: usize) -> Option<String> {
    let mut reduced = text.as_bytes().to_vec();
    for (n, function) in outline.functions.iter().enumerate() {
        if n != kept && alone.get(n) == Some(&true) {
            blank(&mut reduced, function.range.clone())?;
        }
    }
    String::from_utf8(reduced).ok()
}

/// The parts in which two texts differ: from the first byte that differs to the last.
fn difference(old: &[u8], new: &[u8]) -> (Range<usize>, Range<usize>) {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (rest, new_rest) = (&old[start..], &new[start..]);
    let same = rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new);
    let same = same.count();
    (start..old.len() - same, start..new.len() - same)
}

/// Whether the lines of a part have a brace, a comment or a string, which may begin or end with it.
fn changes_structure(text: &str, part: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let is_end = |byte: &u8| *byte == b'\n';
    let start = bytes[..part.start].iter().rposition(is_end).map_or(0, |at| at + 1);
    let end = bytes[part.end..].iter().position(is_end).map_or(bytes.len(), |at| part.end + at);
    let lines = &bytes[start..end];
    bytes[part.clone()].iter().any(|byte| matches!(byte, b'{' | b'}'))
        || lines.iter().any(|byte| matches!(byte, b'"' | b'/' | b'*' | b'#'))
}

/// The kernel in whose body a part of the text is, if it is among these.
fn kernel_around(outline: &Outline, alone: &[bool], part: &Range<usize>) -> Option<usize> {
    let (number, function) = outline.function_at(part.start)?;
    let body = body(outline, function)?;
    let is_inside = function.has_body && body.start <= part.start && part.end <= body.end;
    (is_inside && *alone.get(number)?).then_some(number)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::lsp::diagnostics::findings;
    use crate::lsp::settings::Settings;
    use ptx_text::Parsed;

    /// Kernels with and without mistakes.
    fn text() -> String {
        let mut text = ".version 8.0\n.target sm_90a\n.address_size 64\n\
            .shared .align 4 .f32 row[32];\n.func f() { ret; }\n"
            .to_owned();
        for n in 0..6 {
            let _ = write!(
                text,
                ".visible .entry k{n}()\n{{\n    .reg .b32 %r<4>;\n    .reg .v4 .f32 %f;\n    \
                // a comment\n    ld.shared.v4.f32 %f, [row+{}];\n    call f;\n    \
                add.u32 %r1, %r{n}, 1;\n    ret;\n}}\n",
                n * 8
            );
        }
        text
    }

    /// What is shown of findings.
    fn shown(all: &[Finding]) -> Vec<(Option<Range<usize>>, String)> {
        let range = |it: &Finding| it.place.as_ref().map(|place| place.range.clone());
        all.iter().map(|it| (range(it), it.message.clone())).collect()
    }

    /// Those in kernels: what all accesses ask of a declaration comes with the whole.
    fn in_kernels(text: &str, all: &[Finding]) -> Vec<(Option<Range<usize>>, String)> {
        let first = text.find(".visible").expect("there is one");
        let is_inside = |it: &(Option<Range<usize>>, String)| {
            it.0.as_ref().is_some_and(|range| range.start > first)
        };
        shown(all).into_iter().filter(is_inside).collect()
    }

    fn found(text: &str) -> Vec<Finding> {
        findings(&Parsed::new(text), &Settings::default())
    }

    #[test]
    fn an_edit_in_a_kernel_gives_the_findings_of_the_whole() {
        let old = text();
        let known = found(&old);
        assert!(known.len() > 4, "{known:?}");
        let words = ["", ";", "%r9", "}", "{", "add.u32 %r1, %r2, %r8;\n", "// x\n", "L:", "π"];
        let (mut edits, mut at) = (0, 1);
        while at < old.len() {
            for word in words {
                let mut new = old.clone();
                new.replace_range(at..(at + 3).min(old.len()), word);
                if let Some(edit) = Edit::of(&old, &new) {
                    assert_eq!(edit.reduced.len(), new.len());
                    let merged = edit.merged(&known, found(&edit.reduced));
                    let whole = in_kernels(&new, &found(&new));
                    assert_eq!(in_kernels(&new, &merged), whole, "{at}: {word}\n{new}");
                    edits += 1;
                }
            }
            at += 23;
        }
        assert!(edits > 60, "{edits}");
    }

    #[test]
    fn other_edits_need_the_whole() {
        let old = text();
        for (from, to) in [(".f32 row", ".f64 row"), ("k1()", "k7()"), ("f() { ret", "f() { exit")]
        {
            assert!(Edit::of(&old, &old.replacen(from, to, 1)).is_none(), "{from}");
        }
        // A kernel more.
        assert!(Edit::of(&old, &old.replacen("    ret;\n", "}\n.entry x() {\n", 1)).is_none());
    }
}
