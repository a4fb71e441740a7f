//! For those who test an assembler, a parser or a simulator of PTX: random PTX. What is made depends on nothing but a
//! seed, the number of the case and the options.
//!
//! - [`Kind`] is what the command makes, [`Case`] one of its files, which can be shrunk, and [`Statistics`] what was drawn.
//! - [`module`] makes whole modules, which are valid.
//! - [`statement`] makes statements of every row of the instruction table.
//! - [`expression`] makes constant expressions.
//! - [`fault`] has a smallest file for each rule.
//! - [`mutant`] changes PTX text, with unknown results.

#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod barriers;
pub mod expression;
pub mod fault;
pub mod files;
mod kind;
pub mod module;
pub mod mutant;
mod rng;
pub mod shrink;
pub mod statement;
mod statistics;

pub use kind::{Case, Kind, is_valid};
pub use rng::Rng;
pub use statistics::Statistics;
