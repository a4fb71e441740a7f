//! The test of dynamic shared memory that has several names.

use super::{Arg, Args, NONE};

/// A load, through one name of dynamic shared memory, of what was stored through it and overwritten through another.
#[derive(Clone, Copy, Debug)]
pub struct AliasedLoad<'a> {
    /// The name through which it is loaded.
    pub lost: &'a str,
    /// The name through which it was overwritten.
    pub by: &'a str,
}

#[allow(clippy::unnecessary_wraps)] // all tests have this signature
pub(super) const fn dynamic_shared_aliases(aliased: AliasedLoad<'_>) -> Option<Args<'_>> {
    Some([Arg::Str(aliased.lost), Arg::Str(aliased.by), NONE, NONE])
}
