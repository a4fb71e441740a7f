//! The transpose of a matrix of 32-bit elements, in tiles of 64 by 64.
//!
//! Blocks that run at the same time have tiles below each other, whose transposes lie beside each other: what is written
//! together is in the same pages of memory. That matters more than for what is read.
//!
//! A thread loads a square of four by four, which it transposes by naming its registers in another order, and stores its
//! columns as rows of the transposed tile in shared memory. There, the chunks of a row are exchanged, so that neither the
//! stores nor the loads of a warp meet in a bank.

use ptx::prelude::*;

#[ptx::module(target = sm_80)]
pub(crate) mod transpose {
    use super::*;

    /// Rows and columns of a tile.
    const TILE: usize = 64;
    /// Chunks of 16 bytes in a row of a tile.
    const CHUNKS: usize = TILE / 4;

    #[shared]
    static SQUARE: [[V4<B32>; CHUNKS]; TILE];

    /// Writes the transpose of `height` rows of `width` elements each.
    #[kernel(
        reqntid = (16, 16), grid = (height / 64, width / 64), unsafe(safe_launch),
        requires(width % 64 == 0, height % 64 == 0, width < 65536, height < 65536,
            src.len() >= width * height, dst.len() >= width * height)
    )]
    pub(crate) fn transpose(
        #[readonly] src: Ptr<Global, u32, U16>,
        dst: Ptr<Global, u32, U16>,
        width: u32,
        height: u32,
    ) {
        ptx! {
            let %tx, %ty, %bx, %by, %x, %y, %i, %width, %height: u32;
            let %step: u64;
            let %at: Ptr<Global, V4<B32>>;
            let %chunk: Ptr<Shared, V4<B32>>;
            let %e: [B32; 16];

            mov.u32         %tx, %tid.x;
            mov.u32         %ty, %tid.y;
            mov.u32         %bx, %ctaid.y;
            mov.u32         %by, %ctaid.x;
            ld.param.u32    %width, [width];
            ld.param.u32    %height, [height];
            // Four rows of the matrix, one chunk of each.
            shl.b32         %x, %tx, 2;
            mad.lo.u32      %x, %bx, #(TILE), %x;
            shl.b32         %y, %ty, 2;
            mad.lo.u32      %y, %by, #(TILE), %y;
            mad.lo.u32      %i, %y, %width, %x;
            lea.global.u64  %at, src[%i];
            mul.wide.u32    %step, %width, #(size_of::<u32>());
            for r in 0..4 {
                ld.global.nc.L1::no_allocate.v4.b32 {%e[4 * r..4 * r + 4]}, [%at];
                add.u64         %at, %at, %step;
            }
            // Row `4 * tx + c` of the transposed tile has its chunk `ty` at `ty ^ tx`.
            xor.b32         %i, %ty, %tx;
            shl.b32         %x, %tx, 2;
            lea.shared.u32  %chunk, SQUARE[%x][%i];
            for c in 0..4 {
                st.shared.v4.b32 [%chunk[CHUNKS * c]], {%e[c], %e[c + 4], %e[c + 8], %e[c + 12]};
            }
            bar.sync        0;

            shl.b32         %x, %tx, 2;
            mad.lo.u32      %x, %by, #(TILE), %x;
            shl.b32         %y, %ty, 2;
            mad.lo.u32      %y, %bx, #(TILE), %y;
            mad.lo.u32      %i, %y, %height, %x;
            lea.global.u64  %at, dst[%i];
            mul.wide.u32    %step, %height, #(size_of::<u32>());
            xor.b32         %i, %tx, %ty;
            shl.b32         %y, %ty, 2;
            lea.shared.u32  %chunk, SQUARE[%y][%i];
            for r in 0..4 {
                ld.shared.v4.b32 {%e[0..4]}, [%chunk[CHUNKS * r]];
                st.global.L1::no_allocate.v4.b32 [%at], {%e[0..4]};
                add.u64         %at, %at, %step;
            }
            ret;
        }
    }
}
