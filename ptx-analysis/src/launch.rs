//! What the launch decides: special registers that hold the same for a thread from start to end.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use ptx_types::rules::Comparison;

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

    /// The least and the greatest number that a special register holds, if it holds the same from
    /// start to end.
    fn range(self, name: &str) -> Option<(i128, i128)> {
        let (base, dimension) = match name.rsplit_once('.') {
            Some((base, "x")) => (base, 0),
            Some((base, "y")) => (base, 1),
            Some((base, "z")) => (base, 2),
            Some(_) => return None,
            None => (name, 0),
        };
        let is_vector = name.contains('.');
        Some(match (base, is_vector) {
            ("%tid", true) => (0, self.threads(dimension).1 - 1),
            ("%ntid", true) => self.threads(dimension),
            ("%ctaid", true) => (0, MOST_BLOCKS[dimension] - 1),
            ("%nctaid", true) => (1, MOST_BLOCKS[dimension]),
            ("%laneid", false) => (0, 31),
            ("%cluster_ctaid", true) | ("%cluster_ctarank", false) => (0, MOST_OF_CLUSTER - 1),
            ("%cluster_nctaid", true) | ("%cluster_nctarank", false) => (1, MOST_OF_CLUSTER),
            (_, _) => return None,
        })
    }
}

/// A sum of special registers, each taken a number of times, and a number.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Affine {
    terms: Vec<(Rc<str>, i128)>,
    plus: i128,
}

impl Affine {
    /// The most registers that are kept.
    const MOST: usize = 4;

    /// A special register, if it holds the same from start to end.
    pub(crate) fn special(name: &str) -> Option<Self> {
        Block::Unknown.range(name)?;
        Some(Self { terms: vec![(name.into(), 1)], plus: 0 })
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
                None => sum.terms.push((Rc::clone(name), *times)),
            }
        }
        sum.terms.retain(|(_, times)| *times != 0);
        sum.terms.sort();
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
            let (least, most) = block.range(name)?;
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

/// What a comparison in so many bits says, in every launch with this block: whether it holds, if
/// that is known, and else in words.
pub(crate) fn compare(
    one: &Affine,
    comparison: Comparison,
    other: &Affine,
    bits: u32,
    block: Block,
) -> Result<bool, Option<[String; 2]>> {
    let (Some(mine), Some(others)) = (one.range(block), other.range(block)) else {
        return Err(None);
    };
    if !is_plain(mine, bits) || !is_plain(others, bits) {
        return Err(None);
    }
    let (low, high) = (mine.0 - others.1, mine.1 - others.0);
    let always = |range: (i128, i128)| comparison.holds_between(range.0, range.1);
    match always((low, high)) {
        Some(holds) => Ok(holds),
        None => Err(Some([words(one, comparison, other), words(one, comparison.negated(), other)])),
    }
}

/// `%tid.x + 16 * %ntid.x < 7680`
fn words(one: &Affine, comparison: Comparison, other: &Affine) -> String {
    // Numbers stand on the right.
    let (one, comparison, other) = if one.terms.is_empty() {
        (other, comparison.reversed(), one)
    } else {
        (one, comparison, other)
    };
    let side = |affine: &Affine, plus: i128| {
        let mut parts: Vec<String> = affine
            .terms
            .iter()
            .map(|(name, times)| match times {
                1 => format!("`{name}`"),
                times => format!("{times} * `{name}`"),
            })
            .collect();
        if plus != 0 || parts.is_empty() {
            parts.push(plus.to_string());
        }
        parts.join(" + ").replace("+ -", "- ")
    };
    format!(
        "{} {} {}",
        side(one, 0),
        comparison.symbol(),
        side(other, other.plus.saturating_sub(one.plus))
    )
}
