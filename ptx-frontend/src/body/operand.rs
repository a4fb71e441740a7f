//! Operands, written canonically.

use ptx_types::ir::body::TokenKind;

use super::token::{Constant, Delimiter, Faults, Language, Name, Token, is_fraction, join, listed};
use super::writer::BodyWriter;

/// Writes the modifiers at the start of `tokens`, `.modifier` or `::modifier`: whether the last of them is
/// `const`, and what follows.
pub(super) fn modifiers<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    writer: &mut BodyWriter<P>,
) -> (bool, &'s [Token<'t, P>]) {
    let (mut is_const, mut rest) = (false, tokens);
    while let Some((first, after)) = rest.split_first() {
        match first {
            Token::Dotted(text, start, end) => {
                writer.put(TokenKind::Modifier, text, (*start, *end));
                is_const = *text == ".const";
            }
            Token::Colons(text, start, end) => {
                writer.put(TokenKind::Submodifier, text, (*start, *end));
                is_const = *text == "::const";
            }
            _ => break,
        }
        rest = after;
    }
    (is_const, rest)
}

/// What can stand between and before the parts of an operand (PTX ISA 4.5.4).
const OPERATORS: &str = "+-|!~*/&^<>=?:";

/// What operands stand in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Within {
    /// A directive.
    Directive,
    /// An instruction.
    Instruction,
    /// An instruction whose operands may be elements of arrays: `ROW[3]` (PTX ISA 6.4.2).
    Elements,
    /// Brackets.
    Address,
    /// Braces or parentheses.
    Group,
    /// An initial value.
    Value,
}

/// Reads and writes operands: names, numbers, `[addresses]`, `{vectors}`, `(arguments)`, constants,
/// and the operators between them.
pub(super) fn parse<P: Copy>(
    tokens: &[Token<'_, P>],
    writer: &mut BodyWriter<P>,
    within: Within,
    faults: &mut Faults<P>,
) -> Option<()> {
    let mut rest = tokens;
    // Whether a complete operand stands just before, so that another needs a comma.
    let mut complete = false;
    while let Some(token) = rest.first() {
        // `7 % 4`: a register would need a comma before it.
        if let (true, [Token::Sign('%', at), Token::Number(..) | Token::Constant(..), ..]) =
            (complete, rest)
        {
            writer.space();
            writer.sign('%', *at);
            writer.space();
            rest = &rest[1..];
            complete = false;
            continue;
        }
        let starts = match token {
            Token::Word(..)
            | Token::Number(..)
            | Token::Text(..)
            | Token::Numbers(..)
            | Token::Group(..)
            | Token::Constant(..) => true,
            Token::Sign(c, _) => matches!(c, '%' | '$'),
            Token::Dotted(..) | Token::Colons(..) => false,
        };
        if starts && complete {
            let what = match within {
                Within::Directive | Within::Instruction | Within::Elements => {
                    "write `,` between operands, or `;` after the statement"
                }
                Within::Address | Within::Group | Within::Value => {
                    "write `,` or an operator between operands"
                }
            };
            faults.at(token.start(), format_args!("two operands stand side by side; {what}"));
            return None;
        }
        if let Some(after) = cast(rest, writer) {
            rest = after;
            complete = false;
            continue;
        }
        let follows = complete && within == Within::Address;
        complete = starts;
        match token {
            // An address has one sign.
            Token::Sign('-', at) if follows => {
                writer.sign('+', *at);
                // What is read as `ROW - 4` is written as `ROW+-4`: the number is read at the 4.
                writer.sign('-', rest.get(1).map_or(*at, Token::start));
                rest = &rest[1..];
            }
            Token::Sign('+', _)
                if follows && join(&rest[1..]).is_some() && !is_warp_size(&rest[1..], faults) =>
            {
                faults.at(
                    rest[1].start(),
                    "an address is a name or a register, and a constant; `add` this to the register first",
                );
                return None;
            }
            // `generic(x)`
            Token::Word(word, at)
                if within == Within::Value
                    && *word == "generic"
                    && matches!(rest.get(1), Some(Token::Group(Delimiter::Parenthesis, ..))) =>
            {
                writer.put(TokenKind::Word, word, (*at, *at));
                rest = &rest[1..];
                complete = false;
            }
            Token::Word(..) | Token::Sign('%' | '$', _) => {
                let Some((name, after)) = join(rest) else {
                    faults.at(token.start(), "a name has to follow here, as in `%r1`");
                    return None;
                };
                if let [Token::Group(Delimiter::Bracket, inner, open, close), behind @ ..] = after
                    && within == Within::Elements
                {
                    writer.name(&name);
                    group(
                        Delimiter::Bracket,
                        inner,
                        (*open, *close),
                        writer,
                        Within::Address,
                        faults,
                    )?;
                    rest = modifiers(behind, writer).1;
                    continue;
                }
                rest = component(&name, after, writer);
            }
            Token::Numbers(list, start, end) => {
                numbers(list, (*start, *end), writer);
                rest = &rest[1..];
            }
            Token::Number(number, at) => {
                writer.put(TokenKind::Number, number, (*at, *at));
                rest = &rest[1..];
                // `0xff00(x)`
                let masks = matches!(rest.first(), Some(Token::Group(Delimiter::Parenthesis, ..)));
                complete = !(masks && within == Within::Value);
            }
            Token::Text(text, at) => {
                let is_plain = text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_control());
                // ptxas takes a string over several lines.
                let is_plain = is_plain || faults.language() == Language::Ptx;
                if !is_plain || !text.starts_with('"') {
                    faults.at(*at, "PTX takes plain ASCII strings in double quotes here");
                    return None;
                }
                writer.put(TokenKind::Text, text, (*at, *at));
                rest = &rest[1..];
            }
            Token::Constant(constant, start, end) => {
                parse_constant(constant, (*start, *end), writer, faults)?;
                rest = &rest[1..];
            }
            Token::Group(delimiter, inner, open, close) => {
                let inside = match (within, delimiter) {
                    (Within::Value, _) => within,
                    (_, Delimiter::Bracket) => Within::Address,
                    (_, Delimiter::Parenthesis | Delimiter::Brace) => Within::Group,
                };
                group(*delimiter, inner, (*open, *close), writer, inside, faults)?;
                // `[a].unified`
                rest = modifiers(&rest[1..], writer).1;
            }
            Token::Sign(',', at) => {
                writer.comma(*at);
                rest = &rest[1..];
            }
            Token::Dotted(number, start, end) if is_fraction(number) => {
                writer.put(TokenKind::Number, number, (*start, *end));
                rest = &rest[1..];
                complete = true;
            }
            Token::Sign(c, at) if OPERATORS.contains(*c) => {
                writer.sign(*c, *at);
                rest = &rest[1..];
            }
            Token::Sign('#', at) if faults.language() == Language::Rust => {
                faults.at(*at, "a Rust constant is spliced in with parentheses: write `#( expr )`");
                return None;
            }
            Token::Sign(c, at) => {
                faults.at(*at, format_args!("`{c}` has no meaning in an operand"));
                return None;
            }
            Token::Dotted(_, at, _) => {
                faults.at(*at, "`.` has no meaning in an operand");
                return None;
            }
            // `c ? 1 ::2`
            Token::Colons(..) => {
                faults.at(token.start(), "`::` has no meaning in an operand");
                return None;
            }
        }
    }
    Some(())
}

/// Writes the numbers of a list.
fn numbers<P: Copy>(list: &str, at: (P, P), writer: &mut BodyWriter<P>) {
    for (i, (is_negative, number)) in listed(list).enumerate() {
        if i > 0 {
            writer.comma(at.0);
        }
        if is_negative {
            writer.sign('-', at.0);
        }
        writer.put(TokenKind::Number, number, at);
    }
}

/// Whether tokens of a text start with the constant that has a name; Rust has its own.
fn is_warp_size<P>(tokens: &[Token<'_, P>], faults: &Faults<P>) -> bool {
    faults.language() == Language::Ptx && matches!(tokens, [Token::Word("WARP_SZ", _), ..])
}

/// Writes a group and what is in it.
fn group<P: Copy>(
    delimiter: Delimiter,
    inner: &[Token<'_, P>],
    (open, close): (P, P),
    writer: &mut BodyWriter<P>,
    within: Within,
    faults: &mut Faults<P>,
) -> Option<()> {
    let (opens, closes) = delimiter.signs();
    writer.put(TokenKind::Open, opens, (open, open));
    parse(inner, writer, within, faults)?;
    writer.put(TokenKind::Close, closes, (close, close));
    Some(())
}

/// Writes a cast of a constant, `(.s64)`.
fn cast<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    writer: &mut BodyWriter<P>,
) -> Option<&'s [Token<'t, P>]> {
    let [Token::Group(Delimiter::Parenthesis, inner, open, close), after @ ..] = tokens else {
        return None;
    };
    let [Token::Dotted(ty, dot, end)] = inner else { return None };
    if is_fraction(ty) {
        return None;
    }
    writer.put(TokenKind::Open, "(", (*open, *open));
    writer.put(TokenKind::Modifier, ty, (*dot, *end));
    writer.put(TokenKind::Close, ")", (*close, *close));
    Some(after)
}

/// Writes a name and its components: `%tid.x`, `V.x`.
fn component<'s, 't, P: Copy>(
    name: &Name<'_, P>,
    after: &'s [Token<'t, P>],
    writer: &mut BodyWriter<P>,
) -> &'s [Token<'t, P>] {
    writer.name(name);
    let is_component =
        |token: &Token<'t, P>| matches!(token, Token::Dotted(text, ..) if !is_fraction(text));
    let end = after.iter().position(|token| !is_component(token)).unwrap_or(after.len());
    let (components, rest) = after.split_at(end);
    if let (Some(first), Some(last)) = (components.first(), components.last()) {
        let at = (first.start(), last.end());
        match (components, first) {
            ([_], Token::Dotted(text, ..)) => writer.put(TokenKind::Element, text, at),
            _ => {
                let texts = components.iter().filter_map(|component| match component {
                    Token::Dotted(text, ..) => Some(*text),
                    _ => None,
                });
                writer.put(TokenKind::Element, &texts.collect::<String>(), at);
            }
        }
    }
    rest
}

/// Writes a Rust constant.
pub(super) fn parse_constant<P: Copy>(
    constant: &Constant<P>,
    at: (P, P),
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<()> {
    match constant {
        Constant::Integer(digits) => writer.put(TokenKind::Number, digits, at),
        Constant::Expression(number) => {
            writer.constant(*number, at);
        }
        Constant::Fault(position, message) => {
            faults.at(*position, message);
            return None;
        }
    }
    Some(())
}
