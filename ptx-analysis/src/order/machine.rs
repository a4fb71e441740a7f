//! Runs the threads of a cluster in one schedule: each warp until it waits. Asynchronous copies are over as late as
//! possible: when all warps wait.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::order::address::{Byte, Layout};
use crate::order::barriers::{BlockBarrier, ClusterBarrier, Mbarrier, Met};
use crate::order::clock::{Agent, Clock};
use crate::order::columns::Columns;
use crate::order::fault::{AfterFlags, Fault, Faults, Kind, Lost};
use crate::order::joins::{Between, Joins};
use crate::order::lanes::{Lanes, Mask, WARP, each_lane};
use crate::order::launch::Launch;
use crate::order::memory::{Before, Memory};
use crate::order::step::{Completion, Does, Phase, Step, Tensor, is_followed};
use crate::order::term::{Term, lowest};
use crate::order::warp::{Fiber, TENSOR_LOADS, View, Wait, Warp};

/// The number of warps of a warpgroup.
pub(super) const WARPS_OF_GROUP: usize = 4;

/// Returns threads by where they jump, if that is known.
fn by_target(lanes: Mask, to: impl Fn(usize) -> Option<usize>) -> SortedMap<Option<usize>, Mask> {
    let mut all = SortedMap::new();
    for lane in each_lane(lanes) {
        *all.entry(to(lane)).or_default() |= 1 << lane;
    }
    all
}

/// The threads of a cluster, and all that they share.
pub(super) struct Machine<'m> {
    pub(super) steps: &'m [Step],
    pub(super) joins: &'m Joins,
    pub(super) layout: &'m Layout,
    pub(super) launch: &'m Launch,
    pub(super) warps: Vec<Warp>,
    pub(super) memory: Memory,
    /// The mbarriers that were initialised, by their addresses; `None` for those that were invalidated.
    pub(super) mbarriers: SortedMap<u64, Option<Mbarrier>>,
    /// The barriers at which warps have arrived, by block and number.
    pub(super) blocks: SortedMap<(u64, u64), BlockBarrier>,
    /// What is known of each of them after threads have met there.
    pub(super) met: SortedMap<(u64, u64), Met>,
    pub(super) cluster: ClusterBarrier,
    /// The number of agents.
    pub(super) agents: Agent,
    /// The bytes of copies that complete on mbarriers, and have not yet, with their steps; `None` for a number that is not
    /// known.
    pub(super) copied: Vec<(u64, Option<i64>, usize)>,
    /// The columns of tensor memory.
    pub(super) columns: Columns,
    /// The last access of an agent to the memory of a block from another one: its time, step and byte.
    pub(super) remote: SortedMap<(u64, Agent), (u32, usize, Byte)>,
    /// Of steps that a warp executes as a whole, but has not: the threads that should, and those that did.
    pub(super) partial: SortedMap<(usize, usize), (Mask, Mask)>,
    /// How often each warp of a warpgroup has executed what it executes as a whole: the block, the warpgroup and the step.
    pub(super) of_groups: SortedMap<(u64, usize, usize), [u32; WARPS_OF_GROUP]>,
    /// For the threads of warpgroups that multiply together, the time of the last multiplication that others know to be over.
    pub(super) multiplied: SortedMap<((u64, u64), Mask), u32>,
    /// Tests of mbarriers, and whether the threads test again that get the answer that the phase is over.
    pub(super) inverted: SortedMap<usize, bool>,
    pub(super) faults: Faults,
    /// The first wait that may also have been passed two phases before: what came after it may be different then.
    pub(super) passed_before: Option<Fault>,
    /// Accesses without an order, unless something in memory makes one.
    pub(super) after_flags: AfterFlags,
    /// How often each warp has executed each step.
    pub(super) executed: Vec<Box<[u32]>>,
    /// Of steps that not all threads of a warp executed together: how often that was so, and how often each did then.
    pub(super) apart: SortedMap<(usize, usize), (u32, [u32; WARP])>,
    /// The steps that are left.
    pub(super) effort: usize,
    /// The step that is executed.
    pub(super) at: usize,
    /// Whether memory was accessed outside of the variable or the buffer that it is in.
    pub(super) is_beyond: bool,
    /// The step at which something happened that is not followed, and why it is not.
    pub(super) lost: Option<(usize, Lost)>,
}

impl<'m> Machine<'m> {
    pub(super) fn new(
        (steps, joins): (&'m [Step], &'m Joins),
        layout: &'m Layout,
        launch: &'m Launch,
        (registers, effort): (usize, usize),
    ) -> Self {
        let count = usize::try_from(launch.warps() * launch.followed()).unwrap_or_default();
        Self {
            steps,
            joins,
            layout,
            launch,
            warps: (0..count).map(|number| Warp::new(number, launch, registers)).collect(),
            memory: Memory::default(),
            mbarriers: SortedMap::new(),
            blocks: SortedMap::new(),
            met: SortedMap::new(),
            cluster: ClusterBarrier::default(),
            agents: count,
            copied: Vec::new(),
            columns: Columns::default(),
            remote: SortedMap::new(),
            partial: SortedMap::new(),
            of_groups: SortedMap::new(),
            multiplied: SortedMap::new(),
            inverted: SortedMap::new(),
            faults: Faults::default(),
            passed_before: None,
            after_flags: AfterFlags::default(),
            executed: vec![vec![0; steps.len()].into(); count],
            apart: SortedMap::new(),
            effort,
            at: 0,
            is_beyond: false,
            lost: None,
        }
    }

    /// Runs all threads to their ends, or until they wait forever, or are lost.
    pub(super) fn run(&mut self) {
        match self.go_on_together() {
            Some(warp) => self.go_on_without(warp),
            None => self.settle(),
        }
    }

    /// Runs all threads until none of them can go on, or until a warp is lost, which is returned.
    fn go_on_together(&mut self) -> Option<usize> {
        loop {
            for warp in 0..self.warps.len() {
                self.turn(warp);
                if self.lost.is_some() {
                    return Some(warp);
                }
            }
            let is_ready = |fiber: &Fiber| fiber.wait == Wait::Nothing;
            if self.warps.iter().any(|warp| warp.fibers.iter().any(is_ready)) {
                continue;
            }
            if !self.finish_copies() && !self.release_warps() {
                return None;
            }
        }
    }

    /// Runs the other threads when a warp is lost, as far as they do not depend on what it may do, to find what nothing
    /// orders, and the barriers of the block that wait forever, whatever that is.
    fn go_on_without(&mut self, mut warp: usize) {
        let lost = self.lost;
        let (faults, executed) = (core::mem::take(&mut self.faults), self.executed.clone());
        self.memory.distrust();
        let mut unknown = Vec::new();
        while let Some((at, Lost::Unknown)) = self.lost.take() {
            unknown.push(at);
            unknown.extend(self.warps[warp].fibers.drain(..).map(|fiber| fiber.at));
            match self.go_on_together() {
                Some(other) => warp = other,
                None => break,
            }
        }
        let never_met = self.never_met(&unknown).filter(|_| self.lost.is_none());
        // Who has not ended may tell all that it knows, and what copies have done.
        let mut told = Clock::default();
        self.warps.iter().for_each(|warp| told.join(&warp.told));
        for warp in self.warps.iter().filter(|warp| warp.live != 0) {
            told.join(&warp.past.happened);
            told.reach(warp.number, u32::MAX);
        }
        (self.warps.len()..self.agents).for_each(|agent| told.reach(agent, u32::MAX));
        self.after_flags.unordered(&told).for_each(|fault| self.faults.note(fault));
        let continued = core::mem::replace(&mut self.executed, executed);
        let found = core::mem::replace(&mut self.faults, faults);
        self.lost = lost;
        // The others depend on who arrives where.
        let unordered = found.0.into_iter().map(|(_, fault)| fault);
        let unordered = unordered.filter(|it| matches!(it.kind, Kind::Unordered | Kind::NotFenced));
        for fault in unordered.chain(never_met) {
            for step in [fault.step, fault.other()] {
                for (times, continued) in self.executed.iter_mut().zip(&continued) {
                    times[step] = continued[step];
                }
            }
            self.faults.note(fault);
        }
    }

    /// Returns a barrier of a block with a count that is waited for forever, if threads of lost warps go on from these
    /// steps: the one for which the first warp waits.
    fn never_met(&self, unknown: &[usize]) -> Option<Fault> {
        let counted = self.blocks.iter().filter(|(_, barrier)| barrier.count.is_some());
        let found = counted.filter_map(|(&(block, number), _)| {
            let waits = |warp: &Warp, fiber: &Fiber| {
                warp.block == block && fiber.wait == Wait::Block(number)
            };
            let of_warp =
                |warp: usize| self.warps[warp].fibers.iter().map(move |fiber| (warp, fiber));
            let all = || (0..self.warps.len()).flat_map(of_warp);
            let (warp, fiber) = all().find(|(warp, fiber)| waits(&self.warps[*warp], fiber))?;
            let others = all().filter(|(warp, fiber)| !waits(&self.warps[*warp], fiber));
            let others = others.map(|(_, fiber)| fiber.at);
            let may_come = self.joins.reach(self.steps, unknown.iter().copied().chain(others));
            let arrives = |at: &usize| match self.steps.get(*at).map(|step| &step.does) {
                Some(Does::Barrier { number: Term::Number(other), .. }) => *other == number,
                Some(Does::Barrier { .. } | Does::Lost) => true,
                _ => false,
            };
            let (come, needed) = self.arrivals(block, number);
            let is_sure = come < needed && !may_come.iter().any(arrives);
            let kind = Kind::NeverMet(number, come, needed);
            is_sure.then(|| (warp, Fault::new(kind, fiber.at, None)))
        });
        found.min_by_key(|(warp, _)| *warp).map(|(_, fault)| fault)
    }

    pub(super) fn fault(&mut self, kind: Kind, step: usize) {
        self.faults.note(Fault::new(kind, step, None));
    }

    /// Runs the threads of a warp until all of them wait.
    fn turn(&mut self, w: usize) {
        while self.lost.is_none() {
            let fibers = &mut self.warps[w].fibers;
            let ready = fibers.iter().filter(|fiber| fiber.wait == Wait::Nothing);
            let Some(at) = ready.map(|fiber| fiber.at).min() else { return };
            let is_here = |fiber: &Fiber| {
                fiber.at == at && matches!(fiber.wait, Wait::Nothing | Wait::Warp(_))
            };
            let mut here = Fiber { lanes: 0, at, wait: Wait::Nothing, has_acted: false };
            fibers.retain(|fiber| {
                if is_here(fiber) {
                    here.lanes |= fiber.lanes;
                    here.has_acted |= fiber.has_acted;
                }
                !is_here(fiber)
            });
            self.at = at;
            let Some(left) = self.effort.checked_sub(1) else {
                self.lost = Some((at, Lost::Effort));
                return;
            };
            self.effort = left;
            self.memory.sweep();
            match self.steps.get(at) {
                Some(step) => self.step(w, here, step),
                None => self.end(w, &here),
            }
        }
    }

    /// Counts that these threads of a warp execute a step.
    fn count(&mut self, w: usize, step: usize, lanes: Mask) {
        if lanes == 0 {
            return;
        }
        self.executed[w][step] += 1;
        if lanes != self.warps[w].live && is_followed(&self.steps[step]) {
            let (times, of_lanes) = self.apart.entry((w, step)).or_insert((0, [0; WARP]));
            *times += 1;
            each_lane(lanes).for_each(|lane| of_lanes[lane] += 1);
        }
    }

    /// Returns how often these threads of a warp have executed a step, or 0 if not all as often.
    pub(super) fn round(&self, w: usize, step: usize, mut lanes: Range<usize>) -> u32 {
        let times = self.executed[w][step];
        let Some((apart, of_lanes)) = self.apart.get(&(w, step)) else { return times };
        let first = of_lanes[lanes.start];
        if lanes.all(|lane| of_lanes[lane] == first) {
            (times + first).saturating_sub(*apart)
        } else {
            0
        }
    }

    /// Executes a step.
    fn step(&mut self, w: usize, fiber: Fiber, step: &'m Step) {
        let (mut runs, mut unknown) = (fiber.lanes, 0);
        if let Some((register, is_negated)) = step.guard {
            let numbers = self.warps[w].registers.get(register).unwrap_or(&Lanes::UNKNOWN);
            let truth = numbers.truth();
            unknown = fiber.lanes & truth.1;
            let holds = if is_negated { !truth.0 } else { truth.0 };
            runs = fiber.lanes & holds & !unknown;
        }
        if unknown != 0 {
            self.skip(w, step, &fiber, unknown);
            if self.lost.is_some() {
                return;
            }
        }
        self.count(w, fiber.at, runs);
        let warp = &mut self.warps[w];
        if runs != 0 && step.reads.iter().any(|register| warp.loading.contains(register)) {
            if step.copies_to.is_empty() {
                warp.wait_for_tensor(fiber.lanes, TENSOR_LOADS);
                self.fault(Kind::StillLoading, fiber.at);
            } else {
                // Compilers copy before the wait what is used after it.
                warp.loading.extend(step.copies_to.iter().copied());
                warp.copied.get_or_insert(fiber.at);
            }
        }
        let skips = fiber.lanes & !runs & !unknown;
        if step.is_aligned && runs != 0 {
            self.whole(w, &Fiber { lanes: runs, ..fiber });
            if skips != 0 {
                let [one, other] = [runs, skips].map(|mask| mask.trailing_zeros().to_le_bytes()[0]);
                self.fault(Kind::Diverges(one, other), fiber.at);
            }
        }
        let bases = self.bases(w, step);
        let next = |lanes, at, has_acted| Fiber { lanes, at, wait: Wait::Nothing, has_acted };
        let is_split = runs != 0 && runs != fiber.lanes;
        match &step.does {
            Does::Jump(to) => {
                let has_acted = fiber.has_acted && !is_split;
                for (lanes, at) in [(runs, *to), (skips, fiber.at + 1)] {
                    if lanes != 0 {
                        self.warps[w].fibers.push(next(lanes, at, has_acted));
                    }
                }
            }
            Does::Switch(index, listed) => {
                let indices = self.lanes(w, runs, index);
                let to =
                    |lane: usize| listed.get(usize::try_from(indices.known(lane)?).ok()?).copied();
                if skips != 0 {
                    self.warps[w].fibers.push(next(skips, fiber.at + 1, false));
                }
                for (at, lanes) in by_target(runs, to) {
                    match at {
                        Some(at) => self.warps[w].fibers.push(next(lanes, at, false)),
                        None => self.skip(w, step, &fiber, lanes),
                    }
                }
            }
            // All of the threads go on together, whether they have executed it or not.
            Does::Tensor(
                Tensor::Free(..)
                | Tensor::Load(..)
                | Tensor::Store(..)
                | Tensor::Wait(_)
                | Tensor::Multiply(..),
            )
            | Does::Nothing
            | Does::Load(..)
            | Does::Store(..)
            | Does::Changes
            | Does::Access(_)
            | Does::Flag(..)
            | Does::Fence
            | Does::FenceProxy
            | Does::Copy { .. }
            | Does::Commit(_)
            | Does::Wait(..)
            | Does::WaitAll(_)
            | Does::Init(..)
            | Does::Invalidate(_)
            | Does::Arrive { .. }
            | Does::Complete(..)
            | Does::Multiply(_)
            | Does::CommitMultiplications
            | Does::WaitMultiplications(_) => {
                if runs != 0 {
                    let here = Fiber { lanes: runs, ..fiber };
                    self.act(w, &here, step);
                }
                let acts = runs != 0 && !matches!(step.does, Does::Nothing);
                let lanes = runs | skips;
                if lanes != 0 {
                    let has_acted = fiber.has_acted || acts;
                    self.warps[w].fibers.push(next(lanes, fiber.at + 1, has_acted));
                }
            }
            Does::Ends
            | Does::Traps
            | Does::Lost
            | Does::Test(..)
            | Does::Barrier { .. }
            | Does::ClusterArrive(_)
            | Does::ClusterWait
            | Does::Tensor(Tensor::Allocate(..))
            | Does::Warp(..) => {
                if skips != 0 {
                    self.warps[w].fibers.push(next(skips, fiber.at + 1, false));
                }
                if runs != 0 {
                    let has_acted = fiber.has_acted && !is_split;
                    self.synchronise(w, next(runs, fiber.at, has_acted), step);
                }
            }
        }
        for (register, new) in bases {
            self.warps[w].note_bases(register, runs, new);
        }
    }

    /// Returns the registers that a step writes, and from which tried numbers it computes theirs, as a bit for each.
    fn bases(&self, w: usize, step: &Step) -> Vec<(usize, u64)> {
        let tried = &self.launch.of_tried;
        let warp = &self.warps[w];
        let of_term = |(register, term): &(usize, Term)| match step.does {
            Does::Nothing => (*register, tried.bases(term, &|register| warp.bases(register))),
            _ => (*register, tried.register(*register)),
        };
        let writes = step.writes.iter().filter(|_| !tried.is_empty());
        writes.map(of_term).collect()
    }

    /// Goes on with threads of which it is not known whether they execute a step, where their paths meet.
    fn skip(&mut self, w: usize, step: &Step, fiber: &Fiber, lanes: Mask) {
        let mut join = fiber.at + 1;
        match &step.does {
            Does::Jump(_) | Does::Switch(..) => {
                let Some(between) = self.joins.between(self.steps, fiber.at) else {
                    return self.lose();
                };
                self.check_loading(w, &between);
                if between.stores {
                    self.forget(w);
                }
                let warp = &mut self.warps[w];
                for register in &between.written {
                    warp.set(*register, lanes, Lanes::UNKNOWN);
                    let new = warp.bases(*register) | self.launch.of_tried.register(*register);
                    warp.note_bases(*register, lanes, new);
                }
                warp.see_flag(between.waits, false);
                // A fence on some path counts where it would make something right.
                if between.fences {
                    warp.fence_all();
                }
                join = between.join;
            }
            Does::Nothing | Does::Load(..) => {}
            Does::Fence | Does::FenceProxy => self.warps[w].fence_all(),
            Does::Store(..)
            | Does::Access(_)
            | Does::Changes
            | Does::Copy { completion: Completion::Group(_), .. } => self.forget(w),
            Does::Flag(..) => {
                self.forget(w);
                self.warps[w].see_flag(true, false);
            }
            _ => {
                return self.lose();
            }
        }
        let warp = &mut self.warps[w];
        for (register, _) in &step.writes {
            warp.set(*register, lanes, Lanes::UNKNOWN);
        }
        let has_acted = fiber.has_acted;
        warp.fibers.push(Fiber { lanes, at: join, wait: Wait::Nothing, has_acted });
    }

    /// Reports the first step between a branch and where its paths meet that reads a register of a load that was not waited
    /// for: no wait is there, so that whoever executes it has not waited.
    fn check_loading(&mut self, w: usize, between: &Between) {
        let warp = &mut self.warps[w];
        let mut copied = SortedSet::new();
        for at in between.steps.iter().filter(|_| !warp.loading.is_empty()) {
            let step = &self.steps[*at];
            // What is copied in a straight line is known there only.
            if step.reads.is_empty() && step.writes.is_empty() {
                copied.clear();
            }
            let is_loading = |it: &usize| warp.loading.contains(it) || copied.contains(it);
            if !step.reads.iter().any(is_loading) {
                continue;
            }
            if step.copies_to.is_empty() {
                warp.wait_for_tensor(warp.live, TENSOR_LOADS);
                self.executed[w][*at] += 1;
                return self.fault(Kind::StillLoading, *at);
            }
            copied.extend(step.copies_to.iter().copied());
        }
    }

    /// Writes the registers of a step.
    pub(super) fn write(&mut self, w: usize, lanes: Mask, step: &Step) {
        let numbers: Vec<(usize, Lanes)> = {
            let view = View { warp: &self.warps[w], launch: self.launch };
            let written = |term: &Term| {
                let divides = self.launch.of_tried.divides(term);
                if divides { Lanes::UNKNOWN } else { step.written(term, lanes, &view) }
            };
            step.writes.iter().map(|(to, term)| (*to, written(term))).collect()
        };
        // The result may overwrite the rank.
        if let [(_, Term::Remote(of))] = &*step.writes {
            let rank = self.lanes(w, lanes, &of[1]);
            let blocks = self.launch.blocks();
            let warp = &self.warps[w];
            let beyond = |lane: usize| {
                let rank = lowest(rank.number(lane)?, 32);
                let kind = Kind::NoBlock(rank, warp.first + lane as u64, warp.block);
                (rank >= blocks).then_some(kind)
            };
            if let Some(kind) = each_lane(lanes).find_map(beyond).filter(|_| blocks > 1) {
                self.fault(kind, self.at);
            }
        }
        for (register, numbers) in numbers {
            self.warps[w].set(register, lanes, numbers);
        }
    }

    /// Ends threads.
    pub(super) fn end(&mut self, w: usize, fiber: &Fiber) {
        let warp = &mut self.warps[w];
        warp.live &= !fiber.lanes;
        let block = warp.block;
        if let Some(step) = warp.copied.take() {
            self.fault(Kind::StillLoading, step);
        }
        // Those who are left may be all that a mask names.
        let fibers = self.warps[w].fibers.iter_mut();
        for other in fibers.filter(|it| matches!(it.wait, Wait::Warp(_))) {
            other.wait = Wait::Nothing;
        }
        if !fiber.has_acted {
            // Those who only leave early need not come.
            self.partial.retain(|(warp, _), (needed, _)| {
                *needed &= if *warp == w { !fiber.lanes } else { Mask::MAX };
                true
            });
        }
        let numbers: Vec<u64> =
            self.blocks.range((block, 0)..=(block, u64::MAX)).map(|((_, n), _)| *n).collect();
        for number in numbers {
            self.meet_block(block, number);
        }
        self.meet_cluster();
    }

    /// Lets all copies be over that complete on mbarriers, and returns whether there were any.
    fn finish_copies(&mut self) -> bool {
        let copied = core::mem::take(&mut self.copied);
        for (address, bytes, step) in &copied {
            if let Some(Some(mbarrier)) = self.mbarriers.get_mut(address) {
                mbarrier.bring(*bytes, *step);
            }
        }
        for (address, ..) in &copied {
            self.complete(*address);
        }
        !copied.is_empty()
    }

    /// Ends the phase of an mbarrier if everything has come, and wakes those who wait for it.
    pub(super) fn complete(&mut self, address: u64) {
        if let Some(Some(mbarrier)) = self.mbarriers.get_mut(&address)
            && let Some(tiles) = mbarrier.complete()
        {
            for (tile, bytes) in tiles {
                let before = Before { past: &tile.past, within: None };
                self.record((tile.start, bytes), tile.access, before);
            }
            for fiber in self.warps.iter_mut().flat_map(|warp| &mut warp.fibers) {
                if fiber.wait == Wait::Phase(address) {
                    fiber.wait = Wait::Nothing;
                }
            }
        }
    }

    /// Lets threads go on that wait for others of their warp, which execute another instruction of this kind or never
    /// come, and returns whether there were any.
    fn release_warps(&mut self) -> bool {
        let waits = |fiber: &Fiber| matches!(fiber.wait, Wait::Warp(_));
        let is_awaited = |warp: &Warp| {
            let is_phase = |fiber: &Fiber| matches!(fiber.wait, Wait::Phase(_) | Wait::Cluster);
            warp.fibers.iter().any(is_phase)
        };
        let mut is_any = false;
        for w in 0..self.warps.len() {
            let warp = &self.warps[w];
            if !warp.fibers.iter().any(waits) || is_awaited(warp) {
                continue;
            }
            let kind = |fiber: &Fiber| match self.steps.get(fiber.at).map(|step| &step.does) {
                Some(Does::Warp(kind, ..)) => Some(*kind),
                _ => None,
            };
            let absent = |fiber: &Fiber| match fiber.wait {
                Wait::Warp(mask) => {
                    // Each mask is a barrier of its own.
                    let is_same = |it: &&Fiber| it.wait == fiber.wait && kind(it) == kind(fiber);
                    let same = warp.fibers.iter().filter(is_same);
                    let absent =
                        mask & warp.live & !warp.missing & !same.fold(0, |all, it| all | it.lanes);
                    (absent != 0).then(|| (fiber.at, mask, absent.trailing_zeros()))
                }
                _ => None,
            };
            let found: Vec<(usize, Mask, u32)> = warp.fibers.iter().filter_map(absent).collect();
            for (step, mask, lane) in found {
                // One lane that is missing is told once.
                if self.warps[w].missing >> lane & 1 != 0 {
                    continue;
                }
                self.warps[w].missing |= mask;
                self.fault(Kind::MaskOfAbsent(mask, lane.to_le_bytes()[0]), step);
            }
            for n in 0..self.warps[w].fibers.len() {
                let fiber = &mut self.warps[w].fibers[n];
                if waits(fiber) {
                    fiber.wait = Wait::Nothing;
                    fiber.at += 1;
                    is_any = true;
                    let (lanes, at) = (fiber.lanes, fiber.at - 1);
                    let steps = self.steps;
                    for (register, _) in &steps[at].writes {
                        self.warps[w].set(*register, lanes, Lanes::UNKNOWN);
                    }
                }
            }
        }
        is_any
    }

    /// Reports what waits forever, and what is wrong at the end.
    fn settle(&mut self) {
        for ((w, step), (needed, did)) in &self.partial {
            // Who waits for a phase forever does not come to what is next.
            let is_stuck = |fiber: &&Fiber| matches!(fiber.wait, Wait::Phase(_));
            let stuck = self.warps[*w].fibers.iter().filter(is_stuck);
            let missing = stuck.fold(needed & !did, |all, fiber| all & !fiber.lanes);
            if missing != 0 {
                let [one, other] =
                    [*did, missing].map(|mask| mask.trailing_zeros().to_le_bytes()[0]);
                self.faults.note(Fault::new(Kind::Diverges(one, other), *step, None));
            }
        }
        // Only what a thread has told can be known to one that waits for something in memory.
        let mut told = Clock::default();
        self.warps.iter().for_each(|warp| told.join(&warp.told));
        self.after_flags.unordered(&told).for_each(|fault| self.faults.note(fault));
        for met in self.met.values().filter(|met| met.is_awaited) {
            met.undecided.0.values().for_each(|fault| self.faults.note(*fault));
        }
        for mbarrier in self.mbarriers.values().flatten() {
            mbarrier.undecided().for_each(|fault| self.faults.note(fault));
        }
        let waiting: Vec<(usize, Fiber)> = self
            .warps
            .iter()
            .enumerate()
            .flat_map(|(w, warp)| warp.fibers.iter().map(move |fiber| (w, *fiber)))
            .collect();
        if waiting.is_empty() {
            self.check_ends(&told);
            self.check_groups();
            for (address, mbarrier) in &self.mbarriers {
                // What is expected, but never copied, disturbs nobody if nobody waits for it.
                let mbarrier = mbarrier.as_ref().filter(|it| it.has_come());
                if let Some(fault) = mbarrier.and_then(|it| it.differs(*address)) {
                    self.faults.note(fault);
                }
            }
            for (at, access) in self.memory.never_written() {
                if self.layout.storage(Byte::at(at)).is_some() {
                    self.faults.note(Fault::of_access(Kind::NeverWritten, access, at));
                }
            }
            return;
        }
        // Threads that do something else than to wait are lost.
        let is_wait = |(w, fiber): &(usize, Fiber)| match fiber.wait {
            Wait::Phase(_) => {
                let is_inverted = self.inverted.get(&fiber.at).copied().unwrap_or_default();
                !is_inverted && self.comes_back(*w, fiber, false)
            }
            _ => true,
        };
        if let Some((_, fiber)) = waiting.iter().find(|it| !is_wait(it)) {
            self.at = fiber.at;
            return self.lose();
        }
        self.report_deadlock(&waiting);
    }

    /// Reports the waits that never end: of those at mbarriers, the one that was given most of what it needs.
    fn report_deadlock(&mut self, waiting: &[(usize, Fiber)]) {
        if let Some(fault) = self.passed_before {
            return self.faults.note(fault);
        }
        let mut phases: Vec<(bool, bool, usize, usize, u64)> = Vec::new();
        for (n, (_, fiber)) in waiting.iter().enumerate() {
            match fiber.wait {
                Wait::Phase(address) => {
                    let mbarrier = self.mbarriers.get(&address).and_then(Option::as_ref);
                    let has_excess = mbarrier.is_some_and(Mbarrier::has_excess);
                    let is_begun = mbarrier.is_some_and(Mbarrier::is_begun);
                    phases.push((!has_excess, !is_begun, n, fiber.at, address));
                }
                Wait::Columns(_)
                | Wait::Block(_)
                | Wait::Cluster
                | Wait::Warp(_)
                | Wait::Nothing => {}
            }
        }
        if let Some((.., n, step, address)) = phases.iter().min() {
            let mbarrier = self.mbarriers.get(address).and_then(Option::as_ref);
            // Another number may be the one that is copied or expected.
            if mbarrier.is_some_and(Mbarrier::may_be_right) {
                self.at = *step;
                return self.lose();
            }
            // It may be over in another schedule.
            let excess = mbarrier.filter(|it| it.has_excess()).and_then(|it| it.differs(*address));
            if let Some(fault) = excess {
                return self.faults.note(fault);
            }
            // A thread that has not waited there yet would have gone on at once before the end of the first phase.
            let undecided = |w: usize, fiber: &Fiber, address: u64| {
                let thread = self.warps[w].first + u64::from(fiber.lanes.trailing_zeros());
                Fault::new(Kind::Undecided(thread, false), fiber.at, Some(Byte::at(address)))
            };
            let may_have_passed = waiting.iter().find_map(|(w, fiber)| {
                let Wait::Phase(address) = fiber.wait else { return None };
                let (warp, mbarrier) = (&self.warps[*w], self.mbarriers.get(&address)?.as_ref()?);
                let tests = &self.steps.get(fiber.at)?.does;
                let is_parity = matches!(tests, Does::Test(_, Phase::Parity(_), ..));
                let has_waited = warp.early.contains_key(&mbarrier.agent);
                let is_first = is_parity && mbarrier.phase == 1 && !has_waited;
                let is_early = is_first && mbarrier.may_end_after(warp);
                is_early.then(|| undecided(*w, fiber, address))
            });
            if let Some(fault) = may_have_passed {
                return self.faults.note(fault);
            }
            let missing = mbarrier.map_or((0, 0), |it| (it.pending, it.bytes));
            // One that may have come before the end of the last phase may have seen the one before.
            let is_late = |w: usize| mbarrier.is_none_or(|it| !it.may_end_after(&self.warps[w]));
            let is_sure = waiting.iter().any(|(w, fiber)| {
                fiber.at == *step && fiber.wait == Wait::Phase(*address) && is_late(*w)
            });
            // Threads that wait for something else might arrive afterwards.
            let is_alone = waiting.iter().all(|(_, it)| self.is_same_wait(it.wait, *address));
            let first = mbarrier.filter(|it| is_alone && it.phase == 0 && it.pending > 0);
            let first = first.map(|it| (it.init_step, it.expected));
            let fault = if is_sure {
                let phase = mbarrier.map_or(0, |it| it.phase);
                let kind = Kind::NeverOver(missing.0, missing.1, phase, first);
                Fault::new(kind, *step, Some(Byte::at(*address)))
            } else {
                let (w, fiber) = &waiting[*n];
                undecided(*w, fiber, *address)
            };
            return self.faults.note(fault);
        }
        for (w, fiber) in waiting {
            let diverges = self
                .faults
                .0
                .values()
                .any(|it| it.step == fiber.at && matches!(it.kind, Kind::Diverges(..)));
            match fiber.wait {
                Wait::Columns(columns) => {
                    let held = self.columns.of(self.warps[*w].block);
                    self.fault(Kind::NoColumns(columns, held), fiber.at);
                }
                Wait::Block(number) if !diverges => {
                    let (come, needed) = self.arrivals(self.warps[*w].block, number);
                    self.fault(Kind::NeverMet(number, come, needed), fiber.at);
                }
                Wait::Cluster if !diverges => {
                    let absent = self.warps.iter().find_map(|warp| {
                        let absent = each_lane(warp.live)
                            .find(|lane| warp.arrived[*lane] != Some(self.cluster.phase))?;
                        Some((warp.first + absent as u64, warp.block))
                    });
                    let (thread, block) = absent.unwrap_or_default();
                    self.fault(Kind::ClusterNeverMet(thread, block), fiber.at);
                }
                _ => continue,
            }
            // The others wait for these.
            return;
        }
    }

    /// Whether threads wait for the mbarrier at this address, or for the one at the same place in another block.
    fn is_same_wait(&self, wait: Wait, address: u64) -> bool {
        let Wait::Phase(other) = wait else { return false };
        match (Byte::at(other), Byte::at(address)) {
            (Byte::Shared(block, offset), Byte::Shared(of, at)) if block != of => {
                let is_first = |it: &Mbarrier| it.phase == 0;
                let other = self.mbarriers.get(&other).and_then(Option::as_ref);
                offset == at && other.is_some_and(is_first)
            }
            (_, _) => other == address,
        }
    }

    /// Reports what not all warps of a warpgroup execute.
    fn check_groups(&mut self) {
        for ((_, group, step), times) in &self.of_groups {
            let most = times.iter().max().copied().unwrap_or_default();
            let count = times.iter().filter(|it| **it == most).count();
            if count != times.len() {
                let first = (group * WARPS_OF_GROUP) as u64;
                let kind = Kind::PartialWarpgroup(first, count as u64);
                self.faults.note(Fault::new(kind, *step, None));
            }
        }
    }

    /// Reports accesses to the memory of a block that may have ended before: what some threads have told others is given.
    fn check_ends(&mut self, told: &Clock) {
        for fault in self.columns.never_freed() {
            self.faults.note(fault);
        }
        for ((block, agent), (time, step, byte)) in &self.remote {
            // What it waits for may be a plain store.
            let has_written = self.warps.get(*agent).is_none_or(|it| it.wrote >= *time);
            let knows = |warp: &Warp| {
                let is_told = warp.is_after_flag && (told.of(*agent) >= *time || has_written);
                warp.block == *block && (is_told || warp.past.happened.of(*agent) >= *time)
            };
            if !self.warps.iter().any(knows) {
                self.faults.note(Fault::new(Kind::MayEnd, *step, Some(*byte)));
            }
        }
    }
}
