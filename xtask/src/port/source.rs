//! What the IR of a PTX file does not have: where its items are, and how they are written.

pub(super) use ptx_text::{Lexer, Parsed, PieceKind};

/// Directives of a module without a form in Rust.
const REFUSED: [&str; 6] = [".alias", ".pragma", ".local", ".param", ".reg", ".tex"];

/// Directives that start another declaration, after a function whose `.pragma` ends with a `;`, too.
const STARTS: [&str; 11] = [
    ".visible", ".extern", ".weak", ".common", ".entry", ".func", ".global", ".const", ".shared",
    ".section", ".file",
];

/// The header of a file, and its items in order.
#[derive(Default)]
pub(super) struct Source<'t> {
    pub(super) version: &'t str,
    pub(super) target: &'t str,
    /// What follows the target.
    pub(super) options: Vec<&'t str>,
    pub(super) items: Vec<Item<'t>>,
    /// The first directive without a form in Rust, and where it is.
    pub(super) refused: Option<(&'t str, usize)>,
}

/// The declaration of a variable or function.
#[derive(Default)]
pub(super) struct Item<'t> {
    pub(super) name: &'t str,
    pub(super) at: usize,
    pub(super) is_function: bool,
    /// The directives of a function without their dots, and their values.
    pub(super) directives: Vec<(&'t str, Vec<&'t str>)>,
    /// The text between the braces of a function.
    pub(super) body: Option<&'t str>,
    /// Whether the value of a variable has the bits of floating-point numbers: `0f3F800000`.
    pub(super) has_bits: bool,
}

impl<'t> Source<'t> {
    /// The source of a text without syntax errors.
    pub(super) fn of(parsed: &'t Parsed) -> Self {
        let mut source = Self::default();
        // The directive that the declaration starts with.
        let mut directive = "";
        let (mut depth, mut body, mut is_named) = (0_usize, 0, false);
        for piece in parsed.pieces().filter(|piece| !piece.kind.is_trivia()) {
            let range = piece.at.range();
            let word = &parsed.text()[range.clone()];
            let is_function = matches!(directive, ".entry" | ".func");
            let is_variable = matches!(directive, ".global" | ".const" | ".shared");
            let last = source.items.last_mut().filter(|_| is_named);
            match piece.kind {
                PieceKind::Open(_) => {
                    if depth == 0 && word == "{" {
                        body = range.end;
                    }
                    depth += 1;
                }
                PieceKind::Close(_) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && word == "}" && !is_variable {
                        if let Some(function) = last.filter(|_| is_function) {
                            function.body = Some(&parsed.text()[body..range.start]);
                        }
                        directive = "";
                    }
                }
                PieceKind::Number if is_variable => {
                    if let Some(variable) = last {
                        variable.has_bits |=
                            matches!(word.as_bytes(), [b'0', b'f' | b'F' | b'd' | b'D', ..]);
                    }
                }
                _ if depth > 0 => {}
                PieceKind::Dotted if STARTS.contains(&word) || !(is_function || is_variable) => {
                    (directive, is_named) = (word, false);
                    // ptxas takes the last one.
                    if word == ".target" {
                        source.target = "";
                    }
                    if REFUSED.contains(&word) {
                        source.refused.get_or_insert((word, range.start));
                    }
                }
                PieceKind::Dotted if is_function => {
                    if let Some(function) = last {
                        function.directives.push((&word[1..], Vec::new()));
                    }
                }
                PieceKind::Word if (is_function || is_variable) && !is_named => {
                    let name = Item { name: word, at: range.start, is_function, ..Item::default() };
                    source.items.push(name);
                    is_named = true;
                }
                PieceKind::Word if directive == ".target" && source.target.is_empty() => {
                    source.target = word;
                }
                PieceKind::Word if directive == ".target" => source.options.push(word),
                PieceKind::Number if directive == ".version" => source.version = word,
                PieceKind::Number | PieceKind::Text | PieceKind::Word => {
                    if let Some((_, values)) = last.and_then(|item| item.directives.last_mut()) {
                        values.push(word);
                    }
                }
                PieceKind::Sign if word == "," && is_variable => is_named = false,
                PieceKind::Sign if word == ";" => {
                    let directives = last.map_or(&[][..], |item| &item.directives);
                    // This `;` does not end the function.
                    if directives.last().is_none_or(|(word, _)| *word != "pragma") {
                        directive = "";
                    }
                }
                _ => {}
            }
        }
        source
    }
}
