//! The matrix product of `examples/gemm` on a GPU, compared with the CPU. Needs the feature `cuda` and a
//! driver; `wgmma` needs `sm_90a`.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]

mod device;
#[path = "../examples/gemm/kernel.rs"]
mod kernel;

use std::error::Error;

use device::gpu;
use half::bf16;
use kernel::gemm;
use ptx::cuda::Over as _;

/// Small integers, so that every sum is exact.
fn numbers(rows: usize, columns: usize, seed: usize) -> Vec<i8> {
    (0..rows * columns)
        .map(|i| {
            let (row, column) = (i / columns, i % columns);
            let mixed = row * 7 + column * 3 + row * column + seed * 5 + (row >> 4) * (column >> 3);
            i8::try_from(mixed % 7).expect("small") - 3
        })
        .collect()
}

fn stored(numbers: &[i8]) -> Vec<bf16> {
    numbers.iter().map(|&number| bf16::from_f32(number.into())).collect()
}

#[test]
fn products_equal_the_reference() -> Result<(), Box<dyn Error>> {
    let Some(context) = gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let module = ptx::cuda::load::<gemm::Loaded>(&context)?;
    let threads = u32::try_from(gemm::THREADS)?;
    let poison = bf16::from_f32(12345.0);
    // The sizes, and the clusters that share the tiles.
    for (m, n, k, clusters) in [
        (128, 256, 64, 1),
        (256, 256, 64, 1),
        (256, 512, 192, 2),
        (1024, 768, 512, 5),
        (1024, 768, 512, 66),
        (2304, 1024, 320, 7),
        // The last tiles are partial in every dimension.
        (8, 8, 8, 1),
        (200, 328, 136, 3),
        (777, 1000, 72, 4),
    ] {
        let (left, right) = (numbers(m, k, 1), numbers(n, k, 2));
        let (a, b) = (stream.clone_htod(&stored(&left))?, stream.clone_htod(&stored(&right))?);
        // The memory after the product must not change.
        let mut d = stream.clone_htod(&vec![poison; m * n + 4096])?;
        let blocks = u32::try_from(clusters * gemm::CLUSTER)?;
        let sizes = [u32::try_from(m)?, u32::try_from(n)?, u32::try_from(k)?];
        let dims = [[k as u64, m as u64], [k as u64, n as u64], [n as u64, m as u64]];
        {
            let a = gemm::A::over(&a, &stream).dims(dims[0]).encode()?;
            let b = gemm::B::over(&b, &stream).dims(dims[1]).encode()?;
            let d = gemm::D::over_mut(&mut d, &stream).dims(dims[2]).encode()?;
            let launch = module.multiply().grid(blocks).block(threads);
            // SAFETY: the maps are over the buffers, of these sizes, and that of `d` stores.
            unsafe { launch.launch(&stream, (&a, &b, &d, sizes[0], sizes[1], sizes[2]))? };
        }
        let found = stream.clone_dtoh(&d)?;
        let (found, behind) = found.split_at(m * n);
        let mut wrong = 0;
        for (row, left) in left.chunks_exact(k).enumerate() {
            for (column, right) in right.chunks_exact(k).enumerate() {
                let sum: i32 =
                    left.iter().zip(right).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
                #[allow(clippy::cast_precision_loss)] // small
                let sum = bf16::from_f32(sum as f32);
                let found = found[row * n + column];
                if found != sum {
                    if wrong < 5 {
                        eprintln!("{m} x {n} x {k}: ({row}, {column}) is {found}, not {sum}");
                    }
                    wrong += 1;
                }
            }
        }
        assert_eq!(wrong, 0, "{m} x {n} x {k}: wrong elements");
        assert!(behind.iter().all(|at| *at == poison), "{m} x {n} x {k}: written past the end");
        println!("{m} x {n} x {k}, {blocks} blocks: {} elements equal the reference", m * n);
    }
    Ok(())
}
