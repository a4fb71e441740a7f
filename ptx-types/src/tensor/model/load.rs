//! Copies from global to shared memory.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::check::{Operands, check_access, check_memory, check_operands};
use super::error::{Access, CopyError};
use super::shared::Swizzled;
use super::values::{fill, round_to_tf32, rounds, runs};
use super::walk::{Line, Walk};
use crate::tensor::{Mode, Spec, Tensor};

/// The result of a load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loaded {
    spec: Spec,
    shared_address: usize,
    rows: usize,
    tile_bytes: usize,
    transaction_bytes: usize,
}

impl Loaded {
    /// The bytes by which the load completed the transaction of its mbarrier.
    pub const fn transaction_bytes(&self) -> usize {
        self.transaction_bytes
    }

    /// The bytes from the tile's start to its end in shared memory, written or not.
    pub const fn tile_bytes(&self) -> usize {
        self.tile_bytes
    }

    /// The bytes of the tile that were not written, from its start: padding of elements, and the
    /// part of a row's pitch that the row does not use. As far as was observed, the GPU leaves them
    /// unchanged.
    pub fn unwritten(&self) -> Vec<Range<usize>> {
        if self.tile_bytes == 0 {
            return Vec::new();
        }
        let swizzled = Swizzled::new(self.spec.swizzle, self.shared_address);
        let (pitch, units) = (self.spec.row_pitch(), u64::from(self.spec.tile_dims()[0]));
        let mut written = vec![false; self.tile_bytes];
        for row in 0..self.rows {
            let line = Line { shared: row * pitch, global: None, units };
            runs(&self.spec, &line, |run| {
                swizzled.pieces(run.shared, run.bytes, |at, range| {
                    written[at..at + range.len()].fill(true);
                });
            });
        }
        let mut unwritten = Vec::new();
        for stretch in written.chunk_by(|one, next| one == next) {
            let start = unwritten.last().map_or(0, |last: &(Range<usize>, bool)| last.0.end);
            unwritten.push((start..start + stretch.len(), stretch[0]));
        }
        unwritten.retain(|(_, is_written)| !is_written);
        unwritten.into_iter().map(|(range, _)| range).collect()
    }
}

/// Copies like `cp.async.bulk.tensor` from global to shared memory.
///
/// `global` starts with the tensor's first element, whatever [`Tensor::address`] is, and holds all
/// of it. `shared` starts with the tile, which is at `shared_address`, a multiple of 128; it holds
/// [`Spec::tile_bytes`] (with the halo), and bytes that the copy does not write stay unchanged.
///
/// # Errors
/// If the copy does not exist, or memory is too short; nothing is written then.
pub fn load(
    spec: &Spec,
    tensor: &Tensor,
    operands: &Operands<'_>,
    global: &[u8],
    shared: &mut [u8],
    shared_address: usize,
) -> Result<Loaded, CopyError> {
    check_access(spec, Access::Load)?;
    check_operands(spec, tensor, operands, Access::Load)?;
    let halo = match spec.mode {
        Mode::Im2colW { .. } | Mode::Im2colW128 { .. } => operands.info[0].into(),
        Mode::Tiled { .. } | Mode::Gather4 { .. } | Mode::Scatter4 { .. } | Mode::Im2col { .. } => {
            0
        }
    };
    let tile_bytes = spec.tile_bytes_with_halo(halo).unwrap_or_default();
    let (access, bytes) = (Access::Load, global.len());
    check_memory(spec, tensor, access, bytes, shared.len(), shared_address, tile_bytes)?;
    let shared = &mut shared[..tile_bytes];
    let (swizzled, fill) = (Swizzled::new(spec.swizzle, shared_address), fill(spec));
    Walk::new(spec, tensor, operands, Access::Load).lines(|line| {
        runs(spec, &line, |run| match line.global {
            Some(from) => {
                let from = super::size(from) + run.global;
                let data = &global[from..from + run.bytes];
                if rounds(spec.element) {
                    write_rounded(swizzled, shared, run.shared, data);
                } else {
                    swizzled.write(shared, run.shared, data);
                }
            }
            None => swizzled.pieces(run.shared, run.bytes, |at, range| {
                // Pieces start at an element, and elements out of bounds repeat a pattern of two
                // bytes or one.
                for (byte, value) in
                    shared[at..at + range.len()].iter_mut().zip(fill.iter().cycle())
                {
                    *byte = *value;
                }
            }),
        });
        Ok(())
    })?;
    Ok(Loaded {
        spec: *spec,
        shared_address,
        rows: spec.rows() + spec.halo_rows(halo).unwrap_or_default(),
        tile_bytes,
        transaction_bytes: spec.transaction_bytes_with_halo(halo).unwrap_or_default(),
    })
}

/// Writes each `f32` as the nearest `tf32`.
fn write_rounded(swizzled: Swizzled, shared: &mut [u8], offset: usize, data: &[u8]) {
    let (data, _) = data.as_chunks::<4>();
    for (i, bits) in data.iter().enumerate() {
        let rounded = round_to_tf32(u32::from_le_bytes(*bits)).to_le_bytes();
        swizzled.write(shared, offset + i * 4, &rounded);
    }
}
