//! The formats in registers before each node, on every path to it.

use alloc::rc::Rc;
use alloc::vec::Vec;

use super::contents::{Byte, Contents};
use super::step::{Part, Step};
use crate::flow::effort::Effort;
use crate::flow::node::{Node, Resolved};
use crate::flow::solver::{self, Change, Domain, Solver};
use crate::values::registers::Registers;

/// The maximum number of steps per node of the body, and in addition: instructions followed and
/// registers compared at joins.
const MOST_STEPS: (usize, usize) = (64, 1 << 18);

/// The contents of registers; unwritten registers have none.
pub(super) type RegisterFile = Registers<Contents>;

/// Returns the bytes of these parts, given the contents of registers.
pub(super) fn bytes(parts: &[Part], registers: &RegisterFile) -> Vec<Byte> {
    let mut all = Vec::new();
    for part in parts {
        match part {
            Part::Bytes(bytes) => all.extend_from_slice(bytes),
            Part::Integer(bytes) => all.extend((0..*bytes).map(|_| Byte::UNKNOWN)),
            Part::Register(register, first, count) => {
                let contents = registers.get(*register);
                let byte = |n: usize| {
                    contents.and_then(|it| it.0.get(first + n)).copied().unwrap_or(Byte::UNKNOWN)
                };
                all.extend((0..*count).map(byte));
            }
        }
    }
    all
}

/// Applies a node to the contents of registers.
fn transfer(step: Option<&Step<'_>>, resolved: &Resolved<'_>, registers: &mut RegisterFile) {
    let mut results: Vec<(usize, Contents)> = Vec::new();
    if let Some(step) = step {
        for way in &step.from {
            let all = bytes(way, registers);
            let mut first = 0;
            let mut n = 0;
            for (register, count) in &step.to {
                let part = all.get(first..first + count).unwrap_or_default();
                first += count;
                let Some(register) = register else { continue };
                let contents = Contents::of(part);
                match results.get_mut(n) {
                    Some((_, known)) => *known = known.join(&contents),
                    None => results.push((*register, contents)),
                }
                n += 1;
            }
        }
    }
    let is_certain = resolved.effects.guard.is_none();
    for &register in &resolved.written {
        // If a register is written twice, the order is not known.
        let mut of = results.iter().filter(|(other, _)| *other == register);
        let contents = match (of.next(), of.next()) {
            (Some((_, contents)), None) => contents.clone(),
            (_, _) => Contents::UNKNOWN,
        };
        let contents = match registers.get(register) {
            Some(old) if !is_certain => old.join(&contents),
            Some(_) | None => contents,
        };
        if registers.get(register).is_none_or(|old| **old != contents) {
            registers.set(register, Rc::new(contents));
        }
    }
}

/// The effect of each node, for what is followed along the paths of a body.
struct Steps<'f, 'a>(&'f [Option<Step<'a>>]);

impl<'a> Domain<'a> for Steps<'_, 'a> {
    type State = RegisterFile;

    fn jumps(&mut self, _: &Resolved<'a>, registers: &RegisterFile) -> Option<RegisterFile> {
        Some(registers.clone())
    }

    fn after(
        &mut self,
        at: usize,
        resolved: &Resolved<'a>,
        mut registers: RegisterFile,
    ) -> Option<RegisterFile> {
        transfer(self.0.get(at).and_then(Option::as_ref), resolved, &mut registers);
        resolved.continues().then_some(registers)
    }

    fn join(
        &mut self,
        known: &mut RegisterFile,
        path: &RegisterFile,
        _: u8,
        effort: &mut Effort,
    ) -> Change {
        effort.spend(1);
        let is_changed = known.join(path, &mut |mine, other| {
            effort.spend(1);
            let joined = mine.join(other);
            (joined != **mine).then(|| Rc::new(joined))
        });
        if is_changed { Change::Changed } else { Change::None }
    }
}

/// Calls `note` with every instruction that control may reach, and the contents of registers before it, given those at
/// the start; `None` if the budget is exhausted.
pub(super) fn each_reached<'n, 'a>(
    nodes: &'n [Node<'a>],
    steps: &[Option<Step<'a>>],
    start: RegisterFile,
    mut note: impl FnMut(usize, &'n Resolved<'a>, &RegisterFile),
) -> Option<()> {
    let effort = Effort::of(nodes.len(), MOST_STEPS);
    let (before, _, mut steps) = Solver::new(nodes, Steps(steps), start, effort).solve()?;
    solver::each_reached(nodes, &mut steps, before, |at, resolved, registers| {
        note(at, resolved, registers);
    });
    Some(())
}
