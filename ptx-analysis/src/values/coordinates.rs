//! The ranges of special registers, and what they decide.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::rules::{Comparison, LaunchCondition};

use crate::flow::memory::WARP;
use crate::values::launch::{Affine, Block, Fixed, ROUNDS};

/// The maximum number of blocks of a grid along each dimension.
const MOST_BLOCKS: [i128; 3] = [0x7fff_ffff, 0xffff, 0xffff];

/// The maximum number of blocks of a cluster.
const MOST_OF_CLUSTER: i128 = 16;

/// The maximum number of loop iterations in a batch.
const MOST_ROUNDS: i128 = 1 << 14;

/// The minimum and the maximum of a value.
type Range = (i128, i128);

/// The ranges of special registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Coordinates {
    /// The block extents, as far as directives specify them.
    block: Block,
    /// The ranges of the thread indices.
    threads: [Range; 3],
    /// Whether a thread certainly exists for each index in the ranges, all of them in one block: the first block, or
    /// one of the first cluster.
    is_attained: bool,
    /// The maximum number of blocks of a cluster, and whether it is exact.
    cluster: (i128, bool),
    /// The rank of the block in its cluster, if these threads certainly exist.
    rank: i128,
    /// Whether it is a single thread that represents others like it.
    is_sample: bool,
    /// The range of iteration numbers of each batched loop.
    rounds: [Range; ROUNDS.len()],
    /// The parameters and loaded numbers.
    pub(crate) inputs: Inputs,
    /// Whether the grid is a single block.
    is_one_block: bool,
}

/// The range of all parameters and loaded numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Inputs {
    /// They are anything.
    Any,
    /// They are 0 or 1.
    Small,
    /// They are anything, but fail all tests that show a number computed from them to be at least 2.
    Few,
}

/// Two sums and the comparison between them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Compared {
    pub(crate) one: Affine,
    pub(crate) comparison: Comparison,
    pub(crate) other: Affine,
    /// The width of both.
    pub(crate) bits: u32,
    pub(crate) is_signed: bool,
}

impl Coordinates {
    /// The coordinates of any launch.
    pub(crate) const ANY: Self = Self {
        block: Block::Unknown,
        threads: [(0, 1023), (0, 1023), (0, 63)],
        is_attained: false,
        cluster: (MOST_OF_CLUSTER, false),
        rank: 0,
        is_sample: false,
        rounds: [(0, MOST_ROUNDS - 1); ROUNDS.len()],
        inputs: Inputs::Any,
        is_one_block: false,
    };

    /// Returns the coordinates of any thread of any launch with this block.
    pub(crate) fn of(block: Block) -> Self {
        let threads = core::array::from_fn(|n| (0, block.threads(n).1 - 1));
        Self { block, threads, ..Self::ANY }
    }

    /// Returns the coordinates of the threads that every launch with this block has in its first block.
    pub(crate) fn attained(block: Block) -> Self {
        let threads = match block {
            Block::Exactly(extents) => extents.map(|extent| (0, extent - 1)),
            Block::AtMost(_) | Block::Unknown => [(0, 0); 3],
        };
        let rounds = [(0, 0); ROUNDS.len()];
        Self { block, threads, is_attained: true, rounds, ..Self::ANY }
    }

    /// Restricts the launches to those with these inputs.
    pub(crate) fn with(self, inputs: Inputs) -> Self {
        Self { inputs, ..self }
    }

    /// Returns the coordinates of the smallest launch: one block, of one warp unless its extents are specified.
    pub(crate) fn smallest(&self) -> Self {
        let block = match self.block {
            Block::Exactly(_) => self.block,
            Block::AtMost(_) | Block::Unknown => Block::Exactly([WARP, 1, 1]),
        };
        let Self { cluster, inputs, .. } = *self;
        Self { cluster, inputs, is_one_block: true, ..Self::attained(block) }
    }

    /// Restricts the coordinates to clusters of this many blocks, or of at most this many.
    pub(crate) fn in_cluster(mut self, blocks: Option<(u32, bool)>) -> Self {
        if let Some((blocks, is_exact)) = blocks {
            self.cluster = (i128::from(blocks).clamp(1, MOST_OF_CLUSTER), is_exact);
        }
        self
    }

    /// Returns the coordinates of the last block of a cluster, if there certainly is more than one.
    pub(crate) fn in_last_block(&self) -> Option<Self> {
        let (blocks, is_exact) = self.cluster;
        (is_exact && blocks > 1).then_some(Self { rank: blocks - 1, ..*self })
    }

    /// Returns single threads that every launch with this block has: the first ones, those whose index is a
    /// power of two, and the last.
    pub(crate) fn samples(&self) -> Vec<Self> {
        let Block::Exactly(extents) = self.block else { return Vec::new() };
        let last = extents.map(|extent| extent - 1);
        let mut threads = vec![[1, 0, 0], [0, 1, 0], [0, 0, 1], last];
        threads.extend([2, 4, 8, 16, 31, 32].map(|x| [x, 0, 0]));
        // The first thread of the last warp, among others.
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

    /// Returns the first and the last of these threads, each alone; nothing for threads that may not exist, or for one.
    pub(crate) fn ends(&self) -> Vec<Self> {
        if !self.is_attained || self.is_sample || !matches!(self.block, Block::Exactly(_)) {
            return Vec::new();
        }
        let alone = |of: fn(Range) -> i128| {
            let threads = self.threads.map(|range| (of(range), of(range)));
            Self { threads, is_sample: true, ..*self }
        };
        vec![alone(|range| range.0), alone(|range| range.1)]
    }

    /// Returns the maximum number of threads of a block.
    pub(crate) fn most_threads(&self) -> i128 {
        self.block.most_threads()
    }

    /// Whether a thread certainly exists for each index in the ranges.
    pub(crate) fn are_attained(&self) -> bool {
        self.is_attained
    }

    /// Returns the thread, if it is a single one that represents others like it.
    pub(crate) fn sample(&self) -> Option<[i128; 3]> {
        self.is_sample.then(|| self.threads.map(|(number, _)| number))
    }

    /// Returns the first of the threads, if it certainly exists.
    pub(crate) fn first_thread(&self) -> Option<[i128; 3]> {
        self.is_attained.then(|| self.threads.map(|(least, _)| least))
    }

    /// Returns those threads that are among the first lanes of their warps; `None` if there are none, or if unknown.
    pub(crate) fn in_lanes(&self, lanes: i128) -> Option<Self> {
        if lanes >= WARP || self.lane().is_some_and(|lane| lane < lanes) {
            return Some(*self);
        }
        // Those of the first warp only.
        let mut first = *self;
        let [x, y, z] = self.threads;
        if x.0 >= lanes || y.0 != 0 || z.0 != 0 {
            return None;
        }
        first.threads = [(x.0, x.1.min(lanes - 1)), (0, 0), (0, 0)];
        Some(first)
    }

    /// Returns the lane of the thread, if it is a single one.
    fn lane(&self) -> Option<i128> {
        let Block::Exactly([width, height, _]) = self.block else { return None };
        let is_single = self.threads.iter().all(|(least, most)| least == most);
        let [x, y, z] = self.threads.map(|(number, _)| number);
        is_single.then(|| (x + width * (y + height * z)) % WARP)
    }

    /// Starts a batch at the first iteration of a loop.
    pub(crate) fn with_rounds(mut self, n: usize) -> Self {
        self.rounds[n] = (0, MOST_ROUNDS - 1);
        self
    }

    /// Ends the batch of a loop.
    pub(crate) fn without_rounds(mut self, n: usize) -> Self {
        self.rounds[n] = (0, 0);
        self
    }

    /// Returns the number of batched iterations of a loop, minus one.
    pub(crate) fn last_round(&self, n: usize) -> i128 {
        self.rounds[n].1
    }

    /// Whether every value in the range certainly occurs.
    pub(crate) fn has_all(&self, of: Fixed) -> bool {
        match of {
            Fixed::Thread(_) => self.is_attained,
            // The positions of the other blocks of the first cluster depend on the cluster's shape.
            Fixed::Block(_) => self.is_attained && self.rank == 0,
            Fixed::Round(_) => true,
            _ => {
                let (least, most) = self.range(of);
                least == most
            }
        }
    }

    /// Returns the range of a value.
    pub(crate) fn range(&self, of: Fixed) -> Range {
        match of {
            Fixed::Thread(dimension) => self.threads[dimension],
            Fixed::Threads(dimension) => self.block.threads(dimension),
            Fixed::Rank if self.is_attained => (self.rank, self.rank),
            Fixed::Block(_) | Fixed::InCluster if self.is_attained && self.rank == 0 => (0, 0),
            Fixed::Block(dimension) => (0, MOST_BLOCKS[dimension] - 1),
            Fixed::Blocks(_) if self.is_one_block => (1, 1),
            Fixed::Blocks(dimension) => (1, MOST_BLOCKS[dimension]),
            Fixed::Lane => self.lane().map_or((0, 31), |lane| (lane, lane)),
            Fixed::Rank | Fixed::InCluster => (0, self.cluster.0 - 1),
            Fixed::OfCluster if self.cluster.1 => (self.cluster.0, self.cluster.0),
            Fixed::OfCluster | Fixed::AlongCluster => (1, self.cluster.0),
            Fixed::Round(n) => self.rounds[n],
        }
    }

    /// Returns the range of a sum.
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

    /// Returns the value of a sum, if it is the same for all threads and iterations.
    pub(crate) fn value_of(&self, sum: &Affine) -> Option<i128> {
        self.range_of(sum).filter(|(least, most)| least == most).map(|(least, _)| least)
    }

    /// Whether a sum fits a register of this width, signed or not, in every launch.
    pub(crate) fn fit(sum: &Affine, bits: u32) -> bool {
        let range = Self::ANY.range_of(sum);
        range.is_some_and(|range| is_plain(range, bits, true) && is_plain(range, bits, false))
    }

    /// Returns the outcome of a comparison, if it is the same for all.
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

    /// Returns the outcome of a comparison, if it is known, and otherwise the launch conditions
    /// under which it holds and under which it does not.
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

    /// Splits threads and iterations by the outcome of an undecided comparison; of iterations, only the first
    /// part is returned. `None` if they cannot be split.
    pub(crate) fn split(&self, compared: &Compared) -> Option<Vec<Self>> {
        let varies = |of: &Fixed| {
            let (least, most) = self.range(*of);
            least < most && (compared.one.times_of(*of) != 0 || compared.other.times_of(*of) != 0)
        };
        let rounds = (0..ROUNDS.len()).map(Fixed::Round).find(varies);
        if let Some(of) = rounds {
            return Some([self.first_part(compared, of)?].into());
        }
        // If the threads may not exist, neither may any part of them.
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

    /// Returns the longest prefix of a range in which a comparison is decided.
    fn first_part(&self, compared: &Compared, of: Fixed) -> Option<Self> {
        let (first, last) = self.range(of);
        let until = |end| self.between(of, (first, end));
        until(first).decides(compared)?;
        // It is decided up to one end, and undecided at the other.
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

/// Whether numbers are representable in a register of this width, signed or not.
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
