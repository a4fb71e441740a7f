//! A client that speaks the protocol.

use std::collections::VecDeque;
use std::str::FromStr;
use std::thread::JoinHandle;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId, ResponseError};
use lsp_types::{Diagnostic, Position, PublishDiagnosticsParams, Range, Uri};
use serde_json::{Value, json};

/// Where the cursor is in the texts of tests.
pub(crate) const CURSOR: char = '¦';

/// How long a test waits for an answer.
const PATIENCE: Duration = Duration::from_mins(1);

pub(crate) struct Client {
    connection: Connection,
    server: Option<JoinHandle<Result<(), ptx_cli::ServeError>>>,
    next: i32,
    published: VecDeque<PublishDiagnosticsParams>,
    /// What the server answered to `initialize`.
    pub(crate) initialized: Value,
}

impl Client {
    /// A client of a server in this process.
    pub(crate) fn new() -> Self {
        Self::with(&Value::Null, &json!({}))
    }

    /// The same, with these options and capabilities.
    pub(crate) fn with(options: &Value, capabilities: &Value) -> Self {
        let (connection, server) = Connection::memory();
        let server = std::thread::spawn(move || ptx_cli::serve(&server));
        let mut client = Self {
            connection,
            server: Some(server),
            next: 0,
            published: VecDeque::new(),
            initialized: Value::Null,
        };
        let params = json!({ "capabilities": capabilities, "initializationOptions": options });
        client.initialized = client.request("initialize", params).expect("it starts");
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.connection.sender.send(notification.into()).expect("the server runs");
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).expect("the server runs");
        loop {
            match self.connection.receiver.recv_timeout(PATIENCE).expect("the server answers") {
                Message::Response(response) => {
                    assert_eq!(response.id, id);
                    return match response.error {
                        Some(error) => Err(error),
                        None => Ok(response.result.unwrap_or(Value::Null)),
                    };
                }
                Message::Notification(notification) => self.keep(notification),
                Message::Request(request) => panic!("{request:?}"),
            }
        }
    }

    fn keep(&mut self, notification: Notification) {
        assert_eq!(notification.method, "textDocument/publishDiagnostics");
        let params = serde_json::from_value(notification.params).expect("they are diagnostics");
        self.published.push_back(params);
    }

    pub(crate) fn open(&self, name: &str, text: &str) {
        let is_rust = std::path::Path::new(name).extension().is_some_and(|it| it == "rs");
        let language = if is_rust { "rust" } else { "ptx" };
        let item = json!({ "uri": uri(name), "languageId": language, "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// Makes changes, each of a range, or of everything.
    pub(crate) fn change(&self, name: &str, version: i32, changes: &[(Option<Range>, &str)]) {
        let change = |(range, text): &(Option<Range>, &str)| match range {
            Some(range) => json!({ "range": range, "text": text }),
            None => json!({ "text": text }),
        };
        let changes: Vec<Value> = changes.iter().map(change).collect();
        let document = json!({ "uri": uri(name), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    /// The next findings that the server publishes.
    pub(crate) fn published(&mut self) -> PublishDiagnosticsParams {
        while self.published.is_empty() {
            match self.connection.receiver.recv_timeout(PATIENCE).expect("the server publishes") {
                Message::Notification(notification) => self.keep(notification),
                other => panic!("{other:?}"),
            }
        }
        self.published.pop_front().expect("there is one")
    }

    /// The findings in a version of a document.
    pub(crate) fn diagnostics(&mut self, name: &str, version: i32) -> Vec<Diagnostic> {
        loop {
            let published = self.published();
            if published.uri.as_str() == uri(name) && published.version == Some(version) {
                return published.diagnostics;
            }
        }
    }

    /// Asks about a position in a document.
    pub(crate) fn ask(&mut self, method: &str, name: &str, at: Position) -> Value {
        self.try_ask(method, name, at, json!({})).expect("it has an answer")
    }

    /// The same, with other parameters.
    pub(crate) fn try_ask(
        &mut self,
        method: &str,
        name: &str,
        at: Position,
        more: Value,
    ) -> Result<Value, ResponseError> {
        let mut params = json!({ "textDocument": { "uri": uri(name) }, "position": at });
        if let (Value::Object(params), Value::Object(more)) = (&mut params, more) {
            params.extend(more);
        }
        self.request(&format!("textDocument/{method}"), params)
    }

    /// Ends the server.
    pub(crate) fn end(mut self) {
        self.request("shutdown", Value::Null).expect("it ends");
        self.notify("exit", Value::Null);
        let server = self.server.take().expect("it has not ended");
        server.join().expect("it does not panic").expect("it follows the protocol");
    }
}

/// Where a file of a test is.
pub(crate) fn uri(name: &str) -> String {
    let uri = format!("file:///{name}");
    Uri::from_str(&uri).expect("it is one");
    uri
}

/// The text without the cursor, and the position of that.
pub(crate) fn cursor(text: &str) -> (String, Position) {
    let at = text.find(CURSOR).expect("there is a cursor");
    let before = &text[..at];
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().encode_utf16().count();
    let number = |number: usize| u32::try_from(number).expect("it is small");
    (text.replacen(CURSOR, "", 1), Position::new(number(line), number(column)))
}

/// The text of a range of a document, in UTF-16 units.
pub(crate) fn slice(text: &str, range: Range) -> String {
    let at = |position: Position| {
        let line = text.split_inclusive('\n').nth(position.line as usize).unwrap_or_default();
        let before: usize =
            text.split_inclusive('\n').take(position.line as usize).map(str::len).sum();
        let units: Vec<u16> = line.encode_utf16().take(position.character as usize).collect();
        before + String::from_utf16_lossy(&units).len()
    };
    text[at(range.start)..at(range.end)].to_owned()
}

/// Text after these edits.
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<lsp_types::TextEdit> =
        serde_json::from_value(edits.clone()).expect("they are edits");
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.range.start));
    let mut text = text.to_owned();
    for edit in edits {
        let start = Range::new(Position::new(0, 0), edit.range.start);
        let start = slice(&text, start).len();
        let end = start + slice(&text, edit.range).len();
        text.replace_range(start..end, &edit.new_text);
    }
    text
}
