//! PTX files as Rust modules: declarations become Rust, bodies are unchanged. Also checks these modules with the
//! library, and compares their cubins with those of the files.

mod allowance;
mod body;
pub mod check;
mod convert;
mod file;
mod function;
mod names;
mod outcome;
pub(crate) mod package;
pub mod report;
mod source;
#[cfg(test)]
mod tests;
mod value;
mod variable;
mod writer;

pub use allowance::Allowances;
pub use convert::{Converted, convert, convert_file};
