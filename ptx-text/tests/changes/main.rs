//! Correct modules with one change at a time: each line left out, each two lines swapped, and each number incremented
//! or halved. The files of this folder list the findings below each change; changes without findings, and those after
//! which the text is no longer PTX, are not listed.
//!
//! `UPDATE_EXPECT=1 cargo test -p ptx-text --test changes -- --include-ignored` writes the files.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use expect_test::expect_file;
use ptx_text::Parsed;

/// The modules, from the repository's root, the shortest first.
const MODULES: &[&str] = &[
    "tests/ptxas_agreement/broken/seeds/textures.ptx",
    "tests/import/linked.ptx",
    "tests/by_hand/saxpy.ptx",
    "tests/ptxas_agreement/broken/seeds/variables.ptx",
    "tests/import/hand.ptx",
    "examples/import.ptx",
    "tests/ptxas_agreement/broken/seeds/functions.ptx",
    "tests/ptxas_agreement/broken/seeds/header.ptx",
    "tests/by_hand/transpose.ptx",
    "tests/by_hand/cluster.ptx",
    "tests/by_hand/quickstart.ptx",
    "tests/import/triton.ptx",
];

/// The longest modules, whose changes take most of the time: `.ci/nightly` reads them.
const LONG: &[&str] = &[
    "tests/by_hand/fp8.ptx",
    "tests/by_hand/ring.ptx",
    "tests/by_hand/softmax.ptx",
    "tests/import/blur.ptx",
];

/// The changed texts, each with a description of the change.
fn changes(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        let is_statement = |line: &str| line.trim_end().ends_with([';', ':']);
        if !is_statement(line) {
            continue;
        }
        let at = format!("{}: `{}`", n + 1, line.trim());
        let with = |changed: &[&str]| {
            let (before, after) = (&lines[..n], &lines[n + 1..]);
            [before, changed, after].concat().join("\n") + "\n"
        };
        all.push((format!("{at} left out"), with(&[])));
        if let Some(next) = lines.get(n + 1)
            && is_statement(next)
        {
            let mut swapped = lines.clone();
            swapped.swap(n, n + 1);
            all.push((format!("{at} behind the next line"), swapped.join("\n") + "\n"));
        }
        for number in numbers(line) {
            let Ok(value) = line[number.clone()].parse::<u64>() else { continue };
            let half = (value > 1 && value % 2 == 0).then_some(value / 2);
            for other in [Some(value.wrapping_add(1)), half].into_iter().flatten() {
                let changed = format!("{}{other}{}", &line[..number.start], &line[number.end..]);
                all.push((format!("{at} with {other} for {value}"), with(&[&changed])));
            }
        }
    }
    all
}

/// The locations of the decimal numbers in a line, except for digits within a name or another number.
fn numbers(line: &str) -> Vec<Range<usize>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_$%.".contains(c);
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(first) = line[start..].find(is_part) {
        let first = start + first;
        let rest = &line[first..];
        let end = first + rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if line[first..end].bytes().all(|byte| byte.is_ascii_digit()) {
            found.push(first..end);
        }
        start = end;
    }
    found
}

/// The findings in a text; `None` if it is not PTX.
fn found(text: &str) -> Option<Vec<String>> {
    let parsed = Parsed::new(text.to_owned());
    if !parsed.syntax().is_empty() {
        return None;
    }
    let findings = parsed.check().into_iter().map(|found| {
        let tokens = text[found.range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        let (code, mut message) = (found.code.unwrap_or("-"), found.message.replace('\n', " / "));
        // What to write in place of an undeclared name depends on what is declared.
        if let (Some("A101"), Some(fix)) = (found.code, &found.help) {
            let _ = write!(message, "; {fix}");
        }
        format!("{code} `{tokens}`: {message}")
    });
    Some(findings.collect())
}

#[test]
fn findings_after_a_change() {
    compare(MODULES);
}

#[test]
#[ignore = "it takes a minute: see CONTRIBUTING.md"]
fn findings_after_a_change_of_a_long_module() {
    compare(LONG);
}

/// Compares the findings after each change of the modules with those of the files.
fn compare(modules: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it is in a folder");
    for module in modules {
        let mut out = format!("{module}\n\n");
        let text = std::fs::read_to_string(root.join(module)).expect("it is in the repository");
        let before = found(&text).expect("it is PTX");
        for (change, text) in changes(&text) {
            let mut findings = found(&text).unwrap_or_default();
            findings.retain(|it| !before.contains(it));
            if findings.is_empty() {
                continue;
            }
            let _ = writeln!(out, "{change}");
            for finding in findings {
                let _ = writeln!(out, "    {finding}");
            }
        }
        let name = Path::new(module).file_stem().expect("it is a file").to_string_lossy();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/changes/{name}.txt"));
        expect_file![path].assert_eq(&out);
    }
}
