//! Where the addresses in registers come from: what is known of each register before each
//! instruction, whichever way control came there.

use std::collections::HashMap;
use std::rc::Rc;

use super::evaluate::evaluate;
use super::fact::{Fact, Linear};
use super::step::{Jump, Step};
use super::storage::Storage;

/// What a name in an operand stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Referent {
    /// A register, by its number.
    Register(usize),
    /// Storage, by its index.
    Storage(usize),
    /// Something else.
    Other,
}

/// An instruction with the meanings of its names.
#[derive(Debug)]
pub(super) struct Resolved<'b> {
    pub(super) step: &'b Step,
    pub(super) names: Vec<(&'b str, Referent)>,
    /// The allowances that stand on it.
    pub(super) allowed: Vec<usize>,
}

impl Resolved<'_> {
    pub(super) fn find(&self, name: &str) -> Option<Referent> {
        self.names.iter().find(|(other, _)| *other == name).map(|(_, referent)| *referent)
    }
}

/// What stands in a body, in order.
#[derive(Debug)]
pub(super) enum Line<'b> {
    Label(&'b str),
    Step(Resolved<'b>),
}

/// What is known of each register, by its number; nothing of what was not written.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Facts(Vec<Option<Rc<Fact>>>);

impl Facts {
    pub(super) fn get(&self, register: usize) -> Option<&Rc<Fact>> {
        self.0.get(register)?.as_ref()
    }

    pub(super) fn set(&mut self, register: usize, fact: Rc<Fact>) {
        if self.0.len() <= register {
            self.0.resize(register + 1, None);
        }
        self.0[register] = Some(fact);
    }
}

/// How often a block is looked at before what still changes is given up.
const PATIENCE: usize = 6;

/// What is known before the first line, and at each label that a way leads to.
pub(super) fn follow(
    lines: &[Line<'_>],
    storages: &[Storage<'_>],
    start: Facts,
) -> Vec<Option<Facts>> {
    let mut labels: HashMap<&str, Vec<usize>> = HashMap::new();
    for (i, line) in lines.iter().enumerate() {
        if let Line::Label(name) = line {
            labels.entry(name).or_default().push(i);
        }
    }
    let mut before: Vec<Option<Facts>> = vec![None; lines.len()];
    let mut visits = vec![0_usize; lines.len()];
    let mut open = vec![(0, start)];
    while let Some((mut at, mut facts)) = open.pop() {
        while let Some(line) = lines.get(at) {
            if at == 0 || matches!(line, Line::Label(_)) {
                if let Some(known) = &before[at] {
                    facts = merge(known, &facts, visits[at] >= PATIENCE);
                    if *known == facts {
                        break;
                    }
                }
                visits[at] += 1;
                before[at] = Some(facts.clone());
            }
            if let Line::Step(resolved) = line {
                let step = resolved.step;
                advance(resolved, storages, &mut facts);
                match &step.jump {
                    Jump::On | Jump::Ends => {}
                    Jump::To(name) => {
                        let targets = labels.get(name.text.as_str()).into_iter().flatten();
                        open.extend(targets.map(|target| (*target, facts.clone())));
                    }
                    Jump::Anywhere => {
                        let all = labels.values().flatten();
                        open.extend(all.map(|target| (*target, facts.clone())));
                    }
                }
                if ends(step) {
                    break;
                }
            }
            at += 1;
        }
    }
    before
}

/// Whether control never goes on to the next line.
pub(super) fn ends(step: &Step) -> bool {
    step.guard.is_none() && !matches!(step.jump, Jump::On)
}

/// What is known where two ways meet.
fn merge(known: &Facts, other: &Facts, is_hopeless: bool) -> Facts {
    let mut merged = known.clone();
    for (register, fact) in other.0.iter().enumerate() {
        let Some(fact) = fact else { continue };
        let both = match merged.get(register) {
            // One way does not write it: there it holds nothing.
            None => Rc::clone(fact),
            Some(mine) if Rc::ptr_eq(mine, fact) || mine == fact => continue,
            Some(mine) => {
                let both = mine.or(fact);
                Rc::new(match both {
                    both if !is_hopeless || both == **mine => both,
                    Fact::Number(_) => Fact::unknown(),
                    Fact::Address(address) => Fact::Address(address.plus(&Linear::unknown())),
                    Fact::Descriptor(..) | Fact::Anything => Fact::Anything,
                })
            }
        };
        merged.set(register, both);
    }
    merged
}

/// What an instruction changes.
pub(super) fn advance(resolved: &Resolved<'_>, storages: &[Storage<'_>], facts: &mut Facts) {
    let step = resolved.step;
    if step.writes.is_empty() {
        return;
    }
    let value = evaluate(&step.value, resolved, storages, facts);
    let value = match value {
        value if step.writes.len() == 1 => value,
        Fact::Number(_) => Fact::unknown(),
        Fact::Address(_) | Fact::Descriptor(..) | Fact::Anything => Fact::Anything,
    };
    let value = Rc::new(value);
    for name in &step.writes {
        let Some(Referent::Register(register)) = resolved.find(&name.text) else { continue };
        let written = match (&step.guard, facts.get(register)) {
            (Some(_), Some(old)) => Rc::new(old.or(&value)),
            (Some(_) | None, _) => Rc::clone(&value),
        };
        facts.set(register, written);
    }
}

#[cfg(test)]
mod tests;
