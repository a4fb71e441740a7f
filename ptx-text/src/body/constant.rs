//! Constant expressions (PTX ISA 4.5.4).

use ptx_isa::ir::body::{Number, TokenKind};

use super::expression;
use super::literal;
use super::part::{Rest, group, misplaced, names, no_start};
use super::token::{Constant, Delimiter, Faults, Language, Token, is_fraction};
use super::writer::BodyWriter;

/// Parses and writes the constant expression at the start of some tokens. Returns the tokens that follow. If there is
/// no expression, reports that one is wanted, and if ptxas refuses it, what is wrong.
pub(super) fn read<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    wanted: (Option<P>, &str),
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Rest<'s, 't, P> {
    let rest = parse(tokens, wanted, writer, faults)?;
    expression::check(&tokens[..tokens.len() - rest.len()], faults)?;
    Some(rest)
}

/// The same for an expression of integers.
pub(super) fn read_integer<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    wanted: (Option<P>, &str),
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Rest<'s, 't, P> {
    let rest = read(tokens, wanted, writer, faults)?;
    expression::require_integer(&tokens[..tokens.len() - rest.len()], faults)?;
    Some(rest)
}

/// The value of the constant expression after a token, which must extend to the end of the tokens.
pub(crate) fn value_after<P: Copy>(
    tokens: &[Token<'_, P>],
    before: P,
    faults: &mut Faults<P>,
) -> Option<Number> {
    match read(tokens, (Some(before), "a value"), &mut BodyWriter::sink(), faults)? {
        [] => expression::value(tokens),
        [other, ..] => {
            misplaced(other, "write `,` between members", faults);
            None
        }
    }
}

fn parse<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    wanted: (Option<P>, &str),
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Rest<'s, 't, P> {
    let (mut rest, mut wanted) = (tokens, wanted);
    // The question marks whose colons have not been reached.
    let mut open: Vec<P> = Vec::new();
    loop {
        rest = unary(rest, &mut wanted.0, writer, faults)?;
        rest = primary(rest, wanted, writer, faults)?;
        let length = match rest {
            [Token::Sign('?', at), ..] => {
                open.push(*at);
                1
            }
            [Token::Sign(':', _), ..] if open.pop().is_some() => 1,
            _ => binary(rest, faults),
        };
        let (operator, after) = rest.split_at(length);
        let Some(last) = operator.last() else { break };
        let is_remainder = operator[0].is_sign('%');
        if is_remainder {
            writer.space();
        }
        for token in operator {
            if let Token::Sign(sign, at) = token {
                writer.sign(*sign, *at);
            }
        }
        if is_remainder {
            writer.space();
        }
        (rest, wanted) = (after, (Some(last.end()), "a constant"));
    }
    if let Some(at) = open.last() {
        faults.at(*at, "this `?` has no `:`; write both values, as in `(a > b ? a : b)`");
        return None;
    }
    Some(rest)
}

/// Writes the signs and casts before an operand.
fn unary<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    before: &mut Option<P>,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Rest<'s, 't, P> {
    /// The maximum number of tokens of them.
    const MOST: usize = 1 << 12;
    let mut rest = tokens;
    loop {
        if tokens.len() - rest.len() > MOST {
            faults.at(tokens[0].start(), "more than 4,096 signs are before this; write fewer");
            return None;
        }
        match rest {
            [Token::Sign(sign @ ('+' | '-' | '!' | '~'), at), after @ ..] => {
                writer.sign(*sign, *at);
                (rest, *before) = (after, Some(*at));
            }
            // `(.s64)`
            [
                Token::Group(Delimiter::Parenthesis, [Token::Dotted(ty, dot, end)], open, close),
                after @ ..,
            ] if !is_fraction(ty) => {
                writer.put(TokenKind::Open, "(", (*open, *open));
                writer.put(TokenKind::Modifier, ty, (*dot, *end));
                writer.put(TokenKind::Close, ")", (*close, *close));
                (rest, *before) = (after, Some(*close));
            }
            _ => return Some(rest),
        }
    }
}

/// Parses a number, or an expression in parentheses.
fn primary<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    wanted: (Option<P>, &str),
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Rest<'s, 't, P> {
    match tokens {
        [Token::Number(number, at), after @ ..] => {
            if let Some(fault) =
                (faults.language() == Language::Rust).then(|| literal::fault(number)).flatten()
            {
                faults.at(*at, fault);
                return None;
            }
            writer.put(TokenKind::Number, number, (*at, *at));
            Some(after)
        }
        [Token::Dotted(number, start, end), after @ ..] if is_fraction(number) => {
            if !expression::is_number(number) {
                faults.at(*start, format_args!("`{number}` is not a number of PTX; write decimal digits, as in `.5` or `.25e1` (PTX ISA 4.5.2)"));
                return None;
            }
            writer.put(TokenKind::Number, number, (*start, *end));
            Some(after)
        }
        [Token::Constant(constant, start, end), after @ ..] => {
            spliced(constant, (*start, *end), writer, faults)?;
            Some(after)
        }
        [Token::Word(word, at), after @ ..]
            if *word == "WARP_SZ" && faults.language() == Language::Ptx =>
        {
            writer.put(TokenKind::Name, word, (*at, *at));
            Some(after)
        }
        [Token::Group(Delimiter::Parenthesis, inner, open, close), after @ ..] => {
            if names(inner, faults) {
                faults.at(inner[0].start(), "only the arguments of a `call` are names in parentheses; remove the parentheses, or compute the value with an instruction");
                return None;
            }
            group(("(", ")"), (*open, *close), writer, |writer| {
                match parse(inner, (Some(*open), "a constant"), writer, faults)? {
                    [] => Some(()),
                    [other, ..] => {
                        faults.at(other.start(), "parentheses hold one constant expression; write an operator, or close them before this");
                        None
                    }
                }
            })?;
            Some(after)
        }
        _ => {
            no_start(tokens, wanted, faults);
            None
        }
    }
}

/// The number of tokens that form the binary operator at the start of some tokens.
fn binary<P: Copy>(tokens: &[Token<'_, P>], faults: &Faults<P>) -> usize {
    let sign = |n: usize| match tokens.get(n) {
        Some(Token::Sign(sign, _)) => *sign,
        _ => ' ',
    };
    match (sign(0), sign(1)) {
        ('<', '<') | ('>', '>') | ('<' | '>' | '=' | '!', '=') | ('&', '&') | ('|', '|') => 2,
        // A register starts with `%` as well.
        ('%', _) => match tokens.get(1) {
            Some(Token::Word(word, _)) => {
                usize::from(*word == "WARP_SZ" && faults.language() == Language::Ptx)
            }
            _ => 1,
        },
        ('+' | '-' | '*' | '/' | '&' | '|' | '^' | '<' | '>', _) => 1,
        _ => 0,
    }
}

/// Writes a Rust constant.
pub(super) fn spliced<P: Copy>(
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
