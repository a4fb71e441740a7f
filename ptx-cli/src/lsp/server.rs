//! The loop that answers an editor.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeConfiguration, DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument,
    Notification as _, PublishDiagnostics,
};
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest,
    FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest, InlayHintRequest,
    PrepareRenameRequest, RangeFormatting, References, Rename, Request as _,
    SemanticTokensFullRequest, SignatureHelpRequest,
};
use lsp_types::{
    CompletionResponse, DocumentSymbolResponse, GotoDefinitionResponse, InitializeParams,
    PrepareRenameResponse, PublishDiagnosticsParams, SemanticTokensResult, ServerInfo,
    TextDocumentPositionParams, Uri,
};
use proc_macro2::extra::invalidate_current_thread_spans;
use serde::de::DeserializeOwned;

use super::capabilities::{capabilities, encoding};
use super::checker::Checker;
use super::document::{Document, Language};
use super::lines::Encoding;
use super::settings::Settings;
use super::{
    actions, completion, folding, formatting, hints, hover, names, rename, semantic, signature,
    symbols,
};

/// Why serving an editor ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The editor does not follow the protocol.
    #[error("the editor does not follow the language server protocol: {0}")]
    Protocol(#[from] lsp_server::ProtocolError),
    /// What it says of itself cannot be read.
    #[error("the editor's `initialize` cannot be read: {}", in_words(.0))]
    Initialize(#[from] serde_json::Error),
    /// The editor is gone without having said `shutdown` and `exit`.
    #[error("the editor has closed the connection without `shutdown`")]
    Disconnected,
}

/// Answers an editor over a connection, from `initialize` to `exit`.
///
/// # Errors
/// The editor does not follow the protocol, or is gone without having said so.
pub fn serve(connection: &Connection) -> Result<(), ServeError> {
    let (id, params) = connection.initialize_start()?;
    let client: InitializeParams = serde_json::from_value(params)?;
    let encoding = encoding(&client);
    let result = lsp_types::InitializeResult {
        capabilities: capabilities(encoding),
        server_info: Some(ServerInfo {
            name: "ptx".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    };
    connection.initialize_finish(id, serde_json::to_value(result)?)?;
    let mut server = Server {
        connection,
        encoding,
        settings: Settings::of(client.initialization_options.as_ref()),
        documents: HashMap::new(),
        checker: Checker::start(&connection.sender),
    };
    server.run()
}

struct Server<'c> {
    connection: &'c Connection,
    encoding: Encoding,
    settings: Settings,
    documents: HashMap<Uri, Document>,
    checker: Checker,
}

/// Why a request has no answer.
enum Failure {
    /// Its parameters cannot be read.
    Params(String),
    /// What it asks for cannot be done, for a reason that an editor shows.
    Refused(String),
}

impl Server<'_> {
    fn run(&mut self) -> Result<(), ServeError> {
        for message in &self.connection.receiver {
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    let response = self.answer(request);
                    self.send(response.into());
                }
                Message::Notification(notification) => {
                    // A notification has no answer, so nobody can be told of a defect.
                    let _ = catch_unwind(AssertUnwindSafe(|| self.note(&notification)));
                }
                Message::Response(_) => {}
            }
            // Each Rust text that was read would be kept, and nothing that refers to one is.
            invalidate_current_thread_spans();
        }
        Err(ServeError::Disconnected)
    }

    fn send(&self, message: Message) {
        // If the client is gone, the loop ends with its messages.
        let _ = self.connection.sender.send(message);
    }

    /// Answers a request. One whose handler panics gets an error, and the server goes on.
    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answered = catch_unwind(AssertUnwindSafe(|| self.dispatch(&method, params)));
        let error = |code: ErrorCode, why| Response::new_err(id.clone(), code as i32, why);
        match answered {
            Ok(Some(Ok(result))) => Response { id, result: Some(result), error: None },
            Ok(Some(Err(Failure::Params(why)))) => error(ErrorCode::InvalidParams, why),
            Ok(Some(Err(Failure::Refused(why)))) => error(ErrorCode::RequestFailed, why),
            Ok(None) => {
                error(ErrorCode::MethodNotFound, format!("there is no request `{method}` here"))
            }
            Err(panic) => error(
                ErrorCode::InternalError,
                format!("`{method}` failed: {}; please report this", message_of(panic.as_ref())),
            ),
        }
    }

    /// The answer to a request; `None` if there is no such request.
    fn dispatch(
        &self,
        method: &str,
        params: serde_json::Value,
    ) -> Option<Result<serde_json::Value, Failure>> {
        let Self { documents, settings, .. } = self;
        let at = |params: &TextDocumentPositionParams| {
            let document = documents.get(&params.text_document.uri)?;
            let offset = document.offset(params.position);
            // The rest of a Rust file is rust-analyzer's.
            document.is_ptx(offset).then_some((document, offset))
        };
        let of = |uri: &Uri| documents.get(uri);
        // What a name means is rust-analyzer's to say, if it serves the file.
        let has_names = |document: &Document| {
            !(settings.rust_analyzer == Some(true) && document.language == Language::Rust)
        };
        let at_own = |params: &TextDocumentPositionParams| {
            let is_own = |(document, offset): &(&Document, usize)| {
                has_names(document) || !names::is_of_place(document, *offset)
            };
            at(params).filter(is_own)
        };
        Some(match method {
            HoverRequest::METHOD => reply::<HoverRequest>(params, |params| {
                let (document, offset) = at_own(&params.text_document_position_params)?;
                hover::hover(document, offset)
            }),
            GotoDefinition::METHOD => reply::<GotoDefinition>(params, |params| {
                let (document, offset) = at_own(&params.text_document_position_params)?;
                names::definition(document, offset).map(GotoDefinitionResponse::Scalar)
            }),
            References::METHOD => reply::<References>(params, |params| {
                let (document, offset) = at(&params.text_document_position)?;
                names::references(document, offset, params.context.include_declaration)
            }),
            DocumentHighlightRequest::METHOD => {
                reply::<DocumentHighlightRequest>(params, |params| {
                    let (document, offset) = at(&params.text_document_position_params)?;
                    names::highlights(document, offset)
                })
            }
            PrepareRenameRequest::METHOD => reply::<PrepareRenameRequest>(params, |params| {
                let (document, offset) = at(&params)?;
                let (range, placeholder) = rename::prepare(document, offset)?;
                Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder })
            }),
            Rename::METHOD => try_reply::<Rename>(params, |params| {
                let Some((document, offset)) = at(&params.text_document_position) else {
                    return Ok(None);
                };
                rename::rename(document, offset, &params.new_name).map(Some)
            }),
            Completion::METHOD => reply::<Completion>(params, |params| {
                let (document, offset) = at(&params.text_document_position)?;
                Some(CompletionResponse::Array(completion::complete(
                    document,
                    offset,
                    has_names(document),
                )))
            }),
            SignatureHelpRequest::METHOD => reply::<SignatureHelpRequest>(params, |params| {
                let (document, offset) = at(&params.text_document_position_params)?;
                signature::help(document, offset)
            }),
            DocumentSymbolRequest::METHOD => reply::<DocumentSymbolRequest>(params, |params| {
                let document = of(&params.text_document.uri)?;
                Some(DocumentSymbolResponse::Nested(symbols::symbols(document)))
            }),
            FoldingRangeRequest::METHOD => reply::<FoldingRangeRequest>(params, |params| {
                Some(folding::ranges(of(&params.text_document.uri)?))
            }),
            SemanticTokensFullRequest::METHOD => {
                reply::<SemanticTokensFullRequest>(params, |params| {
                    let document = of(&params.text_document.uri)?;
                    Some(SemanticTokensResult::Tokens(semantic::tokens(document)))
                })
            }
            Formatting::METHOD => try_reply::<Formatting>(params, |params| {
                let document = of(&params.text_document.uri);
                document.map(|document| formatting::edits(document, None)).transpose()
            }),
            RangeFormatting::METHOD => try_reply::<RangeFormatting>(params, |params| {
                let document = of(&params.text_document.uri);
                let range = Some(params.range);
                document.map(|document| formatting::edits(document, range)).transpose()
            }),
            InlayHintRequest::METHOD => reply::<InlayHintRequest>(params, |params| {
                Some(hints::hints(of(&params.text_document.uri)?, params.range, settings))
            }),
            CodeActionRequest::METHOD => reply::<CodeActionRequest>(params, |params| {
                let document = of(&params.text_document.uri)?;
                Some(actions::actions(document, &params, settings))
            }),
            _ => return None,
        })
    }

    /// Takes note of what the client says.
    fn note(&mut self, notification: &Notification) {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Some(params) = read::<DidOpenTextDocument>(notification) else { return };
                let item = params.text_document;
                let language = Language::of(&item.uri, &item.language_id);
                let source = (item.uri, language);
                self.open(Document::new(source, item.version, &item.text, self.encoding));
            }
            DidChangeTextDocument::METHOD => {
                let Some(params) = read::<DidChangeTextDocument>(notification) else { return };
                let Some(document) = self.documents.get(&params.text_document.uri) else { return };
                let version = params.text_document.version;
                self.open(document.changed(version, &params.content_changes, self.encoding));
            }
            DidCloseTextDocument::METHOD => {
                let Some(params) = read::<DidCloseTextDocument>(notification) else { return };
                let uri = params.text_document.uri;
                self.checker.forget(&uri);
                self.documents.remove(&uri);
                // The findings of a file that is not open any more are those of `ptx check`.
                let params =
                    PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None };
                let message = Notification::new(PublishDiagnostics::METHOD.to_owned(), params);
                self.send(message.into());
            }
            DidChangeConfiguration::METHOD => {
                let Some(params) = read::<DidChangeConfiguration>(notification) else { return };
                self.settings = self.settings.changed(&params.settings);
                for document in self.documents.values() {
                    self.check(document);
                }
            }
            _ => {}
        }
    }

    /// Has a PTX file checked. What is wrong in a Rust file, the macros say.
    fn check(&self, document: &Document) {
        if document.language == Language::Ptx {
            self.checker.check(document, &self.settings);
        }
    }

    fn open(&mut self, document: Document) {
        self.check(&document);
        self.documents.insert(document.uri.clone(), document);
    }
}

/// The parameters of a notification; `None` if they cannot be read.
fn read<N>(notification: &Notification) -> Option<N::Params>
where
    N: lsp_types::notification::Notification<Params: DeserializeOwned>,
{
    serde_json::from_value(notification.params.clone()).ok()
}

/// Answers a request with what there is, or with `null`.
fn reply<R>(
    params: serde_json::Value,
    answer: impl FnOnce(R::Params) -> R::Result,
) -> Result<serde_json::Value, Failure>
where
    R: lsp_types::request::Request,
{
    try_reply::<R>(params, |params| Ok(answer(params)))
}

/// The same, for a request that may be refused.
fn try_reply<R>(
    params: serde_json::Value,
    answer: impl FnOnce(R::Params) -> Result<R::Result, String>,
) -> Result<serde_json::Value, Failure>
where
    R: lsp_types::request::Request,
{
    let wrong = |error: serde_json::Error| Failure::Params(in_words(&error));
    let params = serde_json::from_value(params).map_err(wrong)?;
    let result = answer(params).map_err(Failure::Refused)?;
    serde_json::to_value(result).map_err(wrong)
}

/// What is wrong with a JSON value, without the names that its parts have in this program.
fn in_words(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let mut words = String::new();
    let mut parts = message.split(' ').peekable();
    while let Some(word) = parts.next() {
        let next = match word {
            "struct" | "enum" | "variant" if parts.next().is_some() => "an object",
            "u32" | "i32" | "u64" | "i64" => "a number",
            word => word,
        };
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(next);
    }
    words
}

/// The message of a panic.
fn message_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a defect")
}
