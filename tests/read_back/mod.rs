//! Emitted text reads back to the IR that it was emitted from, as far as text represents it.
//!
//! Text has no Rust types: structs and other types of several scalars are bytes; initial values are bits, and
//! a number has several spellings; alignments are written only if they are not natural. So variables and
//! parameters are equal if they have the same space, linkage, size, alignment and attributes, and print the
//! same initial value. Bodies are equal token by token, with the values of Rust constants. Line information,
//! `.file` and `.loc`, is skipped.

#![allow(dead_code)] // each test has its own part of it

use std::collections::BTreeSet;
use std::fmt::{Debug, Write as _};

use ptx::ir::body::{Statement, StatementKind, TokenKind};
use ptx::ir::{self, Body, Extent, Function, FunctionKind, Linkage, Param, Variable};
use ptx::text::{Lexer, Parsed, PieceKind};
use ptx::{Module, Number, ScalarType, Space};

/// Fails unless the text of a module reads back, `check` finds nothing, and the real ptxas assembles it.
pub(crate) fn assert_accepted(module: &Module<'_>) {
    assert_reads_back(module);
    let found = module.check();
    assert!(found.is_empty(), "{}", found.iter().map(ToString::to_string).collect::<String>());
    for ptxas in xtask::oracles() {
        if let Err(refused) = ptxas.assemble(module) {
            panic!("{refused}\n{module}");
        }
    }
}

/// Fails with the first difference.
pub(crate) fn assert_reads_back(module: &ir::Module<'_>) {
    let text = Module::new(*module).to_string();
    if let Err(differs) = reads_back(module) {
        panic!("{differs}\n{text}");
    }
}

/// The first difference between a module and the one that is read from its text.
pub(crate) fn reads_back(module: &ir::Module<'_>) -> Result<(), String> {
    let text = Module::new(*module).to_string();
    let parsed = Module::parse(text.as_str());
    same("grammar", [].as_slice(), parsed.syntax())?;
    same("text", text.as_str(), &parsed.to_string())?;
    let pieces: String = parsed.pieces().map(|piece| &text[piece.at.range()]).collect();
    same("pieces", text.as_str(), &pieces)?;
    let plain = ir::Module { line_info: None, ..*module };
    let again = ir::Module { source: None, ..*parsed.module() };
    let (plain, again) = (Module::new(plain).to_string(), Module::new(again).to_string());
    let (mut plain, again) = (in_bits(&plain), in_bits(&again));
    for (one, other) in module.variables.iter().zip(parsed.module().variables) {
        // The length of an array may follow from its value.
        if let (Some(Extent::Incomplete), Some(Extent::Known(count))) =
            (one.ty.extent(0), other.ty.extent(0))
        {
            plain = plain
                .replace(&format!(" {} [ ] ", one.name), &format!(" {} [ {count} ] ", one.name));
        }
    }
    // Functions that are declared before their definition come in the order of their declarations.
    let sorted = |text: &str| {
        // The header would stand on the line of the first declaration.
        let text = text.replace(".address_size 64 ", ".address_size 64\n");
        let mut statements: Vec<String> = text.lines().map(|line| line.replace("} ", "")).collect();
        // Which of them need a declaration depends on that order; only these are compared in the IR.
        statements
            .retain(|line| !line.is_empty() && (!line.contains(".func") || line.contains('{')));
        statements.sort_unstable();
        statements
    };
    same("text that is emitted again", &sorted(&plain), &sorted(&again))?;
    modules(module, &parsed)
}

/// A text with the numbers of its initial values as bits: `-1` and `0xFFFF` may be the same value.
fn in_bits(text: &str) -> String {
    let (mut out, mut bits, mut is_value, mut is_negative) = (String::new(), 0, false, false);
    for piece in Lexer::new(text).filter(|piece| !piece.kind.is_trivia()) {
        let word = &text[piece.at.range()];
        if let Some(scalar) = word.strip_prefix('.').and_then(ScalarType::from_name) {
            bits = (scalar.bytes() * 8).min(64);
        }
        is_value = match word {
            "=" => true,
            ";" => false,
            _ => is_value,
        };
        if is_value && word == "-" {
            is_negative = true;
            continue;
        }
        match ir::body::integer(word).filter(|_| is_value && piece.kind == PieceKind::Number) {
            Some(number) => {
                let number = if is_negative { -number } else { number };
                let _ = write!(out, "{:#x}", number.rem_euclid(1 << bits));
            }
            None => out += word,
        }
        is_negative = false;
        out.push(if word == ";" { '\n' } else { ' ' });
    }
    out
}

fn same<T: PartialEq + Debug + ?Sized>(what: &str, one: &T, other: &T) -> Result<(), String> {
    if one == other {
        return Ok(());
    }
    Err(format!("{what}: emitted {one:#?}, read {other:#?}"))
}

fn modules(module: &ir::Module<'_>, parsed: &Parsed) -> Result<(), String> {
    let read = parsed.module();
    same("target", &module.target, &read.target)?;
    same("texture mode", &module.texture_mode, &read.texture_mode)?;
    let version = module.version.unwrap_or_else(|| lowest_version(module));
    same("version", &Some(version), &read.version)?;
    same("number of variables", &module.variables.len(), &read.variables.len())?;
    for (one, other) in module.variables.iter().zip(read.variables) {
        variables("module", one, other)?;
    }
    let names = |module: &ir::Module<'_>| -> BTreeSet<String> {
        module.functions.iter().map(|function| function.name.to_owned()).collect()
    };
    same("functions", &names(module), &names(read))?;
    for one in module.functions {
        let find = |other: &&&Function<'_>| other.name == one.name;
        let other = read.functions.iter().find(find).ok_or("a function is missing")?;
        functions(one, other).map_err(|differs| format!("`{}`: {differs}", one.name))?;
    }
    // The table above the totals contains the Rust types.
    let map = |module: &ir::Module<'_>| {
        let newest = ir::Module { release: read.release, ..*module };
        let map = Module::new(newest).memory_map().to_string();
        let (_, totals) = map.split_once("\n\n").unwrap_or_default();
        // Text does not contain the size of dynamic shared memory, which affects the width of the columns.
        let lines = totals.lines().filter(|line| !line.contains("dynamic shared memory"));
        lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    same("memory map", &map(module), &map(read))
}

/// As a method, it is for one lifetime alone.
fn lowest_version(module: &ir::Module<'_>) -> ptx::Version {
    module.lowest_version()
}

fn variables(of: &str, one: &Variable<'_>, other: &Variable<'_>) -> Result<(), String> {
    let facts = |variable: &Variable<'_>| {
        // Dynamic shared memory is an external array in text.
        let linkage = match variable.linkage {
            Linkage::Dynamic => Linkage::Extern,
            linkage => linkage,
        };
        let extents: Vec<_> =
            if variable.is_dynamic() { None } else { variable.bytes() }.into_iter().collect();
        (
            (variable.name.to_owned(), variable.space, linkage, variable.is_dynamic()),
            (extents, variable.alignment(), variable.managed, variable.unified),
            // Dynamic shared memory is bytes in text.
            variable.ty.family().map(|(count, _)| count).filter(|_| !variable.is_dynamic()),
            variable.ty.opaque().filter(|_| !variable.is_dynamic()),
        )
    };
    same(of, &facts(one), &facts(other))
}

fn params(
    of: &str,
    kind: FunctionKind,
    one: &[Param<'_>],
    other: &[Param<'_>],
) -> Result<(), String> {
    same(of, &one.len(), &other.len())?;
    for (one, other) in one.iter().zip(other) {
        variables(of, &one.variable, &other.variable)?;
        if kind == FunctionKind::Kernel {
            let pointer = |param: &Param<'_>| {
                param.pointer.map(|pointer| (pointer.space, pointer.alignment()))
            };
            same("what a parameter points to", &pointer(one), &pointer(other))?;
        }
    }
    Ok(())
}

fn functions(one: &Function<'_>, other: &Function<'_>) -> Result<(), String> {
    same(
        "kind",
        &(one.kind, one.linkage, one.unified),
        &(other.kind, other.linkage, other.unified),
    )?;
    params("parameter", one.kind, one.params, other.params)?;
    params("result", one.kind, one.returns, other.returns)?;
    // Values that a directive does not have are not compared.
    let directives = |function: &Function<'_>| -> Vec<(ir::DirectiveKind, Vec<u32>)> {
        let each = function.directives.iter();
        each.map(|it| (it.kind, it.values[..it.kind.arity()].to_vec())).collect()
    };
    same("directives", &directives(one), &directives(other))?;
    let names = |variables: &[&Variable<'_>]| -> BTreeSet<String> {
        variables.iter().map(|variable| variable.name.to_owned()).collect()
    };
    let words = |words: &[&str]| -> BTreeSet<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    };
    // The generator's bodies are verbatim, without the initial values of their declarations.
    match one.body {
        Some(body) if is_verbatim(body) && names(one.uses).is_subset(&names(other.uses)) => {}
        _ => same("uses", &names(one.uses), &names(other.uses))?,
    }
    // Only the text of a body shows which members of a family are named.
    let idle = |function: &Function<'_>| -> BTreeSet<String> {
        let idle = function.idle_shared.iter().filter(|variable| variable.ty.family().is_none());
        idle.map(|variable| variable.name.to_owned()).collect()
    };
    same("idle shared variables", &idle(one), &idle(other))?;
    same("special registers", &words(one.specials), &words(other.specials))?;
    match one.body {
        Some(body) if is_verbatim(body) && words(one.calls).is_subset(&words(other.calls)) => {}
        _ => same("calls", &words(one.calls), &words(other.calls))?,
    }
    let shared = |variables: &[&Variable<'_>]| -> BTreeSet<String> {
        let shared = variables.iter().filter(|variable| variable.space == Space::Shared);
        shared.map(|variable| variable.name.to_owned()).collect()
    };
    same("shared memory of callees", &shared(one.called_shared), &shared(other.called_shared))?;
    match (one.body, other.body) {
        (None, None) => Ok(()),
        (Some(_), None) | (None, Some(_)) => Err("one has no body".to_owned()),
        (Some(one), Some(other)) if is_verbatim(one) => {
            // One of them is unknown.
            let _ = other;
            Ok(())
        }
        (Some(one_body), Some(other_body)) => {
            same("locals", &one.locals.len(), &other.locals.len())?;
            for (one, other) in one.locals.iter().zip(other.locals) {
                variables("local", one, other)?;
            }
            bodies(one_body, other_body)
        }
    }
}

fn is_verbatim(body: Body<'_>) -> bool {
    body.statements().any(|statement| statement.kind() == StatementKind::Verbatim)
}

fn bodies(one: Body<'_>, other: Body<'_>) -> Result<(), String> {
    let (mut emitted, mut read) = (one.statements(), other.statements());
    loop {
        match (emitted.next(), read.next()) {
            (None, None) => return Ok(()),
            (Some(emitted), Some(read)) => {
                same("statement", &facts(one, &emitted), &facts(other, &read))?;
            }
            (emitted, read) => {
                let text = |statement: Option<Statement<'_>>| {
                    statement.map(|statement| statement.text().to_owned())
                };
                return same("statements", &text(emitted), &text(read));
            }
        }
    }
}

/// A number as written.
fn number(number: Number) -> String {
    match number {
        Number::Int { negative, magnitude } => {
            format!("{}{magnitude}", if negative { "-" } else { "" })
        }
        Number::Bits(bits) => format!("0x{bits:X}"),
        Number::F32(bits) => format!("0f{bits:08X}"),
        Number::F64(bits) => format!("0d{bits:016X}"),
    }
}

/// A statement: its kind, its tokens, and the row of its instruction.
type Facts = (StatementKind, Vec<(TokenKind, String)>, Option<String>);

fn facts(body: Body<'_>, statement: &Statement<'_>) -> Facts {
    let mut tokens: Vec<(TokenKind, String)> = Vec::new();
    for token in statement.tokens() {
        let text = match token.kind {
            TokenKind::Constant => number(body.constants()[token.constant]),
            TokenKind::Number => token.text.to_owned(),
            // In Rust, `2.32x128b` is one token after `::`.
            TokenKind::Modifier | TokenKind::Submodifier => {
                match tokens.last_mut() {
                    Some((TokenKind::Modifier, text)) => *text += token.text,
                    _ => tokens.push((TokenKind::Modifier, token.text.to_owned())),
                }
                continue;
            }
            kind => {
                tokens.push((kind, token.text.to_owned()));
                continue;
            }
        };
        // A negative number in Rust is a sign and a number in text.
        let digits = text.strip_prefix('-');
        tokens.extend(digits.map(|_| (TokenKind::Sign, "-".to_owned())));
        tokens.push((TokenKind::Number, digits.unwrap_or(&text).to_owned()));
    }
    let row = statement.instruction(&[]).map(|instruction| {
        format!(
            "{:?} {:?}",
            instruction.opcode,
            instruction.row.map(|row| (row.opcode, row.first_space))
        )
    });
    (statement.kind(), tokens, row)
}
