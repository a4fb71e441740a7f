//! Only a limited number of elements can share a scale.

use ptx::float::{dequantize_blocks, quantize_blocks};
use ptx::{E2M1x2, Ue8m0};

fn main() {
    let (mut elements, mut scales) = ([E2M1x2::default(); 31], [Ue8m0::ONE; 2]);
    let _ = quantize_blocks::<_, _, 31>(&[0.0; 62], &mut elements, &mut scales);
    let _ = dequantize_blocks::<_, _, 0>(&elements, &scales, &mut [0.0; 62]);
}
