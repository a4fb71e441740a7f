//! Tests of what a warpgroup does between multiplications that go on by themselves: `wgmma.mma_async`.

use super::{Arg, Args, NONE};

/// What is wrong around a multiplication that goes on by itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Warpgroup<'a> {
    /// An instruction touches a register of one that nothing has waited for.
    Touched {
        /// The register.
        name: &'a str,
        /// What the multiplication takes it for.
        part: Part,
        /// Whether the instruction writes it.
        is_written: bool,
    },
    /// No fence stands before one.
    Unfenced {
        /// The register that is written behind the last fence; of none, there is no fence at all.
        written: Option<&'a str>,
    },
    /// An instruction waits for groups, and none of the multiplications before is in a group.
    NoGroup,
}

/// What a multiplication takes a register for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// An accumulator.
    Accumulator,
    /// A part of the left matrix.
    Fragment,
    /// It does not: it holds what an accumulator held.
    Copy,
}

pub(super) const fn touched_before_wait(found: Warpgroup<'_>) -> Option<Args<'_>> {
    let Warpgroup::Touched { name, part, is_written } = found else { return None };
    let part = match part {
        Part::Accumulator => "an accumulator",
        Part::Fragment => "a part of the left matrix",
        Part::Copy => "a copy of an accumulator",
    };
    // What is written before gets another register from ptxas.
    let (does, remark) = if is_written {
        ("writes", "")
    } else {
        ("reads", ": where ptxas notices, it waits here and serialises the multiplications")
    };
    Some([Arg::Str(name), Arg::Str(part), Arg::Str(does), Arg::Str(remark)])
}

pub(super) const fn multiplied_without_fence(found: Warpgroup<'_>) -> Option<Args<'_>> {
    match found {
        Warpgroup::Unfenced { written: Some(name) } => {
            Some([Arg::Str("the write to "), Arg::Name(name), NONE, NONE])
        }
        Warpgroup::Unfenced { written: None } => {
            Some([Arg::Str("the start of the kernel"), NONE, NONE, NONE])
        }
        Warpgroup::Touched { .. } | Warpgroup::NoGroup => None,
    }
}

pub(super) const fn waits_for_no_group(found: Warpgroup<'_>) -> Option<Args<'_>> {
    match found {
        Warpgroup::NoGroup => Some([NONE, NONE, NONE, NONE]),
        Warpgroup::Touched { .. } | Warpgroup::Unfenced { .. } => None,
    }
}
