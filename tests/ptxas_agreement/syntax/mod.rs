//! The grammar, statement by statement: the reader refuses exactly the statements that ptxas cannot parse.
//!
//! Each line of `statements.txt` is put into a body, each line of `module.txt` into a module. If the two differ,
//! the line starts with a sign: `~` if only the reader accepts it, `!` if only ptxas does. Of the modules of
//! `ptx-text/tests/declarations`, the rules refuse exactly those that ptxas does.

use ptx::Target;
use ptx::ptxas::Ptxas;
use ptx::text::{Kind, Parsed};

/// The expected result of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    /// Both agree.
    Agreement,
    /// Only the reader accepts it.
    Taken,
    /// Only the reader refuses it.
    Refused,
}

#[test]
fn invalid_statements_are_refused() {
    let oracles = xtask::oracles();
    let Some(ptxas) = oracles.first() else { return };
    let mut wrong = Vec::new();
    for line in include_str!("module.txt").lines() {
        let text = |line: &str| format!("{HEADER}.global .align 16 .b32 g[16];\n{line}\n");
        judge(ptxas, line, text, &mut wrong);
    }
    for line in include_str!("statements.txt").lines() {
        let text = |line: &str| format!("{HEADER}{DECLARED}{line}\nret;\n}}\n");
        judge(ptxas, line, text, &mut wrong);
    }
    let declarations = include_str!("../../../ptx-text/tests/declarations/cases.txt");
    for line in declarations.lines().filter(|line| !line.starts_with([' ', '#'])) {
        let header = if line.contains(".version") { "" } else { HEADER };
        let text = format!("{header}{line}\n");
        let is_seen = |kind: Kind| matches!(kind, Kind::Syntax | Kind::Refused);
        let is_refused = Parsed::new(text.as_str()).check().iter().any(|it| is_seen(it.kind));
        let message = ptxas.assemble_text_with(&text, Target::Sm90, &["--compile-only"]).err();
        if message.is_some() != is_refused {
            wrong.push(format!("{line}\n    ptxas: {message:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} lines differ:\n{}", wrong.len(), wrong.join("\n"));
}

const HEADER: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// The names that the statements use.
const DECLARED: &str = ".global .align 16 .b32 g[16];
.global .texref t;
.func f { ret; }
.visible .entry k()
{
.reg .b32 %r<8>; .reg .b64 %d<8>; .reg .pred %p<8>; .reg .f32 %f<8>;
L:
";

fn judge(ptxas: &Ptxas, line: &str, text: impl Fn(&str) -> String, wrong: &mut Vec<String>) {
    let (expected, line) = match line.split_at_checked(2) {
        Some(("~ ", line)) => (Expected::Taken, line),
        Some(("! ", line)) => (Expected::Refused, line),
        _ => (Expected::Agreement, line),
    };
    let text = text(line);
    let parsed = Parsed::new(text.as_str());
    let errors = parsed.check();
    let is_seen = |kind| matches!(kind, Kind::Syntax | Kind::Refused);
    let has = |is_wanted: &dyn Fn(Kind) -> bool| errors.iter().any(|found| is_wanted(found.kind));
    let message = ptxas.assemble_text_with(&text, Target::Sm90, &["--compile-only"]);
    let message = message.map_or_else(|error| error.to_string(), |_| String::new());
    let found = if message.contains("Parsing error") && !has(&is_seen) {
        Expected::Taken
    } else if message.is_empty() && has(&|kind| kind == Kind::Syntax) {
        Expected::Refused
    } else {
        Expected::Agreement
    };
    if found != expected {
        let ours = errors.first().map(ToString::to_string).unwrap_or_default();
        wrong.push(format!(
            "{line}: {found:?}, expected {expected:?}\n    reader: {ours}\n    ptxas: {}",
            message.lines().nth(1).unwrap_or_default()
        ));
    }
}
