//! Something for each name of a body.

use alloc::vec::Vec;
use core::mem;

/// Something for each of many names, by their hashes: the macro runs unoptimised, where a search
/// through a tree takes long.
#[derive(Clone, Debug)]
pub(crate) struct NameTable<'a, T> {
    slots: Vec<Option<(&'a str, T)>>,
    used: usize,
}

impl<T> Default for NameTable<'_, T> {
    fn default() -> Self {
        Self { slots: Vec::new(), used: 0 }
    }
}

impl<'a, T: Default> NameTable<'a, T> {
    /// What there is for a name, which is made if there is nothing.
    pub(crate) fn of(&mut self, name: &'a str) -> &mut T {
        if self.used * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = slot(&self.slots, name);
        if self.slots[slot].is_none() {
            self.used += 1;
        }
        &mut self.slots[slot].get_or_insert_with(|| (name, T::default())).1
    }

    fn grow(&mut self) {
        let length = (self.slots.len() * 2).max(64);
        let mut slots = Vec::new();
        slots.resize_with(length, || None);
        for entry in mem::take(&mut self.slots).into_iter().flatten() {
            let slot = slot(&slots, entry.0);
            slots[slot] = Some(entry);
        }
        self.slots = slots;
    }
}

/// The slot of a name, or the free one where it belongs, in as many as a power of two.
fn slot<T>(slots: &[Option<(&str, T)>], name: &str) -> usize {
    // FNV-1a.
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let bytes = name.as_bytes();
    let mut n = 0;
    while n < bytes.len() {
        hash = (hash ^ u64::from(bytes[n])).wrapping_mul(0x100_0000_01B3);
        n += 1;
    }
    let mask = slots.len() - 1;
    #[allow(clippy::cast_possible_truncation)] // any bits of it do
    let mut slot = (hash ^ hash >> 32) as usize & mask;
    while let Some((other, _)) = &slots[slot] {
        if *other == name {
            break;
        }
        slot = (slot + 1) & mask;
    }
    slot
}

#[cfg(test)]
mod tests;
