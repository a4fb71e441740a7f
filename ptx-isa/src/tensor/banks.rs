//! Banks of shared memory: the conflicts of a warp's accesses, and a tile as a picture.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::map::Spec;

/// The number of banks of shared memory, of 4 bytes each.
pub const BANKS: usize = 32;
/// The bytes of a bank.
const BANK_BYTES: usize = 4;
/// The bytes of all banks, which are accessed at once: 4 bytes each by 32 threads, or 16 by 8
/// threads.
const LINE: usize = BANKS * BANK_BYTES;
/// The bytes of a chunk, which only the swizzle
/// [`B128Atom32Flip8`](super::Swizzle::B128Atom32Flip8) splits.
const CHUNK: usize = 16;

/// The degree of the worst bank conflict when the threads of a warp read or write `bytes` bytes at
/// these offsets, in thread order: how many times a bank is accessed for a request that could take
/// one access. It is 1 without a conflict, and 0 without threads.
///
/// Threads that access the same word do not conflict. Accesses of 8 bytes are served half a warp at
/// a time, and those of 16 bytes a quarter; the worst of these parts counts. A thread accesses at
/// most 128 bytes.
///
/// ```
/// use ptx_isa::tensor::{Spec, Swizzle, ElementType, bank_conflicts};
/// // A column of rows of 128 bytes, without and with a swizzle.
/// let plain = Spec::tiled(ElementType::Bf16, &[64, 32])?;
/// let swizzled = plain.with_swizzle(Swizzle::B128);
/// let column = |spec: Spec| (0..32).map(move |row| spec.element_offset([0, row, 0, 0, 0]).unwrap());
/// assert_eq!(bank_conflicts(column(plain), 16), 8);
/// assert_eq!(bank_conflicts(column(swizzled), 16), 1);
/// # Ok::<(), ptx_isa::tensor::MapError>(())
/// ```
pub fn bank_conflicts(offsets: impl IntoIterator<Item = usize>, bytes: usize) -> usize {
    let offsets: Vec<usize> = offsets.into_iter().collect();
    let bytes = accessed(bytes);
    let at_once = (LINE / bytes).min(BANKS);
    offsets.chunks(at_once).map(|threads| words_of_a_bank(threads, bytes)).max().unwrap_or(0)
}

/// The bytes that a thread accesses.
fn accessed(bytes: usize) -> usize {
    bytes.clamp(1, LINE)
}

/// The greatest number of words that these threads access in one bank.
fn words_of_a_bank(threads: &[usize], bytes: usize) -> usize {
    let words = threads.iter().flat_map(|offset| {
        let last = offset.saturating_add(bytes - 1);
        offset / BANK_BYTES..=last / BANK_BYTES
    });
    let mut words: Vec<usize> = words.collect();
    words.sort_unstable();
    words.dedup();
    let mut counts = [0; BANKS];
    for word in words {
        counts[word % BANKS] += 1;
    }
    counts.into_iter().max().unwrap_or_default()
}

impl Spec {
    /// The worst [conflict](bank_conflicts) of threads that read a column of the tile: each reads
    /// `bytes` bytes at the same place in its row, in consecutive rows, as `ldmatrix` and the
    /// fragments of a matrix product do.
    pub fn column_conflicts(&self, bytes: usize) -> usize {
        let (rows, row_bytes) = self.shown();
        let column =
            |column| (0..rows).map(move |row| self.swizzle(row * self.row_pitch() + column));
        let columns = (0..row_bytes).step_by(accessed(bytes));
        columns.map(|at| bank_conflicts(column(at), bytes)).fold(1, usize::max)
    }

    /// The rows, and the bytes of a row, that are considered: all of them, but no more than fit in
    /// shared memory if the map cannot be encoded.
    fn shown(&self) -> (usize, usize) {
        // More than the bytes of shared memory that a copy may write.
        let most = 1_usize << 18;
        let rows = most.div_ceil(self.row_pitch().max(1));
        (self.rows().min(rows), self.row_bytes().min(most))
    }

    /// The tile in shared memory as a picture in the style of PTX ISA 5.5.7, for any rank and mode,
    /// row by row.
    ///
    /// ```
    /// use ptx_isa::tensor::{ElementType, Spec, Swizzle};
    /// let spec = Spec::tiled(ElementType::Bf16, &[16, 6])?.with_swizzle(Swizzle::B32);
    /// assert_eq!(
    ///     spec.picture().to_string(),
    ///     "banks   0-3   4-7  8-11 12-15 16-19 20-23 24-27 28-31\n\
    ///      0       0.0   0.1   1.0   1.1   2.0   2.1   3.0   3.1\n\
    ///      128     4.1   4.0   5.1   5.0     .     .     .     .\n"
    /// );
    /// # Ok::<(), ptx_isa::tensor::MapError>(())
    /// ```
    pub const fn picture(&self) -> Picture<'_> {
        Picture { spec: self }
    }
}

/// The picture of a tile in shared memory, a line for each 128 bytes, with its 16-byte chunks as
/// `row.chunk`: as text by `Display`, or as [SVG](Self::svg).
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    spec: &'a Spec,
}

/// The chunks of a line.
const COLUMNS: usize = LINE / CHUNK;

impl Picture<'_> {
    /// The chunks of each line: the row of each, and its index in the row.
    fn lines(self) -> Vec<[Option<(usize, usize)>; COLUMNS]> {
        let spec = self.spec;
        let (rows, row_bytes) = spec.shown();
        let mut lines = Vec::new();
        for row in 0..rows {
            for chunk in 0..row_bytes.div_ceil(CHUNK) {
                let at = spec.swizzle(row * spec.row_pitch() + chunk * CHUNK);
                while lines.len() * LINE <= at {
                    lines.push([None; COLUMNS]);
                }
                lines[at / LINE][at % LINE / CHUNK] = Some((row, chunk));
            }
        }
        lines
    }

    /// The picture as SVG, with a colour for each row, and the index of each chunk in its row.
    pub fn svg(self) -> String {
        const CELL: usize = 48;
        let lines = self.lines();
        let (width, height) = (COLUMNS * CELL, (lines.len() + 1) * CELL);
        let mut svg = String::new();
        // Writing into a `String` does not fail.
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" text-anchor=\"middle\">"
        );
        for column in 0..COLUMNS {
            let (x, first) = (column * CELL + CELL / 2, column * CHUNK / BANK_BYTES);
            let (y, last) = (CELL / 2, first + CHUNK / BANK_BYTES - 1);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"9\">banks {first}-{last}</text>"
            );
        }
        for (n, line) in lines.iter().enumerate() {
            for (column, chunk) in line.iter().enumerate() {
                let Some((row, chunk)) = chunk else { continue };
                let (x, y, hue) = (column * CELL, (n + 1) * CELL, row * 47 % 360);
                let (middle, base) = (x + CELL / 2, y + CELL / 2 + 5);
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" \
                     fill=\"hsl({hue},70%,80%)\" stroke=\"black\"/>\
                     <text x=\"{middle}\" y=\"{base}\" font-size=\"16\">{chunk}</text>"
                );
            }
        }
        svg.push_str("</svg>\n");
        svg
    }
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("banks")?;
        for column in 0..COLUMNS {
            let first = column * CHUNK / BANK_BYTES;
            write!(f, " {:>5}", format!("{first}-{}", first + 3))?;
        }
        f.write_str("\n")?;
        for (n, line) in self.lines().iter().enumerate() {
            write!(f, "{:<5}", n * LINE)?;
            for chunk in line {
                match chunk {
                    Some((row, chunk)) => write!(f, " {:>5}", format!("{row}.{chunk}"))?,
                    None => write!(f, " {:>5}", ".")?,
                }
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}
