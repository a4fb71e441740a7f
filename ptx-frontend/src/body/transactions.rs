//! The bytes that barriers are told to expect, and those of the copies that complete on them, where
//! both stand between two arrivals in straight-line code.

use std::collections::HashMap;

use ptx_types::ir::FunctionKind;
use ptx_types::rules;
use ptx_types::rules::copy::{Copied, Transactions};
use ptx_types::rules::instruction::Role;

use super::Name;
use super::address::Located;
use super::claim::{self, Condition};
use super::evaluate::evaluate;
use super::fact::{Fact, Sum};
use super::flow::{Facts, Referent, Resolved};
use super::late::{DeferredCopied, DeferredKind};
use super::memory::{Amount, MemoryOperand};
use super::names::Resolver;
use super::step::Effect;
use crate::errors::Errors;

/// What is known of a barrier: two that are equal are one.
#[derive(Clone, PartialEq, Debug)]
enum Barrier {
    /// In this storage, at this offset.
    Exact(usize, bool, super::fact::Linear),
    /// At this offset of what a register holds, written so many times before; in this storage, which
    /// may be what a pointer leads to.
    Register(usize, usize, Sum, Option<(usize, bool)>),
    /// Somewhere.
    Unknown,
}

impl Barrier {
    /// Whether it can be the same as another that is not equal to it.
    fn may_be(&self, other: &Self) -> bool {
        match (self, other) {
            // Where pointers lead nobody knows.
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

#[derive(Debug)]
struct Entry {
    barrier: Barrier,
    guard: Guard,
    event: Event,
}

#[derive(Debug)]
enum Event {
    Expect(Option<Sum>, Name, Vec<usize>, Vec<Condition>),
    Copy(Option<DeferredCopied>),
    Turn,
}

/// An `expect_tx`, and the copies of its phase.
#[derive(Debug)]
struct Phase {
    barrier: Barrier,
    expected: Sum,
    place: Name,
    allowed: Vec<usize>,
    conditions: Vec<Condition>,
    copied: Vec<DeferredCopied>,
}

/// What happens to barriers in a body.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// Of the straight-line code so far.
    entries: Vec<Entry>,
    /// The phases that are known, wherever they stand.
    phases: Vec<Phase>,
    /// The barriers that copies complete on whose `expect_tx` stands elsewhere.
    strays: Vec<Barrier>,
    /// The copies that complete on barriers: the operand, and the allowances there.
    copies: Vec<(Name, Vec<usize>)>,
    /// Whether bytes are expected somewhere, or perhaps in a function that is called.
    is_expected: bool,
    /// How often each register was written.
    writes: HashMap<usize, usize>,
}

impl Ledger {
    /// Notes an instruction.
    pub(super) fn note(
        &mut self,
        resolved: &Resolved<'_>,
        located: &[Option<Located>],
        resolver: &Resolver<'_, '_, '_>,
        facts: &Facts,
    ) {
        let step = resolved.step;
        let number = |value| match evaluate(value, resolved, &resolver.storages, facts) {
            Fact::Number(number) if number.is_exact() => Some(number.base),
            _ => None,
        };
        let event = match &step.effect {
            Effect::Expect(count, place) => {
                let conditions = claim::conditions(&facts.claims);
                let allowed = resolved.allowed.clone();
                Some(Event::Expect(number(count), place.clone(), allowed, conditions))
            }
            Effect::Init(..) | Effect::Arrive | Effect::Wait => Some(Event::Turn),
            Effect::Complete => Some(Event::Copy(None)),
            Effect::Copy(bytes) => Some(Event::Copy(number(bytes).map(DeferredCopied::Bytes))),
            Effect::CopyTile(copy) if copy.completes => {
                let is_map = |operand: &MemoryOperand| operand.role == Role::Map;
                let map = step.memory.iter().position(is_map).and_then(|n| located[n].as_ref());
                let copied = map.filter(|_| !copy.is_multicast).and_then(|map| {
                    let choices = &resolver.storages[map.storage].choices;
                    let is_sure = choices.len() == 1 && !matches!(copy.halo, Amount::Unknown);
                    is_sure.then(|| {
                        let object = choices[0].at(map.is_pointee).1;
                        DeferredCopied::Tile(object, map.offset.clone(), copy.halo.clone())
                    })
                });
                Some(Event::Copy(copied))
            }
            Effect::CopyTile(_) | Effect::Multiply(_) | Effect::None => None,
        };
        let is_barrier = |operand: &MemoryOperand| operand.role == Role::Barrier;
        let n = step.memory.iter().position(is_barrier);
        let is_by_hand = matches!(step.effect, Effect::Complete);
        self.is_expected |= matches!(event, Some(Event::Expect(..))) || is_by_hand || step.calls;
        if let (Some(Event::Copy(_)), Some(n), Effect::Copy(_) | Effect::CopyTile(_)) =
            (&event, n, &step.effect)
        {
            self.copies.push((step.memory[n].name.clone(), resolved.allowed.clone()));
        }
        if step.calls {
            // What the function copies or expects nobody knows.
            let event = Event::Copy(None);
            self.entries.push(Entry { barrier: Barrier::Unknown, guard: None, event });
        }
        if let Some(event) = event {
            let barrier = n.map_or(Barrier::Unknown, |n| self.barrier(n, resolved, located));
            let guard = step.guard.as_ref().and_then(|(name, is_negated)| {
                match resolved.find(&name.text) {
                    Some(Referent::Register(register)) => {
                        Some((register, self.written(register), *is_negated))
                    }
                    Some(Referent::Storage(_) | Referent::Other) | None => None,
                }
            });
            self.entries.push(Entry { barrier, guard, event });
        }
        for name in &step.writes {
            if let Some(Referent::Register(register)) = resolved.find(&name.text) {
                *self.writes.entry(register).or_default() += 1;
            }
        }
    }

    fn written(&self, register: usize) -> usize {
        self.writes.get(&register).copied().unwrap_or_default()
    }

    fn barrier(&self, n: usize, resolved: &Resolved<'_>, located: &[Option<Located>]) -> Barrier {
        let operand = &resolved.step.memory[n];
        let place = located.get(n).and_then(Option::as_ref);
        match place {
            // Whose it is nobody knows.
            Some(place) if place.is_remote => return Barrier::Unknown,
            Some(place) if place.offset.is_exact() => {
                return Barrier::Exact(place.storage, place.is_pointee, place.offset.clone());
            }
            Some(_) | None => {}
        }
        match (resolved.find(&operand.name.text), Sum::of(&operand.offset)) {
            (Some(Referent::Register(register)), Some(offset)) => Barrier::Register(
                register,
                self.written(register),
                offset,
                place.map(|place| (place.storage, place.is_pointee)),
            ),
            (_, _) => Barrier::Unknown,
        }
    }

    /// Ends straight-line code.
    pub(super) fn close(&mut self) {
        let entries = core::mem::take(&mut self.entries);
        let mut barriers: Vec<&Barrier> = Vec::new();
        for entry in &entries {
            if !barriers.contains(&&entry.barrier) {
                barriers.push(&entry.barrier);
            }
        }
        for barrier in barriers {
            let others = entries.iter().filter(|entry| entry.barrier != *barrier);
            let is_mixed = others
                .into_iter()
                .any(|entry| !matches!(entry.event, Event::Turn) && entry.barrier.may_be(barrier));
            let mine: Vec<&Entry> =
                entries.iter().filter(|entry| entry.barrier == *barrier).collect();
            for group in phases(&mine) {
                self.close_phase(barrier, &group, is_mixed);
            }
        }
    }

    fn close_phase(&mut self, barrier: &Barrier, group: &[&Entry], is_mixed: bool) {
        let expects = group.iter().filter_map(|entry| match &entry.event {
            Event::Expect(count, place, allowed, conditions) => {
                Some((count, place, allowed, conditions))
            }
            Event::Copy(_) | Event::Turn => None,
        });
        let expects: Vec<_> = expects.collect();
        let copies = group.iter().filter_map(|entry| match &entry.event {
            Event::Copy(copied) => Some(copied.clone()),
            Event::Expect(..) | Event::Turn => None,
        });
        let copies: Vec<Option<DeferredCopied>> = copies.collect();
        if copies.is_empty() {
            return;
        }
        let Some((_, place, allowed, conditions)) = expects.first() else {
            self.strays.push(barrier.clone());
            return;
        };
        // Which of several is for which copy nobody knows; all of them are for all.
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
                place: (*place).clone(),
                allowed: (*allowed).clone(),
                conditions: (*conditions).clone(),
                copied,
            });
        }
    }

    /// Judges the phases whose copies are all known.
    pub(super) fn settle<'a: 'b, 'b>(
        self,
        resolver: &mut Resolver<'_, 'a, 'b>,
        errors: &mut Errors,
    ) {
        // What a function copies its caller may expect.
        let is_kernel = resolver.context.function.kind == FunctionKind::Kernel;
        let (is_expected, strays) = (self.is_expected || !is_kernel, self.strays);
        for (barrier, allowed) in &self.copies {
            for violation in rules::check_completed(&barrier.text, is_expected) {
                resolver.report(violation, barrier, allowed, errors);
            }
        }
        for phase in self.phases.into_iter().filter(|_| is_kernel) {
            let is_stray =
                |stray: &Barrier| *stray == phase.barrier || stray.may_be(&phase.barrier);
            if strays.iter().any(is_stray) {
                continue;
            }
            let bytes = phase.copied.iter().map(|copied| match copied {
                DeferredCopied::Bytes(bytes) => bytes.value().map(Copied::Bytes),
                DeferredCopied::Tile(..) => None,
            });
            let bytes: Option<Vec<Copied<'_>>> = bytes.collect();
            match (phase.expected.value(), bytes) {
                (Some(expected), Some(copied)) if phase.conditions.is_empty() => {
                    let transactions = Transactions { expected, copied: &copied };
                    for violation in rules::check_transactions(transactions) {
                        resolver.report(violation, &phase.place, &phase.allowed, errors);
                    }
                }
                (_, _) => {
                    let kind = DeferredKind::Transactions(phase.expected, phase.copied);
                    resolver.judge_late(kind, &phase.place, &phase.allowed, phase.conditions);
                }
            }
        }
    }
}

/// What happens to one barrier in straight-line code, from one arrival or wait to the next.
fn phases<'e>(entries: &[&'e Entry]) -> Vec<Vec<&'e Entry>> {
    let between = entries.split(|entry| matches!(entry.event, Event::Turn));
    between.map(<[&Entry]>::to_vec).collect()
}
