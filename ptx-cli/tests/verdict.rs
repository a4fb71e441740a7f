//! What ptxas says, among what the rules say.

use std::path::Path;
use std::process::Command;

/// The tool with this assembler, in the folder of small files: its exit code and all that it writes.
fn ptx(ptxas: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/verdict.in");
    ptx_in(
        folder,
        &[&["check", "--ptxas", "--ptxas-path", &ptxas.to_string_lossy()], arguments].concat(),
    )
}

fn ptx_in(folder: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptx"));
    let output = command.args(arguments).current_dir(folder).output().expect("it runs");
    let all = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(all).expect("it writes UTF-8"))
}

#[test]
fn what_both_say_is_said_once() {
    for ptxas in xtask::oracles() {
        let (code, text) = ptx(ptxas.path(), &["both.ptx"]);
        assert_eq!(code, Some(1));
        let release = ptxas.release();
        let expected = format!(
            "\
error: nothing here is named `%missing`
  --> both.ptx:11:25
   |
11 |     st.global.u32     [%rd1], %missing;
   |                               ^^^^^^^^
   |
   = help: declare it in the body, as a parameter or in the module, where there is `%rd0`, `k` or `out`
   = note: ptxas {release} says so too: error: Unknown symbol '%missing'

1 error in both.ptx
"
        );
        assert_eq!(text, expected);
    }
}

#[test]
fn what_ptxas_alone_says_stands_at_its_line() {
    for ptxas in xtask::oracles() {
        let (code, text) = ptx(ptxas.path(), &["alone.ptx"]);
        assert_eq!(code, Some(1));
        let expected = "\
error[ptxas]: Arguments mismatch for instruction 'add'
 --> alone.ptx:9:2
  |
9 |     add.s32     %r1, %f1, 1;
  |     ^^^

1 error in alone.ptx
";
        assert_eq!(text, expected);
    }
}

/// What it says of a kernel as a whole, and the rule has said.
#[test]
fn what_has_no_line_is_about_a_declaration() {
    for ptxas in xtask::oracles() {
        let (code, text) = ptx(ptxas.path(), &["large.ptx"]);
        assert_eq!(code, Some(1));
        let release = ptxas.release();
        let note =
            format!("note: ptxas {release} says so too: error: Entry function 'k' uses too much");
        assert!(text.starts_with("error[F002]") && text.contains(&note), "{text}");
        assert!(text.ends_with("\n1 error in large.ptx\n"), "{text}");
    }
}

#[test]
fn what_a_linker_finds_is_no_error() {
    for ptxas in xtask::oracles() {
        let (code, text) = ptx(ptxas.path(), &["far.ptx"]);
        assert_eq!((code, text.as_str()), (Some(0), "no errors in far.ptx\n"));
    }
}

/// A file for a later target is assembled for that.
#[test]
fn the_target_is_the_files_own_or_the_one_that_is_asked_for() {
    for ptxas in xtask::oracles() {
        let (code, text) = ptx(ptxas.path(), &["older.ptx"]);
        assert_eq!(code, Some(0), "{text}");
        let (code, text) = ptx(ptxas.path(), &["older.ptx", "--target", "sm_90a"]);
        assert_eq!(code, Some(0), "{text}");
        let (code, text) = ptx(ptxas.path(), &["older.ptx", "--target", "sm_75"]);
        assert_eq!(code, Some(1), "{text}");
    }
}

#[test]
fn the_documentation_shows_what_ptxas_says() {
    let documentation = include_str!("../../docs/tool.md");
    let release = "ptxas 13.0 ";
    for ptxas in xtask::oracles() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tool.in");
        let path = ptxas.path().to_string_lossy();
        let (_, text) = ptx_in(folder, &["check", "typo.ptx", "--ptxas", "--ptxas-path", &path]);
        let text = text.replace(&format!("ptxas {} ", ptxas.release()), release);
        assert!(documentation.contains(&text), "this is not in docs/tool.md:\n{text}");
    }
}
