//! What instructions do without waiting: accesses, copies, and operations on mbarriers.

use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::instruction::{Direction, Group};

use crate::order::address::{self, Byte};
use crate::order::barriers::Tile;
use crate::order::clock::Agent;
use crate::order::fault::{Fault, Kind, Lost};
use crate::order::groups::Groups;
use crate::order::lanes::{Lanes, Mask, WARP, each_lane};
use crate::order::machine::{Machine, WARPS_OF_GROUP};
use crate::order::memory::{Access, Before, Lack, Stored};
use crate::order::step::{Completion, Copying, Does, Location, Step};
use crate::order::term::{Term, lowest};
use crate::order::warp::{
    ASYNC, BULK_READS, BULK_WRITES, Copies, Fiber, MULTIPLICATIONS, View, Warp,
};

/// The number of bytes of which bulk copies copy a multiple.
const WHOLE: i64 = 16;
/// The bytes of an asynchronous access of an unknown size that surely are accessed.
const LEAST: u64 = 16;
/// The most bytes of an access: more than shared memory has.
const MOST_BYTES: u64 = 1 << 18;
/// The most sets of threads of a warp whose copies of a kind are told apart.
const MOST_TOGETHER: usize = 8;
/// The time of what completes in the first phase of an mbarrier.
const FIRST_PHASE: u32 = 1;
/// The greatest number in global memory that is tried.
const MOST_LOADED: u64 = 1 << 16;
/// The number of bytes that cost a step.
const BYTES_OF_STEP: u64 = 512;

/// The first byte, and the number of bytes.
type Bytes = (Byte, u64);

/// How bytes are accessed.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // each is so, or not
pub(super) struct Way {
    pub(super) writes: bool,
    pub(super) is_strong: bool,
    pub(super) is_of_block: bool,
    pub(super) is_read_only: bool,
    pub(super) is_async: bool,
    pub(super) multiplies: bool,
    /// The agent and the time; `None` for the warp itself.
    pub(super) by: Option<(Agent, u32)>,
    /// The mbarrier on which it completes, if its size is not known.
    pub(super) of_tile: Option<u64>,
    /// The numbers that it stores.
    pub(super) stored: Option<Stored>,
    /// The operand.
    pub(super) operand: u8,
    /// The number of bytes of each thread, if several access bytes next to each other.
    pub(super) each: u64,
}

impl Machine<'_> {
    /// Computes a number for these threads.
    pub(super) fn lanes(&self, w: usize, lanes: Mask, term: &Term) -> Lanes {
        term.lanes(lanes, &View { warp: &self.warps[w], launch: self.launch })
    }

    /// Computes a number that is the same for these threads, and known.
    pub(super) fn common(&self, w: usize, lanes: Mask, term: &Term) -> Option<u64> {
        self.lanes(w, lanes, term).common(lanes).and_then(address::plain)
    }

    /// Computes a number for a thread, if it is known.
    pub(super) fn number(&self, w: usize, lane: usize, term: &Term) -> Option<u64> {
        let view = View { warp: &self.warps[w], launch: self.launch };
        term.value(lane, &view).and_then(address::plain)
    }

    /// Returns the byte that a thread accesses, and the number of bytes.
    pub(super) fn byte(&self, w: usize, lane: usize, location: &Location) -> Option<Bytes> {
        let view = View { warp: &self.warps[w], launch: self.launch };
        let address = location.address.value(lane, &view)?;
        self.bytes_at(w, location, (address, self.number(w, lane, &location.bytes)))
    }

    /// Returns the byte at an address, and the number of bytes, if it is known.
    fn bytes_at(
        &self,
        w: usize,
        location: &Location,
        (mut address, bytes): (u64, Option<u64>),
    ) -> Option<Bytes> {
        if location.space == Some(Space::Shared) && !address::is_tagged(address) {
            address = lowest(address, 32);
        }
        let bytes = bytes.map_or(LEAST, |bytes| bytes.min(MOST_BYTES));
        let byte = Byte::of(location.space, address, self.warps[w].block)?;
        let is_here = !matches!(byte, Byte::Shared(rank, _) if rank >= self.launch.followed());
        is_here.then_some((byte, bytes))
    }

    /// Returns what a byte of local memory that a thread accesses is called: no other thread has it.
    fn local(&self, w: usize, lane: usize, location: &Location) -> Option<u64> {
        let warp = &self.warps[w];
        let address = location.address.value(lane, &View { warp, launch: self.launch })?;
        address::local(address, (w * WARP + lane) as u64)
    }

    /// Returns the bytes that each of these threads accesses.
    fn bytes(&self, w: usize, lanes: Mask, location: &Location) -> [Option<Bytes>; WARP] {
        let addresses = self.lanes(w, lanes, &location.address);
        let bytes = self.lanes(w, lanes, &location.bytes);
        let mut all = [None; WARP];
        for lane in each_lane(lanes) {
            let Some(address) = addresses.known(lane) else { continue };
            all[lane] = self.bytes_at(w, location, (address, bytes.number(lane)));
        }
        all
    }

    /// Executes a step that does not wait.
    pub(super) fn act(&mut self, w: usize, fiber: &Fiber, step: &Step) {
        let (lanes, at) = (fiber.lanes, fiber.at);
        if step.is_of_group {
            self.note_of_group(w, at, lanes);
        }
        match &step.does {
            Does::Nothing => self.write(w, lanes, step),
            Does::Load(location, to, bytes, is_signed) => {
                let (is_strong, is_read_only) = (step.is_guess, step.is_read_only);
                let way = Way { is_strong, is_read_only, ..Way::default() };
                self.load(w, (lanes, at), (location, way), (to, *bytes, *is_signed));
            }
            Does::Store(location, values, bytes) => {
                self.store(w, (lanes, at), location, values, *bytes);
            }
            Does::Changes => {
                self.forget(w);
                self.write(w, lanes, step);
            }
            Does::Access(locations) => {
                // What a whole warp does as one is one access.
                let by = if step.is_of_warp { lanes & lanes.wrapping_neg() } else { lanes };
                for location in locations {
                    self.plain(w, (by, at), location, false);
                }
                self.write(w, lanes, step);
            }
            Does::Flag(location, waits, _) => {
                self.warps[w].see_flag(*waits, location.is_of_block);
                self.plain(w, (lanes, at), location, true);
                self.write(w, lanes, step);
                if step.is_release {
                    self.warps[w].tell();
                }
                self.warps[w].tick();
            }
            Does::Fence => self.warps[w].fence(),
            Does::FenceProxy => self.warps[w].fence_proxy(),
            Does::Copy { accesses, completion, blocks, how } => {
                let by = match completion {
                    Completion::Group(Group::Copies) => [self.start_copy(w, ASYNC, lanes); 2],
                    Completion::Group(Group::Bulk) => {
                        [BULK_READS, BULK_WRITES].map(|kind| self.start_copy(w, kind, lanes))
                    }
                    Completion::Barrier(..) => [(0, 0); 2],
                };
                for lane in each_lane(lanes) {
                    let completion = (completion, *how, by);
                    self.copy(w, (lane, at), accesses, completion, blocks.as_ref());
                }
            }
            Does::Commit(group) => self.each_kind(w, *group, false, |it| it.commit(lanes)),
            Does::Wait(group, left, only_reads) => {
                let left = self.common(w, lanes, left).and_then(|it| usize::try_from(it).ok());
                let Some(left) = left else { return self.lose() };
                self.each_kind(w, *group, *only_reads, |it| it.wait(lanes, left));
            }
            Does::WaitAll(group) => self.each_kind(w, *group, false, |it| it.wait_all(lanes)),
            Does::Init(location, count) => {
                for lane in each_lane(lanes) {
                    self.init(w, (lane, at), location, count);
                }
            }
            Does::Invalidate(location) => {
                for lane in each_lane(lanes) {
                    if let Some(address) = self.mbarrier(w, (lane, at), location) {
                        self.invalidate(w, address);
                    }
                }
            }
            Does::Arrive { .. } => {
                self.write(w, lanes, step);
                for lane in each_lane(lanes) {
                    self.arrive(w, (lane, at), &step.does);
                }
                self.warps[w].tick();
            }
            Does::Complete(location, bytes) => {
                for lane in each_lane(lanes) {
                    let bytes = self.number(w, lane, bytes).map(u64::cast_signed);
                    let address = self.mbarrier(w, (lane, at), location);
                    let (Some(bytes), Some(address)) = (bytes, address) else { return self.lose() };
                    self.copied.push((address, Some(bytes), at));
                }
            }
            Does::Tensor(tensor) => self.act_on_tensor(w, fiber, tensor),
            Does::Multiply(descriptors) => {
                let by = self.start_copy(w, MULTIPLICATIONS, lanes);
                let over = self.multiplied.get(&(self.warps[w].group(), lanes));
                if over.is_none_or(|time| *time < by.1) {
                    self.read_described(w, (lanes, at), descriptors, by);
                }
                self.write(w, lanes, step);
            }
            Does::CommitMultiplications => {
                for copies in &mut self.warps[w].copies[MULTIPLICATIONS] {
                    copies.groups.commit(lanes);
                }
            }
            Does::WaitMultiplications(left) => {
                let Some(left) = left.and_then(|it| usize::try_from(it).ok()) else {
                    return self.lose();
                };
                self.warps[w].each_of_kind(MULTIPLICATIONS, |it| it.wait(lanes, left));
            }
            Does::Jump(_)
            | Does::Switch(..)
            | Does::Ends
            | Does::Traps
            | Does::Lost
            | Does::Test(..)
            | Does::Barrier { .. }
            | Does::ClusterArrive(_)
            | Does::ClusterWait
            | Does::Warp(..) => {}
        }
    }

    /// Records that a multiplication reads matrices that these descriptors describe.
    pub(super) fn read_described(
        &mut self,
        w: usize,
        (lanes, at): (Mask, usize),
        descriptors: &[Term],
        by: (Agent, u32),
    ) {
        for descriptor in descriptors {
            let descriptor = self.common(w, lanes, descriptor);
            if let Some(offset) = descriptor.and_then(|it| self.layout.described(it)) {
                let by = Some(by);
                let way = Way { by, is_async: true, multiplies: true, ..Way::default() };
                let byte = Byte::Shared(self.warps[w].block, offset);
                let lane = lanes.trailing_zeros() as usize;
                self.touch(w, (lane, at), (byte, LEAST), way);
            }
        }
    }

    /// Gives up: what happens from here on is not known.
    pub(super) fn lose(&mut self) {
        self.lost.get_or_insert((self.at, Lost::Unknown));
    }

    /// Notes that these threads of a warp execute what a warpgroup executes as a whole.
    fn note_of_group(&mut self, w: usize, step: usize, lanes: Mask) {
        let warp = &self.warps[w];
        // Where they come one after the other, the warp executes it once.
        if lanes >> warp.live.trailing_zeros() & 1 == 0 {
            return;
        }
        let number = usize::try_from(warp.first).unwrap_or_default() / WARP;
        let key = (warp.block, number / WARPS_OF_GROUP, step);
        self.of_groups.entry(key).or_default()[number % WARPS_OF_GROUP] += 1;
    }

    /// Notes whether all threads of a warp execute what a warp executes as a whole.
    pub(super) fn whole(&mut self, w: usize, fiber: &Fiber) {
        let live = self.warps[w].live;
        let key = (w, fiber.at);
        if fiber.lanes != live || self.partial.contains_key(&key) {
            let (needed, did) = self.partial.entry(key).or_default();
            *needed |= live;
            *did |= fiber.lanes;
        }
    }

    /// Records an access to bytes.
    pub(super) fn touch(
        &mut self,
        w: usize,
        (lane, step): (usize, usize),
        (byte, bytes): (Byte, u64),
        way: Way,
    ) {
        let each = if way.each == 0 { bytes } else { way.each };
        let last =
            lane + usize::try_from(bytes.saturating_sub(1) / each.max(1)).unwrap_or_default();
        let round = self.round(w, step, lane..last.min(WARP - 1) + 1);
        let warp = &mut self.warps[w];
        if way.writes {
            warp.wrote = warp.time;
        }
        let Some(key) = byte.key() else { return };
        let tried = &self.launch.of_tried;
        let bases = if tried.is_empty() {
            0
        } else {
            tried.bases_of(&self.steps[step], way.operand, &|register| warp.bases(register))
        };
        let (agent, time) = way.by.unwrap_or((warp.number, warp.time));
        let access = Access {
            agent,
            time,
            warp: w,
            lane: lane.to_le_bytes()[0],
            start: key,
            each: u32::try_from(each).unwrap_or(u32::MAX),
            step,
            round,
            operand: way.operand,
            block: warp.block,
            writes: way.writes,
            stored: way.stored,
            bases,
            is_strong: way.is_strong,
            is_of_block: way.is_of_block,
            is_read_only: way.is_read_only,
            is_async: way.is_async,
            multiplies: way.multiplies,
            is_after_flag: warp.past.has_flag,
            is_after_far_flag: warp.past.has_far_flag,
        };
        // What `cp.async` reads may be less, or nothing.
        let may_be_less = way.by.is_some() && !way.is_async && !way.writes;
        if let Some((at, size)) = self.layout.outside(byte, bytes).filter(|_| !may_be_less) {
            self.is_beyond = true;
            self.faults.note(Fault::of_access(Kind::Outside(size), access, at));
        }
        self.is_beyond |= !may_be_less && self.layout.is_beyond(byte, bytes);
        if let Some(bytes) = way.of_tile {
            let room = self.layout.room(byte);
            let tile = Tile { start: key, room, access, past: warp.past.clone() };
            if let Some(Some(mbarrier)) = self.mbarriers.get_mut(&bytes) {
                mbarrier.tiles.push(tile);
            }
        }
        if let Byte::Shared(..) = byte {
            if way.writes {
                self.check_barriers((key, bytes), access);
            } else if self.launch.is_strict {
                self.memory.note_read((key, bytes), &access);
            }
        }
        let warp = &mut self.warps[w];
        let (past, within) = (core::mem::take(&mut warp.past), warp.within.take());
        self.record((key, bytes), access, Before { past: &past, within: within.as_ref() });
        let warp = &mut self.warps[w];
        (warp.past, warp.within) = (past, within);
        if let Byte::Shared(rank, _) = byte {
            self.note_remote((w, agent, time), rank, step, byte);
        }
    }

    /// Notes that a warp writes memory, and it is not known where.
    pub(super) fn forget(&mut self, w: usize) {
        self.memory.forget();
        let warp = &mut self.warps[w];
        warp.wrote = warp.time;
    }

    /// Records an access to bytes before which this has happened, and reports a conflict.
    pub(super) fn record(&mut self, bytes: (u64, u64), access: Access, before: Before<'_>) {
        let spent = usize::try_from(bytes.1 / BYTES_OF_STEP).unwrap_or_default();
        let conflict = self.memory.access(bytes, access, before);
        self.effort = self.effort.saturating_sub(spent + self.memory.pay());
        if let Some(conflict) = conflict {
            let kind = match conflict.lack {
                Lack::Order | Lack::Flag => Kind::Unordered,
                Lack::Fence => Kind::NotFenced,
                Lack::Sameness => Kind::NotReadOnly,
                Lack::Enforced => Kind::Unenforced,
            };
            let accesses = Some((access, conflict.earlier));
            let byte = Some(Byte::at(conflict.byte));
            if conflict.lack == Lack::Order
                && let Some(fault) = self.first_parity(&access, &conflict.earlier)
            {
                return self.faults.note(fault);
            }
            let fault = Fault { kind, step: access.step, byte, accesses };
            if conflict.lack == Lack::Flag {
                self.after_flags.note(fault);
            } else {
                self.faults.note(fault);
            }
        }
    }

    /// Returns the fault of a wait, if one of two accesses is a copy that completes in the first phase of an mbarrier, and
    /// the other is by threads that have waited for that too early.
    fn first_parity(&self, one: &Access, other: &Access) -> Option<Fault> {
        let (access, copy) = if one.agent == one.warp { (one, other) } else { (other, one) };
        let (step, address, time) = self.warps[access.warp].early.get(&copy.agent)?;
        let is_read = access.agent == access.warp && !access.writes && access.time >= *time;
        let is_early = copy.time == FIRST_PHASE && copy.writes && is_read;
        let byte = Some(Byte::at(*address));
        is_early.then(|| Fault::new(Kind::FirstParity, *step, byte))
    }

    /// Notes an access to the memory of a block.
    pub(super) fn note_remote(
        &mut self,
        (w, agent, time): (usize, Agent, u32),
        rank: u64,
        step: usize,
        byte: Byte,
    ) {
        let warp = &self.warps[w];
        if rank == warp.block || warp.is_after_flag {
            return;
        }
        let has_started =
            |other: &Warp| other.block == rank && warp.past.happened.of(other.number) > 0;
        if !warp.has_met_cluster && !self.warps.iter().any(has_started) {
            self.faults.note(Fault::new(Kind::NotStarted, step, Some(byte)));
        }
        self.remote.insert((rank, agent), (time, step, byte));
    }

    /// Records accesses of these threads.
    fn plain(
        &mut self,
        w: usize,
        (lanes, step): (Mask, usize),
        location: &Location,
        is_strong: bool,
    ) {
        let is_matrix = location.lanes < 32;
        let writes = matches!(location.direction, Direction::Write | Direction::ReadWrite);
        for lane in each_lane(lanes).filter(|lane| !is_matrix || *lane < location.lanes) {
            match self.byte(w, lane, location) {
                // A matrix is of a size that is not known.
                Some((byte, bytes)) if self.number(w, lane, &location.bytes).is_some() => {
                    let (operand, is_of_block) = (location.operand, location.is_of_block);
                    let way = Way { writes, is_strong, is_of_block, operand, ..Way::default() };
                    self.touch(w, (lane, step), (byte, bytes), way);
                    if let (true, Some(key)) = (writes, byte.key()) {
                        self.memory.store(key, bytes, None);
                    }
                }
                _ if writes => self.forget(w),
                _ => {}
            }
        }
    }

    fn load(
        &mut self,
        w: usize,
        (lanes, step): (Mask, usize),
        (location, way): (&Location, Way),
        (to, size, is_signed): (&[Option<usize>], u64, bool),
    ) {
        let bytes = self.bytes(w, lanes, location);
        self.touch_all(w, (lanes, step), &bytes, way);
        for (n, register) in to.iter().enumerate() {
            let Some(register) = register else { continue };
            let number = |lane: usize| {
                let (byte, _) = bytes[lane]?;
                let key = match byte {
                    Byte::Elsewhere => self.local(w, lane, location)?,
                    Byte::Shared(..) | Byte::Global(_) => byte.key()?,
                } + n as u64 * size;
                let value = match byte {
                    Byte::Global(_) => {
                        let given = way.is_read_only.then(|| self.launch.contents(key, size));
                        let tried = || self.tried(step, Byte::Global(key), size);
                        // What is in global memory is not known, but the same for all who read it.
                        let Some(value) = given.flatten().or_else(tried) else {
                            return address::opaque(
                                usize::MAX,
                                [Some(key), Some(size)].into_iter(),
                            );
                        };
                        value
                    }
                    Byte::Shared(..) | Byte::Elsewhere => self.memory.load(key, size)?,
                };
                let bits = u32::try_from(size * 8).ok()?;
                if is_signed && bits < 64 {
                    let shift = 64 - bits;
                    return Some(((value << shift).cast_signed() >> shift).cast_unsigned());
                }
                Some(value)
            };
            let numbers = Lanes::each(number);
            let first = numbers.at(lanes.trailing_zeros() as usize);
            let is_same = each_lane(lanes).all(|lane| numbers.at(lane) == first);
            let numbers = if is_same { Lanes::Same(first) } else { numbers };
            self.warps[w].set(*register, lanes, numbers);
        }
    }

    /// Returns the number with which a run tries one in global memory, if a step loads such: multiples for those in a buffer,
    /// in their order, as lengths and the sums of lengths may be.
    fn tried(&self, step: usize, byte: Byte, size: u64) -> Option<u64> {
        let (.., offset) =
            self.layout.storage(byte).filter(|_| self.launch.of_tried.loads(step))?;
        let number = u64::try_from(offset).ok()? / size + 1;
        Some(number.saturating_mul(self.launch.tried)).filter(|number| *number <= MOST_LOADED)
    }

    fn store(
        &mut self,
        w: usize,
        (lanes, step): (Mask, usize),
        location: &Location,
        values: &[Term],
        size: u64,
    ) {
        let view = View { warp: &self.warps[w], launch: self.launch };
        let numbers: Vec<Lanes> = values.iter().map(|value| value.lanes(lanes, &view)).collect();
        let bytes = self.bytes(w, lanes, location);
        if each_lane(lanes).any(|lane| bytes[lane].is_none()) {
            self.forget(w);
        }
        let stored = Some(self.memory.note_stored(&numbers, size));
        let way = Way { writes: true, stored, ..Way::default() };
        self.touch_all(w, (lanes, step), &bytes, way);
        for lane in each_lane(lanes) {
            let key = match bytes[lane] {
                Some((byte @ Byte::Shared(..), _)) => byte.key(),
                Some((Byte::Elsewhere, _)) => self.local(w, lane, location),
                Some((Byte::Global(_), _)) | None => None,
            };
            let Some(key) = key else { continue };
            for (n, numbers) in numbers.iter().enumerate() {
                let number = numbers.at(lane).and_then(|number| address::stored(number, size));
                self.memory.store(key + n as u64 * size, size, number);
            }
        }
    }

    /// Records accesses of these threads: those of threads and bytes that are next to each other as one.
    fn touch_all(
        &mut self,
        w: usize,
        (lanes, step): (Mask, usize),
        bytes: &[Option<(Byte, u64)>],
        way: Way,
    ) {
        // The first thread, its byte, the number of threads, and that of the bytes of each.
        let mut run: Option<(usize, Byte, usize, u64)> = None;
        for lane in each_lane(lanes) {
            let Some((byte, each)) = bytes[lane] else { continue };
            if let Some((first, start, count, size)) = &mut run {
                let next = start.key().map(|key| key + *count as u64 * *size);
                if *size == each && *first + *count == lane && next.is_some() && next == byte.key()
                {
                    *count += 1;
                    continue;
                }
            }
            if let Some((first, start, count, each)) = run.replace((lane, byte, 1, each)) {
                self.touch(w, (first, step), (start, count as u64 * each), Way { each, ..way });
            }
        }
        if let Some((first, start, count, each)) = run {
            self.touch(w, (first, step), (start, count as u64 * each), Way { each, ..way });
        }
    }

    /// Starts a copy, and returns its agent and time.
    pub(super) fn start_copy(&mut self, w: usize, kind: usize, lanes: Mask) -> (Agent, u32) {
        let all = &mut self.warps[w].copies[kind];
        let known = all.iter().position(|it| it.lanes == lanes);
        // What other threads of the warp started is waited for by those.
        let n = known.unwrap_or_else(|| {
            if all.len() < MOST_TOGETHER {
                all.push(Copies { lanes, agent: self.agents, groups: Groups::new() });
                self.agents += 1;
            }
            all.len() - 1
        });
        all[n].lanes |= lanes;
        (all[n].agent, all[n].groups.copy(lanes))
    }

    /// Lets those who wait for an mbarrier know that the multiplications are over which a warp has waited for that arrives
    /// there: also the parts of the other warps of its warpgroup, which multiply together.
    pub(super) fn release_multiplications(&mut self, w: usize) -> Vec<(Agent, u32)> {
        let own = &self.warps[w];
        let reached = own.copies[MULTIPLICATIONS].iter().map(|it| (it.lanes, it.groups.reached()));
        let reached: Vec<(Mask, u32)> = reached.filter(|(_, time)| *time > 0).collect();
        let mut all = Vec::new();
        for (lanes, time) in reached {
            let last = self.multiplied.entry((own.group(), lanes)).or_default();
            *last = time.max(*last);
            let others = self.warps.iter().filter(|it| it.group() == own.group());
            let copies = others.flat_map(|warp| &warp.copies[MULTIPLICATIONS]);
            all.extend(copies.filter(|it| it.lanes == lanes).map(|it| (it.agent, time)));
        }
        all
    }

    /// Does something with the groups of copies.
    fn each_kind(
        &mut self,
        w: usize,
        group: Group,
        only_reads: bool,
        mut does: impl FnMut(&mut Groups),
    ) {
        let kinds: &[usize] = match group {
            Group::Copies => &[ASYNC],
            Group::Bulk if only_reads => &[BULK_READS],
            Group::Bulk => &[BULK_READS, BULK_WRITES],
        };
        for kind in kinds {
            self.warps[w].each_of_kind(*kind, &mut does);
        }
    }

    fn copy(
        &mut self,
        w: usize,
        (lane, step): (usize, usize),
        accesses: &[Location],
        (completion, how, [reads, writes_by]): (&Completion, Copying, [(Agent, u32); 2]),
        blocks: Option<&Term>,
    ) {
        let located: Vec<(Option<Bytes>, Direction, u8)> =
            accesses.iter().map(|it| (self.byte(w, lane, it), it.direction, it.operand)).collect();
        let writes = |direction| matches!(direction, Direction::Write | Direction::ReadWrite);
        if located.iter().any(|(at, direction, _)| at.is_none() && writes(*direction)) {
            self.forget(w);
        }
        let is_open =
            |it: &Location| writes(it.direction) && self.number(w, lane, &it.bytes).is_none();
        if accesses.iter().any(is_open) {
            self.memory.open();
        }
        let (barrier, bytes) = match completion {
            Completion::Group(group) => {
                let source = accesses.iter().zip(&located).find_map(|(it, (at, direction, _))| {
                    let (byte @ Byte::Global(_), bytes) = (*at)? else { return None };
                    self.number(w, lane, &it.bytes).filter(|_| !writes(*direction))?;
                    Some((byte.key()?, bytes))
                });
                // What is in global memory is not known, but the same for all who copy it.
                let stored = source.map(|(key, bytes)| {
                    let number = address::opaque(usize::MAX, [Some(key), Some(bytes)].into_iter());
                    self.memory.note_stored(&[Lanes::Same(number)], bytes)
                });
                for (at, direction, operand) in located {
                    let Some(at) = at else { continue };
                    let writes = writes(direction);
                    let by = Some(if writes { writes_by } else { reads });
                    // `cp.async` goes through the generic proxy.
                    let is_async = *group == Group::Bulk;
                    let is_strong = direction == Direction::ReadWrite;
                    let stored = stored.filter(|_| writes);
                    let way =
                        Way { writes, is_strong, is_async, by, stored, operand, ..Way::default() };
                    self.touch(w, (lane, step), at, way);
                    self.overwrite(writes, at);
                }
                return;
            }
            Completion::Barrier(barrier, bytes) => (barrier, bytes),
        };
        let is_of_tried = bytes.as_ref().is_some_and(|bytes| self.launch.of_tried.has(bytes));
        let bytes_known = match bytes {
            None => None,
            Some(bytes) => match self.number(w, lane, bytes) {
                Some(bytes) => Some(bytes.cast_signed()),
                None => return self.lose(),
            },
        };
        let ranks: Vec<u64> = match blocks {
            None => Vec::new(),
            Some(blocks) => {
                let Some(blocks) = self.number(w, lane, blocks) else { return self.lose() };
                let count = self.launch.blocks();
                let beyond = (count..u64::from(u16::BITS)).find(|rank| blocks >> rank & 1 != 0);
                if let Some(rank) = beyond.filter(|_| count > 1) {
                    let warp = &self.warps[w];
                    let by = (warp.first + lane as u64, warp.block);
                    self.fault(Kind::NoBlock(rank, by.0, by.1), step);
                }
                (0..self.launch.blocks()).filter(|rank| blocks >> rank & 1 != 0).collect()
            }
        };
        let Some((barrier, _)) = self.byte(w, lane, barrier) else { return self.lose() };
        let targets: Vec<Option<u64>> = match blocks {
            None => alloc::vec![None],
            Some(_) => ranks.into_iter().map(Some).collect(),
        };
        if let (Copying::Whole, Some(bytes)) = (how, bytes_known)
            && bytes % WHOLE != 0
        {
            self.fault(Kind::NotWhole(bytes.cast_unsigned()), step);
        }
        if how != Copying::ForPair && blocks.is_none() {
            let mut of = located.iter().filter(|(_, direction, _)| writes(*direction));
            if let (Some((Some((Byte::Shared(to, _), _)), ..)), Byte::Shared(on, _)) =
                (of.next(), barrier)
                && *to != on
            {
                self.fault(Kind::CompletesElsewhere(*to, on), step);
            }
        }
        for rank in targets {
            let moved = |byte: Byte| match (byte, rank) {
                (Byte::Shared(_, offset), Some(rank)) => Byte::Shared(rank, offset),
                (byte, _) => byte,
            };
            // In a pair, it is the block of the same half as the barrier that is told.
            let told = match (moved(barrier), barrier) {
                (Byte::Shared(rank, offset), Byte::Shared(on, _)) if how == Copying::ForPair => {
                    Byte::Shared(rank & !1 | on & 1, offset)
                }
                (moved, _) => moved,
            };
            let Some(address) = self.used(w, step, told, false) else { continue };
            let Some(Some(it)) = self.mbarriers.get_mut(&address) else { continue };
            it.arrivals.causes.join(&self.warps[w].past.causes);
            // Of a tried number of bytes, none may have been expected.
            if !it.expects() && it.expected_tried == Some(true) && !is_of_tried {
                return self.lose();
            }
            it.copied_tried = Some(is_of_tried || it.copied_tried == Some(true));
            let by = Some((it.agent, it.phase + FIRST_PHASE));
            for (at, direction, operand) in &located {
                let Some((byte, bytes)) = *at else { continue };
                let writes = writes(*direction);
                let at = (if writes { moved(byte) } else { byte }, bytes);
                let is_strong = *direction == Direction::ReadWrite;
                let is_tile = how == Copying::Tile || bytes_known.is_none();
                let of_tile = (writes && is_tile).then_some(address);
                let operand = *operand;
                let is_async = true;
                let way =
                    Way { writes, is_strong, is_async, by, of_tile, operand, ..Way::default() };
                self.touch(w, (lane, step), at, way);
                self.overwrite(writes, at);
            }
            self.copied.push((address, bytes_known, step));
        }
    }

    fn overwrite(&mut self, writes: bool, (byte, bytes): (Byte, u64)) {
        if let (true, Byte::Shared(..), Some(key)) = (writes, byte, byte.key()) {
            self.memory.store(key, bytes, None);
        }
    }
}
