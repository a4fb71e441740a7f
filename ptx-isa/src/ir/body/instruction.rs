//! Instructions, and the names that declarations declare.

use alloc::vec::Vec;

use super::group;
use super::modifier::{Modifier, modifiers};
use super::operand::{Name, Operand};
use super::token::{Token, TokenKind, TokenRange, Tokens};
use crate::instruction::Row;

/// An instruction: `@!%p1 ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [ROW+32];`
#[derive(Clone, Debug)]
pub struct Instruction<'a> {
    /// The predicate that guards it.
    pub guard: Option<Guard<'a>>,
    /// The opcode alone: `ld`.
    pub opcode: &'a str,
    /// The place of the opcode.
    pub opcode_at: TokenRange,
    /// The modifiers after the opcode, in order.
    pub modifiers: Vec<Modifier<'a>>,
    /// Its row in the instruction table, if it has one.
    pub row: Option<&'static Row>,
    /// The operands after them, which commas separate.
    pub operands: Vec<Operand<'a>>,
}

/// The predicate that guards an instruction: `@!%p1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard<'a> {
    /// The register.
    pub name: Name<'a>,
    /// Whether the instruction runs where the predicate is false.
    pub is_negated: bool,
}

impl<'a> Instruction<'a> {
    /// The modifiers, each with the separator before it.
    pub fn pairs(&self) -> Vec<(&'static str, &'a str)> {
        self.modifiers.iter().map(Modifier::pair).collect()
    }

    /// The place of a modifier, by its index.
    pub const fn modifier_at(&self, index: usize) -> TokenRange {
        TokenRange::one(self.opcode_at.first + 1 + index)
    }

    /// Whether this word is among the modifiers.
    pub fn has(&self, word: &str) -> bool {
        self.modifiers.iter().any(|modifier| modifier.word == word)
    }
}

/// Reads the tokens of an instruction.
pub(super) fn decode<'a>(
    tokens: Tokens<'a>,
    row: Option<&'static Row>,
    constants: &[Option<i128>],
) -> Option<Instruction<'a>> {
    let tokens: Vec<Token<'a>> = tokens.collect();
    let (guard, rest) = match tokens.as_slice() {
        [at, not, name, rest @ ..] if at.is_sign("@") && not.is_sign("!") => {
            (Some(Guard { name: Name::of(name), is_negated: true }), rest)
        }
        [at, name, rest @ ..] if at.is_sign("@") => {
            (Some(Guard { name: Name::of(name), is_negated: false }), rest)
        }
        rest => (None, rest),
    };
    let (opcode, rest) = rest.split_first()?;
    let (modifiers, rest) = modifiers(rest);
    let operands = group::split(rest);
    Some(Instruction {
        guard,
        opcode: opcode.text,
        opcode_at: TokenRange::one(opcode.index),
        modifiers,
        row,
        operands: operands.into_iter().map(|tokens| Operand::of(tokens, constants)).collect(),
    })
}

/// A name that a statement declares.
#[derive(Clone, PartialEq, Debug)]
pub struct Declarator<'a> {
    /// The name; of a family, the part before the number.
    pub name: Name<'a>,
    /// Whether it is a family, which has its number of members after the name.
    pub is_family: bool,
    /// The names in its initial value, in order.
    pub initial: Vec<Name<'a>>,
}

/// Reads the tokens of a declaration, whose initial values may have many.
pub(super) fn declarators(tokens: Tokens<'_>) -> Vec<Declarator<'_>> {
    let (mut found, mut depth, mut is_first) = (Vec::new(), 0_usize, true);
    // The declarators start after the types; an alignment is a number among those.
    for token in tokens.skip_while(|token| token.kind != TokenKind::Name) {
        let is_comma = token.kind == TokenKind::Comma && depth == 0;
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if is_first && !is_comma {
            found.push(Declarator {
                name: Name::of(&token),
                is_family: false,
                initial: Vec::new(),
            });
        } else if let Some(Declarator { name, is_family, initial }) = found.last_mut() {
            *is_family |= token.is_sign("<") && token.index == name.token + 1;
            if token.kind == TokenKind::Name {
                initial.push(Name::of(&token));
            }
        }
        is_first = is_comma;
    }
    found
}
