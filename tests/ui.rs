//! What does not compile, and what rustc then says: one file a rule in `ui-tests/`.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    // A case that passes makes the others be built, not only checked.
    cases.pass("ui-tests/pass/*.rs");
    cases.compile_fail("ui-tests/*.rs");
}

/// Every rule that Rust code can break has its file; the others are listed with the reason.
#[test]
fn every_rule_has_a_file() {
    const BY_HAND_ALONE: &[(&str, &str)] = &[
        (
            "D015",
            "`V2` and `V4` are the only vectors there are in Rust; `.v8` in a body is no word",
        ),
        ("D022", "a library type would have to be wrong"),
        ("O005", "the methods of `TexRef` and its siblings take values of the right type alone"),
    ];
    let files: Vec<String> = std::fs::read_dir("ui-tests")
        .expect("ui-tests is there")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    for rule in ptx::rules::RULES {
        let name = format!("{}_{}.rs", rule.code.to_lowercase(), rule.name);
        let by_hand = BY_HAND_ALONE.iter().any(|(code, _)| *code == rule.code);
        assert!(files.contains(&name) != by_hand, "ui-tests/{name} is missing or not needed");
    }
}
