//! For those who test an assembler, a parser or a simulator of PTX: random PTX. What is made depends on nothing but a
//! seed, the number of the case and the options.
//!
//! - [`Kind`] is what the command makes, [`Case`] one of its files, which can be shrunk, and [`Statistics`] what was drawn.
//! - [`module`] makes whole modules, which are valid.
//! - [`statement`] makes statements of every row of the instruction table.
//! - [`bodies`] makes kernels whose result can be computed.
//! - [`signature`] makes parameters of kernels.
//! - [`maps`] makes tensor maps.
//! - [`expression`] makes constant expressions.
//! - [`fault`] has files for each rule, which break that rule alone.
//! - [`mutant`] changes PTX text, with unknown results.
//! - [`near`] makes small modules that are nearly valid.

#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod barriers;
pub mod bodies;
#[doc(hidden)]
pub mod declarations;
pub mod expression;
pub mod fault;
mod kind;
pub mod maps;
pub mod module;
pub mod mutant;
pub mod near;
mod range;
mod rng;
pub mod shrink;
pub mod signature;
pub mod statement;
mod statistics;
mod valid;
mod wait;

pub use kind::{Case, Kind};
pub use rng::Rng;
pub use statistics::Statistics;
pub use valid::is_valid;
#[doc(hidden)]
pub use wait::wait;
