//! Splits PTX text into pieces (PTX ISA 4.1 to 4.5) that cover every byte.

use super::extent::Extent;
use crate::body::token::Delimiter;

/// A piece of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its kind.
    pub kind: PieceKind,
    /// Its location.
    pub at: Extent,
}

/// The kind of a piece of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceKind {
    /// Spaces, tabs and line breaks.
    Space,
    /// `// ..` to the end of the line, or `/* .. */`.
    Comment,
    /// An unterminated `/* ..`.
    OpenComment,
    /// A line marker of the C preprocessor: `# 12 "blur.cu"`.
    LineMarker,
    /// An identifier: `ld`, `%r1`, `$L__BB0_2`, `_`.
    Word,
    /// A number, or a word that starts like one.
    Number,
    /// A string with its quotes.
    Text,
    /// An unterminated `"..`.
    OpenText,
    /// A dot and the word or number that follows it: `.f32`, `.5`.
    Dotted,
    /// Two colons and the word that follows them: `::cta`.
    Colons,
    /// `(`, `[` or `{`.
    Open(Delimiter),
    /// `)`, `]` or `}`.
    Close(Delimiter),
    /// Another punctuation character, or an invalid one.
    Sign,
}

impl PieceKind {
    /// Whether the grammar ignores it.
    pub const fn is_trivia(self) -> bool {
        matches!(self, Self::Space | Self::Comment | Self::OpenComment | Self::LineMarker)
    }
}

/// The lexical class of a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    /// A letter, or `_`.
    Letter,
    Digit,
    /// `$`, which may start an identifier or occur in one.
    Dollar,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = u8::MIN;
    loop {
        classes[byte as usize] = match byte {
            // ptxas ignores form feeds and an end-of-file mark as well.
            b' ' | b'\t' | b'\n' | b'\r' | 0x0C | 0x1A => Class::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'$' => Class::Dollar,
            _ => Class::Other,
        };
        if byte == u8::MAX {
            break classes;
        }
        byte += 1;
    }
};

fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte)]
}

/// Whether a byte can continue an identifier.
fn follows(byte: u8) -> bool {
    matches!(class(byte), Class::Letter | Class::Digit | Class::Dollar)
}

/// Reads a text piece by piece.
#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    /// Starts at the beginning of a text, of which at most 4 GiB are read.
    pub fn new(text: &'t str) -> Self {
        Self { text: text.get(..u32::MAX as usize).unwrap_or(text), at: 0 }
    }

    /// The text.
    pub(super) const fn text(&self) -> &'t str {
        self.text
    }

    /// The offset of the next piece.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Continues from an offset at which a piece starts.
    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The end of the bytes from `at` on for which `is_in` holds.
    fn end_of(&self, at: usize, is_in: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        at + rest.iter().position(|byte| !is_in(*byte)).unwrap_or(rest.len())
    }

    /// The end of the line without its line break; a carriage return alone does not end a comment.
    fn line_end(&self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        match rest.iter().position(|byte| *byte == b'\n') {
            Some(end) if end > 0 && rest[end - 1] == b'\r' => at + end - 1,
            Some(end) => at + end,
            None => at + rest.len(),
        }
    }

    /// The offset after the first `needle` from `at` on.
    fn after(&self, at: usize, needle: &str) -> Option<usize> {
        let found = self.text.as_bytes().get(at..)?;
        let found = match needle.as_bytes() {
            [byte] => found.iter().position(|other| other == byte)?,
            needle => found.windows(needle.len()).position(|other| other == needle)?,
        };
        Some(at + found + needle.len())
    }

    /// The end of the number that starts here: digits and the letters among them, a fraction, an exponent.
    fn number_end(&self, start: usize) -> usize {
        let mut end = self.end_of(start, follows);
        let is_decimal =
            |end: usize| self.text.as_bytes()[start..end].iter().all(u8::is_ascii_digit);
        // Letters after the point belong to the number, as in `1.e3`; ptxas refuses others, as in `.align 4.param`.
        if self.byte(end) == b'.' && is_decimal(end) {
            end = self.end_of(end + 1, follows);
        }
        self.exponent_end(start, end)
    }

    /// The end of a number from `start` that may have a signed exponent at `end`: `1e-3`.
    fn exponent_end(&self, start: usize, end: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mantissa = bytes[start..end].split_last();
        if let Some((b'e' | b'E', mantissa)) = mantissa
            && mantissa.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
            && matches!(self.byte(end), b'+' | b'-')
            && self.byte(end + 1).is_ascii_digit()
        {
            return self.end_of(end + 1, follows);
        }
        end
    }

    /// Whether a `#` starts a line marker: `# 12 "blur.cu" 3`, `#line 12 "blur.cu"`. ptxas accepts
    /// one after other tokens as well.
    fn is_line_marker(&self, at: usize) -> bool {
        // The end of the line is only searched for if this may be a line marker: a line may contain many `#`.
        let line = &self.text.as_bytes()[at..];
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
        let behind = |bytes: &[u8], which: &dyn Fn(&u8) -> bool| -> usize {
            bytes.iter().take_while(|byte| which(byte)).count()
        };
        let mut rest = &line[behind(line, &is_space)..];
        if let Some(after) = rest.strip_prefix(b"line") {
            rest = &after[behind(after, &is_space)..];
        }
        let number = behind(rest, &u8::is_ascii_digit);
        let rest = &rest[number..];
        let spaces = behind(rest, &is_space);
        let [b'"', name @ ..] = &rest[spaces..] else { return false };
        let ends = |byte: &u8| matches!(byte, b'"' | b'\n');
        let Some(end) = name.iter().position(ends).filter(|end| name[*end] == b'"') else {
            return false;
        };
        let is_flag = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_whitespace();
        let mut flags = name[end + 1..].iter().take_while(|byte| **byte != b'\n');
        number > 0 && spaces > 0 && flags.all(is_flag)
    }
}

impl Iterator for Lexer<'_> {
    type Item = Piece;

    #[inline]
    fn next(&mut self) -> Option<Piece> {
        let start = self.at;
        let byte = *self.text.as_bytes().get(start)?;
        let (kind, end) = match class(byte) {
            Class::Space => {
                (PieceKind::Space, self.end_of(start + 1, |byte| class(byte) == Class::Space))
            }
            Class::Letter => (PieceKind::Word, self.end_of(start + 1, follows)),
            Class::Digit => (PieceKind::Number, self.number_end(start)),
            Class::Dollar => match self.end_of(start + 1, follows) {
                end if end == start + 1 => (PieceKind::Sign, end),
                end => (PieceKind::Word, end),
            },
            Class::Other => self.other(byte, start),
        };
        self.at = end;
        // A text has at most 4 GiB.
        #[expect(clippy::cast_possible_truncation, reason = "the text is cut to 4 GiB")]
        let at = Extent { start: start as u32, end: end as u32 };
        Some(Piece { kind, at })
    }
}

impl Lexer<'_> {
    fn other(&self, byte: u8, start: usize) -> (PieceKind, usize) {
        let next = self.byte(start + 1);
        match byte {
            b'%' if follows(next) => (PieceKind::Word, self.end_of(start + 1, follows)),
            b'.' if follows(next) => {
                let end = self.end_of(start + 1, follows);
                let end =
                    if next.is_ascii_digit() { self.exponent_end(start + 1, end) } else { end };
                (PieceKind::Dotted, end)
            }
            b':' if next == b':' && follows(self.byte(start + 2)) => {
                (PieceKind::Colons, self.end_of(start + 2, follows))
            }
            b'(' => (PieceKind::Open(Delimiter::Parenthesis), start + 1),
            b'[' => (PieceKind::Open(Delimiter::Bracket), start + 1),
            b'{' => (PieceKind::Open(Delimiter::Brace), start + 1),
            b')' => (PieceKind::Close(Delimiter::Parenthesis), start + 1),
            b']' => (PieceKind::Close(Delimiter::Bracket), start + 1),
            b'}' => (PieceKind::Close(Delimiter::Brace), start + 1),
            b'/' if next == b'/' => (PieceKind::Comment, self.line_end(start)),
            b'/' if next == b'*' => match self.after(start + 2, "*/") {
                Some(end) => (PieceKind::Comment, end),
                None => (PieceKind::OpenComment, self.text.len()),
            },
            b'"' => match self.after(start + 1, "\"") {
                Some(end) => (PieceKind::Text, end),
                None => (PieceKind::OpenText, self.text.len()),
            },
            b'#' if self.is_line_marker(start + 1) => (PieceKind::LineMarker, self.line_end(start)),
            // A byte order mark, which is not part of the source.
            0xEF if start == 0 && self.text.starts_with('\u{FEFF}') => (PieceKind::Space, 3),
            // All bytes of one character form one piece.
            _ => (PieceKind::Sign, self.end_of(start + 1, |byte| byte & 0xC0 == 0x80)),
        }
    }
}
