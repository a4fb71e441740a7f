//! The instruction table: the forms that access memory, their effects at their addresses and their
//! requirements, and the effects of these and other instructions on tracked values, barriers and control flow.
//!
//! A new instruction is a new row, and so is a modifier with requirements beyond its instruction's. An instruction
//! without a row passes unchecked if it has no operand in brackets, and writes its first operand.

mod buckets;
mod fragment;
mod lookup;
mod modifier_lists;
mod named;
mod operand_lists;
mod operand_type;
mod qualifiers;
mod row;
mod table;
mod target_sets;
mod words;

pub use fragment::fragment_alignment;
pub use lookup::{needs, spaces};
pub use modifier_lists::ModifierLists;
pub use named::{COMPLETE, Misfit, Named, Word, nameable_spaces, named_spaces, named_types};
pub use operand_type::{GivenOperand, InstructionTypes, OperandType, WantedOperand, WrongOperand};
pub use qualifiers::QUALIFIERS;
pub use row::{
    AccessSize, AddressOperand, AddressSpace, BULK_GROUP, BarrierEffect, COMPLETES, Computes,
    Control, Direction, Formats, Group, NON_COHERENT, Needs, ORDERED, OperandForm, Order,
    Qualifier, Required, Role, Row, Taken, TogetherEffect,
};
pub use table::INSTRUCTIONS;
pub use words::{WordKind, is_part_of_opcodes, meant};
