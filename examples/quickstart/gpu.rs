//! The blur on the GPU, compared with the CPU.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]

use std::error::Error;

use super::kernel::{Image, blur};

/// Runs the blur on the first GPU and compares it with the CPU; prints a note if there is no GPU.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    const WIDTH: usize = 1000;
    const HEIGHT: usize = 600;
    const TAPS: [f32; 5] = [0.1, 0.2, 0.4, 0.2, 0.1];

    let context = match ptx::cuda::context(0) {
        Ok(context) => context,
        Err(why) => {
            println!("\nNot run: {why}.");
            return Ok(());
        }
    };
    let stream = context.default_stream();
    let module = ptx::cuda::load::<blur::Loaded>(&context)?;
    module.TAPS.set(&stream, &TAPS)?;

    #[allow(clippy::cast_precision_loss)] // small numbers
    let pixels: Vec<f32> = (0..WIDTH * HEIGHT).map(|i| (i * 31 % 256) as f32).collect();
    let src = stream.clone_htod(&pixels)?;
    let mut dst = stream.alloc_zeros::<f32>(pixels.len())?;
    let (groups, rows) = (u32::try_from(WIDTH / 4)?, u32::try_from(HEIGHT)?);
    let image = Image { width: groups, pitch: groups, gain: 1.0 };
    let launch = module.rows().grid((groups.div_ceil(blur::THREADS), rows));
    // SAFETY: both buffers hold all rows.
    unsafe { launch.launch(&stream, (&src, &mut dst, image))? };

    let blurred = stream.clone_dtoh(&dst)?;
    for (source, blurred) in pixels.chunks(WIDTH).zip(blurred.chunks(WIDTH)) {
        for (i, found) in blurred.iter().enumerate() {
            let pixel = |tap: usize| {
                (i + tap).checked_sub(2).and_then(|at| source.get(at)).copied().unwrap_or(0.0)
            };
            let first = pixel(0) * TAPS[0];
            let expected = (1..5).fold(first, |sum, tap| pixel(tap).mul_add(TAPS[tap], sum));
            assert!(expected.to_bits() == found.to_bits(), "{expected} on the CPU, {found} here");
        }
    }
    println!("\nOn the GPU: {} rows, each pixel as on the CPU.", module.ROWS.get(&stream)?);
    println!("{}", launch.resources()?);
    Ok(())
}
