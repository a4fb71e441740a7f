//! Shared memory through a swizzle.

use core::ops::Range;

use crate::tensor::Swizzle;

/// The swizzle of a tile at an address.
#[derive(Clone, Copy)]
pub(super) struct Swizzled {
    address: usize,
    moves: Moves,
    /// The bytes that stay together.
    atom: usize,
}

/// How a swizzle moves bytes.
#[derive(Clone, Copy)]
enum Moves {
    Nothing,
    /// The chunks of a 128-byte line move: the mask of the bits of the line's number, and their
    /// shift.
    Chunks {
        mask: usize,
        shift: u32,
    },
    /// The swizzle has its own pattern.
    Flipped(Swizzle),
}

impl Swizzled {
    pub(super) fn new(swizzle: Swizzle, address: usize) -> Self {
        let chunks = |mask, shift| (Moves::Chunks { mask, shift }, 16);
        let (moves, atom) = match swizzle {
            Swizzle::None => (Moves::Nothing, usize::MAX),
            Swizzle::B32 | Swizzle::B96 => chunks(1, 4),
            Swizzle::B64 => chunks(3, 4),
            Swizzle::B128 => chunks(7, 4),
            Swizzle::B128Atom32 => chunks(3, 5),
            Swizzle::B128Atom32Flip8 => (Moves::Flipped(swizzle), 8),
            Swizzle::B128Atom64 => chunks(1, 6),
        };
        Self { address, moves, atom }
    }

    /// Visits the pieces of a range of the tile that stay together, with the place of each and its
    /// bytes within the range.
    #[inline]
    pub(super) fn pieces(
        self,
        offset: usize,
        bytes: usize,
        mut visit: impl FnMut(usize, Range<usize>),
    ) {
        if matches!(self.moves, Moves::Nothing) {
            visit(offset, 0..bytes);
        } else {
            let mut done = 0;
            while done < bytes {
                let at = offset + done;
                let piece = (self.atom - at % self.atom).min(bytes - done);
                visit(self.place(at), done..done + piece);
                done += piece;
            }
        }
    }

    /// Whether chunks of at least 16 bytes move as a whole.
    #[inline]
    fn moves_chunks(self) -> bool {
        matches!(self.moves, Moves::Chunks { .. })
    }

    /// The place of a byte of the tile.
    #[inline]
    fn place(self, offset: usize) -> usize {
        match self.moves {
            Moves::Nothing => offset,
            Moves::Chunks { mask, shift } => {
                offset ^ ((((self.address + offset) >> 7) & mask) << shift)
            }
            Moves::Flipped(swizzle) => swizzle.apply(self.address + offset) - self.address,
        }
    }

    /// Writes part of a tile.
    #[inline]
    pub(super) fn write(self, shared: &mut [u8], offset: usize, data: &[u8]) {
        if self.moves_chunks() && offset.is_multiple_of(16) && data.len().is_multiple_of(16) {
            // This does the same as below, with lengths that the compiler knows.
            let (data, _) = data.as_chunks::<16>();
            for (i, chunk) in data.iter().enumerate() {
                let at = self.place(offset + i * 16);
                shared[at..at + 16].copy_from_slice(chunk);
            }
        } else {
            self.pieces(offset, data.len(), |at, range| {
                shared[at..at + range.len()].copy_from_slice(&data[range]);
            });
        }
    }

    /// Reads part of a tile.
    #[inline]
    pub(super) fn read(self, shared: &[u8], offset: usize, data: &mut [u8]) {
        if self.moves_chunks() && offset.is_multiple_of(16) && data.len().is_multiple_of(16) {
            let (data, _) = data.as_chunks_mut::<16>();
            for (i, chunk) in data.iter_mut().enumerate() {
                let at = self.place(offset + i * 16);
                chunk.copy_from_slice(&shared[at..at + 16]);
            }
        } else {
            self.pieces(offset, data.len(), |at, range| {
                let bytes = range.len();
                data[range].copy_from_slice(&shared[at..at + bytes]);
            });
        }
    }
}
