//! What ptxas reports, in `ptx diff` and `ptx stats`.

use std::path::Path;
use std::process::Command;

/// Runs the tool with this assembler in a folder of small files. Returns its exit code and its whole output.
fn ptx(ptxas: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/stats.in");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptx"));
    command.args(arguments).args(["--ptxas", "--ptxas-path"]).arg(ptxas).current_dir(folder);
    let output = command.output().expect("it runs");
    let all = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(all).expect("it writes UTF-8"))
}

#[test]
fn registers_of_ptxas_are_counted_and_bounded() {
    for ptxas in xtask::oracles() {
        let (code, text) = ptx(ptxas.path(), &["stats", "sum.ptx", "--bounds", "registers.toml"]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("ptxas: registers"), "{text}");
        assert!(text.contains("error: `registers` of `sum` in sum.ptx is "), "{text}");
        assert!(text.contains(", and the bound is 1\n"), "{text}");
        assert!(!text.contains("`spills`"), "{text}");
        let (code, text) = ptx(ptxas.path(), &["stats", "main.ptx", "sum.ptx"]);
        // A linker would add what `main.ptx` calls.
        assert_eq!(code, Some(0), "{text}");
    }
}

#[test]
fn what_ptxas_reports_is_compared() {
    for ptxas in xtask::oracles() {
        let (code, text) = ptx(ptxas.path(), &["diff", "sum.ptx", "more.ptx"]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("ptxas: registers of `sum`"), "{text}");
        let (code, text) = ptx(ptxas.path(), &["diff", "sum.ptx", "sum.ptx"]);
        assert_eq!((code, text.as_str()), (Some(0), ""));
    }
}

/// What ptxas refuses has no statistics.
#[test]
fn refusals_are_reported() {
    for ptxas in xtask::oracles() {
        let (code, text) = ptx(ptxas.path(), &["stats", "undeclared.ptx"]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("refuses the module"), "{text}");
        let (code, text) = ptx(ptxas.path(), &["diff", "undeclared.ptx", "sum.ptx"]);
        assert_eq!(code, Some(2), "{text}");
    }
}
