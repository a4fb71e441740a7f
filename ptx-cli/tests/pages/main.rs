//! The pages of the rules: `rules/CODE.md`, which `ptx explain CODE` prints.
//!
//! A listing under `## Example` breaks the rule of its page and no other; one under `## Fix` breaks none.
//! A listing is a PTX module (`ptx`, with a header for `sm_90a` added if it has none) or Rust (`rust`, the items of
//! a module for `sm_90a`, or with one). Listings whose errors need rustc's types (`rust,late`) are checked by
//! `tests/pages.rs` of the crate `ptx`, which also runs those that fail when a tensor map is made (`rust,host`);
//! errors that only rustc finds are quoted from a file of `ui-tests/` (`rust,ui`), whose errors have the code.

mod judge;
mod page;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use judge::{Found, is_code};
use page::{Block, Page, SECTIONS};
use ptx_isa::rules::{self, Kind};
use ptx_isa::tensor::rules::{self as maps, Observed};

/// Rules that no listing can break: D015 concerns vectors that the grammar lacks, and D022 the types of this crate.
const NO_LISTING: &[&str] = &["D015", "D022"];

/// Rules that are only broken together with another: no target is as old as a version without `.managed`, a declaration
/// that holds textures in the wrong place holds textures, and so on: the page of the first gives the reason.
const TOGETHER: &[(&str, &str)] =
    &[("D028", "T001"), ("O009", "O004"), ("M012", "M013"), ("M005", "M002"), ("M045", "M017")];

/// The driver's error for each tensor map that it rejects.
const MAP_ERROR: &str = "CUDA_ERROR_INVALID_VALUE";

/// The properties of a rule that its page depends on.
struct Row {
    code: &'static str,
    name: String,
    can_be_allowed: bool,
    /// Whether ptxas or the driver rejects code that breaks it.
    is_refused: bool,
    /// What the driver does with a tensor map that breaks it.
    driver: Option<Observed>,
}

fn rows() -> Vec<Row> {
    let declarations = rules::RULES.iter().map(|rule| Row {
        code: rule.code,
        name: rule.name.replace('_', " "),
        can_be_allowed: rule.allowed.is_anywhere(),
        is_refused: matches!(rule.kind, Kind::Refused),
        driver: None,
    });
    let maps = maps::RULES.iter().map(|rule| Row {
        code: rule.code,
        name: rule.name.replace('_', " "),
        can_be_allowed: rule.allowed.is_anywhere(),
        is_refused: matches!(rule.kind, Observed::Refused(_)),
        driver: Some(rule.kind),
    });
    declarations.chain(maps).collect()
}

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it is in a folder");
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The folder of the pages.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")
}

/// Fails with a list of all errors.
fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_rule_has_a_page_and_every_page_a_rule() {
    let rules: BTreeSet<&str> = rows().iter().map(|row| row.code).collect();
    let pages = Page::all(&folder());
    let pages: BTreeSet<&str> = pages.iter().map(|page| page.code.as_str()).collect();
    let mut wrong = Vec::new();
    for code in rules.difference(&pages) {
        wrong.push(format!("{code} has no page"));
    }
    for code in pages.difference(&rules) {
        wrong.push(format!("{code} is the page of no rule"));
    }
    assert_none(&wrong);
}

#[test]
fn every_page_has_its_sections() {
    let mut wrong = Vec::new();
    for (row, page) in both() {
        let mut check = |is_right: bool, what: &str| {
            if !is_right {
                wrong.push(format!("{}: {what}", row.code));
            }
        };
        let title = format!("# {}: {}", row.code, row.name);
        check(page.title == title, &format!("the title is not `{title}`"));
        check(!page.meaning.is_empty(), "what the rule means is missing");
        let titles: Vec<&str> = page.sections.iter().map(|(title, _)| title.as_str()).collect();
        check(titles == SECTIONS, &format!("the sections are {titles:?}"));
        for title in SECTIONS {
            check(!page.section(title).is_empty(), &format!("`{title}` is empty"));
        }
        let allow = page.section("When to allow it");
        check(
            row.can_be_allowed != allow.starts_with("It cannot be allowed"),
            "the table and `When to allow it` disagree about whether it can be allowed",
        );
        let does = page.words("What the GPU does");
        let is_refused = does.contains("refuses") || does.contains("rejects");
        let is_known = does.contains("Measured") || does.contains("Not measured");
        check(
            !row.can_be_allowed || is_known || row.driver.is_some(),
            "it does not say whether it was measured",
        );
        let is_as_observed = match row.driver {
            None => true,
            Some(Observed::Refused(_)) => does.contains("driver refuses the map"),
            Some(Observed::Taken) => does.contains("driver accepts"),
            Some(Observed::Unseen) => does.contains("Not measured"),
        };
        check(is_as_observed, "the table has something else about the driver");
        check(
            !row.is_refused || is_refused,
            "ptxas or the driver refuses it, and the page does not",
        );
    }
    assert_none(&wrong);
}

/// A page's measured claims are in `docs/mistakes.md`, or in a GPU section of `docs/ptxas.md`; those in the former are
/// also on the page.
#[test]
fn measured_claims_are_on_the_page() {
    let mistakes = read("docs/mistakes.md");
    let facts = read("docs/ptxas.md");
    let of = |code: &str| -> Vec<&str> {
        let code = format!("[{code},");
        mistakes.split("\n## ").filter(|mistake| mistake.contains(&code)).collect()
    };
    let mut wrong = Vec::new();
    for (row, page) in both() {
        let does = page.words("What the GPU does");
        let mistakes = of(row.code);
        let is_measured = |mistake: &&str| mistake.contains("\nOn a GPU, ");
        let names_one = |mistake: &&str| mistake.contains(" H100") || mistake.contains(" H200");
        let says_so = does.contains("Measured");
        let is_tried = facts
            .split("\n## ")
            .any(|it| it.contains(" H100") && it.contains(&format!("(rule {})", row.code)));
        if mistakes.iter().any(is_measured) && !says_so {
            wrong.push(format!("{}: `docs/mistakes.md` has a measurement", row.code));
        }
        let is_in_mistakes = mistakes.iter().any(|it| is_measured(it) || names_one(it));
        if says_so && !is_in_mistakes && !is_tried {
            wrong.push(format!(
                "{}: neither `docs/mistakes.md` nor `docs/ptxas.md` has a measurement",
                row.code
            ));
        }
        let errors = does.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        for error in errors.filter(|word| word.starts_with("CUDA_")) {
            if row.driver.is_some() {
                if !(row.is_refused && error == MAP_ERROR) {
                    wrong.push(format!("{}: the driver did not answer {error}", row.code));
                }
            } else if !mistakes.iter().any(|mistake| mistake.contains(error)) {
                wrong.push(format!("{}: {error} was not measured", row.code));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn examples_break_the_rule_and_fixes_none() {
    let mut wrong = String::new();
    for (row, page) in both() {
        for (section, expected) in [("Example", Some(row.code)), ("Fix", None)] {
            let blocks = page.blocks(section);
            if blocks.is_empty() != NO_LISTING.contains(&row.code) {
                let _ = writeln!(wrong, "{}: `{section}` has no listing, or needs none", row.code);
            }
            for block in blocks {
                let also = TOGETHER.iter().filter(|(code, _)| expected == Some(code));
                let expected = expected.into_iter().chain(also.map(|(_, other)| *other));
                let expected: Found = expected.map(str::to_owned).collect();
                match found(row.code, &block, section) {
                    Ok(found) if found == expected => {}
                    Ok(found) => {
                        let _ = writeln!(wrong, "{}: `{section}` breaks {found:?}", row.code);
                    }
                    Err(why) => {
                        let _ = writeln!(wrong, "{}: `{section}`: {why}", row.code);
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The rules that have a page, each with its page.
fn both() -> Vec<(Row, Page)> {
    let mut pages = Page::all(&folder());
    let mut both = Vec::new();
    for row in rows() {
        if let Some(at) = pages.iter().position(|page| page.code == row.code) {
            both.push((row, pages.swap_remove(at)));
        }
    }
    both
}

/// The codes of the findings in a listing.
fn found(code: &str, block: &Block, section: &str) -> Result<Found, String> {
    let in_rust = || judge::in_rust(&block.text).map_err(|error| error.to_string());
    match (block.info.as_str(), section) {
        // Only on request.
        ("ptx", _) => Ok(judge::in_ptx(&block.text, matches!(code, "A117" | "A122"))),
        ("rust", _) => in_rust(),
        ("rust,late", "Example") => {
            let found = in_rust()?;
            if found.is_empty() {
                Ok(Found::from([code.to_owned()]))
            } else {
                Err(format!("is found at once: {found:?}"))
            }
        }
        // `tests/pages.rs` runs it.
        ("rust,host", _) => match syn::parse_file(&block.text) {
            Ok(_) => {
                Ok(if section == "Example" { Found::from([code.to_owned()]) } else { Found::new() })
            }
            Err(error) => Err(error.to_string()),
        },
        ("rust,ui", "Example") => quoted(code, &block.text),
        (info, _) => Err(format!("`{info}` is not a kind of listing")),
    }
}

/// The code of a listing whose lines occur in this order in a file of `ui-tests/`; `// ...` stands for a gap.
fn quoted(code: &str, text: &str) -> Result<Found, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it is in a folder");
    let files = std::fs::read_dir(root.join("ui-tests")).expect("there is a folder");
    let paths = files.map(|entry| entry.expect("it can be read").path());
    let text = trimmed(text);
    let chunks: Vec<&str> = text.split("// ...\n").collect();
    for path in paths.filter(|path| path.extension().is_some_and(|it| it == "stderr")) {
        let errors = std::fs::read_to_string(&path).expect("it is a text");
        if !errors.contains(&format!("[{code}, ")) {
            continue;
        }
        let source = std::fs::read_to_string(path.with_extension("rs")).expect("it is a text");
        let source = trimmed(&source);
        let mut rest = source.as_str();
        let has_all = chunks.iter().all(|chunk| {
            let found = rest.split_once(chunk);
            rest = found.map_or("", |(_, behind)| behind);
            found.is_some()
        });
        if has_all {
            return Ok(Found::from([code.to_owned()]));
        }
    }
    Err(format!("no file of `ui-tests/` with an error {code} has these lines"))
}

/// A text without its indentation and its empty lines.
fn trimmed(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.fold(String::new(), |all, line| all + line + "\n")
}

#[test]
fn codes_are_a_letter_and_three_digits() {
    assert!(rows().iter().all(|row| is_code(row.code)));
    assert!(["", "A", "A21", "a021", "Ä021", "A0210"].iter().all(|text| !is_code(text)));
}
