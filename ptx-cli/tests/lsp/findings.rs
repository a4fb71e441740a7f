//! Diagnostics and code actions, and how documents change.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use lsp_types::{CodeAction, Diagnostic, Position, Range};
use serde_json::{Value, json};

use super::{BROKEN, SCALE};
use crate::client::{Client, edited, slice, uri};

fn shown(text: &str, diagnostics: &[Diagnostic]) -> String {
    let one = |it: &Diagnostic| {
        let code = match &it.code {
            Some(lsp_types::NumberOrString::String(code)) => format!(" {code}"),
            _ => String::new(),
        };
        let line = it.range.start.line + 1;
        let severity = it.severity.expect("it has one");
        format!("{line} `{}` {severity:?}{code}: {}\n", slice(text, it.range), it.message)
    };
    diagnostics.iter().map(one).collect()
}

fn check(text: &str, options: &Value, expected: &Expect) {
    let mut client = Client::with(options, &json!({}));
    client.open("a.ptx", text);
    let diagnostics = client.diagnostics("a.ptx", 1);
    client.end();
    expected.assert_eq(&shown(text, &diagnostics));
}

#[test]
fn findings_are_those_of_the_tool() {
    check(SCALE, &Value::Null, &expect![[r#""#]]);
    check(
        BROKEN,
        &Value::Null,
        &expect![[r#"
        11 `8` Error A021: offset 8 into `row` is not a multiple of 16, which this access needs
        help: write a multiple of 16, or access fewer bytes at a time
        12 `.x` Error: this statement has no end
        help: write `;` after it
        13 `%r7` Error A101: `%r7` is not declared: `%r<4>` ends at `%r3`
        help: declare more of them, as in `%r<8>`
        14 `.sahred` Error A084: `.sahred` is not a known modifier
        help: did you mean `.shared`?
        15 `,` Error: the text ends in the middle of this statement
        help: write the rest of it, and the `}` of its body
    "#]],
    );
}

#[test]
fn a_code_leads_to_its_page() {
    let mut client = Client::new();
    client.open("a.ptx", BROKEN);
    let all = client.diagnostics("a.ptx", 1);
    let page = all.iter().find_map(|it| it.code_description.as_ref()).expect("one has a page");
    expect!["https://ptx-rs.github.io/ptx/rules/A021.html"].assert_eq(page.href.as_str());
    client.end();
}

#[test]
fn hazards_can_be_allowed_by_a_setting() {
    check(
        BROKEN,
        &json!({ "allow": ["A021"] }),
        &expect![[r#"
        12 `.x` Error: this statement has no end
        help: write `;` after it
        13 `%r7` Error A101: `%r7` is not declared: `%r<4>` ends at `%r3`
        help: declare more of them, as in `%r<8>`
        14 `.sahred` Error A084: `.sahred` is not a known modifier
        help: did you mean `.shared`?
        15 `,` Error: the text ends in the middle of this statement
        help: write the rest of it, and the `}` of its body
    "#]],
    );
    let mut client = Client::new();
    client.open("a.ptx", BROKEN);
    let before = client.diagnostics("a.ptx", 1).len();
    let settings = json!({ "settings": { "ptx": { "allow": ["A021"] } } });
    client.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(client.diagnostics("a.ptx", 1).len(), before - 1);
    client.end();
}

#[test]
fn edits_change_the_document_in_both_encodings() {
    for (encoding, column) in [("utf-8", 5), ("utf-16", 4)] {
        let capabilities = json!({ "general": { "positionEncodings": [encoding] } });
        let mut client = Client::with(&Value::Null, &capabilities);
        assert_eq!(client.initialized["capabilities"]["positionEncoding"], encoding);
        client.open("a.ptx", "// π\n.versoin 8.0\n.target sm_90\n.address_size 64\n");
        assert_eq!(client.diagnostics("a.ptx", 1).len(), 2);
        let at = |line, column| Position::new(line, column);
        let word = Range::new(at(1, 0), at(1, 8));
        let end = Range::new(at(0, column), at(0, column));
        client.change("a.ptx", 2, &[(Some(end), " and more"), (Some(word), ".version")]);
        // The letter in the comment stays.
        assert_eq!(client.diagnostics("a.ptx", 2).len(), 1);
        client.change("a.ptx", 3, &[(None, ".versoin")]);
        client.change("a.ptx", 4, &[(None, ".version 8.0 .target sm_90")]);
        // What was typed over is not checked, or its findings come first.
        assert_eq!(client.diagnostics("a.ptx", 4), []);
        client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri("a.ptx") } }));
        assert_eq!(client.published().version, None);
        client.end();
    }
}

#[test]
fn an_edit_in_a_large_file_gives_the_findings_of_the_kernel_and_then_all() {
    let text = crate::speed::large(20);
    let (head, rest) = text.split_at(text.len() / 2);
    let rest = rest.replacen(", %r2;", ", %r200;", 1);
    let new = format!("{head}{rest}");
    let mut client = Client::new();
    client.open("a.ptx", &text);
    assert_eq!(client.diagnostics("a.ptx", 1), []);
    client.change("a.ptx", 2, &[(None, &new)]);
    let of_kernel = client.diagnostics("a.ptx", 2);
    expect![[r#"
        1059 `%r200` Error A101: `%r200` is not declared: `%r<100>` ends at `%r99`
        help: declare more of them, as in `%r<201>`
    "#]]
    .assert_eq(&shown(&new, &of_kernel));
    assert_eq!(client.diagnostics("a.ptx", 2), of_kernel);
    client.end();
}

/// The text after formatting, or why there is none.
fn formatted(text: &str, range: Option<Range>) -> String {
    let mut client = Client::new();
    client.open("a.ptx", text);
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let document = json!({ "uri": uri("a.ptx") });
    let mut params = json!({ "textDocument": document, "options": options });
    if let Some(range) = range {
        params["range"] = json!(range);
    }
    let method = if range.is_some() { "rangeFormatting" } else { "formatting" };
    let edits = client.request(&format!("textDocument/{method}"), params);
    client.end();
    match edits {
        Ok(edits) => edited(text, &edits),
        Err(error) => format!("error: {}\n", error.message),
    }
}

#[test]
fn documents_and_ranges_are_formatted() {
    let text = ".version 8.0\n.target sm_90a\n.address_size 64\n\n.visible .entry k()\n{\n\
        .reg .b32 %r<3>;\n  add.u32   %r1,%r2, 1;\n    ret;\n}\n";
    expect![[r#"
        .version 8.0
        .target sm_90a
        .address_size 64

        .visible .entry k()
        {
            .reg .b32 %r<3>;
            add.u32 %r1, %r2, 1;
            ret;
        }
    "#]]
    .assert_eq(&formatted(text, None));
    let line = Range::new(Position::new(7, 0), Position::new(7, 1));
    expect![[r#"
        .version 8.0
        .target sm_90a
        .address_size 64

        .visible .entry k()
        {
        .reg .b32 %r<3>;
            add.u32 %r1, %r2, 1;
            ret;
        }
    "#]]
    .assert_eq(&formatted(text, Some(line)));
    assert_eq!(formatted(SCALE, None), formatted(&formatted(SCALE, None), None));
    expect![[r#"
        error: a file with syntax errors has no format; the first is in line 12: this statement has no end; write `;` after it
    "#]].assert_eq(&formatted(BROKEN, None));
}

#[test]
fn rust_files_are_left_alone() {
    let mut client = Client::new();
    client.open("a.rs", "fn main() {}");
    client.open("a.ptx", ".version 8.0 .target sm_90");
    assert_eq!(client.published().uri.as_str(), uri("a.ptx"));
    client.end();
}

/// The titles of the actions in a line, and the lines that each changes.
fn actions(text: &str, line: u32, expected: &Expect) {
    let mut client = Client::new();
    client.open("a.ptx", text);
    let range = Range::new(Position::new(line - 1, 0), Position::new(line - 1, 999));
    // What an editor shows there.
    let mut shown = client.diagnostics("a.ptx", 1);
    shown.retain(|it| (it.range.start.line..=it.range.end.line).contains(&(line - 1)));
    let context = json!({ "diagnostics": shown });
    let document = json!({ "uri": uri("a.ptx") });
    let params = json!({ "textDocument": document, "range": range, "context": context });
    let actions = client.request("textDocument/codeAction", params).expect("it answers");
    client.end();
    let actions: Vec<CodeAction> = serde_json::from_value(actions).expect("actions");
    let mut shown = String::new();
    for action in &actions {
        let changes = action.edit.as_ref().and_then(|edit| edit.changes.as_ref());
        let edits = changes.and_then(|all| all.values().next()).expect("it has edits");
        let after = edited(text, &serde_json::to_value(edits).expect("edits"));
        shown.extend([&action.title, "\n"]);
        let (old, new): (Vec<&str>, Vec<&str>) = (text.lines().collect(), after.lines().collect());
        let _ = match new.iter().position(|line| !old.contains(line)) {
            Some(n) => writeln!(shown, "    {}", new[n].trim()),
            None => writeln!(shown, "    {} lines fewer", old.len() - new.len()),
        };
    }
    expected.assert_eq(&shown);
}

#[test]
fn a_fix_that_is_one_edit_is_an_action() {
    actions(BROKEN, 5, &expect![[r#""#]]);
    actions(
        BROKEN,
        11,
        &expect![[r#"
        Allow A021 here
            // ptx: allow(A021)
    "#]],
    );
    actions(
        BROKEN,
        12,
        &expect![[r#"
        Write `;` here
            mov.u32 %r1, %tid.x;
    "#]],
    );
    actions(
        BROKEN,
        14,
        &expect![[r#"
        Write `.shared` for `.sahred`
            ld.shared.u32 %r3, [row];
        Allow A084 here
            // ptx: allow(A084)
    "#]],
    );
    let unneeded = SCALE.replace("    mov.u32 %r2", "    // ptx: allow(A021)\n    mov.u32 %r2");
    actions(&unneeded, 28, &expect![[r#""#]]);
    actions(SCALE, 28, &expect![[r#""#]]);
}

/// A kernel whose threads read what others write, without a barrier in between.
const RACE: &str = "\
.version 8.0
.target sm_90a
.address_size 64

.shared .align 4 .b32 row[64];

.visible .entry race()
.reqntid 64, 1, 1
{
    .reg .b32 %r<6>;
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, row;
    add.u32 %r4, %r3, %r2;
    st.shared.b32 [%r4], %r1;
    sub.u32 %r4, 252, %r2;
    add.u32 %r4, %r3, %r4;
    ld.shared.b32 %r5, [%r4];
    st.shared.b32 [%r4], %r5;
    ret;
}
";

#[test]
fn the_other_of_two_accesses_is_related() {
    let mut client = Client::new();
    client.open("a.ptx", RACE);
    let diagnostics = client.diagnostics("a.ptx", 1);
    client.end();
    let mut shown = String::new();
    for diagnostic in diagnostics {
        let line = diagnostic.range.start.line + 1;
        let _ = writeln!(shown, "{line} {:?}", diagnostic.code.expect("it has one"));
        for related in diagnostic.related_information.into_iter().flatten() {
            assert_eq!(related.location.uri.as_str(), uri("a.ptx"));
            let (range, message) = (related.location.range, related.message);
            let line = range.start.line + 1;
            let _ = writeln!(shown, "  {line} `{}`: {message}", slice(RACE, range));
        }
    }
    expect![[r#"
        18 String("A109")
          15 `%r4`: this is the other place that A109 is about
    "#]]
    .assert_eq(&shown);
}

#[test]
fn registers_that_a_family_lacks_are_declared() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n    \
        .reg .f32 %f<4>;\n    add.f32 %f1, %f1, %f9;\n    ret;\n}\n";
    actions(
        text,
        7,
        &expect![[r#"
        Write `%f<10>` for `%f<4>`
            .reg .f32 %f<10>;
    "#]],
    );
}

/// In a large file, the part around the finding is checked alone.
#[test]
fn a_large_file_has_fixes_too() {
    let text = crate::speed::large(14).replacen("add.u32 %r50,", "ad.u32 %r50,", 1);
    let line = text.lines().position(|line| line.contains("ad.u32")).expect("it is there") + 1;
    actions(
        &text,
        u32::try_from(line).expect("it is small"),
        &expect![[r#"
        Write `add` for `ad`
            0 lines fewer
        Allow A084 here
            // ptx: allow(A084)
    "#]],
    );
    // What kernels need of a declaration is more than it has.
    let text = text.replacen(".align 8", ".align 4", 1);
    actions(
        &text,
        4,
        &expect![[r#"
        Write `8` for `4`
            .shared .align 8 .b32 all[64];
        Allow A022 here
            // ptx: allow(A022)
    "#]],
    );
}
