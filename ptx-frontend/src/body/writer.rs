//! Statements as they are written into the IR, and where their tokens stand.

use ptx_types::ir::body::{Encoder, StatementKind, TokenKind, TokenRange};

use super::token::Name;
use super::{Declaration, Positions, Source};

/// The tokens of a statement, as many of them as are read.
#[derive(Debug)]
pub(super) struct Writer<P> {
    tokens: Vec<Written<P>>,
    spaces: u8,
    /// How many constants stand in the statements before it.
    first_constant: usize,
    /// The lexer's numbers of those in it.
    constants: Vec<usize>,
    declarations: Vec<Declaration<P>>,
}

/// A token of the IR, and where it stands.
#[derive(Debug)]
struct Written<P> {
    kind: TokenKind,
    text: String,
    spaces: u8,
    at: (P, P),
}

impl<P: Copy> Writer<P> {
    /// A statement behind so many constants.
    pub(super) fn behind(first_constant: usize) -> Self {
        Self {
            tokens: Vec::new(),
            spaces: 0,
            first_constant,
            constants: Vec::new(),
            declarations: Vec::new(),
        }
    }

    /// A space before the next token.
    pub(super) fn space(&mut self) {
        self.spaces += 1;
    }

    pub(super) fn put(&mut self, kind: TokenKind, text: impl Into<String>, at: (P, P)) {
        let spaces = core::mem::take(&mut self.spaces);
        self.tokens.push(Written { kind, text: text.into(), spaces, at });
    }

    pub(super) fn sign(&mut self, sign: char, at: P) {
        self.put(TokenKind::Sign, sign, (at, at));
    }

    /// A comma, and the space behind it.
    pub(super) fn comma(&mut self, at: P) {
        self.put(TokenKind::Comma, ',', (at, at));
        self.space();
    }

    pub(super) fn name(&mut self, name: Name<P>) {
        self.put(TokenKind::Name, name.text, name.at);
    }

    /// A Rust constant by the lexer's number; its number in the body.
    pub(super) fn constant(&mut self, constant: usize, at: (P, P)) -> usize {
        self.put(TokenKind::Constant, "", at);
        self.constants.push(constant);
        self.first_constant + self.constants.len() - 1
    }

    /// The number in the body of a constant that was written.
    pub(super) fn number(&self, constant: usize) -> Option<usize> {
        let n = self.constants.iter().position(|written| *written == constant)?;
        Some(self.first_constant + n)
    }

    /// Notes that what was just written declares something.
    pub(super) fn declare(&mut self, declaration: Declaration<P>) {
        self.declarations.push(declaration);
    }

    /// How much is written.
    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Takes back what was written behind that.
    pub(super) fn truncate(&mut self, len: usize) {
        let is_constant = |token: &&Written<P>| token.kind == TokenKind::Constant;
        let constants = self.tokens[..len].iter().filter(is_constant).count();
        self.constants.truncate(constants);
        self.tokens.truncate(len);
    }
}

/// Writes a body, statement by statement.
#[derive(Debug)]
pub(super) struct BodyWriter<P> {
    encoder: Encoder,
    positions: Positions<P>,
    constants: Vec<usize>,
    declarations: Vec<Declaration<P>>,
    assumed: Vec<String>,
}

impl<P: Copy> BodyWriter<P> {
    pub(super) fn new() -> Self {
        Self {
            encoder: Encoder::default(),
            positions: Positions::default(),
            constants: Vec::new(),
            declarations: Vec::new(),
            assumed: Vec::new(),
        }
    }

    /// A writer for the next statement.
    pub(super) fn statement(&self) -> Writer<P> {
        Writer::behind(self.constants.len())
    }

    /// Adds a statement that may break the rules with these codes.
    pub(super) fn push(
        &mut self,
        kind: StatementKind,
        writer: Writer<P>,
        codes: &[(&'static str, P)],
    ) {
        self.positions.start_statement(codes.iter().map(|(_, at)| *at));
        for Written { kind, text, spaces, at } in writer.tokens {
            self.encoder.space(spaces);
            self.encoder.token(kind, &text);
            self.positions.push(at);
        }
        self.encoder.end(kind, codes.iter().map(|(code, _)| *code));
        self.constants.extend(writer.constants);
        self.declarations.extend(writer.declarations);
    }

    /// Adds the start or the end of a block, which has no token but itself.
    pub(super) fn brace(&mut self, kind: StatementKind, at: P) {
        self.positions.start_statement([]);
        self.positions.push((at, at));
        self.encoder.end(kind, []);
    }

    /// Notes a name that a declaration that could not be read may declare.
    pub(super) fn assume(&mut self, name: String) {
        self.assumed.push(name);
    }

    pub(super) fn finish(self) -> Source<P> {
        let Self { encoder, positions, constants, declarations, assumed } = self;
        let (text, table) = encoder.finish();
        Source { text, table, positions, constants, declarations, assumed }
    }
}

impl<P: Copy> Positions<P> {
    fn start_statement(&mut self, allowances: impl IntoIterator<Item = P>) {
        self.first_tokens.push(self.tokens.len());
        self.first_allowances.push(self.allowances.len());
        self.allowances.extend(allowances);
    }

    fn push(&mut self, at: (P, P)) {
        self.tokens.push(at);
    }

    /// Where a token of a statement starts and ends.
    pub fn token(&self, statement: usize, token: usize) -> Option<(P, P)> {
        let first = *self.first_tokens.get(statement)?;
        let end = self.first_tokens.get(statement + 1).copied().unwrap_or(self.tokens.len());
        self.tokens.get(first..end)?.get(token).copied()
    }

    /// Where some tokens of a statement start and end.
    pub fn over(&self, statement: usize, tokens: TokenRange) -> Option<(P, P)> {
        let (start, _) = self.token(statement, tokens.first)?;
        Some((start, self.token(statement, tokens.last)?.1))
    }

    /// Where an allowance of a statement stands.
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
        }
    }
}
