//! Statements (PTX ISA 4.3).

use ptx_types::Space;
use ptx_types::instruction::Row;
use ptx_types::ir::body::{StatementKind, TokenKind};

use super::operand::{self, Within};
use super::token::{Delimiter, Faults, Token, join, label};
use super::writer::{BodyWriter, Writer};
use super::{BANKED, Source, declare};
use crate::codes::{is_of_declarations, statement_hazard};

/// Reads a body. What cannot be read is left out.
pub fn parse<P: Copy>(tokens: &[Token<P>], faults: &mut Faults<P>) -> Source<P> {
    let mut body = BodyWriter::new();
    parse_block(tokens, &mut body, faults);
    body.finish()
}

fn parse_block<P: Copy>(tokens: &[Token<P>], body: &mut BodyWriter<P>, faults: &mut Faults<P>) {
    let mut rest = tokens;
    while let Some(hash) = rest.first() {
        let (codes, after) = allowed(rest, faults);
        let is_allowed = after.len() < rest.len();
        let Some(first) = after.first() else {
            faults.at(hash.start(), "no statement follows this attribute; write one, or remove it");
            return;
        };
        if is_allowed {
            require_statement(hash.start(), &codes, after, faults);
        }
        rest = after;
        if let Token::Group(Delimiter::Brace, inner, open, close) = first {
            body.brace(StatementKind::Open, *open);
            parse_block(inner, body, faults);
            body.brace(StatementKind::Close, *close);
            rest = &rest[1..];
            continue;
        }
        if first.is_sign(';') {
            faults.at(first.start(), "an empty statement is no PTX; remove the `;`");
            rest = &rest[1..];
            continue;
        }
        if let Some((name, after)) = macro_call(rest) {
            faults.at(first.start(), format_args!("`{name}!` is a Rust macro, and none runs in a body; write its statements here, or let a `macro_rules!` write the whole module"));
            rest = after;
            continue;
        }
        if let Some((label, after)) = label(rest) {
            let mut writer = body.statement();
            writer.name(label);
            body.push(StatementKind::Label, writer, &[]);
            rest = after;
            continue;
        }
        let end = rest.iter().position(|token| token.is_sign(';'));
        let (statement, after) = if let Some(end) = end {
            (&rest[..end], &rest[end + 1..])
        } else {
            let last = rest.last().unwrap_or(first);
            faults.at(last.end(), "this statement has no end; write `;` behind it");
            (rest, &rest[rest.len()..])
        };
        parse_statement(statement, &codes, body, faults);
        rest = after;
    }
}

/// Reports an attribute on a block or a label, which have none.
fn require_statement<P: Copy>(
    hash: P,
    codes: &[Code<P>],
    tokens: &[Token<P>],
    faults: &mut Faults<P>,
) {
    let code = codes.first().map_or("A021", |(code, _)| code);
    if let Some(Token::Group(Delimiter::Brace, ..)) = tokens.first() {
        faults.at(
            hash,
            format_args!(
                "a block takes no attribute; write `#[allow({code})]` on a statement in it, or `allow({code})` on the function"
            ),
        );
    } else if let Some((label, _)) = label(tokens) {
        let label = label.text;
        faults.at(
            hash,
            format_args!(
                "a label takes no attribute; write it behind the label: `{label}: #[allow({code})] ..`"
            ),
        );
    }
}

/// The code of a rule that is allowed, and where it stands.
type Code<P> = (&'static str, P);

/// `#[allow(A021)]` before a statement: the codes, and what follows.
fn allowed<'t, P: Copy>(
    tokens: &'t [Token<P>],
    faults: &mut Faults<P>,
) -> (Vec<Code<P>>, &'t [Token<P>]) {
    let (mut codes, mut rest): (Vec<Code<P>>, _) = (Vec::new(), tokens);
    while let [hash, Token::Group(Delimiter::Bracket, inner, ..), after @ ..] = rest
        && hash.is_sign('#')
    {
        rest = after;
        let [Token::Word(word, at), Token::Group(Delimiter::Parenthesis, inner, ..)] =
            inner.as_slice()
        else {
            faults.at(hash.start(), "a statement takes one attribute, `#[allow(A021)]`");
            continue;
        };
        if word != "allow" {
            faults.at(hash.start(), "a statement takes one attribute, `#[allow(A021)]`");
            continue;
        }
        if inner.iter().all(|token| token.is_sign(',')) {
            faults.at(
                *at,
                "this names no hazard; write the code of one, as in `#[allow(A021)]`, or remove it",
            );
            continue;
        }
        for code in inner.split(|token| token.is_sign(',')) {
            match code {
                [Token::Word(code, at)] => match statement_hazard(code) {
                    Ok(code) if codes.iter().any(|(other, _)| *other == code) => {
                        faults.at(*at, format_args!("`{code}` is allowed twice here; remove one"));
                    }
                    Ok(code) => codes.push((code, *at)),
                    Err(fault) => faults.at(*at, fault),
                },
                [] => {}
                [other, ..] => faults.at(other.start(), "write the code of a rule, as in `A021`"),
            }
        }
    }
    (codes, rest)
}

/// `name!(..);` or `name! { .. }` at the start of `tokens`, and what follows.
fn macro_call<P: Copy>(tokens: &[Token<P>]) -> Option<(&str, &[Token<P>])> {
    let (name, mut rest) = match tokens {
        [Token::Word(name, _), bang, Token::Group(..), rest @ ..] if bang.is_sign('!') => {
            (name, rest)
        }
        [Token::Word(..), one, two, path @ ..] if one.is_sign(':') && two.is_sign(':') => {
            return macro_call(path);
        }
        _ => return None,
    };
    if let [end, after @ ..] = rest
        && end.is_sign(';')
    {
        rest = after;
    }
    Some((name, rest))
}

fn parse_statement<P: Copy>(
    tokens: &[Token<P>],
    codes: &[Code<P>],
    body: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) {
    let Some(first) = tokens.first() else { return };
    let of_declarations = |(code, _): &&Code<P>| is_of_declarations(code);
    let of_instructions: Vec<Code<P>> =
        codes.iter().filter(|code| !of_declarations(code)).copied().collect();
    let mut writer = body.statement();
    if first.is_sign('.') {
        match declare::parse(tokens, codes, &mut writer, faults) {
            declare::Parsed::Directive => {
                body.push(StatementKind::Directive, writer, &of_instructions);
            }
            declare::Parsed::Declaration { is_whole } => {
                body.push(StatementKind::Declaration, writer, &[]);
                if !is_whole {
                    assume(tokens, body);
                }
            }
            declare::Parsed::Nothing => assume(tokens, body),
        }
        return;
    }
    if let Token::Word(word, at) = first
        && let Some(space) = Space::from_name(word).filter(|space| *space != Space::Tex)
    {
        let directive = space.directive();
        faults.at(*at, format_args!("a declaration starts with a dot; write `{directive}`"));
        assume(tokens, body);
        return;
    }
    for (code, at) in codes.iter().filter(of_declarations) {
        faults.at(*at, format_args!("`{code}` is about declarations, and this is an instruction; write the allowance on the declaration"));
    }
    if parse_instruction(tokens, &mut writer, faults).is_some() {
        body.push(StatementKind::Instruction, writer, &of_instructions);
    }
}

/// Takes every name in a declaration that could not be read for declared, so that its uses are not
/// reported as well.
fn assume<P: Copy>(tokens: &[Token<P>], body: &mut BodyWriter<P>) {
    let mut rest = tokens;
    while !rest.is_empty() {
        match join(rest) {
            Some((name, after)) => {
                body.assume(name.text);
                rest = after;
            }
            None => rest = &rest[1..],
        }
    }
}

/// `@!%p1 opcode.modifiers operands`
fn parse_instruction<P: Copy>(
    tokens: &[Token<P>],
    writer: &mut Writer<P>,
    faults: &mut Faults<P>,
) -> Option<()> {
    let mut rest = tokens;
    if let [Token::Sign('@', at), after @ ..] = rest {
        writer.sign('@', *at);
        rest = after;
        if let [Token::Sign('!', not), after @ ..] = rest {
            writer.sign('!', *not);
            rest = after;
        }
        let Some((name, after)) = join(rest) else {
            faults.at(*at, "a guard names a predicate register: `@%p1` or `@!%p1`");
            return None;
        };
        writer.name(name);
        writer.space();
        rest = after;
    }
    let Some(Token::Word(opcode, at)) = rest.first() else {
        let at = rest.first().or(tokens.first())?.start();
        faults.at(at, "a statement starts with an opcode, a directive such as `.reg`, or a label");
        return None;
    };
    writer.put(TokenKind::Word, opcode, (*at, *at));
    let (is_const, after) = operand::modifiers(&rest[1..], writer);
    if is_const && let [bracket @ Token::Group(Delimiter::Bracket, ..), behind @ ..] = after {
        let is_bank = operand::modifier(behind).is_some();
        if is_bank {
            faults.at(bracket.start(), BANKED);
            return None;
        }
    }
    rest = after;
    if rest.is_empty() {
        return Some(());
    }
    writer.space();
    let within =
        if Row::some_takes_elements(opcode) { Within::Elements } else { Within::Statement };
    operand::parse(rest, writer, within, faults)
}
