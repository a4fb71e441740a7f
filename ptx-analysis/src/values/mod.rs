//! Abstract values of registers and what tests prove of them: numbers, addresses and states, how instructions
//! change them, and the fixpoint over the flow of a body.

pub(crate) mod address;
pub(crate) mod argument;
mod bits;
mod bound;
mod chains;
pub(crate) mod claim;
mod compare;
pub(crate) mod constants;
pub(crate) mod coordinates;
pub(crate) mod evaluate;
pub(crate) mod fixpoint;
pub(crate) mod flags;
pub(crate) mod guarded;
pub(crate) mod launch;
pub(crate) mod launches;
pub(crate) mod location;
pub(crate) mod number;
pub(crate) mod operation;
pub(crate) mod proven_by_callee;
pub(crate) mod reach;
mod refine;
pub(crate) mod registers;
pub(crate) mod state;
pub(crate) mod uncertain_guard;
pub(crate) mod value;
