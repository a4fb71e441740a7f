//! The open documents.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use lsp_types::{Location, Position, Range as Span, TextDocumentContentChangeEvent, TextEdit, Uri};
use ptx_frontend::structs::Structs;
use ptx_isa::Target;
use ptx_text::{FALLBACK_TARGET, Parsed};

use super::lines::{Encoding, Lines};
use super::outline::{Outline, RustFile, Token, scan, scan_rust};

/// The language of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Language {
    /// A PTX file.
    Ptx,
    /// A Rust file, of which the bodies in `ptx! { .. }` are served.
    Rust,
}

impl Language {
    /// That of a file with this identifier in the editor, which may call it otherwise.
    pub(super) fn of(uri: &Uri, id: &str) -> Self {
        let is_rust =
            id == "rust" || Path::new(uri.as_str()).extension().is_some_and(|it| it == "rs");
        if is_rust { Self::Rust } else { Self::Ptx }
    }
}

/// An open document.
pub(super) struct Document {
    /// Where it is.
    pub(super) uri: Uri,
    /// Its language.
    pub(super) language: Language,
    /// Its version, which the client counts.
    pub(super) version: i32,
    /// Its text.
    pub(super) text: Arc<str>,
    /// The lines of the text.
    pub(super) lines: Lines,
    /// The names in it.
    pub(super) outline: Outline,
    /// What was parsed of a PTX file, once something has asked for it.
    parsed: OnceCell<Parsed>,
    /// What a Rust file declares outside of bodies, once something has asked for it.
    structs: OnceCell<Option<Rc<Declared>>>,
    /// That of the version before.
    before: Option<Rc<Declared>>,
}

/// The structs of a Rust file.
struct Declared {
    /// The text outside of bodies.
    text: String,
    structs: Structs,
}

/// The most bytes of a Rust file whose structs are read.
const MOST: usize = 1 << 21;

impl Document {
    /// A document with this text.
    pub(super) fn new(
        (uri, language): (Uri, Language),
        version: i32,
        text: &str,
        encoding: Encoding,
    ) -> Self {
        Self {
            uri,
            language,
            version,
            lines: Lines::of(text, encoding),
            outline: match language {
                Language::Ptx => scan(text),
                Language::Rust => scan_rust(text),
            },
            text: text.into(),
            parsed: OnceCell::new(),
            structs: OnceCell::new(),
            before: None,
        }
    }

    /// The document after these changes, each of which is one of the text that those before it have left.
    pub(super) fn changed(
        &self,
        version: i32,
        changes: &[TextDocumentContentChangeEvent],
        encoding: Encoding,
    ) -> Self {
        let mut text = self.text.to_string();
        let mut lines = None;
        for change in changes {
            match change.range {
                Some(range) => {
                    let lines = lines.get_or_insert_with(|| Lines::of(&text, encoding));
                    let bytes = lines.bytes(&text, range);
                    text.replace_range(bytes, &change.text);
                }
                None => text.clone_from(&change.text),
            }
            lines = None;
        }
        let document = Self::new((self.uri.clone(), self.language), version, &text, encoding);
        let before = self.structs.get().cloned().flatten().or_else(|| self.before.clone());
        Self { before, ..document }
    }

    /// What was parsed of a PTX file. A body in Rust means what the macros know of what is around it.
    pub(super) fn parsed(&self) -> Option<&Parsed> {
        let is_ptx = self.language == Language::Ptx;
        is_ptx.then(|| self.parsed.get_or_init(|| Parsed::new(&*self.text)))
    }

    /// The structs of a Rust file. While what is outside of bodies is half written, they are those of a version before.
    pub(super) fn structs(&self) -> Option<&Structs> {
        let bodies = &self.outline.rust.as_ref()?.bodies;
        let declared = self.structs.get_or_init(|| {
            let mut text = String::new();
            let mut end = 0;
            for body in bodies {
                text.push_str(self.slice(end..body.start));
                text.push_str("{}");
                end = body.end;
            }
            text.push_str(self.slice(end..self.text.len()));
            if self.before.as_ref().is_some_and(|before| before.text == text) || text.len() > MOST {
                return self.before.clone();
            }
            let mut structs = Structs::default();
            match structs.add(&text) {
                Ok(()) => Some(Rc::new(Declared { text, structs })),
                Err(_) => self.before.clone(),
            }
        });
        declared.as_ref().map(|declared| &declared.structs)
    }

    /// Whether what stands at an offset is PTX: in a Rust file, in a body, but not in `#( .. )` and `#[ .. ]`.
    pub(super) fn is_ptx(&self, offset: usize) -> bool {
        let Some(rust) = &self.outline.rust else { return true };
        let around = |all: &[Range<usize>]| {
            let after = all.partition_point(|it| it.start < offset);
            after.checked_sub(1).and_then(|n| all.get(n).cloned())
        };
        let is_in_body = around(&rust.bodies)
            .is_some_and(|body| offset + usize::from(!self.is_open(&body)) <= body.end);
        is_in_body && around(&rust.foreign).is_none_or(|it| it.end <= offset)
    }

    /// Whether a part of the text ends before everything that is opened there is closed.
    pub(super) fn is_open(&self, range: &Range<usize>) -> bool {
        let tokens = &self.outline.tokens;
        let first = tokens.partition_point(|token| token.start < range.start);
        let inner = tokens[first..].iter().take_while(|token| token.start < range.end);
        inner.map(Token::depth).sum::<isize>() > 0
    }

    /// The target of the module at an offset, if it is known.
    pub(super) fn target(&self, offset: usize) -> Target {
        let around = |rust: &RustFile| {
            let mut around = rust.targets.iter().filter(|(range, _)| range.contains(&offset));
            around.next_back().map(|(_, target)| *target)
        };
        let parsed = || self.parsed().map(|parsed| parsed.module().target);
        self.outline.rust.as_ref().and_then(around).or_else(parsed).unwrap_or(FALLBACK_TARGET)
    }

    /// The offset of a position.
    pub(super) fn offset(&self, position: Position) -> usize {
        self.lines.offset(&self.text, position)
    }

    /// The range of some bytes.
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        self.lines.range(&self.text, range)
    }

    /// The text of some bytes.
    pub(super) fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// Where some bytes are.
    pub(super) fn location(&self, range: Range<usize>) -> Location {
        Location::new(self.uri.clone(), self.span(range))
    }

    /// Puts another text in the place of some bytes.
    pub(super) fn edit(&self, range: Range<usize>, new: impl Into<String>) -> TextEdit {
        TextEdit::new(self.span(range), new.into())
    }
}
