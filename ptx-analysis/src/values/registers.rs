//! A persistent map from registers to values, which shares unchanged parts between states.

use alloc::rc::Rc;
use alloc::vec::Vec;

/// The number of registers or subtrees in a node.
const WIDTH: usize = 32;

/// The value of each register, by its index; unwritten registers have none.
///
/// A tree whose copies share their unchanged parts: a body has a state for each label, and
/// compilers write each of their many thousands of registers once.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Registers<T> {
    root: Option<Rc<Node<T>>>,
    /// The number of levels above the leaves.
    height: u32,
}

/// A non-empty part of the tree.
#[derive(Clone, PartialEq, Debug)]
enum Node<T> {
    Inner([Option<Rc<Node<T>>>; WIDTH]),
    Leaf([Option<Rc<T>>; WIDTH]),
}

impl<T> Default for Registers<T> {
    fn default() -> Self {
        Self { root: None, height: 0 }
    }
}

impl<T: Clone> Registers<T> {
    /// Creates a map in which all registers, at least up to `last`, have this value.
    pub(crate) fn filled(value: &Rc<T>, last: usize) -> Self {
        let leaf = core::array::from_fn(|_| Some(Rc::clone(value)));
        let mut filled = Self { root: Some(Rc::new(Node::Leaf(leaf))), height: 0 };
        while last >= filled.end() {
            let parts = core::array::from_fn(|_| filled.root.clone());
            filled = Self { root: Some(Rc::new(Node::Inner(parts))), height: filled.height + 1 };
        }
        filled
    }

    /// Returns the value of a register.
    pub(crate) fn get(&self, register: usize) -> Option<&Rc<T>> {
        if register >= self.end() {
            return None;
        }
        let (mut node, mut rest) = (self.root.as_ref()?, self.height);
        loop {
            match &**node {
                Node::Leaf(values) => return values[register % WIDTH].as_ref(),
                Node::Inner(parts) => {
                    node = parts[part(register, rest)].as_ref()?;
                    rest -= 1;
                }
            }
        }
    }

    /// Sets the value of a register.
    pub(crate) fn set(&mut self, register: usize, value: Rc<T>) {
        while register >= self.end() {
            self.grow();
        }
        let mut rest = self.height;
        let mut place = &mut self.root;
        loop {
            let node = place.get_or_insert_with(|| Rc::new(Node::empty(rest)));
            match Rc::make_mut(node) {
                Node::Leaf(values) => {
                    values[register % WIDTH] = Some(value);
                    return;
                }
                Node::Inner(parts) => {
                    place = &mut parts[part(register, rest)];
                    rest -= 1;
                }
            }
        }
    }

    /// Joins another map into this one: values that only the other has are copied, and differing values
    /// are replaced by the result of `join`, if it returns one. Returns whether anything changed.
    pub(crate) fn join(
        &mut self,
        other: &Self,
        join: &mut impl FnMut(&Rc<T>, &Rc<T>) -> Option<Rc<T>>,
    ) -> bool {
        let mut other = other.clone();
        self.grow_to(other.height);
        other.grow_to(self.height);
        let joined = match (&self.root, &other.root) {
            (_, None) => None,
            (None, Some(other)) => Some(Rc::clone(other)),
            (Some(mine), Some(other)) => Node::joined(mine, other, join),
        };
        let is_changed = joined.is_some();
        if is_changed {
            self.root = joined;
        }
        is_changed
    }

    /// Returns the registers that differ between the maps, or may differ.
    pub(crate) fn differences(&self, other: &Self) -> Vec<usize> {
        let (mut one, mut other) = (self.clone(), other.clone());
        one.grow_to(other.height);
        other.grow_to(one.height);
        let mut found = Vec::new();
        differences(one.root.as_ref(), other.root.as_ref(), (0, one.height), &mut found);
        found
    }

    /// Returns the capacity: the first index without a place.
    fn end(&self) -> usize {
        WIDTH.saturating_pow(self.height + 1)
    }

    /// Grows the tree to this height.
    fn grow_to(&mut self, height: u32) {
        while self.height < height {
            self.grow();
        }
    }

    /// Grows the tree by a level.
    fn grow(&mut self) {
        self.height += 1;
        if let Some(root) = self.root.take() {
            let mut parts = [const { None }; WIDTH];
            parts[0] = Some(root);
            self.root = Some(Rc::new(Node::Inner(parts)));
        }
    }
}

/// Collects the registers below two nodes that differ, starting at an index.
fn differences<T: Clone>(
    one: Option<&Rc<Node<T>>>,
    other: Option<&Rc<Node<T>>>,
    (first, height): (usize, u32),
    found: &mut Vec<usize>,
) {
    // Shared subtrees are equal.
    let is_shared = one.map(Rc::as_ptr) == other.map(Rc::as_ptr);
    for n in (0..WIDTH).filter(|_| !is_shared) {
        if height == 0 {
            let value = |node: Option<&Rc<Node<T>>>| match node.map(|node| &**node) {
                Some(Node::Leaf(values)) => values[n].clone(),
                Some(Node::Inner(_)) | None => None,
            };
            match (value(one), value(other)) {
                (None, None) => {}
                (Some(one), Some(other)) if Rc::ptr_eq(&one, &other) => {}
                (_, _) => found.push(first + n),
            }
        } else {
            let below = |node: Option<&Rc<Node<T>>>| match node.map(|node| &**node) {
                Some(Node::Inner(parts)) => parts[n].clone(),
                Some(Node::Leaf(_)) | None => None,
            };
            let (one, other) = (below(one), below(other));
            if one.is_some() || other.is_some() {
                let first = first + n * WIDTH.pow(height);
                differences(one.as_ref(), other.as_ref(), (first, height - 1), found);
            }
        }
    }
}

/// Returns the child of a node at this height that contains a register.
fn part(register: usize, height: u32) -> usize {
    register / WIDTH.pow(height) % WIDTH
}

impl<T: Clone> Node<T> {
    fn empty(height: u32) -> Self {
        if height == 0 {
            Self::Leaf([const { None }; WIDTH])
        } else {
            Self::Inner([const { None }; WIDTH])
        }
    }

    /// Returns the join of both, if it differs from `mine`.
    fn joined(
        mine: &Rc<Self>,
        other: &Rc<Self>,
        join: &mut impl FnMut(&Rc<T>, &Rc<T>) -> Option<Rc<T>>,
    ) -> Option<Rc<Self>> {
        // Equal values become shared, so that later joins skip the comparison.
        match (!Rc::ptr_eq(mine, other)).then_some((&**mine, &**other))? {
            (Self::Inner(mine), Self::Inner(others)) => {
                let mut join = |mine: &_, other: &_| Self::joined(mine, other, join);
                let joined = joined(mine, others, &mut join)?;
                let is_other = are_same(&joined, others);
                Some(if is_other { Rc::clone(other) } else { Rc::new(Self::Inner(joined)) })
            }
            (Self::Leaf(mine), Self::Leaf(others)) => {
                let joined = joined(mine, others, join)?;
                let is_other = are_same(&joined, others);
                Some(if is_other { Rc::clone(other) } else { Rc::new(Self::Leaf(joined)) })
            }
            // Both trees have the same height.
            (Self::Inner(_), Self::Leaf(_)) | (Self::Leaf(_), Self::Inner(_)) => None,
        }
    }
}

/// Whether two nodes share all of their parts.
fn are_same<T>(one: &[Option<Rc<T>>; WIDTH], other: &[Option<Rc<T>>; WIDTH]) -> bool {
    one.iter().zip(other).all(|(one, other)| match (one, other) {
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        (None, None) => true,
        (_, _) => false,
    })
}

/// Returns the join of the parts of two nodes, if it differs from the first.
fn joined<T>(
    mine: &[Option<Rc<T>>; WIDTH],
    other: &[Option<Rc<T>>; WIDTH],
    join: &mut impl FnMut(&Rc<T>, &Rc<T>) -> Option<Rc<T>>,
) -> Option<[Option<Rc<T>>; WIDTH]> {
    let mut changed = None;
    let mut n = 0;
    while n < WIDTH {
        let part = match (&mine[n], &other[n]) {
            (_, None) => None,
            // One path does not write it; there it is unwritten.
            (None, Some(other)) => Some(Rc::clone(other)),
            (Some(mine), Some(other)) if Rc::ptr_eq(mine, other) => None,
            (Some(mine), Some(other)) => join(mine, other),
        };
        if part.is_some() {
            changed.get_or_insert_with(|| mine.clone())[n] = part;
        }
        n += 1;
    }
    changed
}

#[cfg(test)]
mod tests;
