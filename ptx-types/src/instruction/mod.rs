//! The instruction table: the forms that touch memory, what each does at its addresses and what it
//! needs, and what these and others do to the values, barriers and control that are followed.
//!
//! A new instruction is a row, and so is a modifier that needs more than its instruction. What has no
//! row passes through if it has no operand in brackets, and writes its first operand.

mod lookup;
mod qualifiers;
mod row;
mod table;
mod target_sets;
mod words;

pub use lookup::{needs, spaces};
pub use qualifiers::QUALIFIERS;
pub use row::{
    AccessSize, AddressOperand, AddressSpace, BULK_GROUP, BarrierEffect, COMPLETES, Computes,
    Control, Direction, Formats, Group, NON_COHERENT, Needs, ORDERED, Order, Qualifier, Role, Row,
    Taken, TogetherEffect,
};
pub use table::INSTRUCTIONS;
pub use words::{WordKind, meant};
