//! Statements of CUDA C++ and Rust where one of PTX is expected.

use ptx_isa::instruction::WordKind;

use super::token::{Delimiter, Language, Token, join};

/// Words that start a statement in another language, with what to write instead.
const WORDS: &[(&str, &str)] = &[
    ("return", "write `ret;`"),
    ("goto", "write `bra LABEL;`"),
    ("break", "a `for` is written out; end a loop at run time with `bra` to a label after it"),
    ("continue", "a `for` is written out; repeat a loop at run time with `bra` to its label"),
    ("while", LOOP),
    ("loop", LOOP),
    ("do", LOOP),
    ("match", CHOICE),
    ("switch", CHOICE),
    ("else", CHOICE),
    ("syncthreads", "write `bar.sync 0;`"),
    ("__syncthreads", "write `bar.sync 0;`"),
    ("__syncwarp", "write `bar.warp.sync 0xffffffff;`"),
    ("__threadfence_block", "write `fence.acq_rel.cta;`"),
    ("__threadfence", "write `fence.acq_rel.gpu;`"),
    ("__threadfence_system", "write `fence.acq_rel.sys;`"),
    (
        "atomicAdd",
        "write `red.global.add.u32 [%at], %x;`, or `atom.global.add.u32 %old, [%at], %x;` for the old value",
    ),
    (
        "atomicMax",
        "write `red.global.max.u32 [%at], %x;`, or `atom.global.max.u32 %old, [%at], %x;` for the old value",
    ),
    (
        "atomicMin",
        "write `red.global.min.u32 [%at], %x;`, or `atom.global.min.u32 %old, [%at], %x;` for the old value",
    ),
    ("atomicExch", "write `atom.global.exch.b32 %old, [%at], %x;`"),
    ("atomicCAS", "write `atom.global.cas.b32 %old, [%at], %expected, %x;`"),
    ("printf", "declare `vprintf` as a `#[device(extern)]` function, and `call` it"),
    ("int", REGISTER),
    ("float", REGISTER),
    ("unsigned", REGISTER),
    ("auto", REGISTER),
    ("var", REGISTER),
];

const LOOP: &str = "a loop at run time is a label and a branch: `AGAIN: .. @%p bra AGAIN;`";
const CHOICE: &str = "a choice at run time is a guard, `@%p`, or a branch, `@%p bra LABEL;`";
const REGISTER: &str = "declare a register, `let %i: u32;`, and write it with an instruction";

/// Whether a name is written as Rust writes those of constants: `TILE_SIZE`.
pub fn is_named_as_constant(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_')
}

/// What to write instead of a statement that starts with this word.
pub fn instead(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(start, _)| *start == word).map(|(_, advice)| *advice)
}

/// What to write in a PTX text instead of a statement that starts with this word.
fn instead_in_text(word: &str) -> Option<&'static str> {
    Some(match word {
        "if" => "guard an instruction, as in `@%p1 bra done`",
        "else" | "for" | "while" | "do" | "switch" | "break" | "continue" => {
            "branch to a label, as in `@%p1 bra next`"
        }
        "goto" | "jmp" => "write `bra`",
        "return" => "write `ret`",
        _ => return None,
    })
}

/// What is wrong with an instruction that has this opcode, and these tokens after it.
pub(super) fn of_opcode<P: Copy>(
    opcode: &str,
    rest: &[Token<'_, P>],
    language: Language,
) -> Option<String> {
    // PTX has a `match`, of values among the threads of a warp.
    let is_known = WordKind::Opcode.knows(opcode);
    let advice = match language {
        _ if is_known => None,
        Language::Rust => instead(opcode),
        Language::Ptx => instead_in_text(opcode),
    };
    if let Some(advice) = advice {
        return Some(format!("PTX has no `{opcode}`; {advice}"));
    }
    let operands =
        rest.iter().find(|token| !matches!(token, Token::Dotted(..) | Token::Colons(..)));
    // In a text, more may be an opcode that is newer than the table.
    let is_call = matches!(operands, Some(Token::Group(Delimiter::Parenthesis, ..)))
        && (language == Language::Rust || rest.len() == 1);
    if !is_call || opcode == "call" {
        return None;
    }
    // `bar.sync (0);`
    if is_known && operands.is_some_and(is_constant) {
        return None;
    }
    match (is_known, language) {
        (true, Language::Rust) => {
            Some(format!("the operands of `{opcode}` go without parentheses; remove them"))
        }
        (true, Language::Ptx) => None,
        (false, Language::Rust) => Some(format!(
            "a function is called as in `call (%y), {opcode}, (%x);`, with what it returns first"
        )),
        (false, Language::Ptx) => Some(format!(
            "a function is called with `call`, as in `call (result), {opcode}, (argument);`; write that, or an opcode"
        )),
    }
}

/// Whether this is a constant in parentheses, which is an operand.
fn is_constant<P: Copy>(token: &Token<'_, P>) -> bool {
    let is_part = |token: &Token<'_, P>| match token {
        Token::Number(..)
        | Token::Dotted(..)
        | Token::Constant(..)
        | Token::Group(Delimiter::Parenthesis, ..) => true,
        Token::Word(word, _) => *word == "WARP_SZ",
        Token::Sign(sign, _) => !matches!(sign, ',' | '%' | '$'),
        _ => false,
    };
    matches!(token, Token::Group(Delimiter::Parenthesis, inner, ..) if !inner.is_empty() && inner.iter().all(is_part))
}

/// The tokens after a statement with a block in braces, `while %p { .. }`, that starts with one of those words.
pub(super) fn after_block<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
) -> Option<&'s [Token<'t, P>]> {
    let Some(Token::Word(word, _)) = tokens.first() else { return None };
    instead(word)?;
    let is_end = |token: &Token<'t, P>| {
        token.is_sign(';') || matches!(token, Token::Group(Delimiter::Brace, ..))
    };
    let end = tokens.iter().position(is_end)?;
    matches!(tokens[end], Token::Group(..)).then(|| &tokens[end + 1..])
}

/// Where a token that cannot start a statement, or one after it, is wrong, and why.
pub(super) fn fault<P: Copy>(tokens: &[Token<'_, P>]) -> (P, P, String) {
    let first = &tokens[0];
    let over = |message: &str| (first.start(), first.end(), message.to_owned());
    match first {
        Token::Sign('\'', at) => {
            (*at, *at, "a label is a name without a quote: `AGAIN:`".to_owned())
        }
        Token::Sign('#', at) => (*at, *at, "a comment starts with `//`".to_owned()),
        Token::Text(..) => over("a body is not a string; write the statement without quotes"),
        _ => match join(tokens) {
            Some((name, rest)) => after_register(&name.text, name.at, rest),
            None => over(START),
        },
    }
}

/// What a statement starts with.
pub(super) const START: &str =
    "a statement starts with an opcode, a directive such as `.reg`, or a label";

/// The same of a statement that starts with a register.
fn after_register<P: Copy>(name: &str, at: (P, P), rest: &[Token<'_, P>]) -> (P, P, String) {
    match rest {
        [Token::Sign('=', equals), ..] | [Token::Sign(_, equals), Token::Sign('=', _), ..] => (
            *equals,
            *equals,
            format!(
                "PTX has no assignment; write an instruction whose first operand is `{name}`, as in `mov.u32 {name}, 1;`"
            ),
        ),
        [Token::Word(opcode, _), ..] => {
            (at.0, at.1, format!("a guard starts with `@`; write `@{name} {opcode}`"))
        }
        _ => (at.0, at.1, START.to_owned()),
    }
}

/// What is wrong with the token after a guard, if it cannot have one.
pub(super) fn after_guard<P: Copy>(token: &Token<'_, P>, guard: &str) -> Option<String> {
    Some(match token {
        Token::Group(Delimiter::Brace, ..) => {
            format!(
                "a guard is on one instruction, and this is a block; write the guard on each of its instructions, or branch around it: `@!{guard} bra END;`"
            )
        }
        Token::Sign('@', _) => {
            "an instruction has one guard; compute it from both, as in `and.pred %p, %p, %q;`"
                .to_owned()
        }
        Token::Word(word @ ("for" | "if" | "let"), _) => {
            format!(
                "a guard is on one instruction, and `{word}` is not an instruction; write the guard on each instruction, or branch around them: `@!{guard} bra END;`"
            )
        }
        _ => return None,
    })
}
