//! The bytes that barriers are told to expect, and those of the copies that complete on them, where
//! both stand between two arrivals in straight-line code.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use ptx_types::instruction::Role;
use ptx_types::ir::FunctionKind;
use ptx_types::ir::body::Amount;
use ptx_types::rules::access::Object;
use ptx_types::rules::copy::Transactions;
use ptx_types::rules::{self, Offset};

use crate::claim::{self, Condition};
use crate::copy::{at, halo};
use crate::deferred::{DeferredCopied, DeferredKind};
use crate::effects::Action;
use crate::judge::Judge;
use crate::location::Located;
use crate::memory::MemoryOperand;
use crate::node::{Referent, Resolved};
use crate::number::{Linear, Sum};
use crate::place::Place;
use crate::state::State;
use crate::value::AbstractValue;

/// How many barriers, between labels and among those whose bytes are expected elsewhere, are compared
/// with one another; of more, nothing is said.
const MOST_BARRIERS: usize = 1024;

/// What is known of a barrier: two that are equal are one.
#[derive(Clone, PartialEq, Debug)]
enum Barrier {
    /// In this storage, at this offset.
    Exact(usize, bool, Linear),
    /// At this offset of what a register holds, written so many times before; in this storage, which
    /// may be what a pointer leads to.
    Register(usize, usize, Sum, Option<(usize, bool)>),
    /// Somewhere.
    Unknown,
}

/// By what barriers are sorted: how often the register of its address was written, if it is in one, that
/// register or the storage, and the offset.
type Key = (Option<usize>, usize, i128);

impl Barrier {
    /// What is the same of those that are equal.
    fn key(&self) -> Option<Key> {
        match self {
            Self::Exact(storage, _, offset) => Some((None, *storage, offset.base.known)),
            Self::Register(register, written, offset, _) => {
                Some((Some(*written), *register, offset.known))
            }
            Self::Unknown => None,
        }
    }

    /// Whether it can be the same as another, as it is of one that is equal to it.
    fn may_be(&self, other: &Self) -> bool {
        match (self, other) {
            // Where pointers lead is not known.
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

/// A predicate: its register, how often that was written before, and whether it is negated.
type Guard = Option<(usize, usize, bool)>;

/// What an instruction does to a barrier.
#[derive(Debug)]
struct Entry<'a> {
    barrier: Barrier,
    guard: Guard,
    change: Change<'a>,
}

/// What is done to a barrier.
#[derive(Debug)]
enum Change<'a> {
    /// It is told to expect bytes, where this stands, with these allowances, under these conditions.
    Expect(Option<Sum>, Place, Vec<usize>, Vec<Condition>),
    /// A copy completes on it.
    Copy(Option<Copied<'a>>),
    /// Its phase ends, or may.
    PhaseBoundary,
}

/// What a copy adds, and where the map is if it is one of a tile.
#[derive(Clone, Debug)]
struct Copied<'a> {
    deferred: DeferredCopied,
    tile: Option<((Offset, Object<'a>), u32)>,
}

/// An `expect_tx`, and the copies of its phase.
#[derive(Debug)]
struct Phase<'a> {
    barrier: Barrier,
    expected: Sum,
    place: Place,
    allowed: Vec<usize>,
    conditions: Vec<Condition>,
    copied: Vec<Copied<'a>>,
}

/// What happens to barriers in a body.
#[derive(Debug, Default)]
pub(crate) struct TransactionTracker<'a> {
    /// Of the straight-line code so far.
    entries: Vec<Entry<'a>>,
    /// The phases that are known, wherever they stand.
    phases: Vec<Phase<'a>>,
    /// The barriers that copies complete on whose `expect_tx` stands elsewhere.
    strays: Vec<Barrier>,
    /// The copies that complete on barriers: the operand, and the allowances there.
    copies: Vec<(&'a str, Place, Vec<usize>)>,
    /// Whether bytes are expected somewhere, or perhaps in a function that is called.
    is_expected: bool,
    /// How often each register was written.
    writes: BTreeMap<usize, usize>,
}

impl<'a> TransactionTracker<'a> {
    /// Notes an instruction.
    pub(crate) fn note(
        &mut self,
        resolved: &Resolved<'a>,
        located: &[Option<Located<'a>>],
        judge: &Judge<'_, '_, 'a>,
        state: &State,
    ) {
        let effects = &resolved.effects;
        let storages = judge.setting.storages;
        let number = |value| match judge.setting.evaluator(resolved, state).value(value) {
            AbstractValue::Number(number) if number.is_exact() => Some(number.base),
            _ => None,
        };
        let change = match &effects.action {
            Action::Expect(expected, _) => {
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
                    let is_sure = is_own && !matches!(copy.halo, Amount::Unknown);
                    is_sure.then(|| {
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
            // What the function copies or expects is not known.
            let change = Change::Copy(None);
            self.entries.push(Entry { barrier: Barrier::Unknown, guard: None, change });
        }
        if let Some(change) = change {
            let barrier = n.map_or(Barrier::Unknown, |n| self.barrier(n, resolved, located, judge));
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
        judge: &Judge<'_, '_, 'a>,
    ) -> Barrier {
        let operand = &resolved.effects.memory[n];
        let at = located.get(n).and_then(Option::as_ref);
        match at {
            // Whose it is, is not known.
            Some(at) if at.rank.is_some() => return Barrier::Unknown,
            Some(at) if at.offset.is_exact() => {
                return Barrier::Exact(at.storage, at.is_pointee, at.offset.clone());
            }
            Some(_) | None => {}
        }
        let offset = Sum::of(operand.offset, &judge.unit.constants);
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

    /// Ends straight-line code.
    pub(crate) fn close(&mut self) {
        let entries = core::mem::take(&mut self.entries);
        let mut barriers: Vec<(&Barrier, Vec<&Entry<'a>>)> = Vec::new();
        let mut like: BTreeMap<Option<Key>, Vec<usize>> = BTreeMap::new();
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
        // Which of several is for which copy is not known; all of them are for all.
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

    /// Judges the phases whose copies are all known.
    pub(crate) fn settle(self, judge: &mut Judge<'_, '_, 'a>) {
        // What a function copies its caller may expect.
        let is_kernel = judge.unit.function.kind == FunctionKind::Kernel;
        let (is_expected, strays) = (self.is_expected || !is_kernel, self.strays);
        for (barrier, place, allowed) in &self.copies {
            for violation in rules::check_completed(barrier, is_expected) {
                judge.report.report(violation, *place, allowed);
            }
        }
        for phase in self.phases.into_iter().filter(|_| is_kernel) {
            let is_stray = |stray: &Barrier| stray.may_be(&phase.barrier);
            if strays.len() > MOST_BARRIERS || strays.iter().any(is_stray) {
                continue;
            }
            let copied = phase.copied.iter().map(|copied| match &copied.deferred {
                DeferredCopied::Bytes(bytes) => bytes.value().map(rules::copy::Copied::Bytes),
                DeferredCopied::Tile(..) if judge.unit.defers => None,
                DeferredCopied::Tile(..) => {
                    copied.tile.map(|(tile, halo)| rules::copy::Copied::Tile(tile, halo))
                }
            });
            let copied: Option<Vec<rules::copy::Copied<'a>>> = copied.collect();
            match (phase.expected.value(), copied) {
                (Some(expected), Some(copied)) if phase.conditions.is_empty() => {
                    let transactions = Transactions { expected, copied: &copied };
                    for violation in rules::check_transactions(transactions) {
                        judge.report.report(violation, phase.place, &phase.allowed);
                    }
                }
                (_, _) => {
                    let copied = phase.copied.into_iter().map(|copied| copied.deferred).collect();
                    let kind = DeferredKind::Transactions(phase.expected, copied);
                    judge.report.defer(kind, phase.place, &phase.allowed, phase.conditions);
                }
            }
        }
    }
}

/// What happens to one barrier in straight-line code, from one arrival or wait to the next.
fn phases<'e, 'a>(entries: &[&'e Entry<'a>]) -> Vec<Vec<&'e Entry<'a>>> {
    let between = entries.split(|entry| matches!(entry.change, Change::PhaseBoundary));
    between.map(<[&Entry<'a>]>::to_vec).collect()
}

#[cfg(test)]
mod tests;
