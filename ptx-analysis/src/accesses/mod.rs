//! Checks every access to memory and every use of a register against the state before it.

pub(crate) mod access;
pub(crate) mod aliases;
pub(crate) mod coherence;
pub(crate) mod copy;
pub(crate) mod executions;
mod holding;
mod number_uses;
mod passed;
pub(crate) mod run;
pub(crate) mod transactions;
mod unwritten;
