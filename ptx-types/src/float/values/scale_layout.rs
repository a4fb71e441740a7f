//! The layout of scales that block-scaled products read.

use bytemuck::Zeroable;

use super::slice::{LengthMismatch, same_length};

/// The rows and columns of scales that lie together.
const TILE: [usize; 2] = [128, 4];
/// The rows of a tile that lie one after the other: a row of each 32 shares 16 bytes.
const GROUP: usize = 32;
/// The scales of the rows that share them.
const SHARED: usize = TILE[0] / GROUP * TILE[1];

/// How many scales the layout of so many rows and columns of scales takes, those that fill it up among them: both are
/// rounded up, to multiples of 128 and 4.
pub const fn interleaved_scales(rows: usize, columns: usize) -> usize {
    let rows = rows.div_ceil(TILE[0]).saturating_mul(TILE[0]);
    rows.saturating_mul(columns.div_ceil(TILE[1])).saturating_mul(TILE[1])
}

/// Where the scales of a row in this tile of it start, in a matrix that has so many columns of scales.
const fn place(row: usize, tile: usize, columns: usize) -> usize {
    let tile = row / TILE[0] * columns.div_ceil(TILE[1]) + tile;
    let row = row % TILE[0];
    tile * TILE[0] * TILE[1] + row % GROUP * SHARED + row / GROUP * TILE[1]
}

/// Puts scales, which lie row after row as [`quantize_tiles`](super::quantize_tiles) and
/// [`quantize_blocks`](super::quantize_blocks) leave them, into the layout that cuBLASLt and `tcgen05.mma` read with scales of
/// each 16 or 32 numbers along K.
///
/// In tiles of 128 rows (of M or N) and 4 columns (of K) with 512 scales each, the tiles of a row one after the
/// other, the scale of row `r` and column `c` of a tile lies at `r % 32 * 16 + r / 32 * 4 + c` (cuBLAS, "1D Block Scaling
/// Factors Layout"). Where a tile is not full, the bits are zeros.
///
/// ```
/// use ptx_types::Ue8m0;
/// use ptx_types::float::{interleave_scales, interleaved_scales};
///
/// // 256 rows of 512 numbers in blocks of 32.
/// let scales = vec![Ue8m0::ONE; 256 * 16];
/// let mut laid_out = vec![Ue8m0::ONE; interleaved_scales(256, 16)];
/// interleave_scales(&scales, 256, 16, &mut laid_out)?;
/// # Ok::<(), ptx_types::float::LengthMismatch>(())
/// ```
///
/// # Errors
/// Unless `from` holds `rows * columns` scales, and `to` has room for exactly [`interleaved_scales`].
#[doc(alias("swizzle", "128x4", "scale_factors", "VEC32_UE8M0", "VEC16_UE4M3", "blocked"))]
pub fn interleave_scales<B: Copy + Zeroable>(
    from: &[B],
    rows: usize,
    columns: usize,
    to: &mut [B],
) -> Result<(), LengthMismatch> {
    same_length("slice of scales", from.len(), rows.saturating_mul(columns))?;
    same_length("destination", to.len(), interleaved_scales(rows, columns))?;
    to.fill(B::zeroed());
    if columns == 0 {
        return Ok(());
    }
    for (row, scales) in from.chunks_exact(columns).enumerate() {
        for (tile, scales) in scales.chunks(TILE[1]).enumerate() {
            let at = place(row, tile, columns);
            to[at..at + scales.len()].copy_from_slice(scales);
        }
    }
    Ok(())
}

/// The inverse of [`interleave_scales`].
///
/// # Errors
/// Unless `from` holds exactly [`interleaved_scales`], and `to` has room for `rows * columns`.
pub fn deinterleave_scales<B: Copy>(
    from: &[B],
    rows: usize,
    columns: usize,
    to: &mut [B],
) -> Result<(), LengthMismatch> {
    same_length("slice of scales", from.len(), interleaved_scales(rows, columns))?;
    same_length("destination", to.len(), rows.saturating_mul(columns))?;
    if columns == 0 {
        return Ok(());
    }
    for (row, scales) in to.chunks_exact_mut(columns).enumerate() {
        for (tile, scales) in scales.chunks_mut(TILE[1]).enumerate() {
            let at = place(row, tile, columns);
            scales.copy_from_slice(&from[at..at + scales.len()]);
        }
    }
    Ok(())
}
