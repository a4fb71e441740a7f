//! The kernels of `examples/limits` on a GPU, compared with the CPU, at shapes that cut tiles. Needs the feature `cuda` and a
//! driver; `wgmma` needs `sm_90a`.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]
#![allow(clippy::cast_precision_loss, reason = "small numbers")]

#[path = "../examples/limits/attention/mod.rs"]
mod attention;
mod device;
#[path = "../examples/limits/exact.rs"]
mod exact;
#[path = "../examples/limits/attention/launch.rs"]
mod launch_attention;
#[path = "../examples/limits/product/launch.rs"]
mod launch_product;
#[path = "../examples/limits/plan.rs"]
mod plan;
#[path = "../examples/limits/product/mod.rs"]
mod product;
#[path = "../examples/limits/rows.rs"]
mod rows;
#[path = "../examples/limits/transpose.rs"]
mod transpose;

use std::error::Error;

use device::gpu;
use exact::Exact;
use half::bf16;
use launch_product::start;
use plan::{Attention, Plan, Tensors};
use product::{of_bf16, of_blocks, of_e4m3};
use ptx::E4M3;
use ptx::cuda::Over as _;

type Result = std::result::Result<(), Box<dyn Error>>;

/// Small integers, so that every sum is exact.
fn numbers(rows: usize, columns: usize, seed: usize) -> Vec<f32> {
    let number = |i: usize| {
        let (row, column) = (i / columns, i % columns);
        let mixed = row * 7 + column * 3 + row * column + seed * 5 + (row >> 4) * (column >> 3);
        f32::from(u8::try_from(mixed % 7).expect("small")) - 3.0
    };
    (0..rows * columns).map(number).collect()
}

/// The sizes, and the clusters that share the tiles.
const SHAPES: [[usize; 4]; 8] = [
    [128, 256, 128, 1],
    [256, 512, 192, 2],
    [1024, 768, 512, 5],
    [1280, 1568, 512, 66],
    // The last tiles are partial in every dimension.
    [16, 16, 16, 1],
    [200, 336, 144, 3],
    [777, 1008, 80, 4],
    [300, 240, 2064, 2],
];

/// A number that no product has.
const POISON: f32 = 12352.0;

/// Compares a product with the CPU's, and what comes after it with what was there.
fn compare(
    name: &str,
    found: &[bf16],
    [m, n, k]: [usize; 3],
    (left, right): (&[f32], &[f32]),
    scale: impl Fn(usize, usize, usize) -> f32 + Sync,
) {
    let (found, behind) = found.split_at(m * n);
    let of_row = |row: usize| {
        for (column, right) in right.chunks_exact(k).enumerate() {
            let products = left[row * k..][..k].iter().zip(right).map(|(a, b)| a * b);
            let sum: f32 = products.enumerate().map(|(i, x)| x * scale(row, column, i)).sum();
            let expected = bf16::from_f32(sum);
            let found = found[row * n + column];
            assert!(
                found == expected,
                "{name} {m} x {n} x {k}: ({row}, {column}) is {found}, not {expected}"
            );
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || (thread..m).step_by(threads).for_each(of_row));
        }
    });
    assert!(behind.iter().all(|at| at.to_f32() == POISON), "{name}: written past the end");
}

/// Multiplies on the GPU, and compares.
macro_rules! multiply {
    ($context:expr, $module:ident, $element:ty, $from:expr, $columns:literal, $b:ident, $scales:literal, $scale:expr) => {{
        let stream = $context.new_stream()?;
        let module = ptx::cuda::load::<$module::Loaded>(&$context)?;
        for [m, n, k, clusters] in SHAPES {
            let (left, right) = (numbers(m, k, 1), numbers(n, k, 2));
            let stored = |numbers: &[f32]| -> Vec<$element> { numbers.iter().map($from).collect() };
            let (a, b) = (stream.clone_htod(&stored(&left))?, stream.clone_htod(&stored(&right))?);
            // Powers of two: what they scale stays exact.
            let of = |i: usize| [0.5_f32, 1.0, 2.0, 4.0][i % 4];
            // One for each row, and by blocks as many for each 128 of k.
            let (deep, of_n) = (k.div_ceil(128), n.div_ceil(128));
            let scales: Vec<f32> = (0..(m.max(n)).max(of_n) * deep).map(of).collect();
            let counts = if $scales == 3 { (deep * m, of_n * deep) } else { (m, n) };
            let of_a = stream.clone_htod(&scales[..counts.0])?;
            let of_b = stream.clone_htod(&scales[..counts.1])?;
            let mut d = stream.clone_htod(&vec![bf16::from_f32(POISON); m * n + 4096])?;
            let operands = (&a, &b, &mut d, &of_a, &of_b, [m, n, k]);
            start!($module, module, clusters, &stream, operands, $columns $b $scales if true);
            let found = stream.clone_dtoh(&d)?;
            let scale: fn(f32, f32) -> f32 = $scale;
            let name = concat!(stringify!($module), " ", $columns, " ", $scales);
            compare(name, &found, [m, n, k], (&left, &right), |row, column, i| match $scales {
                1 => scale(of(0), of(0)),
                3 => scale(of(i / 128 * m + row), of(column / 128 * deep + i / 128)),
                _ => scale(of(row), of(column)),
            });
            println!("{name}: {m} x {n} x {k}, {clusters} clusters: {} elements are exact", m * n);
        }
    }};
}

#[test]
fn products_equal_the_reference() -> Result {
    let Some(context) = gpu() else { return Ok(()) };
    let small = |x: &f32| E4M3::from_f32(*x);
    let half = |x: &f32| bf16::from_f32(*x);
    multiply!(context, of_bf16, bf16, half, 256, B_256, 0, |_, _| 1.0);
    multiply!(context, of_bf16, bf16, half, 224, B_224, 0, |_, _| 1.0);
    multiply!(context, of_e4m3, E4M3, small, 256, B_256, 1, |a, b| a * b);
    multiply!(context, of_e4m3, E4M3, small, 224, B_224, 1, |a, b| a * b);
    multiply!(context, of_e4m3, E4M3, small, 256, B_256, 2, |a, b| a * b);
    multiply!(context, of_e4m3, E4M3, small, 224, B_224, 2, |a, b| a * b);
    multiply!(context, of_blocks, E4M3, small, 256, B_256, 3, |a, b| a * b);
    Ok(())
}

/// Rows of any number, the last block of which is not full.
#[test]
fn rows_equal_the_reference() -> Result {
    let Some(context) = gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let module = ptx::cuda::load::<rows::rows::Loaded>(&context)?;
    macro_rules! each {
        ($($n:literal)*) => {$({
            const N: usize = $n;
            for count in [1, 2, 3, 5, 1001] {
                let n = u32::try_from(count)?;
                let numbers: Vec<bf16> =
                    numbers(count, N, 3).iter().map(|x| bf16::from_f32(x / 3.0)).collect();
                let src = stream.clone_htod(&numbers)?;
                let weights = stream.clone_htod(&numbers[..N])?;
                let poison = vec![bf16::from_f32(POISON); count * N + 4096];
                let mut dst = stream.clone_htod(&poison)?;
                module.softmax::<N>().launch(&stream, (&src, &mut dst, n))?;
                let softmax = stream.clone_dtoh(&dst)?;
                let mut dst = stream.clone_htod(&poison)?;
                module.rms_norm::<N>().launch(&stream, (&src, &weights, &mut dst, 1e-5, n))?;
                let norm = stream.clone_dtoh(&dst)?;
                let mut small = stream.clone_htod(&vec![E4M3::from_bits(0x7A); count * N + 4096])?;
                let mut scales = stream.clone_htod(&vec![POISON; count + 4])?;
                module.quantize::<N>().launch(&stream, (&src, &mut small, &mut scales, n))?;
                let (small, scales) = (stream.clone_dtoh(&small)?, stream.clone_dtoh(&scales)?);
                for (row, own) in numbers.chunks_exact(N).enumerate() {
                    let own: Vec<f64> = own.iter().map(|x| x.to_f64()).collect();
                    let sum: f64 = own.iter().map(|x| x.exp()).sum();
                    let mean: f64 = own.iter().map(|x| x * x).sum::<f64>() / N as f64;
                    let most = own.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
                    let scale = if most == 0.0 { 1.0 } else { most / 448.0 };
                    assert!((f64::from(scales[row]) - scale).abs() <= scale * 1e-6, "the scale of {row}");
                    for (i, x) in own.iter().enumerate() {
                        let at = row * N + i;
                        let close = |found: bf16, expected: f64| {
                            (found.to_f64() - expected).abs() <= expected.abs() / 200.0
                        };
                        assert!(close(softmax[at], x.exp() / sum), "softmax {row}, {i}: {}", softmax[at]);
                        let expected = x / (mean + 1e-5).sqrt() * weights_of(&numbers, i);
                        assert!(close(norm[at], expected), "norm {row}, {i}: {}, {expected}", norm[at]);
                        let back = f64::from(small[at].to_f32()) * scale;
                        assert!(
                            (back - x).abs() <= (x.abs() / 15.0).max(scale / 1000.0),
                            "{row}, {i}: {back}"
                        );
                    }
                }
                assert!(softmax[count * N..].iter().all(|x| x.to_f32() == POISON), "past the end");
                assert!(norm[count * N..].iter().all(|x| x.to_f32() == POISON), "past the end");
                assert!(small[count * N..].iter().all(|x| x.to_bits() == 0x7A), "past the end");
                assert!(scales[count..].iter().all(|x| *x == POISON), "past the end");
            }
        })*};
    }
    each!(1024 2048 4096);
    Ok(())
}

fn weights_of(numbers: &[bf16], column: usize) -> f64 {
    numbers[column].to_f64()
}

#[test]
fn transposes_equal_the_reference() -> Result {
    let Some(context) = gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let module = ptx::cuda::load::<transpose::transpose::Loaded>(&context)?;
    for (width, height) in [(64, 64), (64, 320), (1024, 192)] {
        let count = u32::try_from(width * height)?;
        let numbers: Vec<u32> = (0..count).collect();
        let src = stream.clone_htod(&numbers)?;
        let mut dst = stream.clone_htod(&vec![u32::MAX; width * height + 1024])?;
        let sizes = (u32::try_from(width)?, u32::try_from(height)?);
        module.transpose().launch(&stream, (&src, &mut dst, sizes.0, sizes.1))?;
        let found = stream.clone_dtoh(&dst)?;
        let (found, behind) = found.split_at(width * height);
        for (i, found) in found.iter().enumerate() {
            assert_eq!(*found, numbers[i % height * width + i / height], "{width} x {height}: {i}");
        }
        assert!(behind.iter().all(|x| *x == u32::MAX), "past the end");
    }
    // What does not fit is refused.
    let src = stream.clone_htod(&[0_u32; 64 * 64])?;
    let mut dst = stream.alloc_zeros::<u32>(64 * 64)?;
    assert!(module.transpose().launch(&stream, (&src, &mut dst, 64, 96)).is_err());
    Ok(())
}

/// What attention is compared with: sequences that follow each other, and the heads of queries and of keys.
struct Sequences<'s> {
    lengths: &'s [usize],
    heads: [usize; 2],
    dim: usize,
    is_causal: bool,
}

impl Sequences<'_> {
    /// Runs a kernel, and compares all that it computes and what comes after it.
    fn compare<A: Attention>(&self, name: &str, kernel: &A, blocks: usize) -> Result {
        let context = gpu().ok_or("a GPU")?;
        let stream = context.new_stream()?;
        let [heads, shared] = self.heads;
        let tokens: usize = self.lengths.iter().sum();
        let tensor = |heads: usize, seed: usize| -> Vec<bf16> {
            let numbers = numbers(tokens * heads, self.dim, seed);
            numbers.iter().map(|x| bf16::from_f32(x / 2.0)).collect()
        };
        let all = [tensor(heads, 1), tensor(shared, 2), tensor(shared, 3)];
        let [q, k, v] = [&all[0], &all[1], &all[2]].map(|it| stream.clone_htod(it));
        let (q, k, v) = (q?, k?, v?);
        let mut o = stream.clone_htod(&vec![bf16::from_f32(POISON); all[0].len() + 4096])?;
        let plan = Plan::new(&stream, self.lengths, self.heads, blocks)?;
        let mut tensors = Tensors { q: &q, k: &k, v: &v, o: &mut o };
        kernel.attend(&stream, &plan, &mut tensors)?;
        let found = stream.clone_dtoh(&o)?;
        let (found, behind) = found.split_at(all[0].len());
        let tensors = [&all[0][..], &all[1], &all[2]];
        let exact = Exact { heads: self.heads, dim: self.dim, is_causal: self.is_causal, tensors };
        let mut start = 0;
        for &length in self.lengths {
            for row in 0..length {
                for head in 0..heads {
                    let (expected, largest) = exact.vector((start, length), row, head);
                    // What rounding weights and results to `bf16` can make.
                    let bound = largest / 128.0;
                    let found = &found[((start + row) * heads + head) * self.dim..];
                    for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
                        assert!(
                            (found.to_f64() - expected).abs() <= bound,
                            "{name}, {:?}: token {row} of {length}, head {head}, {i}: {found}, not {expected}",
                            self.lengths
                        );
                    }
                }
            }
            start += length;
        }
        assert!(behind.iter().all(|x| x.to_f32() == POISON), "{name}: written past the end");
        println!("{name}: {:?}, {heads} heads of {shared}, {blocks} blocks", self.lengths);
        Ok(())
    }
}

/// Lengths that cut tiles and blocks, also to less than a warp has, and heads that share keys.
#[test]
fn attention_equals_the_reference() -> Result {
    let Some(context) = gpu() else { return Ok(()) };
    let shapes: [(&[usize], [usize; 2], usize); 6] = [
        (&[1], [1, 1], 1),
        (&[128], [2, 2], 2),
        (&[352], [1, 1], 1),
        (&[5, 64, 130, 200, 333], [2, 1], 3),
        (&[513, 7, 384], [4, 2], 7),
        (&[900, 900], [2, 2], 132),
    ];
    macro_rules! each {
        ($($name:ident)*) => {$({
            let kernel = ptx::cuda::load::<attention::$name::Loaded>(&context)?;
            // `setmaxnreg` holds: without it, the kernel would spill.
            let resources = kernel.attend().block(attention::$name::THREADS).resources()?;
            assert_eq!(resources.local, Some(0), "{resources}");
            for (lengths, heads, blocks) in shapes {
                type Kernel = attention::$name::Loaded;
                let (dim, is_causal) = (Kernel::DIM, Kernel::IS_CAUSAL);
                let sequences = Sequences { lengths, heads, dim, is_causal };
                sequences.compare(stringify!($name), &kernel, blocks)?;
            }
        })*};
    }
    each!(of_128 causal_of_128 of_64 causal_of_64);
    Ok(())
}
