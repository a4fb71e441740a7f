//! The test of the number of threads that a numbered barrier of a block waits for.

use super::{Arg, Args, NONE};

/// The number of threads of a warp, which arrive together.
pub(super) const WARP: u64 = 32;

/// Only the remainder of the number of threads modulo this counts.
const MODULUS: i128 = 4096;

/// The number of threads that a barrier waits for, and the number that arrive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlockBarrier {
    /// The number of threads that it waits for.
    pub count: i128,
    /// The maximum number of arrivals before all threads have arrived, if known.
    pub most: Option<i128>,
    /// Whether the instruction itself waits.
    pub waits: bool,
}

pub(super) const fn count_not_reached<'a>(barrier: BlockBarrier) -> Option<Args<'a>> {
    let BlockBarrier { count, most, waits } = barrier;
    // A count of 0 means all threads.
    if !matches!(count, 1..MODULUS) {
        return None;
    }
    if count % WARP as i128 != 0 {
        let why = Arg::Str("threads arrive in whole warps of ");
        return Some([Arg::Int(count), why, Arg::Int(WARP as i128), NONE]);
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
        // All threads, and numbers that the hardware truncates.
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
        // No thread gets there, and none waits.
        assert!(!is_found(32, Some(0), true));
        assert!(is_found(32, Some(1), true));
        assert!(!is_found(4096, Some(1024), true));
    }
}
