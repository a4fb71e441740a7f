//! Divides rows by their root mean square, half a row per block: the two blocks of a cluster read each
//! other's shared memory.
//!
//! `cargo run --example cluster [--features cuda]`

mod common;

use ptx::lib::warp;
use ptx::prelude::*;

/// Normalises rows.
#[ptx::module(target = sm_90)]
pub(crate) mod cluster {
    use super::*;

    /// Warps of a block.
    const WARPS: usize = 8;
    /// Threads of a block, with four elements each: half a row in all.
    const THREADS: usize = 32 * WARPS;

    /// The sum of squares of each warp.
    #[shared]
    static SUMS: [f32; WARPS];

    /// Divides the first `n` rows.
    #[kernel(
        reqntid = THREADS, reqnctapercluster = 2, grid = 2 * n, unsafe(safe_launch),
        requires(rows.len() >= n)
    )]
    pub(crate) fn normalize(rows: Ptr<Global, [f32; 8 * THREADS], U16>, n: u32) {
        ptx! {
            let %thread, %warp, %row, %rank, %slot: u32;
            let %at: Ptr<Global, [V4<f32>; THREADS]>;
            let %of_block: Ptr<Shared, f32>;
            let %x: [f32; 4];
            let %y, %sum: f32;

            mov.u32         %thread, %tid.x;
            shr.u32         %warp, %thread, 5;
            mov.u32         %row, %ctaid.x;
            shr.u32         %row, %row, 1;
            mov.u32         %rank, %cluster_ctarank;
            lea.global.u64  %at, rows[%row];
            lea.global.u64  %at, %at[%rank][%thread];
            ld.global.v4.f32 {%x[0..4]}, [%at];
            mov.f32         %sum, 0f00000000;
            for i in 0..4 {
                fma.rn.f32      %sum, %x[i], %x[i], %sum;
            }
            warp::sum::<f32> %sum, %sum;
            lea.shared.u32  %slot, SUMS[%warp];
            st.shared.f32   [%slot], %sum;              // every lane stores the same value
            barrier.cluster.arrive;
            barrier.cluster.wait;

            // Both blocks add in the same order.
            mov.f32         %sum, 0f00000000;
            for block in 0..2 {
                mapa.shared::cluster.u32 %of_block, SUMS, block;
                for warp in 0..WARPS {
                    ld.shared::cluster.f32 %y, [%of_block[warp]];
                    add.f32         %sum, %sum, %y;
                }
            }
            // The other block may still read this block's shared memory, which is freed when the block ends.
            barrier.cluster.arrive;
            barrier.cluster.wait;

            div.rn.f32      %sum, %sum, #((8 * THREADS) as f32);
            sqrt.rn.f32     %sum, %sum;
            for i in 0..4 {
                div.rn.f32      %x[i], %x[i], %sum;
            }
            st.global.v4.f32 [%at], {%x[0..4]};
            ret;
        }
    }
}

common::main!(cluster);

/// Compares the results with the CPU's.
#[cfg(feature = "cuda")]
fn run(stream: &common::Stream, module: &cluster::Loaded) -> common::Result {
    let numbers = common::numbers(300 * 2048);
    let mut rows = stream.clone_htod(&numbers)?;
    module.normalize().launch(stream, (&mut rows, 300))?;
    let expected = numbers.chunks(2048).flat_map(|row| {
        let squares = row.iter().map(|x| f64::from(*x).powi(2));
        let root = (squares.sum::<f64>() / 2048.0).sqrt();
        row.iter().map(move |x| f64::from(*x) / root)
    });
    common::compare(stream, &rows, expected, 1e-5)
}
