//! The numbers in declarations: extents, alignments, and the number of names in a family.

use ptx_types::ir::body::{TokenKind, integer};

use super::Count;
use super::constant;
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

/// The 64-bit number that ptxas uses for one that does not fit; `None` if ptxas refuses it, which it does where bit
/// 63 of the number without its last digits is set.
pub(crate) fn wrapped(text: &str, number: i128) -> Option<u64> {
    let base: i128 = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'b' | b'B', ..] => 2,
        [b'0', ..] => 8,
        _ => 10,
    };
    let low = |number: i128| u64::try_from(number.rem_euclid(1 << 64)).unwrap_or_default();
    let mut before = number / base;
    while before > 0 {
        if low(before) >> 63 == 1 {
            return None;
        }
        before /= base;
    }
    Some(low(number))
}

/// The 64-bit number that ptxas uses for one that does not fit, which is reported; `None` if ptxas refuses it.
pub(crate) fn taken<P>(text: &str, number: i128, at: P, faults: &mut Faults<P>) -> Option<u64> {
    let taken = wrapped(text, number)?;
    faults.taken(at, format_args!("`{text}` does not fit in 64 bits, and ptxas keeps only the low bits, {taken}; write the intended number (PTX ISA 4.5.1)"));
    Some(taken)
}

/// Parses a PTX integer, and reports anything else.
fn parse_number<P>(text: &str, at: P, faults: &mut Faults<P>) -> Option<usize> {
    let number = integer(text);
    let parsed = number.and_then(|number| usize::try_from(number).ok());
    if parsed.is_none() {
        if let (Some(number), Language::Ptx) = (number, faults.language()) {
            if wrapped(text, number).is_none() {
                faults.at(at, format_args!("`{text}` does not fit in 64 bits; write the intended number (PTX ISA 4.5.1)"));
                return None;
            }
            return usize::try_from(taken(text, number, at, faults)?).ok();
        }
        let message = if text.starts_with('-') {
            "a number of elements or bytes cannot be negative; write 0 or more".to_owned()
        } else {
            format!(
                "`{text}` is not a PTX integer; write decimal digits, or octal, `0x` or `0b` ones"
            )
        };
        faults.at(at, message);
    }
    parsed
}
