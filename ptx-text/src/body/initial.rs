//! The grammar of initial values (PTX ISA 5.4.4).

use ptx_isa::ir::body::TokenKind;

use super::constant;
use super::expression;
use super::operand::addend;
use super::part::{Rest, group, list, names, no_start};
use super::token::{Delimiter, Faults, Language, Token, join};
use super::writer::BodyWriter;

const BETWEEN: &str = "write `,` or an operator between operands";

/// Parses and writes an initial value after its `=`, which must extend to the end of the tokens.
pub(super) fn initial<P: Copy>(
    tokens: &[Token<'_, P>],
    before: P,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<()> {
    list(tokens, BETWEEN, writer, faults, |tokens, writer, faults| {
        value(tokens, before, writer, faults)
    })
}

fn value<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    before: P,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Rest<'s, 't, P> {
    match tokens {
        [Token::Group(Delimiter::Brace, inner, open, close), after @ ..] => {
            group(("{", "}"), (*open, *close), writer, |writer| match inner {
                [] => Some(()),
                inner => initial(inner, *open, writer, faults),
            })?;
            Some(after)
        }
        // `0xff00(x)`
        [
            Token::Number(mask, at),
            Token::Group(Delimiter::Parenthesis, inner, open, close),
            after @ ..,
        ] => {
            let number = &tokens[..1];
            expression::check(number, faults)?;
            expression::require_integer(number, faults)?;
            writer.put(TokenKind::Number, mask, (*at, *at));
            group(("(", ")"), (*open, *close), writer, |writer| {
                match one(inner, *open, writer, faults)? {
                    [] if names(inner, faults) => Some(()),
                    [] => expression::require_integer(inner, faults),
                    [other, ..] => {
                        faults.at(other.start(), "a mask selects a byte of one address or number");
                        None
                    }
                }
            })?;
            Some(after)
        }
        _ => one(tokens, before, writer, faults),
    }
}

/// Parses an address or a constant.
fn one<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    before: P,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Rest<'s, 't, P> {
    let (rest, is_name) = match tokens {
        [
            Token::Word(word @ "generic", at),
            Token::Group(Delimiter::Parenthesis, inner, open, close),
            after @ ..,
        ] => {
            writer.put(TokenKind::Word, word, (*at, *at));
            group(("(", ")"), (*open, *close), writer, |writer| match join(inner) {
                Some((name, [])) => {
                    writer.name(&name);
                    Some(())
                }
                Some((_, [other, ..])) => {
                    faults.at(other.start(), "`generic` takes a name alone; what is added to the address comes after it: `generic(x)+4`");
                    None
                }
                None => {
                    no_start(inner, (Some(*open), "the name of a variable"), faults);
                    None
                }
            })?;
            (after, false)
        }
        _ if names(tokens, faults) => {
            let (name, after) = join(tokens)?;
            writer.name(&name);
            (after, true)
        }
        _ => return constant::read(tokens, (Some(before), "a value"), writer, faults),
    };
    match rest {
        [Token::Sign('+', at), ..] => addend(rest, *at, writer, faults),
        [Token::Sign('=', at), value @ ..] if is_name && faults.language() == Language::Ptx => {
            faults.accepted(*at, "only textures, samplers and surfaces have members to give values to, although ptxas takes this, too; write `,` between elements");
            writer.sign('=', *at);
            constant::read(value, (Some(*at), "a value"), writer, faults)
        }
        rest => Some(rest),
    }
}
