//! Programs annotated with their findings and deferred checks:
//! `ptx-analysis/checked/`.
//!
//! A program starts at `=== title`; after `| known`, nothing is deferred. After a statement, `//!` lists
//! findings, `//?` deferred checks, and `//&` the requirements on declarations. If `| uses` follows the title,
//! `//=` lists the names that a body uses.
//!
//! `UPDATE_EXPECT=1 cargo test -p ptx-analysis programs` writes the comments.

extern crate std;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;
use std::path::Path;

use super::{Sample, is_head};

/// Returns a program with its annotations.
fn annotated(head: &str, lines: &[&str]) -> String {
    let conclusions = Sample::of(&lines.join("\n")).conclusions(!head.contains("| known"));
    let mut out = format!("{head}\n");
    let (mut notes, mut uses): (&[(usize, String)], &[String]) = (&[], &[]);
    let (mut statement, mut depth) = (0, 0_usize);
    for line in lines {
        if is_head(line) {
            let name = super::read_head(line.to_string().leak()).name;
            let conclusions = conclusions.get(name);
            notes = conclusions.map_or(&[], |conclusions| &conclusions.notes);
            uses = conclusions.map_or(&[], |conclusions| &conclusions.uses);
            (statement, depth) = (0, usize::from(!line.ends_with("declaration")));
            let _ = writeln!(out, "{line}");
            continue;
        }
        if depth == 0 || line.starts_with("//") {
            let _ = writeln!(out, "{line}");
            continue;
        }
        if *line == "}" {
            depth -= 1;
        }
        let indent = if depth == 0 || line.ends_with(':') { "" } else { "    " };
        let _ = writeln!(out, "{indent}{line}");
        if *line == "{" {
            depth += 1;
        }
        for (_, note) in notes.iter().filter(|(of, _)| *of == statement && depth > 0) {
            let _ = writeln!(out, "//{note}");
        }
        statement += 1;
        if depth == 0 && head.contains("| uses") {
            let _ = uses.iter().try_for_each(|line| writeln!(out, "//= {line}"));
        }
    }
    out + "\n"
}

fn file(path: &Path) {
    let text = std::fs::read_to_string(path).expect("it was listed");
    let is_known =
        |line: &str| ["//!", "//?", "//&", "//="].iter().any(|mark| line.starts_with(mark));
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_known(line));
    let mut programs: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines {
        if line.starts_with("=== ") || programs.is_empty() {
            programs.push((line, Vec::new()));
        } else if let Some((_, body)) = programs.last_mut() {
            body.push(line);
        }
    }
    let all = programs.iter().enumerate().map(|(n, (head, lines))| match n {
        // The description of the file.
        0 if !head.starts_with("=== ") => format!("{head}\n\n"),
        _ => annotated(head, lines),
    });
    let all: String = all.collect();
    expect_test::expect_file![path].assert_eq(&(all.trim_end().to_string() + "\n"));
}

#[test]
fn deferred_checks_and_findings_are_unchanged() {
    crate::tests::golden::each_file("checked", file);
}
