//! Facts that the host may have proven about an address and passes as a flag, as in `if (aligned) { .. } else { .. }`.

use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::instruction::Direction;
use ptx_isa::ir::body::Amount;
use ptx_isa::rules::Comparison;
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::flow::effects::Jump;
use crate::flow::expression::Expression;
use crate::flow::node::{Node, Referent, Resolved};
use crate::values::proven_by_callee::{instruction, reached};

/// The maximum number of tests of flags that are distinguished.
const MOST_TESTS: usize = 16;

/// The greatest size of a flag in bytes; others are addresses.
const MOST_BYTES: usize = 4;

/// The nodes that control reaches only with one value of a flag: of a single bit, or where code for the other value
/// accesses memory too. A test of a number that only leaves the kernel chooses nothing.
#[derive(Debug, Default)]
pub(crate) struct Flagged(Vec<bool>);

impl Flagged {
    pub(crate) fn of(nodes: &[Node<'_>]) -> Self {
        let flags = Flags::of(nodes);
        let test = |(at, node): (usize, &Node<'_>)| {
            let resolved = instruction(node)?;
            let (Jump::To(_) | Jump::Ends) = resolved.effects.jump else { return None };
            let guard = resolved.effects.guard.as_ref()?;
            Some((at, find(&flags.tests, resolved, guard.name.text)?))
        };
        let tests: Vec<(usize, Flag)> = nodes.iter().enumerate().filter_map(test).collect();
        if tests.len() > MOST_TESTS {
            return Self(vec![true; nodes.len()]);
        }
        let mut flagged = vec![false; if flags.tests.is_empty() { 0 } else { nodes.len() }];
        for (at, flag) in tests {
            let without = [true, false].map(|jumps| reached(nodes, (at, jumps)));
            let accesses = |(node, is_reached): (&Node<'_>, &bool)| {
                !is_reached && instruction(node).is_some_and(accesses_memory)
            };
            let chooses = |reached: &Vec<bool>| nodes.iter().zip(reached).any(accesses);
            if flag == Flag::Bit || without.iter().all(chooses) {
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

/// A parameter or a loaded number, or some of its bits; the later ones say more about a choice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Flag {
    /// More bytes than a flag has, such as an address.
    Wide,
    /// A number, which may be one of elements.
    Number,
    /// A byte or a bit.
    Bit,
}

impl Flag {
    const fn of(bytes: usize) -> Self {
        match bytes {
            1 => Self::Bit,
            2..=MOST_BYTES => Self::Number,
            _ => Self::Wide,
        }
    }
}

/// The flag that it loads from memory that the host writes.
fn loaded(resolved: &Resolved<'_>) -> Option<Flag> {
    resolved.effects.memory.iter().find_map(|operand| {
        let is_read = operand.form.direction == Direction::Read
            && matches!(operand.form.space, Some(Space::Global | Space::Const));
        let flag = Flag::of(usize::try_from(operand.bytes.known()?).ok()?);
        (is_read && flag > Flag::Wide).then_some(flag)
    })
}

fn accesses_memory(resolved: &Resolved<'_>) -> bool {
    resolved.effects.memory.iter().any(|operand| operand.form.space != Some(Space::Param))
}

/// The registers that hold a parameter or a loaded number, or some of its bits, and those that compare one with a number or another.
#[derive(Debug, Default)]
struct Flags {
    parameters: SortedMap<usize, Flag>,
    tests: SortedMap<usize, Flag>,
}

impl Flags {
    fn of(nodes: &[Node<'_>]) -> Self {
        let mut flags = Self::default();
        // What an instruction computes stands after its operands, but for loops, which compute no flags.
        for resolved in nodes.iter().filter_map(instruction) {
            let value = &resolved.effects.value;
            let note = |flag: Flag| resolved.written.iter().map(move |written| (*written, flag));
            if let Some(flag) = flags.parameter(value, resolved).or_else(|| loaded(resolved)) {
                flags.parameters.extend(note(flag));
            } else if let Some(flag) = flags.test(value, resolved) {
                flags.tests.extend(note(flag));
            }
        }
        flags
    }

    fn parameter(&self, value: &Expression<'_>, resolved: &Resolved<'_>) -> Option<Flag> {
        match value {
            Expression::Param(loaded) => Some(Flag::of(loaded.2)),
            Expression::Name(name) => find(&self.parameters, resolved, name.text),
            Expression::Narrow(of, _) | Expression::Extend(of, ..) => self.parameter(of, resolved),
            Expression::And(two, _) => {
                let of = self.parameter(&two[0], resolved)?;
                match &two[1] {
                    // The other masks of an address test its alignment.
                    Expression::Amount(Amount::Known(mask)) if mask.count_ones() == 1 => {
                        Some(Flag::Bit)
                    }
                    Expression::Amount(_) => Some(of),
                    _ => None,
                }
            }
            Expression::Select(two, third) => {
                let test = self.test(third, resolved)?;
                two.iter().all(|of| matches!(of, Expression::Amount(_))).then_some(test)
            }
            _ => None,
        }
    }

    /// Notes the accesses with a test as their guard, where others have its negation.
    fn note_predicated(&self, nodes: &[Node<'_>], flagged: &mut [bool]) {
        let guard = |node: &Node<'_>| {
            let resolved = instruction(node).filter(|it| accesses_memory(it))?;
            let guard = resolved.effects.guard.as_ref()?;
            match resolved.find(guard.name.text)? {
                Referent::Register(register) if self.tests.contains_key(&register) => {
                    Some((register, guard.is_negated))
                }
                Referent::Register(_) | Referent::Storage(_) | Referent::Other => None,
            }
        };
        let guards: SortedSet<(usize, bool)> = nodes.iter().filter_map(guard).collect();
        for (known, node) in flagged.iter_mut().zip(nodes) {
            *known |= guard(node)
                .is_some_and(|(register, is_negated)| guards.contains(&(register, !is_negated)));
        }
    }

    fn test(&self, value: &Expression<'_>, resolved: &Resolved<'_>) -> Option<Flag> {
        match value {
            Expression::Compare(two, comparison, ..) => {
                let flag = |of| self.parameter(of, resolved).filter(|flag| *flag > Flag::Wide);
                let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
                let first = flag(&two[0])?;
                // An order beside other numbers is one of a number of elements.
                match &two[1] {
                    Expression::Amount(Amount::Known(0 | 1)) => Some(first),
                    Expression::Amount(_) => is_equality.then_some(first),
                    other => flag(other).filter(|_| is_equality).map(|other| first.min(other)),
                }
            }
            Expression::Name(name) => find(&self.tests, resolved, name.text),
            Expression::Not(of) => self.test(of, resolved),
            Expression::And(two, _) | Expression::Or(two, _) => {
                two.iter().filter_map(|of| self.test(of, resolved)).max()
            }
            _ => None,
        }
    }
}

fn find(flags: &SortedMap<usize, Flag>, resolved: &Resolved<'_>, name: &str) -> Option<Flag> {
    match resolved.find(name)? {
        Referent::Register(register) => flags.get(&register).copied(),
        Referent::Storage(_) | Referent::Other => None,
    }
}
