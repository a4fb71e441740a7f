//! How much is done to find something out.

/// How many steps may still be done, and how many values kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    steps: usize,
    values: usize,
}

impl Effort {
    /// So many steps for each of so many nodes, and besides.
    pub(crate) const fn of(nodes: usize, (each, besides): (usize, usize)) -> Self {
        Self { steps: nodes.saturating_mul(each).saturating_add(besides), values: usize::MAX }
    }

    /// The same with so many values for each of so many nodes, and besides.
    pub(crate) const fn with_values(self, nodes: usize, (each, besides): (usize, usize)) -> Self {
        Self { values: nodes.saturating_mul(each).saturating_add(besides), ..self }
    }

    /// Does so many steps.
    pub(crate) const fn spend(&mut self, steps: usize) {
        self.steps = self.steps.saturating_sub(steps);
    }

    /// Does one more step, if it may be done.
    pub(crate) const fn step(&mut self) -> Option<()> {
        self.spend(1);
        self.left()
    }

    /// Nothing, once no more may be done.
    pub(crate) const fn left(&self) -> Option<()> {
        if self.is_spent() { None } else { Some(()) }
    }

    /// Keeps so many values.
    pub(crate) const fn keep(&mut self, values: usize) {
        self.values = self.values.saturating_sub(values);
    }

    /// Whether no more may be done.
    pub(crate) const fn is_spent(&self) -> bool {
        self.steps == 0 || self.values == 0
    }
}
