//! Long lists in braces, whose elements are read again whenever they are needed instead of being kept as tokens.

use bumpalo::Bump;
use bumpalo::collections::Vec as Tokens;

use super::Reader;
use crate::body::token::{Delimiter, Each, Elements, Written, is_fraction};
use crate::text::boundary::{Ended, Scope};
use crate::text::extent::{Extent, Kept};
use crate::text::lexer::PieceKind;
use crate::text::number::is_number;

/// The minimum number of tokens in a long list.
const FEWEST: usize = 1024;

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

impl<'t> Reader<'t> {
    /// Consumes the contents of the braces that were opened last, if they are a long list in which nothing is
    /// malformed.
    pub(super) fn list(&mut self, limit: Option<u32>) -> Option<List<'t>> {
        let mut lexer = self.lexer.clone();
        let start = u32::try_from(lexer.at()).ok()?;
        let mut open = vec![Delimiter::Brace];
        let (mut elements, mut count) = (1, 0_usize);
        let end = loop {
            let piece = lexer.next()?;
            let text = self.text(piece.at);
            match piece.kind {
                PieceKind::Space => continue,
                PieceKind::Comment if !text.get(2..).is_some_and(super::is_note) => continue,
                PieceKind::Number if is_number(text) => {}
                PieceKind::Word => {}
                // The type of a cast is in parentheses.
                PieceKind::Dotted
                    if is_fraction(text) || open.last() == Some(&Delimiter::Parenthesis) => {}
                PieceKind::Sign if text != ";" => {
                    elements += usize::from(text == "," && open.len() == 1);
                }
                PieceKind::Open(delimiter) if open.len() < DEEPEST => open.push(delimiter),
                PieceKind::Close(delimiter) if open.pop() == Some(delimiter) => {
                    if open.is_empty() {
                        break piece.at.start;
                    }
                }
                PieceKind::Number
                | PieceKind::Dotted
                | PieceKind::Sign
                | PieceKind::Open(_)
                | PieceKind::Close(_)
                | PieceKind::Comment
                | PieceKind::OpenComment
                | PieceKind::LineMarker
                | PieceKind::Text
                | PieceKind::OpenText
                | PieceKind::Colons => return None,
            }
            count += 1;
        };
        if count < FEWEST || limit.is_some_and(|limit| end > limit) {
            return None;
        }
        let text = self.lexer.text();
        self.lexer.go_to(end as usize);
        Some(List { text, written: Written { start, end, elements } })
    }
}
