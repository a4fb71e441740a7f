//! Bodies, which are unchanged except for names, places and line breaks.

use std::ops::Range;

use ptx_text::{Lexer, PieceKind};

use super::comment::{Comment, comment, of_rust};
use super::names::Names;

/// The spaces before a statement.
const INDENT: usize = 12;

/// A text that replaces a part of a body.
pub(super) type Replacement = (Range<usize>, String);

/// Writes a body, a statement in a line, without `.loc`.
pub(super) fn write_body(body: &str, names: &Names<'_>, places: &[Replacement], out: &mut String) {
    let mut lines = Lines::new(out);
    let mut location = Location::None;
    let mut places = places.iter().peekable();
    for piece in Lexer::new(body) {
        let range = piece.at.range();
        let text = &body[range.clone()];
        places.next_if(|(at, _)| at.end <= range.start);
        if let Some((at, place)) = places.peek()
            && at.contains(&range.start)
        {
            if at.start == range.start {
                lines.token(place);
            }
            continue;
        }
        if !piece.kind.is_trivia() && location.takes(piece.kind, text) {
            continue;
        }
        match piece.kind {
            PieceKind::Space => lines.space(text),
            PieceKind::Comment => match comment(text) {
                Comment::Allowance(codes) => lines.alone(&format!("#[allow({codes})]")),
                Comment::Launch => {}
                Comment::Words(_) | Comment::Tools => lines.comment(&of_rust(text)),
            },
            PieceKind::OpenComment | PieceKind::LineMarker => {}
            PieceKind::Word => lines.token(names.of_word(text)),
            PieceKind::Open(_) => {
                lines.token(text);
                lines.depth += 1;
            }
            PieceKind::Close(_) => lines.close(text),
            _ => lines.token(text),
        }
        lines.is_ended |= text == ";" && piece.kind == PieceKind::Sign;
    }
    lines.end();
}

/// How much of a `.loc` has been read: it has no end but what may follow.
#[derive(Clone, Copy)]
enum Location {
    None,
    /// It may go on with this many numbers, or a comma.
    Numbers(usize),
    /// After a comma: `function_name` or `inlined_at`.
    Word,
    /// After `function_name`.
    Symbol,
    /// After the symbol: `+` and a number, or a comma.
    Offset,
}

impl Location {
    /// Whether a piece belongs to a `.loc`.
    fn takes(&mut self, kind: PieceKind, text: &str) -> bool {
        let next = match (*self, kind) {
            (_, PieceKind::Dotted) if text == ".loc" => Self::Numbers(3),
            (Self::Numbers(left), PieceKind::Number) if left > 0 => Self::Numbers(left - 1),
            (Self::Numbers(_) | Self::Offset, PieceKind::Sign) if text == "," => Self::Word,
            (Self::Word, PieceKind::Word) if text == "function_name" => Self::Symbol,
            (Self::Word, PieceKind::Word) if text == "inlined_at" => Self::Numbers(3),
            (Self::Symbol, PieceKind::Word) | (Self::Offset, PieceKind::Number) => Self::Offset,
            (Self::Offset, PieceKind::Sign) if text == "+" => Self::Offset,
            _ => Self::None,
        };
        *self = next;
        !matches!(next, Self::None)
    }
}

/// The lines of a body.
struct Lines<'o> {
    out: &'o mut String,
    line: String,
    /// The open brackets here, and where the line starts.
    depth: usize,
    outer: usize,
    /// Whether the statement on the line has ended.
    is_ended: bool,
    /// Whether a space stands before what follows.
    has_space: bool,
    gap: Gap,
}

/// What stands before the next line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// No line: nothing is before the first.
    Start,
    /// A line.
    None,
    /// An empty line.
    Empty,
}

impl<'o> Lines<'o> {
    fn new(out: &'o mut String) -> Self {
        Self {
            out,
            line: String::new(),
            depth: 0,
            outer: 0,
            is_ended: false,
            has_space: false,
            gap: Gap::Start,
        }
    }

    fn space(&mut self, text: &str) {
        match text.matches('\n').count() {
            0 => self.has_space = true,
            count => {
                self.end();
                if count > 1 && self.gap == Gap::None {
                    self.gap = Gap::Empty;
                }
            }
        }
    }

    fn token(&mut self, text: &str) {
        if self.is_ended {
            self.end();
        }
        self.push(text);
    }

    fn close(&mut self, text: &str) {
        // Only a block has ended statements in it.
        let is_block = self.is_ended || self.line.is_empty();
        if self.is_ended && self.depth <= self.outer {
            self.end();
        }
        self.depth = self.depth.saturating_sub(1);
        self.push(text);
        self.is_ended = is_block && text == "}";
    }

    fn comment(&mut self, text: &str) {
        self.has_space = !self.line.is_empty();
        for (n, line) in text.lines().enumerate() {
            if n > 0 {
                self.end();
            }
            self.push(line.trim());
        }
    }

    /// Writes a line of its own.
    fn alone(&mut self, text: &str) {
        self.end();
        self.push(text);
        self.end();
    }

    fn push(&mut self, text: &str) {
        if self.line.is_empty() {
            self.outer = self.depth;
        } else if self.has_space {
            self.line.push(' ');
        }
        self.has_space = false;
        self.line.push_str(text);
    }

    fn end(&mut self) {
        let line = self.line.trim_end();
        if !line.is_empty() {
            if self.gap == Gap::Empty {
                self.out.push('\n');
            }
            let indent = INDENT + 4 * self.outer;
            self.out.extend(std::iter::repeat_n(' ', indent));
            self.out.push_str(line);
            self.out.push('\n');
            self.gap = Gap::None;
        }
        self.line.clear();
        (self.is_ended, self.has_space) = (false, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(body: &str) -> String {
        let names = Names::of_items(["x$"].into_iter(), std::iter::empty(), std::iter::empty());
        let mut out = String::new();
        write_body(body, &names, &[], &mut out);
        out
    }

    #[test]
    fn locations_go_and_comments_stay() {
        let body = "// a\n\tld.u32\t%r1, [x$]; // b\n.loc 1 2 3, function_name $a+2, inlined_at 1 2 3 ret;\n\n\n\
            /* c;\n*/ .pragma \"// x$\"; mov.u32 %r1, %tid.x;";
        let lines = [
            "// a",
            "ld.u32 %r1, [x_S_]; // b",
            "ret;",
            "",
            "/* c;",
            "*/ .pragma \"// x$\";",
            "mov.u32 %r1, %tid.x;",
        ];
        let found = written(body);
        assert_eq!(found.lines().map(str::trim).collect::<Vec<_>>(), lines);
    }

    #[test]
    fn blocks_are_indented() {
        let found =
            written("{ // one\n.reg .b32 %r;\n}\ncall (a),\nf,\n(\nb\n);// ptx: allow(A034)\nret;");
        let expected =
            "{ // one\n    .reg .b32 %r;\n}\ncall (a),\nf,\n(\n    b\n);\n#[allow(A034)]\nret;\n";
        let plain: Vec<&str> = found.lines().map(|line| &line[INDENT..]).collect();
        assert_eq!(plain.join("\n") + "\n", expected);
    }
}
