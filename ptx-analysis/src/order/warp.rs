//! A warp: its registers, its threads in groups that are at the same step, and what has happened before.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::order::clock::{Agent, Clock, Past};
use crate::order::groups::Groups;
use crate::order::lanes::{Lanes, Mask, Registers};
use crate::order::launch::Launch;
use crate::order::term::{Special, Thread};
use crate::order::within::Within;

/// What threads wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wait {
    /// Nothing: they can run.
    Nothing,
    /// A phase of the mbarrier at this address.
    Phase(u64),
    /// The barrier of their block with this number.
    Block(u64),
    /// The barrier of the cluster.
    Cluster,
    /// So many columns of tensor memory.
    Columns(u64),
    /// Other threads of the warp: a mask.
    Warp(Mask),
}

/// Threads of a warp that are at the same step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fiber {
    pub(super) lanes: Mask,
    pub(super) at: usize,
    pub(super) wait: Wait,
    /// Whether they have done more than computing since they left the others.
    pub(super) has_acted: bool,
}

/// The copies of a kind that these threads of a warp started together, and the agent whose accesses they are.
#[derive(Clone, Debug)]
pub(super) struct Copies {
    pub(super) lanes: Mask,
    pub(super) agent: Agent,
    pub(super) groups: Groups,
}

/// A warp.
#[derive(Debug)]
pub(super) struct Warp {
    /// Its number, among those of the cluster.
    pub(super) number: usize,
    /// The rank of its block.
    pub(super) block: u64,
    /// The number of its first thread in the block.
    pub(super) first: u64,
    pub(super) registers: Registers,
    /// The tried numbers from which those in its registers are computed, as a bit for each, if any are.
    pub(super) bases: SortedMap<usize, u64>,
    /// The threads that there were at the start.
    pub(super) threads: Mask,
    /// The threads that have not ended.
    pub(super) live: Mask,
    pub(super) fibers: Vec<Fiber>,
    pub(super) past: Past,
    /// What had happened before its last fence, which a relaxed arrival makes known.
    pub(super) fenced: Past,
    /// What relaxed waits have seen, which counts after a fence.
    pub(super) seen: Past,
    /// What it may have let threads know that wait for something in memory.
    pub(super) told: Clock,
    /// When it has written last.
    pub(super) wrote: u32,
    /// Its own time.
    pub(super) time: u32,
    /// Whether it has waited at the barrier of the cluster: all blocks have started.
    pub(super) has_met_cluster: bool,
    /// Whether it may have waited for a flag in memory.
    pub(super) is_after_flag: bool,
    /// Copies by `cp.async`; bulk copies, of which sources were read; the same, of which destinations were written;
    /// multiplications; and what it loads from tensor memory and stores there.
    pub(super) copies: [Vec<Copies>; 6],
    /// The registers into which it loads from tensor memory.
    pub(super) loading: SortedSet<usize>,
    /// The first step that has copied one of them since the last wait.
    pub(super) copied: Option<usize>,
    /// The mbarriers that it tested for parity 1 before any phase of them was over, by their agents: the step of the test,
    /// the address, and the time.
    pub(super) early: SortedMap<Agent, (usize, u64, u32)>,
    /// The lanes of which it is known that they are missing.
    pub(super) missing: Mask,
    /// For each thread, the phase of the cluster's barrier in which it has arrived.
    pub(super) arrived: [Option<u32>; 32],
    /// The order of its threads, if lockstep does not count.
    pub(super) within: Option<Within>,
}

/// The kinds of [`Warp::copies`].
pub(super) const ASYNC: usize = 0;
pub(super) const BULK_READS: usize = 1;
pub(super) const BULK_WRITES: usize = 2;
pub(super) const MULTIPLICATIONS: usize = 3;
pub(super) const TENSOR_LOADS: usize = 4;
pub(super) const TENSOR_STORES: usize = 5;

impl Warp {
    pub(super) fn new(number: usize, launch: &Launch, registers: usize) -> Self {
        let warps = launch.warps().max(1);
        let block = number as u64 / warps;
        let first = number as u64 % warps * 32;
        let threads = launch.threads().saturating_sub(first).min(32);
        let threads = if threads >= 32 { Mask::MAX } else { (1 << threads) - 1 };
        let mut past = Past::default();
        past.happened.reach(number, 1);
        past.causes.reach(number, 1);
        Self {
            number,
            block,
            first,
            registers: vec![Lanes::UNKNOWN; registers].into(),
            bases: SortedMap::new(),
            threads,
            live: threads,
            fibers: vec![Fiber { lanes: threads, at: 0, wait: Wait::Nothing, has_acted: false }],
            past,
            fenced: Past::default(),
            seen: Past::default(),
            told: Clock::default(),
            wrote: 0,
            time: 1,
            has_met_cluster: false,
            is_after_flag: false,
            copies: [const { Vec::new() }; 6],
            loading: SortedSet::new(),
            copied: None,
            early: SortedMap::new(),
            missing: 0,
            arrived: [None; 32],
            within: launch.is_strict.then(Within::default),
        }
    }

    /// Returns the block and the number in it of its warpgroup.
    pub(super) const fn group(&self) -> (u64, u64) {
        (self.block, self.first / 128)
    }

    /// Notes whether it may have waited for something in memory, and for threads of its block only.
    pub(super) fn see_flag(&mut self, waits: bool, is_of_block: bool) {
        self.is_after_flag |= waits;
        self.past.has_flag |= waits;
        self.past.has_far_flag |= waits && !is_of_block;
    }

    /// Starts a new time: what the warp does from now on is not known to those who know what it did before.
    pub(super) fn tick(&mut self) {
        self.time += 1;
        self.past.happened.reach(self.number, self.time);
        self.past.causes.reach(self.number, self.time);
    }

    /// Lets each of these threads know what all of them have done.
    pub(super) fn meet(&mut self, lanes: Mask) {
        if let Some(within) = &mut self.within {
            within.meet(lanes, self.time);
            within.share(lanes, self.live);
            self.tick();
        }
    }

    /// Notes that only these threads wait for what comes now, if lockstep does not count.
    pub(super) fn wait(&mut self, lanes: Mask) {
        if let Some(within) = &mut self.within {
            within.wait(lanes, self.live, &self.past);
        }
    }

    /// Lets these threads know what all threads of the warp have done.
    pub(super) fn learn(&mut self, lanes: Mask) {
        if let Some(within) = &mut self.within {
            within.learn(lanes, self.time);
            self.tick();
        }
    }

    /// Returns what arrivals of these threads make known.
    pub(super) fn released(&self, lanes: Mask, is_relaxed: bool) -> Cow<'_, Past> {
        let past = if is_relaxed { &self.fenced } else { &self.past };
        match &self.within {
            None => Cow::Borrowed(past),
            Some(within) => {
                let mut past = past.clone();
                let known = within.of(lanes | !self.live, self.time);
                past.threads.insert(self.number, Box::new(known));
                Cow::Owned(past)
            }
        }
    }

    /// Lets threads know what has happened that wait for something in memory which it writes now or afterwards.
    pub(super) fn tell(&mut self) {
        self.told.join(&self.past.happened);
    }

    /// Executes a fence.
    pub(super) fn fence(&mut self) {
        let seen = core::mem::take(&mut self.seen);
        self.past.join(&seen);
        self.tell();
        self.fenced = self.past.clone();
        self.tick();
    }

    /// Executes a proxy fence.
    pub(super) fn fence_proxy(&mut self) {
        self.past.fenced.join(&self.past.happened);
        self.tick();
    }

    /// Executes all fences.
    pub(super) fn fence_all(&mut self) {
        self.fence();
        self.fence_proxy();
    }

    /// Does something with the groups of copies of a kind, and notes which of them were waited for.
    pub(super) fn each_of_kind(&mut self, kind: usize, mut does: impl FnMut(&mut Groups)) {
        for copies in &mut self.copies[kind] {
            does(&mut copies.groups);
            self.past.happened.reach(copies.agent, copies.groups.reached());
        }
    }

    /// Waits for all that these threads have loaded from tensor memory, or stored there.
    pub(super) fn wait_for_tensor(&mut self, lanes: Mask, kind: usize) {
        self.each_of_kind(kind, |it| it.wait_all(lanes));
        if kind == TENSOR_LOADS {
            self.loading.clear();
            self.copied = None;
        }
    }

    /// Returns the tried numbers from which the one in a register is computed, as a bit for each.
    pub(super) fn bases(&self, register: usize) -> u64 {
        self.bases.get(&register).copied().unwrap_or_default()
    }

    /// Notes from which tried numbers those are computed that these threads write into a register.
    pub(super) fn note_bases(&mut self, register: usize, lanes: Mask, new: u64) {
        let old = if lanes == self.live { 0 } else { self.bases(register) };
        match old | new {
            0 => self.bases.remove(&register),
            all => self.bases.insert(register, all),
        };
    }

    /// Sets a register of these threads.
    pub(super) fn set(&mut self, register: usize, lanes: Mask, numbers: Lanes) {
        if let Some(old) = self.registers.get_mut(register) {
            old.set(lanes, self.live, numbers);
        }
    }
}

/// A warp in its launch.
pub(super) struct View<'v> {
    pub(super) warp: &'v Warp,
    pub(super) launch: &'v Launch,
}

impl Thread for View<'_> {
    fn register(&self, register: usize) -> &Lanes {
        self.warp.registers.get(register).unwrap_or(&Lanes::UNKNOWN)
    }

    fn special(&self, special: Special, lane: usize) -> Option<u64> {
        self.launch.special(special, self.warp.block, self.warp.first + lane as u64)
    }

    fn parameter(&self, storage: usize, from: u64, bytes: usize) -> Option<u64> {
        self.launch.parameter(storage, from, bytes)
    }

    fn blocks(&self) -> u64 {
        self.launch.blocks()
    }
}
