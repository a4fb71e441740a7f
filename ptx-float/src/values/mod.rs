//! Values of these formats, one by one and in slices.

#[cfg(feature = "ndarray")]
pub mod arrays;
mod block;
#[cfg(feature = "bytemuck")]
pub(crate) mod bytes;
mod bytes_error;
mod cvt;
mod dense;
mod dense_vec;
pub(crate) mod lane;
#[cfg(feature = "rayon")]
pub mod parallel;
mod parse;
mod property;
pub(crate) mod quantized;
mod rounded;
mod scale;
mod scale_layout;
mod slice;
mod small_float;
mod special;
mod tiles;
pub(crate) mod types;
mod variant;

pub use block::{
    amax, dequantize_blocks, dequantize_nvfp4, dequantize_rows, quantize_blocks,
    quantize_blocks_with, quantize_nvfp4, quantize_rows,
};
#[cfg(feature = "bytemuck")]
pub use bytes::{Storage, as_bytes, as_bytes_mut, from_bytes, from_bytes_mut};
pub use bytes_error::BytesError;
pub use cvt::{Cvt, Rounding};
pub use dense::{Dense, Padded, SubByte};
pub use dense_vec::DenseVec;
pub use parse::ParseFloatError;
pub use rounded::quantize_with;
pub use scale::{Block, BlockLength, BlockScale, ScaleRule};
pub use scale_layout::{deinterleave_scales, interleave_scales, interleaved_scales};
pub use slice::{LengthMismatch, Quantized, dequantize, quantize};
pub use small_float::SmallFloat;
pub use special::{SpecialCounts, count_special};
pub use tiles::{
    Real, Tiling, TilingError, dequantize_tiles, dequantize_to, quantize_from, quantize_tiles,
};
pub use types::*;
pub use variant::{Changed, Variant};
