//! Budgets for analyses.

/// The remaining budget of steps and of kept values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    steps: usize,
    values: usize,
}

impl Effort {
    /// Creates a budget of `each` steps per node, plus `besides`.
    pub(crate) const fn of(nodes: usize, (each, besides): (usize, usize)) -> Self {
        Self { steps: nodes.saturating_mul(each).saturating_add(besides), values: usize::MAX }
    }

    /// Adds a budget of `each` values per node, plus `besides`.
    pub(crate) const fn with_values(self, nodes: usize, (each, besides): (usize, usize)) -> Self {
        Self { values: nodes.saturating_mul(each).saturating_add(besides), ..self }
    }

    /// Spends this many steps.
    pub(crate) const fn spend(&mut self, steps: usize) {
        self.steps = self.steps.saturating_sub(steps);
    }

    /// Spends a step; `None` if the budget is exhausted.
    pub(crate) const fn step(&mut self) -> Option<()> {
        self.spend(1);
        self.left()
    }

    /// Returns `None` once the budget is exhausted.
    pub(crate) const fn left(&self) -> Option<()> {
        if self.is_spent() { None } else { Some(()) }
    }

    /// Spends the budget for this many values.
    pub(crate) const fn keep(&mut self, values: usize) {
        self.values = self.values.saturating_sub(values);
    }

    /// Whether the budget is exhausted.
    pub(crate) const fn is_spent(&self) -> bool {
        self.steps == 0 || self.values == 0
    }
}
