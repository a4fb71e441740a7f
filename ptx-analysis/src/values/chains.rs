//! Chains of tests of what memory holds, as in an unrolled loop that ends at a sentinel.

use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::instruction::Direction;
use ptx_isa::sorted::SortedMap;

use crate::flow::effects::Jump;
use crate::flow::expression::Expression;
use crate::flow::memory::MemoryOperand;
use crate::flow::node::{Node, Referent, Resolved};
use crate::values::proven_by_callee::{instruction, reached};

/// The maximum number of tests that are distinguished.
const MOST_TESTS: usize = 64;

/// How often the instructions are read for what later ones compute.
const MOST_ROUNDS: usize = 4;

/// What decides a value.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
#[allow(clippy::struct_excessive_bools)] // a set of inputs
struct Sources {
    memory: bool,
    parameters: bool,
    launch: bool,
    /// Whether it compares two numbers that inputs decide.
    is_of_two: bool,
}

impl Sources {
    fn and(self, other: Self) -> Self {
        Self {
            memory: self.memory | other.memory,
            parameters: self.parameters | other.parameters,
            launch: self.launch | other.launch,
            is_of_two: self.is_of_two | other.is_of_two,
        }
    }

    /// Whether only inputs decide it.
    fn is_given(self) -> bool {
        (self.memory || self.parameters) && !self.launch
    }

    /// How many tests a test of it counts as: one of a parameter alone asks whether there is anything to do.
    fn weight(self) -> usize {
        match self {
            Self { launch: true, .. } => 0,
            Self { is_of_two: true, .. } => 2,
            Self { memory, .. } => memory.into(),
        }
    }
}

/// Returns whether two tests of loaded numbers, or one of two numbers that inputs decide, have to go a certain way for each
/// node to execute.
pub(crate) fn after_chains(nodes: &[Node<'_>]) -> Vec<bool> {
    let sources = sources(nodes);
    let weight = |resolved: &Resolved<'_>| {
        let guard =
            resolved.effects.guard.as_ref().and_then(|guard| resolved.find(guard.name.text));
        match guard {
            Some(Referent::Register(register)) => {
                sources.get(&register).map_or(0, |sources| sources.weight())
            }
            Some(Referent::Storage(_) | Referent::Other) | None => 0,
        }
    };
    let mut counts: Vec<usize> =
        nodes.iter().map(|node| instruction(node).map_or(0, weight)).collect();
    let is_test = |(at, resolved): &(usize, &Resolved<'_>)| {
        matches!(resolved.effects.jump, Jump::To(_)) && resolved.forwards(*at).is_some()
    };
    let all = nodes.iter().enumerate().filter_map(|(at, node)| Some((at, instruction(node)?)));
    let tests = all.filter(is_test).map(|(at, resolved)| (at, weight(resolved)));
    for (at, weight) in tests.filter(|(_, weight)| *weight > 0).take(MOST_TESTS) {
        let [jumping, going_on] = [true, false].map(|jumps| reached(nodes, (at, jumps)));
        for (count, both) in counts.iter_mut().zip(jumping.into_iter().zip(going_on)) {
            *count += if both.0 == both.1 { 0 } else { weight };
        }
    }
    counts.into_iter().map(|count| count > 1).collect()
}

/// Returns what decides the values of registers.
fn sources(nodes: &[Node<'_>]) -> SortedMap<usize, Sources> {
    let mut sources = SortedMap::<usize, Sources>::new();
    for _ in 0..MOST_ROUNDS {
        let before = sources.clone();
        for resolved in nodes.iter().filter_map(instruction) {
            let made = made_of(resolved, &sources);
            for register in &resolved.written {
                let known = sources.entry(*register).or_default();
                *known = known.and(made);
            }
        }
        if sources == before {
            break;
        }
    }
    sources
}

/// Returns what decides the values that an instruction writes.
fn made_of(resolved: &Resolved<'_>, known: &SortedMap<usize, Sources>) -> Sources {
    let effects = &resolved.effects;
    let is_loaded = |operand: &MemoryOperand<'_>| {
        operand.form.direction != Direction::Taken && operand.form.space != Some(Space::Param)
    };
    if effects.memory.iter().any(is_loaded) {
        return Sources { memory: true, ..Sources::default() };
    }
    let of = |name: &str| match resolved.find(name) {
        Some(Referent::Register(register)) => known.get(&register).copied().unwrap_or_default(),
        Some(Referent::Other) if name.starts_with('%') => {
            Sources { launch: true, ..Sources::default() }
        }
        Some(Referent::Storage(_) | Referent::Other) | None => Sources::default(),
    };
    let mut all = Sources { launch: takes_special(&effects.value), ..Sources::default() };
    effects.value.each_name(&mut |name| all = all.and(of(name.text)));
    match &effects.value {
        Expression::Param(_) => all.parameters = true,
        Expression::Compare(two, ..) => {
            let is_given = |side: &Expression<'_>| match side {
                Expression::Name(name) => of(name.text).is_given(),
                _ => false,
            };
            all.is_of_two |= two.iter().all(is_given);
        }
        _ => {}
    }
    all
}

/// Whether a special register is an operand.
fn takes_special(value: &Expression<'_>) -> bool {
    match value {
        Expression::Special(_) => true,
        Expression::Narrow(one, _) | Expression::Extend(one, ..) => takes_special(one),
        Expression::Add(two, _)
        | Expression::Subtract(two, _)
        | Expression::Multiply(two, _)
        | Expression::ShiftLeft(two, _)
        | Expression::ShiftRight(two, ..)
        | Expression::Remainder(two, ..)
        | Expression::And(two, _)
        | Expression::Or(two, _)
        | Expression::Compare(two, ..) => two.iter().any(takes_special),
        Expression::Operation(_, all, ..) => all.iter().any(takes_special),
        _ => false,
    }
}
