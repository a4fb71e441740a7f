//! The server lives, whatever a text looks like and wherever the cursor is.

use lsp_types::{Position, Range};
use serde_json::{Value, json};

use super::rust::BLUR;
use super::{BROKEN, SCALE};
use crate::client::{Client, uri};

/// Numbers that look random, the same in each run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end.max(1)).unwrap_or(1)).unwrap_or(0)
    }
}

const AT_A_POSITION: [&str; 6] =
    ["hover", "definition", "documentHighlight", "completion", "signatureHelp", "prepareRename"];
const OF_A_DOCUMENT: [&str; 3] = ["documentSymbol", "foldingRange", "semanticTokens/full"];

/// Asks everything about a position; no answer is a defect of the server.
fn ask_all(client: &mut Client, name: &str, at: Position, with_actions: bool) {
    let document = json!({ "uri": uri(name) });
    let mut ask = |method: &str, params: Value| {
        let answer = client.request(&format!("textDocument/{method}"), params);
        if let Err(error) = answer {
            assert_eq!(error.code, lsp_server::ErrorCode::RequestFailed as i32, "{error:?}");
        }
    };
    for method in AT_A_POSITION {
        ask(method, json!({ "textDocument": document, "position": at }));
    }
    let context = json!({ "includeDeclaration": true });
    ask("references", json!({ "textDocument": document, "position": at, "context": context }));
    ask("rename", json!({ "textDocument": document, "position": at, "newName": "%q1" }));
    for method in OF_A_DOCUMENT {
        ask(method, json!({ "textDocument": document }));
    }
    let range = Range::new(Position::new(0, 0), at);
    ask("inlayHint", json!({ "textDocument": document, "range": range }));
    let options = json!({ "tabSize": 4, "insertSpaces": true });
    ask("formatting", json!({ "textDocument": document, "options": options }));
    if with_actions {
        let context = json!({ "diagnostics": [] });
        let range = Range::new(at, Position::new(at.line.saturating_add(2), 0));
        ask("codeAction", json!({ "textDocument": document, "range": range, "context": context }));
    }
}

#[test]
fn mutilated_texts_are_answered() {
    mutilate("a.ptx", [SCALE, BROKEN]);
}

#[test]
fn mutilated_rust_files_are_answered() {
    mutilate("a.rs", [BLUR, SCALE]);
}

fn mutilate(name: &str, texts: [&str; 2]) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let options = json!({ "inlayHints": { "values": true } });
    let mut client = Client::with(&options, &json!({}));
    client.open(name, "");
    let words = [
        "{", "}", "(", ")", "ptx! {", "fn x", "#(", "[", "\"", "/*", ";", ":", "%", ".", "π", "\r",
        ",", "<",
    ];
    for (round, text) in (0..60).zip(texts.into_iter().cycle()) {
        let mut text = text.to_owned();
        match round % 3 {
            0 => text.truncate(random.below(text.len())),
            1 => {
                let at = random.below(text.len());
                text.insert_str(at, words[random.below(words.len())]);
            }
            _ => {
                let (start, length) = (random.below(text.len()), random.below(40));
                text.drain(start..(start + length).min(text.len()));
            }
        }
        client.change(name, round + 2, &[(None, &text)]);
        for _ in 0..3 {
            let line = u32::try_from(random.below(60)).unwrap_or(0);
            let column = u32::try_from(random.below(50)).unwrap_or(0);
            ask_all(&mut client, name, Position::new(line, column), round % 8 == 0);
        }
    }
    client.end();
}

#[test]
fn edits_of_impossible_ranges_are_taken() {
    let mut client = Client::new();
    client.open("a.ptx", "π.version 8.0\n");
    let mut random = Random(7);
    for version in 2..80 {
        let mut at = || {
            let number = |it| u32::try_from(it).unwrap_or(u32::MAX);
            Position::new(number(random.below(4)), number(random.below(9)))
        };
        let range = Range::new(at(), at());
        client.change(
            "a.ptx",
            version,
            &[(Some(range), ["", "x\n", "𝄞", "\r\n"][random.below(4)])],
        );
    }
    ask_all(&mut client, "a.ptx", Position::new(u32::MAX, u32::MAX), true);
    client.end();
}

#[test]
fn wrong_requests_are_errors() {
    let mut client = Client::new();
    let unknown = client.request("textDocument/unknown", json!({})).expect_err("there is none");
    assert_eq!(unknown.message, "there is no request `textDocument/unknown` here");
    let mut wrong = |params: Value| {
        let error = client.request("textDocument/hover", params).expect_err("they are wrong");
        assert_eq!(error.code, lsp_server::ErrorCode::InvalidParams as i32);
        error.message
    };
    // In the words of the protocol, not of this program.
    assert_eq!(wrong(json!({ "x": 1 })), "missing field `textDocument`");
    assert_eq!(wrong(json!(17)), "invalid type: integer `17`, expected an object");
    let document = json!({ "uri": uri("a.ptx") });
    let at = |at: Value| json!({ "textDocument": document, "position": at });
    assert_eq!(wrong(at(json!("x"))), "invalid type: string \"x\", expected an object");
    let far = json!({ "line": -1, "character": 0 });
    assert_eq!(wrong(at(far)), "invalid value: integer `-1`, expected a number");
    let at = Position::new(0, 0);
    assert_eq!(client.ask("hover", "not_open.ptx", at), Value::Null);
    client.notify("textDocument/didOpen", json!(17));
    client.notify("textDocument/didChange", json!({ "textDocument": { "uri": "file:///b" } }));
    client.open("a.ptx", SCALE);
    assert_eq!(client.diagnostics("a.ptx", 1), []);
    client.end();
}

/// The bytes of memory of this process.
#[cfg(target_os = "linux")]
fn memory() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    let resident = pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok());
    resident.expect("it is a number") * 4096
}

/// What a Rust file declares is read again after each edit outside of bodies, and the old text is not kept.
#[cfg(target_os = "linux")]
#[test]
fn a_long_session_in_a_rust_file_takes_no_more_memory() {
    const EDITS: usize = 100;
    let text = format!("{BLUR}// {}\n", "-".repeat(1 << 20));
    let mut client = Client::with(&json!({ "inlayHints": { "values": true } }), &json!({}));
    client.open("a.rs", &text);
    let (first, all) = (Position::new(0, 0), Position::new(200, 0));
    let params = json!({ "textDocument": { "uri": uri("a.rs") }, "range": Range::new(first, all) });
    let mut before = 0;
    for edit in 0..EDITS {
        let version = i32::try_from(edit).expect("it is small") + 2;
        client.change("a.rs", version, &[(Some(Range::new(first, first)), "//\n")]);
        client.request("textDocument/inlayHint", params.clone()).expect("it answers");
        if edit == EDITS / 10 {
            before = memory();
        }
    }
    client.end();
    let grown = memory().saturating_sub(before);
    assert!(grown < EDITS << 18, "{grown} bytes more");
}
