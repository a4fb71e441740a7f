//! What the launch decides: special registers that hold the same for a thread from start to end.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use ptx_types::rules::{Comparison, LaunchCondition};

/// The extents of a block, as far as directives say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Block {
    /// They say nothing.
    #[default]
    Unknown,
    /// No more threads than this: `.maxntid`.
    AtMost(i128),
    /// These: `.reqntid`.
    Exactly([i128; 3]),
}

/// The most threads of a block along each dimension.
const MOST_THREADS: [i128; 3] = [1024, 1024, 64];

/// The most blocks of a grid along each dimension.
const MOST_BLOCKS: [i128; 3] = [0x7fff_ffff, 0xffff, 0xffff];

/// The most blocks of a cluster.
const MOST_OF_CLUSTER: i128 = 16;

impl Block {
    /// The least and the greatest number of threads along a dimension.
    fn threads(self, n: usize) -> (i128, i128) {
        match self {
            Self::Unknown => (1, MOST_THREADS[n]),
            Self::AtMost(most) => (1, most.clamp(1, MOST_THREADS[n])),
            Self::Exactly(extents) => (extents[n], extents[n]),
        }
    }

    /// The least and the greatest number that a special register holds.
    fn range(self, register: Fixed) -> (i128, i128) {
        match register {
            Fixed::Thread(dimension) => (0, self.threads(dimension).1 - 1),
            Fixed::Threads(dimension) => self.threads(dimension),
            Fixed::Block(dimension) => (0, MOST_BLOCKS[dimension] - 1),
            Fixed::Blocks(dimension) => (1, MOST_BLOCKS[dimension]),
            Fixed::Lane => (0, 31),
            Fixed::InCluster => (0, MOST_OF_CLUSTER - 1),
            Fixed::OfCluster => (1, MOST_OF_CLUSTER),
        }
    }
}

/// What a special register holds that holds the same for a thread from start to end.
#[derive(Clone, Copy)]
enum Fixed {
    /// The number of the thread in its block, along a dimension.
    Thread(usize),
    /// The number of threads of a block.
    Threads(usize),
    /// The number of the block in the grid.
    Block(usize),
    /// The number of blocks of the grid.
    Blocks(usize),
    /// The number of the thread in its warp.
    Lane,
    /// The number of the block in its cluster, along a dimension or in all.
    InCluster,
    /// The number of blocks of a cluster, along a dimension or in all.
    OfCluster,
}

/// The special registers that hold the same for a thread from start to end.
const FIXED: &[(&str, Fixed)] = &[
    ("%tid.x", Fixed::Thread(0)),
    ("%tid.y", Fixed::Thread(1)),
    ("%tid.z", Fixed::Thread(2)),
    ("%ntid.x", Fixed::Threads(0)),
    ("%ntid.y", Fixed::Threads(1)),
    ("%ntid.z", Fixed::Threads(2)),
    ("%ctaid.x", Fixed::Block(0)),
    ("%ctaid.y", Fixed::Block(1)),
    ("%ctaid.z", Fixed::Block(2)),
    ("%nctaid.x", Fixed::Blocks(0)),
    ("%nctaid.y", Fixed::Blocks(1)),
    ("%nctaid.z", Fixed::Blocks(2)),
    ("%laneid", Fixed::Lane),
    ("%cluster_ctaid.x", Fixed::InCluster),
    ("%cluster_ctaid.y", Fixed::InCluster),
    ("%cluster_ctaid.z", Fixed::InCluster),
    ("%cluster_ctarank", Fixed::InCluster),
    ("%cluster_nctaid.x", Fixed::OfCluster),
    ("%cluster_nctaid.y", Fixed::OfCluster),
    ("%cluster_nctaid.z", Fixed::OfCluster),
    ("%cluster_nctarank", Fixed::OfCluster),
];

/// One of them, by its name and the element that is taken of it.
fn fixed(name: &str, element: &str) -> Option<&'static (&'static str, Fixed)> {
    FIXED.iter().find(|(full, _)| match full.split_once('.') {
        Some((base, part)) => base == name && part == element,
        None => *full == name && element.is_empty(),
    })
}

/// How it compares what is known of a special register, by its whole name.
fn range_of(name: &str, block: Block) -> Option<(i128, i128)> {
    let (_, register) = FIXED.iter().find(|(full, _)| *full == name)?;
    Some(block.range(*register))
}

/// A sum of special registers, each taken a number of times, and a number.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Affine {
    terms: Vec<(&'static str, i128)>,
    plus: i128,
}

impl Affine {
    /// The most registers that are kept.
    const MOST: usize = 4;

    /// A special register, if it holds the same from start to end.
    pub(crate) fn special(name: &str, element: &str) -> Option<Self> {
        let (name, _) = fixed(name, element)?;
        Some(Self { terms: vec![(name, 1)], plus: 0 })
    }

    pub(crate) fn number(plus: i128) -> Self {
        Self { terms: Vec::new(), plus }
    }

    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        sum.plus = sum.plus.checked_add(other.plus)?;
        for (name, times) in &other.terms {
            match sum.terms.iter_mut().find(|(mine, _)| mine == name) {
                Some((_, mine)) => *mine = mine.checked_add(*times)?,
                None => sum.terms.push((name, *times)),
            }
        }
        sum.terms.retain(|(_, times)| *times != 0);
        sum.terms.sort_unstable();
        (sum.terms.len() <= Self::MOST).then_some(sum)
    }

    pub(crate) fn times(&self, by: i128) -> Option<Self> {
        let mut product = self.clone();
        product.plus = product.plus.checked_mul(by)?;
        for (_, times) in &mut product.terms {
            *times = times.checked_mul(by)?;
        }
        product.terms.retain(|(_, times)| *times != 0);
        Some(product)
    }

    /// The least and the greatest number that it can be.
    fn range(&self, block: Block) -> Option<(i128, i128)> {
        let mut range = (self.plus, self.plus);
        for (name, times) in &self.terms {
            let (least, most) = range_of(name, block)?;
            let ends = (least.checked_mul(*times)?, most.checked_mul(*times)?);
            let (low, high) = (ends.0.min(ends.1), ends.0.max(ends.1));
            range = (range.0.checked_add(low)?, range.1.checked_add(high)?);
        }
        Some(range)
    }

    /// Whether it is the same number in a register of so many bits, signed or not, in every launch.
    pub(crate) fn fits(&self, bits: u32) -> bool {
        self.range(Block::Unknown).is_some_and(|range| is_plain(range, bits))
    }
}

/// Whether numbers are the same in a register of so many bits, signed or not.
fn is_plain((least, most): (i128, i128), bits: u32) -> bool {
    least >= 0 && most < 1 << (bits.clamp(1, 64) - 1)
}

/// What the launch has to decide for sums to compare so.
fn condition(one: &Affine, comparison: Comparison, other: &Affine) -> Option<Rc<LaunchCondition>> {
    // Numbers stand on the right.
    let (one, comparison, other) = if one.terms.is_empty() {
        (other, comparison.reversed(), one)
    } else {
        (one, comparison, other)
    };
    let plus = other.plus.saturating_sub(one.plus);
    LaunchCondition::new(&one.terms, comparison, &other.terms, plus).map(Rc::new)
}

/// What a comparison in so many bits says, in every launch with this block: whether it holds, if that
/// is known, and else what the launch has to decide for it to hold and not to.
pub(crate) fn compare(
    one: &Affine,
    comparison: Comparison,
    other: &Affine,
    bits: u32,
    block: Block,
) -> Result<bool, Option<[Rc<LaunchCondition>; 2]>> {
    let (Some(mine), Some(others)) = (one.range(block), other.range(block)) else {
        return Err(None);
    };
    if !is_plain(mine, bits) || !is_plain(others, bits) {
        return Err(None);
    }
    match comparison.holds_between(mine.0 - others.1, mine.1 - others.0) {
        Some(holds) => Ok(holds),
        None => {
            let decided = |comparison| condition(one, comparison, other);
            Err(decided(comparison)
                .zip(decided(comparison.negated()))
                .map(|(holds, fails)| [holds, fails]))
        }
    }
}
