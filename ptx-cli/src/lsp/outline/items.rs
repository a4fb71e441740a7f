//! The items of a Rust file that its bodies name.

use std::ops::Range;

use ptx_isa::{Space, Target};
use ptx_text::PieceKind;
use ptx_text::body::token::Delimiter;

use super::model::DefinitionKind;
use super::token::Token;

/// An item, or a body.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    /// The tokens of its attributes and signature, or of all of a body.
    pub(super) head: Range<usize>,
    /// The index after its last token.
    pub(super) end: usize,
}

/// The kind of an [`Item`].
#[derive(Debug)]
pub(super) enum ItemKind {
    /// `mod`, with its target.
    Module(Option<Target>),
    /// `fn`, with the token of its name, those of its parameters, and whether it has a body of PTX.
    Function { kind: DefinitionKind, name: usize, params: Vec<usize>, has_body: bool },
    /// `static` with the attribute of a state space.
    Static { space: Space, name: usize },
    /// `ptx! { .. }`, with the function that it is in.
    Body(Option<usize>),
}

/// The items of a file with bodies of these tokens, in order.
pub(super) fn items(text: &str, tokens: &[Token], bodies: &[Range<usize>]) -> Vec<Item> {
    let mut reader = Reader { text, tokens, at: 0, limit: 0, found: Vec::new() };
    let mut attributes = Attributes::default();
    // The item of each open brace, and the items that are open.
    let (mut braces, mut open): (Vec<Option<usize>>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut bodies = bodies.iter().peekable();
    while reader.at < tokens.len() {
        if let Some(body) = bodies.next_if(|body| body.start <= reader.at) {
            let function = open.last().copied().and_then(|owner| {
                let ItemKind::Function { has_body, .. } = &mut reader.found[owner].kind else {
                    return None;
                };
                *has_body = true;
                Some(owner)
            });
            reader.push(ItemKind::Body(function), body.clone());
            reader.at = body.end.max(reader.at + 1);
            continue;
        }
        reader.limit = bodies.peek().map_or(tokens.len(), |body| body.start);
        let (start, token) = (reader.at, tokens[reader.at]);
        let is_name = reader.kind(start + 1) == Some(PieceKind::Word);
        reader.at += 1;
        match (token.kind, reader.word(start)) {
            (PieceKind::Sign, "#") => reader.attribute(start, &mut attributes),
            (PieceKind::Word, "mod") if is_name && reader.word(start + 2) == "{" => {
                reader.push(ItemKind::Module(attributes.target), start..start + 2);
                reader.at = start + 3;
                open.push(reader.found.len() - 1);
                braces.push(open.last().copied());
                attributes = Attributes::default();
            }
            (PieceKind::Word, "fn") if is_name => {
                let has_block = reader.function(start, &attributes);
                if has_block {
                    open.push(reader.found.len() - 1);
                    braces.push(open.last().copied());
                }
                attributes = Attributes::default();
            }
            (PieceKind::Word, "static") => {
                reader.variable(start, &attributes);
                attributes = Attributes::default();
            }
            (PieceKind::Open(Delimiter::Brace), _) => {
                braces.push(None);
                attributes = Attributes::default();
            }
            (PieceKind::Close(Delimiter::Brace), _) => {
                if let Some(Some(item)) = braces.pop() {
                    reader.found[item].end = start + 1;
                    open.pop();
                }
                attributes = Attributes::default();
            }
            (PieceKind::Sign, ";") => attributes = Attributes::default(),
            _ => {}
        }
    }
    reader.found
}

/// What the attributes before an item say.
#[derive(Default)]
struct Attributes<'t> {
    /// The token at which they start.
    start: Option<usize>,
    /// `kernel`, `shared` and the others that make an item part of a module of PTX.
    word: Option<&'t str>,
    target: Option<Target>,
}

struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    /// The index of the token at which the next body starts.
    limit: usize,
    found: Vec<Item>,
}

impl<'t> Reader<'t> {
    fn word(&self, index: usize) -> &'t str {
        self.tokens.get(index).map_or("", |token| token.text(self.text))
    }

    fn kind(&self, index: usize) -> Option<PieceKind> {
        self.tokens.get(index).filter(|_| index < self.limit).map(|token| token.kind)
    }

    fn push(&mut self, kind: ItemKind, head: Range<usize>) {
        let end = match kind {
            ItemKind::Module(_) | ItemKind::Function { .. } => self.tokens.len(),
            ItemKind::Static { .. } | ItemKind::Body(_) => head.end,
        };
        self.found.push(Item { kind, head, end });
    }

    /// Reads an attribute from its `#` on.
    fn attribute(&mut self, start: usize, attributes: &mut Attributes<'t>) {
        let open = start + 1 + usize::from(self.word(start + 1) == "!");
        if self.word(open) != "[" {
            return;
        }
        attributes.start.get_or_insert(start);
        let (mut depth, mut path) = (1_usize, true);
        self.at = open + 1;
        while depth > 0
            && let Some(kind) = self.kind(self.at)
        {
            let word = self.word(self.at);
            match kind {
                PieceKind::Open(_) => (depth, path) = (depth + 1, false),
                PieceKind::Close(_) => depth -= 1,
                // Of `ptx::shared`, the last word counts.
                PieceKind::Word | PieceKind::Colons if path => {
                    let word = word.trim_start_matches(':');
                    if space(word).is_some() || function(word).is_some() {
                        attributes.word = Some(word);
                    }
                }
                PieceKind::Word if word == "target" && self.word(self.at + 1) == "=" => {
                    attributes.target = Target::from_name(self.word(self.at + 2));
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Reads the signature of a function from `fn` on, and says whether a block follows.
    fn function(&mut self, start: usize, attributes: &Attributes<'t>) -> bool {
        let (mut depth, mut end) = (0_usize, start + 2);
        let mut params = Vec::new();
        let has_block = loop {
            let Some(kind) = self.kind(end) else { break false };
            match kind {
                PieceKind::Open(Delimiter::Brace) => break true,
                PieceKind::Open(_) => depth += 1,
                PieceKind::Close(_) => depth = depth.saturating_sub(1),
                PieceKind::Sign if depth == 0 && self.word(end) == ";" => break false,
                PieceKind::Word
                    if depth == 1
                        && self.word(end + 1) == ":"
                        && matches!(self.word(end - 1), "(" | "," | "mut" | "]") =>
                {
                    params.push(end);
                }
                _ => {}
            }
            end += 1;
        };
        let kind = attributes.word.and_then(function).unwrap_or(DefinitionKind::Device);
        let head = attributes.start.unwrap_or(start)..end;
        self.push(ItemKind::Function { kind, name: start + 1, params, has_body: false }, head);
        self.at = end + usize::from(has_block);
        if !has_block && let Some(item) = self.found.last_mut() {
            item.end = end;
        }
        has_block
    }

    /// Reads a variable from `static` on, up to its value.
    fn variable(&mut self, start: usize, attributes: &Attributes<'t>) {
        let Some(space) = attributes.word.and_then(space) else { return };
        let name = start + 1 + usize::from(self.word(start + 1) == "mut");
        let (mut depth, mut end) = (0_usize, name);
        while let Some(kind) = self.kind(end) {
            match (kind, self.word(end)) {
                (PieceKind::Open(_), _) => depth += 1,
                (PieceKind::Close(_), _) | (PieceKind::Sign, ";" | "=") if depth == 0 => break,
                (PieceKind::Close(_), _) => depth -= 1,
                _ => {}
            }
            end += 1;
        }
        self.at = end.max(self.at);
        if self.kind(name) == Some(PieceKind::Word) {
            let head = attributes.start.unwrap_or(start)..end;
            self.push(ItemKind::Static { space, name }, head);
        }
    }
}

/// The state space that an attribute names.
fn space(word: &str) -> Option<Space> {
    Some(match word {
        "global" => Space::Global,
        "constant" => Space::Const,
        "shared" => Space::Shared,
        "tex" => Space::Tex,
        _ => return None,
    })
}

/// What an attribute makes of a function.
fn function(word: &str) -> Option<DefinitionKind> {
    Some(match word {
        "kernel" => DefinitionKind::Kernel,
        "device" => DefinitionKind::Device,
        "fragment" => DefinitionKind::Fragment,
        _ => return None,
    })
}
