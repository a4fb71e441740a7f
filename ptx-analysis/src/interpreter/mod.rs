//! Bodies executed, as PTX ISA says: each thread for itself, with its registers and its flow of control.
//! Loads give numbers that the caller makes up, and stores are noted, and that is all.
//!
//! Tests hold the analysis against it, and it against a GPU; it needs no more than `ptx-types`.

#![allow(dead_code, unused_imports)] // each of both tests needs another part

mod accesses;
mod arithmetic;
mod choices;
mod computations;
mod counted_loops;
mod decode;
mod encode;
mod fields;
mod integer;
pub(crate) mod measured;
mod programs;
mod writer;

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

pub(crate) use choices::{Choices, mixed};
pub(crate) use encode::encode;
pub(crate) use programs::{computing, kernel, wild};
pub(crate) use writer::{ARRAYS, Array, REGISTERS};

use ptx_types::Space;
use ptx_types::ir::body::Body;

use decode::{Action, Node, Source};

/// A body that can be executed.
pub(crate) struct Program<'a> {
    nodes: Vec<Node<'a>>,
    /// The names of the registers, by their numbers.
    registers: Vec<&'a str>,
    /// The labels that there are jumps back to, and where the last one stands of each.
    loops: Vec<(usize, usize)>,
}

/// What the threads of a launch have in common.
pub(crate) struct Launch<'l> {
    /// The threads of a block.
    pub(crate) block: [u32; 3],
    /// The blocks of the grid.
    pub(crate) grid: [u32; 3],
    /// Where storage lies.
    pub(crate) symbols: &'l BTreeMap<&'l str, u64>,
    /// What is added to an address in a state space for a generic one.
    pub(crate) window: &'l dyn Fn(Space) -> u64,
    /// What loads give.
    pub(crate) load: &'l dyn Fn(Load) -> u64,
    /// How many statements a thread may execute.
    pub(crate) steps: usize,
}

/// A thread of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Thread {
    /// Its number in its block.
    pub(crate) number: [u32; 3],
    /// The number of the block.
    pub(crate) block: [u32; 3],
}

/// Something that is loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) thread: Thread,
    /// How many statements came before.
    pub(crate) step: usize,
    pub(crate) address: u64,
    pub(crate) bytes: u32,
}

/// An operand of a statement that was executed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Access {
    /// The number of the node among labels and instructions.
    pub(crate) node: usize,
    /// Which of its operands in brackets.
    pub(crate) operand: usize,
    pub(crate) thread: Thread,
    pub(crate) address: u64,
    /// The bits of the address.
    pub(crate) width: u32,
    /// How many bytes.
    pub(crate) bytes: u32,
    /// The labels of the loops that it is in, and how often control came there since it entered them.
    pub(crate) rounds: Vec<(usize, i128)>,
}

/// How a thread ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// It left the body, or stopped.
    Done,
    /// It took too many steps.
    Limit,
    /// What nobody wrote decided where to go.
    Undefined,
    /// The statement of this node is not modelled.
    Unknown(usize),
}

/// Where a thread is: before this node.
pub(crate) struct Moment<'m> {
    pub(crate) node: usize,
    pub(crate) registers: &'m [Option<u64>],
}

/// What a thread did.
pub(crate) struct Execution {
    pub(crate) accesses: Vec<Access>,
    pub(crate) end: End,
}

impl<'a> Program<'a> {
    /// The program of a body with these constants.
    pub(crate) fn of(body: &Body<'a>, constants: &[Option<i128>]) -> Self {
        let (nodes, registers) = decode::decode(body, constants);
        let mut loops: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, node) in nodes.iter().enumerate() {
            if let Action::Branch(target) = node.action
                && target <= at
            {
                loops.insert(target, at);
            }
        }
        Self { nodes, registers, loops: loops.into_iter().collect() }
    }

    /// The names of the registers, by their numbers.
    pub(crate) fn registers(&self) -> &[&'a str] {
        &self.registers
    }

    /// How many labels and instructions there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Executes it as one thread.
    pub(crate) fn run(
        &self,
        launch: &Launch<'_>,
        thread: Thread,
        mut observe: impl FnMut(Moment<'_>),
    ) -> Execution {
        let mut state = State {
            launch,
            thread,
            registers: vec![None; self.registers.len()],
            step: 0,
            accesses: Vec::new(),
            rounds: vec![0; self.loops.len()],
        };
        let mut at = 0;
        let end = loop {
            let Some(node) = self.nodes.get(at) else { break End::Done };
            if state.step >= launch.steps {
                break End::Limit;
            }
            for (round, (label, end)) in state.rounds.iter_mut().zip(&self.loops) {
                if at == *label {
                    *round += 1;
                } else if at < *label || at > *end {
                    *round = 0;
                }
            }
            observe(Moment { node: at, registers: &state.registers });
            state.step += 1;
            let runs = match node.guard {
                None => true,
                Some((predicate, is_negated)) => match state.registers[predicate] {
                    Some(value) => (value & 1 != 0) != is_negated,
                    None => break End::Undefined,
                },
            };
            at += 1;
            if !runs {
                continue;
            }
            match &node.action {
                Action::Nothing => {}
                Action::Branch(target) => at = *target,
                Action::Ends => break End::Done,
                Action::Unknown => break End::Unknown(at - 1),
                Action::Compute { to, from, operation } => {
                    let values: Option<Vec<u64>> =
                        from.iter().map(|source| state.value(source)).collect();
                    let value = values.map(|values| operation(&values));
                    for to in to {
                        state.registers[to.register] = value.map(|value| to.part(value));
                    }
                }
                Action::Generic { to, from, space, is_to } => {
                    let window = (launch.window)(*space);
                    state.registers[*to] = state.value(from).map(|address| {
                        if *is_to {
                            address.wrapping_sub(window)
                        } else {
                            address.wrapping_add(window)
                        }
                    });
                }
                Action::Access { operands, to, element } => {
                    for (operand, access) in operands.iter().enumerate() {
                        let Some(address) = state.value(&access.address) else { continue };
                        let address = access.width.write(i128::from(address));
                        let inside = |round: &i128| *round > 0;
                        let rounds = self.loops.iter().zip(&state.rounds);
                        let rounds = rounds.filter(|(_, round)| inside(round));
                        let rounds = rounds.map(|((label, _), round)| (*label, *round)).collect();
                        let node = at - 1;
                        let (bytes, width) = (access.bytes, access.width.bits);
                        let access =
                            Access { node, operand, thread, address, width, bytes, rounds };
                        state.accesses.push(access);
                    }
                    let bytes = element.bits / 8;
                    let address = operands.first().and_then(|it| state.value(&it.address));
                    for (to, n) in to.iter().zip(0..) {
                        let loaded = address.map(|address| {
                            let address = address.wrapping_add(n * u64::from(bytes));
                            let load = Load { thread, step: state.step, address, bytes };
                            element.write(i128::from((launch.load)(load)))
                        });
                        if let Some(to) = to {
                            state.registers[*to] = loaded;
                        }
                    }
                }
            }
        };
        Execution { accesses: state.accesses, end }
    }
}

/// What a thread has.
struct State<'s> {
    launch: &'s Launch<'s>,
    thread: Thread,
    registers: Vec<Option<u64>>,
    step: usize,
    accesses: Vec<Access>,
    /// How often control came to the label of each loop since it entered it.
    rounds: Vec<i128>,
}

impl State<'_> {
    fn value(&self, source: &Source<'_>) -> Option<u64> {
        match source {
            Source::Register(register) => self.registers[*register],
            Source::Number(number) => Some(*number),
            Source::Symbol(name) => self.launch.symbols.get(name).copied(),
            Source::Special(name, element) => Some(self.special(name, element).into()),
            Source::Not(inner) => self.value(inner).map(|value| !value & 1),
            Source::Sum(inner, added) => self.value(inner).map(|value| value.wrapping_add(*added)),
        }
    }

    fn special(&self, name: &str, element: &str) -> u32 {
        let Launch { block: threads, grid, .. } = self.launch;
        let Thread { number, block } = self.thread;
        let linear = number[0] + threads[0] * (number[1] + threads[1] * number[2]);
        let dimension = match element {
            "y" => 1,
            "z" => 2,
            _ => 0,
        };
        match name {
            "%tid" => number[dimension],
            "%ntid" => threads[dimension],
            "%ctaid" => block[dimension],
            "%nctaid" => grid[dimension],
            "%laneid" => linear % 32,
            "%warpid" => linear / 32,
            "%nwarpid" => threads.iter().product::<u32>().div_ceil(32),
            "%lanemask_eq" => 1 << (linear % 32),
            "%lanemask_lt" => (1 << (linear % 32)) - 1,
            // Without a cluster that is declared, each block is one.
            "%cluster_nctaid" | "%cluster_nctarank" | "%nclusterid" => 1,
            _ => 0,
        }
    }
}
