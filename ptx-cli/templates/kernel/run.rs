//! The launch.

use std::error::Error;

use crate::kernels::vector;

/// Scales numbers on the first GPU.
///
/// # Errors
/// There is no GPU, the driver refuses something, or a number is not that of the CPU.
pub fn run() -> Result<(), Box<dyn Error>> {
    let context = ptx::cuda::context(0)?;
    let stream = context.default_stream();
    let vector = ptx::cuda::load::<vector::Loaded>(&context)?;

    let numbers: Vec<f32> = (0..1_000_u16).map(f32::from).collect();
    let mut data = stream.clone_htod(&numbers)?;
    vector.FACTOR.set(&stream, &3.0)?;
    vector.scale().launch(&stream, (&mut data, 1_000))?; // one argument per parameter, by type

    let expected: Vec<f32> = numbers.iter().map(|x| 3.0 * x).collect();
    if stream.clone_dtoh(&data)? != expected {
        return Err("the GPU's numbers are not those of the CPU".into());
    }
    println!("scaled {} numbers on {}", numbers.len(), context.name()?);
    Ok(())
}
