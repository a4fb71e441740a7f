//! Call prototypes (PTX ISA 11.2).

use ptx_types::ir::body::TokenKind;

use super::constant;
use super::initial::numbers;
use super::token::{Delimiter, Faults, Token, is_fraction, join};
use super::writer::BodyWriter;

/// The directives that may follow the parameters.
const DIRECTIVES: &[&str] = &[".noreturn", ".abi_preserve", ".abi_preserve_control"];

/// Checks the tokens after `.callprototype`: `(.param .b32 _) _ (.param .b64 _, .param .b8 _[16]) .noreturn`.
pub(super) fn check<P: Copy>(tokens: &[Token<'_, P>], at: P, faults: &mut Faults<P>) -> Option<()> {
    let mut rest = tokens;
    if let [Token::Group(Delimiter::Parenthesis, inner, ..), after @ ..] = rest {
        params(inner, faults)?;
        rest = after;
    }
    let [Token::Word("_", _), after @ ..] = rest else {
        let at = rest.first().map_or(at, Token::start);
        faults.at(at, "`_` stands for the name in a prototype, as in `.callprototype (.param .b32 _) _ (.param .b64 _)` (PTX ISA 11.2.3)");
        return None;
    };
    rest = after;
    if let [Token::Group(Delimiter::Parenthesis, inner, ..), after @ ..] = rest {
        params(inner, faults)?;
        rest = after;
    }
    while let Some((first, after)) = rest.split_first() {
        rest = match (first, after) {
            (Token::Dotted(word, ..), [Token::Number(..), after @ ..])
                if DIRECTIVES.contains(word) =>
            {
                after
            }
            (Token::Dotted(word, ..), _) if DIRECTIVES.contains(word) => after,
            (other, _) => {
                faults.at(other.start(), "only `.noreturn`, `.abi_preserve` or `.abi_preserve_control` may follow the parameters of a prototype");
                return None;
            }
        };
    }
    Some(())
}

/// Checks parameters: `.param .align 8 .b8 _[12], .reg .b32 x`, or none.
fn params<P: Copy>(tokens: &[Token<'_, P>], faults: &mut Faults<P>) -> Option<()> {
    let Some(first) = tokens.first() else { return Some(()) };
    let mut before = first.start();
    for param in tokens.split(|token| token.is_sign(',')) {
        let Some(last) = param.last() else {
            faults
                .at(before, "a parameter is missing beside a comma; write it, or remove the comma");
            return None;
        };
        before = last.end();
        let fault = match param {
            [Token::Dotted(".param" | ".reg", ..), rest @ ..] => fault_of(rest),
            _ => Some(0),
        };
        if let Some(n) = fault {
            let at = param.get(n).map_or(before, Token::start);
            faults.at(at, "a parameter of a prototype is a space, a type and a name, as in `.param .b32 _` or `.param .align 8 .b8 _[16]` (PTX ISA 11.2.3)");
            return None;
        }
    }
    Some(())
}

/// The index of the wrong token in a parameter, counted from its space.
fn fault_of<P: Copy>(tokens: &[Token<'_, P>]) -> Option<usize> {
    let mut rest = tokens;
    while let [Token::Dotted(word, ..), after @ ..] = rest
        && !is_fraction(word)
    {
        rest = match after {
            [Token::Number(..) | Token::Constant(..), after @ ..] if *word == ".align" => after,
            after => after,
        };
    }
    let number = |rest: &[Token<'_, P>]| tokens.len() - rest.len() + 1;
    if rest.len() == tokens.len() {
        return Some(number(rest));
    }
    let Some((_, mut behind)) = join(rest) else { return Some(number(rest)) };
    while let [Token::Group(Delimiter::Bracket, ..), after @ ..] = behind {
        behind = after;
    }
    (!behind.is_empty()).then(|| number(behind))
}

/// Writes a call prototype's tokens with a space before each dot that starts a word. The names in it are
/// not uses.
pub(super) fn verbatim<P: Copy>(
    tokens: &[Token<'_, P>],
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<()> {
    let (mut tight, mut rest) = (true, tokens);
    while let [token, after @ ..] = rest {
        rest = after;
        let at = (token.start(), token.end());
        match token {
            Token::Word(text, _) | Token::Number(text, _) | Token::Text(text, _) => {
                if !tight {
                    writer.space();
                }
                let kind = match token {
                    Token::Number(..) => TokenKind::Number,
                    Token::Text(..) => TokenKind::Text,
                    _ => TokenKind::Word,
                };
                writer.put(kind, text, at);
                tight = false;
            }
            Token::Dotted(text, start, end) => {
                if !tight {
                    writer.space();
                }
                writer.put(TokenKind::Modifier, text, (*start, *end));
                tight = false;
            }
            Token::Colons(text, start, end) => {
                writer.put(TokenKind::Submodifier, text, (*start, *end));
                tight = false;
            }
            Token::Numbers(list, start, end) => numbers(list, (*start, *end), writer),
            Token::Sign(',', at) => {
                writer.comma(*at);
                tight = true;
            }
            Token::Sign(c, at) => {
                writer.sign(*c, *at);
                tight = true;
            }
            Token::Group(delimiter, inner, open, close) => {
                let (opens, closes) = delimiter.signs();
                if !tight && *delimiter == Delimiter::Parenthesis {
                    writer.space();
                }
                writer.put(TokenKind::Open, opens, (*open, *open));
                verbatim(inner, writer, faults)?;
                writer.put(TokenKind::Close, closes, (*close, *close));
                tight = false;
            }
            Token::Constant(constant, ..) => {
                constant::spliced(constant, at, writer, faults)?;
                tight = false;
            }
        }
    }
    Some(())
}
