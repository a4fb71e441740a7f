//! Tests of the content of registers that an instruction uses as an address or a guard.

use super::access::Object;
use super::form::loaded_as;
use super::{Arg, Args, NONE};
use crate::const_str::same;
use crate::ir::Type;

/// A register, its use by an instruction, and its actual content.
#[derive(Clone, Copy, Debug)]
pub struct Taken<'a> {
    /// The register.
    pub name: &'a str,
    /// The use by the instruction: `the guard`.
    pub taken_for: &'a str,
    /// The content.
    pub holds: Holding<'a>,
}

/// The content of a register.
#[derive(Clone, Copy, Debug)]
pub enum Holding<'a> {
    /// Nothing: no instruction on any path to this one writes it.
    Nothing,
    /// A value that is computed from this register, which no instruction on any path to this one writes.
    MadeOf(&'a str),
    /// A number in this inclusive range, to which no address is added.
    Number(i128, i128),
    /// The low 32 bits of an address of this object.
    Truncated(Object<'a>),
    /// An address of this object in the shared memory of another block of the cluster.
    OtherBlock(Object<'a>),
    /// The address of this parameter, in `.param`.
    Parameter(Object<'a>),
}

/// No allocator places storage below this address, in bytes.
const FIRST_ADDRESS: i128 = 1 << 16;

pub(super) const fn register_not_written(taken: Taken<'_>) -> Option<Args<'_>> {
    match taken.holds {
        Holding::Nothing => {
            Some([Arg::Str(taken.name), Arg::Str(taken.taken_for), Arg::Str("it"), NONE])
        }
        Holding::MadeOf(origin) => Some([
            Arg::Str(taken.name),
            Arg::Str(taken.taken_for),
            Arg::Name(origin),
            Arg::Str(", from which it is computed"),
        ]),
        Holding::Number(..)
        | Holding::Truncated(_)
        | Holding::OtherBlock(_)
        | Holding::Parameter(_) => None,
    }
}

pub(super) const fn number_as_address(taken: Taken<'_>) -> Option<Args<'_>> {
    match taken.holds {
        Holding::Number(least, most) if least > -FIRST_ADDRESS && most < FIRST_ADDRESS => {
            Some([Arg::Str(taken.name), Arg::Int(most), NONE, NONE])
        }
        Holding::Number(..)
        | Holding::Nothing
        | Holding::MadeOf(_)
        | Holding::Truncated(_)
        | Holding::OtherBlock(_)
        | Holding::Parameter(_) => None,
    }
}

pub(super) const fn address_as_number(taken: Taken<'_>) -> Option<Args<'_>> {
    match taken.holds {
        Holding::Parameter(of) => match (of.ty(), loaded_as(of.ty())) {
            (Type::Scalar(_), Some(ty)) => {
                let is_named = same(taken.name, of.name());
                let to = if is_named { ".." } else { taken.name };
                Some([Arg::Str(taken.name), Arg::Str(of.name()), Arg::Str(ty), Arg::Str(to)])
            }
            (_, _) => None,
        },
        Holding::Number(..)
        | Holding::Nothing
        | Holding::MadeOf(_)
        | Holding::Truncated(_)
        | Holding::OtherBlock(_) => None,
    }
}

pub(super) const fn truncated_address(taken: Taken<'_>) -> Option<Args<'_>> {
    match taken.holds {
        Holding::Truncated(of) => Some([Arg::Str(taken.name), of.declared(), NONE, NONE]),
        Holding::Number(..)
        | Holding::Nothing
        | Holding::MadeOf(_)
        | Holding::OtherBlock(_)
        | Holding::Parameter(_) => None,
    }
}

pub(super) const fn address_in_other_block(taken: Taken<'_>) -> Option<Args<'_>> {
    match taken.holds {
        Holding::OtherBlock(of) => Some([Arg::Str(taken.name), of.declared(), NONE, NONE]),
        Holding::Number(..)
        | Holding::Nothing
        | Holding::MadeOf(_)
        | Holding::Truncated(_)
        | Holding::Parameter(_) => None,
    }
}

/// The rank of a block of a cluster in an instruction, and the number of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NamedBlock {
    /// The rank, from 0.
    pub rank: i128,
    /// The maximum number of blocks in a cluster of the kernel.
    pub blocks: i128,
}

pub(super) const fn rank_beyond_cluster<'a>(block: NamedBlock) -> Option<Args<'a>> {
    if block.rank >= 0 && block.rank < block.blocks {
        return None;
    }
    Some([Arg::Int(block.rank), Arg::Int(block.blocks), NONE, NONE])
}
