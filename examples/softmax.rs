//! The softmax of each row of a matrix: one warp per row, which it keeps in registers.
//!
//! `cargo run --example softmax [--features cuda]`

mod common;

use ptx::lib::warp;
use ptx::prelude::*;

/// Softmax of rows.
#[ptx::module(target = sm_80)]
pub(crate) mod softmax {
    use super::*;

    /// Groups of four elements per thread.
    const GROUPS: usize = 8;
    /// A row; every 32nd group belongs to the same thread.
    pub(crate) type Row = [f32; 32 * GROUPS * 4];

    /// Divides every element before the exponential; the host may replace it before a launch.
    #[constant]
    pub(crate) static TEMPERATURE: f32 = 1.0;

    /// Writes the softmax of the first `n` rows.
    #[kernel(reqntid = 32, grid = n, requires(src.len() >= n, dst.len() >= n), unsafe(safe_launch))]
    pub(crate) fn rows(#[readonly] src: Ptr<Global, Row, U16>, dst: Ptr<Global, Row, U16>, n: u32) {
        ptx! {
            let %lane, %row: u32;
            let %from, %to: Ptr<Global, V4<f32>>;
            let %x: [f32; 4 * GROUPS];
            let %max, %sum, %scale: f32;

            mov.u32         %lane, %tid.x;
            mov.u32         %row, %ctaid.x;
            lea.global.u64  %from, src[%row];
            lea.global.u64  %from, %from[%lane];
            lea.global.u64  %to, dst[%row];
            lea.global.u64  %to, %to[%lane];
            mov.f32         %max, #(f32::NEG_INFINITY);
            for i in 0..GROUPS {
                ld.global.v4.f32 {%x[4 * i..4 * i + 4]}, [%from[32 * i]];
                for j in 4 * i..4 * i + 4 {
                    max.f32     %max, %max, %x[j];
                }
            }
            warp::max::<f32> %max, %max;

            // The exponentials, as powers of two, and their sum.
            ld.const.f32    %scale, [TEMPERATURE];
            div.rn.f32      %scale, #(core::f32::consts::LOG2_E), %scale;
            mov.f32         %sum, 0f00000000;
            for i in 0..4 * GROUPS {
                sub.f32         %x[i], %x[i], %max;
                mul.f32         %x[i], %x[i], %scale;
                ex2.approx.f32  %x[i], %x[i];
                add.f32         %sum, %sum, %x[i];
            }
            warp::sum::<f32> %sum, %sum;
            for i in 0..GROUPS {
                for j in 4 * i..4 * i + 4 {
                    div.rn.f32      %x[j], %x[j], %sum;
                }
                st.global.v4.f32 [%to[32 * i]], {%x[4 * i..4 * i + 4]};
            }
            ret;
        }
    }
}

common::main!(softmax);

/// Compares the results with the CPU's.
#[cfg(feature = "cuda")]
fn run(stream: &common::Stream, module: &softmax::Loaded) -> common::Result {
    let numbers = common::numbers(300 * 1024);
    let (src, mut dst) = (stream.clone_htod(&numbers)?, stream.alloc_zeros(numbers.len())?);
    module.TEMPERATURE.set(stream, &0.5)?;
    module.rows().launch(stream, (&src, &mut dst, 300))?;
    let expected = numbers.chunks(1024).flat_map(|row| {
        let exponentials = row.iter().map(|x| f64::exp(f64::from(*x) / 0.5));
        let sum: f64 = exponentials.clone().sum();
        exponentials.map(move |x| x / sum)
    });
    common::compare(stream, &dst, expected, 1e-5)
}
