//! Tests of what registers hold that instructions take for an address or a guard.

use super::access::Object;
use super::{Arg, Args, NONE};

/// A register that an instruction takes for something, and what it holds instead.
#[derive(Clone, Copy, Debug)]
pub struct Taken<'a> {
    /// The register.
    pub name: &'a str,
    /// What the instruction takes it for: `the guard`.
    pub taken_for: &'a str,
    /// What it holds.
    pub holds: Holding<'a>,
}

/// What a register holds.
#[derive(Clone, Copy, Debug)]
pub enum Holding<'a> {
    /// Nothing: no instruction on any path to there writes it.
    Nothing,
    /// What is computed from this register, which no instruction on any path to there writes.
    MadeOf(&'a str),
    /// A number between these, which no address is added to.
    Number(i128, i128),
    /// The lowest 32 bits of an address of this.
    Truncated(Object<'a>),
    /// An address of this in the shared memory of another block of the cluster.
    OtherBlock(Object<'a>),
}

/// No storage starts below this address, in bytes, whoever allocates it.
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
        Holding::Number(..) | Holding::Truncated(_) | Holding::OtherBlock(_) => None,
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
        | Holding::OtherBlock(_) => None,
    }
}

pub(super) const fn truncated_address(taken: Taken<'_>) -> Option<Args<'_>> {
    match taken.holds {
        Holding::Truncated(of) => Some([Arg::Str(taken.name), of.declared(), NONE, NONE]),
        Holding::Number(..) | Holding::Nothing | Holding::MadeOf(_) | Holding::OtherBlock(_) => {
            None
        }
    }
}

pub(super) const fn address_in_other_block(taken: Taken<'_>) -> Option<Args<'_>> {
    match taken.holds {
        Holding::OtherBlock(of) => Some([Arg::Str(taken.name), of.declared(), NONE, NONE]),
        Holding::Number(..) | Holding::Nothing | Holding::MadeOf(_) | Holding::Truncated(_) => None,
    }
}

/// A block of a cluster that an instruction names by its rank, and how many blocks there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NamedBlock {
    /// The rank, from 0.
    pub rank: i128,
    /// The most blocks that a cluster of the kernel has.
    pub blocks: i128,
}

pub(super) const fn rank_beyond_cluster<'a>(block: NamedBlock) -> Option<Args<'a>> {
    if block.rank >= 0 && block.rank < block.blocks {
        return None;
    }
    Some([Arg::Int(block.rank), Arg::Int(block.blocks), NONE, NONE])
}
