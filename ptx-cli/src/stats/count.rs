//! The statistics of functions and files.

use std::collections::BTreeMap;

use ptx_emit::MemoryMap;
use ptx_emit::ptxas::Report;
use ptx_isa::instruction::{AccessSize, AddressOperand, AddressSpace, Direction, Role, spaces};
use ptx_isa::ir::body::{Instruction, OperandKind, StatementKind};
use ptx_isa::ir::{Function, FunctionKind, Module, Site};
use ptx_isa::{ScalarType, Space};
use ptx_text::Parsed;

use super::kind::Kind;

/// The statements that access memory in one space, with one width.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Moved {
    pub(super) loads: usize,
    pub(super) stores: usize,
    /// Those that read and write.
    pub(super) atomics: usize,
}

/// The statistics of a function or of a file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Counts {
    /// The instructions by kind.
    pub(super) kinds: BTreeMap<Kind, usize>,
    /// The accesses by the name of the space and the bytes of each; `None` if these are not known.
    pub(super) moved: BTreeMap<(&'static str, Option<usize>), Moved>,
    /// The registers that are declared.
    pub(super) declared: usize,
    /// The bytes of storage that are declared, by the name of the space; `None` if the launch decides.
    pub(super) storage: BTreeMap<&'static str, Option<usize>>,
    /// What ptxas reports.
    pub(super) ptxas: Option<Resources>,
}

/// What ptxas reports of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Resources {
    pub(super) registers: usize,
    /// Bytes stored and loaded.
    pub(super) spills: usize,
    pub(super) stack: usize,
    pub(super) shared: usize,
}

/// A function with its statistics.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    pub(super) name: String,
    pub(super) kind: FunctionKind,
    /// Its line, from 1.
    pub(super) line: u32,
    pub(super) counts: Counts,
}

/// A file with its statistics.
#[derive(Clone, Debug)]
pub(super) struct CountedFile {
    pub(super) name: String,
    pub(super) functions: Vec<Counted>,
    pub(super) total: Counts,
}

/// The names of the spaces whose accesses are counted.
pub(super) const SPACES: &[&str] = &["global", "shared", "local", "const", "param", GENERIC];

/// The name of what an address without a space accesses.
const GENERIC: &str = "generic";

/// The spaces whose storage is counted.
pub(super) const STORED: &[&str] = &["shared", "local", "const", "global"];

impl CountedFile {
    pub(super) fn of(name: String, parsed: &Parsed, report: Option<&Report>) -> Self {
        let module = parsed.module();
        let map = MemoryMap::of(module);
        let mut total = Counts::default();
        let mut functions = Vec::new();
        for (n, function) in module.functions.iter().enumerate() {
            if function.body.is_none() {
                continue;
            }
            let mut counts = Counts::of(function);
            counts.ptxas =
                report.and_then(|report| report.kernel(function.name)).map(|it| Resources {
                    registers: it.registers,
                    spills: it.spill_bytes.0 + it.spill_bytes.1,
                    stack: it.stack_bytes,
                    shared: it.shared_bytes,
                });
            total.add(&counts);
            let line = parsed.position(parsed.locate(Site::Function(n)).start).line;
            let name = function.name.to_owned();
            functions.push(Counted { name, kind: function.kind, line, counts });
        }
        total.storage = module_storage(module, &map);
        Self { name, functions, total }
    }
}

/// The bytes that a module declares in each space.
fn module_storage(
    module: &Module<'_>,
    map: &MemoryMap<'_>,
) -> BTreeMap<&'static str, Option<usize>> {
    let budget = |what: &str| map.budgets.iter().find(|it| it.what == what).and_then(|it| it.bytes);
    let shared = map.rows.iter().filter(|row| row.space == Space::Shared);
    let shared = shared.map(|row| row.bytes.unwrap_or(0)).sum();
    let locals = module.functions.iter().map(|function| local_bytes(function).unwrap_or(0)).sum();
    BTreeMap::from([
        ("const", budget("constant memory")),
        ("global", budget("global memory")),
        ("shared", Some(shared)),
        ("local", Some(locals)),
    ])
}

/// The bytes of `.local` variables that a body declares.
fn local_bytes(function: &Function<'_>) -> Option<usize> {
    let mut locals = function.locals.iter().filter(|it| it.space == Space::Local);
    locals.try_fold(0_usize, |sum, variable| Some(sum.saturating_add(variable.bytes()?)))
}

impl Counts {
    fn of(function: &Function<'_>) -> Self {
        let mut counts = Self::default();
        for statement in function.body.iter().flat_map(ptx_isa::ir::Body::statements) {
            if statement.kind() != StatementKind::Instruction {
                continue;
            }
            let Some(instruction) = statement.instruction(&[]) else { continue };
            *counts.kinds.entry(Kind::of(&instruction)).or_default() += 1;
            counts.accesses(&instruction);
        }
        let registers = function.locals.iter().filter(|it| it.space == Space::Reg);
        counts.declared = registers
            .map(|it| it.ty.family().map_or(1, |(count, _)| count.known().unwrap_or(0)))
            .fold(0, usize::saturating_add);
        if function.kind == FunctionKind::Kernel {
            counts.storage.insert("shared", function.static_shared_bytes());
        }
        counts.storage.insert("local", local_bytes(function));
        counts
    }

    fn accesses(&mut self, instruction: &Instruction<'_>) {
        let addresses = instruction.row.map_or(&[][..], |row| row.addresses);
        // Their sizes are in the maps.
        if addresses.iter().any(|it| it.tensor.is_some()) {
            return;
        }
        for address in addresses.iter().filter(|it| it.role == Role::Data) {
            let key = (space(instruction, address), bytes(instruction, address.size));
            let of = |moved: &mut Moved| match address.direction {
                Direction::Read => moved.loads += 1,
                Direction::Write => moved.stores += 1,
                Direction::ReadWrite => moved.atomics += 1,
                Direction::Cache | Direction::Taken => {}
            };
            if !matches!(address.direction, Direction::Cache | Direction::Taken) {
                of(self.moved.entry(key).or_default());
            }
        }
    }

    /// Adds those of a function to those of a file; the storage of a file is that of its module.
    fn add(&mut self, other: &Self) {
        for (kind, count) in &other.kinds {
            *self.kinds.entry(*kind).or_default() += count;
        }
        for (key, Moved { loads, stores, atomics }) in &other.moved {
            let moved = self.moved.entry(*key).or_default();
            moved.loads += loads;
            moved.stores += stores;
            moved.atomics += atomics;
        }
        self.declared = self.declared.saturating_add(other.declared);
    }

    /// The number of instructions.
    pub(super) fn statements(&self) -> usize {
        self.kinds.values().sum()
    }

    /// The value of a key of bounds; `None` if it is not known here.
    pub(super) fn value(&self, key: &str) -> Option<usize> {
        let ptxas = |of: fn(&Resources) -> usize| self.ptxas.as_ref().map(of);
        if let Some(kind) = Kind::ALL.iter().find(|kind| kind.name() == key) {
            return Some(self.kinds.get(kind).copied().unwrap_or(0));
        }
        if let Some((what, space)) = key.split_once('_').filter(|(_, space)| SPACES.contains(space))
        {
            let of: fn(&Moved) -> usize = match what {
                "loaded" => |moved| moved.loads,
                "stored" => |moved| moved.stores,
                "atomic" => |moved| moved.atomics,
                _ => return None,
            };
            let moved = self.moved.iter().filter(|((of, _), _)| *of == space);
            return Some(moved.map(|((_, bytes), moved)| bytes.unwrap_or(0) * of(moved)).sum());
        }
        match key {
            "statements" => Some(self.statements()),
            "declared_registers" => Some(self.declared),
            "registers" => ptxas(|it| it.registers),
            "spills" => ptxas(|it| it.spills),
            "stack" => ptxas(|it| it.stack),
            "ptxas_shared" => ptxas(|it| it.shared),
            space if STORED.contains(&space) => self.storage.get(space).copied().flatten(),
            _ => None,
        }
    }

    /// Every key, in the order in which they are shown.
    pub(super) fn keys() -> Vec<String> {
        let mut keys = vec!["statements".to_owned()];
        keys.extend(Kind::ALL.iter().map(|kind| kind.name().to_owned()));
        for space in SPACES {
            for what in ["loaded", "stored", "atomic"] {
                keys.push(format!("{what}_{space}"));
            }
        }
        keys.push("declared_registers".to_owned());
        keys.extend(STORED.iter().map(|&space| space.to_owned()));
        keys.extend(OF_PTXAS.iter().map(|&key| key.to_owned()));
        keys
    }
}

/// The keys whose values ptxas reports.
pub(super) const OF_PTXAS: &[&str] = &["registers", "spills", "stack", "ptxas_shared"];

/// The name of the space that an instruction accesses at an address.
fn space(instruction: &Instruction<'_>, address: &AddressOperand) -> &'static str {
    let space = match address.space {
        AddressSpace::Named(n) => spaces(&instruction.pairs()).nth(n),
        AddressSpace::Always(space) => Some(space),
        AddressSpace::Generic | AddressSpace::Own | AddressSpace::Elsewhere => None,
    };
    space.map_or(GENERIC, Space::name)
}

/// The bytes that a thread accesses at an address, if the statement says how many.
fn bytes(instruction: &Instruction<'_>, size: AccessSize) -> Option<usize> {
    let operands = &instruction.operands;
    let words = || instruction.modifiers.iter().filter(|it| !it.is_sub).map(|it| it.word);
    let scalar = || words().find_map(ScalarType::from_name);
    let counted = |n: usize| usize::try_from(operands.get(n)?.amount().known()?).ok();
    let in_vector = |n: usize| match &operands.get(n)?.kind {
        OperandKind::Vector(all) => Some(all.len()),
        OperandKind::Name(_) => Some(1),
        _ => None,
    };
    match size {
        AccessSize::Typed => {
            let lanes = words().find_map(|word| word.strip_prefix('v')?.parse::<usize>().ok());
            Some(scalar()?.bytes() * lanes.unwrap_or(1))
        }
        AccessSize::Fixed(bytes, _) => Some(bytes),
        AccessSize::Counted(n, _) | AccessSize::CountedAligned(n) => counted(n),
        AccessSize::CountedAlignedAtMost(n) if operands.len() == n + 1 => counted(n),
        // Four bytes of the matrices are in each register.
        AccessSize::MatrixRow => {
            let n = operands.iter().position(|it| !matches!(it.kind, OperandKind::Address(_)))?;
            Some(4 * in_vector(n)?)
        }
        AccessSize::Fragment(n) => {
            let register = if scalar() == Some(ScalarType::F64) { 8 } else { 4 };
            Some(register * in_vector(n)?)
        }
        AccessSize::CountedAlignedAtMost(_) | AccessSize::Aligned(_) | AccessSize::Unknown => None,
    }
}
