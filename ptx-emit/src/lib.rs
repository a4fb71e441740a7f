//! For tools that have a module as IR: turns it into PTX text and memory maps, and runs NVIDIA's assembler.
//!
//! - [`write()`] turns a module into text, in one pass over any [`core::fmt::Write`].
//! - [`MemoryMap`] shows what the module's storage takes, against the budgets of its target.
//! - [`build`] makes cubins in a build script.
//! - [`ptxas`] finds NVIDIA's assembler, runs it, and maps its messages to declarations.
//!
//! The writer never judges: check the module with [`ptx_isa::rules`] first.

#![forbid(unsafe_code)]

pub mod build;
mod fingerprint;
mod half_bits;
mod lines;
mod memory_map;
mod out;
pub mod ptxas;
mod value;
mod write;

pub use fingerprint::Fingerprint;
pub use memory_map::{Budget, KernelMap, MemoryMap, Placed, Places, Pointee, Row};
pub use write::{Origin, write, write_with_origins};

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
