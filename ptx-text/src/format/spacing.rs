//! Where a blank stands between two tokens of a line.

use super::token::Kind;
use crate::body::token::Delimiter::{Brace, Bracket, Parenthesis};

/// The language around the tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Language {
    /// PTX text.
    Ptx,
    /// A body in a Rust file, with Rust's expressions in indices.
    Rust,
}

/// The part of a statement that a token belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// `@!%p`, before the register.
    GuardSign,
    /// `@!%p`, from the register on.
    Guard,
    /// The opcode and its modifiers.
    Opcode,
    /// The operands.
    Operands,
    /// A directive or a declaration.
    Directive,
    /// What only bodies in Rust have: `let`, `for`, `if`.
    Form,
}

/// What decides about the blank before a token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) language: Language,
    /// The part of the token before, and of the token.
    pub(super) parts: (Part, Part),
    /// Whether a bracket is open.
    pub(super) is_in_brackets: bool,
    /// Whether an initial value is being written.
    pub(super) is_in_value: bool,
    /// Whether there is space in the source.
    pub(super) is_apart: bool,
}

/// Whether a blank stands between two tokens of a statement.
pub(super) fn is_apart(place: Place, last: (Kind, &str), next: (Kind, &str)) -> bool {
    let (part, next_part) = place.parts;
    match (last, next) {
        (_, (_, "," | ";")) => false,
        ((_, "," | ";"), _) => true,
        (_, (Kind::Close(_), _)) | ((Kind::Open(_), _), _) => false,
        _ if part == Part::GuardSign => false,
        _ if (part, next_part) == (Part::Guard, Part::Opcode) => true,
        _ if place.language == Language::Ptx
            && place.is_in_brackets
            && (matches!(last.1, "+" | "-") || matches!(next.1, "+" | "-")) =>
        {
            false
        }
        _ if part == Part::Opcode && next_part == Part::Opcode => false,
        _ if part == Part::Opcode => after_opcode(place, last, next),
        _ if part == Part::Directive => in_directive(place, last, next),
        ((Kind::Dotted, _), (Kind::Word | Kind::Number, _)) => {
            place.is_apart || place.language == Language::Ptx
        }
        _ => place.is_apart,
    }
}

/// Whether a blank stands before the first operand.
fn after_opcode(place: Place, last: (Kind, &str), next: (Kind, &str)) -> bool {
    match next.0 {
        // `warp::max::<f32>`
        _ if last.1 == "::" => place.is_apart,
        Kind::Open(_) | Kind::Word | Kind::Number | Kind::Text => true,
        _ => place.is_apart,
    }
}

fn in_directive(place: Place, last: (Kind, &str), next: (Kind, &str)) -> bool {
    if matches!(next.1, "=") || matches!(last.1, "=" | ":") {
        return true;
    }
    // `x<4>`
    let is_family = !place.is_in_value && (last.1 == "<" || matches!(next.1, "<" | ">"));
    if is_family || next.1 == ":" || next.0 == Kind::Colons {
        return false;
    }
    match (last, next.0) {
        // `.callprototype (.param .b32 _) _ (.param .b64 _)`
        ((_, "_"), Kind::Open(_)) => true,
        ((Kind::Word, _), Kind::Open(Parenthesis | Bracket))
        | ((Kind::Close(Bracket), _), Kind::Open(Bracket))
        | ((_, ".attribute" | ".unified"), Kind::Open(Parenthesis)) => false,
        ((Kind::Dotted | Kind::Close(Parenthesis), _), Kind::Open(_) | Kind::Word)
        | ((Kind::Dotted, _), Kind::Number | Kind::Text)
        | (_, Kind::Dotted | Kind::Open(Brace)) => true,
        _ => place.is_apart,
    }
}
