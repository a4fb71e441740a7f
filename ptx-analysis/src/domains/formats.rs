//! The number formats in registers: a forward data-flow analysis over the bytes of registers,
//! and checks of how instructions interpret them.
//!
//! A format is known if declared storage, a type or a conversion determines it, and only as long as bits are moved
//! unchanged. Anything else makes the contents of a register unknown, and unknown contents are never reported.

mod computed;
mod contents;
mod flow;
mod step;

#[cfg(test)]
mod tests;

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::NumberFormat;
use ptx_isa::instruction::{Direction, Order, Role};
use ptx_isa::ir::body::StatementKind;
use ptx_isa::rule::Arg;
use ptx_isa::rules::format::{ByteFormat, UsedNumbers};
use ptx_isa::rules::{self, Violation};
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::findings::report::BodyReport;
use crate::findings::unit::Unit;
use crate::flow::effects::Action;
use crate::flow::memory::MemoryOperand;
use crate::flow::node::{Node, Resolved};
use crate::flow::place::Place;
use crate::flow::storage::Storage;
use crate::values::claim;
use crate::values::location::Located;
use crate::values::state::State;
pub(crate) use computed::Computations;
use contents::{Contents, Source};
use flow::RegisterFile;
use step::{Declared, Step, UsedRegister};

/// The known formats, collected while instructions are checked in order.
#[derive(Debug)]
pub(crate) struct Formats {
    /// The nodes that control reaches, unless an unknown constant decides that.
    reached: SortedSet<usize>,
    /// The nodes that access storage declared as numbers of one format.
    declared: SortedMap<usize, Declared>,
    /// The storage that may contain bits other than those its declaration specifies.
    reused: SortedSet<Source>,
}

impl Formats {
    /// Creates an empty collection; `None` if no instruction interprets a register as a number whose format could be
    /// mistaken for another, or if the control flow is not known.
    pub(crate) fn of(nodes: &[Node<'_>], storages: &[Storage<'_>]) -> Option<Self> {
        let (mut takes_narrow, mut takes_any) = (false, false);
        for node in nodes {
            let Node::Instruction(resolved) = node else { continue };
            if resolved.is_lost() {
                return None;
            }
            takes_any |= resolved.effects.takes_numbers.is_some();
            takes_narrow |= resolved.effects.takes_numbers == Some(true);
        }
        let has_narrow = |storage: &Storage<'_>| {
            storage.choices.iter().any(|choice| {
                let types = [false, true].map(|is_pointee| choice.at(is_pointee).0.ty());
                types.into_iter().any(NumberFormat::is_narrow_in)
            })
        };
        let is_needed = takes_narrow || takes_any && storages.iter().any(has_narrow);
        is_needed.then(|| Self {
            reached: SortedSet::new(),
            declared: SortedMap::new(),
            reused: SortedSet::new(),
        })
    }

    /// Records the accesses of an instruction that control reaches.
    pub(crate) fn note<'a>(
        &mut self,
        (at, resolved): (usize, &Resolved<'a>),
        located: &[Option<Located<'a>>],
        storages: &[Storage<'a>],
        state: &State,
    ) {
        if resolved.effects.takes_numbers.is_some() && claim::conditions(&state.claims).is_empty() {
            self.reached.insert(at);
        }
        let copies = match (resolved.effects.order(), &resolved.effects.action) {
            (Some((Order::Copy(_), _)), _) | (_, Action::Copy(_) | Action::CopyTile(_)) => true,
            (_, _) => false,
        };
        // The destination of a copy comes before its source.
        let mut written: Option<(Source, Option<NumberFormat>)> = None;
        let mut brought: Option<NumberFormat> = None;
        for (operand, located) in resolved.effects.memory.iter().zip(located) {
            let Some(located) = located else { continue };
            let is_written = operand.form.direction != Direction::Read;
            match operand.form.role {
                Role::Data => {
                    let declared = declared(operand, located, storages);
                    let format = declared.map(|declared| declared.format);
                    match written {
                        None if copies && is_written => {
                            written = Some((source(located, storages), format));
                        }
                        _ => brought = brought.or(format),
                    }
                    if let Some(declared) = declared {
                        self.declared.entry(at).or_insert(declared);
                    }
                }
                Role::Map => brought = brought.or(copied_by(located, storages)),
                Role::Barrier | Role::Texture | Role::Surface | Role::TensorMemory => {}
            }
        }
        // An unknown source may contain other bits.
        if let Some((source, format)) = written
            && (brought.is_none() || brought != format)
        {
            self.reused.insert(source);
        }
    }

    /// Checks how registers are interpreted; `parameters` lists those that are parameters.
    pub(crate) fn settle<'a>(
        mut self,
        nodes: &[Node<'a>],
        (unit, parameters): (Unit<'_, 'a>, &[usize]),
        report: &mut BodyReport<'a>,
    ) {
        let Some(_) = self.reached.first() else { return };
        let steps = steps(nodes, unit, &self.declared);
        let mut registers = RegisterFile::default();
        for register in parameters {
            registers.set(*register, Rc::new(Contents::UNKNOWN));
        }
        let mut found = Vec::new();
        let known = flow::each_reached(nodes, &steps, registers, |at, resolved, registers| {
            let step = steps.get(at).and_then(Option::as_ref);
            if let Some((Some(declared), parts)) = step.and_then(|step| step.stored.as_ref())
                && !flow::bytes(parts, registers).iter().enumerate().all(|(n, byte)| {
                    byte.format == ByteFormat::Zero || byte.format == declared.byte(n).format
                })
            {
                self.reused.insert(declared.source);
            }
            if let Some(step) = step.filter(|_| self.reached.contains(&at)) {
                let taken = step.taken.iter();
                found.extend(taken.filter_map(|taken| Misfit::of(taken, resolved, registers)));
            }
        });
        if known.is_none() {
            return;
        }
        let mut reported = SortedSet::new();
        // For each operand, only the first mismatched register is reported, and each register once.
        let mut last = None;
        for misfit in found {
            let is_reused = misfit.sources.iter().any(|source| self.reused.contains(source));
            let allowances = report.allowances_with(misfit.allowed);
            if is_reused || report.is_allowed(misfit.violation.rule.code, &allowances) {
                continue;
            }
            let is_first = reported.insert((misfit.register, misfit.formats));
            let operand = (misfit.place.statement, misfit.operand);
            if is_first && last != Some(operand) {
                report.refuse(&misfit.violation, misfit.place);
                last = Some(operand);
            }
        }
    }
}

/// Returns the effect of each node on formats, if it does more than make them unknown. `declared` is what the storage
/// is declared to hold that a node accesses.
fn steps<'a>(
    nodes: &[Node<'a>],
    unit: Unit<'_, 'a>,
    declared: &SortedMap<usize, Declared>,
) -> Vec<Option<Step<'a>>> {
    let mut steps = vec![];
    let constants = unit.constants.values;
    for statement in unit.body.statements() {
        let step = match statement.kind() {
            StatementKind::Label => None,
            StatementKind::Instruction => {
                let Some(instruction) = statement.instruction(constants) else { continue };
                match nodes.get(steps.len()) {
                    Some(Node::Instruction(resolved)) => {
                        let declared = declared.get(&steps.len()).copied();
                        let step = Step::of(&instruction, resolved, declared);
                        (!step.is_nothing()).then_some(step)
                    }
                    Some(Node::Label(_) | Node::Nothing) | None => None,
                }
            }
            StatementKind::Open
            | StatementKind::Close
            | StatementKind::Declaration
            | StatementKind::Directive
            | StatementKind::Verbatim => continue,
        };
        steps.push(step);
    }
    steps
}

/// Returns the declared format of the storage that an operand accesses, if it is the same for every location.
fn declared<'a>(
    operand: &MemoryOperand<'a>,
    located: &Located<'a>,
    storages: &[Storage<'a>],
) -> Option<Declared> {
    let [choice] = storages[located.storage].choices.as_slice() else { return None };
    let object = choice.at(located.is_pointee).0;
    let offset = located.offset.offset().filter(|_| !choice.is_deferred)?;
    // The copy of a tile has at least 16 bytes.
    let bytes = operand.bytes.known().unwrap_or(LEAST_OF_TILE);
    let bytes = usize::try_from(bytes).ok()?;
    let place = ((offset.base, offset.step), located.offset.span());
    let (format, first) = NumberFormat::at(object.ty(), object.is_pointee(), place, bytes)?;
    Some(Declared { source: source(located, storages), format, first })
}

/// The minimum number of bytes in a tile row.
const LEAST_OF_TILE: i128 = 16;

/// The source that stands for dynamic shared memory.
const DYNAMIC: Source = (usize::MAX, false);

/// Returns the source that an operand accesses; all dynamic shared memory starts at the same address.
fn source(located: &Located<'_>, storages: &[Storage<'_>]) -> Source {
    match storages[located.storage].choices.as_slice() {
        [choice] if !located.is_pointee && choice.object.variable().is_dynamic() => DYNAMIC,
        [..] => (located.storage, located.is_pointee),
    }
}

/// Returns the format that a tensor map copies.
fn copied_by<'a>(located: &Located<'a>, storages: &[Storage<'a>]) -> Option<NumberFormat> {
    let [choice] = storages[located.storage].choices.as_slice() else { return None };
    let offset = located.offset.offset().filter(|offset| offset.step == 0)?;
    let at = usize::try_from(offset.base).ok()?;
    NumberFormat::copied_by(choice.at(located.is_pointee).0.ty(), at)
}

/// A register whose numbers have a different format from what an instruction expects.
struct Misfit<'n, 'a> {
    violation: Violation<'a>,
    place: Place,
    register: usize,
    operand: usize,
    /// The name of the format it contains, and of the expected one.
    formats: (Option<&'a str>, &'static str),
    /// The storage whose contents have to match its declaration.
    sources: Vec<Source>,
    allowed: &'n [usize],
}

impl<'n, 'a> Misfit<'n, 'a> {
    fn of(
        taken: &UsedRegister<'a>,
        resolved: &'n Resolved<'a>,
        registers: &RegisterFile,
    ) -> Option<Self> {
        let contents = registers.get(taken.register)?;
        let numbers = UsedNumbers {
            name: taken.name.text,
            holds: contents.formats(),
            taken: taken.numbers,
            role: taken.role,
        };
        let violation = rules::check_numbers(numbers).into_iter().next()?;
        let is = match violation.args[1] {
            Arg::Str(name) => Some(name),
            _ => None,
        };
        let taken_bytes = contents.0.iter().take(taken.numbers.bytes);
        Some(Self {
            violation,
            place: Place::new(resolved.effects.statement, taken.name.at()),
            register: taken.register,
            operand: taken.operand,
            formats: (is, taken.numbers.format.name()),
            sources: taken_bytes.filter_map(|byte| byte.source).collect(),
            allowed: &resolved.allowed,
        })
    }
}
