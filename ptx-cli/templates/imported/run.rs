//! The launch.

use std::error::Error;

use crate::kernels::{Range, saxpy};

/// Computes `y + 2 x + 0.5` for a part of two vectors on the first GPU.
///
/// # Errors
/// There is no GPU, the driver refuses something, or a number is not that of the CPU.
pub fn run() -> Result<(), Box<dyn Error>> {
    let context = ptx::cuda::context(0)?;
    let stream = context.default_stream();
    let module = ptx::cuda::load::<saxpy::Loaded>(&context)?;

    let numbers: Vec<f32> = (0..1_000_u16).map(f32::from).collect();
    let x = stream.clone_htod(&numbers)?;
    let mut y = stream.clone_htod(&vec![1.0_f32; numbers.len()])?;
    module.OFFSET.set(&stream, &0.5)?;
    let range = Range {
        first: 16,
        count: 900,
    };
    module
        .saxpy()
        .block(256)
        .launch(&stream, (2.0, &x, &mut y, range))?;

    let mut expected = vec![1.0; numbers.len()];
    for (sum, x) in expected.iter_mut().zip(&numbers).skip(16).take(900) {
        *sum += 2.0 * x + 0.5;
    }
    if stream.clone_dtoh(&y)? != expected {
        return Err("the GPU's numbers are not those of the CPU".into());
    }
    println!("computed {} sums on {}", range.count, context.name()?);
    Ok(())
}
