//! The common parts of operands and values: names, groups, lists, and the faults of tokens that start neither.

use ptx_isa::ir::body::TokenKind;

use super::token::{Faults, Language, Token, is_fraction, join};
use super::writer::BodyWriter;

/// The tokens after the parsed part; `None` after a fault.
pub(super) type Rest<'s, 't, P> = Option<&'s [Token<'t, P>]>;

/// The messages about a comma beside which an item is missing.
const BEFORE_COMMA: &str = "nothing comes before this comma; write what is missing, or remove it";
const AFTER_COMMA: &str = "nothing follows this comma; write what is missing, or remove it";

/// Parses and writes a list of items that `item` parses, separated by commas.
pub(super) fn list<P: Copy>(
    tokens: &[Token<'_, P>],
    between: &str,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
    mut item: impl for<'s, 't> FnMut(
        &'s [Token<'t, P>],
        &mut BodyWriter<P>,
        &mut Faults<P>,
    ) -> Rest<'s, 't, P>,
) -> Option<()> {
    if let [Token::List(list, start, _)] = tokens {
        let mut before = *start;
        return list.each(&mut |tokens, comma| {
            match (tokens, comma) {
                ([], Some(comma)) => {
                    faults.at(comma, BEFORE_COMMA);
                    return None;
                }
                ([], None) => {
                    faults.at(before, AFTER_COMMA);
                    return None;
                }
                (tokens, _) => {
                    if let [other, ..] = item(tokens, writer, faults)? {
                        misplaced(other, between, faults);
                        return None;
                    }
                }
            }
            if let Some(comma) = comma {
                writer.comma(comma);
                before = comma;
            }
            Some(())
        });
    }
    let mut rest = tokens;
    loop {
        if let [comma @ Token::Sign(',', _), ..] = rest {
            faults.at(comma.start(), BEFORE_COMMA);
            return None;
        }
        match item(rest, writer, faults)? {
            [] => return Some(()),
            [Token::Sign(',', at)] => {
                faults.at(*at, AFTER_COMMA);
                return None;
            }
            [Token::Sign(',', at), after @ ..] => {
                writer.comma(*at);
                rest = after;
            }
            [other, ..] => {
                misplaced(other, between, faults);
                return None;
            }
        }
    }
}

/// Writes a group and its contents.
pub(super) fn group<P: Copy>(
    (opens, closes): (&str, &str),
    (open, close): (P, P),
    writer: &mut BodyWriter<P>,
    inner: impl FnOnce(&mut BodyWriter<P>) -> Option<()>,
) -> Option<()> {
    writer.put(TokenKind::Open, opens, (open, open));
    inner(writer)?;
    writer.put(TokenKind::Close, closes, (close, close));
    Some(())
}

/// Whether a name starts here: `WARP_SZ` looks like a name but is a number.
pub(super) fn names<P: Copy>(tokens: &[Token<'_, P>], faults: &Faults<P>) -> bool {
    match tokens.first() {
        Some(Token::Word(word, _)) => !(*word == "WARP_SZ" && faults.language() == Language::Ptx),
        Some(Token::Sign('%' | '$', _)) => join(tokens).is_some(),
        _ => false,
    }
}

/// Whether a sign is an operator of constants, or part of one.
const fn is_operator(sign: char) -> bool {
    matches!(
        sign,
        '+' | '-' | '|' | '!' | '~' | '*' | '/' | '%' | '&' | '^' | '<' | '>' | '=' | '?' | ':'
    )
}

/// The advice about `::` in Rust, and in PTX.
const PATH: &str = "`::` has no meaning in an operand: a body names the storage that its module declares, by the last name alone; what another module declares, a device function of that module accesses, as in `call (%x), other::function, (%y)`";
const NO_COLONS: &str = "`::` has no meaning in an operand";

/// Reports a token after a complete operand.
pub(super) fn misplaced<P: Copy>(token: &Token<'_, P>, between: &str, faults: &mut Faults<P>) {
    match token {
        Token::Sign('#', at) if faults.language() == Language::Rust => {
            faults.at(*at, "a Rust constant is spliced in with parentheses: write `#( expr )`");
        }
        Token::Sign('%' | '$', at) => {
            faults.at(*at, format_args!("two operands are side by side; {between}"));
        }
        Token::Sign('=', at) if faults.language() == Language::Rust => {
            faults.at(*at, "PTX has no assignment: an instruction writes its first operand, as in `mov.u32 %r1, 5;`, or `st.shared.u32 [%at], %r1;` for memory; write `,` between operands");
        }
        Token::Sign(c, at) if is_operator(*c) => {
            faults.at(*at, format_args!("`{c}` follows a complete operand, and only constants are computed here; write `,` before another operand, or compute this with an instruction"));
        }
        Token::Sign(c, at) => {
            faults.at(*at, format_args!("`{c}` has no meaning in an operand; remove it"));
        }
        Token::Dotted(text, at, _) if !is_fraction(text) => {
            faults.at(*at, "`.` has no meaning in an operand; remove it");
        }
        Token::Word(word, at)
            if word
                .strip_prefix('%')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) =>
        {
            faults.at(
                *at,
                format_args!(
                    "`{word}` is one word; for a remainder, write a space: `% {}`",
                    &word[1..]
                ),
            );
        }
        Token::Colons(_, at, _) => faults.at(*at, faults.words(PATH, NO_COLONS)),
        other => {
            faults.at(other.start(), format_args!("two operands are side by side; {between}"));
        }
    }
}

/// Reports a token that cannot start an operand.
pub(super) fn no_start<P: Copy>(
    tokens: &[Token<'_, P>],
    (before, wanted): (Option<P>, &str),
    faults: &mut Faults<P>,
) {
    match (tokens.first(), before) {
        (Some(Token::Sign('#', at)), _) if faults.language() == Language::Rust => {
            faults.at(*at, "a Rust constant is spliced in with parentheses: write `#( expr )`");
        }
        (Some(Token::Sign(c @ (',' | ';'), at)), _) => {
            faults.at(*at, format_args!("expected {wanted} before `{c}`"));
        }
        (Some(Token::Sign(c, at)), _) if !is_operator(*c) && !matches!(c, '%' | '$') => {
            faults.at(*at, format_args!("`{c}` has no meaning in an operand; remove it"));
        }
        (Some(Token::Dotted(text, at, _)), _) if !is_fraction(text) => {
            faults.at(*at, "`.` has no meaning in an operand; remove it");
        }
        (Some(Token::Colons(_, at, _)), _) => {
            faults.at(*at, faults.words(PATH, NO_COLONS));
        }
        (Some(Token::Sign('\'', at)), _) if faults.language() == Language::Rust => {
            faults.at(*at, "a label is a name without a quote; remove the `'`");
        }
        (Some(Token::Sign('%' | '$', at)), _) => {
            faults.at(*at, "expected a name here, as in `%r1`");
        }
        (Some(Token::Text(_, at)), _) if wanted != "a name" => {
            faults.at(*at, format_args!("expected {wanted}, and PTX has strings only in `.pragma` and `.file`; write a number"));
        }
        (Some(token), _) => faults.at(token.start(), format_args!("expected {wanted}")),
        (None, Some(before)) => faults.at(before, format_args!("expected {wanted} here")),
        (None, None) => {}
    }
}
