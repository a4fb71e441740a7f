//! The test of how many threads a numbered barrier of a block waits for.

use super::{Arg, Args};

/// The threads of a warp, which arrive together.
const WARP: i128 = 32;

/// From how many threads on only the lowest bits of the number count.
const MODULUS: i128 = 4096;

/// How many threads a barrier waits for, and how many there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlockBarrier {
    /// The number of threads that it waits for.
    pub count: i128,
    /// The most that ever arrive before all of them have, if that is known.
    pub most: Option<i128>,
    /// Whether the instruction waits itself.
    pub waits: bool,
}

pub(super) const fn count_not_reached<'a>(barrier: BlockBarrier) -> Option<Args<'a>> {
    let BlockBarrier { count, most, waits } = barrier;
    // Without threads, it waits for all.
    if count <= 0 || count >= MODULUS {
        return None;
    }
    if count % WARP != 0 {
        let why = Arg::Str("warps arrive whole, ");
        return Some([Arg::Int(count), why, Arg::Int(WARP), Arg::Str(" threads each")]);
    }
    match most {
        Some(0) if waits => None,
        Some(most) if waits && most < count => {
            let why = Arg::Str("at most ");
            Some([Arg::Int(count), why, Arg::Int(most), Arg::Str(" of the block get to it")])
        }
        Some(_) | None => None,
    }
}
