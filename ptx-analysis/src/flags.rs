//! Facts that the host may have proven about an address and passes as a flag, as in `if (aligned) { .. } else { .. }`.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use ptx_types::Space;
use ptx_types::instruction::Direction;
use ptx_types::ir::body::Amount;
use ptx_types::rules::Comparison;

use crate::asked::{instruction, reached};
use crate::effects::Jump;
use crate::expression::Expression;
use crate::node::{Node, Referent, Resolved};

/// The maximum number of tests of flags that are distinguished.
const MOST_TESTS: usize = 16;

/// The greatest size of a flag in bytes; others are addresses.
const MOST_BYTES: usize = 4;

/// The nodes that control reaches only with one value of a flag, where code for the other value accesses memory too: a
/// test that only leaves the kernel chooses nothing.
#[derive(Debug, Default)]
pub(crate) struct Flagged(Vec<bool>);

impl Flagged {
    pub(crate) fn of(nodes: &[Node<'_>]) -> Self {
        let flags = Flags::of(nodes);
        let is_test = |node: &Node<'_>| {
            let resolved = instruction(node)?;
            let Jump::To(_) = resolved.effects.jump else { return None };
            let guard = resolved.find(resolved.effects.guard.as_ref()?.name.text);
            matches!(guard, Some(Referent::Register(guard)) if flags.tests.contains(&guard))
                .then_some(())
        };
        let all = nodes.iter().enumerate().filter(|(_, node)| is_test(node).is_some());
        let tests: Vec<usize> = all.map(|(at, _)| at).collect();
        if tests.len() > MOST_TESTS {
            return Self(vec![true; nodes.len()]);
        }
        let mut flagged = vec![false; if flags.tests.is_empty() { 0 } else { nodes.len() }];
        for at in tests {
            let without = [true, false].map(|jumps| reached(nodes, (at, jumps)));
            let accesses = |(node, is_reached): (&Node<'_>, &bool)| {
                !is_reached && instruction(node).is_some_and(accesses_memory)
            };
            if without.iter().all(|reached| nodes.iter().zip(reached).any(accesses)) {
                for (known, both) in flagged.iter_mut().zip(without[0].iter().zip(&without[1])) {
                    *known |= both.0 != both.1;
                }
            }
        }
        flags.note_predicated(nodes, &mut flagged);
        Self(flagged)
    }

    /// Whether the value of a flag decides that control gets to the node.
    pub(crate) fn decides(&self, at: usize) -> bool {
        self.0.get(at) == Some(&true)
    }
}

/// Whether it loads a number that may be a flag from memory that the host writes.
fn is_small_load(resolved: &Resolved<'_>) -> bool {
    resolved.effects.memory.iter().any(|operand| {
        operand.form.direction == Direction::Read
            && matches!(operand.form.space, Some(Space::Global | Space::Const))
            && operand.bytes.known().is_some_and(|bytes| bytes <= MOST_BYTES as i128)
    })
}

fn accesses_memory(resolved: &Resolved<'_>) -> bool {
    resolved.effects.memory.iter().any(|operand| operand.form.space != Some(Space::Param))
}

/// The registers that hold a parameter or a loaded number, or some of its bits, and those that compare one with a number or another.
#[derive(Debug, Default)]
struct Flags {
    parameters: BTreeSet<usize>,
    tests: BTreeSet<usize>,
}

impl Flags {
    fn of(nodes: &[Node<'_>]) -> Self {
        let mut flags = Self::default();
        // What an instruction computes stands after its operands, but for loops, which compute no flags.
        for resolved in nodes.iter().filter_map(instruction) {
            let value = &resolved.effects.value;
            if flags.is_parameter(value, resolved) || is_small_load(resolved) {
                flags.parameters.extend(&resolved.written);
            } else if flags.is_test(value, resolved) {
                flags.tests.extend(&resolved.written);
            }
        }
        flags
    }

    fn is_parameter(&self, value: &Expression<'_>, resolved: &Resolved<'_>) -> bool {
        match value {
            Expression::Param(loaded) => loaded.2 <= MOST_BYTES,
            Expression::Name(name) => is_in(&self.parameters, resolved, name.text),
            Expression::Narrow(of, _) | Expression::Extend(of, ..) => {
                self.is_parameter(of, resolved)
            }
            Expression::And(two, _) => {
                self.is_parameter(&two[0], resolved) && matches!(two[1], Expression::Amount(_))
            }
            Expression::Select(two, third) => {
                two.iter().all(|of| matches!(of, Expression::Amount(_)))
                    && self.is_test(third, resolved)
            }
            _ => false,
        }
    }

    /// Notes the accesses with a test as their guard, where others have its negation.
    fn note_predicated(&self, nodes: &[Node<'_>], flagged: &mut [bool]) {
        let guard = |node: &Node<'_>| {
            let resolved = instruction(node).filter(|it| accesses_memory(it))?;
            let guard = resolved.effects.guard.as_ref()?;
            match resolved.find(guard.name.text)? {
                Referent::Register(register) if self.tests.contains(&register) => {
                    Some((register, guard.is_negated))
                }
                Referent::Register(_) | Referent::Storage(_) | Referent::Other => None,
            }
        };
        let guards: BTreeSet<(usize, bool)> = nodes.iter().filter_map(guard).collect();
        for (known, node) in flagged.iter_mut().zip(nodes) {
            *known |= guard(node)
                .is_some_and(|(register, is_negated)| guards.contains(&(register, !is_negated)));
        }
    }

    fn is_test(&self, value: &Expression<'_>, resolved: &Resolved<'_>) -> bool {
        match value {
            Expression::Compare(two, comparison, ..) => {
                let is_flag = |of| self.is_parameter(of, resolved);
                let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
                // An order beside other numbers is one of a number of elements.
                is_flag(&two[0])
                    && match &two[1] {
                        Expression::Amount(Amount::Known(0 | 1)) => true,
                        Expression::Amount(_) => is_equality,
                        other => is_equality && is_flag(other),
                    }
            }
            Expression::Name(name) => is_in(&self.tests, resolved, name.text),
            Expression::Not(of) => self.is_test(of, resolved),
            Expression::And(two, _) | Expression::Or(two, _) => {
                two.iter().any(|of| self.is_test(of, resolved))
            }
            _ => false,
        }
    }
}

fn is_in(registers: &BTreeSet<usize>, resolved: &Resolved<'_>, name: &str) -> bool {
    matches!(resolved.find(name), Some(Referent::Register(register)) if registers.contains(&register))
}
