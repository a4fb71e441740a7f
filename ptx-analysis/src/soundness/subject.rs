//! What the analysis says of a program.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use ptx_types::ir::body::{Body, StatementKind};
use ptx_types::ir::{Extent, Function, FunctionKind, Type, Variable};
use ptx_types::rules::{AddressKind, Environment};
use ptx_types::{ScalarType, Space};

use super::executed::Chance;
use crate::analysis::analyse;
use crate::constants::Constants;
use crate::coordinates::Coordinates;
use crate::doubt::Doubts;
use crate::executions::Entries;
use crate::fixpoint::{Setting, fixpoint};
use crate::interpreter::{Program, REGISTERS};
use crate::launch::Block;
use crate::loops::Loops;
use crate::node::{Node, Referent};
use crate::reach::Reach;
use crate::report::Report;
use crate::resolve::{Resolution, resolve};
use crate::run::{Run, Start};
use crate::state::State;
use crate::symbols::Symbols;
use crate::unit::{Analysis, Declared, Unit};
use crate::walk;

macro_rules! array {
    ($name:literal, $space:ident, $align:literal, $bytes:literal) => {{
        static TYPE: Type<'static> =
            Type::Array(Extent::Known($bytes), &Type::Scalar(ScalarType::B8));
        static VARIABLE: Variable<'static> =
            Variable { align: Some($align), ..Variable::new(Space::$space, $name, &TYPE) };
        &VARIABLE
    }};
}

macro_rules! registers {
    ($name:literal, $ty:ident, $count:literal) => {{
        static TYPE: Type<'static> =
            Type::Family(Extent::Known($count), &Type::Scalar(ScalarType::$ty));
        static VARIABLE: Variable<'static> = Variable::new(Space::Reg, $name, &TYPE);
        &VARIABLE
    }};
}

/// What the programs declare, in order.
fn declared() -> Vec<Declared<'static>> {
    let variables: [&'static Variable<'static>; 8] = [
        array!("A", Shared, 16, 512),
        array!("B", Shared, 4, 128),
        array!("C", Local, 8, 64),
        array!("E", Shared, 16, 1024),
        registers!("%r", B32, 16),
        registers!("%d", B64, 8),
        registers!("%h", B16, 3),
        registers!("%p", Pred, 8),
    ];
    variables.map(|variable| Declared { variable, is_deferred: false }).into()
}

static KERNEL: Function<'static> = Function::new(FunctionKind::Kernel, "f");
static DEVICE: Function<'static> = Function::new(FunctionKind::Device, "f");

/// A program, and what the analysis says of it.
pub(super) struct Subject<'a> {
    pub(super) program: Program<'a>,
    body: Body<'a>,
    block: Block,
    function: &'static Function<'static>,
    declared: Vec<Declared<'static>>,
    symbols: Symbols<'a>,
    resolution: Resolution<'a>,
    /// The names of the storage, by its number.
    pub(super) names: Vec<&'a str>,
    pub(super) coordinates: Coordinates,
    start: State,
}

/// A place that the run says is gone to.
#[derive(Debug)]
pub(super) struct Claimed {
    pub(super) node: usize,
    pub(super) operand: usize,
    pub(super) storage: usize,
    pub(super) reach: Reach,
    /// The label of a loop, if each thread that comes to it does.
    pub(super) within: Option<usize>,
}

impl<'a> Subject<'a> {
    pub(super) fn of(
        (text, table): &'a (String, Vec<u8>),
        block: Block,
        is_device: bool,
    ) -> Result<Self, String> {
        let function = if is_device { &DEVICE } else { &KERNEL };
        let body = Body::new(text, table, &[]);
        let (declared, symbols) = (declared(), Symbols::default());
        let mut report = Report::new(&[]);
        let unit = unit(&symbols, (function, body), &declared, block);
        let resolution = resolve(unit, &mut report);
        let mut resolution = resolution.ok_or("it is verbatim")?;
        if let Some(finding) = report.findings.first() {
            return Err(format!("it is not a program: {finding:?}"));
        }
        let storages = &resolution.memory.storages;
        let names = storages.iter().map(|storage| storage.object().name()).collect();
        let start = walk::start(&mut resolution);
        let coordinates = Coordinates::of(block);
        let program = Program::of(&body, &[]);
        if program.len() != resolution.nodes.len() {
            return Err("other nodes".into());
        }
        Ok(Self {
            program,
            body,
            block,
            function,
            declared,
            symbols,
            resolution,
            names,
            coordinates,
            start,
        })
    }

    pub(super) fn analyse(&self) -> Analysis<'_> {
        analyse(unit(&self.symbols, (self.function, self.body), &self.declared, self.block))
    }

    fn setting(&self) -> Setting<'_, 'a> {
        Setting {
            storages: &self.resolution.memory.storages,
            constants: Constants::NONE,
            coordinates: &self.coordinates,
        }
    }

    /// What is known before each node, as the judge walks.
    pub(super) fn known(&self) -> Vec<Option<State>> {
        let setting = self.setting();
        let nodes = &self.resolution.nodes;
        let before = fixpoint(nodes, setting, self.start.clone());
        let (mut known, mut state) = (Vec::new(), None);
        for (node, before) in nodes.iter().zip(before) {
            let here: Option<State> = before.or(state);
            known.push(here.clone());
            state = match node {
                Node::Label(_) => here,
                Node::Instruction(resolved) => here.and_then(|here| setting.after(resolved, here)),
            };
        }
        known
    }

    /// Of each register of the program its number in the analysis and its width.
    pub(super) fn widths(&self) -> Vec<(Option<usize>, u32)> {
        let number = |name: &str| {
            self.resolution.nodes.iter().find_map(|node| match node {
                Node::Instruction(resolved) => match resolved.find(name)? {
                    Referent::Register(number) => Some(number),
                    Referent::Storage(_) | Referent::Other => None,
                },
                Node::Label(_) => None,
            })
        };
        let width = |name: &str| {
            let kind = REGISTERS.iter().find(|(prefix, ..)| name.starts_with(prefix));
            kind.map_or(64, |(_, ty, _)| match *ty {
                "b16" => 16,
                "b32" => 32,
                "pred" => 1,
                _ => 64,
            })
        };
        self.program.registers().iter().map(|name| (number(name), width(name))).collect()
    }

    /// Where storage lies.
    pub(super) fn storages(&self, chance: Chance) -> Vec<i128> {
        self.names.iter().map(|name| chance.base(name).map_or(0, i128::from)).collect()
    }

    /// Where operands surely go: of threads that every launch has, and of all that come to a loop.
    pub(super) fn reaches(&self) -> Vec<Claimed> {
        let nodes = &self.resolution.nodes;
        let loops = Loops::of(nodes);
        let setting = self.setting();
        let mut wanted = BTreeSet::new();
        for (at, node) in nodes.iter().enumerate() {
            if let Node::Instruction(resolved) = node {
                // An address that is only taken is no access.
                let memory = resolved.effects.memory.iter().enumerate();
                let accesses = memory.filter(|(_, operand)| operand.bracket.is_some());
                wanted.extend(accesses.map(|(n, _)| (at, n)));
            }
        }
        let mut claimed = Vec::new();
        let mut follow = |start: Start, within: Option<usize>| {
            let doubts = Doubts::default();
            let mut run = Run::new(nodes, setting, &loops, (&wanted, &doubts));
            run.from(start);
            for (((node, operand), (storage, is_pointee)), extremes) in run.finish().of {
                // What is taken for an address of another space is none, wherever that leads.
                let is_address = match extremes.located.via {
                    None | Some((_, AddressKind::Own | AddressKind::Generic)) => true,
                    Some((_, AddressKind::In(_) | AddressKind::Unsure)) => false,
                };
                if is_pointee || !is_address {
                    continue;
                }
                let ends = [extremes.least, extremes.most].into_iter().chain(extremes.misaligned);
                claimed.extend(ends.map(|reach| Claimed { node, operand, storage, reach, within }));
            }
        };
        let start = self.start.clone();
        // Nobody knows which threads call a device function: each that does goes there.
        let (coordinates, within) = match self.function.kind {
            FunctionKind::Kernel => (Coordinates::attained(self.block), None),
            FunctionKind::Device => (self.coordinates, Some(0)),
        };
        follow(Start { at: 0, state: start, coordinates, end: None }, within);
        for (label, state) in self.entries(&loops).0 {
            if let (Some(state), Some(end)) = (state, loops.end(label)) {
                let coordinates = self.coordinates;
                follow(Start { at: label, state, coordinates, end: Some(end) }, Some(label));
            }
        }
        claimed
    }

    /// What is known where loops are entered, as the judge finds it out.
    fn entries(&self, loops: &Loops) -> Entries {
        let mut entries = Entries::of(loops);
        let mut behind = None;
        let setting = self.setting();
        for (at, (node, here)) in self.resolution.nodes.iter().zip(self.known()).enumerate() {
            entries.come(at, behind.as_ref());
            behind = match node {
                Node::Label(_) => here,
                Node::Instruction(resolved) => {
                    let state = here.as_ref().and_then(|here| here.where_it_runs(resolved));
                    if let Some(state) = state
                        && let Some(target) = resolved.target.filter(|to| *to > at)
                    {
                        entries.come(target, Some(&state));
                    }
                    here.and_then(|here| setting.after(resolved, here))
                }
            };
        }
        entries
    }

    /// The node that a statement is.
    pub(super) fn node_of(&self, statement: usize) -> usize {
        let is_node = |kind| matches!(kind, StatementKind::Label | StatementKind::Instruction);
        self.body.statements().take(statement).filter(|it| is_node(it.kind())).count()
    }

    /// Where a label stands.
    pub(super) fn node_named(&self, label: &str) -> Option<usize> {
        let is_it = |node: &Node<'_>| matches!(node, Node::Label(name) if *name == label);
        self.resolution.nodes.iter().position(is_it)
    }
}

fn unit<'c, 'a>(
    symbols: &'c Symbols<'a>,
    (function, body): (&'static Function<'static>, Body<'a>),
    declared: &'c [Declared<'a>],
    block: Block,
) -> Unit<'c, 'a> {
    Unit {
        symbols,
        function,
        body,
        declared,
        constants: Constants::NONE,
        environment: Environment::UNKNOWN,
        block,
        cluster: None,
        allowed: &[],
        assumed: &[],
        defers: false,
    }
}
