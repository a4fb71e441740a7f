//! The products on a GPU, beside the best algorithm of cublasLt.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]
#![allow(clippy::cast_precision_loss, reason = "counts of operations as rates")]
#![allow(clippy::many_single_char_names, reason = "the matrices and their sizes")]

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream};
use ptx::prelude::*;

use crate::launch_product::start;
use crate::measure::{Ratio, Run, on, once, times};
use crate::memory::random;
use crate::product::{self, CLUSTER, ROWS, THREADS};
use crate::reference::{self, CublasLt, Product, Scales};

/// Rows of `A`, rows of `B`, and the elements of both.
const SHAPES: [[usize; 3]; 5] = [
    [4096, 4096, 4096],
    [8192, 8192, 8192],
    [16384, 8192, 2048],
    [2048, 8192, 8192],
    [512, 14336, 4096],
];

/// The columns of a tile: those with which the clusters that a GPU holds at once have the least to do. A cluster multiplies
/// whole tiles, so that the time is that of the ones that have most; of equal ones, wide tiles load less.
fn columns(m: usize, n: usize, clusters: usize) -> usize {
    let work = |columns: usize| {
        let tiles = m.div_ceil(CLUSTER * ROWS) * n.div_ceil(columns);
        tiles.div_ceil(clusters) * columns
    };
    if work(224) < work(256) { 224 } else { 256 }
}

/// Measures all products.
pub(crate) fn measure(context: &Arc<CudaContext>) -> Result<Vec<Ratio>, Box<dyn Error>> {
    let stream = context.new_stream()?;
    let Some(lt) = CublasLt::load()? else {
        println!("NOT RUN: the products, for there is no libcublasLt to compare them with");
        return Ok(Vec::new());
    };
    println!("cublasLt {}", lt.release()?);
    let of_bf16 = ptx::cuda::load::<product::of_bf16::Loaded>(context)?;
    let of_e4m3 = ptx::cuda::load::<product::of_e4m3::Loaded>(context)?;
    let of_blocks = ptx::cuda::load::<product::of_blocks::Loaded>(context)?;
    let resources = of_bf16.multiply::<256, 0>().block(THREADS).resources()?;
    let clusters = resources.clusters.ok_or("how many clusters the GPU holds is unknown")? as usize;
    let mut ratios = Vec::new();
    for [m, n, k] in SHAPES {
        let columns = columns(m, n, clusters);
        let numbers = random((m + n) * k);
        let small: Vec<E4M3> = numbers.iter().map(|x| E4M3::from_f32(x.to_f32())).collect();
        let scales: Vec<f32> = (0..m.max(n)).map(|i| 0.25 + (i % 7) as f32 / 8.0).collect();
        let (deep, of_n) = (k.div_ceil(128), n.div_ceil(128));
        let cycle =
            |count: usize| -> Vec<f32> { scales.iter().copied().cycle().take(count).collect() };
        let on_gpu = |scales: &[f32]| stream.clone_htod(scales);
        let of_matrices = (on_gpu(&scales[1..2])?, on_gpu(&scales[2..3])?);
        let of_rows = (on_gpu(&scales[..m])?, on_gpu(&scales[..n])?);
        let of_each_block = (on_gpu(&cycle(deep * m))?, on_gpu(&cycle(of_n * deep))?);
        let at = |i: usize| f64::from(scales[i % scales.len()]);
        let value = |x: E4M3| f64::from(x.to_f32());
        /// Measures the kernel with these elements and scales, beside the library with the scales that it has: of rows for blocks.
        macro_rules! measured {
            (
                $name:literal, goal $goal:literal, $numbers:expr, $value:expr, $of_library:expr, $element:ident, $library_scales:ident,
                $scales:expr, $scale:expr, $module:ident, $($variants:tt)*
            ) => {{
                let (left, right) = $numbers.split_at(m * k);
                let (a, b) = (stream.clone_htod(left)?, stream.clone_htod(right)?);
                let mut d = stream.clone_htod(&vec![bf16::NAN; m * n])?;
                let mut other = stream.alloc_zeros::<bf16>(m * n)?;
                let ((of_a, of_b), own) = ($of_library, $scales);
                let scales = (Scales::$library_scales, of_a, of_b);
                let product = Product::new(&lt, &stream, [m, n, k], reference::$element, scales)?;
                let run: Run<'_> = Box::new(|| {
                    let it = (&a, &b, &mut d, own.0, own.1, [m, n, k]);
                    start!($module, $module, clusters, &stream, it, $($variants)*);
                    Ok(())
                });
                let name = format!("{}, {m} x {n} x {k}", $name);
                let matrices = (&a, &b, &mut other);
                ratios.push(ratio(&name, $goal, &stream, [m, n, k], run, product, matrices)?);
                let check = Check { stream: &stream, shape: [m, n, k] };
                check.samples(&d, (left, right), $scale, $value)?;
                if core::ptr::eq(own.0, of_a) {
                    check.all(&d, &other)?;
                }
            }};
        }
        let [matrices, rows, blocks] =
            [&of_matrices, &of_rows, &of_each_block].map(|(a, b)| (a, b));
        measured!(
            "bf16", goal 1.03, numbers, bf16::to_f64, rows, BF16, None, rows, |_, _, _| 1.0,
            of_bf16, 256 B_256 0 if columns == 256; 224 B_224 0 if columns == 224
        );
        measured!(
            "e4m3", goal 1.0, small, value, matrices, E4M3, OfMatrices, matrices, |_, _, _| at(1) * at(2),
            of_e4m3, 256 B_256 1 if columns == 256; 224 B_224 1 if columns == 224
        );
        measured!(
            "e4m3 by rows", goal 1.0, small, value, rows, E4M3, OfRows, rows, |row, column, _| at(row) * at(column),
            of_e4m3, 256 B_256 2 if columns == 256; 224 B_224 2 if columns == 224
        );
        measured!(
            "e4m3 by blocks", goal 0.9, small, value, rows, E4M3, OfRows, blocks,
            |row, column, i| at(i / 128 * m + row) * at(column / 128 * deep + i / 128),
            of_blocks, 256 B_256 3 if true
        );
    }
    Ok(ratios)
}

/// Times a product beside the best of the library's algorithms, each of which is tried first.
fn ratio<E>(
    name: &str,
    goal: f64,
    stream: &Arc<CudaStream>,
    [m, n, k]: [usize; 3],
    run: Run<'_>,
    mut product: Product<'_>,
    (a, b, d): (&CudaSlice<E>, &CudaSlice<E>, &mut CudaSlice<bf16>),
) -> Result<Ratio, Box<dyn Error>> {
    let mut best = (0, f32::INFINITY);
    for algorithm in 0..product.count() {
        let time = once(stream, 3, &mut || product.run(algorithm, a, b, d))?;
        if time < best.1 {
            best = (algorithm, time);
        }
    }
    let reference = format!("cublasLt, algorithm {} of {}", best.0 + 1, product.count());
    let best_run = Box::new(|| product.run(best.0, a, b, d));
    let times = times(name, &mut [on(stream, run), on(stream, best_run)])?;
    let rate = |time: &f64| 2.0 * (m * n) as f64 * k as f64 / time / 1e9;
    Ok(Ratio {
        name: name.to_owned(),
        rates: [rate(&times[0]), rate(&times[1])],
        unit: "TFLOP/s",
        reference,
        goal,
    })
}

/// A product on the GPU, and how to compare it.
struct Check<'c> {
    stream: &'c Arc<CudaStream>,
    shape: [usize; 3],
}

impl Check<'_> {
    /// Compares some elements with sums of 64 bits. `scale` is that of the products in a row, a column, and at a place in k.
    fn samples<E: Copy>(
        &self,
        found: &CudaSlice<bf16>,
        (left, right): (&[E], &[E]),
        scale: impl Fn(usize, usize, usize) -> f64,
        value: impl Fn(E) -> f64,
    ) -> Result<(), Box<dyn Error>> {
        let [m, n, k] = self.shape;
        let found = self.stream.clone_dtoh(found)?;
        for i in 0..1024 {
            let (row, column) = (i * 5_003 % m, i * 7_919 % n);
            let (left, right) = (&left[row * k..][..k], &right[column * k..][..k]);
            let product = |i: usize| value(left[i]) * value(right[i]) * scale(row, column, i);
            let sum: f64 = (0..k).map(product).sum();
            let error = (found[row * n + column].to_f64() - sum).abs();
            // Half a unit in the last place of 8 bits, and the rounding errors of the sum itself.
            let bound = sum.abs() / 256.0 + 0.0005 * (k as f64).sqrt() * 8.0;
            assert!(error <= bound, "({row}, {column}) is wrong by {error}, the sum is {sum}");
        }
        Ok(())
    }

    /// Compares all elements with those of the library.
    fn all(&self, found: &CudaSlice<bf16>, other: &CudaSlice<bf16>) -> Result<(), Box<dyn Error>> {
        let (found, other) = (self.stream.clone_dtoh(found)?, self.stream.clone_dtoh(other)?);
        let apart = |(a, b): &(&bf16, &bf16)| {
            (a.to_f32() - b.to_f32()).abs() > 0.02 * (1.0 + b.to_f32().abs())
        };
        let different = found.iter().zip(&other).filter(apart).count();
        assert_eq!(different, 0, "elements differ from the library's");
        Ok(())
    }
}
