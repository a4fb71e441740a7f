//! The choices of a generator: given ones, so that a test can make a failure smaller, or those of a
//! seed.

use alloc::vec::Vec;

/// Choices, one after the other.
pub(crate) enum Choices {
    /// These; when they are used up the first of what there is to choose.
    Given(alloc::vec::IntoIter<u16>),
    /// Those of a seed.
    Seeded(u64),
}

impl Choices {
    pub(crate) fn given(choices: Vec<u16>) -> Self {
        Self::Given(choices.into_iter())
    }

    /// A number below this one.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let chosen = match self {
            Self::Given(choices) => choices.next().unwrap_or(0),
            Self::Seeded(seed) => {
                *seed = seed.wrapping_add(1);
                u16::try_from(mixed(*seed) >> 48).unwrap_or_default()
            }
        };
        usize::from(chosen) % count.max(1)
    }

    /// One of these.
    pub(crate) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Whether something happens that happens once in so many times, and never in the simplest case.
    pub(crate) fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }
}

/// A number of which each bit depends on each of this one (`SplitMix64`).
pub(crate) fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
