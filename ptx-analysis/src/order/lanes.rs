//! The numbers that a register holds in the threads of a warp.

use alloc::boxed::Box;
use alloc::rc::Rc;

use crate::order::address::{is_opaque, plain};

/// The number of threads in a warp.
pub(super) const WARP: usize = 32;

/// The threads of a warp, as a bit for each.
pub(super) type Mask = u32;

/// The threads of a mask, in order.
pub(super) fn each_lane(mask: Mask) -> impl Iterator<Item = usize> {
    (0..WARP).filter(move |lane| mask >> lane & 1 != 0)
}

/// A number for each thread of a warp, where it is known.
#[derive(Clone, Debug)]
pub(super) enum Lanes {
    /// The same for all.
    Same(Option<u64>),
    /// One for each.
    Each(Rc<Numbers>),
}

/// A number for each thread of a warp: of the threads of a mask.
#[derive(Debug)]
pub(super) struct Numbers {
    known: Mask,
    of: [u64; WARP],
}

impl Lanes {
    /// Unknown numbers.
    pub(super) const UNKNOWN: Self = Self::Same(None);

    /// Computes a number for each thread.
    pub(super) fn each(mut number: impl FnMut(usize) -> Option<u64>) -> Self {
        let mut all = Numbers { known: 0, of: [0; WARP] };
        for (lane, of) in all.of.iter_mut().enumerate() {
            if let Some(number) = number(lane) {
                all.known |= 1 << lane;
                *of = number;
            }
        }
        Self::Each(Rc::new(all))
    }

    /// Returns the number of a thread, if it is followed.
    pub(super) fn known(&self, lane: usize) -> Option<u64> {
        self.at(lane).filter(|number| !is_opaque(*number))
    }

    /// Returns the number of a thread, if it is known, and not an address.
    pub(super) fn number(&self, lane: usize) -> Option<u64> {
        self.at(lane).and_then(plain)
    }

    /// Returns the number of a thread, which may be one that is not followed.
    pub(super) fn at(&self, lane: usize) -> Option<u64> {
        match self {
            Self::Same(number) => *number,
            Self::Each(all) => (all.known >> lane & 1 != 0).then(|| all.of[lane]),
        }
    }

    /// Whether the number is the same for all threads.
    pub(super) const fn is_same(&self) -> bool {
        matches!(self, Self::Same(_))
    }

    /// Returns the number that these threads have in common, if it is followed.
    pub(super) fn common(&self, mask: Mask) -> Option<u64> {
        match self {
            Self::Same(_) => self.known(0),
            Self::Each(all) => {
                let mut lanes = each_lane(mask);
                let first = self.known(lanes.next()?)?;
                let is_same = |lane: usize| all.known >> lane & 1 != 0 && all.of[lane] == first;
                lanes.all(is_same).then_some(first)
            }
        }
    }

    /// Sets the numbers of these threads; `all` are the threads that run.
    pub(super) fn set(&mut self, mask: Mask, all: Mask, numbers: Self) {
        if mask == all {
            *self = numbers;
            return;
        }
        let old = self.clone();
        *self =
            Self::each(|lane| if mask >> lane & 1 != 0 { numbers.at(lane) } else { old.at(lane) });
    }

    /// Returns the threads whose number is not zero, and those whose number is unknown.
    pub(super) fn truth(&self) -> (Mask, Mask) {
        match self {
            Self::Same(_) => match self.known(0) {
                None => (0, Mask::MAX),
                Some(number) => (if number == 0 { 0 } else { Mask::MAX }, 0),
            },
            Self::Each(_) => {
                let bits = |is: fn(&Option<u64>) -> bool| {
                    let bit = |lane| Mask::from(is(&self.known(lane))) << lane;
                    (0..WARP).fold(0, |mask, lane| mask | bit(lane))
                };
                (bits(|it| it.is_some_and(|it| it != 0)), bits(Option::is_none))
            }
        }
    }
}

/// Numbers for the registers of a warp.
pub(super) type Registers = Box<[Lanes]>;
