//! Operands, written canonically.

use ptx_types::ir::body::TokenKind;

use super::token::{Constant, Delimiter, Faults, Name, Token, join};
use super::writer::Writer;

/// A `.modifier` or `::modifier`.
pub(super) struct Modifier<'t, P> {
    word: &'t str,
    is_sub: bool,
    at: (P, P),
}

/// The `.modifier` or `::modifier` at the start of `tokens`, and what follows.
pub(super) fn modifier<P: Copy>(tokens: &[Token<P>]) -> Option<(Modifier<'_, P>, &[Token<P>])> {
    match tokens {
        [Token::Sign('.', at), Token::Word(word, end) | Token::Number(word, end), after @ ..] => {
            Some((Modifier { word, is_sub: false, at: (*at, *end) }, after))
        }
        [
            Token::Sign(':', at),
            Token::Sign(':', _),
            Token::Word(word, end) | Token::Number(word, end),
            after @ ..,
        ] => Some((Modifier { word, is_sub: true, at: (*at, *end) }, after)),
        _ => None,
    }
}

/// Writes the modifiers at the start of `tokens`: whether the last of them is `const`, and what follows.
pub(super) fn modifiers<'t, P: Copy>(
    tokens: &'t [Token<P>],
    writer: &mut Writer<P>,
) -> (bool, &'t [Token<P>]) {
    let (mut is_const, mut rest) = (false, tokens);
    while let Some((Modifier { word, is_sub, at }, after)) = modifier(rest) {
        let (kind, separator) =
            if is_sub { (TokenKind::Submodifier, "::") } else { (TokenKind::Modifier, ".") };
        writer.put(kind, format!("{separator}{word}"), at);
        (is_const, rest) = (word == "const", after);
    }
    (is_const, rest)
}

/// What can stand between and before the parts of an operand (PTX ISA 4.5.4).
const OPERATORS: &str = "+-|!~*/&^<>=?:";

/// What operands stand in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Within {
    /// A statement.
    Statement,
    /// A statement whose operands may be elements of arrays: `ROW[3]` (PTX ISA 6.4.2).
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
    tokens: &[Token<P>],
    writer: &mut Writer<P>,
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
            | Token::Group(..)
            | Token::Constant(..) => true,
            Token::Sign(c, _) => matches!(c, '%' | '$'),
        };
        if starts && complete {
            let what = match within {
                Within::Statement | Within::Elements => {
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
            Token::Sign('+', _) if follows && join(&rest[1..]).is_some() => {
                faults.at(
                    rest[1].start(),
                    "an address is a name or a register, and a constant; `add` this to the register first",
                );
                return None;
            }
            // `generic(x)`
            Token::Word(word, at)
                if within == Within::Value
                    && word == "generic"
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
                if within == Within::Elements
                    && let [Token::Group(Delimiter::Bracket, inner, open, close), behind @ ..] =
                        after
                {
                    writer.name(name);
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
                rest = component(name, after, writer);
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
            Token::Sign('.', at) if let Some(Token::Number(number, end)) = rest.get(1) => {
                // `.05`
                writer.put(TokenKind::Number, format!(".{number}"), (*at, *end));
                rest = &rest[2..];
                complete = true;
            }
            Token::Sign(c, at) if OPERATORS.contains(*c) => {
                writer.sign(*c, *at);
                rest = &rest[1..];
            }
            Token::Sign('#', at) => {
                faults.at(*at, "a Rust constant is spliced in with parentheses: write `#( expr )`");
                return None;
            }
            Token::Sign(c, at) => {
                faults.at(*at, format_args!("`{c}` has no meaning in an operand"));
                return None;
            }
        }
    }
    Some(())
}

/// Writes a group and what is in it.
fn group<P: Copy>(
    delimiter: Delimiter,
    inner: &[Token<P>],
    (open, close): (P, P),
    writer: &mut Writer<P>,
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
fn cast<'t, P: Copy>(tokens: &'t [Token<P>], writer: &mut Writer<P>) -> Option<&'t [Token<P>]> {
    let [Token::Group(Delimiter::Parenthesis, inner, open, close), after @ ..] = tokens else {
        return None;
    };
    let [Token::Sign('.', dot), Token::Word(word, end)] = inner.as_slice() else { return None };
    writer.put(TokenKind::Open, "(", (*open, *open));
    writer.put(TokenKind::Modifier, format!(".{word}"), (*dot, *end));
    writer.put(TokenKind::Close, ")", (*close, *close));
    Some(after)
}

/// Writes a name and its components: `%tid.x`, `V.x`.
fn component<'t, P: Copy>(
    name: Name<P>,
    after: &'t [Token<P>],
    writer: &mut Writer<P>,
) -> &'t [Token<P>] {
    let (mut rest, mut components, mut at) = (after, String::new(), None);
    while let [Token::Sign('.', dot), Token::Word(word, end), after @ ..] = rest {
        components.push('.');
        components.push_str(word);
        at = Some((at.map_or(*dot, |(start, _)| start), *end));
        rest = after;
    }
    writer.name(name);
    if let Some(at) = at {
        writer.put(TokenKind::Element, components, at);
    }
    rest
}

/// Writes a Rust constant.
pub(super) fn parse_constant<P: Copy>(
    constant: &Constant<P>,
    at: (P, P),
    writer: &mut Writer<P>,
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
