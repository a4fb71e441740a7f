//! Programs, launches and the records of executions.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::ir::body::Body;

use super::decode::{Action, Node, decode};

/// Executable functions; a launch starts the first.
pub struct Program<'a> {
    pub(super) functions: Vec<Code<'a>>,
}

/// The definition of a function: its name, the names of its return values and parameters, and its body.
pub struct Definition<'a> {
    pub name: &'a str,
    pub returns: &'a [&'a str],
    pub params: &'a [&'a str],
    pub body: Body<'a>,
}

/// An executable function.
pub(super) struct Code<'a> {
    pub(super) name: &'a str,
    pub(super) returns: &'a [&'a str],
    pub(super) params: &'a [&'a str],
    pub(super) nodes: Vec<Node<'a>>,
    /// The names of the registers, by index.
    pub(super) registers: Vec<&'a str>,
    /// The labels that are targets of backward jumps, each with the last of those jumps.
    pub(super) loops: Vec<(usize, usize)>,
}

/// The parts of a launch that its threads share.
pub struct Launch<'l> {
    /// The extents of a block.
    pub block: [u32; 3],
    /// The extents of the grid.
    pub grid: [u32; 3],
    /// The number of blocks of a cluster along the first dimension; it is one along the others.
    pub cluster: u32,
    /// The addresses of storage.
    pub symbols: &'l BTreeMap<&'l str, u64>,
    /// The offset between an address in a state space and the generic one.
    pub window: &'l dyn Fn(Space) -> u64,
    /// Provides the results of loads.
    pub load: &'l dyn Fn(Load) -> u64,
    /// Handles stores.
    pub store: &'l dyn Fn(Store),
    /// The maximum number of statements that a thread may execute.
    pub steps: usize,
}

impl Launch<'_> {
    /// Creates a launch of one block without a cluster, for a program that names no storage and loads nothing.
    pub const fn of_block(block: [u32; 3]) -> Self {
        const NOWHERE: &BTreeMap<&str, u64> = &BTreeMap::new();
        Self {
            block,
            grid: [1; 3],
            cluster: 1,
            symbols: NOWHERE,
            window: &|_| 0,
            load: &|_| 0,
            store: &|_| {},
            steps: 100_000,
        }
    }
}

/// A thread of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thread {
    /// Its index in its block.
    pub number: [u32; 3],
    /// The index of the block.
    pub block: [u32; 3],
}

/// A load.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    pub thread: Thread,
    /// The number of statements executed before.
    pub step: usize,
    pub address: u64,
    pub bytes: u32,
}

/// A store.
#[derive(Clone, Copy, Debug)]
pub struct Store {
    pub thread: Thread,
    pub address: u64,
    pub bytes: u32,
    pub value: u64,
}

/// The labels of the enclosing loops, and how often control reached each since it entered the loop.
pub(crate) type Rounds = Vec<(usize, i128)>;

/// A place in a program: the index of the function, and the index of the node among its labels and
/// instructions.
pub type At = (usize, usize);

/// A memory operand of an executed statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    pub at: At,
    /// Its index among the operands in brackets.
    pub operand: usize,
    pub thread: Thread,
    pub address: u64,
    /// The window offset of another block of the cluster in its address.
    pub window: u64,
    /// The width of the address.
    pub width: u32,
    /// The number of bytes.
    pub bytes: u32,
    pub rounds: Rounds,
}

/// A block of the cluster that an executed statement named.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedBlock {
    pub at: At,
    pub thread: Thread,
    pub rank: u64,
    pub rounds: Rounds,
}

/// The way that a thread ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It returned from the body, or exited.
    Done,
    /// It exceeded the step limit.
    Limit,
    /// Its control flow depended on an unwritten register.
    Undefined,
    /// The statement at this place is not modelled.
    Unknown(At),
}

/// The position of a thread: before this node.
pub struct Moment<'m> {
    pub at: At,
    pub registers: &'m [Option<u64>],
}

/// The record of a thread's execution.
pub struct Execution {
    pub accesses: Vec<Access>,
    pub named: Vec<NamedBlock>,
    /// The final contents of the first function's registers.
    pub registers: Vec<Option<u64>>,
    pub end: End,
}

impl<'a> Program<'a> {
    /// Decodes a body with these constants.
    pub fn of(body: &Body<'a>, constants: &[Option<i128>]) -> Self {
        let definition = Definition { name: "", returns: &[], params: &[], body: *body };
        Self { functions: Vec::from([Code::of(&definition, constants)]) }
    }

    /// Decodes several functions.
    pub fn of_functions(functions: &[Definition<'a>]) -> Self {
        Self { functions: functions.iter().map(|function| Code::of(function, &[])).collect() }
    }

    /// Returns the names of the registers of a function, by index.
    pub fn registers(&self, function: usize) -> &[&'a str] {
        &self.functions[function].registers
    }

    /// Returns the number of labels and instructions in a function.
    pub fn len(&self, function: usize) -> usize {
        self.functions[function].nodes.len()
    }
}

impl<'a> Code<'a> {
    fn of(definition: &Definition<'a>, constants: &[Option<i128>]) -> Self {
        let Definition { name, returns, params, body } = *definition;
        let (nodes, registers) = decode(&body, constants);
        let mut loops: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, node) in nodes.iter().enumerate() {
            if let Action::Branch(target) = node.action
                && target <= at
            {
                loops.insert(target, at);
            }
        }
        Self { name, returns, params, nodes, registers, loops: loops.into_iter().collect() }
    }
}
