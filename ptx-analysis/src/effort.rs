//! How much is done to find something out.

/// How many steps may still be done.
#[derive(Debug)]
pub(crate) struct Effort(usize);

impl Effort {
    /// So many steps.
    pub(crate) const fn of(steps: usize) -> Self {
        Self(steps)
    }

    /// Does so many.
    pub(crate) fn spend(&mut self, steps: usize) {
        self.0 = self.0.saturating_sub(steps);
    }

    /// Whether no more may be done.
    pub(crate) const fn is_spent(&self) -> bool {
        self.0 == 0
    }
}
