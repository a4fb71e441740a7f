//! What an analysis is given, a body with its symbols and surroundings, and what it returns: findings, and checks
//! that are deferred until more is known.

pub mod deferred;
pub(crate) mod finding;
pub(crate) mod order;
pub(crate) mod report;
pub(crate) mod symbols;
pub(crate) mod unit;
