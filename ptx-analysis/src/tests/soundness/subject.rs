//! The results of the analysis for a function of a program.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use ptx_isa::ir::body::{Body, StatementKind};
use ptx_isa::ir::{Function, FunctionKind};
use ptx_isa::rules::{AddressKind, Environment};
use ptx_isa::sorted::{SortedMap, SortedSet};
use ptx_smith::bodies::REGISTERS;

use super::executed::Chance;
use crate::accesses::executions::Entries;
use crate::accesses::run::{Run, Start};
use crate::check::analysis::analyse;
use crate::check::resolve::{Resolution, resolve};
use crate::check::walk;
use crate::findings::report::BodyReport;
use crate::findings::symbols::Symbols;
use crate::findings::unit::{Analysis, Declared, Unit};
use crate::flow::expression::Expression;
use crate::flow::loops::Loops;
use crate::flow::node::{Node, Referent};
use crate::values::argument::Called;
use crate::values::constants::Constants;
use crate::values::coordinates::Coordinates;
use crate::values::fixpoint::{Setting, fixpoint};
use crate::values::launch::Block;
use crate::values::reach::Reach;
use crate::values::state::State;
use crate::values::uncertain_guard::UncertainGuards;
use crate::values::value::AbstractValue;

/// The declared launch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Promised {
    pub(super) block: Block,
    /// The maximum number of blocks of a cluster, and whether it is exact.
    pub(super) cluster: Option<(u32, bool)>,
}

/// A function of a program, and the results of its analysis.
pub(super) struct Subject<'a> {
    body: Body<'a>,
    promised: Promised,
    function: &'a Function<'a>,
    resolution: Resolution<'a>,
    /// The names of the storage, by index.
    pub(super) names: Vec<&'a str>,
    pub(super) coordinates: Coordinates,
    start: State,
}

/// Registers and their values.
pub(super) type Written = Vec<(usize, AbstractValue)>;

/// A location that the run reports as certainly accessed.
#[derive(Debug)]
pub(super) struct Claimed {
    pub(super) node: usize,
    pub(super) operand: usize,
    pub(super) storage: usize,
    pub(super) reach: Reach,
    /// The label of a loop, if each thread that reaches the loop accesses it.
    pub(super) within: Option<usize>,
}

impl<'a> Subject<'a> {
    pub(super) fn of(
        function: &'a Function<'a>,
        symbols: &Symbols<'a>,
        promised: Promised,
        called: &Called<'a>,
    ) -> Result<(Self, Analysis<'a>), String> {
        let body = function.body.ok_or("it has no body")?;
        let declared = function.locals.iter();
        let declared: Vec<Declared<'a>> =
            declared.map(|variable| Declared { variable, is_deferred: false }).collect();
        let mut report = BodyReport::new(0, &[], usize::MAX);
        let unit = Unit {
            index: 0,
            symbols,
            function,
            body,
            declared: &declared,
            constants: Constants::NONE,
            environment: Environment::UNKNOWN,
            block: promised.block,
            cluster: promised.cluster,
            called,
            is_ptx: false,
            assumed: &[],
            before: None,
            traced: None,
            defers: false,
            is_first: false,
        };
        let analysis = analyse(unit, usize::MAX);
        let resolution = resolve(unit, &mut report);
        let mut resolution = resolution.ok_or("it is verbatim")?;
        if let Some(finding) = report.findings.first() {
            return Err(format!("it is not a program: {finding:?}"));
        }
        let start = walk::start_with(&mut resolution, &called.passed);
        // Arguments may be in more storage than the body names.
        let storages = &resolution.memory.storages;
        let names = storages.iter().map(|storage| storage.object().name()).collect();
        let coordinates = Coordinates::of(promised.block).in_cluster(promised.cluster);
        let subject = Self { body, promised, function, resolution, names, coordinates, start };
        Ok((subject, analysis))
    }

    /// Returns the number of labels and instructions.
    pub(super) fn len(&self) -> usize {
        self.resolution.nodes.len()
    }

    fn setting(&self) -> Setting<'_, 'a> {
        Setting {
            storages: &self.resolution.memory.storages,
            constants: Constants::NONE,
            coordinates: &self.coordinates,
        }
    }

    /// Returns the state before each node, as the rule checks see it.
    pub(super) fn known(&self) -> Vec<Option<State>> {
        let setting = self.setting();
        let nodes = &self.resolution.nodes;
        let before = fixpoint(nodes, setting, &self.start);
        let (mut known, mut state) = (Vec::new(), None);
        for (node, before) in nodes.iter().zip(before) {
            let here: Option<State> = before.map(Rc::unwrap_or_clone).or(state);
            known.push(here.clone());
            state = match node {
                Node::Label(_) | Node::Nothing => here,
                Node::Instruction(resolved) => here.and_then(|here| setting.after(resolved, here)),
            };
        }
        known
    }

    /// Returns the names of registers, by index.
    pub(super) fn registers(&self) -> SortedMap<usize, &'a str> {
        let mut all = SortedMap::new();
        for node in &self.resolution.nodes {
            if let Node::Instruction(resolved) = node {
                resolved.effects.each_name(&mut |name| {
                    if let Some(Referent::Register(number)) = resolved.find(name.text) {
                        all.insert(number, name.text);
                    }
                });
            }
        }
        all
    }

    /// Returns the name of the label at a node.
    pub(super) fn label(&self, node: usize) -> &'a str {
        match self.resolution.nodes.get(node) {
            Some(Node::Label(name)) => name,
            Some(Node::Instruction(_) | Node::Nothing) | None => "?",
        }
    }

    /// Returns, for each instruction that writes registers and each unreachable one, the values of those registers
    /// after it.
    pub(super) fn written(&self) -> Vec<(usize, Option<Written>)> {
        let setting = self.setting();
        let nodes = self.resolution.nodes.iter().zip(self.known()).enumerate();
        let written = nodes.filter_map(|(at, (node, known))| {
            let Node::Instruction(resolved) = node else { return None };
            let Some(known) = known else { return Some((at, None)) };
            let after = setting.after(resolved, known)?;
            let value = |register: &usize| {
                let value = after.get(*register);
                (*register, value.map_or_else(AbstractValue::unknown, |value| (**value).clone()))
            };
            let written: Written = resolved.written.iter().map(value).collect();
            (!written.is_empty()).then_some((at, Some(written)))
        });
        written.collect()
    }

    /// Returns, for each register with these names, its index in the analysis and its width.
    pub(super) fn widths(&self, program: &[&str]) -> Vec<(Option<usize>, u32)> {
        let number = |name: &str| {
            self.resolution.nodes.iter().find_map(|node| match node {
                Node::Instruction(resolved) => match resolved.find(name)? {
                    Referent::Register(number) => Some(number),
                    Referent::Storage(_) | Referent::Other => None,
                },
                Node::Label(_) | Node::Nothing => None,
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
        program.iter().map(|name| (number(name), width(name))).collect()
    }

    /// Returns the addresses of storage.
    pub(super) fn storages(&self, chance: Chance) -> Vec<i128> {
        self.names.iter().map(|name| chance.base(name).map_or(0, i128::from)).collect()
    }

    /// Returns the locations that operands certainly access: for threads of every launch, and all that reach a loop.
    pub(super) fn reaches(&self) -> Vec<Claimed> {
        let nodes = &self.resolution.nodes;
        let loops = Loops::of(nodes);
        let setting = self.setting();
        let mut wanted = SortedSet::new();
        for (at, node) in nodes.iter().enumerate() {
            if let Node::Instruction(resolved) = node {
                // Taking an address is not an access.
                let memory = resolved.effects.memory.iter().enumerate();
                let accesses = memory.filter(|(_, operand)| operand.bracket.is_some());
                wanted.extend(accesses.map(|(n, _)| (at, n)));
                let is_rank = matches!(resolved.effects.value, Expression::Remote(_));
                if is_rank && self.promised.cluster.is_some() {
                    wanted.insert((at, resolved.effects.memory.len()));
                }
            }
        }
        let mut claimed = Vec::new();
        let mut follow = |start: Start, within: Option<usize>| {
            let uncertain_guards = UncertainGuards::default();
            let mut run = Run::new(nodes, setting, &loops, (&wanted, &uncertain_guards));
            run.from(start);
            for (((node, operand), (storage, is_pointee)), extremes) in run.finish().of {
                // An address used in the wrong state space does not refer to the storage.
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
        let attained = Coordinates::attained(self.promised.block);
        // Any threads may call a device function: each one that does accesses it.
        let (coordinates, within) = match self.function.kind {
            FunctionKind::Kernel => (attained.in_cluster(self.promised.cluster), None),
            FunctionKind::Device => (self.coordinates, Some(0)),
        };
        follow(Start { at: 0, state: start, coordinates, end: None }, within);
        for (label, state) in self.entries(&loops).states {
            if let (Some(state), Some(end)) = (state, loops.end(label)) {
                let coordinates = self.coordinates;
                follow(Start { at: label, state, coordinates, end: Some(end) }, Some(label));
            }
        }
        claimed
    }

    /// Returns the states at loop entries, as the rule checks compute them.
    fn entries(&self, loops: &Loops) -> Entries {
        let mut entries = Entries::of(&self.resolution.nodes, loops);
        let mut after = None;
        let setting = self.setting();
        for (at, (node, here)) in self.resolution.nodes.iter().zip(self.known()).enumerate() {
            entries.arrive(at, after.as_ref());
            after = match node {
                Node::Label(_) | Node::Nothing => here,
                Node::Instruction(resolved) => {
                    let state = here.as_ref().and_then(|here| here.where_it_runs(resolved));
                    if let Some(state) = state
                        && let Some(target) = resolved.target.filter(|to| *to > at)
                    {
                        entries.arrive(target, Some(&state));
                    }
                    here.and_then(|here| setting.after(resolved, here))
                }
            };
        }
        entries
    }

    /// Returns the node of a statement.
    pub(super) fn node_of(&self, statement: usize) -> usize {
        let is_node = |kind| matches!(kind, StatementKind::Label | StatementKind::Instruction);
        self.body.statements().take(statement).filter(|it| is_node(it.kind())).count()
    }

    /// Returns the index of a label among the labels and instructions.
    pub(super) fn node_named(&self, label: &str) -> Option<usize> {
        let is_it = |node: &Node<'_>| matches!(node, Node::Label(name) if *name == label);
        self.resolution.nodes.iter().position(is_it)
    }
}
