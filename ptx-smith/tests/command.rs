//! The command: its output in the README, its files and its exit codes.

use std::path::Path;
use std::process::{Command, Output};

fn smith(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptx-smith"));
    command.args(arguments).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The transcripts; `TRYCMD=overwrite` writes them.
#[test]
fn the_readme_shows_what_it_prints() {
    trycmd::TestCases::new().case("README.md");
}

/// The file with this number, whose first line says how it is made.
fn read(folder: &Path, number: usize) -> String {
    std::fs::read_to_string(folder.join(format!("{number:06}.ptx"))).expect("it was written")
}

#[test]
fn files_are_written_to_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("new/folder");
    let path = out.to_str().expect("it is a text");
    let done = smith(&[
        "mutants",
        "--seed",
        "5",
        "--from",
        "3",
        "--count",
        "2",
        "--refused",
        "--out",
        path,
    ]);
    assert_eq!((done.status.code(), text(&done.stdout)), (Some(0), String::new()));
    assert_eq!(std::fs::read_dir(&out).expect("it was made").count(), 2);
    for number in [3, 4] {
        let file = read(&out, number);
        let mut lines = file.lines();
        let first = format!("// ptx-smith mutants --seed 5 --from {number} --refused");
        assert_eq!(lines.next(), Some(first.as_str()));
        assert!(lines.next().is_some_and(|line| line.contains(" (refused): ")), "{file}");
        let again = smith(&first.split(' ').skip(2).collect::<Vec<_>>());
        assert_eq!(text(&again.stdout), file);
    }
}

#[cfg(unix)]
#[test]
fn a_failure_is_shrunk() {
    let command = "! grep -q 'barrier.*sync' {}";
    let done =
        smith(&["modules", "--seed", "2", "--count", "6", "--target", "sm_80", "--run", command]);
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    let out = text(&done.stdout);
    let files: Vec<&str> = out.split("// ptx-smith ").skip(1).collect();
    assert!(!files.is_empty());
    for file in files {
        let (first, file) = file.split_once('\n').expect("a text");
        assert!(first.ends_with("the command ends with exit status: 1"), "{first}");
        assert!(ptx_smith::is_valid(file), "{file}");
        assert_eq!(file.lines().filter(|line| line.contains("barrier")).count(), 1, "{file}");
        assert!(file.lines().count() <= 14, "{file}");
    }
    // A command that accepts everything accepts every mutant, and that is wrong.
    let done = smith(&["mutants", "--seed", "2", "--rule", "D005", "--run", "true {}"]);
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    let out = text(&done.stdout);
    assert!(out.contains("// D005 (") && out.lines().count() < 8, "{out}");
    // What is shrunk is still a file.
    let done = smith(&["mutants", "--seed", "2", "--rule", "A021", "--run", "true {}"]);
    assert!(text(&done.stdout).ends_with("\n}\n"), "{}", text(&done.stdout));
    let done = smith(&["mutants", "--seed", "2", "--count", "3", "--run", "false {}"]);
    assert_eq!((done.status.code(), text(&done.stdout)), (Some(0), String::new()));
}

#[cfg(unix)]
#[test]
fn a_command_that_does_not_end_has_failed() {
    let done = smith(&["expressions", "--run", "sleep 100 # {}", "--timeout", "0"]);
    assert_eq!(done.status.code(), Some(1));
    let out = text(&done.stdout);
    assert!(out.contains("the command does not end in time"), "{out}");
}

#[test]
fn wrong_options_make_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("it can be written");
    let file = file.to_str().expect("it is a text");
    for (arguments, message) in [
        (&["modules", "--isa", "6.0", "--target", "sm_90"][..], "sm_90 needs PTX 7.8"),
        (&["modules", "--isa", "5.0"], "it is from 6.0 to"),
        (&["modules", "--target", "90"], "did you mean `sm_90`?"),
        (&["modules", "--run", "ptxas"], "`--run` names no file"),
        (&["modules", "--timeout", "3"], "--run <COMMAND>"),
        (&["mutants", "--rule", "X001"], "it is not the code of a rule"),
        (&["modules", "--out", file], "cannot write"),
        (&["kernels"], "possible values"),
    ] {
        let done = smith(arguments);
        let error = text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(message), "{arguments:?}: {error}");
        assert!(done.stdout.is_empty());
    }
}
