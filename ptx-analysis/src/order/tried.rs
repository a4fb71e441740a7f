//! Numbers that are not known, in parameters and in global memory: the values that they are tried with, and what depends on
//! them.

use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::instruction::Computes;
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::order::joins::Joins;
use crate::order::origins::{Origins, Part};
use crate::order::step::{Collective, Does, Location, Shuffle, Step, Tensor};
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

/// The number of bytes of a number in global memory that runs try.
const BYTES_OF_LOADED: u64 = 4;

/// What depends on numbers that are tried.
#[derive(Debug, Default)]
pub(super) struct Tried {
    /// Those in parameters.
    parts: Vec<Part>,
    /// The steps that load those in global memory.
    loads: Vec<usize>,
    /// Those from which the numbers in registers are computed, as a bit for each.
    registers: SortedMap<usize, u64>,
}

impl Tried {
    /// Finds the numbers that runs try, and what depends on them: those in global memory if it is given where paths meet.
    pub(super) fn of(
        steps: &[Step],
        joins: Option<&Joins>,
        is_tried: impl Fn(Part) -> IsTried,
    ) -> Self {
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
        let loads = joins.map(|joins| loads(steps, joins)).unwrap_or_default();
        let mut tried = Self { parts, loads, registers: SortedMap::new() };
        for (n, at) in tried.loads.clone().into_iter().enumerate() {
            let bit = 1 << ((tried.parts.len() + n) % 64);
            for register in loaded(&steps[at]) {
                tried.note(register, bit);
            }
        }
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

    /// Returns those from which the number in a register is computed, anywhere, as a bit for each.
    pub(super) fn register(&self, register: usize) -> u64 {
        self.registers.get(&register).copied().unwrap_or_default()
    }

    /// Returns those from which a number is computed, anywhere, as a bit for each.
    fn parameters(&self, term: &Term) -> u64 {
        self.bases(term, &|register| self.register(register))
    }

    /// Returns those from which a number is computed, as a bit for each, given those of registers.
    pub(super) fn bases(&self, term: &Term, of: &dyn Fn(usize) -> u64) -> u64 {
        let mut all = 0;
        match term {
            Term::Register(register) => all = of(*register),
            Term::Parameter(storage, from, bytes) => {
                let at = self.parts.binary_search(&(*storage, *from, *bytes));
                all = at.map_or(0, |at| 1 << (at % 64));
            }
            // A stage of a ring.
            Term::And(it, _) | Term::Remainder(it, ..) if matches!(it[1], Term::Number(most) if most <= MOST_STAGES) =>
                {}
            _ => {
                all = term.sources().iter().fold(0, |all, term| all | self.bases(term, of));
            }
        }
        all
    }

    /// Whether runs try a number in a parameter.
    pub(super) fn tries(&self, part: Part) -> bool {
        self.parts.binary_search(&part).is_ok()
    }

    /// Whether runs try the numbers that a step loads.
    pub(super) fn loads(&self, step: usize) -> bool {
        self.loads.binary_search(&step).is_ok()
    }

    /// Whether there is none.
    pub(super) const fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.loads.is_empty()
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

    /// Returns those on which the address of an operand of a step depends anywhere, as a bit for each.
    pub(super) fn base(&self, step: &Step, operand: u8) -> u64 {
        self.bases_of(step, operand, &|register| self.register(register))
    }

    /// Returns those on which the address of an operand of a step depends, as a bit for each, given those of registers.
    pub(super) fn bases_of(&self, step: &Step, operand: u8, of: &dyn Fn(usize) -> u64) -> u64 {
        let union = |all: &[Term]| all.iter().fold(0, |mask, term| mask | self.bases(term, of));
        match &step.does {
            Does::Multiply(all) => return union(all),
            Does::Tensor(Tensor::Multiply((to, from), all, _)) => {
                let from = from.as_ref().map_or(0, |from| self.bases(from, of));
                return union(all) | self.bases(to, of) | from;
            }
            Does::Tensor(Tensor::Load(at, ..) | Tensor::Store(at, _) | Tensor::Free(at, _)) => {
                return self.bases(at, of);
            }
            _ => {}
        }
        let all = accessed(step);
        let it = all.iter().find(|it| it.operand == operand).or(all.first());
        it.map_or(0, |it| self.bases(&it.address, of))
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

/// Returns the registers into which a step loads numbers of global memory that runs may try.
fn loaded(step: &Step) -> impl Iterator<Item = usize> {
    let to = match &step.does {
        Does::Load(location, to, bytes, _)
            if *bytes == BYTES_OF_LOADED
                && matches!(location.space, Some(Space::Global) | None) =>
        {
            &to[..]
        }
        _ => &[],
    };
    to.iter().flatten().copied()
}

/// Returns the steps that load numbers from global memory, the same for all threads of a warp, that decide where those go,
/// as far as it has to be known.
fn loads(steps: &[Step], joins: &Joins) -> Vec<usize> {
    let mut found: Vec<usize> =
        (0..steps.len()).filter(|at| loaded(&steps[*at]).next().is_some()).collect();
    if !found.is_empty() {
        let varying = varying(steps);
        found.retain(|at| accessed(&steps[*at]).iter().all(|it| !varies(&varying, &it.address)));
    }
    if found.is_empty() {
        return found;
    }
    let mut deciding = Origins::default();
    for (at, step) in steps.iter().enumerate() {
        let jumps = matches!(step.does, Does::Jump(_) | Does::Ends);
        if let Some((predicate, _)) = step.guard.filter(|_| jumps)
            && joins.between(steps, at).is_none()
        {
            deciding.registers.insert(predicate);
        }
    }
    deciding.close(steps, Term::parts);
    found.retain(|at| loaded(&steps[*at]).any(|register| deciding.registers.contains(&register)));
    found
}

/// Returns the registers whose numbers may not be the same for all threads of a warp.
fn varying(steps: &[Step]) -> SortedSet<usize> {
    let mut all = SortedSet::new();
    let mut count = None;
    while count.replace(all.len()) != Some(all.len()) {
        for step in steps {
            let is_same = match &step.does {
                Does::Nothing => None,
                Does::Load(location, ..) => Some(!varies(&all, &location.address)),
                // All of them have the number of one.
                Does::Warp(_, _, Collective::Shuffle { how, operands, .. }) => {
                    Some(*how == Shuffle::Index && !varies(&all, &operands[1]))
                }
                _ => Some(false),
            };
            for (register, term) in &step.writes {
                if is_same.map_or_else(|| varies(&all, term), |is_same| !is_same) {
                    all.insert(*register);
                }
            }
        }
    }
    all
}

/// Whether a number may not be the same for all threads of a warp.
fn varies(varying: &SortedSet<usize>, term: &Term) -> bool {
    match term {
        Term::Register(register) => varying.contains(register),
        Term::Unknown => true,
        _ => term.is_of_lane() || term.parts().iter().any(|term| varies(varying, term)),
    }
}

/// Returns the places in memory that a step accesses.
fn accessed(step: &Step) -> &[Location] {
    match &step.does {
        Does::Load(it, ..) | Does::Store(it, ..) | Does::Flag(it, ..) => core::slice::from_ref(it),
        Does::Access(all) | Does::Copy { accesses: all, .. } => all,
        _ => &[],
    }
}
