//! A hash table from the names in a body to values.

use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::sorted::SortedMap;

/// The maximum number of slots probed for a name: names may be chosen to collide.
const MOST_PROBES: usize = 32;

/// A hash table from names to values: the macro runs unoptimised, where lookups in a
/// tree are slow.
#[derive(Clone, Debug)]
pub(crate) struct NameTable<'a, T> {
    /// The names in insertion order.
    entries: Vec<(&'a str, T)>,
    /// The indices of entries plus one, or 0; the number of slots is a power of two, and at most half are used.
    slots: Vec<u32>,
    /// The indices of entries without a slot, because all probed slots are taken.
    others: SortedMap<&'a str, usize>,
}

impl<T> Default for NameTable<'_, T> {
    fn default() -> Self {
        Self { entries: Vec::new(), slots: Vec::new(), others: SortedMap::new() }
    }
}

impl<'a, T: Default> NameTable<'a, T> {
    /// Returns the value for a name, and inserts a default if it has none.
    pub(crate) fn of(&mut self, name: &'a str) -> &mut T {
        let next = self.entries.len();
        if next * 2 >= self.slots.len() {
            self.grow();
        }
        let n = self.number(name, next);
        if n == next {
            self.entries.push((name, T::default()));
        }
        &mut self.entries[n].1
    }

    /// Returns the value for a name.
    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        let n = match self.slot(name) {
            Some(slot) => index(self.slots[slot]),
            None => self.others.get(name).copied(),
        };
        Some(&self.entries[n?].1)
    }

    /// Returns the index of a name, and assigns `next` if it has none yet.
    fn number(&mut self, name: &'a str, next: usize) -> usize {
        match (self.slot(name), u32::try_from(next + 1)) {
            (Some(slot), Ok(number)) => {
                let number = if self.slots[slot] == 0 { number } else { self.slots[slot] };
                self.slots[slot] = number;
                index(number).unwrap_or(next)
            }
            (_, _) => *self.others.entry(name).or_insert(next),
        }
    }

    /// Doubles the number of slots. Names without a slot may get one.
    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(64)];
        self.others.clear();
        for n in 0..self.entries.len() {
            self.number(self.entries[n].0, n);
        }
    }

    /// Returns the slot of a name, or a free one for it.
    fn slot(&self, name: &str) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        #[allow(clippy::cast_possible_truncation)] // the low bits are taken anyway
        let first = hash(name.as_bytes()) as usize & mask;
        for n in first..first + MOST_PROBES {
            let slot = n & mask;
            if index(self.slots[slot]).is_none_or(|n| self.entries[n].0 == name) {
                return Some(slot);
            }
        }
        None
    }
}

/// The index of the entry in a slot.
fn index(slot: u32) -> Option<usize> {
    usize::try_from(slot.checked_sub(1)?).ok()
}

/// The FNV-1a hash.
fn hash(bytes: &[u8]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325;
    let mut n = 0;
    while n < bytes.len() {
        hash = (hash ^ u64::from(bytes[n])).wrapping_mul(0x100_0000_01B3);
        n += 1;
    }
    hash
}

#[cfg(test)]
mod tests;
