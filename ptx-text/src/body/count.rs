//! The numbers in declarations: extents, alignments, and the number of names in a family.

use ptx_isa::Space;
use ptx_isa::ir::body::{TokenKind, integer};
use ptx_isa::rules::{self, Scope};

use super::Count;
use super::constant;
use super::expression::{taken, taken_word, wrapped};
use super::token::{Constant, Faults, Language, Token};
use super::writer::BodyWriter;

/// Parses and writes such a number.
pub(super) fn parse_count<P: Copy>(
    token: &Token<'_, P>,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<Count> {
    let at = (token.start(), token.end());
    match token {
        Token::Number(..) | Token::Constant(Constant::Integer(_), ..) => {
            let number = match token {
                Token::Number(number, _) => number,
                Token::Constant(Constant::Integer(number), ..) => number.as_str(),
                _ => "",
            };
            let count = parse_number(number, at.0, faults)?;
            writer.put(TokenKind::Number, number, at);
            Some(Count::Known(count))
        }
        Token::Constant(Constant::Expression(number), ..) => {
            Some(Count::Constant(writer.constant(*number, at)))
        }
        Token::Constant(constant @ Constant::Fault(..), ..) => {
            constant::spliced(constant, at, writer, faults)?;
            None
        }
        // This is not a name, which would need a declaration.
        Token::Word(word, _) if *word == "WARP_SZ" => {
            writer.put(TokenKind::Word, word, at);
            Some(Count::Known(32))
        }
        other => {
            faults.at(
                other.start(),
                faults.words(
                    "expected a number; write `#( expr )` for a Rust constant",
                    "a number has to stand here",
                ),
            );
            None
        }
    }
}

/// Parses the number of elements of a parameter of a function: ptxas keeps it in 32 bits.
pub(crate) fn parse_param_count<P: Copy>(
    token: &Token<'_, P>,
    faults: &mut Faults<P>,
) -> Option<usize> {
    let count = match token {
        Token::Number(number, at) => parse_number(number, *at, faults)?,
        Token::Word("WARP_SZ", _) => 32,
        other => {
            faults.at(other.start(), "an extent is one number");
            return None;
        }
    };
    let word = parse_word(count, token.start(), faults);
    if word.is_none() {
        faults.at(token.start(), format_args!("a parameter of a function has fewer than {} elements, the 32 bits that ptxas has for their number", 1_u64 << 32));
    }
    word
}

/// Parses the alignment of a parameter of a prototype.
pub(super) fn parse_formal_align<P: Copy>(text: &str, at: P, faults: &mut Faults<P>) {
    if let Some(align) = parse_number(text, at, faults) {
        check_align((align, at), Space::Param, Scope::Function, faults);
    }
}

/// Checks an alignment that the IR has no place for. ptxas checks it, too, where a later one replaces it.
pub(crate) fn check_align<P: Copy>(
    (align, at): (usize, P),
    space: Space,
    scope: Scope,
    faults: &mut Faults<P>,
) {
    for violation in rules::check_align(align, space, scope) {
        faults.broken(at, &violation);
    }
}

/// Returns the number of 32 bits that ptxas uses for this one; `None` if it refuses it.
pub(crate) fn parse_word<P>(count: usize, at: P, faults: &mut Faults<P>) -> Option<usize> {
    let number = i128::try_from(count).ok()?;
    usize::try_from(taken_word(number, count, at, faults)?).ok()
}

/// Parses a PTX integer, and reports anything else.
fn parse_number<P>(text: &str, at: P, faults: &mut Faults<P>) -> Option<usize> {
    let number = integer(text);
    let parsed = number.and_then(|number| usize::try_from(number).ok());
    if parsed.is_none() {
        if number.is_some() && faults.language() == Language::Ptx {
            if wrapped(text).is_none() {
                faults.at(at, format_args!("`{text}` does not fit in 64 bits; write the intended number (PTX ISA 4.5.1)"));
                return None;
            }
            return usize::try_from(taken(text, at, faults)?).ok();
        }
        let message = if text.starts_with('-') {
            "a length, a size or an alignment cannot be negative; write a positive number"
                .to_owned()
        } else {
            format!(
                "`{text}` is not a PTX integer; write decimal digits, or octal, `0x` or `0b` ones"
            )
        };
        faults.at(at, message);
    }
    parsed
}
