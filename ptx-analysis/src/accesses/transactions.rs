//! Compares the bytes that mbarriers are set to expect with those of the copies that complete on them, if
//! both are between two arrivals in straight-line code.
//!
//! What threads do in a launch (`order`) shows that a phase is never over, where they wait for it or it is initialised (A110,
//! A067); here both numbers are known, which may depend on constants of Rust (A041), and that nothing expects any (A053).

use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::instruction::Role;
use ptx_isa::ir::FunctionKind;
use ptx_isa::ir::body::Amount;
use ptx_isa::rules::access::Object;
use ptx_isa::rules::copy::Transactions;
use ptx_isa::rules::{self, Offset};
use ptx_isa::sorted::SortedMap;

use crate::accesses::copy::{at, halo};
use crate::domains::checker::InstructionChecker;
use crate::findings::deferred::{DeferredCopied, DeferredKind};
use crate::flow::effects::Action;
use crate::flow::memory::MemoryOperand;
use crate::flow::node::{Referent, Resolved};
use crate::flow::place::Place;
use crate::values::claim::{self, Condition};
use crate::values::location::Located;
use crate::values::number::{Linear, Sum};
use crate::values::state::State;
use crate::values::value::AbstractValue;

/// The maximum number of mbarriers compared with one another, both between labels and among those whose bytes
/// are expected elsewhere; with more, nothing is reported.
const MOST_BARRIERS: usize = 1024;

/// The identity of an mbarrier, as far as it is known: equal ones are the same mbarrier.
#[derive(Clone, PartialEq, Debug)]
enum Barrier {
    /// In this storage, at this offset.
    Exact(usize, bool, Linear),
    /// At this offset from the value of a register after this many writes; possibly in this storage, or in its
    /// pointee.
    Register(usize, usize, Sum, Option<(usize, bool)>),
    /// Somewhere.
    Unknown,
}

/// The sort key of mbarriers: the number of writes to its address register, if it has one; that
/// register or the storage; and the offset.
type Key = (Option<usize>, usize, i128);

impl Barrier {
    /// Returns a key that is the same for equal ones.
    fn key(&self) -> Option<Key> {
        match self {
            Self::Exact(storage, _, offset) => Some((None, *storage, offset.base.known)),
            Self::Register(register, written, offset, _) => {
                Some((Some(*written), *register, offset.known))
            }
            Self::Unknown => None,
        }
    }

    /// Whether it may be the same mbarrier as another, which includes being equal.
    fn may_be(&self, other: &Self) -> bool {
        match (self, other) {
            // Two pointers may have the same target.
            (Self::Exact(_, true, _) | Self::Register(.., Some((_, true))), _)
            | (_, Self::Exact(_, true, _) | Self::Register(.., Some((_, true)))) => true,
            (Self::Exact(one, _, offset), Self::Exact(other, _, apart)) => {
                let differ = offset.base.products == apart.base.products
                    && offset.base.known != apart.base.known;
                one == other && !differ
            }
            (Self::Exact(one, ..), Self::Register(.., Some((other, _))))
            | (
                Self::Register(.., Some((one, _))),
                Self::Exact(other, ..) | Self::Register(.., Some((other, _))),
            ) => one == other,
            (_, _) => true,
        }
    }
}

/// A predicate: its register, the number of earlier writes to it, and whether it is negated.
type Guard = Option<(usize, usize, bool)>;

/// An effect of an instruction on an mbarrier.
#[derive(Debug)]
struct Entry<'a> {
    barrier: Barrier,
    guard: Guard,
    change: Change<'a>,
}

/// A kind of effect on an mbarrier.
#[derive(Debug)]
enum Change<'a> {
    /// It expects bytes: with the place, the allowances and the conditions.
    Expect(Option<Sum>, Place, Vec<usize>, Vec<Condition>),
    /// A copy completes on it.
    Copy(Option<Copied<'a>>),
    /// Its phase ends, or may end.
    PhaseBoundary,
}

/// The contribution of a copy, and the location of the tensor map if it copies a tile.
#[derive(Clone, Debug)]
struct Copied<'a> {
    deferred: DeferredCopied,
    tile: Option<((Offset, Object<'a>), u32)>,
}

/// An `expect_tx`, and the copies in its phase.
#[derive(Debug)]
struct Phase<'a> {
    barrier: Barrier,
    expected: Sum,
    place: Place,
    allowed: Vec<usize>,
    conditions: Vec<Condition>,
    copied: Vec<Copied<'a>>,
}

/// The effects on mbarriers in a body.
#[derive(Debug, Default)]
pub(crate) struct TransactionTracker<'a> {
    /// Those of the current straight-line code.
    entries: Vec<Entry<'a>>,
    /// The completely known phases.
    phases: Vec<Phase<'a>>,
    /// The mbarriers that copies complete on, but whose `expect_tx` is elsewhere.
    strays: Vec<Barrier>,
    /// The copies that complete on mbarriers: the operand, its place, and the allowances.
    copies: Vec<(&'a str, Place, Vec<usize>)>,
    /// Whether bytes are expected anywhere, possibly in a called function.
    is_expected: bool,
    /// The number of writes to each register.
    writes: SortedMap<usize, usize>,
}

impl<'a> TransactionTracker<'a> {
    /// Records an instruction.
    pub(crate) fn note(
        &mut self,
        resolved: &Resolved<'a>,
        located: &[Option<Located<'a>>],
        checker: &InstructionChecker<'_, '_, 'a>,
        state: &State,
    ) {
        let effects = &resolved.effects;
        let storages = checker.setting.storages;
        let number = |value| match checker.setting.evaluator(resolved, state).value(value) {
            AbstractValue::Number(number) if number.is_exact() => Some(number.base),
            _ => None,
        };
        let change = match &effects.action {
            Action::Expect(expected) => {
                let (count, place) = &**expected;
                let conditions = claim::conditions(&state.claims);
                let allowed = resolved.allowed.to_vec();
                Some(Change::Expect(number(count), *place, allowed, conditions))
            }
            Action::Init(..) | Action::Arrive(_) | Action::Invalidate | Action::Wait(_) => {
                Some(Change::PhaseBoundary)
            }
            Action::Complete => Some(Change::Copy(None)),
            Action::Copy(bytes) => {
                let bytes = number(bytes).map(DeferredCopied::Bytes);
                Some(Change::Copy(bytes.map(|deferred| Copied { deferred, tile: None })))
            }
            Action::CopyTile(copy) if copy.completes => {
                let is_map = |operand: &MemoryOperand<'_>| operand.form.role == Role::Map;
                let map = effects.memory.iter().position(is_map).and_then(|n| located[n].as_ref());
                let copied = map.filter(|_| !copy.is_multicast).and_then(|map| {
                    let choices = &storages[map.storage].choices;
                    let is_own = choices.len() == 1 && !choices[0].is_foreign;
                    let is_certain = is_own && !matches!(copy.halo, Amount::Unknown);
                    is_certain.then(|| {
                        let (object, id) = choices[0].at(map.is_pointee);
                        let tile = Some((at(map, object), halo(copy.halo)));
                        let deferred = DeferredCopied::Tile(id, map.offset.clone(), copy.halo);
                        Copied { deferred, tile }
                    })
                });
                Some(Change::Copy(copied))
            }
            Action::CopyTile(_) | Action::Multiply(_) | Action::None => None,
        };
        let is_barrier = |operand: &MemoryOperand<'_>| operand.form.role == Role::Barrier;
        let n = effects.memory.iter().position(is_barrier);
        let is_by_hand = matches!(effects.action, Action::Complete);
        self.is_expected |=
            matches!(change, Some(Change::Expect(..))) || is_by_hand || effects.calls;
        if let (Some(Change::Copy(_)), Some(n), Action::Copy(_) | Action::CopyTile(_)) =
            (&change, n, &effects.action)
        {
            let operand = &effects.memory[n];
            self.copies.push((operand.name.text, operand.place, resolved.allowed.to_vec()));
        }
        if effects.calls {
            // The copies and expectations of a called function are not known.
            let change = Change::Copy(None);
            self.entries.push(Entry { barrier: Barrier::Unknown, guard: None, change });
        }
        if let Some(change) = change {
            let barrier =
                n.map_or(Barrier::Unknown, |n| self.barrier(n, resolved, located, checker));
            let guard =
                effects.guard.as_ref().and_then(|guard| match resolved.find(guard.name.text) {
                    Some(Referent::Register(register)) => {
                        Some((register, self.written(register), guard.is_negated))
                    }
                    Some(Referent::Storage(_) | Referent::Other) | None => None,
                });
            self.entries.push(Entry { barrier, guard, change });
        }
        for &register in &resolved.written {
            *self.writes.entry(register).or_default() += 1;
        }
    }

    fn written(&self, register: usize) -> usize {
        self.writes.get(&register).copied().unwrap_or_default()
    }

    fn barrier(
        &self,
        n: usize,
        resolved: &Resolved<'a>,
        located: &[Option<Located<'a>>],
        checker: &InstructionChecker<'_, '_, 'a>,
    ) -> Barrier {
        let operand = &resolved.effects.memory[n];
        let at = located.get(n).and_then(Option::as_ref);
        match at {
            // The owner of the mbarrier is not known.
            Some(at) if at.rank.is_some() => return Barrier::Unknown,
            Some(at) if at.offset.is_exact() => {
                return Barrier::Exact(at.storage, at.is_pointee, at.offset.clone());
            }
            Some(_) | None => {}
        }
        let offset = Sum::of(operand.offset, &checker.unit.constants);
        match (resolved.find(operand.name.text), offset) {
            (Some(Referent::Register(register)), Some(offset)) => Barrier::Register(
                register,
                self.written(register),
                offset,
                at.map(|at| (at.storage, at.is_pointee)),
            ),
            (_, _) => Barrier::Unknown,
        }
    }

    /// Ends the current straight-line code.
    pub(crate) fn close(&mut self) {
        let entries = core::mem::take(&mut self.entries);
        let mut barriers: Vec<(&Barrier, Vec<&Entry<'a>>)> = Vec::new();
        let mut like: SortedMap<Option<Key>, Vec<usize>> = SortedMap::new();
        for entry in &entries {
            let like = like.entry(entry.barrier.key()).or_default();
            match like.iter().find(|n| *barriers[**n].0 == entry.barrier) {
                Some(n) => barriers[*n].1.push(entry),
                None => {
                    like.push(barriers.len());
                    barriers.push((&entry.barrier, vec![entry]));
                }
            }
        }
        for (barrier, mine) in &barriers {
            let may_be_it = |(other, theirs): &(&Barrier, Vec<&Entry<'a>>)| {
                other != barrier
                    && other.may_be(barrier)
                    && theirs.iter().any(|it| !matches!(it.change, Change::PhaseBoundary))
            };
            let is_mixed = barriers.len() > MOST_BARRIERS || barriers.iter().any(may_be_it);
            for group in phases(mine) {
                self.close_phase(barrier, &group, is_mixed);
            }
        }
    }

    fn close_phase(&mut self, barrier: &Barrier, group: &[&Entry<'a>], is_mixed: bool) {
        let expects = group.iter().filter_map(|entry| match &entry.change {
            Change::Expect(count, place, allowed, conditions) => {
                Some((count, place, allowed, conditions))
            }
            Change::Copy(_) | Change::PhaseBoundary => None,
        });
        let expects: Vec<_> = expects.collect();
        let copies = group.iter().filter_map(|entry| match &entry.change {
            Change::Copy(copied) => Some(copied.clone()),
            Change::Expect(..) | Change::PhaseBoundary => None,
        });
        let copies: Vec<Option<Copied<'a>>> = copies.collect();
        if copies.is_empty() {
            return;
        }
        let Some((_, place, allowed, conditions)) = expects.first() else {
            self.strays.push(barrier.clone());
            return;
        };
        // It is not known which of several expectations belongs to which copy; together they belong to all.
        let mut expected = expects.iter().map(|(count, ..)| count.as_ref());
        let expected: Option<Sum> =
            expected.try_fold(Sum::default(), |all, count| count.map(|count| all.plus(count)));
        let is_alike = group.windows(2).all(|pair| pair[0].guard == pair[1].guard);
        let is_known = *barrier != Barrier::Unknown;
        if let (Some(copied), true, Some(expected), false) =
            (copies.into_iter().collect(), is_alike && is_known, expected, is_mixed)
        {
            self.phases.push(Phase {
                barrier: barrier.clone(),
                expected,
                place: **place,
                allowed: (*allowed).clone(),
                conditions: (*conditions).clone(),
                copied,
            });
        }
    }

    /// Checks the phases whose copies are all known.
    pub(crate) fn settle(self, checker: &mut InstructionChecker<'_, '_, 'a>) {
        // The caller may expect what a function copies.
        let is_kernel = checker.unit.function.kind == FunctionKind::Kernel;
        let (is_expected, strays) = (self.is_expected || !is_kernel, self.strays);
        for (barrier, place, allowed) in &self.copies {
            for violation in rules::check_completed(barrier, is_expected) {
                checker.report.report(&violation, *place, allowed);
            }
        }
        for phase in self.phases.into_iter().filter(|_| is_kernel) {
            let is_stray = |stray: &Barrier| stray.may_be(&phase.barrier);
            if strays.len() > MOST_BARRIERS || strays.iter().any(is_stray) {
                continue;
            }
            let copied = phase.copied.iter().map(|copied| match &copied.deferred {
                DeferredCopied::Bytes(bytes) => bytes.value().map(rules::copy::Copied::Bytes),
                DeferredCopied::Tile(..) if checker.unit.defers => None,
                DeferredCopied::Tile(..) => {
                    copied.tile.map(|(tile, halo)| rules::copy::Copied::Tile(tile, halo))
                }
            });
            let copied: Option<Vec<rules::copy::Copied<'a>>> = copied.collect();
            match (phase.expected.value(), copied) {
                (Some(expected), Some(copied)) if phase.conditions.is_empty() => {
                    let transactions = Transactions { expected, copied: &copied };
                    for violation in rules::check_transactions(transactions) {
                        checker.report.report(&violation, phase.place, &phase.allowed);
                    }
                }
                (_, _) => {
                    let copied = phase.copied.into_iter().map(|copied| copied.deferred).collect();
                    let kind = DeferredKind::Transactions(phase.expected, copied);
                    checker.report.defer(kind, phase.place, &phase.allowed, phase.conditions);
                }
            }
        }
    }
}

/// Splits the effects on one mbarrier in straight-line code into phases, at each arrival or wait.
fn phases<'e, 'a>(entries: &[&'e Entry<'a>]) -> Vec<Vec<&'e Entry<'a>>> {
    let between = entries.split(|entry| matches!(entry.change, Change::PhaseBoundary));
    between.map(<[&Entry<'a>]>::to_vec).collect()
}

#[cfg(test)]
mod tests;
