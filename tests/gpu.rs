//! What is declared, on the GPU. Needs the feature `cuda` and a driver.

#[path = "../examples/quickstart/kernel.rs"]
mod kernel;

use std::sync::Arc;

use cudarc::driver::{CudaContext, DeviceRepr, DriverError, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;
use kernel::{Image, blur as module};

// SAFETY: `repr(C)` without padding or pointers, as `PtxType` checks.
unsafe impl DeviceRepr for Image {}

/// The first GPU. A machine without one says so, and the test is not run.
fn gpu() -> Option<Arc<CudaContext>> {
    // SAFETY: only looks for the library.
    let has_driver = unsafe { cudarc::driver::sys::is_culib_present() };
    if !has_driver {
        eprintln!("NOT RUN: there is no CUDA driver on this machine");
        return None;
    }
    match CudaContext::new(0) {
        Ok(context) => Some(context),
        Err(error) => {
            eprintln!("NOT RUN: there is no GPU: {error}");
            None
        }
    }
}

/// What the kernel computes, in the same order of operations.
fn reference(row: &[f32], gain: f32, taps: &[f32; 5]) -> Vec<f32> {
    let pixel = |i: usize, tap: usize| {
        (i + tap).checked_sub(2).and_then(|at| row.get(at)).copied().unwrap_or(0.0)
    };
    (0..row.len())
        .map(|i| {
            let first = pixel(i, 0) * taps[0];
            (1..5).fold(first, |sum, tap| pixel(i, tap).mul_add(taps[tap], sum)) * gain
        })
        .collect()
}

#[test]
fn the_blur_equals_the_cpu_bit_for_bit() -> Result<(), DriverError> {
    let Some(context) = gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let taps = module::TAPS.initial().expect("the taps have a value");
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Any finite float, subnormals included.
        let bits = u32::try_from(state >> 32).expect("32 bits");
        f32::from_bits(if bits >> 23 & 0xFF == 0xFF { bits & !(1 << 30) } else { bits })
    };
    let mut pixels = 0;
    for (width, pitch, rows) in
        [(1, 1, 1), (3, 5, 7), (64, 64, 2), (65, 66, 33), (129, 130, 5), (4096, 4096, 512)]
    {
        let loaded = context.load_module(Ptx::from_src(module::MODULE.to_string()))?;
        let kernel = loaded.load_function(module::rows().name())?;
        let gain = 1.0 + random().abs().min(1.0);
        let source: Vec<f32> = (0..pitch * rows * 4).map(|_| random()).collect();
        let poison = f32::from_bits(0x7FC0_DEAD);
        let on_gpu = stream.clone_htod(&source)?;
        let mut result = stream.clone_htod(&vec![poison; source.len()])?;
        let image = Image {
            width: u32::try_from(width).expect("small"),
            pitch: u32::try_from(pitch).expect("small"),
            gain,
        };
        let grid = (image.width.div_ceil(module::THREADS), u32::try_from(rows).expect("small"), 1);
        let config = LaunchConfig {
            grid_dim: grid,
            block_dim: (module::THREADS, 1, 1),
            shared_mem_bytes: 0,
        };
        let mut launch = stream.launch_builder(&kernel);
        launch.arg(&on_gpu).arg(&mut result).arg(&image);
        // SAFETY: the arguments are those of the kernel, and both buffers hold every row.
        unsafe { launch.launch(config)? };
        let result = stream.clone_dtoh(&result)?;
        for (row, (source, result)) in
            source.chunks(pitch * 4).zip(result.chunks(pitch * 4)).enumerate()
        {
            let expected = reference(&source[..width * 4], gain, taps);
            for (i, (expected, result)) in expected.iter().zip(result).enumerate() {
                let same =
                    expected.to_bits() == result.to_bits() || expected.is_nan() && result.is_nan();
                assert!(same, "row {row}, pixel {i} of {width}: {expected:?} and {result:?}");
            }
            let untouched =
                result[width * 4..].iter().all(|pixel| pixel.to_bits() == poison.to_bits());
            assert!(untouched, "row {row} was written behind its end");
            pixels += width * 4;
        }
    }
    println!("{pixels} pixels equal");
    Ok(())
}
