//! Development tasks of the ptx workspace, as a library for its tests: the real ptxas, fetched if
//! need be, the driver's verdicts of tensor maps, random maps to ask it about, and PTX files as Rust
//! modules.

pub mod port;
pub mod random_maps;
pub mod structure;
mod tools;
pub mod verdicts;

pub use tools::{NVDISASM, WHEELS, fetch, nvdisasm, oracle, oracles};
