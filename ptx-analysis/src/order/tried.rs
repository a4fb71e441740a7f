//! Numbers in parameters that are not known: the values that they are tried with, and what depends on them.

use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::instruction::Computes;
use ptx_isa::sorted::SortedMap;

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

/// What depends on numbers that are tried.
#[derive(Debug, Default)]
pub(super) struct Tried {
    /// Those parameters, or the parts of them: the storage, and the first byte.
    numbers: Vec<(usize, u64)>,
    /// The parameters from which the numbers in registers are computed, as a bit for each.
    registers: SortedMap<usize, u64>,
}

impl Tried {
    /// Finds what depends on such numbers, of which `is_tried` says whether so many bytes of a storage are one.
    pub(super) fn of(steps: &[Step], is_tried: impl Fn(usize, u64, usize) -> bool) -> Self {
        let mut tried = Self::default();
        let mut note = |term: &Term| tried.note_numbers(term, &is_tried);
        for step in steps {
            step.writes.iter().for_each(|(_, term)| note(term));
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

    /// Notes those that a number is computed from.
    fn note_numbers(&mut self, term: &Term, is_tried: &impl Fn(usize, u64, usize) -> bool) {
        match term {
            Term::Parameter(storage, from, bytes) if is_tried(*storage, *from, *bytes) => {
                if !self.numbers.contains(&(*storage, *from)) {
                    self.numbers.push((*storage, *from));
                }
            }
            _ => term.each_part(&mut |term| self.note_numbers(term, is_tried)),
        }
    }

    /// Whether there are any.
    pub(super) const fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Notes that a register holds a number that is computed from these parameters, too, and returns whether that is new.
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
            Term::Parameter(storage, from, _) => {
                let number = self.numbers.iter().position(|it| *it == (*storage, *from));
                all = number.map_or(0, |number| 1 << (number % 64));
            }
            // A stage of a ring.
            Term::And(it, _) | Term::Remainder(it, ..) if matches!(it[1], Term::Number(most) if most <= MOST_STAGES) =>
                {}
            _ => term.each_source(&mut |term| all |= self.parameters(term)),
        }
        all
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
            _ => {
                let mut is_any = false;
                term.each_part(&mut |term| is_any |= self.divides(term));
                is_any
            }
        }
    }

    /// Returns the parameters on which the address of an operand of a step depends, as a bit for each.
    pub(super) fn base(&self, step: &Step, operand: u8) -> u64 {
        let of = |all: &[Location]| {
            let it = all.iter().find(|it| it.operand == operand).or(all.first());
            it.map_or(0, |it| self.parameters(&it.address))
        };
        match &step.does {
            Does::Load(location, ..) | Does::Store(location, ..) | Does::Flag(location, ..) => {
                self.parameters(&location.address)
            }
            Does::Access(all) => of(all),
            Does::Copy { accesses, .. } => of(accesses),
            Does::Multiply(all) | Does::Tensor(Tensor::Multiply(_, all, _)) => {
                all.iter().fold(0, |mask, term| mask | self.parameters(term))
            }
            _ => 0,
        }
    }

    /// Whether the same parameters decide how often threads go round in all innermost loops with arrivals or copies: where
    /// others do, those may be passed so that arrivals fit.
    pub(super) fn is_one_count(&self, steps: &[Step]) -> bool {
        let back = |(at, step): (usize, &Step)| match step.does {
            Does::Jump(to) if to <= at => Some((to, at)),
            _ => None,
        };
        let mut loops: Vec<(usize, usize)> = steps.iter().enumerate().filter_map(back).collect();
        loops.retain(|(first, last)| {
            steps[*first..=*last].iter().any(|step| step.does.is_counted())
        });
        let is_inner = |(first, last): &&(usize, usize)| {
            !loops
                .iter()
                .any(|(from, to)| (from, to) != (first, last) && from >= first && to <= last)
        };
        let leaves = |(first, last): (usize, usize), (at, step): (usize, &Step)| match step.does {
            Does::Jump(to) => at == last || !(first..=last).contains(&to),
            Does::Ends => true,
            _ => false,
        };
        let mut all = None;
        loops.iter().filter(is_inner).all(|(first, last)| {
            let guards = (*first..=*last).filter(|at| leaves((*first, *last), (*at, &steps[*at])));
            let set = guards.fold(0, |all, at| all | self.deciding(steps, at));
            set == 0 || *all.get_or_insert(set) == set
        })
    }

    /// Returns the parameters that decide whether a step is executed, as a bit for each: by the last predicate before it.
    fn deciding(&self, steps: &[Step], at: usize) -> u64 {
        fn within(tried: &Tried, term: &Term) -> u64 {
            let mut all = tried.parameters(term);
            term.each_part(&mut |term| all |= within(tried, term));
            all
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
        compared.or_else(|| {
            let mut found = None;
            let mut inner = |term: &Term| found = found.or_else(|| self.compared(term));
            term.each_part(&mut inner);
            found
        })
    }
}
