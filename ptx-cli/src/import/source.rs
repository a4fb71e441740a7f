//! What the IR of a PTX file does not have: where its items are, and how they are written.

use std::ops::Range;

use ptx_text::{Lexer, Parsed, Piece, PieceKind};

use super::comment::{Comment, comment};

/// Directives of a module without a form in Rust, and what to do with them.
const REFUSED: [(&str, &str); 6] = [
    (".alias", "a module declares no aliases; call the function by its own name"),
    (".pragma", "a module has no pragmas; write it in the bodies that need it"),
    (".local", "a module declares no local variables; declare it in the bodies that use it"),
    (".param", "a module declares no parameters; declare it in the functions that use it"),
    (".reg", "a module declares no registers; declare them in the bodies that use them"),
    (".tex", "a module declares no `.tex` variables; declare a `.global .texref`"),
];

/// Directives that start another declaration, after a function whose `.pragma` ends with a `;`, too.
const STARTS: [&str; 11] = [
    ".visible", ".extern", ".weak", ".common", ".entry", ".func", ".global", ".const", ".shared",
    ".section", ".file",
];

/// Directives that end without a `;`.
const HEADER: [&str; 4] = ["", ".version", ".target", ".address_size"];

/// The header of a file, and its items in order.
#[derive(Default)]
pub(super) struct Source<'t> {
    pub(super) version: &'t str,
    pub(super) target: &'t str,
    /// What follows the target, and where.
    pub(super) options: Vec<(&'t str, Range<usize>)>,
    pub(super) items: Vec<Item<'t>>,
    /// The directives without a form in Rust, as what to do instead, and where.
    pub(super) refused: Vec<(&'static str, &'static str, Range<usize>)>,
    /// Whether it names the lines of another source.
    pub(super) has_lines: bool,
}

/// The declaration of a variable or function.
#[derive(Default)]
pub(super) struct Item<'t> {
    pub(super) name: &'t str,
    pub(super) at: Range<usize>,
    pub(super) is_function: bool,
    /// The comments before it.
    pub(super) docs: Vec<String>,
    /// Whether a launch is given before it, for checks.
    pub(super) has_launch: bool,
    /// The directives of a function without their dots, where they are, and their values.
    pub(super) directives: Vec<(&'t str, Range<usize>, Vec<&'t str>)>,
    /// The text between the braces of a function.
    pub(super) body: Option<Range<usize>>,
    /// Whether the value of a variable has the bits of floating-point numbers: `0f3F800000`.
    pub(super) has_bits: bool,
}

/// The comments that may belong to the next declaration.
#[derive(Default)]
struct Comments {
    /// Those on lines of their own since the last piece or empty line.
    pending: Vec<String>,
    /// Those before the declaration that has started.
    taken: Vec<String>,
    has_launch: bool,
    /// Whether something stands before this on the line.
    is_after: bool,
}

impl Comments {
    fn space(&mut self, text: &str) {
        match text.matches('\n').count() {
            0 => {}
            1 => self.is_after = false,
            _ => {
                self.is_after = false;
                self.pending.clear();
            }
        }
    }

    fn comment(&mut self, text: &str) {
        if self.is_after {
            return;
        }
        match comment(text) {
            Comment::Words(lines) => self.pending.extend(lines),
            Comment::Launch => self.has_launch = true,
            Comment::Allowance(_) | Comment::Tools => {}
        }
    }

    /// Another piece outside of all brackets, which starts a declaration or not.
    fn piece(&mut self, starts: bool, is_new: bool) {
        if starts && !self.pending.is_empty() {
            self.taken = std::mem::take(&mut self.pending);
        } else if starts && is_new {
            self.taken.clear();
        }
        self.pending.clear();
        self.is_after = true;
    }
}

impl<'t> Source<'t> {
    /// The source of a text without syntax errors.
    pub(super) fn of(parsed: &'t Parsed) -> Self {
        let mut reader = Reader { text: parsed.text(), ..Reader::default() };
        for piece in parsed.pieces() {
            reader.piece(piece);
        }
        reader.source
    }

    /// The item whose name is the last one before an offset.
    pub(super) fn item_before(&self, at: usize) -> Option<&Item<'t>> {
        let after = self.items.partition_point(|item| item.at.start <= at);
        self.items.get(after.checked_sub(1)?)
    }
}

/// Reads a file piece by piece.
#[derive(Default)]
struct Reader<'t> {
    text: &'t str,
    source: Source<'t>,
    comments: Comments,
    /// The directive that the declaration starts with.
    directive: &'t str,
    depth: usize,
    /// Where the last brace outside of all others opens.
    body: usize,
    is_named: bool,
}

impl<'t> Reader<'t> {
    fn piece(&mut self, piece: Piece) {
        let range = piece.at.range();
        let word = &self.text[range.clone()];
        match piece.kind {
            PieceKind::Space => return self.comments.space(word),
            PieceKind::Comment => {
                if self.depth == 0 {
                    self.comments.comment(word);
                }
                return;
            }
            kind if kind.is_trivia() => return,
            _ => {}
        }
        if self.depth == 0 {
            let starts = piece.kind == PieceKind::Dotted && STARTS.contains(&word);
            self.comments.piece(starts, HEADER.contains(&self.directive));
        }
        self.token(piece.kind, word, range);
    }

    fn token(&mut self, kind: PieceKind, word: &'t str, range: Range<usize>) {
        let source = &mut self.source;
        let is_function = matches!(self.directive, ".entry" | ".func");
        let is_variable = matches!(self.directive, ".global" | ".const" | ".shared");
        let last = source.items.last_mut().filter(|_| self.is_named);
        match kind {
            PieceKind::Open(_) => {
                if self.depth == 0 && word == "{" {
                    self.body = range.end;
                }
                self.depth += 1;
            }
            PieceKind::Close(_) => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 && word == "}" && !is_variable {
                    if let Some(function) = last.filter(|_| is_function) {
                        function.body = Some(self.body..range.start);
                    }
                    self.directive = "";
                }
            }
            PieceKind::Number if is_variable => {
                if let Some(variable) = last {
                    variable.has_bits |=
                        matches!(word.as_bytes(), [b'0', b'f' | b'F' | b'd' | b'D', ..]);
                }
            }
            PieceKind::Dotted if self.depth > 0 => source.has_lines |= word == ".loc",
            _ if self.depth > 0 => {}
            PieceKind::Dotted if STARTS.contains(&word) || !(is_function || is_variable) => {
                (self.directive, self.is_named) = (word, false);
                // ptxas takes the last one.
                if word == ".target" {
                    source.target = "";
                }
                source.has_lines |= matches!(word, ".file" | ".section");
                let refused = REFUSED.iter().find(|(refused, _)| *refused == word);
                source.refused.extend(refused.map(|(word, why)| (*word, *why, range)));
            }
            PieceKind::Dotted if is_function => {
                if let Some(function) = last {
                    function.directives.push((&word[1..], range, Vec::new()));
                }
            }
            PieceKind::Word if (is_function || is_variable) && !self.is_named => {
                source.items.push(Item {
                    name: word,
                    at: range,
                    is_function,
                    docs: std::mem::take(&mut self.comments.taken),
                    has_launch: std::mem::take(&mut self.comments.has_launch),
                    ..Item::default()
                });
                self.is_named = true;
            }
            PieceKind::Word if self.directive == ".target" && source.target.is_empty() => {
                source.target = word;
            }
            PieceKind::Word if self.directive == ".target" => source.options.push((word, range)),
            PieceKind::Number if self.directive == ".version" => source.version = word,
            PieceKind::Number | PieceKind::Text | PieceKind::Word => {
                if let Some((.., values)) = last.and_then(|item| item.directives.last_mut()) {
                    values.push(word);
                }
            }
            PieceKind::Sign if word == "," && is_variable => self.is_named = false,
            PieceKind::Sign if word == ";" => {
                let directives = last.map_or(&[][..], |item| &item.directives);
                // This `;` does not end the function.
                if directives.last().is_none_or(|(word, ..)| *word != "pragma") {
                    self.directive = "";
                }
            }
            _ => {}
        }
    }
}

/// The first piece of this text that is not a token of Rust, if any.
pub(super) fn not_of_rust(text: &str) -> Option<Range<usize>> {
    let is_token = |text: &str| text.parse::<proc_macro2::TokenStream>().is_ok();
    if is_token(text) {
        return None;
    }
    let alone = |kind| {
        matches!(kind, PieceKind::Number | PieceKind::Text | PieceKind::Sign | PieceKind::Word)
    };
    let mut pieces = Lexer::new(text).filter(|piece| alone(piece.kind));
    let found = pieces.find(|piece| !is_token(&text[piece.at.range()]));
    Some(found.map_or(0..text.len(), |piece| piece.at.range()))
}
