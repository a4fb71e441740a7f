//! Conversions of `ndarray` matrices with any strides.
#![cfg(feature = "ndarray")]

use ndarray::{Array2, ArrayView2, s};
use ptx_float::arrays::{dequantize, quantize};
use ptx_float::{E4M3, Tf32};

/// Compares each number with its own conversion, in both directions.
#[allow(clippy::needless_pass_by_value)] // as views are passed
fn check(view: ArrayView2<'_, f32>) {
    let quantized = quantize::<E4M3>(&view);
    assert_eq!(quantized, view.mapv(E4M3::from_f32), "{:?}", view.strides());
    assert!(quantized.is_standard_layout());
    assert_eq!(dequantize(&quantized), quantized.mapv(E4M3::to_f32));
    // The matrix of small floats has its own strides.
    assert_eq!(dequantize(&quantized.t()), quantized.t().mapv(E4M3::to_f32));
    assert_eq!(quantize::<Tf32>(&view), view.mapv(Tf32::from_f32));
}

#[test]
fn each_number_is_converted_whatever_the_strides() {
    for shape in [(0, 0), (0, 5), (5, 0), (1, 1), (1, 100), (100, 1), (7, 67), (64, 64)] {
        #[allow(clippy::cast_precision_loss)] // they are small
        let all = Array2::from_shape_fn(shape, |(i, j)| (i * 31 + j * 7) as f32 * 0.37 - 50.0);
        let view = all.view();
        check(view);
        check(view.t());
        check(view.slice(s![..;2, ..]));
        check(view.slice(s![.., ..;3]));
        check(view.slice(s![..;-1, ..]));
        check(view.slice(s![.., ..;-1]));
        check(view.slice(s![shape.0 / 3.., shape.1 / 2..]));
        check(view.slice(s![..;2, ..;-2]).reversed_axes());
    }
    let row = ndarray::arr1(&[1.0, -2.0, 3.0]);
    check(row.broadcast((4, 3)).expect("rows that are one"));
}
