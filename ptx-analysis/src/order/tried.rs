//! Numbers in parameters that are not known: the values that they are tried with, and what depends on them.

use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::instruction::Computes;
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::order::origins::{Origins, Part};
use crate::order::step::{Collective, Does, Location, Step, Tensor};
use crate::order::term::Term;

/// The values that they are tried with, besides those that the kernel itself suggests.
const USUAL: [u64; 10] = [576, 4, 1, 0, 3, 5, 9, 16, 64, 128];

/// The most values that the kernel suggests.
const MOST_SUGGESTED: usize = 3;

/// The greatest of them: so many rounds can be followed.
const GREATEST: u64 = 1 << 16;

/// The number of usual values after which no others are tried if nothing is wrong.
const FIRST: usize = 3;

/// The most stages of a ring.
const MOST_STAGES: u64 = 16;

/// Whether a number is in a parameter that runs try, and if that is only so where it counts rounds of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IsTried {
    Always,
    AsCount,
    Never,
}

/// The number of bytes of an address.
pub(super) const BYTES_OF_ADDRESS: usize = 8;

/// What depends on numbers that are tried.
#[derive(Debug, Default)]
pub(super) struct Tried {
    /// These numbers.
    parts: Vec<Part>,
    /// Those from which the numbers in registers are computed, as a bit for each.
    registers: SortedMap<usize, u64>,
}

impl Tried {
    /// Finds the numbers in parameters that runs try, and what depends on them.
    pub(super) fn of(steps: &[Step], is_tried: impl Fn(Part) -> IsTried) -> Self {
        let mut all = Origins::default();
        for (_, term) in steps.iter().flat_map(|step| &step.writes) {
            all.note(term, Term::parts);
        }
        let mut of_loops = None;
        let mut is_count =
            |part: &Part| of_loops.get_or_insert_with(|| counts(steps)).contains(part);
        let mut parts: Vec<Part> = all.parts.iter().copied().collect();
        parts.retain(|part| match is_tried(*part) {
            IsTried::Always => true,
            IsTried::AsCount => is_count(part),
            IsTried::Never => false,
        });
        let mut tried = Self { parts, registers: SortedMap::new() };
        let mut stored = 0;
        let mut is_changed = true;
        while core::mem::take(&mut is_changed) {
            for step in steps {
                for (register, term) in &step.writes {
                    is_changed |= tried.note(*register, tried.parameters(term));
                }
                match &step.does {
                    Does::Warp(_, _, Collective::Shuffle { to: Some(to), operands, .. }) => {
                        is_changed |= tried.note(*to, tried.parameters(&operands[0]));
                    }
                    Does::Store(_, values, _) => {
                        let of = |all, value| all | tried.parameters(value);
                        stored = values.iter().fold(stored, of);
                    }
                    // It may be what was stored.
                    Does::Load(location, to, ..)
                        if matches!(location.space, Some(Space::Shared) | None) =>
                    {
                        for register in to.iter().flatten() {
                            is_changed |= tried.note(*register, stored);
                        }
                    }
                    _ => {}
                }
            }
        }
        tried
    }

    /// Notes that a register holds a number that is computed from these, too, and returns whether that is new.
    fn note(&mut self, register: usize, new: u64) -> bool {
        let old = self.registers.get(&register).copied().unwrap_or_default();
        if new & !old == 0 {
            return false;
        }
        self.registers.insert(register, new | old);
        true
    }

    /// Returns the parameters from which a number is computed, as a bit for each.
    fn parameters(&self, term: &Term) -> u64 {
        let mut all = 0;
        match term {
            Term::Register(register) => {
                all = self.registers.get(register).copied().unwrap_or_default();
            }
            Term::Parameter(storage, from, bytes) => {
                let at = self.parts.binary_search(&(*storage, *from, *bytes));
                all = at.map_or(0, |at| 1 << (at % 64));
            }
            // A stage of a ring.
            Term::And(it, _) | Term::Remainder(it, ..) if matches!(it[1], Term::Number(most) if most <= MOST_STAGES) =>
                {}
            _ => {
                all = term.sources().iter().fold(0, |all, term| all | self.parameters(term));
            }
        }
        all
    }

    /// Whether runs try a number in a parameter.
    pub(super) fn tries(&self, part: Part) -> bool {
        self.parts.binary_search(&part).is_ok()
    }

    /// Whether there is none.
    pub(super) const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether a number is computed from one that runs try, so that others than those may be meant.
    pub(super) fn has(&self, term: &Term) -> bool {
        self.parameters(term) != 0
    }

    /// Whether a number may be a quotient by one that runs try: the high half of a product with a number that fits it,
    /// which is passed, too.
    pub(super) fn divides(&self, term: &Term) -> bool {
        match term {
            Term::Operation(Computes::HighProduct, of, ..) => {
                self.has(term) && !of.iter().any(|it| matches!(it, Term::Number(_)))
            }
            _ => term.parts().iter().any(|term| self.divides(term)),
        }
    }

    /// Returns the parameters on which the address of an operand of a step depends, as a bit for each.
    pub(super) fn base(&self, step: &Step, operand: u8) -> u64 {
        if let Does::Multiply(all) | Does::Tensor(Tensor::Multiply(_, all, _)) = &step.does {
            return all.iter().fold(0, |mask, term| mask | self.parameters(term));
        }
        let all = accessed(step);
        let it = all.iter().find(|it| it.operand == operand).or(all.first());
        it.map_or(0, |it| self.parameters(&it.address))
    }

    /// Whether the same parameters decide how often threads go round in all innermost loops with arrivals or copies: where
    /// others do, those may be passed so that arrivals fit.
    pub(super) fn is_one_count(&self, steps: &[Step]) -> bool {
        let mut loops: Vec<Loop> = loops(steps).collect();
        loops.retain(|(first, last)| {
            steps[*first..=*last].iter().any(|step| step.does.is_counted())
        });
        let is_inner = |(first, last): &&Loop| {
            !loops
                .iter()
                .any(|(from, to)| (from, to) != (first, last) && from >= first && to <= last)
        };
        let mut all = None;
        loops.iter().filter(is_inner).all(|(first, last)| {
            let set =
                exits(steps, (*first, *last)).fold(0, |all, at| all | self.deciding(steps, at));
            set == 0 || *all.get_or_insert(set) == set
        })
    }

    /// Returns the parameters that decide whether a step is executed, as a bit for each: by the last predicate before it.
    fn deciding(&self, steps: &[Step], at: usize) -> u64 {
        fn within(tried: &Tried, term: &Term) -> u64 {
            let inner = term.parts().iter();
            inner.fold(tried.parameters(term), |all, term| all | within(tried, term))
        }
        let Some((predicate, _)) = steps[at].guard else { return 0 };
        let writes = steps[..at].iter().rev().flat_map(|step| &step.writes);
        let mut terms = writes.filter(|(register, _)| *register == predicate);
        terms.next().map_or(0, |(_, term)| within(self, term))
    }

    /// Returns the values to try, and after how many no others are if nothing is wrong: first those with which parameters
    /// are compared and the next ones, where the usual ones are all smaller or greater.
    pub(super) fn values(&self, steps: &[Step]) -> (Vec<u64>, usize) {
        let mut suggested: Vec<u64> = Vec::new();
        for (_, term) in steps.iter().flat_map(|step| &step.writes) {
            let Some(number) = self.compared(term).filter(|it| *it < GREATEST) else { continue };
            for value in [number, number + 1, number.saturating_sub(1)] {
                let is_new = !USUAL.contains(&value) && !suggested.contains(&value);
                if is_new && suggested.len() < MOST_SUGGESTED {
                    suggested.push(value);
                }
            }
        }
        let first = FIRST + suggested.len();
        let mut values = USUAL[..1].to_vec();
        values.extend(suggested);
        values.extend(&USUAL[1..]);
        (values, first)
    }

    /// Returns the number with which a parameter is compared.
    fn compared(&self, term: &Term) -> Option<u64> {
        let compared = match term {
            Term::Compare(it, ..) => match &**it {
                [Term::Number(number), other] | [other, Term::Number(number)] => {
                    self.has(other).then_some(*number)
                }
                _ => None,
            },
            _ => None,
        };
        compared.or_else(|| term.parts().iter().find_map(|term| self.compared(term)))
    }
}

/// A loop: its first and its last step.
type Loop = (usize, usize);

/// Returns the loops.
fn loops(steps: &[Step]) -> impl Iterator<Item = Loop> {
    steps.iter().enumerate().filter_map(|(at, step)| match step.does {
        Does::Jump(to) if to <= at => Some((to, at)),
        _ => None,
    })
}

/// Returns the steps at which threads leave a loop or go round.
fn exits(steps: &[Step], (first, last): Loop) -> impl Iterator<Item = usize> {
    (first..=last).filter(move |at| match steps[*at].does {
        Does::Jump(to) => *at == last || !(first..=last).contains(&to),
        Does::Ends => true,
        _ => false,
    })
}

/// Returns the numbers in parameters that decide how often threads go round in loops, and are not addresses.
fn counts(steps: &[Step]) -> SortedSet<Part> {
    let mut addresses = Origins::default();
    for location in steps.iter().flat_map(accessed) {
        addresses.note(&location.address, Term::summands);
    }
    addresses.close(steps, Term::summands);
    let mut counts = Origins::default();
    let guards = loops(steps).flat_map(|it| exits(steps, it)).filter_map(|at| steps[at].guard);
    counts.registers.extend(guards.map(|(predicate, _)| predicate));
    counts.close(steps, Term::parts);
    let is_address = |part: &Part| part.2 == BYTES_OF_ADDRESS && addresses.parts.contains(part);
    counts.parts.into_iter().filter(|part| !is_address(part)).collect()
}

/// Returns the places in memory that a step accesses.
fn accessed(step: &Step) -> &[Location] {
    match &step.does {
        Does::Load(it, ..) | Does::Store(it, ..) | Does::Flag(it, ..) => core::slice::from_ref(it),
        Does::Access(all) | Does::Copy { accesses: all, .. } => all,
        _ => &[],
    }
}
