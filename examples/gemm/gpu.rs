//! The product on the GPU, with some of its elements compared with the CPU's.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]

use std::error::Error;

use ptx::cuda::Over as _;
use ptx::prelude::bf16;

use super::kernel::gemm;

/// Multiplies two matrices on the first GPU and compares elements with the CPU; prints a note if there is no GPU.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    const M: usize = 2000;
    const N: usize = 3000;
    const K: usize = 1000;
    const COMPARED: usize = 1000;

    let context = match ptx::cuda::context(0) {
        Ok(context) => context,
        Err(why) => {
            println!("\nNot run: {why}.");
            return Ok(());
        }
    };
    let stream = context.default_stream();
    let module = ptx::cuda::load::<gemm::Loaded>(&context)?;

    let (left, right) = (numbers(M, K), numbers(N, K));
    let (a, b) = (stream.clone_htod(&left)?, stream.clone_htod(&right)?);
    let mut d = stream.alloc_zeros::<bf16>(M * N)?;
    let (threads, cluster) = (u32::try_from(gemm::THREADS)?, u32::try_from(gemm::CLUSTER)?);
    let launch = module.multiply().block(threads);
    let resources = launch.resources()?;
    // As many whole clusters as the multiprocessors can hold; each multiplies tiles until none is left.
    let launch = launch.grid(resources.multiprocessors / cluster * cluster);
    {
        let a = gemm::A::over(&a, &stream).dims([K as u64, M as u64]).encode()?;
        let b = gemm::B::over(&b, &stream).dims([K as u64, N as u64]).encode()?;
        let d = gemm::D::over_mut(&mut d, &stream).dims([N as u64, M as u64]).encode()?;
        let sizes = (u32::try_from(M)?, u32::try_from(N)?, u32::try_from(K)?);
        // SAFETY: the maps are over matrices of these sizes, and that of `d` stores.
        unsafe { launch.launch(&stream, (&a, &b, &d, sizes.0, sizes.1, sizes.2))? };
    }

    let found = stream.clone_dtoh(&d)?;
    for i in 0..COMPARED {
        let (row, column) = (i * 5003 % M, i * 7919 % N);
        let pairs = left[row * K..][..K].iter().zip(&right[column * K..][..K]);
        // Small integers: `f32` holds their sum exactly in any order.
        let sum: f32 = pairs.map(|(a, b)| a.to_f32() * b.to_f32()).sum();
        let (expected, found) = (bf16::from_f32(sum), found[row * N + column]);
        assert!(expected == found, "({row}, {column}) is {expected} on the CPU, {found} here");
    }
    println!("\nOn the GPU: {M} x {N} x {K}, {COMPARED} elements compared, each as on the CPU.");
    println!("{resources}");
    Ok(())
}

/// Integers from -3 to 3.
fn numbers(rows: usize, columns: usize) -> Vec<bf16> {
    let number = |i: usize| {
        let (row, column) = (i / columns, i % columns);
        let mixed = u8::try_from((row * 7 + column * 3 + row * column) % 7).expect("below 7");
        bf16::from_f32(f32::from(mixed) - 3.0)
    };
    (0..rows * columns).map(number).collect()
}
