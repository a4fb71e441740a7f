//! Memory: the bytes that are known, and the accesses to each byte that later ones may conflict with.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::sorted::SortedMap;

use crate::order::address::{Byte, is_tagged};
use crate::order::clock::{Agent, Past};
use crate::order::lanes::{Lanes, WARP};
use crate::order::within::Within;

/// The number of bytes in a cell, whose accesses are kept together.
const CELL: u64 = 8;
/// The number of cells in a page.
const CELLS: usize = 128;
/// The number of bytes in a page.
const PAGE: u64 = CELL * CELLS as u64;
/// The same, for a slice.
const BYTES: usize = 1024;

/// The number of bytes of an address.
const WORD: usize = 8;

/// The number of pairs of accesses that cost a step.
const COMPARED_OF_STEP: usize = 64;

/// The number of pages that cost nothing, and the steps that each of the others costs, so that the budget is one of memory,
/// too.
const FREE_PAGES: usize = 1024;
const STEPS_OF_PAGE: usize = 128;

/// The number of accesses from which on those are dropped to which no byte refers.
const MANY: usize = 1 << 18;

/// The most reads of a step that are kept of what nothing has written.
const MOST_UNWRITTEN: usize = 64;

/// An access to bytes, all of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is so, or not
pub(super) struct Access {
    /// Who accesses.
    pub(super) agent: Agent,
    /// When.
    pub(super) time: u32,
    /// The warp that executes the instruction.
    pub(super) warp: usize,
    /// The first thread in its warp.
    pub(super) lane: u8,
    /// The first byte of it, and the number of bytes of each thread, which are next to each other.
    pub(super) start: u64,
    pub(super) each: u32,
    /// The number of the block.
    pub(super) block: u64,
    /// The step of the program, and the operand of it.
    pub(super) step: usize,
    pub(super) operand: u8,
    /// How often the threads have executed the step, with this time; 0 if not all as often.
    pub(super) round: u32,
    /// Whether it writes.
    pub(super) writes: bool,
    /// The numbers that it stores.
    pub(super) stored: Option<Stored>,
    /// The tried numbers from which its address is computed, as a bit for each.
    pub(super) bases: u64,
    /// Whether it is atomic, relaxed or volatile.
    pub(super) is_strong: bool,
    /// Whether it is that for threads of its own block only.
    pub(super) is_of_block: bool,
    /// Whether it reads what stays the same while the kernel runs.
    pub(super) is_read_only: bool,
    /// Whether it goes through the async proxy.
    pub(super) is_async: bool,
    /// Whether it is of a multiplication.
    pub(super) multiplies: bool,
    /// Whether something in memory may have been waited for before, which orders it in a way that is not followed.
    pub(super) is_after_flag: bool,
    /// Whether that may have been something that a thread of another block wrote.
    pub(super) is_after_far_flag: bool,
}

impl Access {
    /// Returns the thread in its warp that accesses a byte.
    pub(super) fn lane_at(&self, byte: u64) -> u64 {
        // A copy is of one thread.
        if self.agent != self.warp {
            return self.lane.into();
        }
        u64::from(self.lane) + byte.saturating_sub(self.start) / u64::from(self.each.max(1))
    }

    /// Whether it comes after an earlier one to the same byte since they are of one agent, or copies by `cp.async` of one
    /// thread, with others of its warp or without them. Bulk copies that complete together write in any order; those of one
    /// instruction may copy the same.
    fn is_of(&self, earlier: &Self, byte: u64) -> bool {
        let is_bulk = self.is_async && self.agent != self.warp && !self.multiplies;
        let is_other = self.step != earlier.step && self.time == earlier.time;
        if is_bulk && is_other && self.writes && earlier.writes {
            return false;
        }
        let is_tensor = Byte::at(byte).is_tensor();
        let is_copy = |it: &Self| it.agent != it.warp && !it.is_async && !is_tensor;
        let is_same_thread =
            || self.warp == earlier.warp && self.lane_at(byte) == earlier.lane_at(byte);
        self.agent == earlier.agent || is_copy(self) && is_copy(earlier) && is_same_thread()
    }

    /// Whether both are atomic, with scopes that hold both.
    const fn is_strong_with(&self, other: &Self) -> bool {
        let is_far = self.block != other.block && (self.is_of_block || other.is_of_block);
        self.is_strong && other.is_strong && !is_far
    }

    /// Returns how it conflicts with an earlier access to the same byte.
    fn conflicts(&self, earlier: &Self, is_ordered: bool, past: &Past) -> Option<Lack> {
        let is_far = self.block != earlier.block;
        let is_after_flag =
            |it: &Self| if is_far { it.is_after_far_flag } else { it.is_after_flag };
        if is_after_flag(earlier) || is_after_flag(self) {
            // What one of them accesses atomically may be the flag.
            let may_be_flag = self.is_strong || earlier.is_strong;
            return (!is_ordered && !may_be_flag).then_some(Lack::Flag);
        }
        if !is_ordered {
            return (!self.is_strong_with(earlier)).then_some(Lack::Order);
        }
        if self.is_read_only && earlier.writes {
            return Some(Lack::Sameness);
        }
        let needs_fence = self.is_async
            && !self.writes
            && !earlier.is_async
            // Of what `cp.async` writes, compilers rely on being visible to multiplications.
            && (earlier.agent == earlier.warp || !self.multiplies)
            && past.fenced.of(earlier.agent) < earlier.time;
        needs_fence.then_some(Lack::Fence)
    }

    /// Returns the first byte of a cell whose accesses only lockstep orders: those of threads of one warp, or what some
    /// threads of a warp have told or waited for.
    fn unordered(
        &self,
        earlier: &Self,
        (start, bytes): (u64, u8),
        (within, past): (&Within, &Past),
    ) -> Option<u64> {
        // A warp loads from tensor memory as one, stores there and waits.
        if Byte::at(start).is_tensor() {
            return None;
        }
        let lane = |access: &Self, byte| {
            usize::try_from(access.lane_at(byte)).unwrap_or_default().min(WARP - 1)
        };
        let (agent, time) = (earlier.agent, earlier.time);
        let mut bytes = (0..CELL).filter(|n| bytes >> n & 1 != 0).map(|n| start + n);
        bytes.find(|byte| {
            let (own, other) = (lane(self, *byte), lane(earlier, *byte));
            if agent == self.agent {
                return self.agent == self.warp && !within.knows(own, other, time);
            }
            let is_ordered = past.happened.of(agent) >= time;
            is_ordered && !(past.knows(agent, other, time) && within.has_learned(own, agent, time))
        })
    }
}

/// Two accesses that conflict.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conflict {
    /// The first byte.
    pub(super) byte: u64,
    /// The earlier access in the schedule that is followed.
    pub(super) earlier: Access,
    /// What is missing.
    pub(super) lack: Lack,
}

/// The numbers that threads of a warp store by an instruction, by their index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stored(u32);

/// The accesses, and the numbers that they store: the elements of each thread, and the number of bytes of one.
#[derive(Debug, Default)]
struct Accesses {
    all: Vec<Access>,
    stored: Vec<(Box<[Lanes]>, u64)>,
    /// How many there were after others were dropped.
    kept: usize,
}

impl Accesses {
    fn of(&self, number: u32) -> &Access {
        &self.all[number as usize]
    }

    /// Drops the accesses that are not kept, and the numbers that only they store, and returns the new number of each access.
    fn sweep(&mut self, is_kept: &[bool]) -> Vec<u32> {
        let to = compact(&mut self.all, is_kept);
        let mut is_stored = alloc::vec![false; self.stored.len()];
        for stored in self.all.iter().filter_map(|access| access.stored) {
            is_stored[stored.0 as usize] = true;
        }
        let to_stored = compact(&mut self.stored, &is_stored);
        for stored in self.all.iter_mut().filter_map(|access| access.stored.as_mut()) {
            stored.0 = to_stored[stored.0 as usize];
        }
        self.kept = self.all.len();
        to
    }

    /// Returns what an access stores in a byte, if it is known: a number that is the same for the same.
    fn stored(&self, access: &Access, byte: u64) -> Option<u64> {
        let (numbers, size) = self.stored.get(access.stored?.0 as usize)?;
        let lane = usize::try_from(access.lane_at(byte)).ok()?;
        let at = (byte - access.start) % u64::from(access.each.max(1));
        let number = numbers.get(usize::try_from(at / size).ok()?)?.at(lane)?;
        let bytes = u32::try_from(at % size * 8).ok()?;
        // A number that is not followed stays one.
        Some(if is_tagged(number) {
            number ^ u64::from(bytes)
        } else {
            number.checked_shr(bytes)? & 0xff
        })
    }

    /// Whether both store the same number in a byte, as far as is known: such threads do not disturb each other on
    /// machines of today. Compilers let several threads store copies of one number by one instruction.
    fn may_be_same(&self, one: &Access, other: &Access, byte: u64) -> bool {
        if !one.writes || !other.writes {
            return false;
        }
        let is_here = one.step == other.step;
        match (self.stored(one, byte), self.stored(other, byte)) {
            (Some(one), Some(other)) => one == other && (is_here || !is_tagged(one)),
            // What an atomic operation stores depends on the others.
            (_, _) => is_here && !one.is_strong,
        }
    }
}

/// What two accesses that conflict lack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Lack {
    /// Anything that enforces the order that they have, or the number that they store, on machines of today.
    Enforced,
    /// Data that stays the same, as it is read.
    Sameness,
    /// A proxy fence.
    Fence,
    /// An order, unless something in memory that was waited for makes one.
    Flag,
    /// An order.
    Order,
}

/// What has happened before an access: to all, and to the threads of its warp, if lockstep does not count.
#[derive(Clone, Copy)]
pub(super) struct Before<'b> {
    pub(super) past: &'b Past,
    pub(super) within: Option<&'b Within>,
}

/// The accesses to bytes of a cell: the bytes, and the number of the access.
#[derive(Clone, Debug, Default)]
struct Cell(Vec<(u8, u32)>);

/// Bytes next to each other.
#[derive(Debug)]
struct Page {
    cells: Box<[Cell]>,
    /// The bytes of each cell that were written.
    written: [u8; CELLS],
    bytes: Box<[Option<u8>]>,
}

/// All memory that threads of a cluster share.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pages: SortedMap<u64, Page>,
    accesses: Accesses,
    /// The number of pairs of accesses that were compared, and have not been paid for.
    compared: usize,
    /// The number of pages that have been paid for.
    paid: usize,
    /// Whether something unknown may have been written anywhere, and whether that may still be.
    is_open: bool,
    is_distrusted: bool,
    /// For each step, reads of bytes that nothing had written: the first byte, and the number of bytes.
    unwritten: SortedMap<usize, Vec<(u64, u64, Access)>>,
}

impl Memory {
    fn page(pages: &mut SortedMap<u64, Page>, address: u64) -> &mut Page {
        pages.entry(address / PAGE).or_insert_with(|| Page {
            cells: alloc::vec![Cell::default(); CELLS].into(),
            written: [0; CELLS],
            bytes: Box::default(),
        })
    }

    /// Records an access to bytes, and returns the first conflict with an earlier one.
    pub(super) fn access(
        &mut self,
        (start, bytes): (u64, u64),
        access: Access,
        before: Before<'_>,
    ) -> Option<Conflict> {
        let mut found: Option<Conflict> = None;
        let mut at = start;
        let end = start.saturating_add(bytes);
        let Ok(number) = u32::try_from(self.accesses.all.len()) else { return None };
        self.accesses.all.push(access);
        while at < end {
            let page = Self::page(&mut self.pages, at);
            let last = end.min((at / PAGE + 1) * PAGE);
            while at < last {
                let to = last.min((at / CELL + 1) * CELL);
                let mask = mask(at % CELL, to - at);
                let number_of_cell = usize::try_from(at % PAGE / CELL).unwrap_or_default();
                if access.writes {
                    page.written[number_of_cell] |= mask;
                }
                let cell = &mut page.cells[number_of_cell];
                self.compared += cell.0.len();
                let first = at / CELL * CELL;
                let conflict = cell.access((first, mask), number, &self.accesses, before);
                if let Some(conflict) = conflict
                    && found.is_none_or(|it| it.lack < conflict.lack)
                {
                    found = Some(conflict);
                }
                at = to;
            }
        }
        found
    }

    /// Whether a byte of these was written.
    fn is_written(&self, start: u64, bytes: u64) -> bool {
        (start..start.saturating_add(bytes)).any(|at| {
            let cell = usize::try_from(at % PAGE / CELL).unwrap_or_default();
            let page = self.pages.get(&(at / PAGE));
            page.is_some_and(|page| page.written[cell] >> (at % CELL) & 1 != 0)
        })
    }

    /// Notes reads of bytes, by one thread after the other, which nothing may have written.
    pub(super) fn note_read(&mut self, (start, bytes): (u64, u64), access: &Access) {
        let each = u64::from(access.each.max(1));
        let noted = self.unwritten.get(&access.step).map_or(0, Vec::len);
        if self.is_open || noted >= MOST_UNWRITTEN {
            return;
        }
        let mut at = start;
        while at < start.saturating_add(bytes) {
            if !self.is_written(at, each) {
                self.unwritten.entry(access.step).or_default().push((at, each, *access));
            }
            at += each;
        }
    }

    /// Returns reads of bytes that nothing has written: the first of each step.
    pub(super) fn never_written(&self) -> Vec<(u64, Access)> {
        if self.is_open {
            return Vec::new();
        }
        let first = |reads: &Vec<(u64, u64, Access)>| {
            let never = |(at, bytes, _): &&(u64, u64, Access)| !self.is_written(*at, *bytes);
            reads.iter().find(never).map(|(at, _, access)| (*at, *access))
        };
        self.unwritten.values().filter_map(first).collect()
    }

    /// Notes that something unknown is written.
    pub(super) fn open(&mut self) {
        self.is_open = true;
    }

    /// Notes numbers that are stored, each of this many bytes.
    pub(super) fn note_stored(&mut self, numbers: &[Lanes], size: u64) -> Stored {
        let stored = &mut self.accesses.stored;
        stored.push((numbers.into(), size.max(1)));
        Stored(index(stored.len() - 1))
    }

    /// Drops what no later access is compared with, if there is much: between two steps, since a step that stores numbers
    /// notes them before its accesses.
    pub(super) fn sweep(&mut self) {
        if self.accesses.all.len() >= MANY.max(self.accesses.kept.saturating_mul(2)) {
            let mut is_kept = alloc::vec![false; self.accesses.all.len()];
            for (_, number) in self.pages.values().flat_map(|page| &page.cells).flat_map(|it| &it.0)
            {
                is_kept[*number as usize] = true;
            }
            let to = self.accesses.sweep(&is_kept);
            let cells = self.pages.values_mut().flat_map(|page| &mut page.cells);
            for (_, number) in cells.flat_map(|cell| &mut cell.0) {
                *number = to[*number as usize];
            }
        }
    }

    /// Returns the number of steps that comparing accesses and new pages have cost since the last time.
    pub(super) fn pay(&mut self) -> usize {
        let steps = self.compared / COMPARED_OF_STEP;
        self.compared %= COMPARED_OF_STEP;
        let pages = self.pages.len().max(FREE_PAGES) - self.paid.max(FREE_PAGES);
        self.paid = self.pages.len();
        steps + pages * STEPS_OF_PAGE
    }

    /// Returns a number, if all of its bytes are known.
    pub(super) fn load(&self, address: u64, bytes: u64) -> Option<u64> {
        if self.is_distrusted {
            return None;
        }
        let page = self.pages.get(&(address / PAGE))?;
        let first = usize::try_from(address % PAGE).ok()?;
        let count = usize::try_from(bytes.min(8)).ok()?;
        let mut value = [0; 8];
        for (to, from) in value.iter_mut().zip(page.bytes.get(first..first + count)?) {
            *to = (*from)?;
        }
        // Part of an address, or of what stands for a number, is not known.
        let is_whole = count == WORD && first.is_multiple_of(WORD);
        let mut words = (first / WORD..=(first + count.max(1) - 1) / WORD).map(|n| n * WORD);
        let is_tagged = |at: usize| {
            let word = page.bytes.get(at..at + WORD)?;
            let mut bytes = [0; WORD];
            for (to, from) in bytes.iter_mut().zip(word) {
                *to = (*from)?;
            }
            Some(is_tagged(u64::from_le_bytes(bytes)))
        };
        let is_part = !is_whole && words.any(|at| is_tagged(at) == Some(true));
        (!is_part).then(|| u64::from_le_bytes(value))
    }

    /// Stores a number, or bytes that are not known.
    pub(super) fn store(&mut self, address: u64, bytes: u64, value: Option<u64>) {
        let (mut at, end) = (address, address.saturating_add(bytes));
        let mut new = value.map(u64::to_le_bytes).into_iter().flatten();
        while at < end {
            let to = end.min((at / PAGE + 1) * PAGE);
            let is_known = self.pages.get(&(at / PAGE)).is_some_and(|it| !it.bytes.is_empty());
            if value.is_some() || is_known {
                let page = Self::page(&mut self.pages, at);
                if page.bytes.is_empty() {
                    page.bytes = alloc::vec![None; BYTES].into();
                }
                let first = usize::try_from(at % PAGE).unwrap_or_default();
                let last = first + usize::try_from(to - at).unwrap_or_default();
                page.bytes[first..last].iter_mut().for_each(|byte| *byte = new.next());
            }
            at = to;
        }
    }

    /// Knows no byte any more: something unknown may be written anywhere at any time.
    pub(super) fn distrust(&mut self) {
        self.is_distrusted = true;
    }

    /// Forgets all bytes: something unknown may have been written anywhere.
    pub(super) fn forget(&mut self) {
        self.is_open = true;
        for page in self.pages.values_mut() {
            page.bytes = Box::default();
        }
    }
}

/// Drops what is not kept, and returns the new index of each of the others.
fn compact<T>(all: &mut Vec<T>, is_kept: &[bool]) -> Vec<u32> {
    let mut count = 0;
    let to = is_kept.iter().map(|is_kept| {
        count += usize::from(*is_kept);
        index(count.saturating_sub(1))
    });
    let to = to.collect();
    let mut kept = is_kept.iter();
    all.retain(|_| kept.next().is_some_and(|is_kept| *is_kept));
    to
}

/// Returns an index as accesses keep it.
fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The bits of bytes in a cell.
fn mask(first: u64, bytes: u64) -> u8 {
    let all = if bytes >= CELL { 0xff } else { (1_u16 << bytes) - 1 };
    (all << first).to_le_bytes()[0]
}

impl Cell {
    /// Records an access by its number to bytes of the cell that starts at an address, and returns the first conflict of
    /// those that lack most.
    fn access(
        &mut self,
        (start, mask): (u64, u8),
        number: u32,
        all: &Accesses,
        before: Before<'_>,
    ) -> Option<Conflict> {
        let access = all.of(number);
        let mut found: Option<Conflict> = None;
        for n in 0..self.0.len() {
            let (bytes, other) = self.0[n];
            let both = bytes & mask;
            if both == 0 {
                continue;
            }
            let earlier = all.of(other);
            let mut byte = start + u64::from(both.trailing_zeros());
            let is_ordered = access.is_of(earlier, byte)
                || before.past.happened.of(earlier.agent) >= earlier.time;
            let mut conflict = None;
            if earlier.writes || access.writes {
                let lack = access.conflicts(earlier, is_ordered, before.past);
                let bytes = (0..CELL).filter(|n| both >> n & 1 != 0).map(|n| start + n);
                let mut others = bytes.filter(|byte| {
                    let is_read = self.is_read_back(access, earlier, (*byte, start), all);
                    !is_read && !all.may_be_same(access, earlier, *byte)
                });
                conflict = match lack {
                    Some(Lack::Order | Lack::Flag) => match others.next() {
                        Some(at) => {
                            byte = at;
                            lack
                        }
                        None => lack.filter(|it| *it == Lack::Order).and(Some(Lack::Enforced)),
                    },
                    Some(Lack::Fence) => others.next().map(|_| Lack::Fence),
                    lack => lack,
                };
            }
            let within = before.within.map(|within| (within, before.past));
            let hidden = within.and_then(|by| access.unordered(earlier, (start, both), by));
            if let Some(at) = hidden
                && !access.is_strong_with(earlier)
                && !(earlier.is_after_flag || access.is_after_flag)
                && (earlier.writes || access.writes)
            {
                (byte, conflict) = (at, Some(Lack::Enforced));
            }
            if let Some(lack) = conflict
                && (lack != Lack::Enforced || before.within.is_some())
                && found.is_none_or(|it| it.lack < lack)
            {
                found = Some(Conflict { byte, earlier: *earlier, lack });
            }
            let is_ordered = is_ordered && hidden.is_none();
            // What the new access is ordered after need not be compared with later ones: those are ordered after both.
            let is_covered = is_ordered
                && (earlier.is_strong || !access.is_strong)
                && (earlier.is_after_flag || !access.is_after_flag);
            if is_covered && (access.writes || !earlier.writes) {
                self.0[n].0 &= !mask;
            }
        }
        self.0.retain(|(bytes, _)| *bytes != 0);
        self.0.push((mask, number));
        found
    }

    /// Whether one reads in a byte what its own warp has stored before, which is the same number that the other stores.
    fn is_read_back(
        &self,
        one: &Access,
        other: &Access,
        (byte, start): (u64, u64),
        all: &Accesses,
    ) -> bool {
        let (read, write) = if one.writes { (other, one) } else { (one, other) };
        if read.writes {
            return false;
        }
        let is_own = |(of, number): &&(u8, u32)| {
            of >> (byte - start) & 1 != 0 && all.of(*number).agent == read.agent
        };
        let mut own = self.0.iter().filter(is_own).peekable();
        let Some(stored) = own.peek().and_then(|_| all.stored(write, byte)) else { return false };
        let is_same = |(_, number): &(u8, u32)| all.stored(all.of(*number), byte) == Some(stored);
        own.any(is_same)
    }
}
