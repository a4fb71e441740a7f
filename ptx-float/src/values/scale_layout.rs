//! The layout of scales that block-scaled matrix products read.

use super::slice::{LengthMismatch, same_length};

/// The rows and columns of scales in a tile of the layout.
const TILE: [usize; 2] = [128, 4];
/// The consecutive rows of a tile; the same row of each group shares 16 bytes.
const GROUP: usize = 32;
/// The number of scales that share 16 bytes.
const SHARED: usize = TILE[0] / GROUP * TILE[1];

/// The number of scales that the layout takes, including padding: the numbers of rows and columns of scales are
/// rounded up to multiples of 128 and 4.
pub const fn interleaved_scales(rows: usize, columns: usize) -> usize {
    let rows = rows.div_ceil(TILE[0]).saturating_mul(TILE[0]);
    rows.saturating_mul(columns.div_ceil(TILE[1])).saturating_mul(TILE[1])
}

/// The index of the first scale of a row in a tile, in a matrix with this number of columns of scales.
const fn place(row: usize, tile: usize, columns: usize) -> usize {
    let tile = row / TILE[0] * columns.div_ceil(TILE[1]) + tile;
    let row = row % TILE[0];
    tile * TILE[0] * TILE[1] + row % GROUP * SHARED + row / GROUP * TILE[1]
}

/// Rearranges scales from row-major order, as [`quantize_tiles`](super::quantize_tiles) and
/// [`quantize_blocks`](super::quantize_blocks) write them, into the layout that cuBLASLt and `tcgen05.mma` read for one
/// scale per 16 or 32 numbers along K.
///
/// The layout consists of tiles of 128 rows (of M or N) and 4 columns (of K) with 512 scales each, in row-major order.
/// The scale of row `r` and column `c` of a tile is at `r % 32 * 16 + r / 32 * 4 + c` (cuBLAS, "1D Block Scaling
/// Factors Layout"). The padding of an incomplete tile is zero.
///
/// ```
/// use ptx_float::Ue8m0;
/// use ptx_float::{interleave_scales, interleaved_scales};
///
/// // 256 rows of 512 numbers in blocks of 32.
/// let scales = vec![Ue8m0::ONE; 256 * 16];
/// let mut laid_out = vec![Ue8m0::ONE; interleaved_scales(256, 16)];
/// interleave_scales(&scales, 256, 16, &mut laid_out)?;
/// # Ok::<(), ptx_float::LengthMismatch>(())
/// ```
///
/// # Errors
/// If `from` does not hold `rows * columns` scales, or `to` exactly [`interleaved_scales`].
#[doc(alias("swizzle", "128x4", "scale_factors", "VEC32_UE8M0", "VEC16_UE4M3", "blocked"))]
pub fn interleave_scales<B: Copy + Default>(
    from: &[B],
    rows: usize,
    columns: usize,
    to: &mut [B],
) -> Result<(), LengthMismatch> {
    same_length("slice of scales", from.len(), rows.saturating_mul(columns))?;
    same_length("destination", to.len(), interleaved_scales(rows, columns))?;
    to.fill(B::default());
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
/// If `from` does not hold exactly [`interleaved_scales`], or `to` exactly `rows * columns`.
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
