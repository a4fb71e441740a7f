//! Maps and sets in order, in place of `BTreeMap` and `BTreeSet`: every user compiles this crate and those above for the
//! macro, and one type of those maps brings ten times the code of one here, which is also slower without optimisation.

use alloc::vec::{self, Vec};
use core::borrow::Borrow;
use core::fmt;
use core::ops::{Bound, Index, RangeBounds};

/// The most entries of a chunk: few enough to move when one is inserted.
const MOST_IN_CHUNK: usize = 64;

/// A map whose entries are in the order of their keys.
#[derive(Clone)]
pub struct SortedMap<K, V> {
    /// In order, none of them empty.
    chunks: Vec<Vec<(K, V)>>,
}

/// A set whose elements are in order.
#[derive(Clone)]
pub struct SortedSet<T>(SortedMap<T, ()>);

/// The chunk of an entry, and its place there. After the last entry it is the first place of the chunk that would follow.
type Place = (usize, usize);

impl<K, V> SortedMap<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        Self { chunks: Vec::new() }
    }

    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        let mut len = 0;
        for chunk in &self.chunks {
            len += chunk.len();
        }
        len
    }

    /// The entries in order.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { chunks: &self.chunks, from: (0, 0), to: (self.chunks.len(), 0) }
    }

    /// The keys in order.
    pub fn keys(&self) -> Keys<'_, K, V> {
        Keys(self.iter())
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    /// The values in the order of their keys.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.chunks.iter_mut().flatten().map(|(_, value)| value)
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.chunks.clear();
    }

    /// Removes the entries of which `keep` is false.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        for chunk in &mut self.chunks {
            chunk.retain_mut(|(key, value)| keep(key, value));
        }
        self.chunks.retain(|chunk| !chunk.is_empty());
    }

    /// Inserts an entry that has its place before the one that is there, or at the end of a chunk.
    fn insert_at(&mut self, (mut chunk, mut at): Place, key: K, value: V) -> &mut V {
        if self.chunks.is_empty() {
            self.chunks.push(Vec::new());
        }
        if self.chunks[chunk].len() == MOST_IN_CHUNK {
            // Entries that come in order fill the chunks.
            let middle = if at == MOST_IN_CHUNK { at } else { MOST_IN_CHUNK / 2 };
            let rest = self.chunks[chunk].split_off(middle);
            self.chunks.insert(chunk + 1, rest);
            if at >= middle {
                (chunk, at) = (chunk + 1, at - middle);
            }
        }
        let chunk = &mut self.chunks[chunk];
        chunk.insert(at, (key, value));
        &mut chunk[at].1
    }

    fn remove_at(&mut self, (chunk, at): Place) -> (K, V) {
        let entry = self.chunks[chunk].remove(at);
        if self.chunks[chunk].is_empty() {
            self.chunks.remove(chunk);
        }
        entry
    }

    /// The place of a key, or the one at which it would be inserted.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<Place, Place>
    where
        K: Borrow<Q>,
    {
        // The last chunk that does not start after the key, or the first.
        let (mut chunk, mut end) = (0, self.chunks.len());
        while end > chunk + 1 {
            let middle = usize::midpoint(chunk, end);
            if self.chunks[middle][0].0.borrow() <= key {
                chunk = middle;
            } else {
                end = middle;
            }
        }
        let (mut at, mut end) = (0, self.chunks.get(chunk).map_or(0, Vec::len));
        while at < end {
            let middle = usize::midpoint(at, end);
            match self.chunks[chunk][middle].0.borrow().cmp(key) {
                core::cmp::Ordering::Less => at = middle + 1,
                core::cmp::Ordering::Equal => return Ok((chunk, middle)),
                core::cmp::Ordering::Greater => end = middle,
            }
        }
        Err((chunk, at))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (chunk, at) = self.find(key).ok()?;
        Some(&self.chunks[chunk][at].1)
    }

    /// The value of a key.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let (chunk, at) = self.find(key).ok()?;
        Some(&mut self.chunks[chunk][at].1)
    }

    /// Whether it has an entry with this key.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Removes the entry with this key, and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.find(key).ok()?;
        Some(self.remove_at(place).1)
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Sets the value of a key, and returns the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok((chunk, at)) => Some(core::mem::replace(&mut self.chunks[chunk][at].1, value)),
            Err(place) => {
                self.insert_at(place, key, value);
                None
            }
        }
    }

    /// The value of a key, which may have none yet.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { place: self.find(&key), map: self, key }
    }

    /// The entries whose keys are in a range, in order.
    pub fn range(&self, range: impl RangeBounds<K>) -> Iter<'_, K, V> {
        let from = match range.start_bound() {
            Bound::Unbounded => (0, 0),
            Bound::Included(key) => self.bound(key, false),
            Bound::Excluded(key) => self.bound(key, true),
        };
        let to = match range.end_bound() {
            Bound::Unbounded => (self.chunks.len(), 0),
            Bound::Included(key) => self.bound(key, true),
            Bound::Excluded(key) => self.bound(key, false),
        };
        Iter { chunks: &self.chunks, from, to }
    }

    /// The place of the first entry with this key or a greater one, or only of a greater one.
    fn bound(&self, key: &K, is_after: bool) -> Place {
        let (chunk, at) = match self.find(key) {
            Ok((chunk, at)) => (chunk, at + usize::from(is_after)),
            Err(place) => place,
        };
        let is_end = self.chunks.get(chunk).is_some_and(|chunk| at == chunk.len());
        if is_end { (chunk + 1, 0) } else { (chunk, at) }
    }
}

/// What [`SortedMap::entry`] found.
pub struct Entry<'m, K, V> {
    map: &'m mut SortedMap<K, V>,
    key: K,
    place: Result<Place, Place>,
}

impl<'m, K, V> Entry<'m, K, V> {
    /// The value, or else the default, which becomes the value.
    pub fn or_default(self) -> &'m mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    /// The value, or else this one, which becomes the value.
    pub fn or_insert(self, value: V) -> &'m mut V {
        self.or_insert_with(|| value)
    }

    /// The value, or else the one that `make` returns, which becomes the value.
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'m mut V {
        match self.place {
            Ok((chunk, at)) => &mut self.map.chunks[chunk][at].1,
            Err(place) => self.map.insert_at(place, self.key, make()),
        }
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for SortedMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl<K: Eq, V: Eq> Eq for SortedMap<K, V> {}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the key has a value")
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    fn into_iter(self) -> Self::IntoIter {
        IntoIter { chunks: self.chunks.into_iter(), chunk: Vec::new().into_iter() }
    }
}

impl<'m, K, V> IntoIterator for &'m SortedMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = Iter<'m, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> SortedSet<T> {
    /// An empty set.
    pub const fn new() -> Self {
        Self(SortedMap::new())
    }

    /// Whether it has no element.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The elements in order.
    pub fn iter(&self) -> Keys<'_, T, ()> {
        self.0.keys()
    }

    /// The first element.
    pub fn first(&self) -> Option<&T> {
        self.iter().next()
    }

    /// The last element.
    pub fn last(&self) -> Option<&T> {
        self.iter().next_back()
    }

    /// Removes the first element.
    pub fn pop_first(&mut self) -> Option<T> {
        (!self.is_empty()).then(|| self.0.remove_at((0, 0)).0)
    }

    /// Removes the last element.
    pub fn pop_last(&mut self) -> Option<T> {
        let chunk = self.0.chunks.len().checked_sub(1)?;
        Some(self.0.remove_at((chunk, self.0.chunks[chunk].len() - 1)).0)
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Removes the elements of which `keep` is false.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.0.retain(|element, ()| keep(element));
    }

    /// Whether it has this element.
    pub fn contains<Q: Ord + ?Sized>(&self, element: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.contains_key(element)
    }

    /// Removes an element, and says whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, element: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.remove(element).is_some()
    }
}

impl<T: Ord> SortedSet<T> {
    /// Adds an element, and says whether it was not there.
    pub fn insert(&mut self, element: T) -> bool {
        self.0.insert(element, ()).is_none()
    }

    /// The elements in a range, in order.
    pub fn range(&self, range: impl RangeBounds<T>) -> Keys<'_, T, ()> {
        Keys(self.0.range(range))
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: PartialEq> PartialEq for SortedSet<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T: Eq> Eq for SortedSet<T> {}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        for element in elements {
            self.insert(element);
        }
    }
}

impl<'e, T: Ord + Copy + 'e> Extend<&'e T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = &'e T>>(&mut self, elements: I) {
        for element in elements {
            self.insert(*element);
        }
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut set = Self::new();
        set.extend(elements);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(elements: [T; N]) -> Self {
        elements.into_iter().collect()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = IntoKeys<T>;

    fn into_iter(self) -> Self::IntoIter {
        IntoKeys(self.0.into_iter())
    }
}

impl<'s, T> IntoIterator for &'s SortedSet<T> {
    type Item = &'s T;
    type IntoIter = Keys<'s, T, ()>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Entries in order.
pub struct Iter<'m, K, V> {
    chunks: &'m [Vec<(K, V)>],
    from: Place,
    to: Place,
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'m, K, V> Iterator for Iter<'m, K, V> {
    type Item = (&'m K, &'m V);

    fn next(&mut self) -> Option<Self::Item> {
        if self.from >= self.to {
            return None;
        }
        let (chunk, at) = self.from;
        let is_last = at + 1 == self.chunks[chunk].len();
        self.from = if is_last { (chunk + 1, 0) } else { (chunk, at + 1) };
        let (key, value) = &self.chunks[chunk][at];
        Some((key, value))
    }
}

impl<K, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.from >= self.to {
            return None;
        }
        let (chunk, at) = match self.to {
            (chunk, 0) => (chunk - 1, self.chunks[chunk - 1].len() - 1),
            (chunk, at) => (chunk, at - 1),
        };
        self.to = (chunk, at);
        let (key, value) = &self.chunks[chunk][at];
        Some((key, value))
    }
}

/// Keys in order.
pub struct Keys<'m, K, V>(Iter<'m, K, V>);

impl<K, V> Clone for Keys<'_, K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<'m, K, V> Iterator for Keys<'m, K, V> {
    type Item = &'m K;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.0.next()?.0)
    }
}

impl<K, V> DoubleEndedIterator for Keys<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        Some(self.0.next_back()?.0)
    }
}

/// Entries in order, taken from their map.
pub struct IntoIter<K, V> {
    chunks: vec::IntoIter<Vec<(K, V)>>,
    chunk: vec::IntoIter<(K, V)>,
}

impl<K, V> Iterator for IntoIter<K, V> {
    type Item = (K, V);

    fn next(&mut self) -> Option<Self::Item> {
        if self.chunk.as_slice().is_empty() {
            self.chunk = self.chunks.next()?.into_iter();
        }
        self.chunk.next()
    }
}

/// Elements in order, taken from their set.
pub struct IntoKeys<T>(IntoIter<T, ()>);

impl<T> Iterator for IntoKeys<T> {
    type Item = T;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.0.next()?.0)
    }
}

#[cfg(test)]
mod tests;
