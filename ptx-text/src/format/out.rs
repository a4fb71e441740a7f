//! Lines of at most 100 columns.

/// The columns of a line; only what cannot be broken, and comments, make one longer.
pub(super) const WIDTH: usize = 100;

/// A place where a line may be broken; the first in this order is taken, and of several the last in the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Break {
    /// After a comma between operands.
    Operands,
    /// After the opcode.
    Opcode,
    /// After a comma in a list.
    List,
    /// After a comma in a list in a list.
    Inner,
}

/// Writes lines, and breaks those that become too long.
#[derive(Debug)]
pub(super) struct Out {
    text: String,
    /// Where the line starts.
    line: usize,
    /// The blanks of the line at which it may be broken, by [`Break`].
    breaks: [Option<usize>; 4],
    /// The indentation of what follows a break.
    pub(super) continuation: usize,
}

impl Out {
    /// Lines of this total size, more or less.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), line: 0, breaks: [None; 4], continuation: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The columns of the line so far.
    pub(super) fn column(&self) -> usize {
        self.text.len() - self.line
    }

    /// Starts a line, after an empty one if `is_apart`; the first line of all has no indentation.
    pub(super) fn start_line(&mut self, indentation: usize, is_apart: bool) {
        if !self.text.is_empty() {
            self.text.push_str(if is_apart { "\n\n" } else { "\n" });
            self.line = self.text.len();
            self.text.extend(core::iter::repeat_n(' ', indentation));
        }
        self.breaks = [None; 4];
    }

    /// Writes blanks.
    pub(super) fn blanks(&mut self, count: usize) {
        self.text.extend(core::iter::repeat_n(' ', count));
    }

    /// Notes that the line may be broken here, instead of the blank that follows.
    pub(super) fn may_break(&mut self, place: Break) {
        self.breaks[place as usize] = Some(self.text.len());
    }

    /// Writes a token, and breaks the line before it if it is too long now.
    pub(super) fn token(&mut self, text: &str) {
        self.verbatim(text);
        while self.column() > WIDTH
            && let Some(at) = self.breaks.iter().find_map(|at| *at)
        {
            let indentation = self.continuation;
            let line_break = core::iter::once('\n').chain(core::iter::repeat_n(' ', indentation));
            self.text.replace_range(at..=at, &line_break.collect::<String>());
            self.line = at + 1;
            for other in &mut self.breaks {
                *other = other.filter(|other| *other > at).map(|other| other + indentation);
            }
        }
    }

    /// Writes text as it is, however long, with the line breaks of Unix.
    pub(super) fn verbatim(&mut self, text: &str) {
        if !text.contains('\n') {
            self.text.push_str(text);
            return;
        }
        self.text.push_str(&text.replace("\r\n", "\n"));
        self.line = self.text.rfind('\n').map_or(0, |end| end + 1);
        self.breaks = [None; 4];
    }

    /// The text, with its last line ended if it `is_lines`.
    pub(super) fn finish(mut self, is_lines: bool) -> String {
        if is_lines && !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
    }
}
