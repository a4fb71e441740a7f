//! The constants of a body.

/// What is known about the constants of a body, in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constants<'c> {
    /// The value of each constant, if it is known.
    pub values: &'c [Option<i128>],
    /// For each constant, the first constant equal to it: its own index or a lower one.
    pub same: &'c [usize],
}

impl Constants<'_> {
    /// No constants.
    #[cfg(test)]
    pub(crate) const NONE: Self = Self { values: &[], same: &[] };

    /// Returns the first constant that equals this one.
    pub(crate) fn number(&self, constant: usize) -> usize {
        self.same.get(constant).copied().unwrap_or(constant)
    }
}
