//! The list of surviving mutants names only existing mutants, and mutants change single tokens.
#![cfg(unix)]

use xtask::mutants::{List, list, mutants, names};

#[test]
fn every_entry_is_about_a_mutant() {
    let names = names().expect("the files can be read");
    let list = list().expect("each entry has a reason");
    let stale = list.stale(names.iter().map(String::as_str));
    assert!(stale.is_empty(), "these are about nothing:\n{}", stale.join("\n"));
}

#[test]
fn an_entry_has_a_reason_and_stands_once() {
    assert!(List::parse("  a b: c\n").is_err());
    assert!(List::parse("Why.\n  a b: c\n  a b: c\n").is_err());
    let list = List::parse("# What this is.\nWhy,\nat length.\n  a b: c\n  a f: *\n").unwrap();
    assert_eq!(list.stale(["a b: c", "a f: x"].into_iter()), [""; 0]);
    assert_eq!(list.stale(["a b: d", "a g: x"].into_iter()), ["a b: c", "a f: *"]);
}

/// The lines of the mutants of a function's body.
fn of(body: &str) -> Vec<String> {
    of_file("x.rs", body)
}

/// The same in a certain file.
fn of_file(file: &str, body: &str) -> Vec<String> {
    let text = format!("fn f() {{\n{body}\n}}\n");
    let found = mutants(file, &text).expect("it is Rust");
    let start = format!("{file} f: ");
    found.iter().map(|mutant| mutant.to_string().replace(&start, "")).collect()
}

#[test]
fn single_tokens_are_changed() {
    assert_eq!(of("a < b"), ["a {< -> <=} b"]);
    assert_eq!(of("!a"), ["{! -> }a"]);
    assert_eq!(of("a == b && c"), ["a == b {&& -> ||} c", "a {== -> !=} b && c"]);
    assert_eq!(of("g(7)"), ["g({7 -> 8})", "g({7 -> 6})"]);
    assert_eq!(of("a.all(g)"), ["a.{all -> any}(g)"]);
    assert_eq!(
        of("matches!(a, 1 | 2 if b)"),
        [
            "{ -> !}matches!(a, 1 | 2 if b)",
            "matches!(a, 1 | 2 if {b -> true})",
            "matches!(a, 1 | 2 if {b -> false})"
        ]
    );
    assert_eq!(of("if a { return; }"), ["if a { {return; -> } }"]);
    // A condition beside a pattern is replaced by `true`.
    assert_eq!(
        of("if let Some(a) = b && c { d() }"),
        ["if let Some(a) = b && {c -> true} { d() }"]
    );
}

#[test]
fn what_no_run_decides_is_left_alone() {
    for body in [
        "const A: u8 = 1;",
        "let a: [u8; 3];",
        "assert!(a < b);",
        "match a { 1 => b, _ => c }",
        "f::<3>()",
        "x.0",
        r#""text""#,
    ] {
        assert_eq!(of(body), [""; 0], "{body}");
    }
    let tests = "#[cfg(test)] mod tests { fn f() -> bool { true } } #[test] fn f() { g(1) }";
    assert!(mutants("x.rs", tests).unwrap().is_empty());
    let text = "impl Display for A { fn fmt(&self) -> bool { true } }";
    assert!(mutants("x.rs", text).unwrap().is_empty());
}

#[test]
fn reserved_room_is_left_alone() {
    for body in
        ["Vec::with_capacity(a + 1)", "a.reserve(1)", "a.reserve_exact(usize::from(b == c))"]
    {
        assert_eq!(of(body), [""; 0], "{body}");
    }
    // What it is reserved in is not.
    assert_eq!(of("a.get(0).reserve(1)"), ["a.get({0 -> 1}).reserve(1)"]);
    assert_eq!(of("a.push(0)"), ["a.push({0 -> 1})"]);
}

#[test]
fn the_effort_of_the_analysis_is_left_alone() {
    let of_analysis = |body| of_file("ptx-analysis/src/x.rs", body);
    for body in [
        "a < MOST_STEPS",
        "a * MOST_STEPS + MOST_STEPS",
        "for _ in 0..MOST_STEPS {}",
        "effort.spend(1 + a);",
        "usize::MAX",
        "(i128::MIN, i128::MAX)",
    ] {
        assert_eq!(of_analysis(body), [""; 0], "{body}");
        assert!(!of(body).is_empty(), "{body}");
    }
    assert_eq!(of_analysis("a < MOST_THREADS").len(), 3);
    assert_eq!(of_analysis("a == MOST_STEPS"), ["a {== -> !=} MOST_STEPS"]);
    assert_eq!(of_analysis("0..a"), ["{0 -> 1}..a"]);
    assert_eq!(of_analysis("u32::MAX").len(), 2);
}

#[test]
fn those_that_read_alike_are_numbered() {
    assert_eq!(of("a < b;\na < b;"), ["a {< -> <=} b;", "a {< -> <=} b; #2"]);
}
