//! What is bound by memory, one warp for each row of `N` numbers of `bf16`: softmax, RMS norm, and quantisation to `e4m3`.
//!
//! A lane keeps its `N / 32` numbers in registers, so that each is read once and written once. It loads 16 bytes at a time,
//! and neighbours load neighbours: chunk `c` of a row belongs to lane `c % 32`. A warp is a block of its own, so that the next
//! row starts as soon as one has ended.

use ptx::prelude::*;

#[ptx::module(target = sm_90, for(N: usize in [1024, 2048, 4096]))]
pub(crate) mod rows {
    use super::*;
    use ptx::lib::{float, warp};

    /// Pairs of numbers that a lane has, in chunks of four pairs.
    const PAIRS: usize = N / 64;

    /// The exponentials of a row's numbers, divided by their sum.
    #[kernel(
        reqntid = 32, grid = n, unsafe(safe_launch),
        requires(src.len() >= n, dst.len() >= n)
    )]
    pub(crate) fn softmax(
        #[readonly] src: Ptr<Global, [bf16; N], U16>,
        dst: Ptr<Global, [bf16; N], U16>,
        n: u32,
    ) {
        ptx! {
            let %lane, %row: u32;
            let %from, %to: Ptr<Global, V4<Bf16x2>>;
            let %x: [Bf16x2; PAIRS];
            let %e: [f32; 2 * PAIRS];
            let %max, %other, %sum, %shift: f32;

            mov.u32         %lane, %tid.x;
            mov.u32         %row, %ctaid.x;
            lea.global.u64  %from, src[%row];
            lea.global.u64  %from, %from[%lane];
            lea.global.u64  %to, dst[%row];
            lea.global.u64  %to, %to[%lane];
            for c in 0..PAIRS / 4 {
                ld.global.nc.L1::no_allocate.v4.b32 {%x[4 * c..4 * c + 4]}, [%from[32 * c]];
            }
            mov.f32         %max, #(f32::NEG_INFINITY);
            for i in 0..PAIRS {
                float::of_bf16x2 %e[2 * i], %e[2 * i + 1], %x[i];
                max.f32         %max, %max, %e[2 * i];
                max.f32         %max, %max, %e[2 * i + 1];
            }
            warp::max::<f32> %max, %max;

            // Powers of two: `e^(x - max)` is `2^(log2(e) x - log2(e) max)`.
            mul.f32         %shift, %max, #(-core::f32::consts::LOG2_E);
            mov.f32         %sum, 0f00000000;
            for i in 0..2 * PAIRS {
                fma.rn.f32      %e[i], %e[i], #(core::f32::consts::LOG2_E), %shift;
                ex2.approx.ftz.f32 %e[i], %e[i];
                add.f32         %sum, %sum, %e[i];
            }
            warp::sum::<f32> %sum, %sum;
            rcp.approx.ftz.f32 %sum, %sum;
            for i in 0..PAIRS {
                mul.f32         %e[2 * i], %e[2 * i], %sum;
                mul.f32         %e[2 * i + 1], %e[2 * i + 1], %sum;
                float::to_bf16x2 %x[i], %e[2 * i], %e[2 * i + 1];
            }
            for c in 0..PAIRS / 4 {
                st.global.L1::no_allocate.v4.b32 [%to[32 * c]], {%x[4 * c..4 * c + 4]};
            }
            ret;
        }
    }

    /// Each number divided by the root of the mean of their squares, times a weight for its column.
    #[kernel(
        reqntid = 32, grid = n, unsafe(safe_launch),
        requires(src.len() >= n, dst.len() >= n, weights.len() >= 1)
    )]
    pub(crate) fn rms_norm(
        #[readonly] src: Ptr<Global, [bf16; N], U16>,
        #[readonly] weights: Ptr<Global, [bf16; N], U16>,
        dst: Ptr<Global, [bf16; N], U16>,
        epsilon: f32,
        n: u32,
    ) {
        ptx! {
            let %lane, %row: u32;
            let %from, %weights, %to: Ptr<Global, V4<Bf16x2>>;
            let %x: [Bf16x2; PAIRS];
            let %w: [Bf16x2; 4];
            let %low, %high, %first, %second, %sum, %epsilon: f32;

            mov.u32         %lane, %tid.x;
            mov.u32         %row, %ctaid.x;
            lea.global.u64  %from, src[%row];
            lea.global.u64  %from, %from[%lane];
            lea.global.u64  %to, dst[%row];
            lea.global.u64  %to, %to[%lane];
            lea.global.u64  %weights, weights[0];
            lea.global.u64  %weights, %weights[%lane];
            for c in 0..PAIRS / 4 {
                ld.global.nc.L1::no_allocate.v4.b32 {%x[4 * c..4 * c + 4]}, [%from[32 * c]];
            }
            mov.f32         %sum, 0f00000000;
            for i in 0..PAIRS {
                float::of_bf16x2 %low, %high, %x[i];
                fma.rn.f32      %sum, %low, %low, %sum;
                fma.rn.f32      %sum, %high, %high, %sum;
            }
            warp::sum::<f32> %sum, %sum;
            ld.param.f32    %epsilon, [epsilon];
            fma.rn.f32      %sum, %sum, #(1.0 / N as f32), %epsilon;
            rsqrt.approx.ftz.f32 %sum, %sum;
            for c in 0..PAIRS / 4 {
                ld.global.nc.L1::evict_last.v4.b32 {%w[0..4]}, [%weights[32 * c]];
                for i in 0..4 {
                    float::of_bf16x2 %low, %high, %x[4 * c + i];
                    float::of_bf16x2 %first, %second, %w[i];
                    mul.f32         %low, %low, %sum;
                    mul.f32         %high, %high, %sum;
                    mul.f32         %low, %low, %first;
                    mul.f32         %high, %high, %second;
                    float::to_bf16x2 %x[4 * c + i], %low, %high;
                }
                st.global.L1::no_allocate.v4.b32 [%to[32 * c]], {%x[4 * c..4 * c + 4]};
            }
            ret;
        }
    }

    /// Each number divided by the row's scale, as `e4m3`; the scale takes the largest to 448, and is 1 for a row of zeros.
    #[kernel(
        reqntid = 32, grid = n, unsafe(safe_launch),
        requires(src.len() >= n, dst.len() >= n, scales.len() >= n)
    )]
    pub(crate) fn quantize(
        #[readonly] src: Ptr<Global, [bf16; N], U16>,
        dst: Ptr<Global, [E4M3; N], U16>,
        scales: Ptr<Global, f32>,
        n: u32,
    ) {
        ptx! {
            let %lane, %row: u32;
            let %from: Ptr<Global, V4<Bf16x2>>;
            let %to: Ptr<Global, V2<B32>>;
            let %scales: Ptr<Global, f32>;
            let %x: [Bf16x2; PAIRS];
            let %y: [B32; 2];
            let %f: [f32; 8];
            let %max, %inverse: f32;
            let %is_zero, %is_first: bool;

            mov.u32         %lane, %tid.x;
            mov.u32         %row, %ctaid.x;
            lea.global.u64  %from, src[%row];
            lea.global.u64  %from, %from[%lane];
            lea.global.u64  %to, dst[%row];
            lea.global.u64  %to, %to[%lane];
            lea.global.u64  %scales, scales[%row];
            for c in 0..PAIRS / 4 {
                ld.global.nc.L1::no_allocate.v4.b32 {%x[4 * c..4 * c + 4]}, [%from[32 * c]];
            }
            mov.f32         %max, 0f00000000;
            for i in 0..PAIRS {
                float::of_bf16x2 %f[0], %f[1], %x[i];
                abs.f32         %f[0], %f[0];
                abs.f32         %f[1], %f[1];
                max.f32         %max, %max, %f[0];
                max.f32         %max, %max, %f[1];
            }
            warp::max::<f32> %max, %max;
            setp.eq.f32     %is_zero, %max, 0f00000000;
            @%is_zero mov.f32 %max, #(448.0_f32);
            rcp.rn.f32      %inverse, %max;
            mul.f32         %inverse, %inverse, #(448.0_f32);
            for c in 0..PAIRS / 4 {
                for i in 0..4 {
                    float::of_bf16x2 %f[2 * i], %f[2 * i + 1], %x[4 * c + i];
                }
                for i in 0..8 {
                    mul.f32     %f[i], %f[i], %inverse;
                }
                float::to_e4m3x4 %y[0], %f[0], %f[1], %f[2], %f[3];
                float::to_e4m3x4 %y[1], %f[4], %f[5], %f[6], %f[7];
                st.global.L1::no_allocate.v2.b32 [%to[32 * c]], {%y[0..2]};
            }
            setp.eq.u32     %is_first, %lane, 0;
            mul.f32         %max, %max, #(1.0_f32 / 448.0);
            @%is_first st.global.f32 [%scales], %max;
            ret;
        }
    }
}
