//! Memory: the bytes that are known, and the accesses to each byte that later ones may conflict with.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::sorted::SortedMap;

use crate::order::clock::{Agent, Past};
use crate::order::within::Within;

/// The number of bytes in a cell, whose accesses are kept together.
const CELL: u64 = 8;
/// The number of cells in a page.
const CELLS: usize = 128;
/// The number of bytes in a page.
const PAGE: u64 = CELL * CELLS as u64;
/// The same, for a slice.
const BYTES: usize = 1024;

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
    /// The number of the cluster.
    pub(super) cluster: u64,
    /// The step of the program, and the operand of it.
    pub(super) step: usize,
    pub(super) operand: u8,
    /// Whether it writes.
    pub(super) writes: bool,
    /// The number that it stores, if that is known.
    pub(super) stored: Option<u64>,
    /// Whether it is atomic, relaxed or volatile.
    pub(super) is_strong: bool,
    /// Whether it goes through the async proxy.
    pub(super) is_async: bool,
    /// Whether the warp may have waited for something in memory before, which orders it in a way that is not followed.
    pub(super) is_after_flag: bool,
}

impl Access {
    /// Returns the thread in its warp that accesses a byte.
    pub(super) fn lane_at(&self, byte: u64) -> u64 {
        u64::from(self.lane) + byte.saturating_sub(self.start) / u64::from(self.each.max(1))
    }

    /// Returns how it conflicts with an earlier access to the same byte.
    fn conflicts(&self, earlier: &Self, is_ordered: bool, past: &Past) -> Option<Lack> {
        // Between clusters, only writes cannot be ordered in another way.
        let is_apart = self.cluster != earlier.cluster && !(self.writes && earlier.writes);
        if earlier.is_after_flag || self.is_after_flag || is_apart {
            return None;
        }
        if !is_ordered {
            let are_strong = earlier.is_strong && self.is_strong;
            let lack = if self.may_store_as(earlier) { Lack::Enforced } else { Lack::Order };
            return (!are_strong).then_some(lack);
        }
        let needs_fence = self.is_async
            && !self.writes
            && !earlier.is_async
            // Of what `cp.async` writes, compilers rely on being visible to multiplications.
            && earlier.agent == earlier.warp
            && past.fenced.of(earlier.agent) < earlier.time;
        needs_fence.then_some(Lack::Fence)
    }

    /// Returns the first byte of a cell that threads of one warp access without an order.
    fn unordered(&self, earlier: &Self, (start, bytes): (u64, u8), within: &Within) -> Option<u64> {
        let lane = |access: &Self, byte| usize::try_from(access.lane_at(byte)).unwrap_or_default();
        let bytes = (0..CELL).filter(|n| bytes >> n & 1 != 0).map(|n| start + n);
        let is_known = |byte| within.knows(lane(self, byte), lane(earlier, byte), earlier.time);
        bytes.into_iter().find(|byte| !is_known(*byte))
    }

    /// Whether both store the same number, as far as is known: such threads do not disturb each other on machines of
    /// today. Compilers let several threads store copies of one number by one instruction.
    fn may_store_as(&self, other: &Self) -> bool {
        let may_be_same = match (self.stored, other.stored) {
            (Some(one), Some(other)) => one == other,
            (_, _) => self.step == other.step,
        };
        self.writes && other.writes && may_be_same
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

/// What two accesses that conflict lack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Lack {
    /// Anything that enforces the order that they have, or the number that they store, on machines of today.
    Enforced,
    /// A proxy fence.
    Fence,
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
    bytes: Box<[Option<u8>]>,
}

/// All memory that threads of a cluster share.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pages: SortedMap<u64, Page>,
    accesses: Vec<Access>,
}

impl Memory {
    fn page(pages: &mut SortedMap<u64, Page>, address: u64) -> &mut Page {
        pages.entry(address / PAGE).or_insert_with(|| Page {
            cells: alloc::vec![Cell::default(); CELLS].into(),
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
        let Ok(number) = u32::try_from(self.accesses.len()) else { return None };
        self.accesses.push(access);
        while at < end {
            let page = Self::page(&mut self.pages, at);
            let last = end.min((at / PAGE + 1) * PAGE);
            while at < last {
                let to = last.min((at / CELL + 1) * CELL);
                let mask = mask(at % CELL, to - at);
                let cell = &mut page.cells[usize::try_from(at % PAGE / CELL).unwrap_or_default()];
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

    /// Returns a number, if all of its bytes are known.
    pub(super) fn load(&self, address: u64, bytes: u64) -> Option<u64> {
        let page = self.pages.get(&(address / PAGE))?;
        let first = usize::try_from(address % PAGE).ok()?;
        let count = usize::try_from(bytes.min(8)).ok()?;
        let mut value = [0; 8];
        for (to, from) in value.iter_mut().zip(page.bytes.get(first..first + count)?) {
            *to = (*from)?;
        }
        Some(u64::from_le_bytes(value))
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

    /// Forgets all bytes: something unknown may have been written anywhere.
    pub(super) fn forget(&mut self) {
        for page in self.pages.values_mut() {
            page.bytes = Box::default();
        }
    }
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
        all: &[Access],
        before: Before<'_>,
    ) -> Option<Conflict> {
        let access = &all[number as usize];
        let mut found: Option<Conflict> = None;
        for n in 0..self.0.len() {
            let (bytes, other) = self.0[n];
            let both = bytes & mask;
            if both == 0 {
                continue;
            }
            let earlier = &all[other as usize];
            let is_same = earlier.agent == access.agent;
            let is_ordered = is_same || before.past.happened.of(earlier.agent) >= earlier.time;
            let mut conflict = None;
            if earlier.writes || access.writes {
                let lack = access.conflicts(earlier, is_ordered, before.past);
                let is_same_number = || self.is_same_number(access, earlier, both, all);
                conflict = match lack {
                    Some(Lack::Order) if is_same_number() => Some(Lack::Enforced),
                    Some(Lack::Fence) if is_same_number() => None,
                    lack => lack,
                };
            }
            let mut byte = start + u64::from(both.trailing_zeros());
            let hidden = before.within.filter(|_| is_same && access.agent == access.warp);
            let hidden = hidden.and_then(|within| access.unordered(earlier, (start, both), within));
            if let Some(at) = hidden
                && !(earlier.is_strong && access.is_strong)
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

    /// Whether one reads what its own warp has stored before, which is the same number that the other stores.
    fn is_same_number(&self, one: &Access, other: &Access, bytes: u8, all: &[Access]) -> bool {
        let (read, write) = if one.writes { (other, one) } else { (one, other) };
        let is_same = |(of, number): &(u8, u32)| {
            let own = &all[*number as usize];
            own.agent == read.agent && own.stored == write.stored && of & bytes != 0
        };
        !read.writes && write.stored.is_some() && self.0.iter().any(is_same)
    }
}
