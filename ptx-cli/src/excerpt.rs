//! The lines of a file that a finding is about.

use std::ops::Range;

/// The maximum bytes of a line that are kept before and after the highlighted text.
const AROUND: usize = 400;
/// The maximum bytes of the highlighted text that are kept.
const MOST: usize = 4_000;
/// The maximum lines of the highlighted text that are kept; if there are more, only the first is.
const LINES: usize = 8;

/// Some lines of a file, kept so that the whole file need not be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Excerpt {
    /// The lines, without the last line's end.
    pub(crate) text: String,
    /// The highlighted text in them, in bytes.
    pub(crate) span: Range<usize>,
    /// The column in them, in characters from 1, where that starts; it is less than the column in the file
    /// if the start of a long line is left out.
    pub(crate) column: usize,
}

impl Excerpt {
    /// The lines around `range` of `text`.
    pub(crate) fn of(text: &str, range: &Range<usize>) -> Self {
        let start = text.floor_char_boundary(range.start);
        let end = text.ceil_char_boundary(range.end.clamp(start, text.len()));
        let end = shortened(text, start, end);
        let first = text.floor_char_boundary(start.saturating_sub(AROUND));
        let first = text[first..start].rfind(['\n', '\r']).map_or(first, |at| first + at + 1);
        let last = text.ceil_char_boundary((end + AROUND).min(text.len()));
        let last = text[end..last].find(['\n', '\r']).map_or(last, |at| end + at);
        let column = text[first..start].chars().count() + 1;
        Self { text: text[first..last].to_owned(), span: start - first..end - first, column }
    }
}

/// The end of the part of a range that is shown: a few whole lines, or else the first line.
fn shortened(text: &str, start: usize, end: usize) -> usize {
    let shown = &text[start..text.floor_char_boundary(end.min(start + MOST))];
    let first_line = shown.find(['\n', '\r']).unwrap_or(shown.len());
    let is_short = shown.len() == end - start && shown.matches('\n').count() < LINES;
    start + if is_short { shown.len() } else { first_line }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, range: Range<usize>) -> (String, String, usize) {
        let Excerpt { text, span, column } = Excerpt::of(text, &range);
        let blamed = text[span].to_owned();
        (text, blamed, column)
    }

    fn owned(text: &str, blamed: &str, column: usize) -> (String, String, usize) {
        (text.to_owned(), blamed.to_owned(), column)
    }

    #[test]
    fn it_is_the_line() {
        let text = "one\n\ttwo %r1;\r\nthree";
        let at = text.find("%r1").expect("it is there");
        assert_eq!(excerpt(text, at..at + 3), owned("\ttwo %r1;", "%r1", 6));
        assert_eq!(excerpt(text, 0..3), owned("one", "one", 1));
        assert_eq!(excerpt(text, text.len()..text.len()), owned("three", "", 6));
        assert_eq!(excerpt("", 0..0), owned("", "", 1));
    }

    #[test]
    fn what_lies_outside_the_text_is_its_end() {
        assert_eq!(excerpt("ab", 5..9), owned("ab", "", 3));
    }

    #[test]
    fn a_few_lines_are_shown_and_of_many_the_first() {
        let text = "a {\nb\n}\nc";
        assert_eq!(excerpt(text, 2..7), owned("a {\nb\n}", "{\nb\n}", 3));
        let text = "x\n".repeat(100);
        assert_eq!(excerpt(&text, 2..150), owned("x", "x", 1));
    }

    #[test]
    fn a_long_line_is_cut() {
        let text = format!("{}%r{}", "é".repeat(100_000), "y".repeat(100_000));
        let at = text.find('%').expect("it is there");
        let (shown, blamed, column) = excerpt(&text, at..at + 2);
        assert_eq!((blamed.as_str(), column), ("%r", 201));
        assert_eq!(shown.len(), 2 * AROUND + 2);
        let (_, blamed, _) = excerpt(&text, 0..text.len());
        assert!(blamed.len() <= MOST);
    }
}
