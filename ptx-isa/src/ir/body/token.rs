//! The tokens of a statement.

use super::varint::read;

/// The character in the text of a body that stands for a Rust constant.
pub const PLACEHOLDER: char = '\u{1A}';

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// An opcode, or the name of a directive with its dot.
    Word,
    /// `.f32`
    Modifier,
    /// `::cta`, a part of the modifier before it.
    Submodifier,
    /// The name of a register, of storage, of a label or a function; `_`.
    Name,
    /// An element of a name, with its dot: `.x`.
    Element,
    /// A number, as PTX writes it.
    Number,
    /// A string in quotes.
    Text,
    /// A Rust constant.
    Constant,
    /// An operator or another sign.
    Sign,
    /// `,`
    Comma,
    /// `(`, `[` or `{`
    Open,
    /// `)`, `]` or `}`
    Close,
}

impl TokenKind {
    const ALL: [Self; 12] = [
        Self::Word,
        Self::Modifier,
        Self::Submodifier,
        Self::Name,
        Self::Element,
        Self::Number,
        Self::Text,
        Self::Constant,
        Self::Sign,
        Self::Comma,
        Self::Open,
        Self::Close,
    ];

    /// Whether a token of this kind is always one byte long.
    pub(super) const fn is_short(self) -> bool {
        matches!(self, Self::Constant | Self::Sign | Self::Comma | Self::Open | Self::Close)
    }

    pub(super) fn of_byte(byte: u8) -> Option<Self> {
        let number = usize::from(byte & 0xF);
        if number < Self::ALL.len() { Some(Self::ALL[number]) } else { None }
    }
}

/// A token of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    /// The kind.
    pub kind: TokenKind,
    /// Its text; for a Rust constant the [`PLACEHOLDER`].
    pub text: &'a str,
    /// The number of spaces before it.
    pub spaces: u8,
    /// Its index in the statement, from 0.
    pub index: usize,
    /// Where it starts in the text of the statement, in bytes; a Rust constant counts as one.
    pub offset: usize,
    /// The index among the body's Rust constants that it has, or would have, from 0.
    pub constant: usize,
}

impl Token<'_> {
    /// Whether it is this sign.
    pub fn is_sign(&self, sign: &str) -> bool {
        self.kind == TokenKind::Sign && self.text == sign
    }

    /// Whether it opens a group with this bracket.
    pub fn opens(&self, with: &str) -> bool {
        self.kind == TokenKind::Open && self.text == with
    }
}

/// A range of tokens of a statement, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TokenRange {
    /// The index of the first.
    pub first: usize,
    /// The index of the last.
    pub last: usize,
}

impl TokenRange {
    /// This token only.
    pub const fn one(index: usize) -> Self {
        Self { first: index, last: index }
    }

    /// From the first to the last of some tokens; `None` if there are none.
    pub fn over(tokens: &[Token<'_>]) -> Option<Self> {
        Some(Self { first: tokens.first()?.index, last: tokens.last()?.index })
    }
}

/// The tokens of a statement, in order.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    pub(super) text: &'a str,
    pub(super) table: &'a [u8],
    pub(super) index: usize,
    pub(super) offset: usize,
    pub(super) constant: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let [head, rest @ ..] = self.table else { return None };
        self.table = rest;
        let kind = TokenKind::of_byte(*head)?;
        let spaces = *head >> 4;
        let length =
            if kind.is_short() { 1 } else { usize::try_from(read(&mut self.table)?).ok()? };
        let offset = self.offset + usize::from(spaces);
        let text = self.text.get(offset..offset.checked_add(length)?)?;
        let token =
            Token { kind, text, spaces, index: self.index, offset, constant: self.constant };
        self.offset = offset + length;
        self.index += 1;
        self.constant += usize::from(matches!(kind, TokenKind::Constant));
        Some(token)
    }
}
