//! Ranges of numbers, as forms and faults have them: `0..31`, or `32..1024/32` for multiples of 32.

use crate::Rng;

/// The numbers from the first to the last, in steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    first: usize,
    last: usize,
    step: usize,
}

impl Range {
    /// Reads a range; `None` of another text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (first, rest) = text.split_once("..")?;
        let (last, step) = rest.split_once('/').unwrap_or((rest, "1"));
        let read = |text: &str| text.parse::<usize>().ok();
        let (first, last, step) = (read(first)?, read(last)?, read(step)?);
        (first <= last && step > 0).then_some(Self { first, last, step })
    }

    /// The first number.
    pub(crate) fn first(self) -> usize {
        self.first
    }

    /// One of the numbers.
    pub(crate) fn draw(self, rng: &mut Rng) -> usize {
        self.first + self.step * rng.within(0, (self.last - self.first) / self.step)
    }
}
