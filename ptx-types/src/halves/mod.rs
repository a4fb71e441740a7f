//! `f16` and `bf16` from the crate `half`, and their packed types. Nothing else in this
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
