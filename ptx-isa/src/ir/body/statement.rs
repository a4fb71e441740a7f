//! Statements (PTX ISA 4.3).

use super::instruction::{self, Declarator, Instruction};
use super::operand::Name;
use super::token::{PLACEHOLDER, TokenKind, Tokens};
use super::varint::read;
use crate::constant::Number;
use crate::instruction::{INSTRUCTIONS, Row};
use crate::space::Space;

/// The kind of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StatementKind {
    /// A declaration of registers or storage.
    Declaration,
    /// An instruction with its guard.
    Instruction,
    /// A directive that declares no storage: `.pragma`.
    Directive,
    /// A label, without its colon.
    Label,
    /// The start of a block: `{`.
    Open,
    /// The end of a block: `}`.
    Close,
    /// PTX whose tokens are not known, with its semicolon.
    Verbatim,
}

impl StatementKind {
    const ALL: [Self; 7] = [
        Self::Declaration,
        Self::Instruction,
        Self::Directive,
        Self::Label,
        Self::Open,
        Self::Close,
        Self::Verbatim,
    ];

    pub(super) const fn has_semicolon(self) -> bool {
        matches!(self, Self::Declaration | Self::Instruction | Self::Directive)
    }
}

/// The flag that a statement has allowances.
pub(super) const HAS_ALLOWANCES: u8 = 8;

/// The flag that a statement has Rust constants: most have none, and need not be searched for them.
pub(super) const HAS_CONSTANTS: u8 = 16;

/// A statement of a body, printed on its own line.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    kind: StatementKind,
    text: &'a str,
    codes: &'a [u8],
    row: Option<&'static Row>,
    tokens: &'a [u8],
    constants: &'a [Number],
    first_constant: usize,
}

impl<'a> Statement<'a> {
    /// The kind.
    pub const fn kind(&self) -> StatementKind {
        self.kind
    }

    /// Its text, with its semicolon if it has one and a [placeholder](super::PLACEHOLDER) for each Rust
    /// constant.
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// Its text, piece by piece.
    pub const fn pieces(&self) -> Pieces<'a> {
        Pieces { text: self.text, constants: self.constants, constant: self.first_constant }
    }

    /// Its tokens, without the semicolon; none if it is verbatim.
    pub const fn tokens(&self) -> Tokens<'a> {
        let constant = self.first_constant;
        Tokens { text: self.text, table: self.tokens, index: 0, offset: 0, constant }
    }

    /// The codes of the rules that it may break: `#[allow(A021)]`.
    pub fn allowed(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let mut rest = self.codes;
        core::iter::from_fn(move || {
            let length = usize::try_from(read(&mut rest)?).ok()?;
            let (code, remaining) = rest.split_at_checked(length)?;
            rest = remaining;
            core::str::from_utf8(code).ok()
        })
    }

    /// The row of the instruction, if it is one and has one.
    pub const fn row(&self) -> Option<&'static Row> {
        self.row
    }

    /// The instruction, if it is one, with these values of the Rust constants.
    pub fn instruction(&self, constants: &[Option<i128>]) -> Option<Instruction<'a>> {
        match self.kind {
            StatementKind::Instruction => instruction::decode(self.tokens(), self.row, constants),
            _ => None,
        }
    }

    /// The names in it, in order.
    pub fn names(&self) -> impl Iterator<Item = Name<'a>> + use<'a> {
        self.tokens().filter(|token| token.kind == TokenKind::Name).map(|token| Name::of(&token))
    }

    /// What it declares, in order; empty if it is not a declaration.
    pub fn declarators(&self) -> alloc::vec::Vec<Declarator<'a>> {
        match self.kind {
            StatementKind::Declaration => instruction::declarators(self.tokens()),
            _ => alloc::vec::Vec::new(),
        }
    }
}

/// A piece of a statement's text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Piece<'a> {
    /// PTX, verbatim.
    Text(&'a str),
    /// A number from Rust.
    Number(Number),
}

/// The text of a statement, piece by piece.
#[derive(Clone, Debug)]
pub struct Pieces<'a> {
    text: &'a str,
    constants: &'a [Number],
    constant: usize,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if let Some(rest) = self.text.strip_prefix(PLACEHOLDER) {
            self.text = rest;
            self.constant += 1;
            let unknown = Number::Int { negative: false, magnitude: 0 };
            let number = self.constants.get(self.constant - 1).copied();
            return Some(Piece::Number(number.unwrap_or(unknown)));
        }
        if self.text.is_empty() {
            return None;
        }
        let end = self.text.find(PLACEHOLDER).unwrap_or(self.text.len());
        let (piece, rest) = self.text.split_at(end);
        self.text = rest;
        Some(Piece::Text(piece))
    }
}

/// The statements of a body, in order.
#[derive(Clone, Debug)]
pub struct Statements<'a> {
    text: &'a str,
    table: &'a [u8],
    constants: &'a [Number],
    constant: usize,
    is_verbatim: bool,
}

impl<'a> Statements<'a> {
    pub(super) const fn of(text: &'a str, table: &'a [u8], constants: &'a [Number]) -> Self {
        Self { text, table, constants, constant: 0, is_verbatim: table.is_empty() }
    }

    fn verbatim(&mut self) -> Option<Statement<'a>> {
        loop {
            if self.text.is_empty() {
                return None;
            }
            let (line, rest) = self.text.split_once('\n').unwrap_or((self.text, ""));
            self.text = rest;
            let text = line.trim();
            if text.is_empty() {
                continue;
            }
            let word = text.strip_prefix('.').unwrap_or_default();
            let word = word.split(|c: char| !c.is_ascii_alphanumeric()).next();
            let declares = word.and_then(Space::from_name).is_some();
            let kind = match text {
                "{" => StatementKind::Open,
                "}" => StatementKind::Close,
                _ if declares => StatementKind::Declaration,
                _ => StatementKind::Verbatim,
            };
            return Some(Statement {
                kind,
                text,
                codes: &[],
                row: None,
                tokens: &[],
                constants: &[],
                first_constant: self.constant,
            });
        }
    }

    fn encoded(&mut self) -> Option<Statement<'a>> {
        let [head, rest @ ..] = self.table else { return None };
        let head = *head;
        self.table = rest;
        let kind =
            *StatementKind::ALL.get(usize::from(head & !(HAS_ALLOWANCES | HAS_CONSTANTS)))?;
        let (text, rest) = self.text.split_at_checked(self.length()?)?;
        self.text = rest;
        let codes = if head & HAS_ALLOWANCES == 0 {
            &[]
        } else {
            let bytes = self.length()?;
            self.take(bytes)?
        };
        let row = match kind {
            StatementKind::Instruction => self.length()?.checked_sub(1),
            _ => None,
        };
        let length = self.length()?;
        let tokens = self.take(length)?;
        let first_constant = self.constant;
        if head & HAS_CONSTANTS != 0 {
            self.constant += text.matches(PLACEHOLDER).count();
        }
        Some(Statement {
            kind,
            text,
            codes,
            row: row.and_then(|row| INSTRUCTIONS.get(row)),
            tokens,
            constants: self.constants,
            first_constant,
        })
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(read(&mut self.table)?).ok()
    }

    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.table.split_at_checked(bytes)?;
        self.table = rest;
        Some(taken)
    }
}

impl<'a> Iterator for Statements<'a> {
    type Item = Statement<'a>;

    fn next(&mut self) -> Option<Statement<'a>> {
        if self.is_verbatim { self.verbatim() } else { self.encoded() }
    }
}
