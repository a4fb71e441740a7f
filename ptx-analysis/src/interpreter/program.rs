//! What is executed, for whom, and what comes of it.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use ptx_types::Space;
use ptx_types::ir::body::Body;

use super::decode::{Action, Node, decode};

/// Functions that can be executed; a launch starts the first.
pub(crate) struct Program<'a> {
    pub(super) functions: Vec<Code<'a>>,
}

/// A function as it is declared: its name, those of what it returns and takes, and what it does.
pub(crate) struct Definition<'a> {
    pub(crate) name: &'a str,
    pub(crate) returns: &'a [&'a str],
    pub(crate) params: &'a [&'a str],
    pub(crate) body: Body<'a>,
}

/// A function that can be executed.
pub(super) struct Code<'a> {
    pub(super) name: &'a str,
    pub(super) returns: &'a [&'a str],
    pub(super) params: &'a [&'a str],
    pub(super) nodes: Vec<Node<'a>>,
    /// The names of the registers, by their numbers.
    pub(super) registers: Vec<&'a str>,
    /// The labels that there are jumps back to, and where the last one stands of each.
    pub(super) loops: Vec<(usize, usize)>,
}

/// What the threads of a launch have in common.
pub(crate) struct Launch<'l> {
    /// The threads of a block.
    pub(crate) block: [u32; 3],
    /// The blocks of the grid.
    pub(crate) grid: [u32; 3],
    /// The blocks of a cluster along the first dimension; of the others it has one.
    pub(crate) cluster: u32,
    /// Where storage lies.
    pub(crate) symbols: &'l BTreeMap<&'l str, u64>,
    /// What is added to an address in a state space for a generic one.
    pub(crate) window: &'l dyn Fn(Space) -> u64,
    /// What loads give.
    pub(crate) load: &'l dyn Fn(Load) -> u64,
    /// What becomes of stores.
    pub(crate) store: &'l dyn Fn(Store),
    /// How many statements a thread may execute.
    pub(crate) steps: usize,
}

impl Launch<'_> {
    /// A launch of one block without a cluster, of a program that names no storage and loads nothing.
    pub(crate) const fn of_block(block: [u32; 3]) -> Self {
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

/// Something that is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Store {
    pub(crate) thread: Thread,
    pub(crate) address: u64,
    pub(crate) bytes: u32,
    pub(crate) value: u64,
}

/// The labels of the loops that something is in, and how often control came there since it entered them.
pub(crate) type Rounds = Vec<(usize, i128)>;

/// A place in a program: the number of the function, and that of the node among its labels and
/// instructions.
pub(crate) type At = (usize, usize);

/// An operand of a statement that was executed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Access {
    pub(crate) at: At,
    /// Which of its operands in brackets.
    pub(crate) operand: usize,
    pub(crate) thread: Thread,
    pub(crate) address: u64,
    /// What being in another block of the cluster added to it.
    pub(crate) window: u64,
    /// The bits of the address.
    pub(crate) width: u32,
    /// How many bytes.
    pub(crate) bytes: u32,
    pub(crate) rounds: Rounds,
}

/// A block of the cluster that a statement named which was executed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NamedBlock {
    pub(crate) at: At,
    pub(crate) thread: Thread,
    pub(crate) rank: u64,
    pub(crate) rounds: Rounds,
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
    /// The statement there is not modelled.
    Unknown(At),
}

/// Where a thread is: before this node.
pub(crate) struct Moment<'m> {
    pub(crate) at: At,
    pub(crate) registers: &'m [Option<u64>],
}

/// What a thread did.
pub(crate) struct Execution {
    pub(crate) accesses: Vec<Access>,
    pub(crate) named: Vec<NamedBlock>,
    /// What the registers of the first function hold at the end.
    pub(crate) registers: Vec<Option<u64>>,
    pub(crate) end: End,
}

impl<'a> Program<'a> {
    /// The program of a body with these constants.
    pub(crate) fn of(body: &Body<'a>, constants: &[Option<i128>]) -> Self {
        let definition = Definition { name: "", returns: &[], params: &[], body: *body };
        Self { functions: Vec::from([Code::of(&definition, constants)]) }
    }

    /// The program of several functions.
    pub(crate) fn of_functions(functions: &[Definition<'a>]) -> Self {
        Self { functions: functions.iter().map(|function| Code::of(function, &[])).collect() }
    }

    /// The names of the registers of a function, by their numbers.
    pub(crate) fn registers(&self, function: usize) -> &[&'a str] {
        &self.functions[function].registers
    }

    /// How many labels and instructions a function has.
    pub(crate) fn len(&self, function: usize) -> usize {
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
