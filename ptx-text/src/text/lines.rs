//! The lines of a text.

use super::extent::Position;

/// The starts of the lines of a text.
#[derive(Debug)]
pub(super) struct Lines {
    starts: Vec<u32>,
    /// The number of UTF-8 continuation bytes before each block of the text; empty if the text is ASCII.
    inner: Vec<u32>,
}

/// The size of a block in bytes: a line may be the whole text, and columns are looked up often.
const BLOCK: usize = 1024;

fn is_inner(byte: u8) -> bool {
    byte & 0xC0 == 0x80
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
        let mut inner = Vec::new();
        if !text.is_ascii() {
            let mut count = 0;
            for block in text.as_bytes().chunks(BLOCK) {
                inner.push(count);
                count += u32::try_from(block.iter().filter(|byte| is_inner(**byte)).count())
                    .unwrap_or_default();
            }
        }
        Self { starts, inner }
    }

    /// The line and the column of a byte.
    pub(super) fn position(&self, text: &str, at: usize) -> Position {
        let at = at.min(text.len());
        let line = self.starts.partition_point(|start| *start as usize <= at);
        let start = self.starts.get(line.wrapping_sub(1)).map_or(0, |start| *start as usize);
        let column = at - start - (self.inner_before(text, at) - self.inner_before(text, start));
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Position { line: number(line), column: number(column + 1) }
    }

    /// The number of UTF-8 continuation bytes before an offset.
    fn inner_before(&self, text: &str, at: usize) -> usize {
        let block = (at / BLOCK).min(self.inner.len().saturating_sub(1));
        let Some(count) = self.inner.get(block) else { return 0 };
        *count as usize
            + text.as_bytes()[block * BLOCK..at].iter().filter(|byte| is_inner(**byte)).count()
    }
}
