//! The tokens of a text, and the declarations and statements that they form.

use core::ops::Range;

use ptx_text::{Lexer, Piece, PieceKind};

/// What a token belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// `.version`, `.target` or `.address_size`.
    Header,
    /// A variable, or a directive of the module.
    Module,
    /// The signature of a function, with its directives.
    Signature,
    /// A declaration or a directive in a body.
    Local,
    /// An instruction.
    Instruction,
}

/// A text in parts.
pub(super) struct Parts<'t> {
    pub(super) text: &'t str,
    /// The ranges of bytes of the tokens.
    pub(super) tokens: Vec<Range<usize>>,
    pub(super) kinds: Vec<PieceKind>,
    pub(super) places: Vec<Place>,
    /// The ranges of tokens of the declarations outside functions, and of the functions with their bodies.
    pub(super) items: Vec<Item>,
    /// The ranges of tokens of the statements in bodies.
    pub(super) statements: Vec<Range<usize>>,
}

/// A declaration outside functions, or a function.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) tokens: Range<usize>,
    /// The brace that opens its body.
    pub(super) body: Option<usize>,
    pub(super) is_function: bool,
}

impl<'t> Parts<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let pieces: Vec<Piece> = Lexer::new(text).filter(|piece| !piece.kind.is_trivia()).collect();
        let mut parts = Self {
            text,
            tokens: pieces.iter().map(|piece| piece.at.range()).collect(),
            kinds: pieces.iter().map(|piece| piece.kind).collect(),
            places: vec![Place::Module; pieces.len()],
            items: Vec::new(),
            statements: Vec::new(),
        };
        let mut at = 0;
        while at < parts.tokens.len() {
            at = parts.item(at);
        }
        parts
    }

    pub(super) fn token(&self, n: usize) -> &'t str {
        &self.text[self.tokens[n].clone()]
    }

    /// The bytes of some tokens.
    pub(super) fn bytes(&self, tokens: &Range<usize>) -> Range<usize> {
        if tokens.is_empty() {
            let at = self.tokens.get(tokens.start).map_or(self.text.len(), |token| token.start);
            return at..at;
        }
        self.tokens[tokens.start].start..self.tokens[tokens.end - 1].end
    }

    /// The text of some tokens.
    pub(super) fn source(&self, tokens: &Range<usize>) -> &'t str {
        &self.text[self.bytes(tokens)]
    }

    /// The tokens with this place.
    pub(super) fn at(&self, is_it: impl Fn(Place) -> bool) -> Vec<usize> {
        (0..self.tokens.len()).filter(|n| is_it(self.places[*n])).collect()
    }

    /// The functions.
    pub(super) fn functions(&self) -> Vec<&Item> {
        self.items.iter().filter(|item| item.is_function).collect()
    }

    /// The text with other bytes in place of some.
    pub(super) fn with(&self, bytes: Range<usize>, by: &str) -> String {
        [&self.text[..bytes.start], by, &self.text[bytes.end..]].concat()
    }

    /// The brackets of a signature's parameters, the last pair of parentheses before its directives.
    pub(super) fn parameters(&self, item: &Item) -> Option<Range<usize>> {
        let end = item.body.unwrap_or(item.tokens.end);
        let name = (item.tokens.start..end).find(|n| self.kinds[*n] == PieceKind::Word)?;
        let mut open = None;
        for n in item.tokens.start..end {
            match self.token(n) {
                "(" if n > name || open.is_none() => open = Some(n),
                ")" => {
                    if let Some(open) = open
                        && (open == name + 1 || open < name)
                    {
                        let is_last = open > name;
                        if is_last || n + 1 >= end {
                            return Some(open..n + 1);
                        }
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Reads an item from a token on, and returns the token after it.
    fn item(&mut self, start: usize) -> usize {
        let first = self.token(start);
        let is_header = matches!(first, ".version" | ".target" | ".address_size");
        if is_header || matches!(first, ".file" | ".loc") {
            let end = self.line_end(start);
            if is_header {
                self.places[start..end].fill(Place::Header);
            }
            self.items.push(Item { tokens: start..end, body: None, is_function: false });
            return end;
        }
        let (mut at, mut depth, mut is_function) = (start, 0_usize, false);
        while at < self.tokens.len() {
            match self.token(at) {
                ".entry" | ".func" => is_function = true,
                "{" if is_function => {
                    self.places[start..at].fill(Place::Signature);
                    let end = self.body(at);
                    let item = Item { tokens: start..end, body: Some(at), is_function };
                    self.items.push(item);
                    return end;
                }
                "{" => depth += 1,
                "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && first == ".section" {
                        at += 1;
                        break;
                    }
                }
                ";" if depth == 0 => {
                    at += 1;
                    break;
                }
                _ => {}
            }
            at += 1;
        }
        if is_function {
            self.places[start..at].fill(Place::Signature);
        }
        self.items.push(Item { tokens: start..at, body: None, is_function });
        at
    }

    /// Reads a body from its brace on, and returns the token after it.
    fn body(&mut self, open: usize) -> usize {
        let (mut depth, mut at) = (1_usize, open + 1);
        while at < self.tokens.len() && depth > 0 {
            match self.token(at) {
                "{" => (depth, at) = (depth + 1, at + 1),
                "}" => (depth, at) = (depth - 1, at + 1),
                _ => {
                    let end = self.statement(at);
                    let first = if self.token_is(at + 1, ":") { at + 2 } else { at };
                    let place = match self.kinds.get(first) {
                        Some(PieceKind::Dotted) => Place::Local,
                        _ => Place::Instruction,
                    };
                    self.places[at..end].fill(place);
                    self.statements.push(at..end);
                    at = end;
                }
            }
        }
        at
    }

    /// The end of a directive that ends with its line, or where another starts.
    fn line_end(&self, start: usize) -> usize {
        let mut end = start + 1;
        while end < self.tokens.len()
            && self.kinds[end] != PieceKind::Dotted
            && !self.text[self.tokens[start].end..self.tokens[end].start].contains('\n')
        {
            end += 1;
        }
        end
    }

    fn token_is(&self, n: usize, text: &str) -> bool {
        n < self.tokens.len() && self.token(n) == text
    }

    /// The end of a statement; braces belong to it unless one closes the block.
    fn statement(&self, start: usize) -> usize {
        let (mut at, mut depth) = (start, 0_usize);
        if self.token(start) == ".loc" {
            return self.line_end(start);
        }
        while at < self.tokens.len() {
            match self.token(at) {
                ";" if depth == 0 => return at + 1,
                // A label stands before a block, too.
                ":" if at == start + 1 && self.token_is(at + 1, "{") => return at + 1,
                "{" => depth += 1,
                "}" if depth == 0 => return at.max(start + 1),
                "}" => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        at
    }
}

/// The places of the tokens in a line, from 1, of a text.
pub fn place_of_line(text: &str, line: usize) -> Vec<Place> {
    let parts = Parts::of(text);
    let start = text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
    let length = text[start..].find('\n').unwrap_or(text.len() - start);
    let is_here = |token: &Range<usize>| (start..=start + length).contains(&token.start);
    let here = parts.tokens.iter().zip(&parts.places).filter(|(token, _)| is_here(token));
    here.map(|(_, place)| *place).collect()
}
