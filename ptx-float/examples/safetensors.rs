//! Converts `f32` weights to MX blocks of fp8 and fp4, writes them with their scales to a safetensors file, and reads
//! the file back.
//!
//! `cargo run -p ptx-float --example safetensors [FILE]`

use std::error::Error;
use std::path::{Path, PathBuf};

use ptx_float::{DenseVec, Format, as_bytes, dequantize_blocks, from_bytes, quantize_blocks};
use ptx_float::{E2M1, E4M3, Ue8m0};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView, serialize_to_file};

/// The number of numbers that share a scale in MX.
const BLOCK: usize = 32;
const SHAPE: [usize; 2] = [64, 256];

/// Weights like those of a layer: most are small, and some rows are larger than others.
#[allow(clippy::cast_precision_loss)] // they are small
fn weights() -> Vec<f32> {
    (0..SHAPE[0] * SHAPE[1])
        .map(|n| {
            let (row, phase) = ((n / SHAPE[1]) as f32, n as f32 * 0.618_034);
            (phase.fract() - 0.5) * 0.02 * (1.0 + row / 8.0)
        })
        .collect()
}

/// The dtype of the crate `safetensors` for a format, found by name.
fn dtype(format: &Format) -> Result<Dtype, Box<dyn Error>> {
    let known =
        [Dtype::F4, Dtype::F6_E2M3, Dtype::F6_E3M2, Dtype::F8_E4M3, Dtype::F8_E5M2, Dtype::F8_E8M0];
    let name = format.safetensors_name().ok_or("such files do not have the format")?;
    Ok(known.into_iter().find(|dtype| dtype.to_string() == name).ok_or(name)?)
}

fn write(weights: &[f32], path: &Path) -> Result<(), Box<dyn Error>> {
    let mut fp8 = vec![E4M3::ZERO; weights.len()];
    let mut fp8_scales = vec![Ue8m0::ONE; weights.len() / BLOCK];
    quantize_blocks::<_, _, BLOCK>(weights, &mut fp8, &mut fp8_scales)?;

    let mut fp4 = DenseVec::<E2M1>::zeros(weights.len());
    let mut fp4_scales = vec![Ue8m0::ONE; weights.len() / BLOCK];
    quantize_blocks::<_, _, BLOCK>(weights, fp4.units_mut(), &mut fp4_scales)?;

    let (of_scales, shape) = (vec![SHAPE[0], SHAPE[1] / BLOCK], SHAPE.to_vec());
    let scale = dtype(Ue8m0::FORMAT)?;
    let tensors = [
        ("fp8", TensorView::new(dtype(E4M3::FORMAT)?, shape.clone(), as_bytes(&fp8))?),
        ("fp8.scales", TensorView::new(scale, of_scales.clone(), as_bytes(&fp8_scales))?),
        ("fp4", TensorView::new(dtype(E2M1::FORMAT)?, shape, fp4.as_bytes())?),
        ("fp4.scales", TensorView::new(scale, of_scales, as_bytes(&fp4_scales))?),
    ];
    Ok(serialize_to_file(tensors, None, path)?)
}

/// Reads a tensor with its scales as `f32`.
fn read(file: &SafeTensors<'_>, name: &str) -> Result<Vec<f32>, Box<dyn Error>> {
    let (tensor, scales) = (file.tensor(name)?, file.tensor(&format!("{name}.scales"))?);
    let len = tensor.shape().iter().product();
    let scales = from_bytes::<Ue8m0>(scales.data())?;
    let mut values = vec![0.0; len];
    let found = Format::from_safetensors_name(&tensor.dtype().to_string());
    if found == Some(E4M3::FORMAT) {
        let elements = from_bytes::<E4M3>(tensor.data())?;
        dequantize_blocks::<_, _, BLOCK>(elements, scales, &mut values)?;
    } else if found == Some(E2M1::FORMAT) {
        let elements = DenseVec::<E2M1>::from_bytes(tensor.data(), len)?;
        dequantize_blocks::<_, _, BLOCK>(elements.units(), scales, &mut values)?;
    } else {
        return Err(format!("`{name}` has elements of {}", tensor.dtype()).into());
    }
    Ok(values)
}

/// The root mean square error, relative to the root mean square of the weights.
fn error(weights: &[f32], values: &[f32]) -> f64 {
    let square = |x: f32| f64::from(x) * f64::from(x);
    let lost: f64 = weights.iter().zip(values).map(|(a, b)| square(a - b)).sum();
    let whole: f64 = weights.iter().copied().map(square).sum();
    (lost / whole).sqrt()
}

/// Writes and reads a file; returns its size in bytes, and the errors of fp8 and of fp4.
fn round_trip(path: &Path) -> Result<(usize, [f64; 2]), Box<dyn Error>> {
    let weights = weights();
    write(&weights, path)?;
    let bytes = std::fs::read(path)?;
    let file = SafeTensors::deserialize(&bytes)?;
    let errors = [error(&weights, &read(&file, "fp8")?), error(&weights, &read(&file, "fp4")?)];
    Ok((bytes.len(), errors))
}

fn main() -> Result<(), Box<dyn Error>> {
    let kept = std::env::args_os().nth(1).map(PathBuf::from);
    let name = format!("ptx-{}.safetensors", std::process::id());
    let path = kept.clone().unwrap_or_else(|| std::env::temp_dir().join(name));
    let (bytes, [fp8, fp4]) = round_trip(&path)?;
    println!("{} weights, {bytes} bytes of file", SHAPE[0] * SHAPE[1]);
    println!("MX fp8 (e4m3): a root-mean-square error of {:.2} %", fp8 * 100.0);
    println!("MX fp4 (e2m1): a root-mean-square error of {:.2} %", fp4 * 100.0);
    if kept.is_none() {
        std::fs::remove_file(path)?;
    }
    Ok(())
}

#[test]
fn a_file_has_what_was_written() -> Result<(), Box<dyn Error>> {
    let path = std::env::temp_dir().join(format!("ptx-test-{}.safetensors", std::process::id()));
    let (bytes, [fp8, fp4]) = round_trip(&path)?;
    std::fs::remove_file(&path)?;
    let numbers = SHAPE[0] * SHAPE[1];
    let data = numbers + numbers / 2 + 2 * numbers / BLOCK;
    assert!((data..data + 1024).contains(&bytes), "{bytes}");
    assert!((0.005..0.04).contains(&fp8), "{fp8}");
    assert!((0.05..0.2).contains(&fp4), "{fp4}");
    Ok(())
}
