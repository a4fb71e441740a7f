//! PTX files as Rust modules: declarations become Rust, bodies are unchanged. Also checks these modules with the
//! library, and compares their cubins with those of the files.

mod allowance;
mod body;
mod convert;
mod file;
mod function;
pub mod judge;
mod names;
mod outcome;
pub(crate) mod package;
mod parse;
pub mod report;
#[cfg(test)]
mod tests;
mod tokens;
mod value;
mod variable;

pub use allowance::Allowances;
pub use convert::{Converted, convert, convert_file};
