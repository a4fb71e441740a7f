//! The fragments of `ptx::lib` on a GPU, compared with the CPU. Needs the feature `cuda` and a driver of an `sm_90`:
//! `cargo test --release --features cuda --test gpu_library -- --nocapture`.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]
#![allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::float_cmp)] // small integers

mod device;
#[path = "library/kernels.rs"]
mod library;

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::CudaStream;
use device::gpu;
use library::kernels;
use ptx::prelude::*;

const THREADS: usize = 128;

/// Numbers that are unrelated to their neighbours.
fn number(n: usize) -> u32 {
    (n as u32).wrapping_mul(0x9E37_79B1) >> 12
}

fn warps(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let numbers: Vec<u32> = (0..THREADS).map(number).collect();
    let (src, mut dst) = (stream.clone_htod(&numbers)?, stream.alloc_zeros::<[u32; 5]>(THREADS)?);
    // SAFETY: there is a number and room for the results of each thread.
    unsafe { module.warps().grid(1).launch(stream, (&src, &mut dst))? };
    for (thread, found) in stream.clone_dtoh(&dst)?.into_iter().enumerate() {
        let warp = &numbers[thread / 32 * 32..][..32];
        let up_to = &warp[..=thread % 32];
        let expected = [
            warp.iter().sum::<u32>(),
            *warp.iter().max().ok_or("none")?,
            *warp.iter().min().ok_or("none")?,
            up_to.iter().sum(),
            warp[5],
        ];
        assert_eq!(found, expected, "thread {thread}");
    }
    Ok(())
}

fn blocks(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let numbers: Vec<f32> = (0..THREADS).map(|n| (number(n) % 64) as f32).collect();
    let (src, mut dst) = (stream.clone_htod(&numbers)?, stream.alloc_zeros::<f32>(THREADS)?);
    // SAFETY: there is a number and room for the result of each thread.
    unsafe { module.blocks().grid(1).launch(stream, (&src, &mut dst))? };
    // Small integers are added exactly, in any order.
    let sum: f32 = numbers.iter().sum();
    let expected = sum * THREADS as f32 + sum;
    assert!(stream.clone_dtoh(&dst)?.iter().all(|found| *found == expected), "{expected}");
    Ok(())
}

fn stages(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let mut dst = stream.alloc_zeros::<[u32; 2]>(10)?;
    // SAFETY: there is room for 10 steps.
    unsafe { module.stages().grid(1).launch(stream, (&mut dst,))? };
    let expected: Vec<[u32; 2]> = (1..=10).map(|step| [step % 3, step / 3 % 2]).collect();
    assert_eq!(stream.clone_dtoh(&dst)?, expected);
    Ok(())
}

fn floats(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let float = |n: usize| (number(n) as f32 - 500_000.0) / 1024.0;
    let numbers: Vec<[f32; 4]> =
        (0..THREADS).map(|n| std::array::from_fn(|k| float(4 * n + k))).collect();
    let (src, mut dst) = (stream.clone_htod(&numbers)?, stream.alloc_zeros::<[u32; 5]>(THREADS)?);
    // SAFETY: there are numbers and room for the results of each thread.
    unsafe { module.floats().grid(1).launch(stream, (&src, &mut dst))? };
    for (found, numbers) in stream.clone_dtoh(&dst)?.into_iter().zip(numbers) {
        let [a, b, ..] = numbers;
        let halves = [a, b].map(bf16::from_f32);
        let expected = [
            E4M3x4::from_f32_array(numbers).to_bits(),
            E5M2x4::from_f32_array(numbers).to_bits(),
            u32::from(halves[0].to_bits()) | u32::from(halves[1].to_bits()) << 16,
            halves[0].to_f32().to_bits(),
            halves[1].to_f32().to_bits(),
        ];
        assert_eq!(found, expected, "{numbers:?}");
    }
    Ok(())
}

fn copies(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let words: Vec<[u32; 4]> =
        (0..THREADS).map(|n| std::array::from_fn(|k| number(4 * n + k))).collect();
    let src = stream.clone_htod(&words)?;
    let mut dst = stream.alloc_zeros::<[[u32; 4]; 3]>(THREADS)?;
    // SAFETY: there are words and room for three copies of each thread.
    unsafe { module.copies().grid(1).launch(stream, (&src, &mut dst))? };
    let copies: Vec<[[u32; 4]; 3]> = words.into_iter().map(|words| [words; 3]).collect();
    assert_eq!(stream.clone_dtoh(&dst)?, copies);
    Ok(())
}

fn tiles(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let numbers: Vec<f32> = (0..64 * 16).map(|n| number(n) as f32).collect();
    let (src, mut dst) = (stream.clone_htod(&numbers)?, stream.alloc_zeros::<[f32; 32]>(2)?);
    let matrix = kernels::Matrix::over(&src, stream).dims([64, 16]).encode()?;
    // SAFETY: the map is of this matrix, and there is room for two rows.
    unsafe { module.tiles().grid(1).launch(stream, (&matrix, &mut dst))? };
    let rows = stream.clone_dtoh(&dst)?;
    assert_eq!(rows[0], numbers[..32]);
    assert_eq!(rows[1], numbers[8 * 64 + 32..][..32]);
    Ok(())
}

/// The name of a kernel, and its comparison with the CPU.
type Comparison =
    (&'static str, fn(&Arc<CudaStream>, &kernels::Loaded) -> Result<(), Box<dyn Error>>);

#[test]
fn the_library_computes_what_the_cpu_does() -> Result<(), Box<dyn Error>> {
    let Some(context) = gpu() else { return Ok(()) };
    let (stream, module) =
        (context.default_stream(), ptx::cuda::load::<kernels::Loaded>(&context)?);
    let all: [Comparison; 6] = [
        ("warps", warps),
        ("blocks", blocks),
        ("stages", stages),
        ("floats", floats),
        ("copies", copies),
        ("tiles", tiles),
    ];
    for (name, compare) in all {
        compare(&stream, &module)?;
        println!("{name}: as on the CPU");
    }
    Ok(())
}
