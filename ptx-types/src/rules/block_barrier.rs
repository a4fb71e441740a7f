//! The test of how many threads a numbered barrier of a block waits for.

use super::{Arg, Args, NONE};

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
    if !matches!(count, 1..MODULUS) {
        return None;
    }
    if count % WARP != 0 {
        let why = Arg::Str("threads arrive in whole warps of ");
        return Some([Arg::Int(count), why, Arg::Int(WARP), NONE]);
    }
    match most {
        Some(0) => None,
        Some(most) if waits && most < count => {
            let why = Arg::Str("at most ");
            Some([Arg::Int(count), why, Arg::Int(most), Arg::Str(" arrive")])
        }
        Some(_) | None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockBarrier, count_not_reached};

    fn is_found(count: i128, most: Option<i128>, waits: bool) -> bool {
        count_not_reached(BlockBarrier { count, most, waits }).is_some()
    }

    #[test]
    fn whole_warps_are_counted() {
        for count in [1, 31, 33, 40, 1023, 4095] {
            assert!(is_found(count, None, true), "{count}");
            assert!(is_found(count, None, false), "{count}");
        }
        // All threads, and what the hardware takes for less.
        for count in [0, 32, 64, 4064, 4096, 4097, 4160, -1] {
            assert!(!is_found(count, None, true), "{count}");
        }
    }

    #[test]
    fn more_than_arrive_are_too_many() {
        assert!(is_found(96, Some(64), true));
        assert!(!is_found(64, Some(64), true));
        assert!(!is_found(96, Some(64), false));
        assert!(is_found(4064, Some(1024), true));
        // None get there at all, and none waits.
        assert!(!is_found(32, Some(0), true));
        assert!(is_found(32, Some(1), true));
        assert!(!is_found(4096, Some(1024), true));
    }
}
