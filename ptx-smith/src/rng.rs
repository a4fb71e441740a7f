//! A small random number generator, deterministic for a seed and the number of a case.

/// What the state grows by (`SplitMix64`).
pub(crate) const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mixes a number so that each bit of the result depends on each bit of the input (`SplitMix64`).
pub(crate) fn mix(mut number: u64) -> u64 {
    number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

/// The generator `SplitMix64`.
#[derive(Debug)]
pub struct Rng(u64);

impl Rng {
    /// The numbers of one case, which do not depend on other cases.
    pub fn new(seed: u64, case: usize) -> Self {
        let mut rng = Self(seed);
        Self(rng.next() ^ (case as u64).wrapping_mul(STEP))
    }

    /// The next number.
    #[expect(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number from 0 to `end`, exclusive.
    pub fn below(&mut self, end: usize) -> usize {
        // The remainder is smaller than `end`, and `end` was a `usize`.
        usize::try_from(self.next() % end as u64).unwrap_or(0)
    }

    /// A number from `first` to `last`, inclusive.
    pub fn within(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
