//! The interface for other programs: JSON and SARIF, exit codes and streams.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/check.in");

/// The tool, run in the folder of small files.
fn ptx(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptx"));
    command.args(arguments).current_dir(FOLDER).stdin(Stdio::null());
    command
}

fn output(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("it writes UTF-8");
    (status.code(), text(stdout), text(stderr))
}

fn json(arguments: &[&str]) -> (Option<i32>, Value) {
    let (code, text, _) = output(&mut ptx(arguments));
    (code, serde_json::from_str(&text).expect("it is one document"))
}

fn list<'v>(value: &'v Value, field: &str) -> &'v [Value] {
    value[field].as_array().unwrap_or_else(|| panic!("`{field}` is a list in {value}"))
}

fn number(value: &Value, field: &str) -> usize {
    let number =
        value[field].as_u64().unwrap_or_else(|| panic!("`{field}` is a number in {value}"));
    usize::try_from(number).expect("it is small")
}

/// Bytes, lines and columns agree, and the tool accepts the suggested allowance.
#[test]
fn json_locations_are_in_the_file() {
    let files = ["hazards.ptx", "syntax.ptx", "refused.ptx", "allowed.ptx", "long_line.ptx"];
    let (code, document) = json(&[&["check", "--format", "json"], &files[..]].concat());
    assert_eq!((code, &document["version"]), (Some(1), &Value::from(1)));
    let findings = list(&document, "findings");
    assert_eq!(
        findings.len(),
        number(&document["summary"], "errors") + number(&document["summary"], "warnings")
    );
    for file in files {
        assert!(findings.iter().any(|finding| finding["file"] == file), "{file} has findings");
    }
    for finding in findings {
        let file = finding["file"].as_str().expect("a file");
        let text = std::fs::read_to_string(Path::new(FOLDER).join(file)).expect("it is there");
        let ends = [("byte_start", "line", "column"), ("byte_end", "end_line", "end_column")];
        for (byte, line, column) in ends {
            let before = &text[..number(finding, byte)];
            let start = before.rfind('\n').map_or(0, |at| at + 1);
            assert_eq!(number(finding, line), before.matches('\n').count() + 1, "{finding}");
            assert_eq!(number(finding, column), before[start..].chars().count() + 1, "{finding}");
        }
        assert_eq!(finding["kind"] == "hazard", finding["allow"].is_object(), "{finding}");
        if let Some(option) = finding["allow"]["option"].as_str() {
            let mut arguments = vec!["check", file];
            arguments.extend(option.split(' '));
            let (_, text, _) = output(&mut ptx(&arguments));
            let code = finding["code"].as_str().expect("it has a code");
            assert!(!text.contains(&format!("error[{code}]")), "{text}");
        }
    }
}

/// Every rule and place in a log is right. `ptx-cli/tests/sarif` compares its properties with those of the standard.
#[test]
fn sarif_logs_have_places_and_rules() {
    let files = ["hazards.ptx", "syntax.ptx", "refused.ptx", "allowed.ptx", "absent.ptx"];
    let (code, log) = json(&[&["check", "--format", "sarif"], &files[..]].concat());
    assert_eq!(code, Some(2));
    let [run] = list(&log, "runs") else { panic!("one run in {log}") };
    let rules = list(&run["tool"]["driver"], "rules");
    for rule in rules {
        for field in ["id", "helpUri"] {
            assert!(rule[field].as_str().is_some_and(|text| !text.is_empty()), "{field} of {rule}");
        }
        let description = rule["shortDescription"]["text"].as_str().expect("it is described");
        assert!(!description.contains('{'), "{description}");
    }
    let results = list(run, "results");
    assert!(results.len() > 10);
    for result in results {
        assert_eq!(rules[number(result, "ruleIndex")]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        let file = place["artifactLocation"]["uri"].as_str().expect("a file");
        let text = std::fs::read_to_string(Path::new(FOLDER).join(file)).expect("it is there");
        let region = &place["region"];
        let start = number(region, "byteOffset");
        let blamed = &text[start..start + number(region, "byteLength")];
        assert_eq!(region["snippet"]["text"], blamed, "{result}");
    }
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let told = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert!(told.as_str().is_some_and(|text| text.contains("absent.ptx")), "{told}");
}

#[test]
fn layouts_are_json_with_locations() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/layout.in");
    let mut command = ptx(&["layout", "stages.ptx", "--format", "json"]);
    let (code, text, _) = output(command.current_dir(folder));
    let document: Value = serde_json::from_str(&text).expect("it is one document");
    assert_eq!(code, Some(0));
    let [kernel, _] = list(&document, "kernels") else { panic!("two kernels in {document}") };
    let offsets: Vec<usize> =
        list(kernel, "static_shared").iter().map(|place| number(place, "offset")).collect();
    assert_eq!(offsets, [0, 1024, 17_408, 17_416]);
    assert_eq!(list(kernel, "parameters")[0]["points_to"]["space"], ".global");
    assert_eq!(list(kernel, "dynamic_shared")[0]["bytes"], Value::Null);
}

#[test]
fn the_standard_input_is_a_file() {
    let mut child = ptx(&["check", "-", "clean.ptx", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let text = std::fs::read(Path::new(FOLDER).join("hazards.ptx")).expect("it is there");
    child.stdin.take().expect("it is piped").write_all(&text).expect("it reads");
    let Output { status, stdout, .. } = child.wait_with_output().expect("it ends");
    let document: Value = serde_json::from_slice(&stdout).expect("it is one document");
    assert_eq!(status.code(), Some(1));
    assert_eq!(document["files"][0]["file"], "<stdin>");
    assert_eq!(document["files"][0]["errors"], 3);
    assert_eq!(document["files"][1]["errors"], 0);
}

/// Like `ptx check .. | head -0`.
#[test]
fn a_closed_output_fails_silently() {
    let mut child = ptx(&["check", "hazards.ptx"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    let Output { status, stderr, .. } = child.wait_with_output().expect("it ends");
    assert_eq!((status.code(), stderr.as_slice()), (Some(2), &b""[..]));
}

/// Arbitrary bytes are read, and reported not to be PTX.
#[test]
fn arbitrary_bytes_are_accepted_as_input() {
    let folder = tempfile::tempdir().expect("there is room");
    let bytes: Vec<u8> = (0..=255).cycle().take(5_000).collect();
    for bytes in [&bytes[..], b"", b"\0", b"\r\r\n", b"{{{{", b"\xff.version"] {
        std::fs::write(folder.path().join("any.ptx"), bytes).expect("there is room");
        for format in ["text", "json", "sarif"] {
            let mut command = ptx(&["check", "any.ptx", "--format", format]);
            let (code, text, stderr) = output(command.current_dir(folder.path()));
            assert_eq!((code, stderr.as_str()), (Some(1), ""), "{bytes:?}: {text}");
            assert!(!text.contains('\u{1b}'), "{text}");
        }
        let mut command = ptx(&["layout", "any.ptx"]);
        let (code, text, stderr) = output(command.current_dir(folder.path()));
        assert_eq!((code, text.as_str()), (Some(1), ""), "{bytes:?}: {stderr}");
    }
}

/// Output that does not go to a terminal has no colours, whatever the environment specifies.
#[test]
fn colors_are_for_terminals() {
    let written = |arguments: &[&str], variable: &str| {
        output(ptx(arguments).env_remove("NO_COLOR").env(variable, "1")).1
    };
    let plain = ["check", "hazards.ptx"];
    assert!(!written(&plain, "UNUSED").contains('\u{1b}'));
    let asked = ["check", "hazards.ptx", "--color", "always"];
    assert!(written(&asked, "NO_COLOR").contains('\u{1b}'));
    let refused = ["check", "hazards.ptx", "--color", "never"];
    assert!(!written(&refused, "CLICOLOR_FORCE").contains('\u{1b}'));
}
