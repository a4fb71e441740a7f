//! The output of the tool: every command and option on small files, and the examples of the guide
//! (`docs/guide/src/tool.md`) and of the README.
//! `TRYCMD=overwrite cargo test -p ptx-cli --test outputs` updates the expected output.

#[test]
fn outputs_match() {
    cases().case("tests/cmd/*.md");
}

#[test]
fn the_documentation_shows_the_output_of_the_tool() {
    cases().case("../docs/guide/src/tool.md").case("../docs/guide/src/tool/*.md").case("README.md");
}

fn cases() -> trycmd::TestCases {
    let cases = trycmd::TestCases::new();
    cases.env("NO_COLOR", "1").env("COLUMNS", "100");
    cases
}

/// The picture in the documentation matches the one that the tool draws.
#[test]
fn the_documentation_shows_the_picture_that_the_tool_draws() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/src/tool.in");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ptx"))
        .args(["layout", "alignif.ptx", "--format", "svg"])
        .current_dir(folder)
        .output()
        .expect("it runs");
    let drawn = String::from_utf8(output.stdout).expect("it writes UTF-8");
    expect_test::expect_file!["../../docs/guide/src/tool.in/alignif.svg"].assert_eq(&drawn);
}

/// The picture of the storage of the guide's first module, whose text is on the page.
#[test]
fn the_guide_shows_the_memory_map_of_the_module_on_the_page() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/src/declare.md");
    let page = std::fs::read_to_string(page).expect("it is there");
    let (_, text) = page.split_once("<!-- output -->\n```ptx\n").expect("the module is shown");
    let (text, _) = text.split_once("```").expect("it ends");
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("storage.ptx"), text).expect("there is room");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ptx"))
        .args(["layout", "storage.ptx", "--svg"])
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    let drawn = String::from_utf8(output.stdout).expect("it writes UTF-8");
    expect_test::expect_file!["../../docs/guide/src/declare.in/storage.svg"].assert_eq(&drawn);
}

/// The picture of the guide is the one that the tool draws.
#[test]
fn the_guide_shows_the_swizzle_that_the_tool_draws() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ptx"))
        .args([
            "map",
            "swizzle",
            "--element",
            "bf16",
            "--box",
            "64,8",
            "--swizzle",
            "128B",
            "--svg",
        ])
        .output()
        .expect("it runs");
    let drawn = String::from_utf8(output.stdout).expect("it writes UTF-8");
    expect_test::expect_file!["../../docs/guide/src/tool/map.in/swizzle.svg"].assert_eq(&drawn);
}

/// No command panics on a file of the repository, of which many are broken on purpose, and no file differs from itself.
#[test]
fn every_file_of_the_repository_is_answered() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let patterns = ["docs/**/*.ptx", "examples/**/*.ptx", "ptx-*/**/*.ptx", "tests/**/*.ptx"];
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ptx"));
        let output = command.args(arguments).current_dir(root).output().expect("it runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!errors.contains("panicked"), "{arguments:?}: {errors}");
        assert!(output.status.code().is_some_and(|code| code <= 2), "{arguments:?}: {errors}");
        output
    };
    for command in [&["fmt", "--check"][..], &["stats"], &["min"]] {
        let written = run(&[command, &patterns[..]].concat()).stdout;
        assert!(!written.is_empty(), "{command:?}");
    }
    let mut compared = 0;
    for pattern in patterns {
        let files = glob::glob(&format!("{root}/{pattern}")).expect("it is a pattern");
        // A process for each takes a while.
        for path in files.step_by(4) {
            let path = path.expect("it is readable");
            let file = path.to_str().expect("it is UTF-8");
            let output = run(&["diff", file, file]);
            assert!(output.status.code() != Some(1) || output.stdout.is_empty(), "{file}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

/// A device without an end is refused, not read until the memory is used up.
#[cfg(target_os = "linux")]
#[test]
fn an_endless_device_is_refused() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ptx"))
        .args(["check", "/dev/zero", "/dev/null"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).expect("it writes UTF-8");
    assert!(
        message.contains(
            "`/dev/zero` is a device with more than 64 MiB; name a file, or pipe the text to `-`"
        ),
        "{message}"
    );
    assert!(!message.contains("/dev/null"), "{message}");
}
