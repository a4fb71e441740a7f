//! How a body computes with the data of an access: the format in which an arithmetic instruction takes what is loaded,
//! has computed what is stored, or updates memory.
//!
//! Only straight-line code counts, so that every execution of the access computes this way.

use alloc::vec::Vec;

use ptx_isa::instruction::{Direction, Role};
use ptx_isa::ir::Type;
use ptx_isa::ir::body::Guard;
use ptx_isa::rules::Computed;
use ptx_isa::rules::format::ByteFormat;
use ptx_isa::sorted::SortedMap;
use ptx_isa::{Class, NumberFormat, PackedNumbers, ScalarType, Space};

use super::step::{Part, Step};
use super::steps;
use crate::findings::unit::Unit;
use crate::flow::effects::{Action, Jump};
use crate::flow::memory::MemoryOperand;
use crate::flow::node::{Node, Referent, Resolved};
use crate::flow::storage::{Choice, Storage};
use crate::values::location::Located;

/// The maximum number of nodes that are followed before or after an access.
const MOST_NODES: usize = 64;

/// Data of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Data {
    /// Zero, which is the same in every format.
    Zero,
    /// An integer, which is not meant as the bits of a floating-point number.
    Integer,
    /// Numbers in this format.
    Numbers(NumberFormat),
}

/// How a body computes with the data of its accesses.
#[derive(Debug)]
pub(crate) struct Computations<'n, 'a> {
    nodes: &'n [Node<'a>],
    steps: Vec<Option<Step<'a>>>,
    /// The accesses that were compared with all others, and whether others may be in the same format.
    compared: Vec<(Access, bool)>,
}

/// An access to storage with this index, in this state space if the body alone accesses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Access {
    storage: usize,
    private: Option<Space>,
    direction: Direction,
    format: NumberFormat,
}

impl<'n, 'a> Computations<'n, 'a> {
    pub(crate) fn of(nodes: &'n [Node<'a>], unit: Unit<'_, 'a>) -> Self {
        Self { nodes, steps: steps(nodes, unit, &SortedMap::new()), compared: Vec::new() }
    }

    /// Returns how the body computes with the data of this memory operand of a node, if the storage, which has this
    /// index and state space, certainly holds no such numbers otherwise. Only if the access has the type of floating-point
    /// numbers may other code be meant to write such numbers there.
    pub(crate) fn with(
        &mut self,
        at: usize,
        operand: &MemoryOperand<'a>,
        (storage, space): (usize, Option<Space>),
    ) -> Option<Computed> {
        let direction = operand.form.direction;
        let data = match direction {
            Direction::Read => match self.taken(at)? {
                Computed::Address => return Some(Computed::Address),
                Computed::Numbers(format) => Data::Numbers(format),
            },
            Direction::Write => self.stored(at)?,
            Direction::ReadWrite => self.updated(at)?,
            Direction::Cache | Direction::Taken => return None,
        };
        let Data::Numbers(format) = data else { return None };
        // Whoever launches the kernel writes and reads what is behind a pointer, and writes parameters.
        let private = space.filter(|space| matches!(space, Space::Shared | Space::Local));
        let access = Access { storage, private, direction, format };
        let known = self.compared.iter().find(|(other, _)| *other == access);
        let others = if let Some((_, others)) = known {
            *others
        } else {
            let others = self.is_also_used(access);
            self.compared.push((access, others));
            others
        };
        (!others).then_some(Computed::Numbers(format))
    }

    /// Whether it can matter how the body computes with the data of an operand: the storage may be declared to hold
    /// numbers of another type. In PTX text (`is_ptx`), an integer may be the bits of a floating-point number, and a
    /// floating-point number those of smaller numbers: nvcc loads a bit cast's result from what it declares as `.u32`.
    pub(crate) fn matter(
        operand: &MemoryOperand<'_>,
        located: &Located<'_>,
        (storage, is_ptx): (&Storage<'_>, bool),
    ) -> bool {
        let form = operand.form;
        // What is behind a pointer has a type in Rust only.
        let may_be_bits = is_ptx && !located.is_pointee;
        let is_float = form.ty.is_some_and(ScalarType::is_float);
        let is_half = form.direction == Direction::Read
            && form.space == Some(Space::Param)
            && operand.bytes.known() == Some(4);
        let is_access = match form.direction {
            Direction::Read => is_float || is_half,
            Direction::Write | Direction::ReadWrite => true,
            Direction::Cache | Direction::Taken => false,
        };
        let is_other =
            |scalar: &ScalarType| match (NumberFormat::of_scalar(*scalar), scalar.class()) {
                (Some(_), _) if may_be_bits => {
                    form.ty.is_some_and(|ty| ty != *scalar && ty.bytes() == scalar.bytes())
                }
                (Some(_), _) => form.ty != Some(*scalar),
                (None, Class::Signed | Class::Unsigned) => {
                    is_float && !may_be_bits || is_half && !is_float
                }
                (None, Class::Float | Class::Bits | Class::Predicate) => false,
            };
        let holds = |choice: &Choice<'_>| match choice.at(located.is_pointee).0.ty().element() {
            Type::Scalar(scalar) | Type::Vector(_, scalar) => is_other(scalar),
            Type::Struct(_) | Type::Unknown => true,
            Type::Array(..) | Type::Aligned(..) | Type::Family(..) | Type::Opaque(_) => false,
        };
        let mut choices = storage.choices.iter();
        let is_somewhere = if may_be_bits { choices.all(holds) } else { choices.any(holds) };
        form.role == Role::Data && is_access && is_somewhere
    }

    fn node(&self, at: usize) -> Option<(&'n Resolved<'a>, Option<&Step<'a>>)> {
        let resolved = self.nodes.get(at)?.instruction()?;
        Some((resolved, self.steps.get(at).and_then(Option::as_ref)))
    }

    /// Whether an access in the other direction may find or leave numbers in the format of this one: one that names
    /// the storage, or, if the body alone accesses it, one in its state space.
    fn is_also_used(&self, access: Access) -> bool {
        let Access { storage, private, direction, format } = access;
        let is_there = |resolved: &Resolved<'a>, operand: &MemoryOperand<'a>| {
            match resolved.find(operand.name.text) {
                Some(Referent::Storage(other)) => other == storage,
                // A generic address may be in any state space.
                _ => {
                    let is_access = operand.form.direction != Direction::Taken;
                    is_access && private.is_some() && [None, private].contains(&operand.form.space)
                }
            }
        };
        (0..self.nodes.len()).any(|at| {
            let Some((resolved, _)) = self.node(at) else { return false };
            let effects = &resolved.effects;
            if private.is_some() && (effects.calls || matches!(effects.action, Action::Multiply(_)))
            {
                return true;
            }
            let is_data = |operand: &&MemoryOperand<'_>| operand.form.role == Role::Data;
            let others = effects.memory.iter().filter(is_data);
            let mut others = others.filter(|operand| is_there(resolved, operand));
            others.any(|operand| {
                let data = match (operand.form.direction, direction) {
                    (Direction::Cache | Direction::Taken, _) => return false,
                    (other, direction) if other == direction => return false,
                    (Direction::Read, _) => match self.taken(at) {
                        Some(Computed::Numbers(format)) => Some(Data::Numbers(format)),
                        _ => typed(operand).map(Data::Numbers),
                    },
                    (Direction::Write, _) => self.stored(at),
                    (Direction::ReadWrite, _) => self.updated(at),
                };
                match data {
                    Some(Data::Zero | Data::Integer) => false,
                    Some(Data::Numbers(other)) => other == format,
                    // Others read what is not private, and expect the declared type.
                    None => private.is_some() || direction == Direction::Read,
                }
            })
        })
    }

    /// Returns how the only code after a load takes its result.
    fn taken(&self, at: usize) -> Option<Computed> {
        let (load, _) = self.node(at)?;
        let mut guard = load.effects.guard.as_deref();
        // Registers with the result, and whether it is the lower half of a number whose upper half is zero.
        let mut copies: Vec<(usize, bool)> =
            load.written.iter().map(|register| (*register, false)).collect();
        let mut at = at;
        for _ in 0..MOST_NODES {
            at += 1;
            let Node::Instruction(resolved) = self.nodes.get(at)? else { continue };
            let effects = &resolved.effects;
            let is_unguarded = effects.guard.is_none();
            match &effects.jump {
                Jump::Next if !effects.calls => {}
                Jump::To(_) if is_unguarded => {
                    at = resolved.target?;
                    continue;
                }
                Jump::Next | Jump::To(_) | Jump::Anywhere | Jump::Ends => return None,
            }
            let step = self.steps.get(at).and_then(Option::as_ref);
            let step = step.filter(|_| is_unguarded || is_same(guard, effects.guard.as_deref()));
            let copied = match step {
                Some(step) => {
                    let takes = |register| copies.contains(&(register, false));
                    if let Some(taken) = step.taken.iter().find(|taken| takes(taken.register)) {
                        return Some(Computed::Numbers(taken.numbers.format));
                    }
                    step.copied().filter(|(_, from, _)| takes(*from))
                }
                None => None,
            };
            let goes_to = |operand: &MemoryOperand<'a>| {
                let is_wide = matches!(operand.form.space, None | Some(Space::Global));
                is_wide
                    && operand.form.direction != Direction::Cache
                    && matches!(
                        resolved.find(operand.name.text),
                        Some(Referent::Register(register)) if copies.contains(&(register, true))
                    )
            };
            if is_unguarded && effects.memory.iter().any(goes_to) {
                return Some(Computed::Address);
            }
            copies.retain(|(register, _)| !resolved.written.contains(register));
            copies.extend(copied.map(|(to, _, is_widened)| (to, is_widened)));
            if copies.is_empty() {
                return None;
            }
            guard = guard.filter(|guard| !is_written(resolved, guard));
        }
        None
    }

    /// Returns what a store certainly writes: the first of several numbers that is not zero.
    fn stored(&self, at: usize) -> Option<Data> {
        let (_, step) = self.node(at)?;
        let (_, parts) = step?.stored.as_ref()?;
        let mut data = Data::Zero;
        for part in parts {
            match (self.part(at, part)?, data) {
                (of, Data::Zero) => data = of,
                (Data::Zero, _) => {}
                (of, other) if of == other => {}
                (_, _) => return None,
            }
        }
        Some(data)
    }

    fn updated(&self, at: usize) -> Option<Data> {
        let (_, step) = self.node(at)?;
        self.part(at, step?.updates.as_ref()?)
    }

    /// Returns the data in a part, which a node takes.
    fn part(&self, at: usize, part: &Part) -> Option<Data> {
        match part {
            Part::Integer(_) => Some(Data::Integer),
            Part::Bytes(bytes) => {
                if bytes.iter().all(|byte| byte.format == ByteFormat::Zero) {
                    return Some(Data::Zero);
                }
                let ByteFormat::Of(format, 0) = bytes.first()?.format else { return None };
                let is_of =
                    |byte: ByteFormat| matches!(byte, ByteFormat::Of(of, _) if of == format);
                bytes.iter().all(|byte| is_of(byte.format)).then_some(Data::Numbers(format))
            }
            Part::Register(register, 0, bytes) => self.computed(at, *register, *bytes),
            Part::Register(..) => None,
        }
    }

    /// Returns what the only code before a node computes in the lowest bytes of a register.
    fn computed(&self, before: usize, mut register: usize, bytes: usize) -> Option<Data> {
        let mut guard = self.node(before)?.0.effects.guard.as_deref();
        let mut at = before;
        for _ in 0..MOST_NODES {
            at = at.checked_sub(1)?;
            let resolved = match &self.nodes[at] {
                Node::Label(_) => return None,
                Node::Nothing => continue,
                Node::Instruction(resolved) => resolved,
            };
            guard = guard.filter(|guard| !is_written(resolved, guard));
            let effects = &resolved.effects;
            let is_unguarded = effects.guard.is_none();
            if !matches!(effects.jump, Jump::Next) && is_unguarded {
                return None;
            }
            if !resolved.written.contains(&register) {
                continue;
            }
            if !is_unguarded && !is_same(guard, effects.guard.as_deref()) {
                return None;
            }
            let step = self.steps.get(at).and_then(Option::as_ref)?;
            let [(Some(to), size)] = step.to.as_slice() else { return None };
            let [from] = step.from.as_slice() else { return None };
            let [part] = from.as_slice() else { return None };
            if *to != register || *size != bytes {
                return None;
            }
            let Part::Register(from, 0, count) = part else { return self.part(at, part) };
            if *count != bytes {
                return None;
            }
            register = *from;
        }
        None
    }
}

impl Step<'_> {
    /// Returns the register that receives a whole other one, that one, and whether zeros follow it.
    fn copied(&self) -> Option<(usize, usize, bool)> {
        let ([(Some(to), size)], [from]) = (self.to.as_slice(), self.from.as_slice()) else {
            return None;
        };
        match from.as_slice() {
            [Part::Register(from, 0, bytes)] if bytes == size => Some((*to, *from, false)),
            [Part::Register(from, 0, 4), Part::Bytes(rest)] if *size == 8 => {
                let is_zero =
                    rest.len() == 4 && rest.iter().all(|byte| byte.format == ByteFormat::Zero);
                is_zero.then_some((*to, *from, true))
            }
            _ => None,
        }
    }
}

/// The format of the type of an access, if that is of floating-point numbers.
fn typed(operand: &MemoryOperand<'_>) -> Option<NumberFormat> {
    PackedNumbers::from_name(operand.form.ty?.name()).map(|numbers| numbers.format)
}

fn is_same(one: Option<&Guard<'_>>, other: Option<&Guard<'_>>) -> bool {
    matches!((one, other), (Some(one), Some(other))
        if one.name.text == other.name.text && one.is_negated == other.is_negated)
}

/// Whether an instruction writes a guard's predicate.
fn is_written(resolved: &Resolved<'_>, guard: &Guard<'_>) -> bool {
    match resolved.find(guard.name.text) {
        Some(Referent::Register(register)) => resolved.written.contains(&register),
        Some(Referent::Storage(_) | Referent::Other) | None => false,
    }
}
