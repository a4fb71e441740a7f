//! Programs annotated with the results of the analysis: `ptx-analysis/facts/`.
//!
//! A program starts at `=== title`, followed by its launch. `//=` lists the values of the registers
//! that an instruction writes, `//>` the locations that its operands certainly access, and `//!` the findings. The
//! results are also compared with the interpreter, so they are both as exact as written and correct.
//!
//! `UPDATE_EXPECT=1 cargo test -p ptx-analysis facts` writes the comments.

extern crate std;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;
use std::path::Path;

use ptx_interpreter::encode;
use ptx_isa::ir::body::Body;
use ptx_isa::sorted::SortedMap;

use super::case::{Case, Promise};
use super::checked::subjects;
use super::declared::{functions, module, symbols};
use super::subject::{Claimed, Subject};
use super::words::Words;
use super::{Seen, check_texts, declarations};
use crate::check::module::check_module;

/// A program in a file.
struct Program<'t> {
    /// Its title line.
    head: &'t str,
    /// Its lines, without annotations.
    lines: Vec<&'t str>,
}

impl<'t> Program<'t> {
    fn all(text: &'t str) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for line in text.lines() {
            if line.starts_with("=== ") {
                all.push(Self { head: line, lines: Vec::new() });
                continue;
            }
            let is_known = ["//>", "//!"].iter().any(|mark| line.trim_start().starts_with(mark));
            let line = line.split_once("//=").map_or(line, |(line, _)| line).trim();
            if let Some(program) = all.last_mut().filter(|_| !is_known && !line.is_empty()) {
                program.lines.push(line);
            }
        }
        all
    }

    /// Parses the launch: `block 8 1 1`, `block at most 128`, `block unknown`, `cluster 2`, `device`.
    fn case(&self) -> Case {
        let mut case = Case::plain(false);
        for part in self.head.split('|').skip(1) {
            let words: Vec<&str> = part.split_whitespace().collect();
            let number = |n: usize| words.get(n).and_then(|word| word.parse().ok());
            match words.as_slice() {
                ["device"] => case = Case::plain(true),
                ["block", "unknown"] => case.promise = Promise::None,
                ["block", "at", "most", _] => {
                    case.block = [number(3).expect("a number of threads"), 1, 1];
                    case.promise = Promise::Most;
                }
                ["block", ..] => case.block = [1, 2, 3].map(|n| number(n).expect("an extent")),
                ["cluster", "at", "most", _] => case.cluster = (2, Promise::Most),
                ["cluster", _] => case.cluster = (number(1).expect("blocks"), Promise::Required),
                other => panic!("{other:?} in {}", self.head),
            }
        }
        case
    }

    /// Returns the bodies of its functions; those after the first follow `--- name`.
    fn bodies(&self) -> Vec<String> {
        let bodies = self.lines.split(|line| line.starts_with("--- "));
        let text = |lines: &[&str]| {
            let statements = lines.iter().filter(|line| !line.starts_with("//"));
            let declares = lines.iter().any(|line| line.starts_with(".reg"));
            let declared = if declares { String::new() } else { declarations() };
            statements.fold(declared, |text, line| text + line + "\n")
        };
        bodies.map(text).collect()
    }

    /// Compares the results with the interpreter.
    fn check(&self) {
        if let Err(problem) = check_texts(&self.bodies(), &self.case(), &mut Seen::default()) {
            panic!("{}: {problem}", self.head);
        }
    }

    fn annotated(&self) -> String {
        let (texts, case) = (self.bodies(), self.case());
        let known = Known::of(&texts, &case);
        let mut out = format!("{}\n", self.head);
        let (mut function, mut node) = (0, 0);
        for line in &self.lines {
            let is_function = line.starts_with("--- ");
            if is_function || line.starts_with("//") {
                let _ = writeln!(out, "{line}");
                if is_function {
                    (function, node) = (function + 1, 0);
                }
                continue;
            }
            if line.starts_with('.') {
                let _ = writeln!(out, "    {line}");
                continue;
            }
            let at = (function, node);
            let label = line.ends_with(':');
            let line = if label { (*line).to_string() } else { format!("    {line}") };
            match known.values.get(&at) {
                Some(values) => {
                    let _ = writeln!(out, "{line:<47} //= {values}");
                }
                None => {
                    let _ = writeln!(out, "{line}");
                }
            }
            for (mark, notes) in [('>', &known.reaches), ('!', &known.findings)] {
                for note in notes.get(&at).into_iter().flatten() {
                    let _ = writeln!(out, "        //{mark} {note}");
                }
            }
            node += 1;
        }
        out + "\n"
    }
}

/// A function, and a node in it.
type At = (usize, usize);

/// The results for a program.
#[derive(Default)]
struct Known {
    values: SortedMap<At, String>,
    reaches: SortedMap<At, Vec<String>>,
    findings: SortedMap<At, Vec<String>>,
}

impl Known {
    fn of(texts: &[String], case: &Case) -> Self {
        let encoded: Vec<(String, Vec<u8>)> = texts.iter().map(|text| encode(text)).collect();
        let bodies: Vec<Body<'_>> =
            encoded.iter().map(|(text, table)| Body::new(text, table, &[])).collect();
        let directives = case.directives();
        let functions = functions(&bodies, &directives, case.is_device);
        let references: Vec<_> = functions.iter().collect();
        let module = module(&references);
        let mut symbols = symbols(&module);
        let subjects = subjects(&functions, &bodies, &mut symbols, case);
        let subjects = subjects.expect("it was checked");
        let mut known = Self::default();
        for (n, subject) in subjects.iter().enumerate() {
            known.note(n, subject);
        }
        for (site, violation) in check_module(&module) {
            let Some((n, statement)) = site.statement() else { continue };
            let note = violation.to_string().replace('\n', " / ");
            known.findings.entry((n, subjects[n].node_of(statement))).or_default().push(note);
        }
        known
    }

    fn note(&mut self, n: usize, subject: &Subject<'_>) {
        let words = Words { registers: &subject.registers(), storages: &subject.names };
        for (node, written) in subject.written() {
            let one = |(register, value): &(usize, _)| {
                format!("{} {}", words.register(*register), words.value(value))
            };
            let values = written.map_or_else(
                || "never".to_string(),
                |written| written.iter().map(one).collect::<Vec<String>>().join(", "),
            );
            self.values.insert((n, node), values);
        }
        for Claimed { node, storage, reach, .. } in subject.reaches() {
            let mut note = match subject.names.get(storage) {
                Some(name) => format!("{name}+{}", reach.offset),
                None => format!("block {}", reach.offset),
            };
            if let Some([x, y, z]) = reach.thread {
                let _ = write!(note, " by ({x}, {y}, {z})");
            }
            if let Some((label, round)) = reach.round {
                let _ = write!(note, " in round {round} of {}", subject.label(label));
            }
            let notes = self.reaches.entry((n, node)).or_default();
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
}

/// Compares, or updates, the annotations of the programs in a file.
fn file(path: &Path) {
    let text = std::fs::read_to_string(path).expect("it was listed");
    let head: String = text
        .lines()
        .take_while(|line| !line.starts_with("=== "))
        .fold(String::new(), |head, line| head + line + "\n");
    let mut all = String::new();
    for program in Program::all(&text) {
        let known = program.annotated();
        // The existing annotation was checked when it was written.
        if !text.contains(known.trim_end()) {
            program.check();
        }
        all += &known;
    }
    expect_test::expect_file![path].assert_eq(&(head + all.trim_end() + "\n"));
}

#[test]
fn values_and_places_are_as_exact_as_they_were() {
    crate::tests::golden::each_file("facts", file);
}
