//! Tests of warpgroups around asynchronous multiplications: `wgmma.mma_async`.

use super::{Arg, Args, NONE};

/// A problem around an asynchronous multiplication.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Warpgroup<'a> {
    /// An instruction accesses a register of a multiplication before a wait.
    Touched {
        /// The register.
        name: &'a str,
        /// The use of the register by the multiplication.
        part: Part,
        /// Whether the instruction writes it.
        is_written: bool,
    },
    /// A multiplication without a fence before it.
    Unfenced {
        /// The register that is written after the last fence; `None` if there is no fence at all.
        written: Option<&'a str>,
    },
    /// A wait for groups, although no earlier multiplication is in a group.
    NoGroup,
}

/// The use of a register by a multiplication.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// An accumulator.
    Accumulator,
    /// A part of the left matrix.
    Fragment,
    /// None: the register holds a copy of an accumulator.
    Copy,
}

pub(super) const fn touched_before_wait(found: Warpgroup<'_>) -> Option<Args<'_>> {
    let Warpgroup::Touched { name, part, is_written } = found else { return None };
    let part = match part {
        Part::Accumulator => "an accumulator",
        Part::Fragment => "a part of the left matrix",
        Part::Copy => "a copy of an accumulator",
    };
    // ptxas allocates another register for a value that is written before the wait.
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
