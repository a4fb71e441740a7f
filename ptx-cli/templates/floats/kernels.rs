//! The kernels: storage and parameters are Rust, bodies are PTX.

use ptx::lib::warp;
use ptx::prelude::*;

/// Quantisation to E4M3, a float of 8 bits.
#[ptx::module(target = sm_89, version = 8.1)]
pub mod quantize {
    use super::*;

    /// Groups of four elements per thread.
    const GROUPS: usize = 8;
    /// Elements of a row; every 32nd group belongs to the same thread.
    pub const COLUMNS: usize = 32 * GROUPS * 4;

    /// Divides the first `n` rows by their scales, which map their largest element to the largest number
    /// of E4M3.
    #[kernel(
        reqntid = 32, grid = n, unsafe(safe_launch),
        requires(src.len() >= n, dst.len() >= n, scales.len() >= n)
    )]
    pub fn rows(
        #[readonly] src: Ptr<Global, [f32; COLUMNS], U16>,
        dst: Ptr<Global, [E4M3; COLUMNS], U4>,
        scales: Ptr<Global, f32>,
        n: u32,
    ) {
        ptx! {
            let %lane, %row: u32;
            let %from: Ptr<Global, V4<f32>>;
            let %to: Ptr<Global, E4M3x4>;
            let %scale_of_row: Ptr<Global, f32>;
            let %x: [f32; 4 * GROUPS];
            let %y, %scale: f32;
            let %low, %high: E4M3x2;
            let %four: E4M3x4;

            mov.u32 %lane, %tid.x;
            mov.u32 %row, %ctaid.x;
            lea.global.u64 %from, src[%row];
            lea.global.u64 %from, %from[%lane];
            lea.global.u64 %to, dst[%row];
            lea.global.u64 %to, %to[%lane];
            lea.global.u64 %scale_of_row, scales[%row];

            // The minimum scale is for rows of zeros.
            mov.f32 %scale, #(1e-10_f32);
            for i in 0..GROUPS {
                ld.global.v4.f32 {%x[4 * i..4 * i + 4]}, [%from[32 * i]];
                for j in 4 * i..4 * i + 4 {
                    abs.f32 %y, %x[j];
                    max.f32 %scale, %scale, %y;
                }
            }
            warp::max::<f32> %scale, %scale;
            div.rn.f32 %scale, %scale, #(E4M3::MAX.to_f32());
            st.global.f32 [%scale_of_row], %scale;  // every lane stores the same value
            for i in 0..GROUPS {
                for j in 4 * i..4 * i + 4 {
                    div.rn.f32 %x[j], %x[j], %scale;
                }
                cvt.rn.satfinite.e4m3x2.f32 %low, %x[4 * i + 1], %x[4 * i];
                cvt.rn.satfinite.e4m3x2.f32 %high, %x[4 * i + 3], %x[4 * i + 2];
                mov.b32 %four, {%low, %high};
                st.global.b32 [%to[32 * i]], %four;
            }
            ret;
        }
    }
}

// A test of the module: the rules with every constant known, and then ptxas.
ptx::assembles!(quantize);
