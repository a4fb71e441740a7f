//! Reads the tokens of one statement at a time, in the form that the grammar takes.

pub(super) mod list;
mod skip;

use bumpalo::Bump;
use bumpalo::collections::Vec as Tokens;

use ptx_isa::ir::body::integer;

use super::boundary::{
    Defect, Ended, FEWEST, LINKAGES, Scope, are_one_operator, ends_body, ends_pragma, may_list,
    starts_another,
};
use super::extent::{Extent, Kept};
use super::lexer::{Lexer, Piece, PieceKind};
use super::noted::Noted;
use super::number::{digits_before_name, is_number};
use crate::body::token::{Delimiter, Token};

/// The maximum nesting depth of groups in a statement; ptxas accepts hardly any nesting.
const DEEPEST: usize = 64;

/// The maximum number of commas in a statement whose items are all kept: the operands of a `call`, say.
const MOST_COMMAS: usize = 64_000;

/// The number of tokens that are kept of a longer one.
const SHORT: usize = 64;

/// The number of tokens of a statement from which on the memory for more is measured first.
const MANY: usize = 1 << 14;

/// The maximum number of times that a statement with a block in its middle is read again from the block.
const MOST_RETURNS: u32 = 4;

/// A token, and whether it is the first on its line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexed {
    pub(super) piece: Piece,
    pub(super) is_first: bool,
}

/// A comment with an allowance for the next statement: `// ptx: allow(A034)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    pub(super) at: Extent,
    /// Whether it is the first on its line.
    pub(super) is_first: bool,
}

/// An open group.
struct Frame {
    delimiter: Delimiter,
    /// The number of tokens before it.
    tokens: usize,
    at: Extent,
}

/// Reads statements.
pub(super) struct Reader<'t> {
    lexer: Lexer<'t>,
    next: Option<Lexed>,
    /// Whether a line has begun since the last token.
    is_first: bool,
    /// The notes before the next token that were not yet taken.
    pub(super) notes: Vec<Note>,
    /// The launch in a note that was taken, for the next kernel.
    pub(super) launch: Option<Noted>,
    /// The number of notes inside the last statement, or before it.
    pub(super) own_notes: usize,
    /// The defect in the tokens of the last statement.
    pub(super) defect: Option<Defect>,
    /// An unterminated comment, if there is one.
    pub(super) open_comment: Option<Extent>,
    frames: Vec<Frame>,
    /// The end of the last token of the statement that is read.
    last_end: u32,
    /// The last semicolon before which a block was opened in the middle of a statement, and the number of such returns.
    returned: (u32, u32),
}

/// A reader's position, to return to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    at: usize,
    is_first: bool,
    notes: usize,
}

impl Mark {
    /// Its offset in the text.
    pub(super) const fn at(self) -> usize {
        self.at
    }
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            lexer: Lexer::new(text),
            next: None,
            is_first: true,
            launch: None,
            notes: Vec::new(),
            own_notes: 0,
            defect: None,
            open_comment: None,
            frames: Vec::new(),
            last_end: 0,
            returned: (0, 0),
        }
    }

    /// Starts at the beginning of a token.
    pub(super) fn from(text: &'t str, start: u32) -> Self {
        let mut reader = Self::new(text);
        reader.lexer.go_to(start as usize);
        reader
    }

    /// The whole text.
    pub(super) const fn whole(&self) -> &'t str {
        self.lexer.text()
    }

    /// The text at a location.
    pub(super) fn text(&self, at: Extent) -> &'t str {
        self.lexer.text().get(at.range()).unwrap_or_default()
    }

    pub(super) fn mark(&mut self) -> Mark {
        let at = match self.peek() {
            Some(next) => next.piece.at.start as usize,
            None => self.lexer.at(),
        };
        let is_first = self.next.is_some_and(|next| next.is_first);
        Mark { at, is_first, notes: self.notes.len() }
    }

    pub(super) fn return_to(&mut self, mark: Mark) {
        self.lexer.go_to(mark.at);
        (self.next, self.is_first) = (None, mark.is_first);
        self.notes.truncate(mark.notes);
    }

    /// The next token, without consuming it.
    pub(super) fn peek(&mut self) -> Option<Lexed> {
        if self.next.is_none() {
            self.next = self.lex();
        }
        self.next
    }

    /// The next token.
    #[inline]
    pub(super) fn token(&mut self) -> Option<Lexed> {
        match self.next.take() {
            Some(next) => Some(next),
            None => self.lex(),
        }
    }

    #[inline]
    fn lex(&mut self) -> Option<Lexed> {
        loop {
            let piece = self.lexer.next()?;
            match piece.kind {
                PieceKind::Space => {
                    let text = self.text(piece.at).as_bytes();
                    self.is_first |= text.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
                }
                PieceKind::Comment => {
                    let text = self.text(piece.at);
                    if text.get(2..).is_some_and(is_note) {
                        self.notes.push(Note { at: piece.at, is_first: self.is_first });
                    }
                }
                PieceKind::OpenComment => self.open_comment = Some(piece.at),
                PieceKind::LineMarker => {}
                _ => {
                    let is_first = core::mem::take(&mut self.is_first);
                    return Some(Lexed { piece, is_first });
                }
            }
        }
    }

    /// Goes back to before a token that was consumed.
    fn unread(&mut self, lexed: Lexed) {
        self.lexer.go_to(lexed.piece.at.end as usize);
        (self.next, self.is_first) = (Some(lexed), false);
    }

    /// Whether the next token has this text.
    pub(super) fn next_is(&mut self, text: &str) -> bool {
        self.peek().is_some_and(|next| self.text(next.piece.at) == text)
    }

    /// Consumes a string, if there is one here.
    pub(super) fn string(&mut self) -> bool {
        let is_string = self.peek().is_some_and(|next| next.piece.kind == PieceKind::Text);
        if is_string {
            self.token();
        }
        is_string
    }

    /// The end of the text.
    pub(super) fn end(&self) -> Extent {
        let end = u32::try_from(self.lexer.text().len()).unwrap_or(u32::MAX);
        Extent { start: end, end }
    }

    /// Consumes this many numbers, if they are here.
    pub(super) fn numbers(&mut self, count: usize) -> bool {
        self.numbers_that(count, |_| true)
    }

    /// Skips this many numbers of 32 bits, and returns whether there were that many.
    pub(super) fn words(&mut self, count: usize) -> bool {
        self.numbers_that(count, |text| integer(text).is_none_or(|number| number < 1 << 32))
    }

    fn numbers_that(&mut self, count: usize, is_it: impl Fn(&str) -> bool) -> bool {
        (0..count).all(|_| {
            let is_number = self.peek().is_some_and(|next| {
                next.piece.kind == PieceKind::Number && is_it(self.text(next.piece.at))
            });
            if is_number {
                self.token();
            }
            is_number
        })
    }

    /// The start of the first token on a line, counted from the next token's line, if it is not past the next
    /// semicolon or brace.
    pub(super) fn line_start(&mut self, line: usize) -> Option<u32> {
        let mut lines = 0;
        self.token()?;
        loop {
            let next = self.token()?;
            if matches!(self.text(next.piece.at), ";" | "{" | "}") {
                return None;
            }
            lines += usize::from(next.is_first);
            if lines == line {
                return Some(next.piece.at.start);
            }
        }
    }

    /// Reads the tokens of a statement, but none from `limit` on.
    pub(super) fn statement<'a, P: Kept>(
        &mut self,
        scope: Scope,
        limit: Option<u32>,
        tokens: &mut Tokens<'a, Token<'a, P>>,
        arena: &'a Bump,
    ) -> Ended
    where
        't: 'a,
    {
        self.defect = None;
        self.frames.clear();
        let mut is_function = false;
        let mut commas = 0_usize;
        // Where the items of a declaration or a directive start, if they may be a long list: the number of tokens before
        // them, and the offset.
        let mut items: Option<(usize, u32)> = None;
        loop {
            self.own_notes = self.notes.len();
            let Some(lexed) = self.token() else {
                self.close_frames();
                return Ended::Text;
            };
            let Piece { kind, at } = lexed.piece;
            if limit.is_some_and(|limit| at.start >= limit) {
                self.next = Some(lexed);
                self.close_frames();
                return Ended::Limit;
            }
            let is_long = matches!(self.defect, Some(Defect::TooLong(..)));
            if commas > MOST_COMMAS || is_long && tokens.len() >= 2 * SHORT {
                // Groups are still closed, and the start still tells what is declared.
                self.defect = self.defect.or(Some(Defect::TooLong("commas", at)));
                tokens.truncate(self.frames.first().map_or(SHORT, |frame| frame.tokens.min(SHORT)));
                self.frames.iter_mut().for_each(|frame| frame.tokens = tokens.len());
                commas = 0;
            }
            if tokens.len() >= MANY && tokens.len() + 2 > tokens.capacity() {
                tokens.reserve_exact(self.ahead(15 * tokens.len()) + 2);
            }
            let kept = P::of(at.start, at.end);
            let text: &'a str = self.text(at);
            let is_apart = at.start > core::mem::replace(&mut self.last_end, at.end);
            match kind {
                PieceKind::Word => tokens.push(Token::Word(text, kept)),
                // `.align 4x`, which ptxas reads as a number and a name.
                PieceKind::Number
                    if matches!(tokens.last(), Some(Token::Dotted(".align", ..)))
                        && let Some(digits) = digits_before_name(text) =>
                {
                    let (number, name) = text.split_at(digits);
                    let middle = at.end - u32::try_from(name.len()).unwrap_or_default();
                    tokens.push(Token::Number(number, P::of(at.start, middle)));
                    tokens.push(Token::Word(name, P::of(middle, at.end)));
                }
                PieceKind::Number => {
                    if !is_number(text) {
                        self.defect = self.defect.or(Some(Defect::Number(at)));
                    }
                    tokens.push(Token::Number(text, kept));
                }
                PieceKind::Text => tokens.push(Token::Text(text, kept)),
                PieceKind::OpenText => {
                    self.defect = self.defect.or(Some(Defect::OpenText(at)));
                    tokens.push(Token::Text(text, kept));
                }
                PieceKind::Dotted => {
                    if self.frames.is_empty() {
                        let is_next = is_function && starts_another(text, tokens);
                        if is_next || lexed.is_first && ends_body(scope, text, tokens) {
                            let notes = self.notes.len();
                            // A variable with a linkage is an error in a body, but does not end the body.
                            let is_func = text == ".func" || self.next_is(".func");
                            let may_end = scope == Scope::Module
                                || !LINKAGES.contains(&text) && !is_func
                                || self.next_is(".entry")
                                || is_func && !self.is_declaration();
                            if is_next || may_end {
                                self.notes.truncate(notes);
                                self.unread(lexed);
                                return Ended::Module;
                            }
                        }
                        is_function |= scope == Scope::Module && matches!(text, ".func" | ".entry");
                        if may_list(text, tokens) {
                            items = Some((tokens.len() + 1, at.end));
                        }
                    }
                    tokens.push(Token::Dotted(text, kept, kept));
                }
                PieceKind::Colons => tokens.push(Token::Colons(text, kept, kept)),
                PieceKind::Open(delimiter) => {
                    let starts =
                        scope != Scope::List && self.frames.is_empty() && tokens.is_empty();
                    if delimiter == Delimiter::Brace && (is_function || starts) {
                        self.own_notes = self.notes.len();
                        self.close_frames();
                        return Ended::Open(at);
                    }
                    if self.frames.len() == DEEPEST {
                        self.defect = self.defect.or(Some(Defect::TooDeep(at)));
                        tokens.push(Token::Sign('(', kept));
                    } else {
                        self.frames.push(Frame { delimiter, tokens: tokens.len(), at });
                        let may_be_long = scope == Scope::List
                            || matches!(tokens.first(), Some(Token::Dotted(..)));
                        if delimiter == Delimiter::Brace
                            && may_be_long
                            && let Some(list) = self.list(limit, self.is_in_value(tokens))
                        {
                            let at = P::of(list.at().start, list.at().end);
                            tokens.push(Token::List(arena.alloc(list), at, at));
                        }
                    }
                }
                PieceKind::Close(delimiter) => {
                    if let Some(ended) = self.close((delimiter, at), tokens, arena) {
                        return ended;
                    }
                }
                PieceKind::Sign => {
                    let sign = text.chars().next().unwrap_or_default();
                    match sign {
                        ';' if is_function && self.is_among_parameters() => {
                            self.defect = self.defect.or(Some(Defect::Separator("parameters", at)));
                            if !self.next_is(")") {
                                tokens.push(Token::Sign(',', kept));
                            }
                        }
                        ';' if self.is_in_value(tokens) && self.continues(&self.lexer) => {
                            self.defect = self.defect.or(Some(Defect::Separator("elements", at)));
                            if !self.next_is("}") {
                                tokens.push(Token::Sign(',', kept));
                            }
                        }
                        ';' => {
                            if let Some(ended) = self.semicolon(at, tokens) {
                                return ended;
                            }
                            let is_pragma = is_function && ends_pragma(tokens);
                            tokens.push(Token::Sign(';', kept));
                            if !is_pragma {
                                return Ended::Semicolon;
                            }
                        }
                        ',' if scope == Scope::List && self.frames.is_empty() => {
                            return Ended::Comma(at);
                        }
                        ',' if self.frames.is_empty()
                            && tokens.len() >= FEWEST
                            && let Some((before, start)) =
                                items.take().filter(|_| !is_function)
                            && let Some(list) = self.items(start, limit) =>
                        {
                            tokens.truncate(before);
                            let at = P::of(list.at().start, list.at().end);
                            tokens.push(Token::List(arena.alloc(list), at, at));
                        }
                        ':' if scope == Scope::Body
                            && matches!(tokens.as_slice(), [Token::Word(..)]) =>
                        {
                            tokens.push(Token::Sign(':', kept));
                            return Ended::Label;
                        }
                        _ => {
                            commas += usize::from(sign == ',');
                            if is_apart && joins(tokens, sign) {
                                self.defect = self.defect.or(Some(Defect::Operator(at)));
                            }
                            tokens.push(Token::Sign(sign, kept));
                        }
                    }
                }
                PieceKind::Space
                | PieceKind::Comment
                | PieceKind::OpenComment
                | PieceKind::LineMarker => {}
            }
        }
    }

    /// The number of tokens up to the next semicolon, but at most this many.
    fn ahead(&self, most: usize) -> usize {
        let tokens = self.lexer.clone().filter(|piece| !piece.kind.is_trivia());
        tokens.take(most).take_while(|piece| self.text(piece.at) != ";").count()
    }

    /// Whether the next tokens end with a semicolon before any brace: ptxas takes the declaration of a function in a
    /// body.
    fn is_declaration(&self) -> bool {
        let mut rest = self.lexer.clone();
        let end = rest.find(|piece| matches!(self.text(piece.at), ";" | "{" | "}"));
        end.is_some_and(|piece| self.text(piece.at) == ";")
    }

    /// Closes a group: replaces the tokens after its opening delimiter with one group. Returns how the statement ends,
    /// if it ends at this `}`.
    fn close<'a, P: Kept>(
        &mut self,
        (delimiter, at): (Delimiter, Extent),
        tokens: &mut Tokens<'a, Token<'a, P>>,
        arena: &'a Bump,
    ) -> Option<Ended> {
        let kept = P::of(at.start, at.end);
        let opens = self.frames.iter().rposition(|frame| frame.delimiter == delimiter);
        let Some(opens) = opens else {
            // `= {1, 2}};`
            let is_value = matches!(
                tokens.as_slice(),
                [.., Token::Sign('=', _), Token::Group(Delimiter::Brace, ..)]
            );
            if delimiter == Delimiter::Brace && !(is_value && self.next_is(";")) {
                self.close_frames();
                return Some(Ended::Close(at));
            }
            self.defect = self.defect.or(Some(Defect::Unopened(delimiter, at)));
            return None;
        };
        if let Some(unclosed) = self.frames.get(opens + 1) {
            self.defect = self.defect.or(Some(Defect::Unclosed(unclosed.delimiter, unclosed.at)));
        }
        let frame = &self.frames[opens];
        let inner = if tokens.len() >= MANY && tokens.len() / 2 >= frame.tokens {
            // What is before the group is copied instead of a long group.
            tokens.shrink_to_fit();
            let mut outer = Tokens::with_capacity_in(frame.tokens + 1, arena);
            outer.extend_from_slice(&tokens[..frame.tokens]);
            let all = core::mem::replace(tokens, outer).into_bump_slice();
            &all[frame.tokens..]
        } else {
            let inner = arena.alloc_slice_copy(tokens.get(frame.tokens..).unwrap_or_default());
            tokens.truncate(frame.tokens);
            inner
        };
        let open = P::of(frame.at.start, frame.at.end);
        tokens.push(Token::Group(delimiter, inner, open, kept));
        self.frames.truncate(opens);
        None
    }

    /// Handles a semicolon inside a group: if a block in the middle of the statement is open, the statement ends
    /// at that block; otherwise it does not end here.
    fn semicolon<P: Kept>(
        &mut self,
        at: Extent,
        tokens: &mut Tokens<'_, Token<'_, P>>,
    ) -> Option<Ended> {
        let frame = self.frames.first()?;
        if frame.delimiter == Delimiter::Brace && self.defect.is_none() && !self.is_in_value(tokens)
        {
            let count = if self.returned.0 == at.start { self.returned.1 + 1 } else { 1 };
            if count <= MOST_RETURNS {
                self.returned = (at.start, count);
                let open = frame.at;
                tokens.truncate(frame.tokens);
                self.frames.clear();
                self.notes.retain(|note| note.at.start < open.start);
                self.own_notes = self.notes.len();
                self.lexer.go_to(open.end as usize);
                (self.next, self.is_first) = (None, false);
                return Some(Ended::Open(open));
            }
        }
        self.close_frames();
        None
    }

    /// Whether the braces of an initial value are open.
    fn is_in_value<P>(&self, tokens: &[Token<'_, P>]) -> bool {
        let before = self.frames.first().and_then(|frame| tokens.get(..frame.tokens));
        matches!(before, Some([.., Token::Sign('=', _)]))
    }

    /// Whether the next token continues or ends a list of parameters, which is open.
    fn is_among_parameters(&mut self) -> bool {
        matches!(self.frames.as_slice(), [Frame { delimiter: Delimiter::Parenthesis, .. }])
            && [".param", ".reg", ")"].iter().any(|text| self.next_is(text))
    }

    /// Records that the open groups are unclosed.
    fn close_frames(&mut self) {
        if let Some(frame) = self.frames.first() {
            let unclosed = Defect::Unclosed(frame.delimiter, frame.at);
            self.defect = self.defect.or(Some(unclosed));
        }
        self.frames.clear();
    }
}

/// Whether a sign and the last token are one operator. The `>` after the number of names in a family is not one.
fn joins<P>(tokens: &[Token<'_, P>], sign: char) -> bool {
    match tokens {
        [.., Token::Sign('<', _), Token::Number(..), Token::Sign('>', _)] => false,
        [.., Token::Sign(before, _)] => are_one_operator(*before, sign),
        _ => false,
    }
}

/// Whether a comment is addressed to this crate.
fn is_note(comment: &str) -> bool {
    let start = comment.trim_start().as_bytes().get(..4);
    start.is_some_and(|start| start.eq_ignore_ascii_case(b"ptx:"))
}
