//! Vector clocks: what has surely happened before.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::sorted::SortedMap;

use crate::order::lanes::WARP;

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
    /// Whether something in memory may have been waited for, and by an access whose scope holds other blocks.
    pub(super) has_flag: bool,
    pub(super) has_far_flag: bool,
    /// Of warps of which some threads have told what happened, if lockstep does not count: up to when that is known of each
    /// thread.
    pub(super) threads: SortedMap<Agent, Box<[u32; WARP]>>,
}

impl Past {
    /// Returns up to when it is known what a thread of a warp has done.
    fn of_thread(&self, warp: Agent, lane: usize) -> u32 {
        self.threads.get(&warp).map_or_else(|| self.happened.of(warp), |known| known[lane])
    }

    /// Whether it is known what a thread of a warp, or a copy, did at a time.
    pub(super) fn knows(&self, agent: Agent, lane: usize, time: u32) -> bool {
        self.of_thread(agent, lane) >= time
    }

    pub(super) fn join(&mut self, other: &Self) {
        let warps: Vec<Agent> = self.threads.keys().chain(other.threads.keys()).copied().collect();
        for warp in warps {
            let of = |lane| self.of_thread(warp, lane).max(other.of_thread(warp, lane));
            let known: [u32; WARP] = core::array::from_fn(of);
            let all = self.happened.of(warp).max(other.happened.of(warp));
            if known.iter().all(|time| *time >= all) {
                self.threads.remove(&warp);
            } else {
                self.threads.insert(warp, Box::new(known));
            }
        }
        self.happened.join(&other.happened);
        self.fenced.join(&other.fenced);
        self.causes.join(&other.causes);
        self.has_flag |= other.has_flag;
        self.has_far_flag |= other.has_far_flag;
    }
}
