//! Barriers: mbarriers, those of a block, and that of a cluster.

use alloc::vec::Vec;

use crate::order::address::Byte;
use crate::order::clock::{Agent, Past};
use crate::order::fault::{Fault, Faults, Kind};
use crate::order::lanes::Mask;
use crate::order::memory::Access;
use crate::order::warp::Warp;

/// A copy of an unknown size.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    /// The first byte.
    pub(super) start: u64,
    /// The bytes from there on to the end of what it is in, if that is known.
    pub(super) room: Option<u64>,
    pub(super) access: Access,
    /// What had happened before it.
    pub(super) past: Past,
}

/// An mbarrier (PTX ISA 9.7.13.15).
#[derive(Debug)]
pub(super) struct Mbarrier {
    /// The agent whose accesses the copies are that complete on it.
    pub(super) agent: Agent,
    /// Who has initialised it, and when, and the step.
    pub(super) init: (Agent, u32),
    pub(super) init_step: usize,
    /// The number of arrivals for which it was initialised.
    pub(super) expected: u64,
    /// For each warp that has used it, when it did so last, and the step.
    uses: Vec<(Agent, u32, usize)>,
    /// The number of arrivals of a phase.
    pub(super) count: u64,
    /// The arrivals that are pending.
    pub(super) pending: u64,
    /// The bytes that are expected, less those that have come.
    pub(super) bytes: i64,
    /// The bytes that were expected in this phase, if any were, and the last step that did.
    expects: Option<(i64, usize)>,
    /// The last step whose copy has come in it.
    brings: Option<usize>,
    /// Whether copies of an unknown size have come.
    has_tiles: bool,
    /// Whether the numbers of bytes that were expected, and those that were copied, are ones that runs try, if any were.
    pub(super) expected_tried: Option<bool>,
    pub(super) copied_tried: Option<bool>,
    /// Those copies.
    pub(super) tiles: Vec<Tile>,
    /// The number of the phase.
    pub(super) phase: u32,
    /// What has happened before the arrivals of this phase.
    pub(super) arrivals: Past,
    /// What has happened before the last phase was over.
    pub(super) last: Past,
    /// Who has arrived in this phase, and who did in the last one, and whether that had no transactions.
    pub(super) came: Arrivals,
    came_before: Arrivals,
    was_plain: bool,
    /// Whether something arrives at a time of its own.
    pub(super) has_late: bool,
    /// The number of phases that were over when threads waited for one the last time.
    pub(super) awaited: u32,
    /// What counts in this phase or in the one before, the first of each step.
    undecided: Vec<(u32, Fault)>,
}

/// The arrivals at a barrier in a phase: the agents, and their times.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrivals(Vec<(Agent, u32)>);

impl Arrivals {
    /// Adds an arrival of a warp.
    pub(super) fn add(&mut self, warp: &Warp) {
        let new = (warp.number, warp.time);
        if self.0.last() != Some(&new) {
            self.0.push(new);
        }
    }

    /// Whether what a warp does now may come before one of these.
    pub(super) fn may_follow(&self, warp: &Warp) -> bool {
        let may_follow = |(agent, time): &(Agent, u32)| {
            *agent != warp.number && warp.past.causes.of(*agent) < *time
        };
        !warp.past.has_flag && self.0.iter().any(may_follow)
    }
}

impl Mbarrier {
    pub(super) fn new(agent: Agent, init: (Agent, u32), step: usize, count: u64) -> Self {
        Self {
            agent,
            init,
            init_step: step,
            expected: count,
            uses: Vec::new(),
            count,
            pending: count,
            bytes: 0,
            expects: None,
            brings: None,
            has_tiles: false,
            expected_tried: None,
            copied_tried: None,
            tiles: Vec::new(),
            phase: 0,
            arrivals: Past::default(),
            last: Past::default(),
            came: Arrivals::default(),
            came_before: Arrivals::default(),
            was_plain: true,
            has_late: false,
            awaited: 0,
            undecided: Vec::new(),
        }
    }

    /// Whether another number than those that runs try may make it right, since it is only copied or only expected.
    pub(super) fn may_be_right(&self) -> bool {
        let both = self.expected_tried.zip(self.copied_tried);
        both.is_some_and(|(expected, copied)| expected != copied)
    }

    /// Notes that a warp uses it.
    pub(super) fn note_use(&mut self, warp: &Warp, step: usize) {
        match self.uses.iter_mut().find(|(agent, ..)| *agent == warp.number) {
            Some(last) => (last.1, last.2) = (warp.time, step),
            None => self.uses.push((warp.number, warp.time, step)),
        }
    }

    /// Returns the steps of uses that may come after what a warp does now.
    pub(super) fn used_after(&self, warp: &Warp) -> impl Iterator<Item = usize> {
        let is_before = |(agent, time, _): &&(Agent, u32, usize)| {
            *agent == warp.number || warp.past.causes.of(*agent) >= *time
        };
        let is_known = warp.past.has_flag;
        let uses = self.uses.iter().filter(move |it| !is_known && !is_before(it));
        uses.map(|(_, _, step)| *step)
    }

    /// Whether what a warp does now may come before the end of the last phase.
    pub(super) fn may_end_after(&self, warp: &Warp) -> bool {
        let knows_end = warp.past.causes.of(self.agent) >= self.phase;
        let may_follow = || !self.was_plain || self.came_before.may_follow(warp);
        !knows_end && !warp.past.has_flag && may_follow()
    }

    /// Whether a warp that finds this phase of a parity over may have found the one before of that parity over instead:
    /// it does not know the end of the one in between.
    pub(super) fn may_be_passed_before(&self, warp: &Warp) -> bool {
        let past = &warp.past;
        let knows =
            |(agent, time): &(Agent, u32)| *agent == warp.number || past.causes.of(*agent) >= *time;
        let knows_end = past.causes.of(self.agent) + 1 >= self.phase;
        self.phase > 1 && !past.has_flag && !knows_end && !self.came_before.0.iter().any(knows)
    }

    /// Notes that a step expects bytes.
    pub(super) fn expect(&mut self, bytes: i64, step: usize) {
        let expected = self.expects.map_or(0, |(expected, _)| expected);
        self.expects = Some((expected.saturating_add(bytes), step));
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Whether bytes were expected in this phase.
    pub(super) const fn expects(&self) -> bool {
        self.expects.is_some()
    }

    /// Notes that a step has brought bytes, or a number of them that is not known.
    pub(super) fn bring(&mut self, bytes: Option<i64>, step: usize) {
        self.brings = Some(step);
        match bytes {
            Some(bytes) => self.bytes = self.bytes.saturating_sub(bytes),
            None => self.has_tiles = true,
        }
    }

    /// Whether a copy has come in this phase.
    pub(super) const fn has_come(&self) -> bool {
        self.brings.is_some()
    }

    /// Whether anything has come in this phase.
    pub(super) const fn is_begun(&self) -> bool {
        self.pending < self.count || self.expects() || self.has_tiles
    }

    /// Whether all have arrived in this phase, and more was copied than is expected: it may be over after a part of that,
    /// or never.
    pub(super) const fn has_excess(&self) -> bool {
        self.pending == 0 && (self.bytes < 0 || self.has_tiles)
    }

    /// Returns the fault of a phase for which nothing comes any more, if other bytes came than are expected.
    pub(super) fn differs(&self, address: u64) -> Option<Fault> {
        let is_settled = self.bytes == 0 && !self.has_tiles;
        let (kind, step) = match (self.expects, self.brings) {
            _ if is_settled || self.may_be_right() => return None,
            (Some((expected, step)), brings) if !self.has_tiles => {
                let copied = expected.saturating_sub(self.bytes);
                (Kind::OtherBytes(expected, copied, brings.unwrap_or(step)), step)
            }
            (None, Some(step)) => (Kind::NotExpected, step),
            (_, _) => return None,
        };
        Some(Fault::new(kind, step, Some(Byte::at(address))))
    }

    /// Notes that it is not decided whether something counts in a phase or in the one before.
    pub(super) fn note_undecided(&mut self, phase: u32, fault: Fault) {
        if self.undecided.iter().all(|(_, other)| other.step != fault.step) {
            self.undecided.push((phase, fault));
        }
    }

    /// Returns what counts in phases that threads wait for, but it is not decided in which.
    pub(super) fn undecided(&self) -> impl Iterator<Item = Fault> {
        let is_awaited = |(phase, _): &&(u32, Fault)| *phase <= self.awaited;
        self.undecided.iter().filter(is_awaited).map(|(_, fault)| *fault)
    }

    /// Ends the phase, if everything has come, and returns whether it does, and the copies whose sizes are known now.
    pub(super) fn complete(&mut self) -> Option<Vec<(Tile, u64)>> {
        let is_settled = if self.has_tiles { self.expects() } else { self.bytes == 0 };
        if self.pending != 0 || !is_settled {
            return None;
        }
        let tiles = core::mem::take(&mut self.tiles);
        let came = core::mem::take(&mut self.came);
        self.was_plain = !self.expects() && !self.has_tiles && !core::mem::take(&mut self.has_late);
        self.came_before = came;
        let bytes = u64::try_from(self.bytes).unwrap_or_default();
        let room = tiles.iter().try_fold(0, |all: u64, tile| all.checked_add(tile.room?));
        let size = |tile: &Tile| if tiles.len() == 1 { Some(bytes) } else { tile.room };
        // Copies that need all of the room that there is are as large as that.
        let tiles = if tiles.len() == 1 || room == Some(bytes) {
            tiles.iter().filter_map(|tile| Some((tile.clone(), size(tile)?))).collect()
        } else {
            Vec::new()
        };
        self.phase += 1;
        self.pending = self.count;
        (self.bytes, self.expects, self.brings, self.has_tiles) = (0, None, None, false);
        // The phases before were over before.
        self.last.join(&core::mem::take(&mut self.arrivals));
        self.last.happened.reach(self.agent, self.phase);
        self.last.fenced.reach(self.agent, self.phase);
        self.last.causes.reach(self.agent, self.phase);
        Some(tiles)
    }

    /// Whether the last phase with this parity is over.
    pub(super) const fn is_over(&self, parity: u64) -> bool {
        (self.phase & 1) as u64 != parity & 1
    }
}

/// A numbered barrier of a block (PTX ISA 9.7.13.1).
#[derive(Debug, Default)]
pub(super) struct BlockBarrier {
    /// The warps that have arrived: their numbers, the threads, and all threads that had not ended.
    pub(super) arrived: Vec<(usize, Mask, Mask)>,
    /// The number of threads that is expected, if not all.
    pub(super) count: Option<u64>,
    /// Whether those who come reduce predicates.
    pub(super) reduces: bool,
    pub(super) past: Past,
    pub(super) came: Arrivals,
}

/// What is known of a numbered barrier of a block after threads have met there.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// Who has met the last time.
    pub(super) last: Arrivals,
    /// Whether threads have waited there.
    pub(super) is_awaited: bool,
    /// Arrivals of which it is not decided whether they count in the last phase or in the next.
    pub(super) undecided: Faults,
}

impl BlockBarrier {
    /// Returns the threads of a warp that have arrived.
    pub(super) fn of(&self, warp: usize) -> Mask {
        let arrived = self.arrived.iter().filter(|(other, ..)| *other == warp);
        arrived.fold(0, |all, (_, lanes, _)| all | lanes)
    }
}

/// The barrier of a cluster (PTX ISA 9.7.13.4).
#[derive(Debug, Default)]
pub(super) struct ClusterBarrier {
    /// The number of the phase.
    pub(super) phase: u32,
    pub(super) arrivals: Past,
    /// What has happened before the last phase was over.
    pub(super) last: Past,
}
