//! The locations that instructions certainly access: their extremes, and misaligned ones.

use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::rules::{Settled, signed_in};
use ptx_isa::sorted::SortedMap;

use crate::values::coordinates::Coordinates;
use crate::values::launch::{Affine, Fixed};
use crate::values::location::Located;

/// An operand of an instruction that certainly executes, for some threads and iterations.
#[derive(Clone, Debug)]
pub(crate) struct Visit<'a> {
    /// The node, and the operand index.
    pub(crate) at: (usize, usize),
    /// Where it goes.
    pub(crate) located: Located<'a>,
    /// The offset from the start in bytes.
    pub(crate) offset: Affine,
    /// The alignment that it needs, if that is known.
    pub(crate) align: Option<i128>,
    pub(crate) settled: Settled,
    /// The largest offset at which the access fits into its storage, if that has a known size.
    pub(crate) room: Option<i128>,
    /// The number of threads in a warp, from the first on, whose addresses are used.
    pub(crate) lanes: i128,
    /// The label of the innermost loop that is not in its first iteration, the number of completed iterations,
    /// and the index of the batch.
    pub(crate) round: Option<(usize, i128, Option<usize>)>,
}

/// A location that an operand certainly accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reach {
    /// The offset from the start in bytes.
    pub(crate) offset: i128,
    /// The thread that accesses it, if not all do.
    pub(crate) thread: Option<[i128; 3]>,
    /// The label of the loop, and the iteration number, from 1, if there is one.
    pub(crate) round: Option<(usize, i128)>,
}

/// The locations that an operand certainly accesses.
#[derive(Debug)]
pub(crate) struct Extremes<'a> {
    pub(crate) located: Located<'a>,
    pub(crate) settled: Settled,
    /// The least and the greatest location, and the first that is out of bounds and that is misaligned.
    pub(crate) least: Reach,
    pub(crate) most: Reach,
    pub(crate) beyond: Option<Reach>,
    pub(crate) misaligned: Option<Reach>,
    /// The first distinct locations.
    pub(crate) first: Vec<Reach>,
}

/// The maximum number of locations kept beside the extremes.
const MOST_KEPT: usize = 8;

/// A node, and the index of an operand in it.
pub(crate) type Operand = (usize, usize);

/// The index of storage, and whether it is the pointee.
type Target = (usize, bool);

/// The locations that operands certainly access.
#[derive(Debug, Default)]
pub(crate) struct Reaches<'a> {
    pub(crate) of: SortedMap<(Operand, Target), Extremes<'a>>,
    /// The threads for which an unwritten predicate decides a guard, by the guarded node.
    pub(crate) guards: SortedMap<usize, Coordinates>,
    /// The locations of single threads that depend on constants that are not known.
    pub(crate) unseen: SortedMap<(Operand, Target), Vec<Unseen<'a>>>,
}

/// A location that one thread certainly accesses, and whose offset depends on constants that are not known.
#[derive(Clone, Debug)]
pub(crate) struct Unseen<'a> {
    pub(crate) located: Located<'a>,
    pub(crate) settled: Settled,
    pub(crate) thread: [i128; 3],
}

/// An extreme of a varying location.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Least,
    Most,
    /// The least and the greatest in this iteration of a loop.
    LeastIn(i128),
    MostIn(i128),
    /// The least in the first iteration, except that this value is one more.
    Next(Fixed),
}

impl Visit<'_> {
    /// Returns the location at an extreme.
    fn reach(&self, coordinates: &Coordinates, end: End) -> Option<Reach> {
        let (mut offset, mut thread) = (self.offset.added(), coordinates.sample());
        let mut round = 0;
        for (of, times) in self.offset.terms() {
            let (least, most) = coordinates.range(of);
            let number = match (end, of) {
                (End::Next(next), _) if next == of => least + 1,
                (End::LeastIn(round) | End::MostIn(round), Fixed::Round(_)) => least + round,
                (End::Next(_), Fixed::Round(_)) => least,
                (End::Least | End::LeastIn(_) | End::Next(_), _) if times.is_positive() => least,
                (End::Most | End::MostIn(_), _) if times.is_negative() => least,
                (End::Least | End::Most | End::LeastIn(_) | End::MostIn(_) | End::Next(_), _) => {
                    most
                }
            };
            offset = offset.checked_add(times.checked_mul(number)?)?;
            match of {
                Fixed::Thread(n) => {
                    let first = core::array::from_fn(|n| coordinates.range(Fixed::Thread(n)).0);
                    thread.get_or_insert(first)[n] = number;
                }
                Fixed::Round(n) if self.round.and_then(|it| it.2) == Some(n) => round = number,
                _ => {}
            }
        }
        let round = self.round.map(|(label, over, _)| (label, over + round + 1));
        // The sum is in a register, which wraps.
        let offset = match self.located.bits {
            bits @ 1..=64 => signed_in(offset, bits),
            _ => offset,
        };
        Some(Reach { offset, thread, round })
    }

    /// Returns the first location out of bounds: in a loop, that of the first iteration that has one.
    fn beyond(&self, coordinates: &Coordinates) -> Option<Reach> {
        let room = self.room?;
        let bits = self.located.bits;
        let of_round = self.offset.terms().find(|(of, _)| matches!(of, Fixed::Round(_)));
        let step = of_round.map_or(0, |(_, times)| match bits {
            1..=64 => signed_in(times, bits),
            _ => times,
        });
        let last = of_round.map_or(0, |(of, _)| {
            let (first, last) = coordinates.range(of);
            last - first
        });
        let is_beyond = |reach: &Reach| !(0..=room).contains(&reach.offset);
        let ends: [fn(i128) -> End; 2] = [End::LeastIn, End::MostIn];
        let found = ends.into_iter().filter_map(|end| {
            let first = self.reach(coordinates, end(0))?;
            if is_beyond(&first) {
                return Some((0, first));
            }
            let round = match step {
                0 => return None,
                1.. => (room - first.offset) / step + 1,
                _ => first.offset / -step + 1,
            };
            // A sum that wraps may be in bounds again.
            let reach = self.reach(coordinates, end(round)).filter(is_beyond)?;
            (round <= last).then_some((round, reach))
        });
        // In one iteration, the location furthest away is reported.
        let far = |reach: &Reach| (reach.offset - room).max(-reach.offset);
        found.min_by_key(|(round, reach)| (*round, -far(reach))).map(|(_, reach)| reach)
    }

    /// Returns the visit in certain iterations of a batched loop: the first two and the last.
    pub(crate) fn in_rounds(self, n: usize, last: i128) -> Vec<Self> {
        if self.offset.times_of(Fixed::Round(n)) == 0 {
            return vec![self];
        }
        let mut rounds = vec![0, 1, last];
        rounds.retain(|round| *round <= last);
        rounds.dedup();
        let certain = |round| {
            let offset = self.offset.with(Fixed::Round(n), round)?;
            let in_loop = self.round.map(|(label, over, at_once)| match at_once {
                Some(it) if it == n => (label, over + round, None),
                _ => (label, over, at_once),
            });
            Some(Self { offset, round: in_loop, ..self.clone() })
        };
        rounds.into_iter().filter_map(certain).collect()
    }
}

impl<'a> Reaches<'a> {
    /// Records a location that depends on constants.
    pub(crate) fn note_unseen(&mut self, at: Operand, unseen: Unseen<'a>) {
        let key = (at, (unseen.located.storage, unseen.located.is_pointee));
        let all = self.unseen.entry(key).or_default();
        if !all.iter().any(|known| known.thread == unseen.thread) {
            all.push(unseen);
        }
    }

    /// Records the location that an operand accesses for these threads and iterations.
    pub(crate) fn note(&mut self, visit: Visit<'a>, coordinates: &Coordinates) {
        let Some(coordinates) = &coordinates.in_lanes(visit.lanes) else { return };
        let ends = (visit.reach(coordinates, End::Least), visit.reach(coordinates, End::Most));
        let (Some(least), Some(most)) = ends else { return };
        let varies = |of: &Fixed| {
            let (least, most) = coordinates.range(*of);
            least < most
        };
        let next = |of| visit.reach(coordinates, End::Next(of));
        let others = visit.offset.terms().map(|(of, _)| of).filter(varies).filter_map(next);
        let first: Vec<Reach> = core::iter::once(least).chain(others).collect();
        let misaligned = visit.align.filter(|align| align.is_positive()).and_then(|align| {
            let earliest = visit.reach(coordinates, End::LeastIn(0));
            let is_misaligned = |reach: &Reach| reach.offset.rem_euclid(align) != 0;
            earliest.into_iter().chain(first.iter().copied()).find(is_misaligned)
        });
        let beyond = visit.beyond(coordinates);
        let key = (visit.at, (visit.located.storage, visit.located.is_pointee));
        match self.of.get_mut(&key) {
            Some(known) => {
                if least.offset < known.least.offset {
                    known.least = least;
                }
                if most.offset > known.most.offset {
                    known.most = most;
                }
                known.misaligned = known.misaligned.or(misaligned);
                known.beyond = known.beyond.or(beyond);
                // A proof for some of them does not hold for all.
                known.settled.is_aligned |= visit.settled.is_aligned;
                known.settled.is_conditional |= visit.settled.is_conditional;
                for reach in first {
                    let is_there = |known: &Reach| known.offset == reach.offset;
                    if known.first.len() < MOST_KEPT && !known.first.iter().any(is_there) {
                        known.first.push(reach);
                    }
                }
            }
            None => {
                let Visit { located, settled, .. } = visit;
                let extremes =
                    Extremes { located, settled, least, most, beyond, misaligned, first };
                self.of.insert(key, extremes);
            }
        }
    }
}

#[cfg(test)]
mod tests;
