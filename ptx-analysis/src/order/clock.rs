//! Vector clocks: what has surely happened before.

use alloc::vec::Vec;

/// What acts in an order of its own: a warp, its copies of a kind, its multiplications, or the copies that complete on an
/// mbarrier.
pub(super) type Agent = usize;

/// For each agent, up to when all of its accesses have happened.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock(Vec<u32>);

impl Clock {
    /// Returns the time of an agent.
    pub(super) fn of(&self, agent: Agent) -> u32 {
        self.0.get(agent).copied().unwrap_or_default()
    }

    /// Notes that an agent's accesses up to a time have happened.
    pub(super) fn reach(&mut self, agent: Agent, time: u32) {
        if self.0.len() <= agent {
            self.0.resize(agent + 1, 0);
        }
        self.0[agent] = self.0[agent].max(time);
    }

    /// Adds what has happened before something else.
    pub(super) fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, other) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*other);
        }
    }
}

/// What has happened before, and the part of it that a proxy fence has made visible to asynchronous accesses.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    pub(super) happened: Clock,
    pub(super) fenced: Clock,
    /// The part of what threads have done that surely comes before in time, even if what they have written is not visible.
    pub(super) causes: Clock,
    /// Whether something in memory may have been waited for.
    pub(super) has_flag: bool,
}

impl Past {
    pub(super) fn join(&mut self, other: &Self) {
        self.happened.join(&other.happened);
        self.fenced.join(&other.fenced);
        self.causes.join(&other.causes);
        self.has_flag |= other.has_flag;
    }
}
