//! `ptx bind`: `ptx::import!` of a PTX file, with the names and types that it gives to everything.

mod command;
mod path;
mod types;

pub(crate) use command::bind;
