//! What registers hold, shared between the places where they hold the same.

use alloc::rc::Rc;
use alloc::vec::Vec;

/// How many registers or subtrees a node has.
const WIDTH: usize = 32;

/// What each register holds, by its number; nothing of what was not written.
///
/// A tree, of which copies share what did not change since: a body has a state at each label, and
/// compilers write each of their many thousands of registers once.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Registers<T> {
    root: Option<Rc<Node<T>>>,
    /// How many levels stand above the leaves.
    height: u32,
}

/// A part of the tree, with something in it.
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
    /// Registers that all hold this, up to one with this number and perhaps more.
    pub(crate) fn filled(value: &Rc<T>, last: usize) -> Self {
        let leaf = core::array::from_fn(|_| Some(Rc::clone(value)));
        let mut filled = Self { root: Some(Rc::new(Node::Leaf(leaf))), height: 0 };
        while last >= filled.end() {
            let parts = core::array::from_fn(|_| filled.root.clone());
            filled = Self { root: Some(Rc::new(Node::Inner(parts))), height: filled.height + 1 };
        }
        filled
    }

    /// What a register holds.
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

    /// Has a register hold something else.
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

    /// Adds what registers hold elsewhere: what only those hold as it is, and where both hold
    /// something else what `join` makes of it, if that is not what is here. Whether that changes anything.
    pub(crate) fn join(
        &mut self,
        other: &Self,
        join: &impl Fn(&Rc<T>, &Rc<T>) -> Option<Rc<T>>,
    ) -> bool {
        while self.height < other.height {
            self.grow();
        }
        let mut other = other.clone();
        while other.height < self.height {
            other.grow();
        }
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

    /// The registers that do not hold the same as elsewhere, or are not known to.
    pub(crate) fn differences(&self, other: &Self) -> Vec<usize> {
        let (mut one, mut other) = (self.clone(), other.clone());
        while one.height < other.height {
            one.grow();
        }
        while other.height < one.height {
            other.grow();
        }
        let mut found = Vec::new();
        differences(one.root.as_ref(), other.root.as_ref(), (0, one.height), &mut found);
        found
    }

    /// The first number of which there is no place.
    fn end(&self) -> usize {
        WIDTH.saturating_pow(self.height + 1)
    }

    /// Makes place for more.
    fn grow(&mut self) {
        self.height += 1;
        if let Some(root) = self.root.take() {
            let mut parts = [const { None }; WIDTH];
            parts[0] = Some(root);
            self.root = Some(Rc::new(Node::Inner(parts)));
        }
    }
}

/// Notes the registers below two nodes, from a number on, that do not hold the same.
fn differences<T: Clone>(
    one: Option<&Rc<Node<T>>>,
    other: Option<&Rc<Node<T>>>,
    (first, height): (usize, u32),
    found: &mut Vec<usize>,
) {
    if let (Some(one), Some(other)) = (one, other)
        && Rc::ptr_eq(one, other)
    {
        return;
    }
    for n in 0..WIDTH {
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

/// Which part of a node with so many levels below it a register is in.
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

    /// What both make, if that is not `mine`.
    fn joined(
        mine: &Rc<Self>,
        other: &Rc<Self>,
        join: &impl Fn(&Rc<T>, &Rc<T>) -> Option<Rc<T>>,
    ) -> Option<Rc<Self>> {
        if Rc::ptr_eq(mine, other) {
            return None;
        }
        // What is the same in both is shared on, so that it is not compared with what comes from there again.
        match (&**mine, &**other) {
            (Self::Inner(mine), Self::Inner(others)) => {
                let join = |mine: &_, other: &_| Self::joined(mine, other, join);
                let joined = joined(mine, others, &join)?;
                let is_other = are_same(&joined, others);
                Some(if is_other { Rc::clone(other) } else { Rc::new(Self::Inner(joined)) })
            }
            (Self::Leaf(mine), Self::Leaf(others)) => {
                let joined = joined(mine, others, join)?;
                let is_other = are_same(&joined, others);
                Some(if is_other { Rc::clone(other) } else { Rc::new(Self::Leaf(joined)) })
            }
            // Both have the same height.
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

/// The parts of two nodes, if those are not what the first has.
fn joined<T>(
    mine: &[Option<Rc<T>>; WIDTH],
    other: &[Option<Rc<T>>; WIDTH],
    join: &impl Fn(&Rc<T>, &Rc<T>) -> Option<Rc<T>>,
) -> Option<[Option<Rc<T>>; WIDTH]> {
    let mut changed = None;
    let mut n = 0;
    while n < WIDTH {
        let part = match (&mine[n], &other[n]) {
            (_, None) => None,
            // One path does not write it: there it holds nothing.
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
mod tests {
    use super::*;
    use crate::number::{Linear, Sum};
    use crate::value::AbstractValue;

    fn number(value: i128) -> Rc<AbstractValue> {
        Rc::new(AbstractValue::Number(Linear::exact(Sum::known(value))))
    }

    #[test]
    fn registers_hold_what_was_written_last() {
        let mut registers = Registers::<AbstractValue>::default();
        assert!(registers.get(0).is_none());
        for (n, register) in [5, 40_000, 0, 31, 32, 1023, 1024, 5].into_iter().enumerate() {
            registers.set(register, number(n as i128));
        }
        let value = |register| registers.get(register).cloned();
        assert_eq!(value(5), Some(number(7)));
        assert_eq!(value(40_000), Some(number(1)));
        assert_eq!(value(32), Some(number(4)));
        for register in [1, 33, 39_999, 2_000_000] {
            assert_eq!(value(register), None, "{register}");
        }
    }

    #[test]
    fn a_join_takes_what_one_holds_and_asks_about_the_rest() {
        let (mut few, mut many) = (Registers::default(), Registers::default());
        few.set(3, number(3));
        few.set(4, number(4));
        many.set(4, number(5));
        many.set(70_000, number(6));
        let (mut one, mut other) = (few.clone(), many.clone());
        let join = |_: &Rc<AbstractValue>, _: &Rc<AbstractValue>| Some(number(9));
        assert!(one.join(&many, &join));
        assert!(other.join(&few, &join));
        for joined in [&one, &other] {
            assert_eq!(joined.get(3), Some(&number(3)));
            assert_eq!(joined.get(4), Some(&number(9)));
            assert_eq!(joined.get(70_000), Some(&number(6)));
        }
        assert_eq!(few.get(4), Some(&number(4)));
        assert!(!one.join(&few, &|_, _| None));
        assert!(!one.clone().join(&one, &join));
    }

    #[test]
    fn there_is_place_for_powers_of_32() {
        let mut registers = Registers::<AbstractValue>::default();
        assert_eq!(registers.end(), 32);
        for (register, end) in [(31, 32), (32, 1024), (1023, 1024), (1024, 32_768)] {
            registers.set(register, number(1));
            assert_eq!(registers.end(), end, "{register}");
        }
        for (last, end) in [(0, 32), (31, 32), (32, 1024), (1023, 1024), (1024, 32_768)] {
            let filled = Registers::filled(&number(7), last);
            assert_eq!(filled.end(), end, "{last}");
            for register in 0..end {
                assert_eq!(filled.get(register), Some(&number(7)), "{register} of {last}");
            }
            assert_eq!(filled.get(end), None);
        }
    }

    #[test]
    fn registers_differ_where_they_do_not_hold_the_same() {
        let one = number(1);
        let of = |all: &[usize]| {
            let mut registers = Registers::default();
            for register in all {
                registers.set(*register, Rc::clone(&one));
            }
            registers
        };
        for (mine, others, expected) in [
            (&[][..], &[][..], &[][..]),
            (&[0, 31], &[0, 31], &[]),
            (&[0, 31], &[0], &[31]),
            (&[0], &[0, 32, 70_000], &[32, 70_000]),
            (&[5, 1024], &[4, 1024], &[4, 5]),
            (&[33, 1055], &[34], &[33, 34, 1055]),
        ] {
            assert_eq!(of(mine).differences(&of(others)), expected, "{mine:?} {others:?}");
            assert_eq!(of(others).differences(&of(mine)), expected, "{others:?} {mine:?}");
        }
        // The same number from elsewhere is not known to be the same.
        let mut registers = of(&[3, 4]);
        registers.set(4, number(1));
        assert_eq!(registers.differences(&of(&[3, 4])), [4]);
    }

    #[test]
    fn nobody_asks_what_is_made_of_what_both_share() {
        let mut one = Registers::default();
        for register in [0, 40, 2000] {
            one.set(register, number(1));
        }
        let mut other = one.clone();
        let never = |_: &Rc<AbstractValue>, _: &Rc<AbstractValue>| panic!("they are the same");
        assert!(!other.join(&one, &never));
        other.set(2000, number(2));
        let two = |_: &Rc<AbstractValue>, other: &Rc<AbstractValue>| {
            assert_eq!(other, &number(1));
            Some(number(3))
        };
        assert!(other.join(&one, &two));
        assert_eq!(other.get(2000), Some(&number(3)));
        assert_eq!(other.get(40), Some(&number(1)));
    }
}
