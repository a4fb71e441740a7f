//! Values determined by the launch: special registers that are constant for the lifetime of a thread.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::ir::{Directive, DirectiveKind, MOST_THREADS};
use ptx_isa::rules::{Comparison, LaunchCondition};

use crate::values::launches::Launches;

/// The block extents, as far as directives specify them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Block {
    /// Not specified.
    #[default]
    Unknown,
    /// At most this many threads: `.maxntid`.
    AtMost(i128),
    /// Exactly these extents: `.reqntid`.
    Exactly([i128; 3]),
}

/// The maximum number of threads of a block.
const MOST_OF_BLOCK: i128 = 1024;

/// Returns the maximum number of blocks in a cluster, as far as directives specify it, and whether it is the exact
/// number.
pub(crate) fn cluster(directives: &[Directive]) -> Option<(u32, bool)> {
    directives.iter().find_map(|directive| {
        let is_exact = match directive.kind {
            DirectiveKind::ReqNCtaPerCluster => true,
            DirectiveKind::MaxClusterRank => false,
            _ => return None,
        };
        Some((u32::try_from(directive.product()).unwrap_or(u32::MAX), is_exact))
    })
}

/// Returns the number of blocks in a cluster of a launch, if it is given, and that it is the exact number.
pub(crate) fn given_cluster(launches: Launches<'_>) -> Option<(u32, bool)> {
    let Launches::Given(launch) = launches else { return None };
    let blocks = launch.cluster?.into_iter().fold(1, u32::saturating_mul);
    Some((blocks, true))
}

impl Block {
    /// Returns the extents, which a launch decides where directives do not.
    pub(crate) fn or(self, launches: Launches<'_>) -> Self {
        match (self, launches) {
            (Self::Exactly(_), _) | (_, Launches::Declared | Launches::Usual) => self,
            (_, Launches::Given(launch)) => {
                launch.block.map_or(self, |block| Self::Exactly(block.map(i128::from)))
            }
        }
    }

    /// Returns the extents of a block, as far as directives specify them.
    pub(crate) fn of(directives: &[Directive]) -> Self {
        let of_kind = |kind| directives.iter().find(|directive| directive.kind == kind);
        match (of_kind(DirectiveKind::ReqNTid), of_kind(DirectiveKind::MaxNTid)) {
            (Some(exact), _) => Self::Exactly(exact.values.map(i128::from)),
            (None, Some(most)) => Self::AtMost(most.product().into()),
            (None, None) => Self::Unknown,
        }
    }

    /// Returns the minimum and the maximum number of threads along a dimension.
    pub(crate) fn threads(self, n: usize) -> (i128, i128) {
        match self {
            Self::Unknown => (1, i128::from(MOST_THREADS[n])),
            Self::AtMost(most) => (1, most.clamp(1, i128::from(MOST_THREADS[n]))),
            Self::Exactly(extents) => (extents[n], extents[n]),
        }
    }

    /// Returns the maximum number of threads of a block.
    pub(crate) fn most_threads(self) -> i128 {
        match self {
            Self::Unknown => MOST_OF_BLOCK,
            Self::AtMost(most) => most.clamp(1, MOST_OF_BLOCK),
            Self::Exactly(extents) => {
                let product = extents.iter().fold(1_i128, |all, one| all.saturating_mul(*one));
                product.clamp(1, MOST_OF_BLOCK)
            }
        }
    }
}

/// A value that is constant for the lifetime of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fixed {
    /// The index of the thread in its block along a dimension: `%tid`.
    Thread(usize),
    /// The number of threads of a block along a dimension: `%ntid`.
    Threads(usize),
    /// The index of the block in the grid along a dimension: `%ctaid`.
    Block(usize),
    /// The number of blocks of the grid along a dimension: `%nctaid`.
    Blocks(usize),
    /// The index of the thread in its warp: `%laneid`.
    Lane,
    /// The rank of the block in its cluster.
    Rank,
    /// The index of the block in its cluster along a dimension.
    InCluster,
    /// The number of blocks of a cluster.
    OfCluster,
    /// The number of blocks of a cluster along a dimension.
    AlongCluster,
    /// Not a register: the iteration number of a loop whose iterations are followed as a batch.
    Round(usize),
}

/// The special registers that are constant for the lifetime of a thread.
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
    ("%cluster_ctarank", Fixed::Rank),
    ("%cluster_nctaid.x", Fixed::AlongCluster),
    ("%cluster_nctaid.y", Fixed::AlongCluster),
    ("%cluster_nctaid.z", Fixed::AlongCluster),
    ("%cluster_nctarank", Fixed::OfCluster),
    (ROUNDS[0], Fixed::Round(0)),
    (ROUNDS[1], Fixed::Round(1)),
];

/// Pseudo-registers for loop iteration numbers; no special register has these names.
pub(crate) const ROUNDS: [&str; 2] = ["rounds", "outer rounds"];

/// Returns a constant special register by its name and element.
pub(crate) fn fixed(name: &str, element: &str) -> Option<&'static (&'static str, Fixed)> {
    FIXED.iter().find(|(full, _)| match full.split_once('.') {
        Some((base, part)) => base == name && part == element,
        None => *full == name && element.is_empty(),
    })
}

/// The special register with this whole name.
pub(crate) fn register(name: &str) -> Option<Fixed> {
    FIXED.iter().find(|(full, _)| *full == name).map(|(_, register)| *register)
}

/// A sum of special registers with coefficients, plus a number.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Affine {
    terms: Vec<(&'static str, i128)>,
    plus: i128,
}

impl Affine {
    /// The maximum number of registers to keep.
    const MOST: usize = 4;

    /// Returns a special register, if it is constant for the lifetime of a thread.
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

    /// Returns the iteration number of loop `n`, multiplied by `times`.
    pub(crate) fn rounds(n: usize, times: i128) -> Self {
        Self { terms: vec![(ROUNDS[n], times)], plus: 0 }
    }

    /// Returns the terms with their coefficients.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (Fixed, i128)> {
        self.terms.iter().filter_map(|(name, times)| Some((register(name)?, *times)))
    }

    /// Creates a sum from the names of special registers.
    pub(crate) fn named(&self) -> &[(&'static str, i128)] {
        &self.terms
    }

    /// Returns the coefficient of a term.
    pub(crate) fn times_of(&self, wanted: Fixed) -> i128 {
        self.terms().find(|(of, _)| *of == wanted).map_or(0, |(_, times)| times)
    }

    /// Divides the sum, if the divisor divides every coefficient; the constant is rounded down.
    pub(crate) fn divided(&self, by: i128) -> Option<Self> {
        if by <= 0 {
            return None;
        }
        let mut sum = self.clone();
        for (_, times) in &mut sum.terms {
            if *times % by != 0 {
                return None;
            }
            *times /= by;
        }
        sum.plus = sum.plus.div_euclid(by);
        Some(sum)
    }

    /// Returns the constant term.
    pub(crate) fn added(&self) -> i128 {
        self.plus
    }

    /// Returns the number, if it is constant.
    pub(crate) fn value(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.plus)
    }

    /// Substitutes a value for a term.
    pub(crate) fn with(&self, of: Fixed, value: i128) -> Option<Self> {
        let mut sum = self.clone();
        let times = self.times_of(of);
        sum.terms.retain(|(name, _)| register(name) != Some(of));
        sum.plus = sum.plus.checked_add(times.checked_mul(value)?)?;
        Some(sum)
    }

    /// Returns the launch condition under which the sums compare this way.
    pub(crate) fn condition(
        &self,
        comparison: Comparison,
        other: &Self,
    ) -> Option<Rc<LaunchCondition>> {
        // A number goes on the right-hand side.
        let (one, comparison, other) = if self.terms.is_empty() {
            (other, comparison.reversed(), self)
        } else {
            (self, comparison, other)
        };
        let plus = other.plus.saturating_sub(one.plus);
        LaunchCondition::new(&one.terms, comparison, &other.terms, plus).map(Rc::new)
    }
}

#[cfg(test)]
mod tests;
