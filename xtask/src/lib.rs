//! Development tasks of the ptx workspace, as a library for its tests: the real ptxas, fetched if necessary,
//! the driver's verdicts on tensor maps, random maps for it, PTX files as Rust modules, and crates that depend
//! on the library, with the cost of building them.

pub mod cubin;
pub mod diagnostics;
pub mod differences;
pub mod import;
#[cfg(unix)]
pub mod mutants;
mod not_run;
mod oracle;
pub mod port;
pub mod read;
pub mod sample;
pub mod structure;
#[cfg(unix)]
pub mod usage;
pub mod verdicts;
pub mod wheel;

pub use not_run::not_run;
pub use oracle::{fetch, nvdisasm, oracle, oracles};
