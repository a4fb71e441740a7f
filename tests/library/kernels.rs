//! A kernel for each part of `ptx::lib`.
use ptx::lib::{address, block, cluster, copy, float, matrix, mbarrier, ring, softmax, tile, warp};
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
    #[shared]
    static EMPTY: [Mbarrier; 2];

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

    /// Of each four lanes the sum and the largest number, and the transpose of their four numbers each; and the warpgroup.
    #[kernel(reqntid = 256)]
    pub(crate) fn fours(
        #[readonly] src: Ptr<Global, [u32; 4], U16>,
        dst: Ptr<Global, [u32; 4], U16>,
        reduced: Ptr<Global, [u32; 3]>,
    ) {
        ptx! {
            let %i, %lane, %y: u32;
            let %v: [B32; 4];
            let %from, %to: Ptr<Global, [u32; 4], U16>;
            let %reduced: Ptr<Global, [u32; 3]>;
            mov.u32 %i, %tid.x;
            and.b32 %lane, %i, 31;
            lea.global.u64 %from, src[%i];
            ld.global.v4.b32 {%v[0..4]}, [%from];
            lea.global.u64 %reduced, reduced[%i];
            warp::sum_of_four::<u32> %y, %v[0];
            st.global.u32 [%reduced], %y;
            warp::max_of_four::<u32> %y, %v[0];
            st.global.u32 [%reduced + 4], %y;
            warp::warpgroup %y, %i;
            st.global.u32 [%reduced + 8], %y;
            warp::transpose_4x4 %v, %lane;
            lea.global.u64 %to, dst[%i];
            st.global.v4.b32 [%to], {%v[0..4]};
            ret;
        }
    }

    /// The weights of 16 rows of 16 scores, of which row `r` sees `r + 1`, in two blocks of 8 keys: those of the second, the largest
    /// scores, the parts of the sums, and what shrinks the first block's.
    #[kernel(reqntid = 32)]
    pub(crate) fn weights(
        #[readonly] src: Ptr<Global, [[f32; 4]; 2], U16>,
        dst: Ptr<Global, [[f32; 4]; 3], U16>,
    ) {
        ptx! {
            let %i, %row: u32;
            let %see: [i32; 2];
            let %s: [f32; 4];
            let %max, %sum, %shrink: [f32; 2];
            let %one: f32;
            let %from: Ptr<Global, [[f32; 4]; 2], U16>;
            let %to: Ptr<Global, [[f32; 4]; 3], U16>;
            mov.u32 %i, %tid.x;
            lea.global.u64 %from, src[%i];
            lea.global.u64 %to, dst[%i];
            // From the lane's first column, in its row and the eighth below it.
            shr.u32 %row, %i, 2;
            and.b32 %i, %i, 3;
            shl.b32 %i, %i, 1;
            sub.s32 %see[0], %row, %i;
            add.s32 %see[0], %see[0], 1;
            add.s32 %see[1], %see[0], 8;
            mov.f32 %one, 1.0;
            for r in 0..2 {
                mov.f32 %max[r], #(softmax::MASKED);
                mov.f32 %sum[r], 0.0;
            }
            for keys in 0..2 {
                ld.global.v4.f32 {%s[0..4]}, [%from[0][keys]];
                softmax::mask::<8> %s, %see;
                softmax::weigh::<8> %s, %max, %sum, %shrink, %one;
                for r in 0..2 { sub.s32 %see[r], %see[r], 8; }
            }
            st.global.v4.f32 [%to], {%s[0..4]};
            st.global.v4.f32 [%to + 16], {%max[0..2], %sum[0..2]};
            st.global.v2.f32 [%to + 32], {%shrink[0..2]};
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

    /// The sums of a block up to each thread, twice.
    #[kernel(reqntid = 128)]
    pub(crate) fn scans(#[readonly] src: Ptr<Global, u32>, dst: Ptr<Global, u32>) {
        ptx! {
            let %i, %x: u32;
            let %from, %to: Ptr<Global, u32>;
            mov.u32 %i, %tid.x;
            lea.global.u64 %from, src[%i];
            ld.global.u32 %x, [%from];
            block::inclusive_sum::<u32, 4> %x, %x, SUMS;
            block::inclusive_sum::<u32, 4> %x, %x, SUMS;
            lea.global.u64 %to, dst[%i];
            st.global.u32 [%to], %x;
            ret;
        }
    }

    /// The sum of two blocks, twice.
    #[kernel(reqntid = 128, reqnctapercluster = 2)]
    pub(crate) fn clusters(#[readonly] src: Ptr<Global, f32>, dst: Ptr<Global, f32>) {
        ptx! {
            let %i, %block: u32;
            let %x, %sum: f32;
            let %from, %to: Ptr<Global, f32>;
            mov.u32 %i, %tid.x;
            mov.u32 %block, %ctaid.x;
            mad.lo.u32 %i, %block, 128, %i;
            lea.global.u64 %from, src[%i];
            ld.global.f32 %x, [%from];
            cluster::sum::<f32, 2, 4> %sum, %x, SUMS;
            add.f32 %sum, %sum, %x;
            cluster::sum::<f32, 2, 4> %sum, %sum, SUMS;
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

    /// The column and the row of each of 35 tiles, in 7 rows of 5 columns.
    #[kernel(reqntid = 35)]
    pub(crate) fn order(dst: Ptr<Global, [u32; 2]>) {
        ptx! {
            let %tile, %column, %row: u32;
            let %to: Ptr<Global, [u32; 2]>;
            mov.u32 %tile, %tid.x;
            tile::grouped::<3> %column, %row, %tile, 7, 5;
            lea.global.u64 %to, dst[%tile];
            st.global.u32 [%to[0][0]], %column;
            st.global.u32 [%to[0][1]], %row;
            ret;
        }
    }

    /// What each block stores for the other one, after both have begun.
    #[kernel(reqntid = 128, reqnctapercluster = 2)]
    pub(crate) fn neighbours(dst: Ptr<Global, [u32; 2]>) {
        ptx! {
            let %i, %rank, %at, %other: u32;
            let %to: Ptr<Global, [u32; 2]>;
            mov.u32 %i, %tid.x;
            mov.u32 %rank, %cluster_ctarank;
            lea.shared.u32 %at, WORDS[%i];
            xor.b32 %other, %rank, 1;
            mapa.shared::cluster.u32 %other, %at, %other;
            cluster::sync;
            st.shared::cluster.u32 [%other], %rank;
            cluster::sync;
            ld.shared.u32 %other, [%at];
            lea.global.u64 %to, dst[%i];
            lea.global.u64 %to, %to[0][%rank];
            st.global.u32 [%to], %other;
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
            ring::init::<2> FULL, EMPTY, 32;
            fence.mbarrier_init.release.cluster;
            cvta.param.u64 %matrix, matrix;
            tile::load_2d::<{ Matrix::TRANSACTION_BYTES }> TILES[0], %matrix, 0, 0, FULL[0];
            tile::load_2d::<{ Matrix::TRANSACTION_BYTES }> TILES[1], %matrix, 32, 8, FULL[1];
        LOADED:
            bar.sync 0;
            mov.u32 %parity, 0;
            mov.u32 %at, 0;
            ring::wait FULL, %at, %parity;
            ring::release::<2> EMPTY, %at, %parity, %is_first;
            mov.u32 %parity, 0;
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

    /// Small floats without the instructions for them: the bits of a number in three formats, and the numbers of these bits.
    #[kernel(reqntid = 128)]
    pub(crate) fn portable(#[readonly] src: Ptr<Global, f32>, dst: Ptr<Global, [u32; 6]>) {
        ptx! {
            let %i, %block: u32;
            let %x, %y: f32;
            let %bits: B32;
            let %from: Ptr<Global, f32>;
            let %to: Ptr<Global, [u32; 6]>;
            mov.u32 %i, %tid.x;
            mov.u32 %block, %ctaid.x;
            mad.lo.u32 %i, %block, 128, %i;
            lea.global.u64 %from, src[%i];
            ld.global.f32 %x, [%from];
            lea.global.u64 %to, dst[%i];
            float::portable::to_e4m3 %bits, %x;
            st.global.b32 [%to], %bits;
            float::portable::of_e4m3 %y, %bits;
            st.global.b32 [%to + 4], %y;
            float::portable::to_e5m2 %bits, %x;
            st.global.b32 [%to + 8], %bits;
            float::portable::of_e5m2 %y, %bits;
            st.global.b32 [%to + 12], %y;
            float::portable::to_e2m1 %bits, %x;
            st.global.b32 [%to + 16], %bits;
            float::portable::of_e2m1 %y, %bits;
            st.global.b32 [%to + 20], %y;
            ret;
        }
    }

    /// Two factors of 16 rows and 16 columns.
    #[shared(align = 16)]
    static FACTORS: [[[bf16; 16]; 16]; 2];

    /// Loads two matrices of `bf16`, and stores what each lane holds of them, and its part of their product.
    #[kernel(reqntid = 32)]
    pub(crate) fn matrices(
        #[readonly] src: Ptr<Global, [u32; 8], U16>,
        held: Ptr<Global, [[u32; 4]; 2], U16>,
        dst: Ptr<Global, [[f32; 4]; 2], U16>,
    ) {
        ptx! {
            let %i, %row, %column, %at: u32;
            let %a, %b: [B32; 4];
            let %first, %second: [B32; 2];
            let %left, %right: [f32; 4];
            let %from: Ptr<Global, [u32; 8], U16>;
            let %held: Ptr<Global, [[u32; 4]; 2], U16>;
            let %to: Ptr<Global, [[f32; 4]; 2], U16>;
            mov.u32 %i, %tid.x;
            lea.global.u64 %from, src[%i];
            mov.u32 %at, FACTORS;
            mad.lo.u32 %at, %i, 32, %at;
            ld.global.v4.b32 {%a[0..4]}, [%from];
            ld.global.v4.b32 {%b[0..4]}, [%from + 16];
            st.shared.v4.b32 [%at], {%a[0..4]};
            st.shared.v4.b32 [%at + 16], {%b[0..4]};
            bar.warp.sync 0xffffffff;
            matrix::address_16x16 %row, %column;
            lea.shared.u32 %at, FACTORS[0][%row][%column];
            matrix::load_16x16 %a, %at;
            lea.shared.u32 %at, FACTORS[1][%row][%column];
            matrix::load_two_16x8 %first, %second, %at;
            lea.global.u64 %held, held[%i];
            st.global.v4.b32 [%held], {%a[0..4]};
            st.global.v4.b32 [%held + 16], {%first[0..2], %second[0..2]};
            for n in 0..4 {
                mov.f32 %left[n], 0.0;
                mov.f32 %right[n], 0.0;
            }
            matrix::multiply_bf16 %left, %a, %first;
            matrix::multiply_bf16 %right, %a, %second;
            lea.global.u64 %to, dst[%i];
            st.global.v4.f32 [%to], {%left[0..4]};
            st.global.v4.f32 [%to + 16], {%right[0..4]};
            ret;
        }
    }

    /// A factor of 64 rows, 64 deep.
    #[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
    pub(crate) struct Factor;

    #[shared]
    static FACTORS_OF_64: [Tile<Factor>; 2];

    /// Multiplies two matrices of 64 rows of 64 numbers, and stores the sums of each thread.
    #[kernel(reqntid = 128)]
    pub(crate) fn warpgroups(
        #[readonly] src: Ptr<Global, [[bf16; 64]; 64]>,
        dst: Ptr<Global, [f32; 32], U16>,
    ) {
        ptx! {
            let %i, %row, %column, %at: u32;
            let %left, %right: u64;
            let %sum: [f32; 32];
            let %from: Ptr<Global, [[bf16; 64]; 64]>;
            let %number: Ptr<Global, bf16>;
            let %to: Ptr<Global, [f32; 32], U16>;
            .reg .b16 %h;
            .reg .pred %more;
            mov.u32 %i, %tid.x;
            ld.param.u64 %from, [src];
            // Each thread places half of a row of each factor where a copy would.
            shr.u32 %row, %i, 1;
            and.b32 %column, %i, 1;
            shl.b32 %column, %column, 5;
        PLACE:
            lea.global.u64 %number, %from[0][%row][%column];
            ld.global.b16 %h, [%number];
            lea.shared.u32 %at, FACTORS_OF_64[0][%row][%column];
            st.shared.b16 [%at], %h;
            lea.global.u64 %number, %from[1][%row][%column];
            ld.global.b16 %h, [%number];
            lea.shared.u32 %at, FACTORS_OF_64[1][%row][%column];
            st.shared.b16 [%at], %h;
            add.u32 %column, %column, 1;
            and.b32 %at, %column, 31;
            setp.ne.u32 %more, %at, 0;
            @%more bra PLACE;
            fence.proxy.async.shared::cta;
            bar.sync 0;
            for n in 0..32 { mov.f32 %sum[n], 0.0; }
            lea.shared.u32 %at, FACTORS_OF_64[0][0][0];
            matrix::descriptor %left, %at, #(MATRIX);
            mov.u32 %at, 1;
            matrix::nth %right, %left, %at, #(Factor::STRIDE);
            wgmma.fence.sync.aligned;
            for step in 0..4 {
                if step > 0 {
                    add.u64 %left, %left, 2;
                    add.u64 %right, %right, 2;
                }
                matrix::multiply_64x64 %sum, %left, %right;
            }
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            lea.global.u64 %to, dst[%i];
            for n in 0..8 {
                st.global.v4.f32 [%to + #(16 * n)], {%sum[4 * n..4 * n + 4]};
            }
            ret;
        }
    }

    const MATRIX: u64 = matrix::bits(Factor::matrix_descriptor(Major::K));
}
