//! Copies of buffers between pads with a known content.

use std::vec::Vec;

use cudarc::driver::{CudaStream, DriverError, result, sys};

/// The content of pads and of poisoned buffers, every two bytes: NaN in `f16`, `bf16`, `f32` and `f64`, and 65,493 as a `u16`.
pub(super) const POISON: u16 = 0xffd5;

/// The bytes of a pad: as many as the buffer has, within these limits.
const PAD: (usize, usize) = (4 << 10, 1 << 20);

/// A copy starts at the same offset from a multiple of this many bytes as its buffer.
const ALIGN: usize = 1024;

/// The bytes that are compared at a time.
const CHUNK: usize = 16 << 20;

/// A copy of a buffer, with a pad before and one after it.
pub(super) struct Padded<'s> {
    stream: &'s CudaStream,
    original: u64,
    len: usize,
    base: u64,
    /// The bytes before the copy.
    before: usize,
    /// All bytes.
    all: usize,
}

/// Bytes that differ: the first, the last, counted from the start of the buffer, and how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Changed {
    pub(super) first: i64,
    pub(super) last: i64,
    pub(super) count: usize,
}

impl Drop for Padded<'_> {
    fn drop(&mut self) {
        // SAFETY: it was allocated by `copy`; the driver waits for work that uses it.
        let _ = unsafe { result::free_sync(self.base) };
    }
}

impl<'s> Padded<'s> {
    /// Copies a buffer, in the order of the stream.
    ///
    /// # Safety
    /// The memory is allocated, and the stream's context is current.
    pub(super) unsafe fn copy(
        stream: &'s CudaStream,
        original: u64,
        len: usize,
    ) -> Result<Self, DriverError> {
        let pad = len.clamp(PAD.0, PAD.1).next_multiple_of(ALIGN);
        let too_large = DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        let all = len.checked_add(2 * pad + 2 * ALIGN).ok_or(too_large)?.next_multiple_of(2);
        // SAFETY: it is freed once, when this is dropped.
        let base = unsafe { result::malloc_sync(all) }?;
        let align = ALIGN as u64;
        let start = (base + pad as u64).next_multiple_of(align) + original % align;
        let before = usize::try_from(start - base).unwrap_or(pad);
        let copy = Self { stream, original, len, base, before, all };
        copy.poison(base, all)?;
        // SAFETY: both have so many bytes.
        unsafe { result::memcpy_dtod_async(start, original, len, stream.cu_stream()) }?;
        Ok(copy)
    }

    /// The address of the copy.
    pub(super) fn start(&self) -> u64 {
        self.base + self.before as u64
    }

    /// Fills the copy with poison.
    pub(super) fn fill(&self) -> Result<(), DriverError> {
        self.poison(self.start(), self.len)
    }

    fn poison(&self, at: u64, len: usize) -> Result<(), DriverError> {
        let stream = self.stream.cu_stream();
        // SAFETY: it lies within the allocation.
        unsafe {
            if at.is_multiple_of(2) && len.is_multiple_of(2) {
                sys::cuMemsetD16Async(at, POISON, len / 2, stream).result()
            } else {
                result::memset_d8_async(at, 0xff, len, stream)
            }
        }
    }

    /// Bytes of the pads that have changed, before and after the copy. The stream has no unfinished work.
    pub(super) fn pads_changed(&self) -> Result<[Option<Changed>; 2], DriverError> {
        let end = self.before + self.len;
        Ok([self.pad_changed(0, self.before)?, self.pad_changed(end, self.all)?])
    }

    /// Bytes that have changed between two offsets from the start of the allocation.
    fn pad_changed(&self, from: usize, to: usize) -> Result<Option<Changed>, DriverError> {
        let mut bytes = std::vec![0_u8; to - from];
        // SAFETY: the allocation has these bytes.
        unsafe { result::memcpy_dtoh_sync(&mut bytes, self.base + from as u64) }?;
        let [even, odd] = POISON.to_le_bytes();
        let expected = |n: usize| if (from + n).is_multiple_of(2) { even } else { odd };
        let differ = bytes.iter().enumerate().filter(|(n, byte)| **byte != expected(*n));
        Ok(Changed::of(differ.map(|(n, _)| from + n), self.before))
    }

    /// Bytes of the copy that differ from the buffer. The stream has no unfinished work.
    pub(super) fn changed(&self) -> Result<Option<Changed>, DriverError> {
        let size = self.len.min(CHUNK);
        let (mut one, mut other): (Vec<u8>, Vec<u8>) = (std::vec![0; size], std::vec![0; size]);
        let mut changed: Option<Changed> = None;
        for at in (0..self.len).step_by(CHUNK) {
            let size = size.min(self.len - at);
            let (one, other) = (&mut one[..size], &mut other[..size]);
            // SAFETY: the buffer and its copy have these bytes.
            unsafe {
                result::memcpy_dtoh_sync(one, self.start() + at as u64)?;
                result::memcpy_dtoh_sync(other, self.original + at as u64)?;
            }
            let differ = one.iter().zip(other).enumerate().filter(|(_, (one, other))| one != other);
            let more = Changed::of(differ.map(|(n, _)| at + n), 0);
            changed = match (changed, more) {
                (Some(known), Some(more)) => Some(Changed {
                    first: known.first,
                    last: more.last,
                    count: known.count + more.count,
                }),
                (known, more) => known.or(more),
            };
        }
        Ok(changed)
    }

    /// Copies the content back to the buffer, in the order of the stream.
    pub(super) fn copy_back(&self) -> Result<(), DriverError> {
        let (from, to) = (self.start(), self.original);
        // SAFETY: both have so many bytes.
        unsafe { result::memcpy_dtod_async(to, from, self.len, self.stream.cu_stream()) }
    }
}

impl Changed {
    /// These offsets, in ascending order, counted from `origin`.
    fn of(mut offsets: impl Iterator<Item = usize>, origin: usize) -> Option<Self> {
        let number = |at: usize| {
            i64::try_from(at).unwrap_or(i64::MAX) - i64::try_from(origin).unwrap_or(i64::MAX)
        };
        let first = offsets.next()?;
        let (last, count) = offsets.fold((first, 1), |(_, count), at| (at, count + 1));
        Some(Self { first: number(first), last: number(last), count })
    }
}
