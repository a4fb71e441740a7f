//! A kernel for each part of `ptx::lib`.
use ptx::lib::{address, block, copy, float, mbarrier, ring, tile, warp};
use ptx::prelude::*;

/// Exchanges within warps and blocks.
#[ptx::module(target = sm_90a)]
pub(crate) mod kernels {
    use super::*;

    #[tensor_map(element = f32, box = [32, 8])]
    pub(crate) struct Matrix;

    #[shared]
    static SUMS: [f32; 4];
    #[shared(align = 128)]
    static TILES: [Tile<Matrix>; 2];
    #[shared(align = 16)]
    static WORDS: [u32; 512];
    #[shared]
    static FULL: [Mbarrier; 2];

    /// Five results for each thread: the sum, the largest and the smallest number of its warp, the sum up to it, and the
    /// number of lane 5.
    #[kernel(reqntid = 128)]
    pub(crate) fn warps(#[readonly] src: Ptr<Global, u32>, dst: Ptr<Global, [u32; 5]>) {
        ptx! {
            let %i, %x, %y: u32;
            let %from: Ptr<Global, u32>;
            let %to: Ptr<Global, [u32; 5]>;
            mov.u32 %i, %tid.x;
            lea.global.u64 %from, src[%i];
            ld.global.u32 %x, [%from];
            lea.global.u64 %to, dst[%i];
            warp::sum::<u32> %y, %x;
            st.global.u32 [%to], %y;
            warp::max::<u32> %y, %x;
            st.global.u32 [%to + 4], %y;
            warp::min::<u32> %y, %x;
            st.global.u32 [%to + 8], %y;
            warp::inclusive_sum::<u32> %y, %x;
            st.global.u32 [%to + 12], %y;
            warp::broadcast::<u32> %y, %x, 5;
            st.global.u32 [%to + 16], %y;
            ret;
        }
    }

    /// The sum of a block, twice.
    #[kernel(reqntid = 128)]
    pub(crate) fn blocks(#[readonly] src: Ptr<Global, f32>, dst: Ptr<Global, f32>) {
        ptx! {
            let %i: u32;
            let %x, %sum: f32;
            let %from, %to: Ptr<Global, f32>;
            mov.u32 %i, %tid.x;
            lea.global.u64 %from, src[%i];
            ld.global.f32 %x, [%from];
            block::sum::<f32, 4> %sum, %x, SUMS;
            add.f32 %sum, %sum, %x;
            block::sum::<f32, 4> %sum, %sum, SUMS;
            lea.global.u64 %to, dst[%i];
            st.global.f32 [%to], %sum;
            ret;
        }
    }

    /// The stage and the parity after each of 10 steps.
    #[kernel(reqntid = 1)]
    pub(crate) fn stages(dst: Ptr<Global, [u32; 2]>) {
        ptx! {
            let %stage, %parity: u32;
            let %to: Ptr<Global, [u32; 2]>;
            mov.u32 %stage, 0;
            mov.u32 %parity, 0;
            lea.global.u64 %to, dst[0];
            for step in 0..10 {
                ring::next::<3> %stage, %parity;
                st.global.u32 [%to[step][0]], %stage;
                st.global.u32 [%to[step][1]], %parity;
            }
            ret;
        }
    }

    /// Small floats of four numbers, and two numbers of `bf16` again.
    #[kernel(reqntid = 128)]
    pub(crate) fn floats(#[readonly] src: Ptr<Global, [f32; 4]>, dst: Ptr<Global, [u32; 5]>) {
        ptx! {
            let %i: u32;
            let %a, %b, %c, %d: f32;
            let %packed: B32;
            let %from: Ptr<Global, [f32; 4]>;
            let %to: Ptr<Global, [u32; 5]>;
            mov.u32 %i, %tid.x;
            lea.global.u64 %from, src[%i];
            ld.global.f32 %a, [%from];
            ld.global.f32 %b, [%from + 4];
            ld.global.f32 %c, [%from + 8];
            ld.global.f32 %d, [%from + 12];
            lea.global.u64 %to, dst[%i];
            float::to_e4m3x4 %packed, %a, %b, %c, %d;
            st.global.b32 [%to], %packed;
            float::to_e5m2x4 %packed, %a, %b, %c, %d;
            st.global.b32 [%to + 4], %packed;
            float::to_bf16x2 %packed, %a, %b;
            st.global.b32 [%to + 8], %packed;
            float::of_bf16x2 %c, %d, %packed;
            mov.b32 %packed, %c;
            st.global.b32 [%to + 12], %packed;
            mov.b32 %packed, %d;
            st.global.b32 [%to + 16], %packed;
            ret;
        }
    }

    /// Copies through registers, through shared memory, and through an address in it that was generic.
    #[kernel(reqntid = 128)]
    pub(crate) fn copies(
        #[readonly] src: Ptr<Global, [u32; 4], U16>,
        dst: Ptr<Global, [[u32; 4]; 3], U16>,
    ) {
        ptx! {
            let %i, %at: u32;
            let %generic: u64;
            let %from: Ptr<Global, [u32; 4], U16>;
            let %to: Ptr<Global, [[u32; 4]; 3], U16>;
            .reg .b32 %word<4>;
            mov.u32 %i, %tid.x;
            lea.global.u64 %from, src[%i];
            lea.global.u64 %to, dst[%i];
            copy::global_16 %to, %from;
            mov.u32 %at, WORDS;
            mad.lo.u32 %at, %i, 16, %at;
            copy::to_shared_16 %at, %from;
            cp.async.commit_group;
            cp.async.wait_group 0;
            ld.shared.v4.b32 {%word0, %word1, %word2, %word3}, [%at];
            st.global.v4.b32 [%to + 16], {%word0, %word1, %word2, %word3};
            address::of_shared %generic, %at;
            ld.v4.b32 {%word0, %word1, %word2, %word3}, [%generic];
            address::in_shared %at, %generic;
            ld.shared.b32 %word0, [%at];
            st.global.v4.b32 [%to + 32], {%word0, %word1, %word2, %word3};
            ret;
        }
    }

    /// Loads two tiles, waits for each, and stores its first row.
    #[kernel(reqntid = 32)]
    pub(crate) fn tiles(#[readonly] matrix: TensorMap<Matrix>, dst: Ptr<Global, [f32; 32]>) {
        ptx! {
            let %i, %at, %parity: u32;
            let %matrix: u64;
            let %x: f32;
            let %is_first: bool;
            let %to: Ptr<Global, f32>;
            mov.u32 %i, %tid.x;
            setp.eq.u32 %is_first, %i, 0;
            @!%is_first bra LOADED;
            for n in 0..2 { mbarrier.init.shared.b64 [FULL[n]], 1; }
            fence.mbarrier_init.release.cluster;
            cvta.param.u64 %matrix, matrix;
            tile::load_2d::<{ Matrix::TRANSACTION_BYTES }> TILES[0], %matrix, 0, 0, FULL[0];
            tile::load_2d::<{ Matrix::TRANSACTION_BYTES }> TILES[1], %matrix, 32, 8, FULL[1];
        LOADED:
            bar.sync 0;
            mov.u32 %parity, 0;
            mbarrier::wait FULL[0], %parity;
            mbarrier::wait_sleeping FULL[1], %parity, 32;
            for n in 0..2 {
                mov.u32 %at, TILES;
                mad.lo.u32 %at, %i, 4, %at;
                ld.shared.f32 %x, [%at + #(n * Matrix::BYTES)];
                lea.global.u64 %to, dst[n][%i];
                st.global.f32 [%to], %x;
            }
            ret;
        }
    }
}
