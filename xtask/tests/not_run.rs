//! What a test binary does not run, it says where everyone sees it.

use std::path::Path;
use std::process::{Command, Output};

const ASKS: &str = "a_test_that_asks_for_everything";

/// Nothing by itself; in the process that the test below starts, it asks for what is not there.
#[test]
fn a_test_that_asks_for_everything() {
    if std::env::var_os("PTX_TEST_NOT_RUN").is_some() {
        for _ in 0..2 {
            assert!(xtask::oracles().is_empty());
            assert!(xtask::nvdisasm().is_none());
        }
    }
}

/// That test in a process without Python and without a package index.
fn run(folder: &Path, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", ASKS]).current_dir(folder);
    for variable in ["PTXAS", "PTX_REQUIRE_PTXAS", "PIP_INDEX_URL", "RUST_TEST_NOCAPTURE"] {
        command.env_remove(variable);
    }
    command.env("PTX_TEST_NOT_RUN", "1").env("PATH", "").env("CARGO_TARGET_DIR", folder);
    command.envs(variables.iter().copied()).output().expect("it runs")
}

#[test]
fn skipped_tests_are_printed_without_nocapture() {
    let folder = tempfile::tempdir().expect("a folder");
    for _ in 0..2 {
        let output = run(folder.path(), &[]);
        assert!(output.status.success(), "{output:?}");
        let printed = String::from_utf8_lossy(&output.stderr);
        let expected = [
            "ptxas of nvidia-cuda-nvcc 13.0.88",
            "ptxas of nvidia-cuda-nvcc-cu12 12.9.86",
            "nvdisasm",
        ];
        // Once each, although the test asks twice.
        assert_eq!(printed.lines().count(), expected.len(), "{printed}");
        for (line, name) in printed.lines().zip(expected) {
            let start =
                format!("NOT RUN: not_run, {ASKS}: {name} is missing: python3 does not run: ");
            assert!(line.starts_with(&start), "{line}");
            assert!(
                line.ends_with("`cargo xtask ptxas --index URL` downloads from a package index"),
                "{line}"
            );
        }
    }
    // The second process took the first one's word for it.
    assert!(folder.path().join("ptxas/.failed-nvidia-cuda-nvcc-13.0.88").is_file());
}

#[test]
fn a_required_tool_that_is_missing_fails_the_test() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(folder.path(), &[("PTX_REQUIRE_PTXAS", "1")]);
    assert!(!output.status.success());
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("ptxas of nvidia-cuda-nvcc 13.0.88 is required: "), "{printed}");
}
