//! What is followed beside the values of registers: number formats, barriers and their phases, and groups of
//! asynchronous operations.

pub(crate) mod block_barrier;
pub(crate) mod checker;
pub(crate) mod formats;
pub(crate) mod protocol;
pub(crate) mod tile;
mod warpgroup;
