//! A kernel that nvcc compiled: `y = a x + y + offset` over a part of two vectors.
//!
//! `cargo run --example import [--features cuda]`

mod common;

use ptx::prelude::*;

/// The range of elements: the kernel's own struct, whose size and alignment are compared with those in PTX.
#[derive(PtxType, Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Range {
    first: u32,
    count: u32,
}

// In nvcc's output, addresses are 64-bit numbers, structs are bytes, and parameters are numbered: their
// types and names are given here, once.
ptx::import!(
    /// `saxpy`, as nvcc compiled it.
    pub(crate) mod saxpy = "import.ptx",
    types(
        #[kernel(
            requires(
                x.len() >= range.first as u64 + range.count as u64,
                y.len() >= range.first as u64 + range.count as u64,
            ),
            grid = range.count.div_ceil(256),
            unsafe(safe_launch),
        )]
        fn saxpy(a: f32, #[readonly] x: Ptr<Global, f32>, y: Ptr<Global, f32>, range: Range),
    ),
);

common::main!(saxpy);

/// Compares the results with the CPU's.
#[cfg(feature = "cuda")]
fn run(stream: &common::Stream, module: &saxpy::Loaded) -> common::Result {
    let (x, y) = (common::numbers(10_000), vec![1.0; 10_000]);
    let from = stream.clone_htod(&x)?;
    let mut to = stream.clone_htod(&y)?;
    module.OFFSET.set(stream, &0.5)?;
    let range = Range { first: 16, count: 9_000 };
    module.saxpy().block(256).launch(stream, (2.5, &from, &mut to, range))?;
    let expected = x.iter().zip(y).enumerate().map(|(i, (x, y))| {
        let is_inside = (16..9_016).contains(&i);
        f64::from(if is_inside { y + (2.5_f32.mul_add(*x, 0.5)) } else { y })
    });
    common::compare(stream, &to, expected, 0.0)?;

    // Arguments that do not fit are an error, before anything runs.
    let range = Range { first: 1_001, count: 9_000 };
    let refused = module.saxpy().block(256).launch(stream, (2.5, &from, &mut to, range));
    println!("{}", refused.expect_err("there are too few elements"));
    Ok(())
}
