//! Code that does not compile, and the errors from rustc: one file per rule in `ui-tests/`.

use tests::{Project, Ui, root};

#[test]
fn ui() {
    // `docs/diagnostics.md` compares its mistakes with other tools.
    let programs = Ui::new()
        .pass("ui-tests/pass/*.rs")
        .pass("docs/diagnostics/*/mended.rs")
        .fail("ui-tests/*.rs")
        .fail("docs/diagnostics/*/ours.rs");
    programs.run("ui", &Project::ptx(&[]));
}

/// Every rule that Rust code can break has a file; the others are listed with the reason.
#[test]
fn every_rule_has_a_file() {
    const BY_HAND_ALONE: &[(&str, &str)] = &[
        ("A117", "only texts are checked strictly"),
        ("A118", "only texts give a launch"),
        ("A122", "only texts are checked strictly"),
        ("D015", "`V2` and `V4` are the only vectors in Rust; `.v8` in a body is not a keyword"),
        ("D022", "a library type would have to be wrong"),
        ("F038", "a module in Rust declares each function once (D002)"),
        ("O005", "the methods of `TexRef` and its siblings take values of the right type alone"),
    ];
    let files: Vec<String> = std::fs::read_dir(root().join("ui-tests"))
        .expect("ui-tests exists")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    for rule in ptx::rules::RULES {
        let name = format!("{}_{}.rs", rule.code.to_lowercase(), rule.name);
        // A macro has no warnings.
        let by_hand =
            !rule.kind.is_error() || BY_HAND_ALONE.iter().any(|(code, _)| *code == rule.code);
        assert!(files.contains(&name) != by_hand, "ui-tests/{name} is missing or not needed");
        if !by_hand {
            let path = format!("ui-tests/{name}").replace(".rs", ".stderr");
            let errors = std::fs::read_to_string(root().join(path));
            let is_reported =
                errors.is_ok_and(|errors| errors.contains(&format!("[{}", rule.code)));
            assert!(is_reported, "ui-tests/{name} does not break the rule");
        }
    }
}

/// Every tensor map rule that Rust code can break is broken in a file; the others are listed with the
/// reason.
#[test]
fn every_rule_of_tensor_maps_is_broken() {
    const AT_RUN_TIME: &[(&str, &str)] = &[
        ("M004", "the rank of `tile::gather4` is 2 without a word"),
        ("M022", "`im2col::w::128` has no pixels to write"),
        ("M050", "of a static map, D070 asks for the buffer's alignment"),
        ("M051", "likewise"),
        ("M064", "of a static map, the address is known when it is loaded"),
        ("M065", "of a static map, the extents are as many as the rank"),
        ("M052", "static maps cannot have these elements"),
        ("M054", "likewise"),
        ("M058", "likewise"),
    ];
    let errors: String = ["rules", "late"]
        .map(|name| format!("ui-tests/tensor_map_{name}.stderr"))
        .map(|path| std::fs::read_to_string(root().join(path)).expect("the file exists"))
        .concat();
    for rule in ptx::tensor::rules::RULES {
        let at_run_time = AT_RUN_TIME.iter().any(|(code, _)| *code == rule.code);
        let is_reported = errors.contains(&format!("[{}", rule.code));
        assert!(is_reported != at_run_time, "{} {} is not broken, or is", rule.code, rule.name);
    }
}
