//! `ptx import`: PTX files as Rust modules. Declarations become Rust, bodies are unchanged.

mod allowance;
mod body;
mod command;
mod comment;
mod convert;
mod function;
mod hazards;
mod names;
mod places;
mod source;
#[cfg(test)]
mod tests;
mod types;
mod value;
mod variable;
mod writer;

pub use allowance::Allowances;
pub(crate) use command::import;
pub use convert::{Converted, Options, convert};
pub use hazards::allow_hazards;
pub use names::module_name;
pub use types::Types;
pub(crate) use writer::{WIDTH, pointer_type, rust_type};
