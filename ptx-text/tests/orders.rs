//! Kernels whose threads wait for each other as they should, and each with one line changed: the files of `orders/`.
//!
//! A file is one kernel in which nothing is found. Its comments say what is found with a line less, more, or changed:
//!
//! - `bar.sync 0;   //~ A109`: without this line.
//! - `//+ A111: mbarrier.arrive.shared.b64 _, [full];`: with this line here.
//! - `//= A116: bar.warp.sync 0x7fffffff;`: with this line in place of the last one above that is not such a comment.
//!
//! The codes, with blanks in between, are all that is found then.

#[path = "orders/twins.rs"]
mod twins;

use std::collections::BTreeSet;
use std::path::Path;

use ptx_text::{Diagnostic, Parsed};
use twins::Twin;

/// The kernels.
fn kernels() -> Vec<(String, String)> {
    twins::kernels(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/orders"))
}

/// The findings in a text: the line of each, from 1, and its code, or its message if it has none.
fn findings(text: &str) -> Vec<(usize, String)> {
    let line = |found: &Diagnostic| text[..found.range.start].matches('\n').count() + 1;
    let code = |found: &Diagnostic| found.code.unwrap_or(found.message.as_str()).to_owned();
    Parsed::new(text).check().iter().map(|found| (line(found), code(found))).collect()
}

/// The codes of all findings in a text.
fn codes(text: &str) -> BTreeSet<String> {
    findings(text).into_iter().map(|(_, code)| code).collect()
}

/// The findings in a text, in a line.
fn shown(text: &str) -> String {
    let found = findings(text);
    if found.is_empty() {
        return "nothing".to_owned();
    }
    let found: Vec<String> =
        found.iter().map(|(line, code)| format!("{code} in line {line}")).collect();
    found.join(", ")
}

/// Nothing is found in the kernels as they are, and in each twin what its comment says.
#[test]
fn what_is_wrong_is_found_and_nothing_else() {
    let mut failures = Vec::new();
    for (name, text) in kernels() {
        if !codes(&text).is_empty() {
            failures.push(format!("{name}: nothing is wrong: found {}", shown(&text)));
        }
        for Twin { line, marker, codes: wanted, text } in Twin::all(&text) {
            if codes(&text) != wanted {
                failures.push(format!("{name}:{line}: {marker}: found {}", shown(&text)));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// No comment that asks for a twin is misspelt, and every file is one kernel whose threads are known.
#[test]
fn every_comment_is_read() {
    let is_code = |code: &String| code.len() == 4 && code.starts_with('A');
    for (name, text) in kernels() {
        let twins = Twin::all(&text);
        let starts: usize = ["//~", "//+", "//="].iter().map(|it| text.matches(it).count()).sum();
        assert_eq!(starts, twins.len(), "{name}");
        assert_eq!(text.matches(".entry").count(), 1, "{name}");
        assert!(text.contains(".reqntid"), "{name}");
        for Twin { line, codes, text: changed, .. } in twins {
            assert!(!codes.is_empty() && codes.iter().all(is_code), "{name}:{line}: {codes:?}");
            let lines = text.lines().zip(changed.lines());
            let differ = lines.filter(|(before, after)| before != after).count();
            assert_eq!(differ, 1, "{name}:{line}: one line is changed");
        }
    }
}
