//! The registers and the numbers in parameters from which numbers are made, in all of a body.

use ptx_isa::sorted::SortedSet;

use crate::order::step::{Collective, Does, Step};
use crate::order::term::Term;

/// A number in a parameter: the index of its storage, the first byte, and the number of bytes.
pub(super) type Part = (usize, u64, usize);

/// Returns those of the terms in a term that count.
pub(super) type Inner = fn(&Term) -> &[Term];

/// Registers and numbers in parameters.
#[derive(Debug, Default)]
pub(super) struct Origins {
    pub(super) registers: SortedSet<usize>,
    pub(super) parts: SortedSet<Part>,
}

impl Origins {
    /// Adds those of a term.
    pub(super) fn note(&mut self, term: &Term, inner: Inner) {
        match term {
            Term::Register(register) => {
                self.registers.insert(*register);
            }
            Term::Parameter(storage, from, bytes) => {
                self.parts.insert((*storage, *from, *bytes));
            }
            _ => inner(term).iter().for_each(|term| self.note(term, inner)),
        }
    }

    /// Adds those from which the numbers in these registers are made.
    pub(super) fn close(&mut self, steps: &[Step], inner: Inner) {
        let mut count = 0;
        while core::mem::replace(&mut count, self.registers.len()) != self.registers.len() {
            for step in steps {
                if !step.writes.iter().any(|(to, _)| self.registers.contains(to)) {
                    continue;
                }
                for (to, term) in &step.writes {
                    if self.registers.contains(to) {
                        self.note(term, inner);
                    }
                }
                match &step.does {
                    Does::Warp(_, _, Collective::Shuffle { operands, .. }) => {
                        operands.iter().for_each(|term| self.note(term, inner));
                    }
                    Does::Warp(_, _, Collective::Vote(_, _, term)) => self.note(term, inner),
                    _ => {}
                }
            }
        }
    }
}
