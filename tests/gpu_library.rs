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
use ptx::lib::{matrix, softmax};
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

fn fours(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let numbers: Vec<[u32; 4]> =
        (0..256).map(|n| std::array::from_fn(|k| number(4 * n + k))).collect();
    let src = stream.clone_htod(&numbers)?;
    let mut dst = stream.alloc_zeros::<[u32; 4]>(256)?;
    let mut reduced = stream.alloc_zeros::<[u32; 3]>(256)?;
    // SAFETY: there are numbers and room for the results of each thread.
    unsafe { module.fours().grid(1).launch(stream, (&src, &mut dst, &mut reduced))? };
    let (dst, reduced) = (stream.clone_dtoh(&dst)?, stream.clone_dtoh(&reduced)?);
    for thread in 0..256 {
        let four = &numbers[thread / 4 * 4..][..4];
        assert_eq!(dst[thread], std::array::from_fn(|n| four[n][thread % 4]), "thread {thread}");
        let firsts = four.iter().map(|numbers| numbers[0]);
        let (sum, max) = (firsts.clone().sum(), firsts.max().ok_or("none")?);
        assert_eq!(reduced[thread], [sum, max, thread as u32 / 128], "thread {thread}");
    }
    Ok(())
}

fn weights(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    // Row, column.
    let score = |row: u32, column: u32| (number((row * 16 + column) as usize) % 64) as f32 / 8.0;
    let of_lane = |lane: u32| -> [[f32; 4]; 2] {
        std::array::from_fn(|keys| {
            std::array::from_fn(|n| {
                let (row, column) = matrix::C_16X8.element(lane, n as u32);
                score(row, column + 8 * keys as u32)
            })
        })
    };
    let src = stream.clone_htod(&(0..32).map(of_lane).collect::<Vec<_>>())?;
    let mut dst = stream.alloc_zeros::<[[f32; 4]; 3]>(32)?;
    // SAFETY: there are scores and room for the results of each thread.
    unsafe { module.weights().grid(1).launch(stream, (&src, &mut dst))? };
    let found = stream.clone_dtoh(&dst)?;
    let close = |found: f32, expected: f32| (found - expected).abs() <= expected.abs() * 1e-5;
    for lane in 0..32_u32 {
        let [weights, [max_0, max_1, sum_0, sum_1], [shrink_0, shrink_1, ..]] =
            found[lane as usize];
        for (r, (max, sum, shrink)) in
            [(max_0, sum_0, shrink_0), (max_1, sum_1, shrink_1)].into_iter().enumerate()
        {
            let row = lane / 4 + 8 * r as u32;
            let most = |columns: u32| {
                (0..columns.min(row + 1))
                    .map(|column| score(row, column))
                    .fold(softmax::MASKED, f32::max)
            };
            let weight = |column: u32| {
                if column > row { 0.0 } else { (score(row, column) - most(16)).exp2() }
            };
            let own = |keys: u32| lane % 4 * 2 + 8 * keys..lane % 4 * 2 + 8 * keys + 2;
            assert!(max == most(16) && close(shrink, (most(8) - most(16)).exp2()), "row {row}");
            let expected: f32 = own(0).chain(own(1)).map(weight).sum();
            assert!(close(sum, expected), "row {row}: {sum}, not {expected}");
            for (found, column) in weights[2 * r..].iter().zip(own(1)) {
                assert!(close(*found, weight(column)), "row {row}, column {column}: {found}");
            }
        }
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

fn order(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let mut dst = stream.alloc_zeros::<[u32; 2]>(35)?;
    // SAFETY: there is room for each tile.
    unsafe { module.order().grid(1).launch(stream, (&mut dst,))? };
    // Three rows go through all columns, then three, then the last one.
    let groups = [0..3, 3..6, 6..7];
    let of = |rows: std::ops::Range<u32>| {
        (0..5).flat_map(move |column| rows.clone().map(move |row| [column, row]))
    };
    let expected: Vec<[u32; 2]> = groups.into_iter().flat_map(of).collect();
    assert_eq!(stream.clone_dtoh(&dst)?, expected);
    Ok(())
}

fn neighbours(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let mut dst = stream.alloc_zeros::<[u32; 2]>(THREADS)?;
    // SAFETY: there is room for a number of each thread of both blocks.
    unsafe { module.neighbours().grid(2).launch(stream, (&mut dst,))? };
    assert!(stream.clone_dtoh(&dst)?.iter().all(|found| *found == [1, 0]));
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

fn scans(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let numbers: Vec<u32> = (0..THREADS).map(|n| number(n) % 1024).collect();
    let (src, mut dst) = (stream.clone_htod(&numbers)?, stream.alloc_zeros::<u32>(THREADS)?);
    // SAFETY: there is a number and room for the result of each thread.
    unsafe { module.scans().grid(1).launch(stream, (&src, &mut dst))? };
    let up_to = |numbers: &[u32]| -> Vec<u32> {
        numbers
            .iter()
            .scan(0, |sum, x| {
                *sum += x;
                Some(*sum)
            })
            .collect()
    };
    assert_eq!(stream.clone_dtoh(&dst)?, up_to(&up_to(&numbers)));
    Ok(())
}

fn clusters(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let numbers: Vec<f32> = (0..4 * THREADS).map(|n| (number(n) % 64) as f32).collect();
    let (src, mut dst) = (stream.clone_htod(&numbers)?, stream.alloc_zeros::<f32>(4 * THREADS)?);
    // SAFETY: there is a number and room for the result of each thread.
    unsafe { module.clusters().grid(4).launch(stream, (&src, &mut dst))? };
    let found = stream.clone_dtoh(&dst)?;
    for (found, numbers) in found.chunks(2 * THREADS).zip(numbers.chunks(2 * THREADS)) {
        let sum: f32 = numbers.iter().sum();
        let expected = sum * (2 * THREADS) as f32 + sum;
        assert!(found.iter().all(|found| *found == expected), "{expected}");
    }
    Ok(())
}

/// All bits of small floats, the numbers around and between them, and numbers of all sizes.
fn floats_to_convert() -> Vec<f32> {
    let mut all = Vec::new();
    for bits in 0..=u8::MAX {
        for x in [
            E4M3::from_bits(bits).to_f32(),
            E5M2::from_bits(bits).to_f32(),
            E2M1::from_bits(bits & 0xF).to_f32(),
        ] {
            let near = x.to_bits();
            all.extend([near.wrapping_sub(1), near, near.wrapping_add(1)].map(f32::from_bits));
            for part in 1..16_u32 {
                // Between this and the next one of the format, to its middle and beyond.
                all.push(f32::from_bits(near.wrapping_add(part << 17)));
                all.push(f32::from_bits(near.wrapping_add((part << 17) + 1)));
                all.push(f32::from_bits(near.wrapping_add((part << 17) - 1)));
            }
        }
    }
    all.extend((0..1 << 16).map(|n: u32| f32::from_bits(n.wrapping_mul(0x9E37_79B1))));
    all.resize(all.len().next_multiple_of(THREADS), 0.0);
    all
}

fn portable(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let numbers = floats_to_convert();
    let blocks = u32::try_from(numbers.len() / THREADS)?;
    let src = stream.clone_htod(&numbers)?;
    let mut dst = stream.alloc_zeros::<[u32; 6]>(numbers.len())?;
    // SAFETY: there is a number and room for the results of each thread.
    unsafe { module.portable().grid(blocks).launch(stream, (&src, &mut dst))? };
    let same = |found: u32, expected: f32| {
        let found = f32::from_bits(found);
        found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan()
    };
    for (found, x) in stream.clone_dtoh(&dst)?.into_iter().zip(&numbers) {
        let (e4m3, e5m2, e2m1) = (E4M3::from_f32(*x), E5M2::from_f32(*x), E2M1::from_f32(*x));
        let bits = [e4m3.to_bits(), e5m2.to_bits(), e2m1.to_bits()].map(u32::from);
        assert_eq!([found[0], found[2], found[4]], bits, "{x} ({:#x})", x.to_bits());
        let expected = [e4m3.to_f32(), e5m2.to_f32(), e2m1.to_f32()];
        let is_same = [1, 3, 5].iter().zip(expected).all(|(n, x)| same(found[*n], x));
        assert!(is_same, "{x}: {found:x?}, {expected:?}");
    }
    println!("{} numbers to three formats and back", numbers.len());
    Ok(())
}

fn matrices(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let element = |n: usize| bf16::from_f32((number(n) % 32) as f32 - 16.0);
    let factors: Vec<bf16> = (0..512).map(element).collect();
    let words = factors.chunks(16).map(|row| -> [u32; 8] {
        std::array::from_fn(|n| {
            u32::from(row[2 * n].to_bits()) | u32::from(row[2 * n + 1].to_bits()) << 16
        })
    });
    let src = stream.clone_htod(&words.collect::<Vec<_>>())?;
    let mut held = stream.alloc_zeros::<[[u32; 4]; 2]>(32)?;
    let mut dst = stream.alloc_zeros::<[[f32; 4]; 2]>(32)?;
    // SAFETY: there are two matrices, and room for what each lane holds.
    unsafe { module.matrices().grid(1).launch(stream, (&src, &mut held, &mut dst))? };
    let (a, b) = factors.split_at(256);
    let (held, found) = (stream.clone_dtoh(&held)?, stream.clone_dtoh(&dst)?);
    for lane in 0..32_u32 {
        let half = |word: u32, n: u32| (word >> (16 * (n % 2))) as u16;
        let at = |row: u32, column: u32| (row * 16 + column) as usize;
        let [of_a, of_b] = held[lane as usize];
        for n in 0..8 {
            let (row, column) = matrix::A_16X16.element(lane, n);
            assert_eq!(half(of_a[n as usize / 2], n), a[at(row, column)].to_bits());
            let (row, column) = matrix::B_16X8.element(lane, n % 4);
            let right = column + n / 4 * 8;
            assert_eq!(half(of_b[n as usize / 2], n), b[at(row, right)].to_bits());
        }
        for n in 0..8 {
            let (row, column) = matrix::C_16X8.element(lane, n % 4);
            let column = column + n / 4 * 8;
            let product = |k: u32| a[at(row, k)].to_f32() * b[at(k, column)].to_f32();
            // Small integers are added exactly.
            let expected: f32 = (0..16).map(product).sum();
            assert_eq!(found[lane as usize][n as usize / 4][n as usize % 4], expected);
        }
    }
    Ok(())
}

fn warpgroups(stream: &Arc<CudaStream>, module: &kernels::Loaded) -> Result<(), Box<dyn Error>> {
    let element = |n: usize| bf16::from_f32((number(n) % 32) as f32 - 16.0);
    let factors: Vec<[[bf16; 64]; 64]> = (0..2)
        .map(|k| {
            std::array::from_fn(|row| std::array::from_fn(|n| element((k * 64 + row) * 64 + n)))
        })
        .collect();
    let (src, mut dst) = (stream.clone_htod(&factors)?, stream.alloc_zeros::<[f32; 32]>(128)?);
    // SAFETY: there are two matrices, and room for the sums of each thread.
    unsafe { module.warpgroups().grid(1).launch(stream, (&src, &mut dst))? };
    let layout = matrix::accumulators_of_warpgroup(64);
    for (lane, sums) in (0..).zip(stream.clone_dtoh(&dst)?) {
        for (n, found) in (0..).zip(sums) {
            let (row, column) = layout.element(lane, n);
            let (a, b) = (&factors[0][row as usize], &factors[1][column as usize]);
            // Small integers are added exactly.
            let expected: f32 = a.iter().zip(b).map(|(x, y)| x.to_f32() * y.to_f32()).sum();
            assert_eq!(found, expected, "row {row}, column {column}");
        }
    }
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
    let all: [Comparison; 15] = [
        ("warps", warps),
        ("fours", fours),
        ("weights", weights),
        ("blocks", blocks),
        ("scans", scans),
        ("clusters", clusters),
        ("stages", stages),
        ("order", order),
        ("neighbours", neighbours),
        ("floats", floats),
        ("copies", copies),
        ("tiles", tiles),
        ("portable", portable),
        ("matrices", matrices),
        ("warpgroups", warpgroups),
    ];
    for (name, compare) in all {
        compare(&stream, &module)?;
        println!("{name}: as on the CPU");
    }
    Ok(())
}
