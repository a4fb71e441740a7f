//! Where the addresses in registers come from: what is known of each register before each
//! instruction, whichever way control came there.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::claim::{Claim, Claims};
use super::evaluate::evaluate;
use super::fact::{Fact, Linear};
use super::launch::Block;
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
    /// The extents of a block.
    pub(super) block: Block,
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

/// What is known wherever control gets to a place.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Facts {
    /// What each register holds, by its number; nothing of what was not written.
    registers: Vec<Option<Rc<Fact>>>,
    /// What tests have proven.
    pub(super) claims: Vec<Rc<Claim>>,
}

impl Facts {
    pub(super) fn get(&self, register: usize) -> Option<&Rc<Fact>> {
        self.registers.get(register)?.as_ref()
    }

    pub(super) fn set(&mut self, register: usize, fact: Rc<Fact>) {
        if self.registers.len() <= register {
            self.registers.resize(register + 1, None);
        }
        self.registers[register] = Some(fact);
    }

    /// What follows from the guard of an instruction that runs, or does not; `None` if it never comes
    /// to that.
    fn follows(&self, resolved: &Resolved<'_>, runs: bool) -> Claims {
        let Some((name, is_negated)) = &resolved.step.guard else {
            return runs.then(Vec::new);
        };
        let truth = match resolved.find(&name.text) {
            Some(Referent::Register(register)) => self.get(register).and_then(|fact| fact.truth()),
            Some(Referent::Storage(_) | Referent::Other) | None => None,
        };
        truth.map_or_else(|| Some(Vec::new()), |truth| truth.claims(runs == *is_negated).clone())
    }

    /// What is known where an instruction runs; `None` if it never does.
    pub(super) fn where_it_runs(&self, resolved: &Resolved<'_>) -> Option<Cow<'_, Self>> {
        let claims = self.follows(resolved, true)?;
        if claims.is_empty() {
            return Some(Cow::Borrowed(self));
        }
        Some(Cow::Owned(self.clone().with(claims)))
    }

    /// What is known where these hold, too.
    fn with(mut self, claims: Vec<Rc<Claim>>) -> Self {
        // What was proven last stands last.
        self.claims.retain(|claim| !claims.contains(claim));
        self.claims.extend(claims);
        self
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
    let mut blocks = Blocks {
        before: vec![None; lines.len()],
        visits: vec![0; lines.len()],
        open: BTreeSet::new(),
    };
    if !lines.is_empty() {
        blocks.before[0] = Some(start);
        blocks.open.insert(0);
    }
    // What is known where control may go to any label, and whether the labels know it too.
    let (mut anywhere, mut rounds, mut is_spread) = (None, 0, true);
    let mut at = 0;
    loop {
        let Some((from, mut facts)) = blocks.next(at) else {
            match &anywhere {
                Some(facts) if !is_spread => {
                    labels.values().flatten().for_each(|label| blocks.lead(*label, facts));
                    (is_spread, rounds, at) = (true, rounds + 1, 0);
                    continue;
                }
                Some(_) | None => return blocks.before,
            }
        };
        at = from;
        while let Some(line) = lines.get(at) {
            match line {
                Line::Label(_) if at != from => {
                    blocks.lead(at, &facts);
                    break;
                }
                Line::Label(_) => {}
                Line::Step(resolved) => {
                    match &resolved.step.jump {
                        Jump::On | Jump::Ends => {}
                        Jump::To(name) => {
                            if let Some(facts) = facts.where_it_runs(resolved) {
                                let targets = labels.get(name.text.as_str()).into_iter().flatten();
                                targets.for_each(|target| blocks.lead(*target, &facts));
                            }
                        }
                        Jump::Anywhere => {
                            if let Some(facts) = facts.where_it_runs(resolved) {
                                is_spread &= !meet(&mut anywhere, &facts, rounds >= PATIENCE);
                            }
                        }
                    }
                    match after(resolved, storages, facts) {
                        Some(known) => facts = known,
                        None => break,
                    }
                }
            }
            at += 1;
        }
    }
}

/// What starts at the first line and at each label.
struct Blocks {
    /// What is known before each.
    before: Vec<Option<Facts>>,
    /// How often each was looked at.
    visits: Vec<usize>,
    /// Those to look at because more ways lead there than were known.
    open: BTreeSet<usize>,
}

impl Blocks {
    /// A way leads there, on which this is known.
    fn lead(&mut self, to: usize, facts: &Facts) {
        if meet(&mut self.before[to], facts, self.visits[to] >= PATIENCE) {
            self.open.insert(to);
        }
    }

    /// The next one to look at, from this line on or else from the start.
    fn next(&mut self, from: usize) -> Option<(usize, Facts)> {
        let next = self.open.range(from..).next().or_else(|| self.open.first()).copied()?;
        self.open.remove(&next);
        self.visits[next] += 1;
        Some((next, self.before[next].clone().unwrap_or_default()))
    }
}

/// What is known behind an instruction; `None` if control never goes on to the next line.
pub(super) fn after(
    resolved: &Resolved<'_>,
    storages: &[Storage<'_>],
    mut facts: Facts,
) -> Option<Facts> {
    match resolved.step.jump {
        Jump::On => {
            advance(resolved, storages, &mut facts);
            Some(facts)
        }
        Jump::To(_) | Jump::Anywhere | Jump::Ends => {
            let claims = facts.follows(resolved, false)?;
            Some(facts.with(claims))
        }
    }
}

/// Adds a way to those that meet somewhere; whether that changes what is known there.
fn meet(known: &mut Option<Facts>, other: &Facts, is_hopeless: bool) -> bool {
    let Some(known) = known else {
        *known = Some(other.clone());
        return true;
    };
    let before = known.claims.len();
    known.claims.retain(|claim| other.claims.contains(claim));
    let mut is_changed = known.claims.len() < before;
    for (register, fact) in other.registers.iter().enumerate() {
        let Some(fact) = fact else { continue };
        let both = match known.get(register) {
            // One way does not write it: there it holds nothing.
            None => Rc::clone(fact),
            Some(mine) if Rc::ptr_eq(mine, fact) || mine == fact => continue,
            Some(mine) => match mine.or(fact) {
                both if both == **mine => continue,
                both if !is_hopeless => Rc::new(both),
                Fact::Number(_) | Fact::Truth(_) => Rc::new(Fact::unknown()),
                Fact::Address(address) => Rc::new(Fact::Address(address.plus(&Linear::unknown()))),
                Fact::Descriptor(..) | Fact::LowestBits(_) | Fact::Anything => {
                    Rc::new(Fact::Anything)
                }
            },
        };
        known.set(register, both);
        is_changed = true;
    }
    is_changed
}

/// What an instruction changes.
pub(super) fn advance(resolved: &Resolved<'_>, storages: &[Storage<'_>], facts: &mut Facts) {
    let step = resolved.step;
    if step.writes.is_empty() {
        return;
    }
    if facts.follows(resolved, true).is_none() {
        return;
    }
    let is_sure = facts.follows(resolved, false).is_none();
    let value = evaluate(&step.value, resolved, storages, facts);
    let value = match value {
        value if step.writes.len() == 1 => value,
        Fact::Number(_) | Fact::Truth(_) => Fact::unknown(),
        Fact::Address(_) | Fact::Descriptor(..) | Fact::LowestBits(_) | Fact::Anything => {
            Fact::Anything
        }
    };
    let value = Rc::new(value);
    for name in &step.writes {
        let Some(Referent::Register(register)) = resolved.find(&name.text) else { continue };
        let written = match facts.get(register) {
            Some(old) if !is_sure => Rc::new(old.or(&value)),
            Some(_) | None => Rc::clone(&value),
        };
        facts.set(register, written);
    }
}

#[cfg(test)]
mod tests;
