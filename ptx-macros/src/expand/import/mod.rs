//! Turns a PTX file into handles of its declarations.

mod context;
mod function;
mod given;
mod literal;
mod module;
mod types;
mod variable;

pub(crate) use module::expand_import;
