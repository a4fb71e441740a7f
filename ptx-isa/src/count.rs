//! Counts with their nouns.

use core::fmt;

/// A count with its noun, in the plural where needed: `1 number`, `2 numbers`.
#[derive(Clone, Copy, Debug)]
pub struct Count(pub usize, pub &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, thing) = self;
        write!(f, "{count} {thing}{}", if *count == 1 { "" } else { "s" })
    }
}
