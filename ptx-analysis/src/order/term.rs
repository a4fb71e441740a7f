//! Numbers that instructions compute, of the registers of one thread.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::instruction::Computes;
use ptx_isa::ir::body::Name;
use ptx_isa::rules::{Comparison, signed_in};
use ptx_isa::{Space, special};

use crate::flow::expression::Expression;
use crate::flow::node::Referent;
use crate::order::address::{self, in_space};
use crate::order::lanes::Lanes;
use crate::values::coordinates::Coordinates;
use crate::values::launch::{self, Block, Fixed};
use crate::values::number::{Linear, Sum};
use crate::values::operation::Operator;

/// A number that an instruction computes.
#[derive(Debug)]
pub(super) enum Term {
    /// It is not followed.
    Unknown,
    /// This number.
    Number(u64),
    /// The number in this register.
    Register(usize),
    /// A special register.
    Special(Special),
    /// A parameter from this byte on, with its size in bytes: storage, by its index.
    Parameter(usize, u64, usize),
    Add(Box<[Self; 2]>, u32),
    Subtract(Box<[Self; 2]>, u32),
    Multiply(Box<[Self; 2]>, u32),
    ShiftLeft(Box<[Self; 2]>, u32),
    ShiftRight(Box<[Self; 2]>, u32, bool),
    Remainder(Box<[Self; 2]>, u32, bool),
    And(Box<[Self; 2]>, u32),
    Or(Box<[Self; 2]>, u32),
    ExclusiveOr(Box<[Self; 2]>, u32),
    Operation(Computes, Box<[Self]>, u32, bool),
    Select(Box<[Self; 3]>),
    Compare(Box<[Self; 2]>, Comparison, u32, bool),
    Not(Box<Self>),
    Halves(Box<[Self; 2]>),
    ToGeneric(Space, Box<Self>),
    FromGeneric(Space, Box<Self>),
    IsInSpace(Space, Box<Self>),
    Narrow(Box<Self>, u32),
    Extend(Box<Self>, u32, bool),
    Remote(Box<[Self; 2]>),
}

/// A special register that is known in a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Special {
    /// One that the launch decides.
    Fixed(Fixed),
    /// The index of the block in its cluster along a dimension.
    InCluster(usize),
    /// The number of blocks of the cluster along a dimension.
    AlongCluster(usize),
    /// The index of the cluster in the grid along a dimension.
    Cluster(usize),
    /// The number of clusters of the grid along a dimension.
    Clusters(usize),
    /// The number of bytes of dynamic shared memory.
    Dynamic,
    /// A mask of lanes whose number compares this way with that of the thread.
    Lanes(Comparison),
}

/// The names of the masks of lanes.
const MASKS: &[(&str, Comparison)] = &[
    ("%lanemask_eq", Comparison::Equal),
    ("%lanemask_le", Comparison::LessOrEqual),
    ("%lanemask_lt", Comparison::Less),
    ("%lanemask_ge", Comparison::GreaterOrEqual),
    ("%lanemask_gt", Comparison::Greater),
];

/// Returns a special register that is known in a launch.
fn special(name: Name<'_>) -> Option<Special> {
    let dimension = ["x", "y", "z"].iter().position(|element| *element == name.element);
    match (name.text, dimension) {
        ("%cluster_ctaid", Some(n)) => return Some(Special::InCluster(n)),
        ("%cluster_nctaid", Some(n)) => return Some(Special::AlongCluster(n)),
        ("%clusterid", Some(n)) => return Some(Special::Cluster(n)),
        ("%nclusterid", Some(n)) => return Some(Special::Clusters(n)),
        ("%dynamic_smem_size", None) => return Some(Special::Dynamic),
        (text, _) => {
            if let Some((_, comparison)) = MASKS.iter().find(|(mask, _)| *mask == text) {
                return Some(Special::Lanes(*comparison));
            }
        }
    }
    launch::fixed(name.text, name.element).map(|(_, fixed)| Special::Fixed(*fixed))
}

/// What the names of an instruction refer to, and the address of storage.
pub(super) struct Named<'f, 'a> {
    pub(super) find: &'f dyn Fn(&str) -> Option<Referent>,
    pub(super) address: &'f dyn Fn(usize) -> Option<u64>,
    /// Returns the size in bytes of an element of storage.
    pub(super) element: &'f dyn Fn(usize) -> Option<u64>,
    pub(super) marker: core::marker::PhantomData<&'a ()>,
}

impl<'a> Named<'_, 'a> {
    /// Reads an expression.
    pub(super) fn term(&self, expression: &Expression<'a>) -> Term {
        let two = |two: &[Expression<'a>; 2]| Box::new([self.term(&two[0]), self.term(&two[1])]);
        let one = |one: &Expression<'a>| Box::new(self.term(one));
        match expression {
            Expression::Name(name) => self.name(*name),
            Expression::Amount(amount) => amount.known().map_or(Term::Unknown, number),
            Expression::Special(name) => special(*name).map_or(Term::Unknown, Term::Special),
            Expression::Element(element) => {
                let (name, index) = &**element;
                let Some(Referent::Storage(storage)) = (self.find)(name.text) else {
                    return Term::Unknown;
                };
                let Some(size) = (self.element)(storage) else { return Term::Unknown };
                let offset = Term::Multiply(Box::new([self.term(index), Term::Number(size)]), 64);
                Term::Add(Box::new([self.name(*name), offset]), 64)
            }
            Expression::Param(loaded) => {
                let (name, added, bytes) = &**loaded;
                match ((self.find)(name.text), added.known().and_then(|it| u64::try_from(it).ok()))
                {
                    (Some(Referent::Storage(storage)), Some(added)) => {
                        Term::Parameter(storage, added, *bytes)
                    }
                    (_, _) => Term::Unknown,
                }
            }
            Expression::Add(it, bits) => Term::Add(two(it), *bits),
            Expression::Subtract(it, bits) => Term::Subtract(two(it), *bits),
            Expression::Multiply(it, bits) => Term::Multiply(two(it), *bits),
            Expression::ShiftLeft(it, bits) => Term::ShiftLeft(two(it), *bits),
            Expression::ShiftRight(it, bits, is_signed) => {
                Term::ShiftRight(two(it), *bits, *is_signed)
            }
            Expression::Remainder(it, bits, is_signed) => {
                Term::Remainder(two(it), *bits, *is_signed)
            }
            Expression::And(it, bits) => Term::And(two(it), *bits),
            Expression::Or(it, bits) => Term::Or(two(it), *bits),
            Expression::ExclusiveOr(it, bits) => Term::ExclusiveOr(two(it), *bits),
            Expression::Operation(how, operands, bits, is_signed) => {
                let operands: Vec<Term> = operands.iter().map(|it| self.term(it)).collect();
                Term::Operation(*how, operands.into(), *bits, *is_signed)
            }
            Expression::Select(it, predicate) => {
                Term::Select(Box::new([self.term(&it[0]), self.term(&it[1]), self.term(predicate)]))
            }
            Expression::Compare(it, comparison, bits, is_signed) => {
                Term::Compare(two(it), *comparison, *bits, *is_signed)
            }
            Expression::Not(it) => Term::Not(one(it)),
            Expression::Halves(it) => Term::Halves(two(it)),
            Expression::ToGeneric(space, it) => Term::ToGeneric(*space, one(it)),
            Expression::FromGeneric(space, it) => Term::FromGeneric(*space, one(it)),
            Expression::IsInSpace(space, it) => Term::IsInSpace(*space, one(it)),
            Expression::Narrow(it, bits) => Term::Narrow(one(it), *bits),
            Expression::Extend(it, bits, is_signed) => Term::Extend(one(it), *bits, *is_signed),
            Expression::Remote(it) => Term::Remote(two(it)),
            Expression::Made(_) => Term::Unknown,
        }
    }

    /// Returns the number in a register, or the address of storage.
    pub(super) fn name(&self, name: Name<'_>) -> Term {
        match (self.find)(name.text) {
            Some(Referent::Register(register)) => Term::Register(register),
            Some(Referent::Storage(storage)) => {
                (self.address)(storage).map_or(Term::Unknown, Term::Number)
            }
            Some(Referent::Other) | None if special::is_special(name.text) => {
                special(name).map_or(Term::Unknown, Term::Special)
            }
            Some(Referent::Other) | None => Term::Unknown,
        }
    }
}

fn number(value: i128) -> Term {
    Term::Number(wrap(value))
}

/// The lowest 64 bits of a number.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // what registers do
const fn wrap(value: i128) -> u64 {
    value as u64
}

/// The lowest bits of a number.
pub(super) const fn lowest(value: u64, bits: u32) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

/// The environment of a thread.
pub(super) trait Thread {
    /// Returns the numbers in a register.
    fn register(&self, register: usize) -> &Lanes;
    /// Returns a special register.
    fn special(&self, special: Special, lane: usize) -> Option<u64>;
    /// Returns bytes of a parameter.
    fn parameter(&self, storage: usize, from: u64, bytes: usize) -> Option<u64>;
    /// Returns the number of blocks of the cluster.
    fn blocks(&self) -> u64;
}

impl Term {
    /// The terms that it is computed from.
    pub(super) fn parts(&self) -> &[Self] {
        match self {
            Self::Unknown
            | Self::Number(_)
            | Self::Register(_)
            | Self::Special(_)
            | Self::Parameter(..) => &[],
            Self::Add(it, _)
            | Self::Subtract(it, _)
            | Self::Multiply(it, _)
            | Self::ShiftLeft(it, _)
            | Self::ShiftRight(it, ..)
            | Self::Remainder(it, ..)
            | Self::And(it, _)
            | Self::Or(it, _)
            | Self::ExclusiveOr(it, _)
            | Self::Compare(it, ..)
            | Self::Halves(it)
            | Self::Remote(it) => &**it,
            Self::Operation(_, it, ..) => it,
            Self::Select(it) => &**it,
            Self::Not(it)
            | Self::ToGeneric(_, it)
            | Self::FromGeneric(_, it)
            | Self::IsInSpace(_, it)
            | Self::Narrow(it, _)
            | Self::Extend(it, ..) => core::slice::from_ref(&**it),
        }
    }

    /// The terms of whose numbers its own is made, and not what only decides between them.
    pub(super) fn sources(&self) -> &[Self] {
        match self {
            Self::Compare(..) | Self::IsInSpace(..) => &[],
            Self::Select(it) => &it[..2],
            _ => self.parts(),
        }
    }

    /// The terms of which one is an address, if its own number is one.
    pub(super) fn summands(&self) -> &[Self] {
        match self {
            Self::Multiply(..)
            | Self::ShiftLeft(..)
            | Self::ShiftRight(..)
            | Self::Remainder(..) => &[],
            _ => self.sources(),
        }
    }

    /// Whether it is an address in another block of the cluster.
    pub(super) fn is_remote(&self) -> bool {
        matches!(self, Self::Remote(_)) || self.parts().iter().any(Self::is_remote)
    }

    /// Whether threads of a warp compute different numbers of the same parts.
    pub(super) const fn is_of_lane(&self) -> bool {
        matches!(
            self,
            Self::Special(Special::Fixed(Fixed::Thread(_) | Fixed::Lane) | Special::Lanes(_))
        )
    }

    /// Computes the number for a thread of a warp, if it is followed.
    pub(super) fn value(&self, lane: usize, thread: &dyn Thread) -> Option<u64> {
        let parts = self.parts();
        self.computed((lane, thread), &|n| parts.get(n)?.value(lane, thread))
    }

    /// Computes the number for a thread of a warp from those of its parts, if it is followed.
    fn computed(
        &self,
        (lane, thread): (usize, &dyn Thread),
        part: &dyn Fn(usize) -> Option<u64>,
    ) -> Option<u64> {
        let two = || Some((part(0)?, part(1)?));
        // What is computed of an address, but for sums, is not followed.
        let plain = || {
            two().filter(|(one, other)| !address::is_tagged(*one) && !address::is_tagged(*other))
        };
        let sum = |bits: u32| if bits >= 64 { address::added(two()?) } else { plain() };
        let difference = |bits: u32| if bits >= 64 { address::subtracted(two()?) } else { plain() };
        let read = |value: u64, bits: u32, is_signed: bool| {
            let value = lowest(value, bits);
            if is_signed { signed_in(value.into(), bits) } else { value.into() }
        };
        Some(match self {
            Self::Unknown => return None,
            Self::Number(number) => *number,
            Self::Register(register) => thread.register(*register).known(lane)?,
            Self::Special(Special::Lanes(comparison)) => {
                let lane = lane as i128;
                (0..32).fold(0, |mask, other: i128| {
                    mask | u64::from(comparison.holds(other, lane)) << other
                })
            }
            Self::Special(Special::Fixed(Fixed::Lane)) => lane as u64,
            Self::Special(special) => thread.special(*special, lane)?,
            Self::Parameter(storage, from, bytes) => thread.parameter(*storage, *from, *bytes)?,
            Self::Add(_, bits) => {
                let (one, other) = sum(*bits)?;
                lowest(one.wrapping_add(other), *bits)
            }
            Self::Subtract(_, bits) => {
                let (one, other) = difference(*bits)?;
                lowest(one.wrapping_sub(other), *bits)
            }
            Self::Multiply(_, bits) => {
                let (one, other) = plain()?;
                lowest(one.wrapping_mul(other), *bits)
            }
            Self::ShiftLeft(_, bits) => {
                let (one, by) = plain()?;
                let by = lowest(by, 32);
                if by >= u64::from(*bits) { 0 } else { lowest(one << by, *bits) }
            }
            Self::ShiftRight(_, bits, is_signed) => {
                let (one, by) = plain()?;
                let by = lowest(by, 32).min(u64::from(*bits));
                lowest(wrap(read(one, *bits, *is_signed) >> by), *bits)
            }
            Self::Remainder(_, bits, is_signed) => {
                let (one, by) = plain()?;
                let by = read(by, *bits, *is_signed);
                if by == 0 {
                    return None;
                }
                lowest(wrap(read(one, *bits, *is_signed) % by), *bits)
            }
            Self::And(_, bits) => {
                // One zero is enough.
                let (one, other) = (part(0), part(1));
                match (one, other) {
                    (Some(0), _) | (_, Some(0)) => 0,
                    (Some(one), Some(other)) => {
                        let both = address::combined((one, other), lowest(one & other, *bits))?;
                        let rank = thread.special(Special::Fixed(Fixed::Rank), lane);
                        address::in_first_of_pair(both, other, rank, thread.blocks())
                            .unwrap_or(both)
                    }
                    (_, _) => return None,
                }
            }
            Self::Or(_, bits) => {
                let (one, other) = (part(0), part(1));
                match (one, other) {
                    (Some(1), _) | (_, Some(1)) if *bits == 1 => 1,
                    (Some(one), Some(other)) => {
                        address::combined((one, other), lowest(one | other, *bits))?
                    }
                    (_, _) => return None,
                }
            }
            Self::ExclusiveOr(_, bits) => {
                let (one, other) = two()?;
                address::combined((one, other), lowest(one ^ other, *bits))?
            }
            Self::Operation(how, operands, bits, is_signed) => {
                let mut known = Vec::with_capacity(operands.len());
                for n in 0..operands.len() {
                    let value = part(n)?;
                    if address::is_tagged(value) {
                        return None;
                    }
                    known.push(Linear::exact(Sum::known(value.into())));
                }
                let coordinates = Coordinates::of(Block::Unknown);
                let operator =
                    Operator { bits: *bits, is_signed: *is_signed, coordinates: &coordinates };
                lowest(wrap(operator.compute(*how, &known)?.value()?), *bits)
            }
            Self::Select(_) => part(usize::from(part(2)? & 1 == 0))?,
            Self::Compare(_, comparison, bits, is_signed) => {
                let (one, other) = two()?;
                if !address::are_comparable(one, other) {
                    return None;
                }
                let read = |value| read(value, *bits, *is_signed);
                comparison.holds(read(one), read(other)).into()
            }
            Self::Not(_) => u64::from(part(0)? == 0),
            Self::Halves(_) => {
                let (low, high) = plain()?;
                lowest(low, 32) | high << 32
            }
            Self::ToGeneric(space, _) => address::to_generic(*space, part(0)?)?,
            Self::FromGeneric(space, _) => address::from_generic(*space, part(0)?)?,
            Self::IsInSpace(space, _) => in_space(*space, part(0)?)?.into(),
            Self::Narrow(_, bits) => address::narrowed(part(0)?, *bits)?,
            Self::Extend(_, bits, is_signed) => {
                let value = part(0)?;
                if address::is_tagged(value) {
                    return None;
                }
                wrap(read(value, *bits, *is_signed))
            }
            Self::Remote(_) => {
                let (address, rank) = two()?;
                address::remote(address, lowest(address::plain(rank)?, 32), thread.blocks())?
            }
        })
    }

    /// Computes the number for these threads of a warp; that in a register may be one that is not followed.
    pub(super) fn lanes(&self, mask: u32, thread: &dyn Thread) -> Lanes {
        match self {
            Self::Unknown => Lanes::UNKNOWN,
            Self::Number(number) => Lanes::Same(Some(*number)),
            Self::Register(register) => thread.register(*register).clone(),
            _ => {
                let parts: Vec<Lanes> =
                    self.parts().iter().map(|part| part.lanes(mask, thread)).collect();
                let number =
                    |lane: usize| self.computed((lane, thread), &|n| parts.get(n)?.known(lane));
                if !self.is_of_lane() && parts.iter().all(Lanes::is_same) {
                    return Lanes::Same(number(0));
                }
                Lanes::each(|lane| (mask >> lane & 1 != 0).then(|| number(lane)).flatten())
            }
        }
    }
}
