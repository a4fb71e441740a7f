//! Formats findings as rustc formats errors.

use std::collections::BTreeSet;

use annotate_snippets::{AnnotationKind, Level as Shown, Origin, Renderer, Snippet};

use crate::finding::{Finding, Kind, Level, Place, meaning};

/// Formats one finding after another.
#[derive(Debug)]
pub(crate) struct Rendering {
    renderer: Renderer,
    /// The codes and kinds that were explained already.
    told: BTreeSet<&'static str>,
}

impl Rendering {
    /// A renderer with or without colours, for lines of this many characters.
    pub(crate) fn new(color: bool, width: usize) -> Self {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        Self { renderer: renderer.term_width(width), told: BTreeSet::new() }
    }

    /// A finding in this file, followed by an empty line.
    pub(crate) fn finding(&mut self, file: &str, finding: &Finding) -> String {
        let level = match finding.level {
            Level::Error => Shown::ERROR,
            Level::Warning => Shown::WARNING,
            Level::Note => Shown::NOTE,
        };
        let mut title = level.primary_title(&finding.message);
        if let Some(id) = id(finding) {
            title = title.id(id);
        }
        // Terminals make a link of it.
        if let Some(page) = finding.page() {
            title = title.id_url(page);
        }
        let mut group = match &finding.place {
            Some(place) => title.element(snippet(file, place, AnnotationKind::Primary, None)),
            None => title.element(Origin::path(file)),
        };
        if let Some((other, label)) = &finding.other {
            group = group.element(snippet(file, other, AnnotationKind::Context, Some(label)));
        }
        if let Some(help) = &finding.help {
            group = group.element(Shown::HELP.message(help));
        }
        for message in &finding.ptxas {
            group = group.element(Shown::NOTE.message(message));
        }
        for note in self.notes(finding) {
            group = group.element(Shown::NOTE.message(note));
        }
        let mut shown = self.renderer.render(&[group]);
        let other = finding.other.as_ref().map(|(place, _)| place);
        for place in finding.place.iter().chain(other) {
            shown = with_column(shown, file, place);
        }
        shown.push_str("\n\n");
        shown
    }

    /// The explanation of the finding's rule, or of its kind if it has no rule, at its first occurrence.
    fn notes(&mut self, finding: &Finding) -> Vec<String> {
        let Some(rule) = finding.rule() else {
            let kind = finding.kind;
            let is_new = kind.is_of_rule() && self.told.insert(kind.name());
            let note = is_new.then(|| format!("{}: {}", kind.name(), kind.meaning()));
            return note.into_iter().collect();
        };
        if !self.told.insert(rule.code) {
            return Vec::new();
        }
        let kind = finding.kind.name();
        let meaning =
            meaning(rule).map(|meaning| format!("{kind}: {meaning} (PTX ISA {})", rule.source));
        let allowance = finding.hazard().map(|rule| {
            format!(
                "if it is meant, write `// ptx: allow({0})` on the line before, or pass `--allow {0}`",
                rule.code
            )
        });
        let page = finding.page().map(|page| format!("see {page}"));
        meaning.into_iter().chain(allowance).chain(page).collect()
    }
}

/// The text in brackets after the level.
fn id(finding: &Finding) -> Option<&'static str> {
    match finding.kind {
        Kind::Ptxas => Some(finding.kind.name()),
        Kind::Unneeded | Kind::NotFollowed => None,
        Kind::Syntax | Kind::Refused | Kind::Unenforced | Kind::Hazard | Kind::Warned => {
            finding.code
        }
    }
}

fn snippet<'a>(
    file: &'a str,
    place: &'a Place,
    kind: AnnotationKind,
    label: Option<&'a str>,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    Snippet::source(&place.excerpt.text)
        .path(file)
        .line_start(place.start.0)
        .annotation(kind.span(place.excerpt.span.clone()).label(label))
}

/// Sets the location's column to that in the file, if the start of a long line was left out.
fn with_column(shown: String, file: &str, place: &Place) -> String {
    let (line, column) = place.start;
    if column == place.excerpt.column {
        return shown;
    }
    let in_excerpt = format!("{file}:{line}:{}", place.excerpt.column);
    shown.replacen(&in_excerpt, &format!("{file}:{line}:{column}"), 1)
}

#[cfg(test)]
mod tests {
    use ptx_text::Parsed;

    use super::*;

    /// Lines of which the start is left out.
    #[test]
    fn both_accesses_of_a_race_have_their_column_in_the_file() {
        let far = " ".repeat(1_000);
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n.reqntid 64\n{{\n\
             .shared .align 4 .b8 tile[256];\n.reg .u32 %r<5>;\n\
             mov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\nmad.lo.u32 %r3, %r1, 4, %r2;\n\
             {far}st.shared.u32 [%r3], %r1;\n\
             xor.b32 %r1, %r1, 32;\nmad.lo.u32 %r3, %r1, 4, %r2;\n\
             {far}ld.shared.u32 %r4, [%r3];\nret;\n}}\n"
        );
        let parsed = Parsed::new(text);
        let found: Vec<Finding> =
            parsed.check().into_iter().map(|found| Finding::of(&parsed, found)).collect();
        let [race] = found.as_slice() else { panic!("{found:?}") };
        let shown = Rendering::new(false, 140).finding("long.ptx", race);
        let (place, other) = (race.place.as_ref(), race.other.as_ref().map(|(place, _)| place));
        for place in [place, other] {
            let (line, column) = place.expect("a race has two").start;
            assert!(column > 1_000, "{column}");
            assert!(shown.contains(&format!("long.ptx:{line}:{column}")), "{shown}");
        }
    }
}
