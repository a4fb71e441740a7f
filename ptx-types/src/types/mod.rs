//! The Rust types of PTX storage: scalars, vectors, pointers, and their common traits.

pub(crate) mod aligned;
pub(crate) mod bits;
mod family;
pub(crate) mod host;
pub(crate) mod padding;
pub(crate) mod pointer;
mod small;
pub(crate) mod value;
pub(crate) mod vector;

pub use aligned::{Aligned, Alignment, Natural, PointeeAlign, align_marker};
pub use bits::{B8, B16, B32, B64, B128};
pub use family::Family;
pub use host::Pred;
pub use padding::Padding;
pub use pointer::Ptr;
pub use value::{DeviceCopy, PtxType};
pub use vector::{Lanes, Scalar, V2, V3, V4};
