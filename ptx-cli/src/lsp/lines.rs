//! The positions of the protocol in a text.

use std::ops::Range;

use lsp_types::{Position, Range as Span};

/// What a column counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, as clients count that do not say otherwise.
    Utf16,
}

/// The lines of a text.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Lines {
    /// The lines of a text. They end with `\n`, `\r\n` or `\r`.
    pub(super) fn of(text: &str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let is_end = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let starts = (0..bytes.len()).filter(is_end).map(|at| at + 1);
        Self { starts: std::iter::once(0).chain(starts).collect(), encoding }
    }

    /// The line of an offset, from 0.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The line of an offset that is not before a line.
    pub(super) fn line_from(&self, mut line: usize, offset: usize) -> usize {
        while self.starts.get(line + 1).is_some_and(|start| *start <= offset) {
            line += 1;
        }
        line
    }

    /// The column of an offset in a line, as the client counts.
    pub(super) fn column(&self, text: &str, line: usize, offset: usize) -> u32 {
        number(self.columns(&text[self.start(text, line)..offset]))
    }

    fn columns(&self, text: &str) -> usize {
        match self.encoding {
            Encoding::Utf16 if !text.is_ascii() => text.chars().map(char::len_utf16).sum(),
            Encoding::Utf8 | Encoding::Utf16 => text.len(),
        }
    }

    /// The offset of the start of a line, or the end of the text.
    pub(super) fn start(&self, text: &str, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(text.len())
    }

    /// The position of an offset. One inside of a character is that of the character.
    pub(super) fn position(&self, text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line(offset);
        Position { line: number(line), character: self.column(text, line, offset) }
    }

    /// The range of some bytes.
    pub(super) fn range(&self, text: &str, range: Range<usize>) -> Span {
        Span { start: self.position(text, range.start), end: self.position(text, range.end) }
    }

    /// The offset of a position. One after the end of its line, or in a line that does not exist, is the end.
    pub(super) fn offset(&self, text: &str, position: Position) -> usize {
        let line = position.line as usize;
        let start = self.start(text, line);
        let end = self.start(text, line.saturating_add(1));
        let content = text.get(start..end).unwrap_or_default().trim_end_matches(['\r', '\n']);
        let mut column = position.character as usize;
        let mut offset = start;
        for character in content.chars() {
            let width = match self.encoding {
                Encoding::Utf8 => character.len_utf8(),
                Encoding::Utf16 => character.len_utf16(),
            };
            if column < width {
                break;
            }
            column -= width;
            offset += character.len_utf8();
        }
        offset
    }

    /// The bytes of a range, which may be given backwards.
    pub(super) fn bytes(&self, text: &str, range: Span) -> Range<usize> {
        let (start, end) = (self.offset(text, range.start), self.offset(text, range.end));
        start.min(end)..end.max(start)
    }
}

/// A line or a column.
fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every offset and its position, in both encodings.
    #[test]
    fn positions_and_offsets_belong_together() {
        let text = "a\r\nπ𝄞b\rc\n\n𝄞";
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let lines = Lines::of(text, encoding);
            assert_eq!(lines.starts.len(), 5);
            for (offset, character) in text.char_indices() {
                let position = lines.position(text, offset);
                if character != '\n' || offset == 0 || text.as_bytes()[offset - 1] != b'\r' {
                    assert_eq!(lines.offset(text, position), offset, "{encoding:?}");
                }
            }
        }
        let lines = Lines::of(text, Encoding::Utf16);
        assert_eq!(lines.position(text, text.find('b').unwrap_or(0)), Position::new(1, 3));
    }

    #[test]
    fn positions_outside_are_moved_inside() {
        let lines = Lines::of("ab\ncd", Encoding::Utf16);
        assert_eq!(lines.offset("ab\ncd", Position::new(0, 99)), 2);
        assert_eq!(lines.offset("ab\ncd", Position::new(99, 0)), 5);
        assert_eq!(lines.offset("ab\ncd", Position::new(u32::MAX, u32::MAX)), 5);
        // In the middle of a character of two units.
        assert_eq!(Lines::of("𝄞", Encoding::Utf16).offset("𝄞", Position::new(0, 1)), 0);
    }
}
