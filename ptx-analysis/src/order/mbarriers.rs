//! What threads do with mbarriers, but for waiting: they initialise and invalidate them, and arrive.

use alloc::vec;
use alloc::vec::Vec;

use crate::order::address::Byte;
use crate::order::barriers::Mbarrier;
use crate::order::fault::{Fault, Kind};
use crate::order::lanes::Lanes;
use crate::order::machine::Machine;
use crate::order::memory::Access;
use crate::order::step::{Arrival, Does, Location};
use crate::order::term::{Term, lowest};
use crate::order::warp::{ASYNC, MULTIPLICATIONS};

/// The number of bytes of an mbarrier.
const BYTES_OF_BARRIER: u64 = 8;

impl Machine<'_> {
    pub(super) fn init(
        &mut self,
        w: usize,
        (lane, step): (usize, usize),
        location: &Location,
        count: &Term,
    ) {
        let is_tried = self.launch.of_tried.has(count);
        let count = self.number(w, lane, count).filter(|_| !is_tried);
        let count = count.map(|count| lowest(count, 32));
        let byte = self.byte(w, lane, location);
        let (Some(count), Some((byte, _))) = (count, byte) else { return self.lose() };
        let Some(address) = byte.key() else { return self.lose() };
        self.is_beyond |= self.layout.is_beyond(byte, BYTES_OF_BARRIER);
        if let Some(Some(_)) = self.mbarriers.get(&address) {
            self.faults.note(Fault::new(Kind::InitialisedTwice, step, Some(byte)));
        }
        let warp = &self.warps[w];
        let by = (warp.number, warp.time);
        let mbarrier = Mbarrier::new(self.agents, by, step, count);
        self.agents += 1;
        self.mbarriers.insert(address, Some(mbarrier));
    }

    /// Invalidates an mbarrier, which no thread may use afterwards.
    pub(super) fn invalidate(&mut self, w: usize, address: u64) {
        if let Some(Some(mbarrier)) = self.mbarriers.insert(address, None) {
            mbarrier.undecided().for_each(|fault| self.faults.note(fault));
            for step in mbarrier.used_after(&self.warps[w]) {
                let fault = Fault::new(Kind::Invalidated, step, Some(Byte::at(address)));
                self.faults.note(fault);
            }
        }
    }

    /// Returns the address of an mbarrier that a thread uses.
    pub(super) fn mbarrier(
        &mut self,
        w: usize,
        (lane, step): (usize, usize),
        location: &Location,
    ) -> Option<u64> {
        let Some((byte, _)) = self.byte(w, lane, location) else {
            self.lose();
            return None;
        };
        self.used(w, step, byte, true)
    }

    /// Returns the address of an mbarrier, if it is one that may be used here.
    pub(super) fn used(
        &mut self,
        w: usize,
        step: usize,
        byte: Byte,
        by_thread: bool,
    ) -> Option<u64> {
        let Some(address) = byte.key() else {
            self.lose();
            return None;
        };
        let (kind, is_valid) = match self.mbarriers.get(&address) {
            None => (Some(Kind::NotInitialised), false),
            Some(None) => (Some(Kind::Invalidated), false),
            Some(Some(mbarrier)) => {
                let warp = &self.warps[w];
                let (agent, time) = mbarrier.init;
                let is_known = agent == warp.number
                    || warp.is_after_flag
                    || warp.past.happened.of(agent) >= time;
                ((!is_known).then_some(Kind::NotPublished), true)
            }
        };
        if let Some(kind) = kind {
            self.faults.note(Fault::new(kind, step, Some(byte)));
            // Once is enough.
            if let Some(Some(mbarrier)) = self.mbarriers.get_mut(&address) {
                mbarrier.init.1 = 0;
            }
        }
        if !is_valid {
            self.lose();
            return None;
        }
        if let (true, Byte::Shared(rank, _)) = (by_thread, byte) {
            let warp = &self.warps[w];
            if let Some(Some(mbarrier)) = self.mbarriers.get_mut(&address) {
                mbarrier.note_use(warp, step);
            }
            let by = (w, warp.number, warp.time);
            self.note_remote(by, rank, step, byte);
        }
        Some(address)
    }

    pub(super) fn arrive(&mut self, w: usize, (lane, step): (usize, usize), does: &Does) {
        let Does::Arrive { barrier, bytes, count, blocks, .. } = does else { return };
        let is_of_tried = bytes.as_ref().is_some_and(|bytes| self.launch.of_tried.has(bytes));
        let bytes = match bytes {
            None => None,
            Some(bytes) => match self.number(w, lane, bytes) {
                Some(bytes) => Some(lowest(bytes, 32).cast_signed()),
                None => return self.lose(),
            },
        };
        let Some(count) = self.number(w, lane, count).map(|it| lowest(it, 32)) else {
            return self.lose();
        };
        let Some((byte, _)) = self.byte(w, lane, barrier) else { return self.lose() };
        let targets: Vec<Byte> = match (blocks, byte) {
            (Some(mask), Byte::Shared(_, offset)) => {
                let Some(mask) = self.number(w, lane, mask) else { return self.lose() };
                let ranks = (0..self.launch.blocks()).filter(|rank| mask >> rank & 1 != 0);
                ranks.map(|rank| Byte::Shared(rank, offset)).collect()
            }
            (_, byte) => vec![byte],
        };
        for byte in targets {
            let Some(address) = self.used(w, step, byte, true) else { return };
            self.arrive_at(w, (lane, step), does, (address, count, bytes, is_of_tried));
        }
    }

    /// Arrives at an mbarrier, given by its address, so many times, and expects bytes; whether runs try their number.
    fn arrive_at(
        &mut self,
        w: usize,
        (lane, step): (usize, usize),
        does: &Does,
        (address, count, bytes, is_of_tried): (u64, u64, Option<i64>, bool),
    ) {
        let Does::Arrive { barrier, state, drops, copies, is_relaxed, .. } = does else { return };
        let multiplied = self.release_multiplications(w);
        let copied = match copies {
            Arrival::Plain => &[][..],
            Arrival::AfterCopies | Arrival::AfterCopiesExpected => &self.warps[w].copies[ASYNC],
            Arrival::AfterMultiplications => &self.warps[w].copies[MULTIPLICATIONS],
        };
        let Some(Some(mbarrier)) = self.mbarriers.get_mut(&address) else { return };
        let warp = &self.warps[w];
        // What is released to threads of the same block is not to those of another one.
        let is_far = Byte::at(address).block().is_some_and(|block| block != warp.block);
        let is_relaxed = *is_relaxed || barrier.is_of_block && is_far;
        if *copies != Arrival::AfterCopiesExpected {
            let has_all = count == 0 && mbarrier.pending == 0 && !warp.past.has_flag;
            if has_all || mbarrier.may_end_after(warp) {
                let thread = warp.first + lane as u64;
                let byte = Some(Byte::at(address));
                let fault = Fault::new(Kind::Undecided(thread, has_all), step, byte);
                mbarrier.note_undecided(mbarrier.phase + u32::from(has_all), fault);
            }
        }
        if *copies != Arrival::Plain {
            mbarrier.has_late = true;
        } else if count > 0 {
            mbarrier.came.add(warp);
        }
        if let Some(bytes) = bytes {
            mbarrier.expect(bytes, step);
            mbarrier.expected_tried = Some(is_of_tried || mbarrier.expected_tried == Some(true));
        }
        mbarrier.arrivals.join(&warp.released(1 << lane, is_relaxed));
        mbarrier.arrivals.causes.join(&warp.past.causes);
        for (agent, time) in multiplied {
            mbarrier.arrivals.happened.reach(agent, time);
        }
        for copies in copied.iter().filter(|it| it.lanes >> lane & 1 != 0) {
            mbarrier.arrivals.happened.reach(copies.agent, copies.groups.time());
        }
        if let Some(state) = state {
            let phase = Lanes::Same(Some(mbarrier.phase.into()));
            self.warps[w].set(*state, 1 << lane, phase);
        }
        if *copies != Arrival::AfterCopiesExpected {
            if *drops {
                mbarrier.count = mbarrier.count.saturating_sub(count.max(1));
            }
            match mbarrier.pending.checked_sub(count) {
                Some(pending) => mbarrier.pending = pending,
                None => {
                    let kind = Kind::TooManyArrivals(mbarrier.count);
                    let fault = Fault::new(kind, step, Some(Byte::at(address)));
                    self.faults.note(fault);
                    return self.lose();
                }
            }
        }
        self.complete(address);
    }

    /// Reports a write to bytes of an mbarrier that is in use.
    pub(super) fn check_barriers(&mut self, (start, bytes): (u64, u64), access: Access) {
        if bytes == 0 {
            return;
        }
        let first = start.saturating_sub(BYTES_OF_BARRIER - 1);
        let mut barriers = self.mbarriers.range(first..start.saturating_add(bytes));
        if let Some((at, _)) = barriers.find(|(_, barrier)| barrier.is_some()) {
            self.faults.note(Fault::of_access(Kind::Overwritten, access, (*at).max(start)));
        }
    }
}
