//! Statements (PTX ISA 4.3).

use ptx_isa::Space;
use ptx_isa::instruction::{Row, WordKind, meant};
use ptx_isa::ir::body::{StatementKind, TokenKind};
use ptx_isa::near::nearest;

use super::operand::{self, Takes};
use super::other_language;
use super::token::{
    Delimiter, Faults, Language, Name, Token, each_name, join, label, require_label,
};
use super::writer::BodyWriter;
use super::{BANKED, Source, declare};
use crate::codes::{is_of_declarations, named, statement_hazard};

/// Parses a body. Statements that cannot be parsed are left out.
pub fn parse<P: Copy>(tokens: &[Token<'_, P>], faults: &mut Faults<P>) -> Source<P> {
    let mut body = BodyWriter::new();
    parse_block(tokens, &mut body, faults);
    body.finish()
}

fn parse_block<P: Copy>(tokens: &[Token<'_, P>], body: &mut BodyWriter<P>, faults: &mut Faults<P>) {
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
        if let Token::Inlined(inner, place, _) = first {
            let around = body.enter(*place);
            parse_block(inner, body, faults);
            body.leave(around);
            rest = &rest[1..];
            continue;
        }
        if let Token::Group(Delimiter::Brace, inner, open, close) = first {
            body.brace(StatementKind::Open, *open);
            parse_block(inner, body, faults);
            body.brace(StatementKind::Close, *close);
            rest = &rest[1..];
            continue;
        }
        if first.is_sign(';') {
            faults.at(first.start(), "PTX has no empty statement; remove the `;`");
            rest = &rest[1..];
            continue;
        }
        if let Some((name, after)) = macro_call(rest) {
            faults.at(first.start(), format_args!("`{name}!` is a Rust macro, and a body expands none; write its statements here, or let a `macro_rules!` write the whole module"));
            rest = after;
            continue;
        }
        if let Some(after) = foreign(rest, faults) {
            rest = after;
            continue;
        }
        rest = parse_next(rest, &codes, body, faults);
    }
}

/// Reports a statement of another language that need not end in `;`. Returns the tokens that follow.
fn foreign<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    faults: &mut Faults<P>,
) -> Option<&'s [Token<'t, P>]> {
    if faults.language() != Language::Rust {
        return None;
    }
    if label(tokens).is_some() {
        return None;
    }
    let after = match tokens {
        [Token::Text(..), semicolon, after @ ..] if semicolon.is_sign(';') => after,
        [Token::Text(..), after @ ..] => after,
        [Token::Word(word, at), ..] => {
            let after = other_language::after_block(tokens)?;
            let advice = other_language::instead(word)?;
            faults.at(*at, format_args!("PTX has no `{word}`; {advice}"));
            return Some(after);
        }
        _ => return None,
    };
    let (at, end, message) = other_language::fault(tokens);
    faults.over((at, end), message);
    Some(after)
}

/// Parses the label or statement at the start of `tokens`, which may break the rules with these codes. Returns the
/// tokens that follow.
pub(crate) fn parse_next<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    codes: &[(&'static str, P)],
    body: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> &'s [Token<'t, P>] {
    if let Some((label, after)) = label(tokens) {
        require_label(&label, faults);
        body.name(&label);
        body.end(StatementKind::Label, &[]);
        return after;
    }
    if let Some((name, after)) = unmarked_label(tokens) {
        faults.at(name.at.1, "a label ends with a colon; write `:` after it");
        body.name(&name);
        body.end(StatementKind::Label, &[]);
        return after;
    }
    let end = tokens.iter().position(|token| token.is_sign(';'));
    let (statement, after) = if let Some(end) = end {
        (&tokens[..end], &tokens[end + 1..])
    } else {
        if let Some(last) = tokens.last() {
            faults.at(last.end(), "this statement has no end; write `;` after it");
        }
        (tokens, &tokens[tokens.len()..])
    };
    // Without its `;`, a statement would swallow the next one.
    let mut rest = statement;
    while let Some(next) = missing_end(rest) {
        let before = rest[next - 1].end();
        faults.at(before, "this statement has no end; write `;` after it");
        parse_statement(&rest[..next], codes, body, faults);
        rest = &rest[next..];
    }
    parse_statement(rest, codes, body, faults);
    after
}

/// Recognises a label without its colon: a name that is not an opcode, followed by nothing or by an instruction. Returns the
/// name and the tokens that follow.
fn unmarked_label<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
) -> Option<(Name<'t, P>, &'s [Token<'t, P>])> {
    let (name, after) = join(tokens)?;
    let is_label = match after {
        [] => {
            name.text.starts_with('$')
                || meant(WordKind::Opcode, &name.text).is_empty()
                    && !WordKind::Opcode.knows(&name.text)
        }
        [Token::Word(word, _), next, ..] => {
            // A register is a guard without its `@`.
            !name.text.starts_with('%')
                && WordKind::Opcode.knows(word)
                && (next.is_sign(';') || matches!(next, Token::Dotted(..)))
                && !WordKind::Opcode.knows(&name.text)
        }
        _ => false,
    };
    is_label.then_some((name, after))
}

/// The index at which another instruction starts within a statement, if one does.
fn missing_end<P: Copy>(tokens: &[Token<'_, P>]) -> Option<usize> {
    let is_opcode = |token: &Token<'_, P>| matches!(token, Token::Word(word, _) if WordKind::Opcode.knows(word));
    // Skips the guard and the opcode with its modifiers.
    let guard = match tokens {
        [at, not, rest @ ..] if at.is_sign('@') && not.is_sign('!') => join(rest)?.1,
        [at, rest @ ..] if at.is_sign('@') => join(rest)?.1,
        rest => rest,
    };
    let opcode = tokens.len() - guard.len();
    let is_modifier = |token: &Token<'_, P>| matches!(token, Token::Dotted(..) | Token::Colons(..));
    if !guard.first().is_some_and(is_opcode) {
        return None;
    }
    let first = opcode + 1 + guard[1..].iter().take_while(|token| is_modifier(token)).count();
    // A name may be spelled like an opcode and have an element.
    let has_operands = |at: usize| {
        let modifiers = tokens[at + 1..].iter().take_while(|token| is_modifier(token)).count();
        let behind = tokens.get(at + 1 + modifiers);
        modifiers > 0
            && behind.is_some_and(|token| !matches!(token, Token::Sign(',' | '|' | '+' | '-', _)))
    };
    let takes_none = matches!(guard[0], Token::Word("ret" | "exit" | "trap" | "brkpt", _));
    (first..tokens.len()).find(|&at| {
        is_opcode(&tokens[at])
            && if at == first {
                takes_none || has_operands(at)
            } else {
                matches!(
                    tokens[at - 1],
                    Token::Word(..) | Token::Number(..) | Token::Group(..) | Token::Constant(..)
                )
            }
    })
}

/// Reports an attribute on a block or a label, which cannot have one.
fn require_statement<P: Copy>(
    hash: P,
    codes: &[Code<P>],
    tokens: &[Token<'_, P>],
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
                "a label takes no attribute; write it after the label: `{label}: #[allow({code})] ..`"
            ),
        );
    }
}

/// The code of an allowed rule, and its position.
type Code<P> = (&'static str, P);

/// Parses `#[allow(A021)]` before a statement. Returns the codes and the tokens that follow.
fn allowed<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    faults: &mut Faults<P>,
) -> (Vec<Code<P>>, &'s [Token<'t, P>]) {
    let (mut codes, mut rest): (Vec<Code<P>>, _) = (Vec::new(), tokens);
    while let [hash, Token::Group(Delimiter::Bracket, inner, ..), after @ ..] = rest
        && hash.is_sign('#')
    {
        rest = after;
        let [Token::Word(word, at), Token::Group(Delimiter::Parenthesis, inner, ..)] = inner else {
            faults.at(hash.start(), "a statement takes one attribute, `#[allow(A021)]`");
            continue;
        };
        if *word != "allow" {
            if nearest(word, ["allow"]).is_empty() {
                faults.at(hash.start(), "a statement takes one attribute, `#[allow(A021)]`");
                continue;
            }
            faults.at(*at, format_args!("no attribute `{word}` here; did you mean `allow`?"));
        }
        if inner.iter().all(|token| token.is_sign(',')) {
            faults.at(
                *at,
                "this names no rule; write the code of one, as in `#[allow(A021)]`, or remove it",
            );
            continue;
        }
        for code in inner.split(|token| token.is_sign(',')) {
            match code {
                [Token::Word(code, at)] => {
                    let rule = named(code, |message| faults.at(*at, message));
                    match rule.map(statement_hazard) {
                        Some(Ok(code)) if codes.iter().any(|(other, _)| *other == code) => {
                            let twice = format_args!("`{code}` is allowed twice here; remove one");
                            faults.at(*at, twice);
                        }
                        Some(Ok(code)) => codes.push((code, *at)),
                        Some(Err(fault)) => faults.at(*at, fault),
                        None => {}
                    }
                }
                [] => {}
                [other, ..] => faults.at(other.start(), "write the code of a rule, as in `A021`"),
            }
        }
    }
    (codes, rest)
}

/// Recognises `name!(..);` or `name! { .. }` at the start of `tokens`. Returns the name and the tokens that follow.
fn macro_call<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
) -> Option<(&'t str, &'s [Token<'t, P>])> {
    let (Token::Word(first, _), mut rest) = tokens.split_first()? else { return None };
    let mut name = *first;
    while let [Token::Colons(path, ..), after @ ..] = rest {
        (name, rest) = (path.trim_start_matches(':'), after);
    }
    let [Token::Sign('!', _), Token::Group(..), after @ ..] = rest else { return None };
    rest = after;
    if let [end, after @ ..] = rest
        && end.is_sign(';')
    {
        rest = after;
    }
    Some((name, rest))
}

fn parse_statement<P: Copy>(
    tokens: &[Token<'_, P>],
    codes: &[Code<P>],
    body: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) {
    let Some(first) = tokens.first() else { return };
    let of_declarations = |(code, _): &&Code<P>| is_of_declarations(code);
    if first.is_sign('.') || matches!(first, Token::Dotted(..)) {
        match declare::parse(tokens, codes, body, faults) {
            declare::Parsed::Directive => {
                let of_instructions: Vec<Code<P>> =
                    codes.iter().filter(|code| !of_declarations(code)).copied().collect();
                body.end(StatementKind::Directive, &of_instructions);
            }
            declare::Parsed::Declaration { is_whole } => {
                body.end(StatementKind::Declaration, &[]);
                if !is_whole {
                    assume(tokens, body);
                }
            }
            declare::Parsed::Nothing => {
                body.take_back_all();
                assume(tokens, body);
            }
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
        faults.at(*at, format_args!("`{code}` is a rule of declarations, and this is an instruction; write the allowance on the declaration"));
    }
    if parse_instruction(tokens, body, faults).is_some() {
        let of_instructions: Vec<Code<P>> =
            codes.iter().filter(|code| !of_declarations(code)).copied().collect();
        body.end(StatementKind::Instruction, &of_instructions);
    } else {
        body.take_back_all();
    }
}

/// Assumes that every name in a statement that could not be parsed is declared, if it may be a declaration, so that
/// its uses are not reported as well. The names of other directives are declared elsewhere.
pub(crate) fn assume<P: Copy>(tokens: &[Token<'_, P>], body: &mut BodyWriter<P>) {
    let is_declaration = match tokens.first() {
        Some(Token::Dotted(word, ..)) => !declare::DIRECTIVES.contains(&&word[1..]),
        Some(_) | None => true,
    };
    if is_declaration {
        each_name(tokens, &mut |name| {
            body.assume(name.to_owned());
            Some(())
        });
    }
}

/// Parses `@!%p1`, if a statement starts with it. Returns the tokens that follow.
fn parse_guard<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<&'s [Token<'t, P>]> {
    let mut rest = tokens;
    if let [Token::Sign('@', at), after @ ..] = rest {
        writer.sign('@', *at);
        rest = after;
        if let [Token::Sign('!', not), after @ ..] = rest {
            writer.sign('!', *not);
            rest = after;
        }
        let Some((name, after)) = join(rest) else {
            let at = rest.first().filter(|token| token.is_sign('~')).map_or(*at, Token::start);
            faults.at(at, "a guard names a predicate register: `@%p1` or `@!%p1`");
            return None;
        };
        if let Some((first, fault)) = after
            .first()
            .and_then(|first| Some((first, other_language::after_guard(first, &name.text)?)))
            && faults.language() == Language::Rust
        {
            faults.at(first.start(), fault);
            return None;
        }
        writer.name(&name);
        writer.space();
        rest = after;
    }
    Some(rest)
}

/// Parses `@!%p1 opcode.modifiers operands`.
fn parse_instruction<P: Copy>(
    tokens: &[Token<'_, P>],
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<()> {
    let mut rest = parse_guard(tokens, writer, faults)?;
    if let [Token::Sign('\\', at), after @ ..] = rest
        && !after.is_empty()
        && faults.language() == Language::Ptx
    {
        faults
            .accepted(*at, "`\\` has no meaning before an opcode, and ptxas ignores it; remove it");
        rest = after;
    }
    // A lexer may have joined the parts of a name.
    let Some(Token::Word(opcode, at)) = rest.first().filter(|first| !is_register(first)) else {
        let guard = tokens.len() - rest.len();
        if faults.language() == Language::Ptx
            && let (Some(name), Some(_)) = (tokens.get(1).filter(|_| guard > 1), rest.first())
        {
            faults.at(name.start(), "a guard is `@%p1` or `@!%p1`, and an opcode follows it");
            return None;
        }
        let at = rest.first().or(tokens.first())?;
        let (at, end, message) = match (rest.first(), faults.language()) {
            (Some(_), Language::Rust) => other_language::fault(rest),
            _ => (at.start(), at.start(), other_language::START.to_owned()),
        };
        faults.over((at, end), message);
        return None;
    };
    if let Some(fault) = other_language::of_opcode(opcode, &rest[1..], faults.language()) {
        faults.at(*at, fault);
        return None;
    }
    if matches!(*opcode, "_" | "WARP_SZ") {
        faults.at(*at, format_args!("`{opcode}` is not an instruction; write an opcode before it"));
        return None;
    }
    writer.put(TokenKind::Word, opcode, (*at, *at));
    if let Some(Token::Colons(text, colons, _)) = rest.get(1) {
        faults.at(
            *colons,
            format_args!("`{text}` cannot follow the opcode; a modifier starts with a dot"),
        );
        return None;
    }
    let (is_const, after) = operand::modifiers(&rest[1..], writer);
    let modifiers = rest.len() - 1 - after.len();
    if is_const
        && let [bracket @ Token::Group(Delimiter::Bracket, ..), behind, ..] = after
        && matches!(behind, Token::Dotted(..) | Token::Colons(..))
    {
        let [rust, ptx] = BANKED;
        faults.at(bracket.start(), faults.words(rust, ptx));
        return None;
    }
    rest = after;
    if rest.is_empty() {
        return Some(());
    }
    if let [Token::Sign('=', equals), ..] = rest {
        faults.at(
            *equals,
            format_args!(
                "PTX has no assignment; write an instruction, as in `mov.u32 {opcode}, 1`"
            ),
        );
        return None;
    }
    writer.space();
    let head = &tokens[tokens.len() - rest.len() - modifiers..tokens.len() - rest.len()];
    let takes = if *opcode == "call" {
        Takes::Arguments
    } else if *opcode == "vmad" {
        Takes::Negated
    } else if has_elements(rest) && takes_elements(opcode, head) {
        Takes::Elements
    } else {
        Takes::Plain
    };
    if let ("bra", Some((target, _))) = (*opcode, join(rest)) {
        require_label(&target, faults)?;
    }
    if let (Takes::Arguments, [Token::Group(Delimiter::Parenthesis, _, open, _)]) = (takes, rest) {
        faults.at(
            *open,
            "expected the name of a function after the returned values, as in `call (x), f, (a);`",
        );
        return None;
    }
    operand::operands(rest, takes, writer, faults)
}

/// Whether this is a name rather than an opcode.
fn is_register<P>(token: &Token<'_, P>) -> bool {
    matches!(token, Token::Word(word, _) if word.contains(['%', '$']))
}

/// Whether a name or a number is followed by brackets, as in an array element.
fn has_elements<P>(operands: &[Token<'_, P>]) -> bool {
    operands.windows(2).any(|two| {
        matches!(two, [Token::Word(..) | Token::Number(..), Token::Group(Delimiter::Bracket, ..)])
    })
}

/// Whether an instruction with this opcode and these modifiers can have array elements as operands.
fn takes_elements<P>(opcode: &str, modifiers: &[Token<'_, P>]) -> bool {
    let modifiers: Vec<(&str, &str)> = modifiers
        .iter()
        .filter_map(|modifier| match modifier {
            Token::Dotted(text, ..) => Some((".", &text[1..])),
            Token::Colons(text, ..) => Some(("::", &text[2..])),
            _ => None,
        })
        .collect();
    Row::find(opcode, &modifiers).is_some_and(|row| row.takes_elements)
}
