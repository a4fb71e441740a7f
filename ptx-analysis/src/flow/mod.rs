//! A body as a graph: its nodes and their effects, labels, loops and paths, and the names and storage that operands
//! refer to. Nothing here knows a value.

pub(crate) mod effects;
pub(crate) mod effort;
pub(crate) mod expression;
pub(crate) mod graph;
pub(crate) mod labels;
pub(crate) mod loops;
pub(crate) mod memory;
pub(crate) mod name_table;
pub(crate) mod node;
pub(crate) mod object;
pub(crate) mod origin;
pub(crate) mod place;
pub(crate) mod solver;
pub(crate) mod storage;
pub(crate) mod surface;
pub(crate) mod tensor;
pub(crate) mod together;
