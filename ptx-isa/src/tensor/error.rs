//! Errors of maps whose numbers are known at run time.

use core::fmt;

use super::rules::Verdict;
use crate::count::Count;
use crate::target::Target;

/// The reason why a map, or its descriptor, cannot be made.
#[derive(Clone)]
#[non_exhaustive]
pub enum MapError {
    /// All the rules that it breaks.
    Rules(Verdict),
    /// A list has the wrong number of values.
    Count {
        /// The list: `dims`, `strides`, `lower`, `upper`.
        list: &'static str,
        /// The number of its values.
        found: usize,
        /// The number of values that it needs.
        needed: usize,
    },
    /// No layout of descriptors was observed for this target.
    Layout(Target),
}

crate::__debug_as_message!(MapError);

impl MapError {
    /// The rules that the map breaks, if it breaks any.
    pub const fn verdict(&self) -> Option<&Verdict> {
        match self {
            Self::Rules(verdict) => Some(verdict),
            Self::Count { .. } | Self::Layout(_) => None,
        }
    }
}

impl From<Verdict> for MapError {
    fn from(verdict: Verdict) -> Self {
        Self::Rules(verdict)
    }
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(verdict) => verdict.fmt(f),
            Self::Count { list, found, needed } => {
                write!(f, "`{list}` has {} instead of {needed}", Count(*found, "value"))
            }
            Self::Layout(target) => write!(
                f,
                "the layout of descriptors is known only for sm_90, not for {target}; let the driver encode the map"
            ),
        }
    }
}

impl core::error::Error for MapError {}
