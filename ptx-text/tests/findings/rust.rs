//! What only Rust has: constants of unknown value, `#`, and the types of [`TYPES`]. In their place the text has a number
//! and bits, and they are put into the IR that is read from it.

use std::collections::BTreeMap;

use ptx_analysis::{Finding, Known, Problem, check};
use ptx_isa::ir::body::{Encoder, StatementKind, TokenKind};
use ptx_isa::ir::{Body, Function, Module, Struct, StructKind, Type, Variable};
use ptx_isa::tensor::{ElementType, Spec};
use ptx_isa::{Number, ScalarType};
use ptx_text::Parsed;

/// A tensor map and its tile: 8 rows of 64 bytes.
static SPEC: Spec = Spec::tiled_unchecked(ElementType::F16, 2, [32, 8, 1, 1, 1]);

const fn structure(kind: StructKind<'static>, size: usize, align: usize) -> Type<'static> {
    Type::Struct(Struct { name: "Struct", size, align, fields: &[], kind })
}

/// The types that only Rust declares: the word, the one that the text has instead, and the type.
static TYPES: [(&str, &str, Type<'static>); 6] = [
    (".e4m3 ", ".b8 ", Type::Scalar(ScalarType::E4m3)),
    (".e5m2 ", ".b8 ", Type::Scalar(ScalarType::E5m2)),
    (".ue8m0x2 ", ".b16 ", Type::Scalar(ScalarType::Ue8m0x2)),
    (".bf16 ", ".b16 ", Type::Scalar(ScalarType::Bf16)),
    (".tensormap ", ".b8 ", structure(StructKind::TensorMap(&SPEC), 128, 64)),
    (
        ".tile ",
        ".b8 ",
        structure(StructKind::Tile(&SPEC), SPEC.tile_bytes(), SPEC.tile_alignment()),
    ),
];

/// The number in the place of a constant.
const CONSTANT: &str = "24301";

/// Leaks a value, so that it lives as long as the tests.
fn kept<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// The Rust type that a line declares something with.
fn rust_type(line: &str) -> Option<&'static (&'static str, &'static str, Type<'static>)> {
    TYPES.iter().find(|(word, ..)| line.starts_with('.') && line.contains(word))
}

/// Returns a variable with the type that the text declares it with.
fn with_type(text: &str, variable: &Variable<'static>) -> &'static Variable<'static> {
    let names = |line: &&str| line.split([' ', '[', ';']).any(|name| name == variable.name);
    let line = text.lines().find(names).unwrap_or_default();
    let Some((.., ty)) = rust_type(line) else { return kept(*variable) };
    let ty = match variable.ty {
        Type::Array(extent, _) => kept(Type::Array(*extent, ty)),
        Type::Scalar(_) => ty,
        other => panic!("{line}: {other:?}"),
    };
    kept(Variable { ty, ..*variable })
}

/// Returns a body with the constants.
fn with_constants(body: Body<'static>) -> Body<'static> {
    let (mut encoder, mut constants) = (Encoder::default(), Vec::new());
    for statement in body.statements() {
        let mut end = 0;
        for token in statement.tokens() {
            encoder.space(u8::try_from(token.offset - end).expect("few spaces"));
            end = token.offset + token.text.len();
            match token.text {
                CONSTANT => {
                    constants.push(Number::Bits(0));
                    encoder.token(TokenKind::Constant, "#");
                }
                text => encoder.token(token.kind, text),
            }
        }
        encoder.end(statement.kind(), []);
    }
    let (text, table) = kept(encoder.finish());
    Body::new(text, table, kept(constants))
}

/// The findings of a program: the line, from 0, unless it is a declaration's, and the text.
pub(super) fn found(text: &str) -> Vec<(Option<usize>, String)> {
    let plain = text.lines().map(|line| {
        let ty = rust_type(line).map(|(word, bits, _)| line.replacen(word, bits, 1));
        ty.unwrap_or_else(|| line.replace('#', CONSTANT)) + "\n"
    });
    let parsed: &'static Parsed = kept(Parsed::new(plain.collect::<String>()));
    let module: &'static Module<'static> = parsed.module();
    let variables: Vec<_> = module.variables.iter().map(|it| with_type(text, it)).collect();
    let functions = module.functions.iter().map(|function| {
        let body = function.body.map(with_constants);
        kept(Function { body, ..**function }) as &_
    });
    let functions: Vec<_> = functions.collect();
    let module = Module { variables: &variables, functions: &functions, source: None, ..*module };
    check(&module, &NothingElse)
        .findings
        .iter()
        .map(|finding| shown(text, &module, finding))
        .collect()
}

/// Nothing is known besides the IR.
struct NothingElse;

impl Known<'_> for NothingElse {}

fn shown(text: &str, module: &Module<'_>, finding: &Finding<'_>) -> (Option<usize>, String) {
    let (code, message) = match &finding.problem {
        Problem::Rule(violation) | Problem::UnknownInstruction(violation) => {
            let message = violation.in_ptx().message().as_str().to_string();
            (violation.rule.code, message.replace('\n', " / "))
        }
        Problem::Undeclared(_)
        | Problem::Hidden { .. }
        | Problem::Ambiguous(_)
        | Problem::SideBySide
        | Problem::Unneeded(_)
        | Problem::NotFollowed(_) => ("-", String::new()),
    };
    let Some((index, place)) = finding.body() else { return (None, format!("{code}: {message}")) };
    let body = module.functions[index].body.expect("something is found in it");
    let statement = body.statements().nth(place.statement).expect("it has as many");
    let of = |n: usize| statement.tokens().nth(n).expect("it has as many");
    let (first, last) = (of(place.tokens.first), of(place.tokens.last));
    let tokens = &statement.text()[first.offset..last.offset + last.text.len()];
    let line = lines(text, module)[&(index, place.statement)];
    (Some(line), format!("{code} `{tokens}`: {message}"))
}

/// The line of each statement of each function. Nothing but white space stands between statements.
fn lines(text: &str, module: &Module<'_>) -> BTreeMap<(usize, usize), usize> {
    let (mut at, mut lines) = (0, BTreeMap::new());
    let behind = |at: usize, end: &str| at + text[at..].find(end).expect("it ends") + end.len();
    for (index, function) in module.functions.iter().enumerate() {
        let Some(body) = function.body else { continue };
        at = behind(behind(at, function.name), "{");
        for (n, statement) in body.statements().enumerate() {
            at = text.len() - text[at..].trim_start().len();
            lines.insert((index, n), text[..at].matches('\n').count());
            let end = match statement.kind() {
                StatementKind::Label => ":",
                StatementKind::Open => "{",
                StatementKind::Close => "}",
                StatementKind::Instruction
                | StatementKind::Declaration
                | StatementKind::Directive
                | StatementKind::Verbatim => ";",
            };
            at = behind(at, end);
        }
    }
    lines
}
