//! The choices of a program generator: given ones, so that a test can shrink a failure, or pseudo-random ones
//! from a seed.

use crate::rng::{STEP, mix};

/// A sequence of choices.
#[derive(Clone, Debug)]
pub enum Choices {
    /// Given choices; once they are used up, always the first option.
    Given(std::vec::IntoIter<u16>),
    /// Pseudo-random choices from a seed.
    Seeded(u64),
}

impl Choices {
    /// Those given, each of which is an option by its remainder.
    pub fn given(choices: Vec<u16>) -> Self {
        Self::Given(choices.into_iter())
    }

    /// Returns a number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        let chosen = match self {
            Self::Given(choices) => choices.next().unwrap_or(0),
            Self::Seeded(seed) => {
                *seed = seed.wrapping_add(1);
                u16::try_from(mixed(*seed) >> 48).unwrap_or_default()
            }
        };
        usize::from(chosen) % count.max(1)
    }

    /// Returns one of these.
    pub fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Returns true once in `count` times, and never in the simplest case.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }
}

/// Mixes a number so that each bit of the result depends on each bit of the input (`SplitMix64`).
pub fn mixed(number: u64) -> u64 {
    mix(number.wrapping_mul(STEP))
}
