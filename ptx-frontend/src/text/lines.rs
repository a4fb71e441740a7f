//! The lines of a text.

use super::extent::Position;

/// Where the lines of a text start.
#[derive(Debug)]
pub(super) struct Lines {
    starts: Vec<u32>,
    is_ascii: bool,
}

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        let mut starts = vec![0];
        for (at, byte) in text.bytes().enumerate() {
            let is_break = match byte {
                b'\n' => true,
                b'\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if is_break {
                starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
            }
        }
        Self { starts, is_ascii: text.is_ascii() }
    }

    /// The line and the column of a byte.
    pub(super) fn position(&self, text: &str, at: usize) -> Position {
        let at = at.min(text.len());
        let line = self.starts.partition_point(|start| *start as usize <= at);
        let start = self.starts.get(line.wrapping_sub(1)).map_or(0, |start| *start as usize);
        let column = match text.get(start..at) {
            Some(before) if !self.is_ascii => before.chars().count(),
            _ => at - start,
        };
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Position { line: number(line), column: number(column + 1) }
    }
}
