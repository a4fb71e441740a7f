//! Shared memory through a swizzle.

use core::ops::Range;

use crate::map::Swizzle;

/// The swizzle of a tile that lies at an address.
#[derive(Clone, Copy)]
pub(super) struct Swizzled {
    swizzle: Swizzle,
    address: usize,
    /// Which bits of the number of a 128-byte line move its chunks, and how far up.
    mask: usize,
    shift: u32,
    /// The bytes that stay together.
    atom: usize,
}

impl Swizzled {
    pub(super) fn new(swizzle: Swizzle, address: usize) -> Self {
        let (mask, shift, atom) = match swizzle {
            Swizzle::None => (0, 0, usize::MAX),
            Swizzle::B32 | Swizzle::B96 => (1, 4, 16),
            Swizzle::B64 => (3, 4, 16),
            Swizzle::B128 => (7, 4, 16),
            Swizzle::B128Atom32 => (3, 5, 16),
            Swizzle::B128Atom32Flip8 => (3, 5, 8),
            Swizzle::B128Atom64 => (1, 6, 16),
        };
        Self { swizzle, address, mask, shift, atom }
    }

    /// Visits the pieces of a range of the tile that stay together: where each lies, and which bytes
    /// of the range it is.
    #[inline]
    pub(super) fn pieces(
        self,
        offset: usize,
        bytes: usize,
        mut visit: impl FnMut(usize, Range<usize>),
    ) {
        if matches!(self.swizzle, Swizzle::None) {
            return visit(offset, 0..bytes);
        }
        let mut done = 0;
        while done < bytes {
            let at = offset + done;
            let piece = (self.atom - at % self.atom).min(bytes - done);
            visit(self.place(at), done..done + piece);
            done += piece;
        }
    }

    /// Where a byte of the tile lies.
    #[inline]
    fn place(self, offset: usize) -> usize {
        match self.swizzle {
            Swizzle::None
            | Swizzle::B32
            | Swizzle::B64
            | Swizzle::B96
            | Swizzle::B128
            | Swizzle::B128Atom32
            | Swizzle::B128Atom64 => {
                offset ^ ((((self.address + offset) >> 7) & self.mask) << self.shift)
            }
            Swizzle::B128Atom32Flip8 => self.swizzle.apply(self.address + offset) - self.address,
        }
    }

    /// Writes part of a tile.
    #[inline]
    pub(super) fn write(self, shared: &mut [u8], offset: usize, data: &[u8]) {
        if self.atom == 16 && offset.is_multiple_of(16) && data.len().is_multiple_of(16) {
            // The same as below, with lengths that the compiler knows.
            let (data, _) = data.as_chunks::<16>();
            for (i, chunk) in data.iter().enumerate() {
                let at = self.place(offset + i * 16);
                shared[at..at + 16].copy_from_slice(chunk);
            }
            return;
        }
        self.pieces(offset, data.len(), |at, range| {
            shared[at..at + range.len()].copy_from_slice(&data[range]);
        });
    }

    /// Reads part of a tile.
    #[inline]
    pub(super) fn read(self, shared: &[u8], offset: usize, data: &mut [u8]) {
        if self.atom == 16 && offset.is_multiple_of(16) && data.len().is_multiple_of(16) {
            let (data, _) = data.as_chunks_mut::<16>();
            for (i, chunk) in data.iter_mut().enumerate() {
                let at = self.place(offset + i * 16);
                chunk.copy_from_slice(&shared[at..at + 16]);
            }
            return;
        }
        self.pieces(offset, data.len(), |at, range| {
            let bytes = range.len();
            data[range].copy_from_slice(&shared[at..at + bytes]);
        });
    }
}
