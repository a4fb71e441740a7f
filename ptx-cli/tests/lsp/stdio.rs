//! The tool itself, over its standard input and output.

use std::io::{BufReader, Write};
use std::process::{Command, Stdio};

use lsp_server::{Message, Notification, Request};
use serde_json::json;

use super::BROKEN;

#[test]
fn the_tool_serves_an_editor() {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_ptx"));
    let tool = tool.args(["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut tool = tool.spawn().expect("it runs");
    let mut input = tool.stdin.take().expect("it is piped");
    let mut output = BufReader::new(tool.stdout.take().expect("it is piped"));
    let mut send = |message: Message| message.write(&mut input).expect("it is read");
    let request = |id: i32, method: &str, params| {
        Request { id: id.into(), method: method.to_owned(), params }.into()
    };
    let notification =
        |method: &str, params| Notification { method: method.to_owned(), params }.into();
    send(request(1, "initialize", json!({ "capabilities": {} })));
    let answer = Message::read(&mut output).expect("it is a message").expect("it answers");
    let Message::Response(response) = answer else { panic!("{answer:?}") };
    let result = response.result.expect("it starts");
    assert_eq!(result["serverInfo"]["name"], "ptx");
    send(notification("initialized", json!({})));
    let item = json!({ "uri": "file:///a.ptx", "languageId": "ptx", "version": 1, "text": BROKEN });
    send(notification("textDocument/didOpen", json!({ "textDocument": item })));
    let answer = Message::read(&mut output).expect("it is a message").expect("it publishes");
    let Message::Notification(published) = answer else { panic!("{answer:?}") };
    assert_eq!(published.method, "textDocument/publishDiagnostics");
    send(request(2, "shutdown", json!(null)));
    Message::read(&mut output).expect("it is a message").expect("it answers");
    send(notification("exit", json!(null)));
    assert!(tool.wait().expect("it ends").success());
}

#[test]
fn what_is_not_the_protocol_is_an_error() {
    for input in ["", "hello\n", "Content-Length: 2\r\n\r\n{}"] {
        let mut tool = Command::new(env!("CARGO_BIN_EXE_ptx"));
        let tool = tool.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::null());
        let mut tool = tool.stderr(Stdio::piped()).spawn().expect("it runs");
        let mut stdin = tool.stdin.take().expect("it is piped");
        stdin.write_all(input.as_bytes()).expect("it is read");
        drop(stdin);
        let output = tool.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(2), "{input:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.starts_with("error: the editor"), "{message}");
    }
}
