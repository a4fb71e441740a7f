//! Checks PTX files as Rust modules, as `ptx import` writes them, with the library, and compares their cubins with those of
//! the files.

pub mod check;
mod file;
mod outcome;
pub(crate) mod package;
pub mod report;
