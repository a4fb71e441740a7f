//! Writes statements into the IR, with the positions of their tokens.

use ptx_isa::ir::body::{Encoder, Ended, Mark, StatementKind, TokenKind, TokenRange};

use super::token::Name;
use super::{Declaration, Positions, Source};

/// Writes a body statement by statement: first the tokens of a statement, then its end.
#[derive(Debug)]
pub(crate) struct BodyWriter<P> {
    /// Whether only declarations are kept.
    is_sink: bool,
    encoder: Encoder,
    positions: Positions<P>,
    constants: Vec<usize>,
    declarations: Vec<Declaration<P>>,
    assumed: Vec<String>,
    /// The numbers of tokens, constants and declarations in the completed statements.
    ended: Length,
    /// The number of statements, and the kind of the last one.
    statements: usize,
    last: Option<StatementKind>,
    /// The number of the place that the statements come from, if it is not where the others are.
    inlined: Option<usize>,
}

/// The amounts written so far.
#[derive(Clone, Copy, Debug, Default)]
struct Length {
    tokens: usize,
    constants: usize,
    declarations: usize,
}

/// A position within a statement being written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written(Mark, Length);

/// The state of a writer at the end of a statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Snapshot {
    body: Ended,
    ended: Length,
    statements: usize,
    last: Option<StatementKind>,
    assumed: usize,
}

impl<P: Copy> BodyWriter<P> {
    /// The state at the end of a statement, for [`restore`](Self::restore). It does not cover all positions.
    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot {
            body: self.encoder.ended(),
            ended: self.ended,
            statements: self.statements,
            last: self.last,
            assumed: self.assumed.len(),
        }
    }

    /// Discards everything written since the snapshot.
    pub(crate) fn restore(&mut self, to: Snapshot) {
        self.encoder.return_to(to.body);
        self.truncate(to.ended);
        self.assumed.truncate(to.assumed);
        (self.ended, self.statements, self.last) = (to.ended, to.statements, to.last);
    }

    pub(crate) fn new() -> Self {
        Self {
            is_sink: false,
            encoder: Encoder::default(),
            positions: Positions::default(),
            constants: Vec::new(),
            declarations: Vec::new(),
            assumed: Vec::new(),
            ended: Length::default(),
            statements: 0,
            last: None,
            inlined: None,
        }
    }

    /// Starts statements that come from another place. Returns the place around it, for [`leave`](Self::leave).
    pub(super) fn enter(&mut self, place: usize) -> Option<usize> {
        self.inlined.replace(place)
    }

    /// Ends statements that come from another place.
    pub(super) fn leave(&mut self, around: Option<usize>) {
        self.inlined = around;
    }

    /// Creates a writer that keeps declarations and writes nothing, for callers that need only the faults or the
    /// declarations.
    pub(crate) fn sink() -> Self {
        Self { is_sink: true, ..Self::new() }
    }

    /// Whether only declarations are kept.
    pub(super) const fn is_sink(&self) -> bool {
        self.is_sink
    }

    /// The number of completed statements.
    pub(crate) const fn statements(&self) -> usize {
        self.statements
    }

    /// The kind of the last statement.
    pub(crate) const fn last(&self) -> Option<StatementKind> {
        self.last
    }

    /// Writes a space before the next token.
    pub(super) fn space(&mut self) {
        self.encoder.space(1);
    }

    pub(super) fn put(&mut self, kind: TokenKind, text: &str, at: (P, P)) {
        if self.is_sink {
            return;
        }
        self.encoder.token(kind, text);
        self.positions.tokens.push(at);
    }

    pub(super) fn sign(&mut self, sign: char, at: P) {
        self.put(TokenKind::Sign, sign.encode_utf8(&mut [0; 4]), (at, at));
    }

    /// Writes a comma and the space after it.
    pub(super) fn comma(&mut self, at: P) {
        self.put(TokenKind::Comma, ",", (at, at));
        self.space();
    }

    pub(super) fn name(&mut self, name: &Name<'_, P>) {
        self.put(TokenKind::Name, &name.text, name.at);
    }

    /// Writes a Rust constant, given its index in the lexer. Returns its index in the body.
    pub(super) fn constant(&mut self, constant: usize, at: (P, P)) -> usize {
        self.put(TokenKind::Constant, "", at);
        self.constants.push(constant);
        self.constants.len() - 1
    }

    /// The index in the body of a constant in this statement.
    pub(super) fn number(&self, constant: usize) -> Option<usize> {
        let first = self.ended.constants;
        let n = self.constants[first..].iter().position(|written| *written == constant)?;
        Some(first + n)
    }

    /// Records a declaration that was just written.
    pub(super) fn declare(&mut self, declaration: Declaration<P>) {
        self.declarations.push(declaration);
    }

    fn length(&self) -> Length {
        Length {
            tokens: self.positions.tokens.len(),
            constants: self.constants.len(),
            declarations: self.declarations.len(),
        }
    }

    /// The current position in the statement.
    pub(super) fn written(&self) -> Written {
        Written(self.encoder.mark(), self.length())
    }

    /// Discards the part of the statement after a position.
    pub(super) fn take_back(&mut self, Written(mark, length): Written) {
        self.encoder.take_back(mark);
        self.truncate(length);
    }

    /// Discards the whole statement.
    pub(super) fn take_back_all(&mut self) {
        self.encoder.take_back_all();
        self.truncate(self.ended);
    }

    fn truncate(&mut self, to: Length) {
        self.positions.tokens.truncate(to.tokens);
        self.constants.truncate(to.constants);
        self.declarations.truncate(to.declarations);
    }

    /// Ends a statement that may break the rules with these codes.
    pub(super) fn end(&mut self, kind: StatementKind, codes: &[(&'static str, P)]) {
        self.positions.start_statement(self.ended.tokens, codes.iter().map(|(_, at)| *at));
        self.encoder.end(kind, codes.iter().map(|(code, _)| *code));
        self.positions.inlined.extend(self.inlined.map(|place| (self.statements, place)));
        self.ended = self.length();
        self.statements += 1;
        self.last = Some(kind);
    }

    /// Writes the start or the end of a block, which consists of one token.
    pub(crate) fn brace(&mut self, kind: StatementKind, at: P) {
        self.positions.tokens.push((at, at));
        self.end(kind, &[]);
    }

    /// Records a name that a declaration that could not be parsed may declare.
    pub(crate) fn assume(&mut self, name: String) {
        self.assumed.push(name);
    }

    /// Returns the body, and resets the writer for another one.
    pub(crate) fn finish(&mut self) -> Source<P> {
        self.take_back_all();
        self.ended = Length::default();
        (self.statements, self.last) = (0, None);
        let (text, table) = self.encoder.take();
        Source {
            text,
            table,
            positions: core::mem::take(&mut self.positions),
            constants: core::mem::take(&mut self.constants),
            declarations: core::mem::take(&mut self.declarations),
            assumed: core::mem::take(&mut self.assumed),
        }
    }
}

impl<P: Copy> Positions<P> {
    fn start_statement(&mut self, token: usize, allowances: impl IntoIterator<Item = P>) {
        // Zero-sized positions need no storage.
        if size_of::<P>() > 0 {
            self.first_tokens.push(token);
            self.first_allowances.push(self.allowances.len());
            self.allowances.extend(allowances);
        }
    }

    /// The positions of the first and the last source token of a statement's token.
    pub fn token(&self, statement: usize, token: usize) -> Option<(P, P)> {
        let first = *self.first_tokens.get(statement)?;
        let end = self.first_tokens.get(statement + 1).copied().unwrap_or(self.tokens.len());
        self.tokens.get(first..end)?.get(token).copied()
    }

    /// The positions of the first and the last source token of a range of a statement's tokens.
    pub fn over(&self, statement: usize, tokens: TokenRange) -> Option<(P, P)> {
        let (start, _) = self.token(statement, tokens.first)?;
        Some((start, self.token(statement, tokens.last)?.1))
    }

    /// The number of the place that a statement comes from, if it is not where the others are.
    pub fn inlined(&self, statement: usize) -> Option<usize> {
        let at = self.inlined.binary_search_by_key(&statement, |(statement, _)| *statement);
        at.ok().map(|at| self.inlined[at].1)
    }

    /// The statements that come from another place, each with the number of that.
    pub fn each_inlined(&self) -> impl Iterator<Item = (usize, usize)> {
        self.inlined.iter().copied()
    }

    /// The position of a statement's allowance.
    pub fn allowance(&self, statement: usize, allowance: usize) -> Option<P> {
        let first = *self.first_allowances.get(statement)?;
        self.allowances.get(first + allowance).copied()
    }
}

impl<P> Default for Positions<P> {
    fn default() -> Self {
        Self {
            tokens: Vec::new(),
            first_tokens: Vec::new(),
            allowances: Vec::new(),
            first_allowances: Vec::new(),
            inlined: Vec::new(),
        }
    }
}
