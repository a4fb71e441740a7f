//! Puts it all together: the checks of a statement by itself, then those of a body, and then those of a whole module.

pub(crate) mod analysis;
pub(crate) mod assumed;
mod form;
pub(crate) mod module;
mod operand_kinds;
mod operand_types;
pub(crate) mod register_values;
pub(crate) mod resolve;
mod spelling;
pub(crate) mod walk;
