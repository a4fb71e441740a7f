//! The kernels that are bound by memory on a GPU, beside the driver's copy.
#![allow(clippy::cast_precision_loss, reason = "counts of bytes as rates")]

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream};
use ptx::prelude::*;

use crate::measure::{Ratio, Run, on, times};
use crate::rows::rows;
use crate::transpose::transpose;

/// The numbers of a matrix: more than the L2 cache holds.
const COUNT: usize = 1 << 28;
const EPSILON: f32 = 1e-5;

/// Uniform numbers from -1 to 1.
pub(crate) fn random(count: usize) -> Vec<bf16> {
    let mut state = 0x9E37_79B9_u64;
    let number = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bf16::from_f32((state >> 40) as f32 / (1_u32 << 23) as f32 - 1.0)
    };
    (0..count).map(number).collect()
}

/// Measures all of them.
pub(crate) fn measure(context: &Arc<CudaContext>) -> Result<Vec<Ratio>, Box<dyn Error>> {
    let stream = context.new_stream()?;
    let module = ptx::cuda::load::<rows::Loaded>(context)?;
    let numbers = random(COUNT);
    let src = stream.clone_htod(&numbers)?;
    let mut ratios = Vec::new();
    // The weights of the norm are read again for each row, and the L1 cache may take all of the memory that it shares. What is read
    // once needs no cache: rows of 4,096 are 1 % faster with the smallest.
    macro_rules! each {
        ($($n:literal)*) => {$({
            let n = u32::try_from(COUNT / $n)?;
            let weights = stream.clone_htod(&numbers[..$n])?;
            let mut dst = stream.alloc_zeros::<bf16>(COUNT)?;
            let mut small = stream.alloc_zeros::<E4M3>(COUNT)?;
            let mut scales = stream.alloc_zeros::<f32>(COUNT / $n)?;
            let rows = Rows { stream: &stream, numbers: &numbers, length: $n };

            let name = format!("softmax, rows of {}", $n);
            ratios.push(rows.ratio(&name, 4, Box::new(|| {
                Ok(module.softmax::<$n>().shared_carveout(100).launch(&stream, (&src, &mut dst, n))?)
            }))?);
            rows.check(&dst, softmax)?;
            let name = format!("RMS norm, rows of {}", $n);
            ratios.push(rows.ratio(&name, 4, Box::new(|| {
                Ok(module.rms_norm::<$n>().shared_carveout(0).launch(&stream, (&src, &weights, &mut dst, EPSILON, n))?)
            }))?);
            rows.check(&dst, |row| rms_norm(row, &numbers))?;
            let name = format!("quantisation, rows of {}", $n);
            ratios.push(rows.ratio(&name, 3, Box::new(|| {
                Ok(module.quantize::<$n>().shared_carveout(100).launch(&stream, (&src, &mut small, &mut scales, n))?)
            }))?);
            rows.check_quantised(&small, &scales)?;
        })*};
    }
    each!(1024 2048 4096);
    ratios.push(transposed(context, &stream)?);
    Ok(ratios)
}

/// Rows on the GPU and on the CPU.
struct Rows<'r> {
    stream: &'r Arc<CudaStream>,
    numbers: &'r [bf16],
    length: usize,
}

impl Rows<'_> {
    /// Compares the bytes that a kernel moves for each number with the driver's copy.
    fn ratio(&self, name: &str, bytes: usize, run: Run<'_>) -> Result<Ratio, Box<dyn Error>> {
        ratio(name, self.stream, bytes * COUNT, run)
    }

    /// Compares rows with those of the CPU.
    fn check(
        &self,
        found: &CudaSlice<bf16>,
        expected: impl Fn(&[f64]) -> Vec<f64>,
    ) -> Result<(), Box<dyn Error>> {
        let found = self.stream.clone_dtoh(found)?;
        for row in self.sample() {
            let row = row * self.length..(row + 1) * self.length;
            let numbers: Vec<f64> = self.numbers[row.clone()].iter().map(|x| x.to_f64()).collect();
            for (i, (found, expected)) in found[row].iter().zip(expected(&numbers)).enumerate() {
                let apart = (found.to_f64() - expected).abs();
                assert!(apart <= expected.abs() / 200.0, "{i}: {found}, not {expected}");
            }
        }
        Ok(())
    }

    /// Compares numbers and scales with those of the CPU.
    fn check_quantised(
        &self,
        found: &CudaSlice<E4M3>,
        scales: &CudaSlice<f32>,
    ) -> Result<(), Box<dyn Error>> {
        let (found, scales) = (self.stream.clone_dtoh(found)?, self.stream.clone_dtoh(scales)?);
        for row in self.sample() {
            let of_row = row * self.length..(row + 1) * self.length;
            let numbers = &self.numbers[of_row.clone()];
            let most = numbers.iter().map(|x| x.to_f32().abs()).fold(0.0, f32::max);
            assert!((scales[row] - most / 448.0).abs() <= most * 1e-8, "the scale of row {row}");
            for (x, found) in numbers.iter().zip(&found[of_row]) {
                let x = x.to_f32();
                let back = f32::from(*found) * scales[row];
                // Three bits after the point; below 2^-6, steps of 2^-9.
                let step = (x.abs() / 15.0).max(scales[row] / 1000.0);
                assert!((back - x).abs() <= step, "{x} became {back}");
            }
        }
        Ok(())
    }

    /// The first rows, the last, and some between.
    fn sample(&self) -> impl Iterator<Item = usize> {
        let rows = self.numbers.len() / self.length;
        (0..8).chain((0..50).map(move |i| i * 7919 % rows)).chain(rows - 8..rows)
    }
}

/// Compares a kernel that moves these bytes with the driver's copy of as many: half of them read, half written.
fn ratio(
    name: &str,
    stream: &Arc<CudaStream>,
    bytes: usize,
    run: Run<'_>,
) -> Result<Ratio, Box<dyn Error>> {
    let from = stream.alloc_zeros::<u8>(bytes / 2)?;
    let mut to = stream.alloc_zeros::<u8>(bytes / 2)?;
    let copy = Box::new(|| Ok(stream.memcpy_dtod(&from, &mut to)?));
    let times = times(name, &mut [on(stream, run), on(stream, copy)])?;
    let rate = |time: &f64| bytes as f64 / time / 1e6;
    Ok(Ratio {
        name: name.to_owned(),
        rates: [rate(&times[0]), rate(&times[1])],
        unit: "GB/s",
        reference: "the driver's copy".to_owned(),
        goal: 0.95,
    })
}

fn transposed(
    context: &Arc<CudaContext>,
    stream: &Arc<CudaStream>,
) -> Result<Ratio, Box<dyn Error>> {
    const WIDTH: usize = 8192;
    const HEIGHT: usize = 16384;
    let module = ptx::cuda::load::<transpose::Loaded>(context)?;
    let numbers: Vec<u32> = (0..u32::try_from(WIDTH * HEIGHT)?).collect();
    let (src, mut dst) = (stream.clone_htod(&numbers)?, stream.alloc_zeros::<u32>(numbers.len())?);
    let (width, height) = (u32::try_from(WIDTH)?, u32::try_from(HEIGHT)?);
    let run =
        Box::new(|| Ok(module.transpose().launch(stream, (&src, &mut dst, width, height))?));
    let ratio = ratio("transpose of 16384 x 8192", stream, 8 * numbers.len(), run)?;
    for (i, found) in stream.clone_dtoh(&dst)?.into_iter().enumerate() {
        assert_eq!(found, numbers[i % HEIGHT * WIDTH + i / HEIGHT], "{i}");
    }
    Ok(ratio)
}

fn softmax(row: &[f64]) -> Vec<f64> {
    let sum: f64 = row.iter().map(|x| x.exp()).sum();
    row.iter().map(|x| x.exp() / sum).collect()
}

fn rms_norm(row: &[f64], weights: &[bf16]) -> Vec<f64> {
    let mean = row.iter().map(|x| x * x).sum::<f64>() / row.len() as f64;
    let root = (mean + f64::from(EPSILON)).sqrt();
    row.iter().zip(weights).map(|(x, weight)| x / root * weight.to_f64()).collect()
}
