//! Statements (PTX ISA 4.3).

use proc_macro2::{Delimiter, Span};
use ptx_types::Space;

use super::operand::Writer;
use super::token::Token;
use super::{Body, Declaration, Event, Name, Statement, declare, instruction, operand};
use crate::errors::Errors;
use crate::hazards::{is_of_declarations, statement_hazard};

/// Splits tokens into statements.
pub(super) fn parse(tokens: &[Token], errors: &mut Errors) -> Body {
    let mut body = Body::default();
    parse_block(tokens, &mut body, errors);
    body
}

fn parse_block(tokens: &[Token], body: &mut Body, errors: &mut Errors) {
    let mut rest = tokens;
    while let Some(hash) = rest.first() {
        let (codes, after) = allowed(rest, errors);
        let is_allowed = after.len() < rest.len();
        let Some(first) = after.first() else {
            errors.at(hash.span(), "no statement follows this attribute; write one, or remove it");
            return;
        };
        if is_allowed {
            require_statement(hash.span(), &codes, after, errors);
        }
        rest = after;
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
        parse_statement(statement, codes, body, errors);
        rest = after;
    }
}

/// Reports an attribute on a block or a label, which have none.
fn require_statement(hash: Span, codes: &[Code], tokens: &[Token], errors: &mut Errors) {
    let code = codes.first().map_or("A021", |(code, _)| code);
    if let Some(Token::Group(Delimiter::Brace, ..)) = tokens.first() {
        errors.at(
            hash,
            format_args!(
                "a block takes no attribute; write `#[allow({code})]` on a statement in it, or `allow({code})` on the function"
            ),
        );
    } else if let Some((label, _)) = label(tokens) {
        let label = label.text;
        errors.at(
            hash,
            format_args!(
                "a label takes no attribute; write it behind the label: `{label}: #[allow({code})] ..`"
            ),
        );
    }
}

/// The code of a rule that is allowed, and where it stands.
type Code = (&'static str, Span);

/// `#[allow(A021)]` before a statement: the codes, and what follows.
fn allowed<'t>(tokens: &'t [Token], errors: &mut Errors) -> (Vec<Code>, &'t [Token]) {
    let (mut codes, mut rest): (Vec<Code>, _) = (Vec::new(), tokens);
    while let [hash, Token::Group(Delimiter::Bracket, inner, ..), after @ ..] = rest
        && hash.is_punct('#')
    {
        rest = after;
        let [Token::Word(word, span), Token::Group(Delimiter::Parenthesis, inner, ..)] =
            inner.as_slice()
        else {
            errors.at(hash.span(), "a statement takes one attribute, `#[allow(A021)]`");
            continue;
        };
        if word != "allow" {
            errors.at(hash.span(), "a statement takes one attribute, `#[allow(A021)]`");
            continue;
        }
        if inner.iter().all(|token| token.is_punct(',')) {
            errors.at(
                *span,
                "this names no hazard; write the code of one, as in `#[allow(A021)]`, or remove it",
            );
            continue;
        }
        for code in inner.split(|token| token.is_punct(',')) {
            match code {
                [Token::Word(code, span)] => match statement_hazard(code) {
                    Ok(code) if codes.iter().any(|(other, _)| *other == code) => {
                        errors
                            .at(*span, format_args!("`{code}` is allowed twice here; remove one"));
                    }
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

fn parse_statement(tokens: &[Token], codes: Vec<Code>, body: &mut Body, errors: &mut Errors) {
    let Some(first) = tokens.first() else { return };
    let mut writer = Writer::default();
    writer.mark(first.span());
    if first.is_punct('.') {
        let complete = declare::parse(tokens, &mut writer, errors).is_some();
        let (pieces, events, marks) = writer.finish();
        let declares = events.iter().any(|event| matches!(event, Event::Declare(_)));
        if declares {
            note_declarations(events, &codes, body);
        } else {
            note(events, codes, body);
        }
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
    for (code, span) in codes.iter().filter(|(code, _)| is_of_declarations(code)) {
        errors.at(*span, format_args!("`{code}` is about declarations, and this is an instruction; write the allowance on the declaration"));
    }
    if parse_instruction(tokens, &mut writer, errors).is_some() {
        let (pieces, events, marks) = writer.finish();
        note(events, codes, body);
        body.push(Statement::Instruction(pieces), marks);
    }
}

/// Notes what a statement does, which may break the rules with these codes.
fn note(events: Vec<Event>, codes: Vec<Code>, body: &mut Body) {
    let is_allowed = !codes.is_empty();
    if is_allowed {
        body.events.push(Event::Allow(codes));
    }
    body.events.extend(events);
    if is_allowed {
        body.events.push(Event::Allow(Vec::new()));
    }
}

/// Notes what a statement declares, which may break the rules with these codes.
fn note_declarations(events: Vec<Event>, codes: &[Code], body: &mut Body) {
    body.events.extend(events.into_iter().map(|event| match event {
        Event::Declare(declaration) => {
            Event::Declare(Declaration { allow: codes.to_vec(), ..declaration })
        }
        other => other,
    }));
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

/// The opcodes that take elements of arrays by an index: `ld.shared.f32 %f0, ROW[3];` (PTX ISA 6.4.2).
const TAKES_ELEMENTS: &[&str] = &["ld", "ldu", "st", "mov", "cvta"];

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
    let place = if TAKES_ELEMENTS.contains(&opcode.as_str()) {
        operand::Place::Elements
    } else {
        operand::Place::Statement
    };
    operand::parse(rest, writer, place, errors)?;
    writer.put(";");
    Some(())
}
