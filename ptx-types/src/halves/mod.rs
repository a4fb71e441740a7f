//! `f16` and `bf16`, which are the crate `half`'s, and the packed types of them. Nothing else in this
//! crate needs `half`.

#[cfg(not(feature = "half"))]
mod absent;
#[cfg(feature = "half")]
mod present;

#[cfg(not(feature = "half"))]
pub use absent::half;
#[cfg(not(feature = "half"))]
pub(crate) use absent::types;
#[cfg(feature = "half")]
pub use present::half;
#[cfg(feature = "half")]
pub(crate) use present::types;
