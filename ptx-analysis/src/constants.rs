//! The constants of a body.

/// What is known of the constants of a body, in order.
#[derive(Clone, Copy, Debug)]
pub struct Constants<'c> {
    /// The number that each is, if that is known.
    pub values: &'c [Option<i128>],
    /// The first constant that each is the same as: its own number, or a lower one.
    pub same: &'c [usize],
}

impl Constants<'_> {
    /// None.
    pub const NONE: Self = Self { values: &[], same: &[] };

    /// The first constant that this one is the same as.
    pub(crate) fn number(&self, constant: usize) -> usize {
        self.same.get(constant).copied().unwrap_or(constant)
    }
}
