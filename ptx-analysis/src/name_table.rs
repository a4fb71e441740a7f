//! Something for each name of a body.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

/// How many slots are looked at for a name: hostile names may have one hash.
const MOST_PROBES: usize = 32;

/// Something for each of many names, by their hashes: the macro runs unoptimised, where a search
/// through a tree takes long.
#[derive(Clone, Debug)]
pub(crate) struct NameTable<'a, T> {
    /// The names in the order in which they came.
    entries: Vec<(&'a str, T)>,
    /// The numbers of entries, in as many slots as a power of two, of which at most half are taken.
    slots: Vec<Option<usize>>,
    /// The numbers of those that have no slot, since other names take all that are looked at.
    others: BTreeMap<&'a str, usize>,
}

impl<T> Default for NameTable<'_, T> {
    fn default() -> Self {
        Self { entries: Vec::new(), slots: Vec::new(), others: BTreeMap::new() }
    }
}

impl<'a, T: Default> NameTable<'a, T> {
    /// What there is for a name, which is made if there is nothing.
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

    /// What there is for a name.
    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        let n = match self.slot(name) {
            Some(slot) => self.slots[slot],
            None => self.others.get(name).copied(),
        };
        Some(&self.entries[n?].1)
    }

    /// The number of a name, which is `next` if it has none yet.
    fn number(&mut self, name: &'a str, next: usize) -> usize {
        match self.slot(name) {
            Some(slot) => *self.slots[slot].get_or_insert(next),
            None => *self.others.entry(name).or_insert(next),
        }
    }

    /// Twice as many slots. Names that had none may have one now.
    fn grow(&mut self) {
        self.slots = vec![None; (self.slots.len() * 2).max(64)];
        self.others.clear();
        for n in 0..self.entries.len() {
            self.number(self.entries[n].0, n);
        }
    }

    /// The slot of a name, or a free one where it belongs.
    fn slot(&self, name: &str) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        #[allow(clippy::cast_possible_truncation)] // the low bits are taken anyway
        let first = hash(name.as_bytes()) as usize & mask;
        for n in first..first + MOST_PROBES {
            let slot = n & mask;
            if self.slots[slot].is_none_or(|n| self.entries[n].0 == name) {
                return Some(slot);
            }
        }
        None
    }
}

/// FNV-1a.
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
