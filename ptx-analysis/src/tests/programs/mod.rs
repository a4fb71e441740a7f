//! `check` finds the same in the IR of the front end's test programs as the front end itself:
//! the same rules, at the same tokens, and nothing else.
//!
//! The programs in `findings/` have the same form, and `UPDATE_EXPECT=1 cargo test -p ptx-analysis programs` writes
//! their findings. There, `#` is an unknown Rust constant, and `.tensormap` and `.tile` are types.

extern crate std;

mod declared;
mod text;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::path::Path;

use crate::check::module::{Known, check};
use crate::findings::finding::Problem;
use crate::flow::place::Place;
use declared::read;

/// The default version and target of a module.
const VERSION: &str = ".version 8.7";
const TARGET: &str = ".target sm_90a";

/// A finding: its line, and the code, the tokens and the message; without a line and tokens for a
/// declaration.
type Found = (Option<usize>, String);

/// Splits a file into programs: their first lines, and their other lines.
fn programs(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if line.starts_with("=== ") {
            all.push((line, Vec::new()));
        } else if let Some((_, lines)) = all.last_mut().filter(|_| !line.is_empty()) {
            lines.push(line);
        }
    }
    all
}

/// Returns the module of a program as text, with the number of the program's first line in it.
fn module(head: &str, lines: &[&str], declarations: &[&str], locals: &[&str]) -> (String, usize) {
    let (mut version, mut target) = (VERSION, TARGET);
    let mut directives = Vec::new();
    for directive in head.split('|').skip(1).map(str::trim) {
        match directive {
            _ if directive.starts_with(".version") => version = directive,
            _ if directive.starts_with(".target") => target = directive,
            _ => directives.push(directive),
        }
    }
    let mut text = format!("{version}\n{target}\n{}\n", declarations.join("\n"));
    let starts =
        |line: &&str| [".entry", ".visible", ".func"].iter().any(|it| line.starts_with(it));
    let is_module = lines.iter().any(starts);
    if !is_module {
        let directives = directives.join(" ");
        text +=
            &[".visible .entry kernel() ", &directives, " {\n", &locals.join("\n"), "\n"].concat();
    }
    let first = text.lines().count();
    text += &lines.join("\n");
    text += if is_module { "\n" } else { "\n}\n" };
    (text, first)
}

/// A module without the lines of its statements.
struct NoLines;

impl<'a> Known<'a> for NoLines {
    fn line(&self, _: usize, _: Place) -> Option<u32> {
        None
    }
}

/// Returns the findings in a module: the line, and the text.
fn found(text: &str) -> Vec<Found> {
    let read = read(text);
    let report = check(&read.module, &NoLines);
    let finding = |problem: &Problem<'_>, body: Option<(usize, Place)>| {
        let (code, message) = match problem {
            Problem::Rule(broken) | Problem::UnknownInstruction(broken) => {
                let message = broken.violation().in_ptx().message().as_str().to_string();
                (broken.rule.code, message.replace('\n', " / "))
            }
            Problem::Undeclared(_)
            | Problem::Hidden { .. }
            | Problem::Misplaced(_)
            | Problem::SideBySide
            | Problem::Unneeded(_) => ("-", String::new()),
        };
        let Some((function, place)) = body else { return (None, format!("{code}: {message}")) };
        let function = read.module.functions[function];
        let lines = read.lines.iter().find(|(name, _)| *name == function.name);
        let line = lines.map(|(_, lines)| lines[place.statement]);
        let body = function.body.expect("something is found in it");
        let statement = body.statements().nth(place.statement).expect("it has as many");
        let of = |n: usize| statement.tokens().nth(n).expect("it has as many");
        let (first, last) = (of(place.tokens.first), of(place.tokens.last));
        let tokens = &statement.text()[first.offset..last.offset + last.text.len()];
        (line, format!("{code} `{tokens}`: {message}"))
    };
    report.findings.iter().map(|it| finding(&it.problem, it.body())).collect()
}

/// Compares the findings in a program with its annotations.
fn compare(
    head: &str,
    lines: &[&str],
    declarations: &[&str],
    locals: &[&str],
) -> Result<(), String> {
    let (text, first) = module(head, lines, declarations, locals);
    let mut expected: Vec<Found> = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        if let Some(comment) = line.strip_prefix("//! ") {
            let of = lines[..n].iter().rposition(|line| !line.starts_with("//!"));
            expected.push((of.map(|of| of + first), comment.to_string()));
        }
    }
    let (mut missing, mut others) = (expected, Vec::new());
    for (line, comment) in found(&text) {
        let is_it = |(of, expected): &Found| {
            let (code, message) = comment.split_once(':').unwrap_or_default();
            match line {
                _ if code.starts_with('-') => expected.starts_with(code),
                Some(_) => *of == line && *expected == comment,
                None => expected.starts_with(code) && expected.ends_with(message),
            }
        };
        match missing.iter().position(is_it) {
            Some(n) => drop(missing.remove(n)),
            None => others.push((line, comment)),
        }
    }
    if missing.is_empty() && others.is_empty() {
        return Ok(());
    }
    Err(format!("{head}\nmissing: {missing:#?}\nfound: {others:#?}\n{text}"))
}

/// Compares the findings in the programs of a file of the front end.
fn file(path: &Path) {
    let text = std::fs::read_to_string(path).expect("it was listed");
    let (mut declarations, mut locals) = (Vec::new(), Vec::new());
    let mut problems = Vec::new();
    for (head, lines) in programs(&text) {
        match head {
            "=== declarations" => declarations = lines,
            "=== locals" => locals = lines,
            _ => problems.extend(compare(head, &lines, &declarations, &locals).err()),
        }
    }
    assert!(problems.is_empty(), "{}: {}\n{}", path.display(), problems.len(), problems.join("\n"));
}

/// Returns a program with its findings; those about declarations come at the end.
fn annotated(head: &str, lines: &[&str], declarations: &[&str], locals: &[&str]) -> String {
    let lines: Vec<&str> = lines.iter().copied().filter(|line| !line.starts_with("//!")).collect();
    let (text, first) = module(head, &lines, declarations, locals);
    let found = found(&text);
    let mut out = head.to_string() + "\n";
    for (n, line) in lines.iter().map(Some).chain([None]).enumerate() {
        out.extend(line.into_iter().flat_map(|line| [line, "\n"]));
        let of = line.map(|_| n + first);
        let here = found.iter().filter(|(line, _)| *line == of);
        out.extend(here.flat_map(|(_, comment)| ["//! ", comment, "\n"]));
    }
    out
}

/// Compares, or updates, the findings in the programs of a file of the analysis.
fn own_file(path: &Path) {
    let text = std::fs::read_to_string(path).expect("it was listed");
    let head: Vec<&str> = text.lines().take_while(|line| !line.starts_with("=== ")).collect();
    let mut out = head.join("\n") + "\n";
    let (mut declarations, mut locals) = (Vec::new(), Vec::new());
    for (head, lines) in programs(&text) {
        let of_all = match head {
            "=== declarations" => &mut declarations,
            "=== locals" => &mut locals,
            _ => {
                out += &(annotated(head, &lines, &declarations, &locals) + "\n");
                continue;
            }
        };
        out += &[head, "\n", &lines.join("\n"), "\n\n"].concat();
        *of_all = lines;
    }
    expect_test::expect_file![path].assert_eq(&(out.trim_end().to_string() + "\n"));
}

macro_rules! files {
    ($($file:ident $folder:literal: $($name:ident)*;)*) => {
        /// Each file has its own test, so that a mutant only runs the tests that reach it.
        const FILES: &[(&str, &[&str])] = &[$(($folder, &[$(stringify!($name)),*])),*];

        $($(
            #[test]
            fn $name() {
                $file(&folder($folder).join(concat!(stringify!($name), ".ptx")));
            }
        )*)*
    };
}

files! {
    file "../ptx-frontend/tests/findings": accepted barrier_counts barriers block_barriers branches calls clusters computed copies
        first_phases formats joined memory named names needed numbers protocols returning surfaces together unwritten warpgroups words;
    own_file "findings": carried forms lives tiles waited warps_apart wherever;
}

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

#[test]
fn every_file_is_compared() {
    for (name, files) in FILES {
        let all = std::fs::read_dir(folder(name)).expect("there is a folder");
        let all = all.map(|entry| entry.expect("it can be read").file_name());
        let all = all.filter_map(|name| Some(name.to_str()?.strip_suffix(".ptx")?.to_string()));
        let mut all: Vec<String> = all.collect();
        all.sort();
        assert_eq!(all, *files, "{name}");
    }
}
