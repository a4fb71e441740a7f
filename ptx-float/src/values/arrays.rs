//! Conversions of `ndarray` matrices with any strides, with the feature `ndarray`.
//!
//! ```
//! use ndarray::array;
//! use ptx_float::E4M3;
//! use ptx_float::arrays::{dequantize, quantize};
//!
//! let weights = array![[1.0, 2.0, 1000.0], [0.5, -0.25, 0.0]];
//! let quantized = quantize::<E4M3>(&weights.t());
//! assert_eq!(quantized[[2, 0]], E4M3::MAX);
//! assert_eq!(dequantize(&quantized), array![[1.0, 0.5], [2.0, -0.25], [448.0, 0.0]]);
//! ```

use alloc::vec;
use alloc::vec::Vec;

use ndarray::{Array2, ArrayRef2};

use super::slice::{self, LengthMismatch, Quantized};
use super::small_float::SmallFloat;

/// Converts each number of a matrix or a view of one like [`quantize`](super::quantize). The result is in row-major
/// order. A source in row-major order, or with contiguous rows, is converted as fast as slices.
pub fn quantize<F: SmallFloat + Quantized<Element = F>>(from: &ArrayRef2<f32>) -> Array2<F> {
    by_rows(from, F::from_storage(u32::default()), |from, to| slice::quantize(from, to))
}

/// Converts each number to its exact value like [`dequantize`](super::dequantize), with rows as in [`quantize`].
pub fn dequantize<F: SmallFloat + Quantized<Element = F>>(from: &ArrayRef2<F>) -> Array2<f32> {
    by_rows(from, f32::default(), |from, to| slice::dequantize(from, to))
}

/// Converts slices that are as long as possible; rows with gaps between their numbers are copied first.
fn by_rows<A: Copy, B: Copy>(
    from: &ArrayRef2<A>,
    filler: B,
    convert: impl Fn(&[A], &mut [B]) -> Result<(), LengthMismatch>,
) -> Array2<B> {
    let mut to = vec![filler; from.len()];
    let converted = if let Some(all) = from.as_slice() {
        convert(all, &mut to)
    } else {
        let mut copied = Vec::new();
        // A matrix without columns was handled as a slice above.
        from.rows().into_iter().zip(to.chunks_mut(from.ncols())).try_for_each(|(row, to)| {
            if let Some(row) = row.as_slice() {
                convert(row, to)
            } else {
                copied.clear();
                copied.extend(row.iter().copied());
                convert(&copied, to)
            }
        })
    };
    converted.expect("a row has as many numbers as there are columns");
    Array2::from_shape_vec(from.raw_dim(), to).expect("there is one of each number")
}
