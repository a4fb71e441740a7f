//! Reads a body as steps that a warp executes.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use ptx_isa::instruction::{
    AccessSize, BarrierEffect, Computes, Direction, ORDERED, Order, Role, TogetherEffect,
};
use ptx_isa::ir::Body;
use ptx_isa::ir::body::{
    Instruction, Modifier, Name, Operand, OperandKind, Statement, StatementKind,
};
use ptx_isa::rules::{self, Offset};
use ptx_isa::sorted::SortedMap;
use ptx_isa::{ScalarType, Space};

use crate::findings::symbols::Symbols;
use crate::flow::effects::{Action, Jump};
use crate::flow::expression::Expression;
use crate::flow::memory::MemoryOperand;
use crate::flow::node::{Node, Referent, Resolved};
use crate::flow::place::Place;
use crate::flow::storage::Storage;
use crate::order::address::Layout;
use crate::order::called::{Callee, Callees};
use crate::order::origins::Origins;
use crate::order::step::{
    Arrival, Collective, Completion, Copying, Does, Location, Phase, Shuffle, Step, Tensor, Vote,
};
use crate::order::term::{Named, Term};
use crate::order::warp::{TENSOR_LOADS, TENSOR_STORES};

/// The instructions that compute numbers from those of their own thread alone.
const COMPUTING: &[&str] = &[
    "abs", "add", "and", "bfe", "bfi", "bfind", "brev", "clz", "cnot", "copysign", "cos", "cvt",
    "div", "dp2a", "dp4a", "ex2", "fma", "fns", "lg2", "lop3", "mad", "mad24", "max", "min", "mov",
    "mul", "mul24", "neg", "not", "or", "popc", "prmt", "rcp", "rem", "rsqrt", "sad", "selp",
    "set", "setp", "shf", "shl", "shr", "sin", "slct", "sqrt", "sub", "tanh", "testp", "xor",
];

/// Reads the steps of a body; `nodes` are those of its labels and instructions.
pub(super) fn steps<'a>(
    body: Body<'a>,
    nodes: &[Node<'a>],
    storages: &[Storage<'a>],
    layout: &Layout,
    (constants, symbols): (&[Option<i128>], &Symbols<'a>),
) -> Vec<Step> {
    let (tables, callees, maps) = (tables(body), Callees::new(symbols), maps(nodes, storages));
    let statements = body.statements().enumerate();
    let instructions = statements.filter_map(|(n, statement)| match statement.kind() {
        StatementKind::Label => Some((n, None)),
        StatementKind::Instruction => Some((n, Some(statement.instruction(constants)?))),
        _ => None,
    });
    let step = |((n, instruction), node): ((usize, Option<Instruction<'a>>), &Node<'a>)| {
        let nothing = Step {
            guard: None,
            does: Does::Nothing,
            is_aligned: false,
            is_of_group: false,
            is_of_warp: false,
            is_read_only: false,
            is_release: false,
            is_guess: false,
            writes: Box::default(),
            reads: Box::default(),
            copies_to: Box::default(),
            sources: None,
            places: Box::new([Place::new(n, ptx_isa::ir::body::TokenRange::one(0))]),
        };
        match (instruction, node) {
            (Some(instruction), Node::Instruction(resolved)) => {
                let (tables, callees, maps) = (&tables, &callees, &maps);
                let (statement, instruction) = (n, &instruction);
                Reader { statement, instruction, resolved, storages, layout, tables, callees, maps }
                    .step()
            }
            // One without registers, such as `setmaxnreg`.
            (Some(instruction), _) => {
                let (is_aligned, is_of_group) =
                    (is_aligned(&instruction), is_of_group(&instruction));
                let places = Box::new([Place::new(n, instruction.opcode_at)]);
                let waited = waits_for(&instruction);
                let does = waited.map_or(Does::Nothing, |kind| Does::Tensor(Tensor::Wait(kind)));
                Step { does, is_aligned, is_of_group, places, ..nothing }
            }
            (None, _) => nothing,
        }
    };
    let mut steps: Vec<Step> = instructions.zip(nodes).map(step).collect();
    settle_reads(&mut steps, nodes);
    settle_flags(&mut steps);
    settle_guesses(&mut steps, nodes);
    steps
}

/// The registers that hold the address of a tensor map alone, each with the map's storage.
fn maps(nodes: &[Node<'_>], storages: &[Storage<'_>]) -> SortedMap<usize, Option<usize>> {
    let mut maps = SortedMap::new();
    for resolved in nodes.iter().filter_map(Node::instruction) {
        let mut named = resolved.referents().filter_map(|referent| match referent {
            Referent::Storage(storage) => Some(storage),
            Referent::Register(_) | Referent::Other => None,
        });
        let map = named.next().filter(|storage| map_bytes(&storages[*storage], 0).is_some());
        let map = map.filter(|_| named.next().is_none());
        for register in &resolved.written {
            let is_first = !maps.contains_key(register);
            maps.insert(*register, map.filter(|_| is_first));
        }
    }
    maps
}

/// The bytes by which a copy of a tile of this map completes a transaction; `None` if it is not a map, or not known.
fn map_bytes(storage: &Storage<'_>, halo: u32) -> Option<u64> {
    let [choice] = storage.choices.as_slice() else { return None };
    let bytes = rules::copy::transaction_bytes(Offset::exact(0), choice.object, halo)?;
    u64::try_from(bytes).ok()
}

/// The steps in lists of jump targets, by the labels of these lists; labels that are declared twice are left out.
type Tables<'a> = SortedMap<&'a str, Box<[usize]>>;

/// Returns the lists of jump targets of a body.
fn tables<'a>(body: Body<'a>) -> Tables<'a> {
    let mut tables = SortedMap::new();
    let is_table = |statement: &Statement<'a>| {
        statement.tokens().next().is_some_and(|first| first.text == ".branchtargets")
    };
    if !body.statements().any(|statement| is_table(&statement)) {
        return tables;
    }
    let mut labels: SortedMap<&'a str, Option<usize>> = SortedMap::new();
    let is_step = |statement: &Statement<'a>| {
        matches!(statement.kind(), StatementKind::Label | StatementKind::Instruction)
    };
    for (at, statement) in body.statements().filter(is_step).enumerate() {
        if let StatementKind::Label = statement.kind() {
            let is_first = !labels.contains_key(statement.text());
            labels.insert(statement.text(), is_first.then_some(at));
        }
    }
    let mut last = "";
    for statement in body.statements() {
        if is_table(&statement) {
            let step = |name: Name<'a>| labels.get(name.text).copied().flatten();
            let steps: Option<Box<[usize]>> = statement.names().map(step).collect();
            tables.extend(steps.map(|steps| (last, steps)));
        }
        last = statement.text();
    }
    tables
}

/// Whether all threads of a warp execute an instruction together.
fn is_aligned(instruction: &Instruction<'_>) -> bool {
    instruction.row.is_some_and(|row| row.is_aligned) || instruction.has("aligned")
}

/// Returns the kind of copies from or to tensor memory that it waits for, if any.
fn waits_for(instruction: &Instruction<'_>) -> Option<usize> {
    let waits = instruction.row.is_some_and(|row| row.opcode == "tcgen05.wait");
    waits.then(|| if instruction.has("ld") { TENSOR_LOADS } else { TENSOR_STORES })
}

/// Whether all warps of a warpgroup execute it together, besides multiplications.
fn is_of_group(instruction: &Instruction<'_>) -> bool {
    instruction.opcode == "setmaxnreg"
}

/// Notes which registers steps read, if there are loads from tensor memory.
fn settle_reads(steps: &mut [Step], nodes: &[Node<'_>]) {
    if !steps.iter().any(|step| matches!(step.does, Does::Tensor(Tensor::Load(..)))) {
        return;
    }
    for (step, node) in steps.iter_mut().zip(nodes) {
        let Some(resolved) = node.instruction() else { continue };
        let read = resolved.referents().filter_map(|referent| match referent {
            Referent::Register(register) if !resolved.written.contains(&register) => Some(register),
            Referent::Register(_) | Referent::Storage(_) | Referent::Other => None,
        });
        step.reads = read.collect();
    }
}

/// Notes which loads and atomic operations may wait for a flag: those whose results decide what threads do.
fn settle_flags(steps: &mut [Step]) {
    let mut deciding = Origins::default();
    for step in &*steps {
        deciding.registers.extend(step.guard.map(|(register, _)| register));
        // Other threads may decide by what is stored.
        if let Does::Store(location, values, _) = &step.does
            && matches!(location.space, Some(Space::Shared) | None)
        {
            values.iter().for_each(|value| deciding.note(value, Term::parts));
        }
    }
    deciding.close(steps, Term::parts);
    for step in steps {
        let decides = step.writes.iter().any(|(to, _)| deciding.registers.contains(to));
        if let Does::Flag(_, waits, _) = &mut step.does {
            *waits &= decides;
        }
    }
}

/// Notes which loads are guesses of what an atomic operation finds: their numbers are its operands.
fn settle_guesses(steps: &mut [Step], nodes: &[Node<'_>]) {
    let mut compared = Origins::default();
    for (step, node) in steps.iter().zip(nodes) {
        let (Does::Flag(_, _, true), Some(resolved)) = (&step.does, node.instruction()) else {
            continue;
        };
        compared.registers.extend(resolved.referents().filter_map(|referent| match referent {
            Referent::Register(register) if !resolved.written.contains(&register) => Some(register),
            Referent::Register(_) | Referent::Storage(_) | Referent::Other => None,
        }));
    }
    compared.close(steps, Term::parts);
    for step in steps {
        if let Does::Load(_, to, ..) = &step.does {
            step.is_guess = to.iter().flatten().any(|to| compared.registers.contains(to));
        }
    }
}

/// Reads an instruction.
struct Reader<'r, 'a> {
    statement: usize,
    instruction: &'r Instruction<'a>,
    resolved: &'r Resolved<'a>,
    storages: &'r [Storage<'a>],
    layout: &'r Layout,
    tables: &'r Tables<'a>,
    callees: &'r Callees<'r, 'a>,
    maps: &'r SortedMap<usize, Option<usize>>,
}

impl<'a> Reader<'_, 'a> {
    fn step(&self) -> Step {
        let effects = &self.resolved.effects;
        let guard = effects.guard.as_ref().map(|guard| {
            // An unknown register is one that is never written.
            (self.register(guard.name).unwrap_or(usize::MAX), guard.is_negated)
        });
        let does = self.does();
        let is_sync = matches!(does, Does::Warp(.., Collective::Sync));
        let mut writes: Vec<(usize, Term)> = if is_sync {
            Vec::new()
        } else {
            self.resolved.written.iter().map(|register| (*register, Term::Unknown)).collect()
        };
        match self.instruction.operands.first().map(|first| &first.kind) {
            Some(OperandKind::Name(_)) => {
                if let [(_, term)] = writes.as_mut_slice() {
                    *term = self.packed().unwrap_or_else(|| self.term(&effects.value));
                }
            }
            Some(OperandKind::Pair(one, other)) if self.computes() == Computes::Comparison => {
                let compared = Expression::written(self.instruction);
                let pair = [(one, false), (other, true)];
                writes = pair
                    .into_iter()
                    .filter_map(|(name, is_negated)| {
                        let term = self.term(&compared);
                        let term = if is_negated { Term::Not(Box::new(term)) } else { term };
                        Some((self.register(*name)?, term))
                    })
                    .collect();
            }
            _ => {
                if let Some((name, value)) = effects.lower()
                    && let Some(low) = self.register(*name)
                {
                    writes.retain(|(register, _)| *register != low);
                    writes.push((low, self.term(value)));
                }
                self.unpack(&mut writes);
            }
        }
        if matches!(does, Does::Lost | Does::Jump(_) | Does::Switch(..) | Does::Ends | Does::Traps)
        {
            writes.clear();
        }
        let is_of_group = matches!(does, Does::Multiply(_)) || is_of_group(self.instruction);
        let sources = if matches!(does, Does::Nothing) { self.sources() } else { None };
        let is_copy = self.computes() == Computes::Copy && matches!(does, Does::Nothing);
        let copies_to = if is_copy { &self.resolved.written[..] } else { &[] };
        let in_brackets = effects.memory.iter().filter(|it| it.bracket.is_some());
        let mut places: Vec<Place> = in_brackets.map(|operand| operand.place).collect();
        if places.is_empty() {
            places.push(Place::new(self.statement, self.instruction.opcode_at));
        }
        Step {
            guard,
            does,
            is_aligned: is_aligned(self.instruction),
            is_of_group,
            is_of_warp: self.instruction.opcode.starts_with("tensormap"),
            is_read_only: self.has("nc"),
            is_release: self.has("release") || self.has("acq_rel"),
            is_guess: false,
            writes: writes.into(),
            reads: Box::default(),
            copies_to: copies_to.into(),
            sources,
            places: places.into(),
        }
    }

    /// Returns the number of bits of each part of a number that `mov` puts together from so many, or takes apart.
    fn bits_of_part(&self, parts: usize) -> Option<u32> {
        let ty = self.scalar().filter(|_| self.computes() == Computes::Copy)?;
        u32::try_from(ty.bytes() * 8 / parts.max(1)).ok()
    }

    /// Returns what `mov.b32 %both, {%low, %high};` writes, if both are not halves of 64 bits.
    fn packed(&self) -> Option<Term> {
        let [_, Operand { kind: OperandKind::Vector(parts), .. }] =
            self.instruction.operands.as_slice()
        else {
            return None;
        };
        let bits = self.bits_of_part(parts.len()).filter(|bits| *bits < 32)?;
        let all = parts.iter().zip(0..).map(|(part, n)| {
            let part = Term::Narrow(Box::new(self.operand(part)), bits);
            Term::ShiftLeft(Box::new([part, Term::Number(u64::from(bits * n))]), 64)
        });
        all.reduce(|all, part| Term::Or(Box::new([all, part]), 64))
    }

    /// Adds the other parts that `mov.b64 {%low, %high}, %both;` writes, and all of numbers of other sizes, or what is
    /// loaded from a parameter into several registers.
    fn unpack(&self, writes: &mut Vec<(usize, Term)>) {
        let [Operand { kind: OperandKind::Vector(parts), .. }, whole] =
            self.instruction.operands.as_slice()
        else {
            return;
        };
        if let Term::Parameter(storage, from, bytes) =
            self.term(&Expression::written(self.instruction))
        {
            for (part, n) in parts.iter().zip(0..) {
                let Some(register) = part.name().and_then(|it| self.register(it)) else { continue };
                writes.retain(|(other, _)| *other != register);
                writes.push((register, Term::Parameter(storage, from + n * bytes as u64, bytes)));
            }
            return;
        }
        let Some(bits) = self.bits_of_part(parts.len()) else { return };
        for (part, n) in parts.iter().zip(0..) {
            // Half of 64 bits may be an address.
            if n == 0 && bits == 32 {
                continue;
            }
            let Some(register) = part.name().and_then(|it| self.register(it)) else { continue };
            writes.retain(|(other, _)| *other != register);
            let both = Box::new([self.operand(whole), Term::Number(u64::from(bits * n))]);
            let part = Term::Narrow(Box::new(Term::ShiftRight(both, 64, false)), bits);
            writes.push((register, part));
        }
    }

    /// Returns the last type among the modifiers.
    fn scalar(&self) -> Option<ScalarType> {
        self.instruction.modifiers.iter().rev().find_map(|modifier| {
            (!modifier.is_sub).then(|| ScalarType::from_name(modifier.word)).flatten()
        })
    }

    /// Returns what an instruction computes from, if it computes nothing from anything else.
    fn sources(&self) -> Option<Box<[Term]>> {
        if !COMPUTING.contains(&self.instruction.opcode) || self.has("cc") {
            return None;
        }
        let of = |operand: &Operand<'a>| match &operand.kind {
            OperandKind::Immediate(_) => Some(Term::Number(0)),
            _ => Some(self.operand(operand)).filter(|term| !matches!(term, Term::Unknown)),
        };
        self.instruction.operands.get(1..)?.iter().map(of).collect()
    }

    fn register(&self, name: Name<'_>) -> Option<usize> {
        match self.resolved.find(name.text)? {
            Referent::Register(register) if name.element.is_empty() => Some(register),
            Referent::Register(_) | Referent::Storage(_) | Referent::Other => None,
        }
    }

    fn computes(&self) -> Computes {
        self.instruction.row.map_or(Computes::Other, |row| row.computes)
    }

    fn has(&self, word: &str) -> bool {
        self.instruction.has(word)
    }

    /// Whether it is one of a pair of blocks (`.cta_group::2`).
    fn is_of_pair(&self) -> bool {
        let is_pair = |two: &[Modifier<'_>]| {
            two[0].word == "cta_group" && two[1].is_sub && two[1].word == "2"
        };
        self.instruction.modifiers.windows(2).any(is_pair)
    }

    fn named<T>(&self, read: impl FnOnce(&Named<'_, 'a>) -> T) -> T {
        let element = |storage: usize| {
            let [choice] = self.storages.get(storage)?.choices.as_slice() else { return None };
            let ty = choice.object.variable().ty;
            (ty.rank() == 1).then(|| ty.element().size()).flatten().map(|bytes| bytes as u64)
        };
        read(&Named {
            find: &|name| self.resolved.find(name),
            address: &|storage| self.layout.address(storage),
            element: &element,
            marker: PhantomData,
        })
    }

    fn term(&self, expression: &Expression<'a>) -> Term {
        self.named(|named| named.term(expression))
    }

    fn operand(&self, operand: &Operand<'a>) -> Term {
        self.term(&Expression::of(operand))
    }

    /// Returns the operand with this index.
    fn nth(&self, n: usize) -> Term {
        self.instruction.operands.get(n).map_or(Term::Unknown, |operand| self.operand(operand))
    }

    fn location(&self, operand: &MemoryOperand<'a>) -> Location {
        let base = self.named(|named| named.name(operand.name));
        let with_index = match &operand.index {
            Some(index) => {
                let element = Expression::Element(Box::new((operand.name, (**index).clone())));
                self.term(&element)
            }
            None => base,
        };
        let address = match operand.offset.known() {
            Some(0) => with_index,
            Some(offset) => {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // wraps
                let offset = Term::Number(offset as u64);
                Term::Add(Box::new([with_index, offset]), 64)
            }
            None => Term::Unknown,
        };
        let bytes = operand.bytes.known().and_then(|bytes| u64::try_from(bytes).ok());
        let bytes = bytes.map_or_else(|| self.counted(operand), Term::Number);
        Location {
            address,
            space: operand.form.space,
            bytes,
            direction: operand.form.direction,
            lanes: usize::try_from(operand.lanes).unwrap_or(32),
            operand: operand.bracket.map_or(0, |n| n.to_le_bytes()[0]),
            is_of_block: self.instruction.pairs().contains(&(".", "cta")),
        }
    }

    /// Returns the number of bytes of an access that another operand gives.
    fn counted(&self, operand: &MemoryOperand<'a>) -> Term {
        let addresses = self.instruction.row.map_or(&[][..], |row| row.addresses);
        let count = addresses.iter().find_map(|address| match address.size {
            AccessSize::Counted(n, _) | AccessSize::CountedAligned(n) => Some(n),
            _ => None,
        });
        let is_counted = operand.form.role == Role::Data;
        count.filter(|_| is_counted).map_or(Term::Unknown, |n| self.nth(n))
    }

    /// Returns the memory operands in brackets with this role.
    fn locations(&self, role: Role) -> impl Iterator<Item = Location> {
        let operands = self.resolved.effects.memory.iter();
        let in_brackets = operands.filter(move |it| it.bracket.is_some() && it.form.role == role);
        in_brackets.map(|operand| self.location(operand))
    }

    fn does(&self) -> Does {
        let effects = &self.resolved.effects;
        match &effects.jump {
            Jump::To(_) => return self.resolved.target.map_or(Does::Lost, Does::Jump),
            Jump::Anywhere => {
                let name = self.instruction.operands.get(1).and_then(Operand::name);
                let table = name.and_then(|name| self.tables.get(name.text));
                return table.map_or(Does::Lost, |to| Does::Switch(self.nth(0), to.clone()));
            }
            // What is called and does not return ends the kernel.
            Jump::Ends if self.instruction.opcode == "trap" || effects.calls => {
                return Does::Traps;
            }
            Jump::Ends => return Does::Ends,
            Jump::Next => {}
        }
        if effects.calls {
            return match self.callees.called(self.instruction) {
                Callee::Nothing => Does::Nothing,
                Callee::Stores => Does::Changes,
                Callee::Anything => Does::Lost,
            };
        }
        let Some(row) = self.instruction.row else { return Does::Lost };
        if let Some(tensor) = self.tensor(row.opcode) {
            return tensor;
        }
        if let Some(together) = row.together {
            return self.together(together);
        }
        let order = row.order(|word| self.has(word));
        if let Some(does) = order.and_then(|order| self.order(order)) {
            return does;
        }
        if let Some(does) = self.action(order) {
            return does;
        }
        match self.computes() {
            Computes::Parameter if self.reads_parameter() => return Does::Nothing,
            _ => {}
        }
        self.access()
    }

    /// Whether it loads from a parameter, which no thread writes.
    fn reads_parameter(&self) -> bool {
        self.resolved.effects.memory.iter().all(|it| it.form.space == Some(Space::Param))
    }

    fn together(&self, together: TogetherEffect) -> Does {
        let operands = &self.instruction.operands;
        let barrier = |number, count: Option<usize>, waits| Does::Barrier {
            number: self.nth(number),
            count: count.filter(|n| operands.len() > *n).map(|n| self.nth(n)),
            waits,
            reduces: matches!(together, TogetherEffect::BlockReduce),
        };
        match together {
            TogetherEffect::BlockArrive => barrier(0, Some(1), false),
            TogetherEffect::BlockSync => barrier(0, Some(1), true),
            TogetherEffect::BlockReduce => barrier(1, (operands.len() > 3).then_some(2), true),
            TogetherEffect::ClusterArrive => Does::ClusterArrive(self.has("relaxed")),
            TogetherEffect::ClusterWait => Does::ClusterWait,
            TogetherEffect::WarpgroupFence => Does::Nothing,
            TogetherEffect::WarpgroupCommit => Does::CommitMultiplications,
            TogetherEffect::WarpgroupWait => {
                let left = operands.first().and_then(|it| it.amount().known());
                Does::WaitMultiplications(left.and_then(|left| u64::try_from(left).ok()))
            }
            TogetherEffect::WarpgroupMultiply => {
                let row = self.instruction.row.map_or(&[][..], |row| row.descriptors);
                let is_register = |n: &&usize| {
                    operands.get(**n).is_some_and(|it| matches!(it.kind, OperandKind::Name(_)))
                };
                Does::Multiply(row.iter().filter(is_register).map(|n| self.nth(*n)).collect())
            }
            TogetherEffect::Warp(mask) => self.warp(mask),
        }
    }

    /// Returns the two registers of a result such as `%r|%p`.
    fn results(&self) -> (Option<usize>, Option<usize>) {
        match self.instruction.operands.first().map(|it| &it.kind) {
            Some(OperandKind::Pair(one, other)) => (self.register(*one), self.register(*other)),
            Some(OperandKind::Name(one)) => (self.register(*one), None),
            _ => (None, None),
        }
    }

    /// An instruction of the threads in the mask in this operand.
    fn warp(&self, mask: usize) -> Does {
        let (to, predicate) = self.results();
        let vote = [
            ("all", Vote::All),
            ("any", Vote::Any),
            ("uni", Vote::Uniform),
            ("ballot", Vote::Ballot),
        ];
        let shuffle = [
            ("up", Shuffle::Up),
            ("down", Shuffle::Down),
            ("bfly", Shuffle::Butterfly),
            ("idx", Shuffle::Index),
        ];
        let how = shuffle.iter().find(|(word, _)| self.has(word));
        let collective = match self.computes() {
            Computes::Election => Collective::Elect(to, predicate),
            Computes::Shuffle => match how {
                Some((_, how)) => Collective::Shuffle {
                    to,
                    is_valid: predicate,
                    how: *how,
                    operands: Box::new([self.nth(1), self.nth(2), self.nth(3)]),
                },
                None => Collective::Other,
            },
            Computes::Vote => match vote.iter().find(|(word, _)| self.has(word)) {
                Some((_, how)) => Collective::Vote(to, *how, Box::new(self.nth(1))),
                None => Collective::Other,
            },
            _ if mask == 0 => Collective::Sync,
            _ => Collective::Other,
        };
        // Without `.sync`, there is no mask.
        if self.instruction.operands.len() <= mask {
            return Does::Lost;
        }
        let opcode = self.instruction.row.map_or("", |row| row.opcode);
        Does::Warp(opcode, self.nth(mask), collective)
    }

    fn order(&self, order: Order) -> Option<Does> {
        Some(match order {
            Order::Commit(group) => Does::Commit(group),
            Order::Wait(group, n) => Does::Wait(group, self.nth(n), self.has("read")),
            Order::WaitAll(group) if self.resolved.effects.memory.is_empty() => {
                Does::WaitAll(group)
            }
            Order::Proxies => Does::FenceProxy,
            Order::Initialisations => Does::Fence,
            Order::Threads if self.instruction.row.is_some_and(|row| !row.is_of_memory) => {
                Does::Fence
            }
            Order::Threads | Order::Block | Order::Arrival | Order::WaitAll(_) | Order::Copy(_) => {
                return None;
            }
        })
    }

    /// Returns the effect on an mbarrier.
    fn action(&self, order: Option<Order>) -> Option<Does> {
        let row = self.instruction.row?;
        let operands = &self.instruction.operands;
        let effect = row.effect(|word| self.has(word));
        let barrier = || self.locations(Role::Barrier).next();
        let address = operands.iter().position(|it| matches!(it.kind, OperandKind::Address(_)));
        let after = address.map_or(usize::MAX, |address| address + 1);
        let last = || self.nth(operands.len().wrapping_sub(1));
        let copies = match (order, effect) {
            (Some(Order::WaitAll(_)), Some(BarrierEffect::Arrive)) => Arrival::AfterCopies,
            (Some(Order::WaitAll(_)), _) => Arrival::AfterCopiesExpected,
            (_, _) if row.opcode == "tcgen05.commit" => Arrival::AfterMultiplications,
            (_, _) => Arrival::Plain,
        };
        let drops = matches!(
            (effect, copies),
            (Some(BarrierEffect::ExpectAndDrop), _)
                | (Some(BarrierEffect::MayArrive), Arrival::Plain)
        );
        let arrive = |bytes, count| {
            let Some(barrier) = barrier() else { return Does::Lost };
            // The state is the first operand; `_` is not a register.
            let state = if address == Some(1) { self.results().0 } else { None };
            let is_relaxed = self.has("relaxed");
            let blocks = self.has("multicast").then(|| self.nth(after));
            Does::Arrive { barrier, bytes, count, state, drops, copies, is_relaxed, blocks }
        };
        let count = || if operands.len() > after { self.nth(after) } else { Term::Number(1) };
        let copy = |bytes: Option<Term>| {
            let accesses: Box<[Location]> = self.locations(Role::Data).collect();
            let completion = match (barrier(), order) {
                (Some(barrier), _) => Completion::Barrier(barrier, bytes),
                (None, Some(Order::Copy(group))) => Completion::Group(group),
                (None, _) => return Does::Lost,
            };
            let is_multicast = self.has("multicast");
            let blocks = is_multicast.then(|| {
                let is_mask = |it: &&Operand<'_>| {
                    !matches!(it.kind, OperandKind::Address(_) | OperandKind::Vector(_))
                };
                let last =
                    operands.iter().rposition(|it| matches!(it.kind, OperandKind::Address(_)));
                let rest = operands.get(last.map_or(0, |last| last + 1)..).unwrap_or_default();
                rest.iter().find(is_mask).map_or(Term::Unknown, |mask| self.operand(mask))
            });
            let how = match effect {
                Some(BarrierEffect::Copy(_)) => Copying::Whole,
                _ if self.is_of_pair() => Copying::ForPair,
                Some(BarrierEffect::CopyTile) => Copying::Tile,
                _ => Copying::Other,
            };
            Does::Copy { accesses, completion, blocks, how }
        };
        Some(match effect {
            None => match order {
                Some(Order::Copy(_)) => copy(None),
                // `st.async` and `red.async` complete the bytes that they write.
                _ if barrier().is_some() => {
                    let bytes = self.resolved.effects.memory.first();
                    let bytes = bytes.and_then(|it| u64::try_from(it.bytes.known()?).ok());
                    copy(bytes.map(Term::Number))
                }
                _ => return None,
            },
            Some(BarrierEffect::Init) => Does::Init(barrier()?, last()),
            Some(BarrierEffect::Invalidate) => Does::Invalidate(barrier()?),
            Some(BarrierEffect::Expect) => arrive(Some(last()), Term::Number(0)),
            Some(BarrierEffect::ExpectAndArrive | BarrierEffect::ExpectAndDrop) => {
                arrive(Some(last()), Term::Number(1))
            }
            Some(BarrierEffect::Arrive) => arrive(None, count()),
            Some(BarrierEffect::MayArrive) => match barrier() {
                Some(_) if row.is_of_memory && row.count.is_some() => arrive(None, count()),
                Some(_) if row.opcode == "tcgen05.commit" => arrive(None, Term::Number(1)),
                Some(_) => Does::Lost,
                None => return None,
            },
            Some(BarrierEffect::Complete) => Does::Complete(barrier()?, last()),
            Some(BarrierEffect::Wait) => {
                let phase = self.nth(after);
                let phase =
                    if self.has("parity") { Phase::Parity(phase) } else { Phase::State(phase) };
                Does::Test(barrier()?, phase, self.results().0, self.has("relaxed"))
            }
            Some(BarrierEffect::Copy(bytes)) => copy(Some(self.nth(bytes))),
            Some(BarrierEffect::CopyTile) => {
                if self.has("prefetch") {
                    return None;
                }
                copy(self.tile_bytes().map(Term::Number))
            }
            Some(BarrierEffect::Multiply) => return None,
        })
    }

    /// Returns the bytes by which a copy of a tile completes a transaction, if its map is known.
    fn tile_bytes(&self) -> Option<u64> {
        let Action::CopyTile(copy) = &self.resolved.effects.action else { return None };
        let (_, map) = copy.operands.filter(|_| !self.is_of_pair())?;
        let mut memory = self.resolved.effects.memory.iter();
        let operand = memory.find(|it| it.bracket == Some(map))?;
        let storage = match self.resolved.find(operand.name.text)? {
            Referent::Storage(storage) => storage,
            Referent::Register(register) => self.maps.get(&register).copied()??,
            Referent::Other => return None,
        };
        let is_alone = operand.offset.known() == Some(0) && operand.index.is_none();
        let halo = u32::try_from(copy.halo.known()?).ok()?;
        map_bytes(self.storages.get(storage)?, halo).filter(|_| is_alone)
    }

    /// Returns the address in brackets of the operand with this index, or that operand.
    fn in_brackets(&self, n: usize) -> Term {
        match self.instruction.operands.get(n).map(|operand| &operand.kind) {
            Some(OperandKind::Address(inner)) => {
                inner.first().map_or(Term::Unknown, |operand| self.operand(operand))
            }
            _ => self.nth(n),
        }
    }

    /// Returns what an instruction does with tensor memory.
    fn tensor(&self, opcode: &str) -> Option<Does> {
        let operands = &self.instruction.operands;
        let registers = |n: usize| -> Box<[usize]> {
            let all = match operands.get(n).map(|operand| &operand.kind) {
                Some(OperandKind::Vector(all)) => all.as_slice(),
                _ => operands.get(n..=n).unwrap_or_default(),
            };
            all.iter().filter_map(|it| self.register(it.name()?)).collect()
        };
        let is_register =
            |n: &usize| operands.get(*n).is_some_and(|it| matches!(it.kind, OperandKind::Name(_)));
        let is_whole = self.has("32x32b");
        Some(Does::Tensor(match opcode {
            "tcgen05.alloc" => match self.locations(Role::Data).next() {
                Some(location) => Tensor::Allocate(location, self.nth(1)),
                None => return Some(Does::Lost),
            },
            "tcgen05.dealloc" => Tensor::Free(self.in_brackets(0), self.nth(1)),
            "tcgen05.ld" => Tensor::Load(self.in_brackets(1), registers(0), is_whole),
            "tcgen05.ld.red" => Tensor::Load(self.in_brackets(2), registers(0), is_whole),
            "tcgen05.st" => Tensor::Store(self.in_brackets(0), is_whole),
            "tcgen05.cp" | "tcgen05.shift" => {
                let described = Some(1).into_iter().filter(is_register);
                let described = described.map(|n| self.nth(n)).collect();
                // What it writes to is not followed.
                Tensor::Multiply((Term::Unknown, None), described, Term::Unknown)
            }
            _ if opcode.starts_with("tcgen05.mma") => {
                let described = [1, 2].into_iter().filter(is_register);
                let described = described.map(|n| self.nth(n)).collect();
                let how = if opcode == "tcgen05.mma" { self.nth(3) } else { Term::Unknown };
                // The first matrix is in shared memory, where a register describes it, or in tensor memory.
                let first = operands.get(1).map(|operand| &operand.kind);
                let is_address = matches!(first, Some(OperandKind::Address(_)));
                let from = is_address.then(|| self.in_brackets(1));
                Tensor::Multiply((self.in_brackets(0), from), described, how)
            }
            _ => return None,
        }))
    }

    /// A plain access.
    fn access(&self) -> Does {
        let Some(row) = self.instruction.row else { return Does::Lost };
        let mut all: Vec<Location> = self.locations(Role::Data).collect();
        all.retain(|it| !matches!(it.direction, Direction::Cache | Direction::Taken));
        if all.is_empty() {
            // An address that is not understood, or one of a texture, a surface or tensor memory.
            let writes = row.addresses.iter().any(|address| {
                address.role == Role::Data
                    && matches!(address.direction, Direction::Write | Direction::ReadWrite)
            });
            return if writes { Does::Lost } else { Does::Nothing };
        }
        let is_flag = ORDERED.iter().any(|word| self.has(word))
            || matches!(row.order(|word| self.has(word)), Some(Order::Threads));
        let [_] = all.as_slice() else { return Does::Access(all.into()) };
        let Some(one) = all.pop() else { return Does::Nothing };
        if is_flag {
            let waits = row.has_result && one.direction != Direction::Write;
            return Does::Flag(one, waits, self.has("cas"));
        }
        let ty = self.scalar();
        let operands = self.instruction.operands.as_slice();
        let (bytes, is_signed) = ty.map_or((0, false), |ty| (ty.bytes() as u64, ty.is_signed()));
        let each = |operand: &Operand<'a>| match &operand.kind {
            OperandKind::Vector(all) => all.iter().map(|it| self.operand(it)).collect(),
            _ => vec![self.operand(operand)],
        };
        match (one.direction, operands) {
            (Direction::Read, [to, _]) if row.has_lanes && bytes > 0 => {
                let register = |operand: &Operand<'a>| self.register(operand.name()?);
                let to: Vec<Option<usize>> = match &to.kind {
                    OperandKind::Vector(all) => all.iter().map(register).collect(),
                    _ => vec![register(to)],
                };
                Does::Load(one, to.into(), bytes, is_signed)
            }
            (Direction::Write, [_, value]) if row.has_lanes && bytes > 0 => {
                Does::Store(one, each(value).into(), bytes)
            }
            (_, _) => Does::Access(vec![one].into()),
        }
    }
}
