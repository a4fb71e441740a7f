//! `y = a x + y`, one element per thread.
//!
//! `cargo run --example saxpy [--features cuda]`

mod common;

use ptx::prelude::*;

/// Vectors of 32-bit floats.
#[ptx::module(target = sm_80)]
pub(crate) mod saxpy {
    use super::*;

    const THREADS: u32 = 256;

    /// Adds `a` times `x` to `y`, for the first `n` elements.
    #[kernel(
        reqntid = THREADS,
        requires(x.len() >= n, y.len() >= n),
        grid = n.div_ceil(THREADS),
        unsafe(safe_launch)
    )]
    pub(crate) fn saxpy(a: f32, #[readonly] x: Ptr<Global, f32>, y: Ptr<Global, f32>, n: u32) {
        ptx! {
            let %i, %block, %n: u32;
            let %from, %to: Ptr<Global, f32>;
            let %a, %x, %y: f32;
            let %outside: bool;

            mov.u32         %i, %tid.x;
            mov.u32         %block, %ctaid.x;
            mad.lo.u32      %i, %block, #(THREADS), %i;
            ld.param.u32    %n, [n];
            setp.ge.u32     %outside, %i, %n;
            @%outside ret;

            lea.global.u64  %from, x[%i];
            lea.global.u64  %to, y[%i];
            ld.global.f32   %x, [%from];
            ld.global.f32   %y, [%to];
            ld.param.f32    %a, [a];
            fma.rn.f32      %y, %a, %x, %y;
            st.global.f32   [%to], %y;
            ret;
        }
    }
}

common::main!(saxpy);

/// Compares the results with the CPU's.
#[cfg(feature = "cuda")]
fn run(stream: &common::Stream, module: &saxpy::Loaded) -> common::Result {
    let (x, y) = (common::numbers(10_000), vec![1.0; 10_000]);
    let from = stream.clone_htod(&x)?;
    let mut to = stream.clone_htod(&y)?;
    module.saxpy().launch(stream, (2.5, &from, &mut to, 10_000))?;
    let expected = x.iter().zip(y).map(|(x, y)| 2.5_f32.mul_add(*x, y).into());
    common::compare(stream, &to, expected, 0.0)?;

    // Arguments that do not fit are an error, before anything runs.
    let refused = module.saxpy().launch(stream, (2.5, &from, &mut to, 10_001));
    println!("{}", refused.expect_err("there are too few elements"));
    Ok(())
}
