//! Where the tokens of statements stand.

use proc_macro2::Span;
use ptx_types::ir::{self, Location, Locations};

use super::{Body, Statement};

/// A token of a statement, and where it starts in the statement's text.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The index of the statement.
    pub statement: usize,
    /// The piece of the statement that starts before it; the first, once names are resolved.
    pub(super) piece: usize,
    /// Where it starts in that piece, in bytes, of which a Rust constant is one.
    pub offset: usize,
    /// The token.
    pub span: Span,
}

impl Mark {
    pub(super) fn new(piece: usize, offset: usize, span: Span) -> Self {
        Self { statement: 0, piece, offset, span }
    }
}

impl Body {
    /// The places of the marks, as [`Locations::new`] takes them: the files, and the table.
    pub fn places(&self) -> (Vec<String>, Vec<u8>) {
        let found: Vec<Location<String>> = self.marks.iter().map(|mark| place(mark.span)).collect();
        let marks = self.marks.iter().zip(&found).map(|(mark, place)| ir::Mark {
            statement: mark.statement,
            offset: mark.offset,
            place: Location { file: place.file.as_str(), line: place.line, column: place.column },
        });
        let (files, table) = Locations::encode(marks);
        (files.into_iter().map(str::to_owned).collect(), table)
    }

    /// Adds a statement with the marks in it.
    pub(super) fn push(&mut self, statement: Statement, marks: Vec<Mark>) {
        let index = self.statements.len();
        self.marks.extend(marks.into_iter().map(|mark| Mark { statement: index, ..mark }));
        self.statements.push(statement);
    }

    /// Adds a statement that is one token.
    pub(super) fn push_token(&mut self, statement: Statement, span: Span) {
        self.push(statement, vec![Mark::new(0, 0, span)]);
    }
}

/// Where a token stands; of what comes through a `macro_rules!`, where it is written.
pub fn place(span: Span) -> Location<String> {
    let start = span.start();
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    // Columns count from 0 here.
    Location { file: span.file(), line: number(start.line), column: number(start.column + 1) }
}

/// Moves the marks of a piece to where it starts in the statement's text. The pieces come in order.
pub(super) fn settle<'m>(
    marks: &mut core::iter::Peekable<impl Iterator<Item = &'m mut Mark>>,
    statement: usize,
    piece: usize,
    start: usize,
) {
    while let Some(mark) = marks.next_if(|mark| (mark.statement, mark.piece) <= (statement, piece))
    {
        if (mark.statement, mark.piece) == (statement, piece) {
            (mark.piece, mark.offset) = (0, start + mark.offset);
        }
    }
}
