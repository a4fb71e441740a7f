//! Banks of shared memory: what of a warp's access meets in one of them, and a tile as a picture.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::map::Spec;

/// The banks of shared memory, of 4 bytes each.
pub const BANKS: usize = 32;
/// The bytes of a bank.
const BANK_BYTES: usize = 4;
/// The bytes of all banks, which an access reads at once: 32 threads read 4 bytes each, 8 threads 16.
const LINE: usize = BANKS * BANK_BYTES;
/// The bytes of a chunk, which no swizzle but [`B128Atom32Flip8`](super::Swizzle::B128Atom32Flip8) takes apart.
const CHUNK: usize = 16;

/// How often the banks of shared memory are read for what could be read at once, of the threads of a warp that read or
/// write `bytes` bytes at these offsets, in the order of the threads: 1 without a conflict, 0 without a thread.
///
/// Threads with the same word do not conflict. Of accesses of 8 bytes half of a warp, and of 16 bytes a quarter, is served
/// at once; the worst of these counts. No thread accesses more than 128 bytes.
///
/// ```
/// use ptx_types::tensor::{Spec, Swizzle, ElementType, bank_conflicts};
/// // A column of rows of 128 bytes, and the same with a swizzle.
/// let plain = Spec::tiled(ElementType::Bf16, &[64, 32])?;
/// let swizzled = plain.with_swizzle(Swizzle::B128);
/// let column = |spec: Spec| (0..32).map(move |row| spec.element_offset([0, row, 0, 0, 0]).unwrap());
/// assert_eq!(bank_conflicts(column(plain), 16), 8);
/// assert_eq!(bank_conflicts(column(swizzled), 16), 1);
/// # Ok::<(), ptx_types::tensor::MapError>(())
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

/// The most words of one bank that these threads ask for.
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
    /// The worst [conflict](bank_conflicts) of threads that read a column of the tile: each `bytes` bytes at the same place of
    /// a row, one row after the other, as `ldmatrix` and a product's fragments do.
    pub fn column_conflicts(&self, bytes: usize) -> usize {
        let (rows, row_bytes) = self.shown();
        let column =
            |column| (0..rows).map(move |row| self.swizzle(row * self.row_pitch() + column));
        let columns = (0..row_bytes).step_by(accessed(bytes));
        columns.map(|at| bank_conflicts(column(at), bytes)).fold(1, usize::max)
    }

    /// The rows and the bytes of a row that are looked at: all of them, but of maps that nothing encodes no more than fits
    /// shared memory.
    fn shown(&self) -> (usize, usize) {
        // More than the bytes of shared memory that a copy may write.
        let most = 1_usize << 18;
        let rows = most.div_ceil(self.row_pitch().max(1));
        (self.rows().min(rows), self.row_bytes().min(most))
    }

    /// The tile as it lies in shared memory, as a picture in the manner of PTX ISA 5.5.7: of any rank and mode, row after
    /// row.
    ///
    /// ```
    /// use ptx_types::tensor::{ElementType, Spec, Swizzle};
    /// let spec = Spec::tiled(ElementType::Bf16, &[16, 6])?.with_swizzle(Swizzle::B32);
    /// assert_eq!(
    ///     spec.picture().to_string(),
    ///     "banks   0-3   4-7  8-11 12-15 16-19 20-23 24-27 28-31\n\
    ///      0       0.0   0.1   1.0   1.1   2.0   2.1   3.0   3.1\n\
    ///      128     4.1   4.0   5.1   5.0     .     .     .     .\n"
    /// );
    /// # Ok::<(), ptx_types::tensor::MapError>(())
    /// ```
    pub const fn picture(&self) -> Picture<'_> {
        Picture { spec: self }
    }
}

/// A tile as it lies in shared memory, a line for each 128 bytes, with the chunks of 16 bytes as `row.chunk`: as text by
/// `Display`, or as [SVG](Self::svg).
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    spec: &'a Spec,
}

/// The chunks of a line.
const COLUMNS: usize = LINE / CHUNK;

impl Picture<'_> {
    /// The chunks of each line: their rows, and where they are in them.
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

    /// The picture as SVG: a colour for each row, and in each chunk its number in the row.
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
