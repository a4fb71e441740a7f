//! The launch.

use std::error::Error;

use crate::kernels::quantize;
use ptx::prelude::*;

/// Quantises rows on the first GPU, and on the CPU with the same types.
///
/// # Errors
/// There is no GPU, the driver refuses something, or an element is not that of the CPU.
pub fn run() -> Result<(), Box<dyn Error>> {
    const ROWS: u32 = 300;
    const COLUMNS: usize = quantize::COLUMNS;

    let context = ptx::cuda::context(0)?;
    let stream = context.default_stream();
    let quantize = ptx::cuda::load::<quantize::Loaded>(&context)?;

    let count = ROWS as usize * COLUMNS;
    let numbers: Vec<f32> = (0..count)
        .map(|i| (i * 7919 % 1001) as f32 / 125.0 - 4.0)
        .collect();
    let src = stream.clone_htod(&numbers)?;
    let mut dst = stream.alloc_zeros::<E4M3>(count)?;
    let mut scales = stream.alloc_zeros::<f32>(ROWS as usize)?;
    quantize
        .rows()
        .launch(&stream, (&src, &mut dst, &mut scales, ROWS))?;

    let (found, scales) = (stream.clone_dtoh(&dst)?, stream.clone_dtoh(&scales)?);
    for ((row, found), found_scale) in numbers
        .chunks(COLUMNS)
        .zip(found.chunks(COLUMNS))
        .zip(scales)
    {
        let largest = row
            .iter()
            .fold(1e-10_f32, |largest, x| x.abs().max(largest));
        let scale = largest / E4M3::MAX.to_f32();
        let expected = row.iter().map(|x| E4M3::from_f32(x / scale));
        if scale != found_scale || !expected.eq(found.iter().copied()) {
            return Err("the GPU's elements are not those of the CPU".into());
        }
    }
    println!(
        "quantised {ROWS} rows of {COLUMNS} numbers on {}",
        context.name()?
    );
    Ok(())
}
