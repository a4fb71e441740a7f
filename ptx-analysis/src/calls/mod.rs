//! Calls: their form, what they pass, and what a module's functions ask of those that call them.

pub(crate) mod call;
pub(crate) mod callers;
pub(crate) mod contents;
mod needs;
mod returns;
pub mod uses;
