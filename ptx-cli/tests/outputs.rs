//! The output of the tool: every command and option on small files, and the examples of the guide
//! (`docs/guide/src/tool.md`) and of the README.
//! `TRYCMD=overwrite cargo test -p ptx-cli --test outputs` updates the expected output.

#[test]
fn outputs_match() {
    cases().case("tests/cmd/*.md");
}

#[test]
fn the_documentation_shows_the_output_of_the_tool() {
    cases()
        .case("../docs/guide/src/tool.md")
        .case("../docs/guide/src/tool/ci.md")
        .case("README.md");
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
