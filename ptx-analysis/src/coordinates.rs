//! Between which numbers special registers are, and what that decides.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use ptx_types::rules::{Comparison, LaunchCondition};

use crate::launch::{Affine, Block, Fixed, ROUNDS};
use crate::memory::WARP;

/// The most blocks of a grid along each dimension.
const MOST_BLOCKS: [i128; 3] = [0x7fff_ffff, 0xffff, 0xffff];

/// The most blocks of a cluster.
const MOST_OF_CLUSTER: i128 = 16;

/// The most rounds of a loop that are followed at once.
const MOST_ROUNDS: i128 = 1 << 14;

/// The least and the greatest number of something.
type Range = (i128, i128);

/// Between which numbers special registers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Coordinates {
    /// The extents of a block, as far as directives say.
    block: Block,
    /// The numbers of the thread.
    threads: [Range; 3],
    /// Whether there surely is a thread for each of these numbers, all of them in one block: the first, or one of the
    /// first cluster.
    is_attained: bool,
    /// The most blocks of a cluster, and whether there are as many.
    cluster: (i128, bool),
    /// The rank of the block in its cluster, if there surely are these threads.
    rank: i128,
    /// Whether it is a single thread that stands for others like it.
    is_sample: bool,
    /// How many rounds there were of each loop whose rounds are followed at once.
    rounds: [Range; ROUNDS.len()],
}

/// Two sums, and how they are compared.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Compared {
    pub(crate) one: Affine,
    pub(crate) comparison: Comparison,
    pub(crate) other: Affine,
    /// The bits of both.
    pub(crate) bits: u32,
    pub(crate) is_signed: bool,
}

impl Coordinates {
    /// Those of any launch.
    pub(crate) const ANY: Self = Self {
        block: Block::Unknown,
        threads: [(0, 1023), (0, 1023), (0, 63)],
        is_attained: false,
        cluster: (MOST_OF_CLUSTER, false),
        rank: 0,
        is_sample: false,
        rounds: [(0, MOST_ROUNDS - 1); ROUNDS.len()],
    };

    /// Those of any thread of any launch with this block.
    pub(crate) fn of(block: Block) -> Self {
        let threads = core::array::from_fn(|n| (0, block.threads(n).1 - 1));
        Self { block, threads, ..Self::ANY }
    }

    /// Those of the threads that every launch with this block has in its first block of threads.
    pub(crate) fn attained(block: Block) -> Self {
        let threads = match block {
            Block::Exactly(extents) => extents.map(|extent| (0, extent - 1)),
            Block::AtMost(_) | Block::Unknown => [(0, 0); 3],
        };
        let rounds = [(0, 0); ROUNDS.len()];
        Self { block, threads, is_attained: true, rounds, ..Self::ANY }
    }

    /// The same in clusters of so many blocks, or at most so many.
    pub(crate) fn in_cluster(mut self, blocks: Option<(u32, bool)>) -> Self {
        if let Some((blocks, is_exact)) = blocks {
            self.cluster = (i128::from(blocks).clamp(1, MOST_OF_CLUSTER), is_exact);
        }
        self
    }

    /// The same of the last block of a cluster, if there surely is more than one.
    pub(crate) fn in_last_block(&self) -> Option<Self> {
        let (blocks, is_exact) = self.cluster;
        (is_exact && blocks > 1).then_some(Self { rank: blocks - 1, ..*self })
    }

    /// Those of single threads that every launch with this block has: the first ones, those at which
    /// powers of two begin, and the last.
    pub(crate) fn samples(&self) -> Vec<Self> {
        let Block::Exactly(extents) = self.block else { return Vec::new() };
        let last = extents.map(|extent| extent - 1);
        let mut threads = vec![[1, 0, 0], [0, 1, 0], [0, 0, 1], last];
        threads.extend([2, 4, 8, 16, 31, 32].map(|x| [x, 0, 0]));
        // The first of the last warp, among others.
        threads.extend([[last[0] / 32 * 32, 0, 0], [last[0], 0, 0], [0, last[1], 0]]);
        threads.retain(|thread| thread.iter().zip(last).all(|(number, last)| *number <= last));
        let mut samples: Vec<Self> = Vec::new();
        for thread in threads {
            let threads = thread.map(|number| (number, number));
            let sample = Self { threads, is_sample: true, ..*self };
            if !samples.contains(&sample) {
                samples.push(sample);
            }
        }
        samples
    }

    /// The same of each warp of a block: between which numbers its threads are. `None` where the shape of
    /// the block is not known.
    pub(crate) fn warps(&self) -> Option<Vec<Self>> {
        let Block::Exactly([width, height, depth]) = self.block else { return None };
        let threads = self.block.most_threads();
        if width < 1 || height < 1 || depth < 1 {
            return None;
        }
        let warp = |first: i128| {
            let last = (first + WARP - 1).min(threads - 1);
            let number =
                |thread| [thread % width, thread / width % height, thread / width / height];
            let (first, last) = (number(first), number(last));
            let mut ranges = [(0, width - 1), (0, height - 1), (first[2], last[2])];
            // Where they are in different rows, they may be anywhere in those.
            for n in [1, 0] {
                if first[n + 1..] != last[n + 1..] {
                    break;
                }
                ranges[n] = (first[n], last[n]);
            }
            Self { threads: ranges, ..*self }
        };
        let warps = (threads + WARP - 1) / WARP;
        Some((0..warps).map(|n| warp(n * WARP)).collect())
    }

    /// The most threads of a block.
    pub(crate) fn most_threads(&self) -> i128 {
        self.block.most_threads()
    }

    /// The threads of a block, if directives say how many there are.
    pub(crate) fn extents(&self) -> Option<i128> {
        matches!(self.block, Block::Exactly(_)).then(|| self.most_threads())
    }

    /// Whether there surely is a thread for each of these numbers.
    pub(crate) fn are_attained(&self) -> bool {
        self.is_attained
    }

    /// The thread, if it is a single one that stands for others like it.
    pub(crate) fn sample(&self) -> Option<[i128; 3]> {
        self.is_sample.then(|| self.threads.map(|(number, _)| number))
    }

    /// The first of the threads, if there surely is one.
    pub(crate) fn first_thread(&self) -> Option<[i128; 3]> {
        self.is_attained.then(|| self.threads.map(|(least, _)| least))
    }

    /// Those threads that are among the first of their warps; `None` where none are, or it is not known.
    pub(crate) fn in_lanes(&self, lanes: i128) -> Option<Self> {
        if lanes >= WARP || self.lane().is_some_and(|lane| lane < lanes) {
            return Some(*self);
        }
        // Of the first warp alone.
        let mut first = *self;
        let [x, y, z] = self.threads;
        if x.0 >= lanes || y.0 != 0 || z.0 != 0 {
            return None;
        }
        first.threads = [(x.0, x.1.min(lanes - 1)), (0, 0), (0, 0)];
        Some(first)
    }

    /// The number of the thread in its warp, if it is a single one.
    fn lane(&self) -> Option<i128> {
        let Block::Exactly([width, height, _]) = self.block else { return None };
        let is_single = self.threads.iter().all(|(least, most)| least == most);
        let [x, y, z] = self.threads.map(|(number, _)| number);
        is_single.then(|| (x + width * (y + height * z)) % WARP)
    }

    /// The same where a loop is followed from its first round on.
    pub(crate) fn with_rounds(mut self, n: usize) -> Self {
        self.rounds[n] = (0, MOST_ROUNDS - 1);
        self
    }

    /// The same where it is not, any more.
    pub(crate) fn without_rounds(mut self, n: usize) -> Self {
        self.rounds[n] = (0, 0);
        self
    }

    /// How many rounds of a loop are followed at once, less one.
    pub(crate) fn last_round(&self, n: usize) -> i128 {
        self.rounds[n].1
    }

    /// Whether the numbers of something are those of threads or rounds that there surely are.
    pub(crate) fn has_all(&self, of: Fixed) -> bool {
        match of {
            Fixed::Thread(_) => self.is_attained,
            // Where in the grid the other blocks of the first cluster are, its shape decides.
            Fixed::Block(_) => self.is_attained && self.rank == 0,
            Fixed::Round(_) => true,
            _ => {
                let (least, most) = self.range(of);
                least == most
            }
        }
    }

    /// The least and the greatest number that something is.
    pub(crate) fn range(&self, of: Fixed) -> Range {
        match of {
            Fixed::Thread(dimension) => self.threads[dimension],
            Fixed::Threads(dimension) => self.block.threads(dimension),
            Fixed::Rank if self.is_attained => (self.rank, self.rank),
            Fixed::Block(_) | Fixed::InCluster if self.is_attained && self.rank == 0 => (0, 0),
            Fixed::Block(dimension) => (0, MOST_BLOCKS[dimension] - 1),
            Fixed::Blocks(dimension) => (1, MOST_BLOCKS[dimension]),
            Fixed::Lane => self.lane().map_or((0, 31), |lane| (lane, lane)),
            Fixed::Rank | Fixed::InCluster => (0, self.cluster.0 - 1),
            Fixed::OfCluster if self.cluster.1 => (self.cluster.0, self.cluster.0),
            Fixed::OfCluster | Fixed::AlongCluster => (1, self.cluster.0),
            Fixed::Round(n) => self.rounds[n],
        }
    }

    /// The least and the greatest number that a sum is.
    pub(crate) fn range_of(&self, sum: &Affine) -> Option<Range> {
        let mut range = (sum.added(), sum.added());
        for (of, times) in sum.terms() {
            let (least, most) = self.range(of);
            let ends = (least.checked_mul(times)?, most.checked_mul(times)?);
            let (low, high) = (ends.0.min(ends.1), ends.0.max(ends.1));
            range = (range.0.checked_add(low)?, range.1.checked_add(high)?);
        }
        Some(range)
    }

    /// The number that a sum is, if it is the same for all.
    pub(crate) fn value_of(&self, sum: &Affine) -> Option<i128> {
        self.range_of(sum).filter(|(least, most)| least == most).map(|(least, _)| least)
    }

    /// Whether a sum is the same number in a register of so many bits, signed or not, in every launch.
    pub(crate) fn fit(sum: &Affine, bits: u32) -> bool {
        let range = Self::ANY.range_of(sum);
        range.is_some_and(|range| is_plain(range, bits, true) && is_plain(range, bits, false))
    }

    /// What a comparison says, if it says the same for all.
    fn decides(&self, compared: &Compared) -> Option<bool> {
        let (one, other) = (self.range_of(&compared.one)?, self.range_of(&compared.other)?);
        let Compared { comparison, bits, is_signed, .. } = *compared;
        if !is_plain(one, bits, is_signed) || !is_plain(other, bits, is_signed) {
            return None;
        }
        let apart = compared.one.plus(&compared.other.times(-1)?)?;
        let (least, most) = self.range_of(&apart)?;
        comparison.holds_between(least, most)
    }

    /// What a comparison says: whether it holds, if that is known, and else what the launch has to
    /// decide for it to hold and not to.
    pub(crate) fn compare(
        &self,
        compared: &Compared,
    ) -> Result<bool, Option<[Rc<LaunchCondition>; 2]>> {
        let Compared { one, comparison, other, bits, is_signed } = compared;
        let is_plain =
            |sum| self.range_of(sum).is_some_and(|range| is_plain(range, *bits, *is_signed));
        if !is_plain(one) || !is_plain(other) {
            return Err(None);
        }
        if let Some(holds) = self.decides(compared) {
            return Ok(holds);
        }
        let is_of_rounds = |sum: &Affine| sum.terms().any(|(of, _)| matches!(of, Fixed::Round(_)));
        if is_of_rounds(one) || is_of_rounds(other) {
            return Err(None);
        }
        let decided = |comparison| one.condition(comparison, other);
        Err(decided(*comparison)
            .zip(decided(comparison.negated()))
            .map(|(holds, fails)| [holds, fails]))
    }

    /// The threads and rounds, cut where a comparison that is not decided says something else: of rounds
    /// the first ones alone, of threads all. `None` where that cannot be told.
    pub(crate) fn split(&self, compared: &Compared) -> Option<Vec<Self>> {
        let varies = |of: &Fixed| {
            let (least, most) = self.range(*of);
            least < most && (compared.one.times_of(*of) != 0 || compared.other.times_of(*of) != 0)
        };
        let rounds = (0..ROUNDS.len()).map(Fixed::Round).find(varies);
        if let Some(of) = rounds {
            return Some([self.first_part(compared, of)?].into());
        }
        // Of threads that perhaps there are not, no part is sure to be there.
        let of = (0..3).map(Fixed::Thread).find(varies).filter(|_| self.is_attained)?;
        let (mut parts, mut rest) = (Vec::new(), *self);
        loop {
            let part = rest.first_part(compared, of)?;
            let ((_, end), (_, last)) = (part.range(of), rest.range(of));
            parts.push(part);
            if end == last {
                return Some(parts);
            }
            rest = rest.between(of, (end + 1, last));
        }
    }

    /// The longest part from the first number of something on in which a comparison is decided.
    fn first_part(&self, compared: &Compared, of: Fixed) -> Option<Self> {
        let (first, last) = self.range(of);
        let until = |end| self.between(of, (first, end));
        until(first).decides(compared)?;
        // Decided up to one end, and not up to the other.
        let (mut decided, mut not) = (first, last + 1);
        while not - decided > 1 {
            let middle = decided + (not - decided) / 2;
            if until(middle).decides(compared).is_some() {
                decided = middle;
            } else {
                not = middle;
            }
        }
        Some(until(decided))
    }

    fn between(mut self, of: Fixed, range: Range) -> Self {
        match of {
            Fixed::Thread(n) => self.threads[n] = range,
            Fixed::Round(n) => self.rounds[n] = range,
            _ => {}
        }
        self
    }
}

/// Whether numbers are themselves in a register of so many bits, signed or not.
fn is_plain((least, most): Range, bits: u32, is_signed: bool) -> bool {
    let bits = bits.clamp(1, 64);
    if is_signed {
        least >= -(1 << (bits - 1)) && most < 1 << (bits - 1)
    } else {
        least >= 0 && most < 1 << bits
    }
}

#[cfg(test)]
mod tests;
