//! The launch.

use std::error::Error;

use crate::kernels::{COLUMNS, Part, ROWS, matrix};
use ptx::prelude::*;

/// Negates a matrix on the first GPU.
///
/// # Errors
/// There is no GPU, the driver refuses something, or an element is not that of the CPU.
pub fn run() -> Result<(), Box<dyn Error>> {
    const WIDTH: usize = 1_000;
    const HEIGHT: usize = 30;

    let context = ptx::cuda::context(0)?;
    let stream = context.default_stream();
    let matrix = ptx::cuda::load::<matrix::Loaded>(&context)?;

    let elements: Vec<f32> = (0..WIDTH * HEIGHT).map(|i| (i % 251) as f32).collect();
    let from = stream.clone_htod(&elements)?;
    let mut to = stream.alloc_zeros::<f32>(elements.len())?;
    let dims = [WIDTH as u64, HEIGHT as u64];
    let grid = (WIDTH.div_ceil(COLUMNS) as u32, HEIGHT.div_ceil(ROWS) as u32);
    {
        // The maps borrow the buffers.
        let from = Part::over(&from, &stream).dims(dims).encode()?;
        let to = Part::over_mut(&mut to, &stream).dims(dims).encode()?;
        matrix.negate().grid(grid).launch(&stream, (&from, &to))?;
    }

    let expected: Vec<f32> = elements.iter().map(|x| -x).collect();
    if stream.clone_dtoh(&to)? != expected {
        return Err("the GPU's elements are not those of the CPU".into());
    }
    println!("negated {WIDTH} x {HEIGHT} elements on {}", context.name()?);
    Ok(())
}
