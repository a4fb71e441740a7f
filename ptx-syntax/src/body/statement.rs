//! Statements (PTX ISA 4.3).

use proc_macro2::{Delimiter, Span};
use ptx_types::Space;

use super::operand::Writer;
use super::token::Token;
use super::{Body, Event, Name, Statement, declare, instruction, operand};
use crate::args::statement_hazard;
use crate::errors::Errors;

/// Splits tokens into statements.
pub(super) fn parse(tokens: &[Token], errors: &mut Errors) -> Body {
    let mut body = Body::default();
    parse_block(tokens, &mut body, errors);
    body
}

fn parse_block(tokens: &[Token], body: &mut Body, errors: &mut Errors) {
    let mut rest = tokens;
    while let Some(first) = rest.first() {
        if let Token::Group(Delimiter::Brace, inner, open, close) = first {
            body.push_token(Statement::Open, *open);
            body.events.push(Event::Open);
            parse_block(inner, body, errors);
            body.push_token(Statement::Close, *close);
            body.events.push(Event::Close);
            rest = &rest[1..];
            continue;
        }
        if first.is_punct(';') {
            errors.at(first.span(), "an empty statement is no PTX; remove the `;`");
            rest = &rest[1..];
            continue;
        }
        if let Some((label, after)) = label(rest) {
            body.events.push(Event::Label(label.clone()));
            body.push_token(Statement::Label(label.text), label.start);
            rest = after;
            continue;
        }
        let end = rest.iter().position(|token| token.is_punct(';'));
        let (statement, after) = if let Some(end) = end {
            (&rest[..end], &rest[end + 1..])
        } else {
            let last = rest.last().unwrap_or(first);
            errors.at(last.end(), "this statement has no end; write `;` behind it");
            (rest, &rest[rest.len()..])
        };
        let (codes, statement) = allowed(statement, errors);
        if !codes.is_empty() {
            body.events.push(Event::Allow(codes));
        }
        parse_statement(statement, body, errors);
        rest = after;
    }
}

/// `#[allow(A021)]` before a statement: the codes, and what follows.
fn allowed<'t>(
    tokens: &'t [Token],
    errors: &mut Errors,
) -> (Vec<(&'static str, Span)>, &'t [Token]) {
    let (mut codes, mut rest) = (Vec::new(), tokens);
    while let [hash, Token::Group(Delimiter::Bracket, inner, ..), after @ ..] = rest
        && hash.is_punct('#')
    {
        rest = after;
        let [Token::Word(word, _), Token::Group(Delimiter::Parenthesis, inner, ..)] =
            inner.as_slice()
        else {
            errors.at(hash.span(), "a statement takes one attribute, `#[allow(A021)]`");
            continue;
        };
        if word != "allow" {
            errors.at(hash.span(), "a statement takes one attribute, `#[allow(A021)]`");
            continue;
        }
        for code in inner.split(|token| token.is_punct(',')) {
            match code {
                [Token::Word(code, span)] => match statement_hazard(code) {
                    Ok(code) => codes.push((code, *span)),
                    Err(fault) => errors.at(*span, fault),
                },
                [] => {}
                [other, ..] => errors.at(other.span(), "write the code of a rule, as in `A021`"),
            }
        }
    }
    (codes, rest)
}

/// `name:` at the start of `tokens`, and what follows; `::` ends no label.
fn label(tokens: &[Token]) -> Option<(Name, &[Token])> {
    let (name, after) = operand::join(tokens)?;
    match after {
        [colon, next, ..] if colon.is_punct(':') && next.is_punct(':') => None,
        [colon, after @ ..] if colon.is_punct(':') => Some((name, after)),
        _ => None,
    }
}

fn parse_statement(tokens: &[Token], body: &mut Body, errors: &mut Errors) {
    let Some(first) = tokens.first() else { return };
    let mut writer = Writer::default();
    writer.mark(first.span());
    if first.is_punct('.') {
        let complete = declare::parse(tokens, &mut writer, errors).is_some();
        let (pieces, events, marks) = writer.finish();
        let before = body.events.len();
        body.events.extend(events);
        let declares = body.events[before..].iter().any(|event| matches!(event, Event::Declare(_)));
        let statement =
            if declares { Statement::Declaration(pieces) } else { Statement::Instruction(pieces) };
        body.push(statement, marks);
        if !complete {
            assume(tokens, body);
        }
        return;
    }
    if let Token::Word(word, span) = first
        && let Some(space) = Space::from_name(word).filter(|space| *space != Space::Tex)
    {
        let directive = space.directive();
        errors.at(*span, format_args!("a declaration starts with a dot; write `{directive}`"));
        assume(tokens, body);
        return;
    }
    if parse_instruction(tokens, &mut writer, errors).is_some() {
        let (pieces, events, marks) = writer.finish();
        body.events.extend(events);
        body.push(Statement::Instruction(pieces), marks);
    }
}

/// Takes every name in a declaration that could not be read for declared, so that its uses are not
/// reported as well.
fn assume(tokens: &[Token], body: &mut Body) {
    let mut rest = tokens;
    while !rest.is_empty() {
        match operand::join(rest) {
            Some((name, after)) => {
                body.events.push(Event::Assume(name));
                rest = after;
            }
            None => rest = &rest[1..],
        }
    }
}

/// `@!%p1 opcode.modifiers operands`
fn parse_instruction(tokens: &[Token], writer: &mut Writer, errors: &mut Errors) -> Option<()> {
    let (mut rest, mut guard) = (tokens, None);
    if let [at, after @ ..] = rest
        && at.is_punct('@')
    {
        writer.put("@");
        rest = after;
        let mut is_negated = false;
        if let [not, after @ ..] = rest
            && not.is_punct('!')
        {
            writer.put("!");
            (rest, is_negated) = (after, true);
        }
        let Some((name, after)) = operand::join(rest) else {
            errors.at(at.span(), "a guard names a predicate register: `@%p1` or `@!%p1`");
            return None;
        };
        guard = Some((name.clone(), is_negated));
        writer.name(name);
        writer.put(" ");
        rest = after;
    }
    let Some(Token::Word(opcode, span)) = rest.first() else {
        let span = rest.first().or(tokens.first())?.span();
        errors
            .at(span, "a statement starts with an opcode, a directive such as `.reg`, or a label");
        return None;
    };
    writer.mark(*span);
    writer.put(opcode);
    let (words, after) = operand::split_modifiers(&rest[1..]);
    if let (Some((_, "const")), Some(Token::Group(Delimiter::Bracket, ..))) =
        (words.last(), after.first())
    {
        let follows = operand::split_modifiers(&after[1..]).0;
        if !follows.is_empty() {
            errors.at(after[0].span(), declare::BANKED);
            return None;
        }
    }
    instruction::note((opcode, *span), guard, &words, after, writer);
    rest = operand::modifiers(&rest[1..], writer);
    if rest.is_empty() {
        writer.put(";");
        return Some(());
    }
    writer.put(" ");
    operand::parse(rest, writer, operand::Place::Statement, errors)?;
    writer.put(";");
    Some(())
}
