//! The messages of ptxas among those of the rules.

use std::path::Path;
use std::process::Command;

/// Runs the tool with this assembler in the folder of small files. Returns its exit code and its whole output.
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
fn duplicate_findings_are_reported_once() {
    for ptxas in xtask::oracles() {
        let (code, text) = ptx(ptxas.path(), &["both.ptx"]);
        assert_eq!(code, Some(1));
        let release = ptxas.release();
        let expected = format!(
            "\
error[A101]: nothing here is named `%missing`
  --> both.ptx:11:25
   |
11 |     st.global.u32     [%rd1], %missing;
   |                               ^^^^^^^^
   |
   = help: declare it in the body, as a parameter or in the module (declared here: `%rd0`)
   = note: ptxas {release} agrees: error: Unknown symbol '%missing'
   = note: refused: ptxas or the driver refuses it too (PTX ISA 5.4.1)
   = note: see https://ptx-rs.github.io/ptx/rules/A101.html

1 error in both.ptx
"
        );
        assert_eq!(text, expected);
    }
}

const HEAD: &str = ".version 8.0\n.target sm_90a\n.address_size 64\n";

/// The output for a file with these bytes below a header.
fn checked(ptxas: &Path, body: &[u8], arguments: &[&str]) -> String {
    checked_all(ptxas, &[HEAD.as_bytes(), body].concat(), arguments)
}

/// The output for a file with these bytes.
fn checked_all(ptxas: &Path, bytes: &[u8], arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("k.ptx"), bytes).expect("there is room");
    let path = ptxas.to_string_lossy();
    let all = [&["check", "k.ptx", "--ptxas", "--ptxas-path", &path], arguments].concat();
    let folder = folder.path().to_string_lossy();
    ptx_in(&folder, &all).1
}

/// A kernel with this body, which starts on line 5.
fn kernel(body: &str) -> String {
    format!(".visible .entry k() {{ .reg .b32 %r<4>; .reg .f32 %f<4>;\n{body}\nret;\n}}\n")
}

/// ptxas counts lines from the number in a line marker.
#[test]
fn lines_are_those_of_the_file() {
    for ptxas in xtask::oracles() {
        let text = kernel(
            "# 2 \"f.cu\"\n_frob.u32 %r1, %r2;\n#line 900 \"f.cu\"\n\nadd.rn.s32 %r1, %r1, %r1;",
        );
        let text = checked(ptxas.path(), text.as_bytes(), &[]);
        let expected = "\
error[ptxas]: Not a name of any known instruction: '_frob'
 --> k.ptx:6:1
  |
6 | _frob.u32 %r1, %r2;
  | ^^^^^

error[ptxas]: Illegal rounding modifier for instruction 'add'
 --> k.ptx:9:1
  |
9 | add.rn.s32 %r1, %r1, %r1;
  | ^^^

2 errors in k.ptx
";
        assert_eq!(text, expected);
    }
}

/// ptxas gets the bytes of the file rather than the text displayed for them.
#[test]
fn bytes_that_are_not_ascii_are_one_error() {
    for ptxas in xtask::oracles() {
        let body = [kernel("").as_bytes(), b"// caf\xe9\n"].concat();
        let text = checked(ptxas.path(), &body, &[]);
        assert!(text.starts_with("error: the byte 0xe9 is not UTF-8, "), "{text}");
        let note = "agrees: error: Unexpected non-ASCII character encountered on line 8";
        assert!(text.contains(note) && text.ends_with("\n1 error in k.ptx\n"), "{text}");
    }
}

/// ptxas reports the next token, wherever that is.
#[test]
fn a_missing_semicolon_is_one_error() {
    for ptxas in xtask::oracles() {
        for between in ["", "\n", "\n// a comment\n\n/* and\nanother */"] {
            let body = kernel(&format!("mov.u32 %r1, %r2\n{between}\nmov.u32 %r1, %r3;"));
            let text = checked(ptxas.path(), body.as_bytes(), &[]);
            assert!(text.starts_with("error: this statement has no end\n"), "{text}");
            assert!(text.ends_with("\n1 error in k.ptx\n"), "{text}");
        }
    }
}

#[test]
fn repeated_ptxas_messages_are_reported_once() {
    for ptxas in xtask::oracles() {
        let text =
            kernel(".shared .align 16 .b8 tile[16];\nld.shared.v4.f32 {%f0, %f1, %f2}, [tile];");
        let text = checked(ptxas.path(), text.as_bytes(), &[]);
        assert_eq!(text.matches("Argument vector size mismatch").count(), 1, "{text}");
    }
}

#[test]
fn an_unknown_instruction_is_one_error() {
    for ptxas in xtask::oracles() {
        let text = checked(ptxas.path(), kernel("ldx.global.b32 %r1, [%r2];").as_bytes(), &[]);
        assert!(text.starts_with("error[A084]: "), "{text}");
        assert!(
            text.contains("agrees: error: Not a name of any known instruction: 'ldx'"),
            "{text}"
        );
        assert!(!text.contains("ptxas takes it"), "{text}");
        assert!(text.ends_with("\n1 error in k.ptx\n"), "{text}");
    }
}

/// ptxas reports the target, and the rule the version.
#[test]
fn a_version_that_is_too_old_is_one_error() {
    for ptxas in xtask::oracles() {
        let text = HEAD.replace("8.0", "7.0") + &kernel("");
        let text = checked_all(ptxas.path(), text.as_bytes(), &[]);
        assert!(text.starts_with("error[T001]: "), "{text}");
        assert!(text.contains("agrees: error: PTX .version 7.0 does not support"), "{text}");
        assert!(text.ends_with("\n1 error in k.ptx\n"), "{text}");
    }
}

#[test]
fn an_unclosed_brace_is_one_error() {
    for ptxas in xtask::oracles() {
        for body in [".visible .entry k()\n{\nret;\n", ".visible .entry k(\n{\nret;\n}\n"] {
            let text = checked(ptxas.path(), body.as_bytes(), &[]);
            assert!(text.starts_with("error: nothing closes this "), "{text}");
            assert!(text.contains("agrees: error: Parsing error near"), "{text}");
            assert!(text.ends_with("\n1 error in k.ptx\n"), "{text}");
        }
    }
}

#[test]
fn a_second_definition_is_one_error() {
    for ptxas in xtask::oracles() {
        let text = checked(ptxas.path(), kernel("").repeat(2).as_bytes(), &[]);
        assert!(text.starts_with("error[D002]: "), "{text}");
        assert!(text.contains("agrees: error: Duplicate definition"), "{text}");
        assert!(text.ends_with("\n1 error in k.ptx\n"), "{text}");
    }
}

/// The advice refers to the directives in a file, since a file is not a Rust module.
#[test]
fn advice_is_about_ptx() {
    for ptxas in xtask::oracles() {
        let text = HEAD.replace("8.0", "99.0");
        let text = checked_all(ptxas.path(), text.as_bytes(), &[]);
        let help = "= help: use a newer ptxas, or an older `.version` in the text\n";
        assert!(text.contains(help), "{text}");
    }
}

#[test]
fn an_unsuitable_target_is_explained() {
    for ptxas in xtask::oracles() {
        for (target, help) in [
            ("sm_80", "assemble it for its own target or a newer one"),
            ("sm_100a", "assemble it for its own target"),
        ] {
            let text = checked(ptxas.path(), kernel("").as_bytes(), &["--target", target]);
            assert!(text.starts_with("error[ptxas]: "), "{text}");
            assert!(text.contains("--> k.ptx:2:"), "{text}");
            assert!(text.contains(&format!("= help: {help}\n")), "{text}");
        }
    }
}

#[test]
fn messages_of_ptxas_alone_are_at_their_lines() {
    for ptxas in xtask::oracles() {
        let (code, text) = ptx(ptxas.path(), &["alone.ptx"]);
        assert_eq!(code, Some(1));
        let expected = "\
error[ptxas]: Illegal rounding modifier for instruction 'add'
 --> alone.ptx:9:2
  |
9 |     add.rn.s32     %r1, %r1, %r1;
  |     ^^^

1 error in alone.ptx
";
        assert_eq!(text, expected);
    }
}

/// A ptxas message about a whole kernel agrees with a rule.
#[test]
fn messages_without_a_line_concern_declarations() {
    for ptxas in xtask::oracles() {
        let (code, text) = ptx(ptxas.path(), &["large.ptx"]);
        assert_eq!(code, Some(1));
        let release = ptxas.release();
        let note = format!("note: ptxas {release} agrees: error: Entry function 'k' uses too much");
        assert!(text.starts_with("error[F002]") && text.contains(&note), "{text}");
        assert!(text.ends_with("\n1 error in large.ptx\n"), "{text}");
    }
}

#[test]
fn linker_errors_are_not_reported() {
    for ptxas in xtask::oracles() {
        let (code, text) = ptx(ptxas.path(), &["far.ptx"]);
        assert_eq!((code, text.as_str()), (Some(0), "no errors in far.ptx\n"));
    }
}

/// A file for a later target is assembled for that target.
#[test]
fn the_target_is_the_files_or_the_requested_one() {
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
fn the_documentation_shows_the_messages_of_ptxas() {
    let documentation = include_str!("../../docs/guide/src/tool.md");
    let release = "ptxas 13.0 ";
    for ptxas in xtask::oracles() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/src/tool.in");
        let path = ptxas.path().to_string_lossy();
        let (_, text) = ptx_in(folder, &["check", "typo.ptx", "--ptxas", "--ptxas-path", &path]);
        let text = text.replace(&format!("ptxas {} ", ptxas.release()), release);
        assert!(documentation.contains(&text), "this is not in docs/guide/src/tool.md:\n{text}");
    }
}
