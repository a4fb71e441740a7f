//! For those who only need small floats: the formats of the PTX ISA (5.2.3) on the host, bit for bit as the GPU produces and
//! reads them.
//!
//! ```
//! use ptx_float::{Cvt, E2M1, E4M3};
//!
//! const WEIGHTS: [E4M3; 3] = E4M3::from_f32_array([0.1, -2.0, 1000.0]);
//! assert_eq!(WEIGHTS[2], E4M3::MAX); // `cvt.rn.satfinite`, as PTX has it
//! assert_eq!(WEIGHTS[0].to_f32(), 0.1015625);
//!
//! let up = E2M1::from_f32_with(2.5, Cvt::RN.satfinite());
//! assert_eq!(up.to_string(), "2");
//! ```
//!
//! Weights as MXFP4, with one scale for every 32:
//!
//! ```
//! # #[cfg(feature = "typenum")] {
//! use ptx_float::{E2M1x2, Ue8m0, quantize_blocks};
//!
//! let weights = vec![0.3_f32; 4096];
//! let mut elements = vec![E2M1x2::default(); weights.len() / 2];
//! let mut scales = vec![Ue8m0::ONE; weights.len() / 32];
//! quantize_blocks::<_, _, 32>(&weights, &mut elements, &mut scales)?;
//! # }
//! # Ok::<(), ptx_float::LengthMismatch>(())
//! ```
//!
//! A [`Format`] describes the bits of each type. [`quantize`] and [`dequantize`] convert slices, and a [`Tiling`] says
//! which numbers share a scale. [`Dense`] and [`DenseVec`] hold elements of 4 and 6 bits without gaps, and [`Padded`]
//! as tensor maps read them. `ptx-types`, which re-exports this crate, has a chapter on all of it.
//!
//! # Features
//!
//! The crate needs no other, and no `std`.
//!
//! | feature | default | what it adds |
//! | --- | --- | --- |
//! | `std` | yes | conversions of slices detect and use the processor's vector instructions |
//! | `typenum` | yes | packed types, such as `E2M1x2`, whose number of elements is a number of the crate `typenum` |
//! | `half` | no | conversions from and to `f16` and `bf16` of the crate `half`, which is re-exported |
//! | `bytemuck` | no | its traits, and views of bytes as small floats, such as `from_bytes` |
//! | `serde` | no | serialises small floats as their bits |
//! | `rayon` | no | `parallel`: conversions of slices on all cores |
//! | `ndarray` | no | `arrays`: conversions of `ndarray` matrices with any strides |
//! | `cudarc` | no | the types are kernel arguments in cudarc's launches |
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "cudarc")]
mod driver;
mod format;
#[cfg(feature = "half")]
mod halves;
mod message;
#[cfg(feature = "typenum")]
mod packed;
#[cfg(all(feature = "half", feature = "typenum"))]
mod packed_halves;
mod rows;
mod values;

/// The crate `half`, whose `f16` and `bf16` are the Rust types of PTX's.
#[cfg(feature = "half")]
pub use ::half;
pub use format::{Format, Specials};
#[cfg(feature = "typenum")]
pub use packed::{Pack, Packed, types::*};
#[cfg(all(feature = "half", feature = "typenum"))]
pub use packed_halves::{Bf16x2, F16x2};
pub use values::*;

/// Seals traits whose implementations unsafe code relies on.
mod sealed {
    pub trait Sealed {}
    /// Sealed for each number of elements: a foreign `N` does not make a packed type.
    #[cfg(feature = "typenum")]
    pub trait SealedPack<N> {}
}

/// Items that `ptx-types` needs besides the public interface. They are not covered by semantic versioning.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "typenum")]
    pub use crate::sealed::SealedPack;

    /// The packed types, without those of the crate `half`.
    #[cfg(feature = "typenum")]
    pub mod packed_types {
        pub use crate::packed::types::*;
    }
    /// The small floats.
    pub mod small_floats {
        pub use crate::values::types::*;
    }
}

/// The example of the README is a test.
#[cfg(all(doctest, feature = "typenum"))]
#[doc = include_str!("../README.md")]
pub struct Readme;
