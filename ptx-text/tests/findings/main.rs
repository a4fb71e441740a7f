//! Kernels with all their findings in comments: the files of this folder.
//!
//! A program starts at `=== title`, with the directives of its kernel after `|`. The lines under
//! `=== declarations` are part of every module of the file, and those under `=== locals` of every kernel. `//!` lists
//! the findings in the line above: the code, the tokens, and the message; for an undeclared name, also the fix. `.version` and `.target` after `|` are
//! those of the module. In the files of `rust/`, `#` is a Rust constant of unknown value, and `.tensormap`, `.tile` and
//! small floats are types; findings about declarations come at the end.
//!
//! `UPDATE_EXPECT=1 cargo test -p ptx-text --test findings` writes the comments.

mod rust;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ptx_text::{Diagnostic, Parsed};

/// The version and the target of a module that does not specify them.
const VERSION: &str = ".version 8.7";
const TARGET: &str = ".target sm_90a";

/// A program of a file, or the lines shared by all of them.
#[derive(Default)]
struct Program<'t> {
    /// Its first line.
    head: &'t str,
    /// Its lines, without the findings.
    lines: Vec<&'t str>,
}

impl<'t> Program<'t> {
    fn all(text: &'t str) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for line in text.lines().map(str::trim_end) {
            if line.starts_with("=== ") {
                all.push(Self { head: line, lines: Vec::new() });
            } else if let Some(program) = all.last_mut()
                && !line.is_empty()
                && !line.trim_start().starts_with("//!")
            {
                program.lines.push(line);
            }
        }
        all
    }

    /// Whether it is a module rather than the body of a kernel.
    fn is_module(&self) -> bool {
        let starts =
            |line: &&str| [".entry", ".visible", ".func"].iter().any(|it| line.starts_with(it));
        self.lines.iter().any(starts)
    }

    /// The program with the findings below each of its lines.
    fn annotated(&self, declarations: &Self, locals: &Self, found: Found) -> String {
        let mut version = VERSION;
        let mut target = TARGET;
        let mut directives: Vec<&str> = Vec::new();
        for directive in self.head.split('|').skip(1).map(str::trim) {
            match directive {
                _ if directive.starts_with(".version") => version = directive,
                _ if directive.starts_with(".target") => target = directive,
                _ => directives.push(directive),
            }
        }
        let all = declarations.lines.join("\n");
        let mut before = format!("{version}\n{target}\n.address_size 64\n{all}\n");
        let is_module = self.is_module();
        if !is_module {
            let locals = locals.lines.join("\n");
            let _ =
                writeln!(before, ".visible .entry kernel() {} {{\n{locals}", directives.join(" "));
        }
        let text = before.clone() + &self.lines.join("\n") + if is_module { "\n" } else { "\n}\n" };
        let first = before.lines().count();
        let mut by_line: Vec<Vec<String>> = vec![Vec::new(); self.lines.len() + 1];
        for (line, found) in found(&text) {
            let place = line.and_then(|line| line.checked_sub(first));
            let place = place.filter(|line| *line < self.lines.len());
            by_line[place.unwrap_or(self.lines.len())].push(found);
        }
        let mut out = format!("{}\n", self.head);
        for (n, line) in self.lines.iter().map(Some).chain([None]).enumerate() {
            if let Some(line) = line {
                let _ = writeln!(out, "{line}");
            }
            for found in &by_line[n] {
                let _ = writeln!(out, "//! {found}");
            }
        }
        out
    }
}

/// What returns the findings of a module: the line of each, from 0, if it has one, and its text.
type Found = fn(&str) -> Vec<(Option<usize>, String)>;

/// The findings in a text.
fn in_text(text: &str) -> Vec<(Option<usize>, String)> {
    let parsed = Parsed::new(text);
    assert!(parsed.syntax().is_empty(), "{text}: {:#?}", parsed.syntax());
    let line = |found: &Diagnostic| text[..found.range.start].matches('\n').count();
    parsed.check().iter().map(|found| (Some(line(found)), shown(text, found))).collect()
}

/// A finding, with the text that it refers to.
fn shown(text: &str, found: &Diagnostic) -> String {
    let tokens = &text[found.range.clone()];
    let (code, mut message) = (found.code.unwrap_or("-"), found.message.replace('\n', " / "));
    // What to write in place of an undeclared name depends on what is declared.
    if let (Some("A101"), Some(fix)) = (found.code, &found.help) {
        let _ = write!(message, "; {fix}");
    }
    format!("{code} `{tokens}`: {message}")
}

/// Compares the findings in the programs of a file, or writes them.
fn file(path: &Path, found: Found) {
    let text = std::fs::read_to_string(path).expect("it was listed");
    let head: Vec<&str> = text.lines().take_while(|line| !line.starts_with("=== ")).collect();
    let mut out = head.join("\n") + "\n";
    let (mut declarations, mut locals) = (Program::default(), Program::default());
    for program in Program::all(&text) {
        let of_all = match program.head {
            "=== declarations" => &mut declarations,
            "=== locals" => &mut locals,
            _ => {
                out += &program.annotated(&declarations, &locals, found);
                out += "\n";
                continue;
            }
        };
        let _ = writeln!(out, "{}\n{}\n", program.head, program.lines.join("\n"));
        *of_all = program;
    }
    expect_test::expect_file![path].assert_eq(&(out.trim_end().to_owned() + "\n"));
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

macro_rules! files {
    ($($found:path, $folder:literal: $($name:ident)*;)*) => {
        /// Each file has its own test, so that a mutant only runs the tests that reach it.
        const FILES: &[(&str, &[&str])] = &[$(($folder, &[$(stringify!($name)),*])),*];

        $($(
            #[test]
            fn $name() {
                file(&folder($folder).join(concat!(stringify!($name), ".ptx")), $found);
            }
        )*)*
    };
}

files! {
    in_text, "tests/findings": accepted barrier_counts barriers block_barriers branches calls clusters computed copies
        first_phases formats joined memory named names needed numbers protocols returning surfaces together unwritten
        warpgroups words;
    rust::found, "tests/findings/rust": carried forms lives tiles waited warps_apart wherever;
}

#[test]
fn every_file_is_compared() {
    for (name, files) in FILES {
        let all = std::fs::read_dir(folder(name)).expect("there is a folder");
        let all = all.map(|entry| entry.expect("it can be read").file_name());
        let all = all.filter_map(|name| Some(name.to_str()?.strip_suffix(".ptx")?.to_owned()));
        let mut all: Vec<String> = all.collect();
        all.sort();
        assert_eq!(all, *files, "{name}");
    }
}
