//! Memory: the bytes that are known, and the accesses to each byte that later ones may conflict with.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::sorted::SortedMap;

use crate::order::clock::{Agent, Past};

/// The number of bytes in a cell, whose accesses are kept together.
const CELL: u64 = 8;
/// The number of cells in a page.
const CELLS: usize = 128;
/// The number of bytes in a page.
const PAGE: u64 = CELL * CELLS as u64;

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
    /// The thread in its warp.
    pub(super) lane: u8,
    /// The step of the program.
    pub(super) step: usize,
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
    /// Whether they are ordered, and only a proxy fence is missing.
    pub(super) is_proxy: bool,
}

/// The accesses to bytes of a cell.
#[derive(Clone, Debug, Default)]
struct Cell(Vec<(u8, Access)>);

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
}

impl Memory {
    fn page(&mut self, address: u64) -> &mut Page {
        self.pages.entry(address / PAGE).or_insert_with(|| Page {
            cells: alloc::vec![Cell::default(); CELLS].into(),
            bytes: Box::default(),
        })
    }

    /// Records an access to bytes, and returns the first conflict with an earlier one.
    pub(super) fn access(
        &mut self,
        (start, bytes): (u64, u64),
        access: Access,
        past: &Past,
    ) -> Option<Conflict> {
        let mut found = None;
        let mut at = start;
        let end = start.saturating_add(bytes);
        while at < end {
            let page = self.page(at);
            let last = end.min((at / PAGE + 1) * PAGE);
            while at < last {
                let to = last.min((at / CELL + 1) * CELL);
                let mask = mask(at % CELL, to - at);
                let cell = &mut page.cells[usize::try_from(at % PAGE / CELL).unwrap_or_default()];
                let conflict = cell.access(mask, access, past);
                if let (None, Some((earlier, is_proxy, first))) = (&found, conflict) {
                    let byte = at / CELL * CELL + u64::from(first);
                    found = Some(Conflict { byte, earlier, is_proxy });
                }
                at = to;
            }
        }
        found
    }

    /// Returns a number, if all of its bytes are known.
    pub(super) fn load(&self, address: u64, bytes: u64) -> Option<u64> {
        let mut value = 0;
        for n in 0..bytes.min(8) {
            let at = address + n;
            let page = self.pages.get(&(at / PAGE))?;
            let byte = page.bytes.get(usize::try_from(at % PAGE).ok()?).copied().flatten()?;
            value |= u64::from(byte) << (8 * n);
        }
        Some(value)
    }

    /// Stores a number, or bytes that are not known.
    pub(super) fn store(&mut self, address: u64, bytes: u64, value: Option<u64>) {
        for n in 0..bytes {
            let at = address + n;
            let byte = value.filter(|_| n < 8).map(|value| value.to_le_bytes()[n as usize & 7]);
            if byte.is_none()
                && !self.pages.get(&(at / PAGE)).is_some_and(|it| !it.bytes.is_empty())
            {
                continue;
            }
            let page = self.page(at);
            if page.bytes.is_empty() {
                page.bytes = alloc::vec![None; CELLS * CELL as usize].into();
            }
            page.bytes[usize::try_from(at % PAGE).unwrap_or_default()] = byte;
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
    /// Records an access, and returns the first access that conflicts with it, whether only a proxy fence is missing, and
    /// the byte.
    fn access(&mut self, mask: u8, access: Access, past: &Past) -> Option<(Access, bool, u32)> {
        let mut found = None;
        self.0.retain_mut(|(bytes, earlier)| {
            let both = *bytes & mask;
            if both == 0 {
                return true;
            }
            let is_same = earlier.agent == access.agent;
            let is_ordered = is_same || past.happened.of(earlier.agent) >= earlier.time;
            let is_race = !is_ordered
                && (earlier.writes || access.writes)
                && !(earlier.is_strong && access.is_strong)
                && !access.may_store_as(earlier)
                && !(earlier.is_after_flag || access.is_after_flag);
            let needs_fence = is_ordered
                && access.is_async
                && !access.writes
                && earlier.writes
                // Of what `cp.async` writes, compilers rely on being visible to multiplications.
                && earlier.agent == earlier.warp
                && past.fenced.of(earlier.agent) < earlier.time
                && !(earlier.is_after_flag || access.is_after_flag);
            if found.is_none() && (is_race || needs_fence) {
                found = Some((*earlier, !is_race, both.trailing_zeros()));
            }
            // What the new access is ordered after need not be compared with later ones: those are ordered after both.
            // A write that no proxy fence follows yet stays until another write.
            let is_covered = is_ordered
                && (earlier.is_strong || !access.is_strong)
                && (earlier.is_after_flag || !access.is_after_flag);
            if is_covered && (access.writes || !earlier.writes) {
                *bytes &= !mask;
            }
            *bytes != 0
        });
        match self.0.iter_mut().find(|(_, it)| *it == access) {
            Some((bytes, _)) => *bytes |= mask,
            None => self.0.push((mask, access)),
        }
        found
    }
}
