//! Something for each name of a body.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::mem;

/// How many slots are looked at for a name: hostile names may have one hash.
const MOST_PROBES: usize = 32;

/// Something for each of many names, by their hashes: the macro runs unoptimised, where a search
/// through a tree takes long.
#[derive(Clone, Debug)]
pub(crate) struct NameTable<'a, T> {
    slots: Vec<Option<(&'a str, T)>>,
    used: usize,
    /// What found no slot.
    others: BTreeMap<&'a str, T>,
}

impl<T> Default for NameTable<'_, T> {
    fn default() -> Self {
        Self { slots: Vec::new(), used: 0, others: BTreeMap::new() }
    }
}

impl<'a, T: Default> NameTable<'a, T> {
    /// What there is for a name, which is made if there is nothing.
    pub(crate) fn of(&mut self, name: &'a str) -> &mut T {
        if self.used * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let place = place(&self.slots, name);
        let is_free = place.is_none_or(|slot| self.slots[slot].is_none());
        match place {
            Some(slot) if !is_free || !self.others.contains_key(name) => {
                self.used += usize::from(is_free);
                &mut self.slots[slot].get_or_insert_with(|| (name, T::default())).1
            }
            Some(_) | None => self.others.entry(name).or_default(),
        }
    }

    /// What there is for a name.
    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        let slot = place(&self.slots, name).and_then(|slot| self.slots[slot].as_ref());
        slot.map(|(_, it)| it).or_else(|| self.others.get(name))
    }

    fn grow(&mut self) {
        let length = (self.slots.len() * 2).max(64);
        let mut slots = Vec::new();
        slots.resize_with(length, || None);
        for (name, it) in mem::take(&mut self.slots).into_iter().flatten() {
            match place(&slots, name) {
                Some(slot) => slots[slot] = Some((name, it)),
                None => {
                    self.used -= 1;
                    self.others.insert(name, it);
                }
            }
        }
        self.slots = slots;
    }
}

/// The slot of a name, or a free one where it belongs, in as many as a power of two.
fn place<T>(slots: &[Option<(&str, T)>], name: &str) -> Option<usize> {
    let mask = slots.len().checked_sub(1)?;
    // FNV-1a.
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let bytes = name.as_bytes();
    let mut n = 0;
    while n < bytes.len() {
        hash = (hash ^ u64::from(bytes[n])).wrapping_mul(0x100_0000_01B3);
        n += 1;
    }
    #[allow(clippy::cast_possible_truncation)] // any bits of it do
    let mut slot = (hash ^ hash >> 32) as usize & mask;
    for _ in 0..MOST_PROBES {
        match &slots[slot] {
            Some((other, _)) if *other != name => slot = (slot + 1) & mask,
            Some(_) | None => return Some(slot),
        }
    }
    None
}

#[cfg(test)]
mod tests;
