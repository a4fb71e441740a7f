//! Long lists in braces and of declared names, whose elements are read again whenever they are needed instead of being kept as tokens.

use bumpalo::Bump;
use bumpalo::collections::Vec as Tokens;

use super::{Note, Reader};
use crate::body::token::{Delimiter, Each, Elements, Written, is_fraction};
use crate::text::boundary::{Defect, Ended, FEWEST, Scope, are_one_operator};
use crate::text::extent::{Extent, Kept};
use crate::text::lexer::{Lexer, Piece, PieceKind};
use crate::text::number::is_number;

/// The maximum nesting depth of groups in one.
const DEEPEST: usize = 64;

/// A long list in a text.
#[derive(Clone, Copy, Debug)]
pub(in crate::text) struct List<'t> {
    text: &'t str,
    written: Written,
}

impl<'t> List<'t> {
    pub(in crate::text) const fn new(text: &'t str, written: Written) -> Self {
        Self { text, written }
    }

    pub(super) const fn at(&self) -> Extent {
        Extent { start: self.written.start, end: self.written.end }
    }
}

impl<P: Kept> Elements<P> for List<'_> {
    fn each(&self, each: Each<'_, P>) -> Option<()> {
        let mut reader = Reader::from(self.text, self.written.start);
        let mut arena = Bump::new();
        loop {
            arena.reset();
            let mut tokens = Tokens::new_in(&arena);
            match reader.statement(Scope::List, Some(self.written.end), &mut tokens, &arena) {
                Ended::Comma(at) => each(&tokens, Some(P::of(at.start, at.end)))?,
                _ => return each(&tokens, None),
            }
        }
    }

    fn written(&self) -> Written {
        self.written
    }
}

/// What ends a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The `}` of the braces around it.
    Brace,
    /// The `;` of its statement.
    Semicolon,
}

impl<'t> Reader<'t> {
    /// Consumes the contents of the braces that were opened last, if they are a long list.
    pub(super) fn list(&mut self, limit: Option<u32>, is_value: bool) -> Option<List<'t>> {
        self.listed(u32::try_from(self.lexer.at()).ok()?, limit, (End::Brace, is_value))
    }

    /// Consumes the items of a declaration or a directive, which start at `start`, up to its semicolon.
    pub(super) fn items(&mut self, start: u32, limit: Option<u32>) -> Option<List<'t>> {
        /// The number of names that any text may declare in one statement.
        const FEW: usize = 1 << 12;
        let is_target = self.text(Extent { start: start.saturating_sub(7), end: start });
        let list = self.listed(start, limit, (End::Semicolon, false))?;
        // A declared name takes a few hundred bytes of memory.
        let most = FEW + self.lexer.text().len() / 6;
        if is_target != "targets" && list.written.elements > most {
            let at = Reader::from(self.lexer.text(), start).token()?.piece.at;
            self.defect = Some(Defect::TooLong("names for its length", at));
        }
        Some(list)
    }

    /// Consumes a long list, which may be an initial value, and records the first defect of its tokens.
    fn listed(
        &mut self,
        start: u32,
        limit: Option<u32>,
        (ends, is_value): (End, bool),
    ) -> Option<List<'t>> {
        let mut lexer = self.lexer.clone();
        let read = lexer.at();
        lexer.go_to(start as usize);
        let mut open: Vec<(Delimiter, Extent)> = Vec::new();
        let (mut elements, mut count) = (1, 0_usize);
        let (mut defect, mut notes): (Option<Defect>, Vec<Note>) = Default::default();
        let (mut is_first, mut before, mut last_end) = (false, None, start);
        let end = loop {
            let piece = lexer.next()?;
            let Piece { kind, at } = piece;
            let text = self.text(at);
            let sign = text.chars().next().filter(|_| kind == PieceKind::Sign);
            match kind {
                PieceKind::Space => {
                    is_first |= text.contains(['\n', '\r']);
                    continue;
                }
                PieceKind::Comment => {
                    if at.start as usize >= read && text.get(2..).is_some_and(super::is_note) {
                        notes.push(Note { at, is_first });
                    }
                    continue;
                }
                PieceKind::LineMarker => continue,
                PieceKind::Number if !is_number(text) => {
                    defect = defect.or(Some(Defect::Number(at)));
                }
                PieceKind::Sign if text == ";" => {
                    let first = open.first().copied();
                    if ends == End::Brace && self.continues(&lexer) {
                        defect = defect.or(Some(Defect::Separator("elements", at)));
                    } else if ends == End::Brace && !is_value {
                        return None;
                    } else {
                        let brace = Extent { start: start.saturating_sub(1), end: start };
                        let brace = (ends == End::Brace).then_some((Delimiter::Brace, brace));
                        let unclosed = brace.or(first).map(|(it, at)| Defect::Unclosed(it, at));
                        defect = defect.or(unclosed);
                        break at.start;
                    }
                }
                PieceKind::Sign => {
                    elements += usize::from(text == "," && open.is_empty());
                    if let (Some(first), Some(second)) = (before, sign)
                        && at.start > last_end
                        && are_one_operator(first, second)
                    {
                        defect = defect.or(Some(Defect::Operator(at)));
                    }
                }
                PieceKind::Open(delimiter) if open.len() < DEEPEST => open.push((delimiter, at)),
                PieceKind::Close(delimiter) => {
                    let opens = open.iter().rposition(|(opened, _)| *opened == delimiter);
                    let is_end =
                        opens.is_none() && ends == End::Brace && delimiter == Delimiter::Brace;
                    let wrong = match opens {
                        Some(opens) => open.get(opens + 1),
                        None => open.first().filter(|_| is_end),
                    };
                    let wrong = wrong.map(|(it, at)| Defect::Unclosed(*it, *at));
                    let is_unopened = opens.is_none() && !is_end;
                    let unopened = is_unopened.then_some(Defect::Unopened(delimiter, at));
                    defect = defect.or(wrong).or(unopened);
                    if is_end {
                        break at.start;
                    }
                    open.truncate(opens.unwrap_or(open.len()));
                }
                PieceKind::Open(_) | PieceKind::OpenComment | PieceKind::OpenText => return None,
                // The next statement, if this one has no semicolon.
                PieceKind::Dotted
                    if ends == End::Semicolon && open.is_empty() && !is_fraction(text) =>
                {
                    return None;
                }
                PieceKind::Number
                | PieceKind::Word
                | PieceKind::Text
                | PieceKind::Dotted
                | PieceKind::Colons => {}
            }
            (is_first, before, last_end) = (false, sign, at.end);
            count += 1;
        };
        if count < FEWEST || limit.is_some_and(|limit| end > limit) {
            return None;
        }
        self.defect = self.defect.or(defect);
        self.notes.append(&mut notes);
        let text = self.lexer.text();
        self.lexer.go_to(end as usize);
        Some(List { text, written: Written { start, end, elements } })
    }

    /// Whether the elements of an initial value go on after a semicolon, behind which the lexer is.
    pub(super) fn continues(&self, lexer: &Lexer<'_>) -> bool {
        let mut next = lexer.clone().filter(|piece| !piece.kind.is_trivia());
        let Some(first) = next.next() else { return false };
        let second = next.next().map_or("", |piece| self.text(piece.at));
        match (first.kind, self.text(first.at)) {
            (PieceKind::Number | PieceKind::Open(_), _) | (_, "-" | "~" | "!") => true,
            (PieceKind::Word, _) => matches!(second, "," | "}" | "+"),
            (_, text) => text == "}" && second == ";",
        }
    }
}
