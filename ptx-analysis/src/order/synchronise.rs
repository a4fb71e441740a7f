//! What threads wait for: barriers, phases, and other threads of their warp.

use alloc::vec;
use alloc::vec::Vec;

use crate::order::address::{self, Byte};
use crate::order::fault::{Fault, Kind};
use crate::order::lanes::{Lanes, Mask, WARP, each_lane};
use crate::order::machine::Machine;
use crate::order::step::{Collective, Does, Location, Phase, Shuffle, Step, Tensor, Vote};
use crate::order::term::{Term, lowest};
use crate::order::warp::{Fiber, Wait, Warp};

/// The number of barriers of a block.
const BARRIERS: u64 = 16;

/// The most threads that a barrier of a block counts.
const MOST_COUNTED: u64 = 4095;

impl Machine<'_> {
    /// Executes a step at which all of these threads may wait.
    pub(super) fn synchronise(&mut self, w: usize, fiber: Fiber, step: &Step) {
        match &step.does {
            Does::Ends | Does::Traps => self.end(w, &fiber),
            Does::Test(location, phase, answer, is_relaxed) => {
                self.test(w, fiber, location, phase, (*answer, *is_relaxed));
            }
            Does::Barrier { number, count, waits, reduces } => {
                self.arrive_at_block(w, fiber, (number, count.as_ref()), (*waits, *reduces));
                self.write(w, fiber.lanes, step);
            }
            Does::ClusterArrive(is_relaxed) => self.arrive_at_cluster(w, fiber, *is_relaxed),
            Does::ClusterWait => self.wait_for_cluster(w, fiber),
            Does::Tensor(Tensor::Allocate(to, columns)) => self.allocate(w, fiber, to, columns),
            Does::Warp(_, mask, collective) => self.warp(w, fiber, mask, collective, step),
            _ => self.lose(),
        }
    }

    /// Goes on with the next step.
    pub(super) fn go_on(&mut self, w: usize, fiber: Fiber) {
        let at = fiber.at + 1;
        self.warps[w].fibers.push(Fiber { at, wait: Wait::Nothing, has_acted: true, ..fiber });
    }

    fn test(
        &mut self,
        w: usize,
        fiber: Fiber,
        location: &Location,
        phase: &Phase,
        (answer, is_relaxed): (Option<usize>, bool),
    ) {
        let (mut over, mut not) = (0, None);
        let is_inverted = self.is_inverted(w, &fiber);
        // Threads that go on when a phase is not over have seen nothing.
        let mut unseen = 0;
        for lane in each_lane(fiber.lanes) {
            let Some(address) = self.mbarrier(w, (lane, fiber.at), location) else { return };
            self.check_own(w, (lane, fiber.at), address);
            let (Phase::Parity(number) | Phase::State(number)) = phase;
            let number = self.number(w, lane, number);
            let Some(Some(mbarrier)) = self.mbarriers.get_mut(&address) else { return };
            let is_over = number.map(|number| match phase {
                Phase::Parity(_) => mbarrier.is_over(number),
                Phase::State(_) => u64::from(mbarrier.phase) > number,
            });
            match is_over {
                None => return self.lose(),
                Some(false) if is_inverted => unseen |= 1 << lane,
                Some(true) if !is_inverted => {
                    over |= 1 << lane;
                    mbarrier.awaited = mbarrier.phase;
                    let warp = &mut self.warps[w];
                    if matches!(phase, Phase::Parity(_)) && mbarrier.may_be_passed_before(warp) {
                        let kind = Kind::Undecided(warp.first + lane as u64, false);
                        let fault = Fault::new(kind, fiber.at, Some(Byte::at(address)));
                        self.passed_before.get_or_insert(fault);
                    }
                    if mbarrier.phase == 0 && !warp.early.contains_key(&mbarrier.agent) {
                        warp.tick();
                        warp.early.insert(mbarrier.agent, (fiber.at, address, warp.time));
                    }
                    warp.wait(1 << lane);
                    warp.seen.join(&mbarrier.last);
                    if is_relaxed {
                        warp.past.causes.join(&mbarrier.last.causes);
                    } else {
                        warp.past.join(&mbarrier.last);
                    }
                }
                Some(true | false) => match not {
                    None => not = Some((address, 1 << lane)),
                    Some((other, lanes)) if other == address => {
                        not = Some((address, lanes | 1 << lane));
                    }
                    // Threads that wait for several mbarriers do so one after the other.
                    Some(_) => {
                        let rest = Fiber { lanes: 1 << lane, wait: Wait::Phase(address), ..fiber };
                        self.warps[w].fibers.push(rest);
                    }
                },
            }
        }
        if let Some((address, lanes)) = not {
            let waiting = Fiber { lanes, wait: Wait::Phase(address), ..fiber };
            self.warps[w].fibers.push(waiting);
        }
        if unseen != 0 {
            if let Some(answer) = answer {
                self.warps[w].set(answer, unseen, Lanes::Same(Some(0)));
            }
            self.go_on(w, Fiber { lanes: unseen, ..fiber });
        }
        if over != 0 {
            self.warps[w].learn(over);
            if let Some(answer) = answer {
                self.warps[w].set(answer, over, Lanes::Same(Some(1)));
            }
            self.go_on(w, Fiber { lanes: over, ..fiber });
        }
    }

    /// Reports a wait for an mbarrier of another block.
    fn check_own(&mut self, w: usize, (lane, step): (usize, usize), address: u64) {
        let warp = &self.warps[w];
        let other = Byte::at(address).block().filter(|block| *block != warp.block);
        if let Some(other) = other {
            let kind = Kind::WaitsElsewhere(warp.first + lane as u64, warp.block, other);
            self.faults.note(Fault::new(kind, step, Some(Byte::at(address))));
        }
    }

    fn arrive_at_block(
        &mut self,
        w: usize,
        fiber: Fiber,
        (number, count): (&Term, Option<&Term>),
        (waits, reduces): (bool, bool),
    ) {
        let Some(number) = self.common(w, fiber.lanes, number) else { return self.lose() };
        let number = lowest(number, 32);
        if number >= BARRIERS {
            // A greater number may be an address.
            if number < MOST_COUNTED {
                self.fault(Kind::NoBarrier(number), fiber.at);
            }
            return self.lose();
        }
        let count = match count {
            None => None,
            Some(count) if self.launch.of_tried.has(count) => return self.lose(),
            Some(count) => match self.common(w, fiber.lanes, count) {
                // All threads.
                Some(0) => None,
                Some(count) if lowest(count, 32) <= MOST_COUNTED => Some(lowest(count, 32)),
                Some(_) | None => return self.lose(),
            },
        };
        if let Some(count) = count.filter(|count| count % WARP as u64 != 0) {
            self.fault(Kind::PartOfWarp(count, waits), fiber.at);
            return self.lose();
        }
        let warp = &mut self.warps[w];
        let block = warp.block;
        let barrier = self.blocks.entry((block, number)).or_default();
        if !barrier.arrived.is_empty() && barrier.count != count {
            let kind = Kind::OtherCount(number, count, barrier.count);
            self.faults.note(Fault::new(kind, fiber.at, None));
        }
        if !barrier.arrived.is_empty() && barrier.reduces != reduces {
            self.faults.note(Fault::new(Kind::Mixed(number, reduces), fiber.at, None));
        }
        barrier.reduces = reduces;
        let met = self.met.entry((block, number)).or_default();
        met.is_awaited |= waits;
        if met.last.may_follow(warp) {
            let thread = warp.first + u64::from(fiber.lanes.trailing_zeros());
            met.undecided.note(Fault::new(Kind::Undecided(thread, false), fiber.at, None));
        }
        barrier.came.add(warp);
        barrier.arrived.push((w, fiber.lanes, warp.live));
        barrier.count = count.or(barrier.count);
        barrier.past.join(&warp.past);
        warp.tick();
        if waits {
            warp.fibers.push(Fiber { wait: Wait::Block(number), has_acted: true, ..fiber });
        } else {
            self.go_on(w, fiber);
        }
        self.meet_block(block, number);
    }

    /// Returns how many threads have arrived at a barrier of a block, and how many it needs.
    pub(super) fn arrivals(&self, block: u64, number: u64) -> (u64, u64) {
        let Some(barrier) = self.blocks.get(&(block, number)) else { return (0, 0) };
        let warps = self.warps.iter().filter(|warp| warp.block == block);
        let (mut come, mut all) = (0, 0);
        for warp in warps {
            let arrived = barrier.of(warp.number);
            // A warp counts as a whole, each time.
            if barrier.count.is_some() {
                let arrivals = barrier.arrived.iter().filter(|(other, ..)| *other == warp.number);
                let (mut lanes, mut whole) = (0, 1);
                for (_, some, all) in arrivals {
                    lanes += some.count_ones();
                    whole = all.count_ones().max(1);
                }
                come += u64::from(lanes.div_ceil(whole)) * 32;
                continue;
            }
            if arrived != 0 && warp.live & !arrived == 0 {
                come += u64::from(warp.threads.count_ones());
                all += u64::from(warp.threads.count_ones());
            } else if warp.live != 0 {
                all += u64::from(warp.live.count_ones());
            }
        }
        (come, barrier.count.unwrap_or(all))
    }

    /// Lets the threads at a barrier of a block go on, if all have arrived.
    pub(super) fn meet_block(&mut self, block: u64, number: u64) {
        let (come, needed) = self.arrivals(block, number);
        if come < needed || come == 0 {
            return;
        }
        let Some(mut barrier) = self.blocks.remove(&(block, number)) else { return };
        let met = self.met.entry((block, number)).or_default();
        met.last = core::mem::take(&mut barrier.came);
        if barrier.count.is_none() {
            // It was not met before those who need not come had ended.
            let has_ended = |it: &&Warp| it.block == block && it.live == 0;
            self.warps.iter().filter(has_ended).for_each(|it| barrier.past.join(&it.past));
        }
        for warp in self.warps.iter_mut().filter(|warp| warp.block == block) {
            let mut is_met = false;
            for fiber in &mut warp.fibers {
                if fiber.wait == Wait::Block(number) {
                    fiber.wait = Wait::Nothing;
                    fiber.at += 1;
                    is_met = true;
                }
            }
            if is_met {
                warp.past.join(&barrier.past);
                warp.meet(barrier.of(warp.number));
            }
        }
    }

    fn arrive_at_cluster(&mut self, w: usize, fiber: Fiber, is_relaxed: bool) {
        let phase = self.cluster.phase;
        let warp = &mut self.warps[w];
        let again = each_lane(fiber.lanes).find(|lane| warp.arrived[*lane] == Some(phase));
        if let Some(lane) = again {
            let kind = Kind::ClusterNeverMet(warp.first + lane as u64, warp.block);
            self.fault(kind, fiber.at);
            return self.lose();
        }
        for lane in each_lane(fiber.lanes) {
            warp.arrived[lane] = Some(phase);
        }
        self.cluster.arrivals.join(&warp.released(fiber.lanes, is_relaxed));
        self.cluster.arrivals.causes.join(&warp.past.causes);
        warp.tick();
        self.go_on(w, fiber);
        self.meet_cluster();
    }

    fn wait_for_cluster(&mut self, w: usize, fiber: Fiber) {
        let phase = self.cluster.phase;
        let warp = &mut self.warps[w];
        // Who waits has arrived, in this phase or in the last one.
        let is_absent = |lane: &usize| match warp.arrived[*lane] {
            None => true,
            Some(arrived) => arrived + 1 < phase,
        };
        if let Some(lane) = each_lane(fiber.lanes).find(is_absent) {
            let kind = Kind::ClusterNeverMet(warp.first + lane as u64, warp.block);
            self.fault(kind, fiber.at);
            return self.lose();
        }
        if each_lane(fiber.lanes).any(|lane| warp.arrived[lane] == Some(phase)) {
            warp.fibers.push(Fiber { wait: Wait::Cluster, has_acted: true, ..fiber });
        } else {
            for lane in each_lane(fiber.lanes) {
                warp.arrived[lane] = None;
            }
            warp.past.join(&self.cluster.last);
            warp.learn(fiber.lanes);
            warp.has_met_cluster = true;
            self.go_on(w, fiber);
        }
    }

    /// Ends the phase of the cluster's barrier, if all threads have arrived.
    pub(super) fn meet_cluster(&mut self) {
        let phase = self.cluster.phase;
        let has_arrived = |lane: usize, of: &[Option<u32>; 32]| of[lane] == Some(phase);
        let is_met = self
            .warps
            .iter()
            .all(|warp| each_lane(warp.live).all(|lane| has_arrived(lane, &warp.arrived)));
        let is_any = self
            .warps
            .iter()
            .any(|warp| each_lane(warp.threads).any(|lane| has_arrived(lane, &warp.arrived)));
        if !is_met || !is_any {
            return;
        }
        self.cluster.phase += 1;
        self.cluster.last = core::mem::take(&mut self.cluster.arrivals);
        for fiber in self.warps.iter_mut().flat_map(|warp| &mut warp.fibers) {
            if fiber.wait == Wait::Cluster {
                fiber.wait = Wait::Nothing;
            }
        }
    }

    /// Executes what the threads of a mask do together.
    fn warp(&mut self, w: usize, fiber: Fiber, mask: &Term, collective: &Collective, step: &Step) {
        let lanes = fiber.lanes;
        let is_tried = self.launch.of_tried.has(mask);
        let masks = if is_tried { Lanes::UNKNOWN } else { self.lanes(w, lanes, mask) };
        for lane in each_lane(lanes) {
            if let Some(mask) = masks.number(lane) {
                let mask = lowest(mask, 32);
                if mask >> lane & 1 == 0 {
                    let kind = Kind::MaskWithoutOwn(mask_of(mask), lane.to_le_bytes()[0]);
                    self.fault(kind, fiber.at);
                    return self.lose();
                }
            }
        }
        // Threads that give other masks execute it apart.
        let first = masks.number(lanes.trailing_zeros() as usize);
        let with_first = each_lane(lanes).filter(|lane| masks.number(*lane) == first);
        let with_first = with_first.fold(0, |all, lane| all | 1 << lane);
        if with_first != lanes {
            for lanes in [with_first, lanes & !with_first] {
                self.warp(w, Fiber { lanes, ..fiber }, mask, collective, step);
            }
            return;
        }
        let common = masks.common(lanes).and_then(address::plain).map(mask_of);
        let warp = &mut self.warps[w];
        if let Some(mask) = common
            && mask & warp.live & !lanes != 0
        {
            warp.fibers.push(Fiber { wait: Wait::Warp(mask), ..fiber });
            return;
        }
        // Results may replace what they are computed from.
        let from: Vec<Lanes> = match collective {
            Collective::Shuffle { operands, .. } => {
                operands.iter().map(|operand| self.lanes(w, lanes, operand)).collect()
            }
            Collective::Vote(_, _, predicate) => vec![self.lanes(w, lanes, predicate)],
            Collective::Sync | Collective::Elect(..) | Collective::Other => Vec::new(),
        };
        self.write(w, lanes, step);
        match (collective, from.as_slice()) {
            (Collective::Sync, _) => self.warps[w].meet(lanes),
            (Collective::Elect(lane, predicate), _) => {
                let leader = common.map(|mask| mask & lanes).filter(|it| *it != 0);
                let leader = leader.map(|mask| mask.trailing_zeros() as usize);
                if let Some(register) = lane {
                    let leader = Lanes::Same(leader.map(|it| it as u64));
                    self.warps[w].set(*register, lanes, leader);
                }
                if let Some(register) = predicate {
                    let numbers = Lanes::each(|lane| Some((lane == leader?).into()));
                    self.warps[w].set(*register, lanes, numbers);
                }
            }
            (Collective::Shuffle { to, is_valid, how, .. }, [from, by, clamp]) => {
                let source =
                    |lane: usize| shuffled(lane, *how, by.number(lane)?, clamp.number(lane)?);
                if let Some(to) = to {
                    let number = |lane: usize| {
                        let (source, _) = source(lane)?;
                        (lanes >> source & 1 != 0).then(|| from.at(source)).flatten()
                    };
                    let all = Lanes::each(number);
                    let numbers = match all.common(lanes) {
                        Some(number) => Lanes::Same(Some(number)),
                        None => all.clone(),
                    };
                    self.warps[w].set(*to, lanes, numbers);
                }
                if let Some(register) = is_valid {
                    let numbers = Lanes::each(|lane| Some(source(lane)?.1.into()));
                    self.warps[w].set(*register, lanes, numbers);
                }
            }
            (Collective::Vote(to, how, _), [predicate]) => {
                let truth = predicate.truth();
                if let (Some(to), Some(mask)) = (to, common) {
                    let (all, holds, unknown) =
                        (mask & lanes, truth.0 & mask & lanes, truth.1 & mask & lanes);
                    let result = match how {
                        Vote::All if all & !holds & !unknown != 0 => Some(0),
                        Vote::Any if holds != 0 => Some(1),
                        _ if unknown != 0 => None,
                        Vote::All => Some(1),
                        Vote::Any => Some(0),
                        Vote::Uniform => Some((holds == 0 || holds == all).into()),
                        Vote::Ballot => Some(holds.into()),
                    };
                    self.warps[w].set(*to, lanes, Lanes::Same(result));
                }
            }
            (Collective::Other | Collective::Shuffle { .. } | Collective::Vote(..), _) => {}
        }
        self.go_on(w, fiber);
    }
}

/// The mask in a register.
fn mask_of(number: u64) -> Mask {
    let [a, b, c, d, ..] = number.to_le_bytes();
    Mask::from_le_bytes([a, b, c, d])
}

/// Returns the lane from which a thread reads, and whether that is in its part of the warp (PTX ISA 9.7.9.6).
fn shuffled(lane: usize, how: Shuffle, by: u64, clamp: u64) -> Option<(usize, bool)> {
    let number = |value: u64| usize::try_from(value & 0x1f).ok();
    let (by, last, segment) = (number(by)?, number(clamp)?, number(clamp >> 8)?);
    let least = lane & segment;
    let most = least | last & !segment;
    let (from, is_valid) = match how {
        Shuffle::Up => (lane.saturating_sub(by), lane >= by && lane - by >= most),
        Shuffle::Down => (lane + by, lane + by <= most),
        Shuffle::Butterfly => (lane ^ by, lane ^ by <= most),
        Shuffle::Index => {
            let from = least | by & !segment;
            (from, from <= most)
        }
    };
    Some(if is_valid { (from & 31, true) } else { (lane, false) })
}
