//! How long an editor waits. `cargo test --release -p ptx-cli --test lsp -- --ignored --nocapture speed`

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use lsp_types::{Diagnostic, Position, Range};
use serde_json::json;

use crate::client::{Client, uri};

/// A file with this many kernels of about 100 statements each.
pub(crate) fn large(kernels: usize) -> String {
    with_sums(kernels, 85)
}

/// The same with this many sums in each kernel.
fn with_sums(kernels: usize, sums: usize) -> String {
    let registers = sums + 15;
    let mut text = ".version 8.0\n.target sm_90a\n.address_size 64\n\
        .shared .align 8 .b32 all[64];\n"
        .to_owned();
    for kernel in 0..kernels {
        let _ = write!(
            text,
            ".visible .entry k{kernel}(.param .u64 p, .param .u32 n)\n{{\n    \
            .reg .pred %p<2>;\n    .reg .b32 %r<{registers}>;\n    .reg .b64 %rd<4>;\n    \
            .shared .align 4 .b32 row{kernel}[64];\n    ld.param.u64 %rd1, [p];\n    \
            ld.param.u32 %r1, [n];\n    mov.u32 %r2, %tid.x;\n    \
            setp.ge.u32 %p1, %r2, %r1;\n    @%p1 bra DONE;\n    mul.wide.u32 %rd2, %r2, 4;\n    \
            add.u64 %rd3, %rd1, %rd2;\n    ld.global.u32 %r3, [%rd3];\n"
        );
        for n in 3..sums + 3 {
            let _ = writeln!(text, "    add.u32 %r{}, %r{n}, %r2;", n + 1);
        }
        text += "    ld.shared.v2.u32 {%r1, %r2}, [all];\n    st.global.u32 [%rd3], %r50;\nDONE:\n    ret;\n}\n";
    }
    text
}

/// How often each request is made; the fastest counts.
const TIMES: usize = 7;

#[test]
#[ignore = "it measures time, which counts in a release build alone"]
fn speed() {
    // What all kernels need of a declaration is more than it has.
    let text = large(100).replacen(".align 8", ".align 4", 1);
    let mut client = Client::with(&json!({ "inlayHints": { "values": true } }), &json!({}));
    let statements = text.matches(';').count();
    println!("{statements} statements, {} bytes", text.len());
    let start = Instant::now();
    client.open("a.ptx", &text);
    let of_declaration = client.diagnostics("a.ptx", 1);
    assert_eq!(of_declaration.len(), 1);
    println!("{:?} until the findings after opening", start.elapsed());
    // A register in the middle, and the end of its statement.
    let line = u32::try_from(text.lines().count() / 2).expect("it is small");
    let at = Position::new(line, 14);
    let mut slowest = Duration::ZERO;
    let context = json!({ "includeDeclaration": true });
    // A single function of this size.
    let one = with_sums(1, 9_900).replacen("add.u32 %r5000,", "ad.u32 %r5000,", 1);
    client.open("one.ptx", &one);
    let of_one = client.diagnostics("one.ptx", 1);
    assert_eq!(of_one.len(), 1);
    // What an editor shows at once.
    let shown = Range::new(Position::new(line, 0), Position::new(line + 60, 0));
    let diagnostic = json!({ "range": Range::new(at, at), "message": "" });
    let actions = |shown: &[Diagnostic]| json!({ "range": shown[0].range, "context": { "diagnostics": shown } });
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let mut version = 1;
    for (file, method, more) in [
        ("hover", json!({})),
        ("definition", json!({})),
        ("references", json!({ "context": context })),
        ("documentHighlight", json!({})),
        ("rename", json!({ "newName": "%q4" })),
        ("completion", json!({})),
        ("signatureHelp", json!({})),
        ("documentSymbol", json!({})),
        ("foldingRange", json!({})),
        ("prepareRename", json!({})),
        ("semanticTokens/full", json!({})),
        ("inlayHint", json!({ "range": shown })),
        ("codeAction", json!({ "range": shown, "context": { "diagnostics": [] } })),
        ("codeAction", json!({ "range": shown, "context": { "diagnostics": [diagnostic] } })),
        ("codeAction", actions(&of_declaration)),
        ("formatting", json!({ "options": options })),
        ("rangeFormatting", json!({ "options": options, "range": shown })),
    ]
    .map(|(method, more)| ("a.ptx", method, more))
    .into_iter()
    .chain([("one.ptx", "hover", json!({})), ("one.ptx", "codeAction", actions(&of_one))])
    {
        let mut fastest = Duration::MAX;
        // Others use the machine, too.
        for _ in 0..TIMES {
            // After an edit, so that nothing is known yet.
            version += 1;
            let end = Position::new(line, 0);
            let start = Instant::now();
            client.change(file, version, &[(Some(Range::new(end, end)), " ")]);
            let document = json!({ "uri": uri(file) });
            let mut params = json!({ "textDocument": document, "position": at });
            if let (serde_json::Value::Object(params), serde_json::Value::Object(more)) =
                (&mut params, more.clone())
            {
                params.extend(more);
            }
            let answer = client.request(&format!("textDocument/{method}"), params);
            fastest = fastest.min(start.elapsed());
            let shown = &more["context"]["diagnostics"][0]["code"];
            assert!(
                shown.is_null() || answer.is_ok_and(|it| it[0].is_object()),
                "{file}: {method}"
            );
        }
        println!("{fastest:?} for an edit of {file} and {method}");
        slowest = slowest.max(fastest);
    }
    let start = Instant::now();
    let end = Position::new(line, 0);
    client.change("a.ptx", version + 1, &[(Some(Range::new(end, end)), " ")]);
    client.diagnostics("a.ptx", version + 1);
    println!("{:?} until the findings after an edit", start.elapsed());
    client.end();
    assert!(slowest < Duration::from_millis(50), "{slowest:?}");
}
