//! A file of PTX to the handles of what it declares.

mod context;
mod function;
mod given;
mod literal;
mod module;
mod types;
mod variable;

pub(crate) use module::expand_import;
