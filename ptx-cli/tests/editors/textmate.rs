//! The grammar of PTX for `TextMate`, which VS Code and others read.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Serialize;

use crate::words;

#[derive(Serialize)]
struct Grammar {
    #[serde(rename = "$schema")]
    schema: &'static str,
    comment: &'static str,
    name: &'static str,
    #[serde(rename = "scopeName")]
    scope_name: &'static str,
    #[serde(rename = "fileTypes")]
    file_types: [&'static str; 1],
    patterns: Vec<Rule>,
    repository: BTreeMap<&'static str, Rule>,
}

/// A rule: a match, a region, or a list of rules.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    #[serde(skip_serializing_if = "String::is_empty")]
    include: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    r#match: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    captures: Captures,
    #[serde(skip_serializing_if = "String::is_empty")]
    begin: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    begin_captures: Captures,
    #[serde(skip_serializing_if = "String::is_empty")]
    end: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    end_captures: Captures,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    patterns: Vec<Self>,
}

type Captures = BTreeMap<u8, Rule>;

/// Before an identifier: nothing that it would continue.
const BEFORE: &str = r"(?<![\w$%.])";
/// After a word: nothing that would continue it.
const AFTER: &str = r"(?![\w$])";
const IDENTIFIER: &str = r"(?:[A-Za-z][\w$]*|[_$%][\w$]+)";

fn scope(name: &str) -> String {
    format!("{name}.ptx")
}

fn matched(name: &str, pattern: impl Into<String>) -> Rule {
    Rule { name: scope(name), r#match: pattern.into(), ..Rule::default() }
}

/// A match of which only the groups have names.
fn grouped(pattern: impl Into<String>, names: &[&str]) -> Rule {
    Rule { r#match: pattern.into(), captures: captures(names), ..Rule::default() }
}

fn captures(names: &[&str]) -> Captures {
    (1..).zip(names).map(|(n, name)| (n, Rule { name: scope(name), ..Rule::default() })).collect()
}

fn region(begin: impl Into<String>, end: impl Into<String>, patterns: Vec<Rule>) -> Rule {
    Rule { begin: begin.into(), end: end.into(), patterns, ..Rule::default() }
}

fn all(names: &[&str]) -> Vec<Rule> {
    names.iter().map(|name| Rule { include: format!("#{name}"), ..Rule::default() }).collect()
}

fn list(patterns: Vec<Rule>) -> Rule {
    Rule { patterns, ..Rule::default() }
}

/// A group of alternatives.
fn any(words: impl IntoIterator<Item = impl Display>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
    format!("(?:{})", words.join("|"))
}

/// The file.
pub(crate) fn grammar() -> String {
    let grammar = Grammar {
        schema: "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        comment: "Written by `UPDATE_EXPECT=1 cargo test -p ptx-cli --test editors` from the tables of ptx-isa.",
        name: "PTX",
        scope_name: "source.ptx",
        file_types: ["ptx"],
        patterns: all(&["body"]),
        repository: repository(),
    };
    serde_json::to_string_pretty(&grammar).expect("it has only strings as keys") + "\n"
}

fn repository() -> BTreeMap<&'static str, Rule> {
    BTreeMap::from([
        (
            "body",
            list(all(&[
                "trivia",
                "section",
                "target",
                "function",
                "label",
                "guard",
                "instruction",
                "block",
                "directive",
                "type",
                "operand",
            ])),
        ),
        ("operand", list(all(&["trivia", "string", "register", "number", "word", "sign"]))),
        ("trivia", list(trivia())),
        (
            "string",
            Rule { name: scope("string.quoted.double"), ..region("\"", "\"|$", Vec::new()) },
        ),
        ("section", section()),
        ("target", target()),
        ("function", function()),
        (
            "label",
            grouped(
                format!("{BEFORE}({IDENTIFIER})\\s*(:)(?!:)"),
                &["entity.name.label", "punctuation.separator.label"],
            ),
        ),
        (
            "guard",
            Rule {
                name: scope("meta.guard"),
                ..grouped(
                    r"(@)\s*(!)?\s*(%?[\w$]+)",
                    &[
                        "keyword.operator.guard",
                        "keyword.operator.negation",
                        "variable.other.register",
                    ],
                )
            },
        ),
        ("instruction", instruction()),
        ("block", braces("body", "meta.block")),
        // The registers of a vector, in an instruction.
        ("vector", braces("operand", "meta.vector")),
        (
            "directive",
            matched("keyword.control.directive", format!("\\.{}{AFTER}", any(words::directives()))),
        ),
        ("register", list(registers())),
        ("number", list(numbers())),
        (
            "word",
            list(vec![
                matched("variable.language.sink", format!("{BEFORE}_{AFTER}")),
                matched("constant.language", format!("{BEFORE}WARP_SZ{AFTER}")),
            ]),
        ),
        ("type", list(types())),
        ("modifier", list(modifiers())),
        (
            "sign",
            list(vec![
                matched("punctuation.terminator", ";"),
                matched("punctuation.separator", ","),
                matched("punctuation.section.brackets", r"[\[\]]"),
                matched("punctuation.section.parens", "[()]"),
                matched("keyword.operator", r"[-+*/%&|^~!<>=?]+"),
            ]),
        ),
    ])
}

fn trivia() -> Vec<Rule> {
    vec![
        matched("comment.line.double-slash", "//.*$"),
        Rule { name: scope("comment.block"), ..region(r"/\*", r"\*/", Vec::new()) },
        Rule {
            name: scope("meta.preprocessor"),
            ..grouped(
                "^\\s*(#(?:\\s*line)?)\\s+(\\d+)\\s+(\"[^\"]*\").*$",
                &["keyword.control.directive", "constant.numeric", "string.quoted.double"],
            )
        },
    ]
}

/// `.section .debug_info { .b8 1 }`.
fn section() -> Rule {
    Rule {
        name: scope("meta.section"),
        begin_captures: captures(&["keyword.control.directive", "entity.name.section"]),
        ..region(r"(\.section)\s+(\.?[\w$.]+)", r"(?<=\})|(?=;)", all(&["trivia", "block"]))
    }
}

/// `.target sm_90a, debug`.
fn target() -> Rule {
    let name = format!("{BEFORE}[A-Za-z][\\w$]*");
    let mut patterns = all(&["trivia"]);
    patterns.push(matched("support.constant.target", name));
    patterns.push(matched("punctuation.separator", ","));
    Rule {
        begin_captures: captures(&["keyword.control.directive"]),
        ..region(format!("(\\.target){AFTER}"), r"$|(?=[.;{}])", patterns)
    }
}

/// `.entry name ( .. )` and `.func ( .. ) name ( .. )` up to the body.
fn function() -> Rule {
    let parentheses = Rule {
        name: scope("meta.parameters"),
        begin_captures: whole("punctuation.section.parens"),
        end_captures: whole("punctuation.section.parens"),
        ..region(r"\(", r"\)|(?=[{}])", all(&["directive", "type", "operand"]))
    };
    let mut patterns = all(&["trivia"]);
    patterns.push(parentheses);
    patterns.extend(all(&["directive", "type", "number"]));
    patterns.push(matched("entity.name.function", format!("{BEFORE}{IDENTIFIER}")));
    patterns.extend(all(&["sign"]));
    Rule {
        name: scope("meta.function"),
        begin_captures: captures(&["keyword.control.directive"]),
        ..region(format!("(\\.(?:entry|func)){AFTER}"), "(?=[;{}])", patterns)
    }
}

/// From an opcode to the semicolon; where that is missing, to the end of the block or the next statement.
fn instruction() -> Rule {
    let opcodes = any(words::opcodes());
    let (directives, spaces) = (any(words::directives()), any(words::spaces()));
    let next = [
        r"\}".to_owned(),
        r"^\s*@".to_owned(),
        format!(r"^\s*\.(?:reg|{directives}){AFTER}"),
        format!(r"^\s*\.{spaces}\s+\."),
        format!(r"^\s*{opcodes}[.;\s]"),
        format!(r"^\s*{IDENTIFIER}\s*:(?!:)"),
    ];
    let next = format!("(?={})", next.join("|"));
    // Only what follows an opcode is a modifier: a field of a place in a `ptx!` body may have the name of one.
    let mut begin_captures = captures(&["keyword.other.opcode"]);
    begin_captures.insert(2, list(all(&["modifier"])));
    Rule {
        name: scope("meta.instruction"),
        begin_captures,
        end_captures: captures(&["punctuation.terminator"]),
        ..region(
            format!(r"{BEFORE}({opcodes}){AFTER}((?:\s*(?:\.|::)\w+)*)"),
            format!("(;)|{next}"),
            all(&["trivia", "vector", "operand"]),
        )
    }
}

fn braces(inside: &str, name: &str) -> Rule {
    Rule {
        name: scope(name),
        begin_captures: whole("punctuation.section.braces"),
        end_captures: whole("punctuation.section.braces"),
        ..region(r"\{", r"\}", all(&[inside]))
    }
}

/// What a delimiter is as a whole.
fn whole(name: &str) -> Captures {
    Captures::from([(0, Rule { name: scope(name), ..Rule::default() })])
}

fn registers() -> Vec<Rule> {
    let special = any(words::special_registers());
    vec![
        matched(
            "variable.language.special-register",
            format!("%{special}{AFTER}(?:\\.[xyzw]{AFTER})?"),
        ),
        matched(
            "variable.other.register",
            r"%[\w$]+(?:\.(?:[xyzwrgba]|b[0-7]+|h[0-3]+)(?![\w$]))?",
        ),
    ]
}

/// PTX ISA 4.5.
fn numbers() -> Vec<Rule> {
    let number = |name: &str, pattern: &str| {
        matched(&format!("constant.numeric.{name}"), format!("{BEFORE}{pattern}{AFTER}"))
    };
    vec![
        number("float.single", "0[fF][0-9A-Fa-f]{8}"),
        number("float.double", "0[dD][0-9A-Fa-f]{16}"),
        number("hex", "0[xX][0-9A-Fa-f]+U?"),
        number("binary", "0[bB][01]+U?"),
        number(
            "float.decimal",
            r"(?:\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\.\d+(?:[eE][-+]?\d+)?)",
        ),
        number("octal", "0[0-7]+U?"),
        number("decimal", "(?:0|[1-9][0-9]*)U?"),
        matched("invalid.illegal.number", format!("{BEFORE}\\d[\\w$]*")),
    ]
}

fn types() -> Vec<Rule> {
    vec![
        matched("support.type", format!("\\.{}{AFTER}", any(words::types()))),
        matched("storage.modifier.space", format!("(?:\\.|::){}{AFTER}", any(words::spaces()))),
        matched("entity.name.section", r"\.debug_\w+"),
    ]
}

/// What follows an opcode, types and state spaces included.
fn modifiers() -> Vec<Rule> {
    let modifier =
        |pattern: String| matched("entity.other.attribute-name.modifier", pattern + AFTER);
    let mut rules = all(&["type"]);
    rules.extend([
        modifier(format!("\\.{}", any(words::modifiers()))),
        modifier(format!("::{}", any(words::submodifiers()))),
        // Shapes: `.m16n8k16`, `.32x32b`; selectors: `.h10`; and what ptxas has for itself: `._ldldu`.
        modifier(r"\.(?:m\d+n\d+(?:k\d+)?|\d+x\w*|h\d\d|_\w+)".to_owned()),
    ]);
    rules
}
