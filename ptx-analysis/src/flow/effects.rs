//! The effects of an instruction on registers, memory and control flow.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::instruction::{
    BarrierEffect, COMPLETES, Computes, Control, Formats, NON_COHERENT, ORDERED, Order, Role, Row,
    spaces,
};
use ptx_isa::ir;
use ptx_isa::ir::body::{Amount, Guard, Instruction, Name, Operand, OperandKind};
use ptx_isa::rules::TensorMode;
use ptx_isa::{NumberFormat, PackedNumbers, Space};

use crate::flow::expression::{Expression, note_names};
use crate::flow::memory::MemoryOperand;
use crate::flow::place::Place;
use crate::flow::surface::SurfaceAccess;
use crate::flow::tensor::{coordinates, inside, offsets, tensor};
use crate::flow::together::{Count, Together};

/// The tracked effects of an instruction.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // each is so, or not
pub(crate) struct Effects<'a> {
    /// The statement index.
    pub(crate) statement: usize,
    /// Its guard predicate.
    pub(crate) guard: Option<Box<Guard<'a>>>,
    /// Whether it writes its destination even if its guard is false.
    pub(crate) ignores_guard: bool,
    /// The registers that it writes.
    pub(crate) writes: Box<[Name<'a>]>,
    /// The value that it writes, if it writes only one register.
    pub(crate) value: Expression<'a>,
    /// The registers that it uses as something other than a number or an address, and as what.
    pub(crate) takes: Box<[(Name<'a>, &'static str)]>,
    /// Its memory operands.
    pub(crate) memory: Box<[MemoryOperand<'a>]>,
    /// Whether it reads memory that must not be written while the kernel runs.
    pub(crate) is_non_coherent: bool,
    /// Whether it interprets registers as numbers of a format, and if so, whether any is narrower than 32 bits.
    pub(crate) takes_numbers: Option<bool>,
    /// Its effect on mbarriers and matrices.
    pub(crate) action: Action<'a>,
    /// Whether it only moves register contents.
    pub(crate) is_copy: bool,
    /// Its control flow.
    pub(crate) jump: Jump<'a>,
    /// Whether it calls a function.
    pub(crate) calls: bool,
    /// Rare effects.
    rare: Option<Box<Rare<'a>>>,
}

/// Rare effects, stored out of line because most instructions have none.
#[derive(Debug, Default)]
struct Rare<'a> {
    /// The value written to one of several registers, if it is half of a number: `mov.b64 {%low, %high}, %both;`.
    lower: Option<(Name<'a>, Expression<'a>)>,
    /// The ordering it establishes, and how many groups a wait leaves pending.
    order: Option<(Order, Amount)>,
    /// The byte offset into a surface row that it accesses, if a coordinate counts bytes.
    surface: Option<SurfaceAccess<'a>>,
    /// The names in addresses of tensor memory.
    tensor: Vec<Name<'a>>,
    /// Its collective behaviour.
    together: Option<Together<'a>>,
    /// The call, if it names a function of the module, with its arguments.
    call: Option<Call<'a>>,
}

impl Rare<'_> {
    /// Boxes the effects, if there are any.
    fn kept(self) -> Option<Box<Self>> {
        let Self { lower, order, surface, tensor, together, call } = &self;
        let is_any = lower.is_some()
            || order.is_some()
            || surface.is_some()
            || !tensor.is_empty()
            || together.is_some()
            || call.is_some();
        is_any.then(|| Box::new(self))
    }
}

/// A direct call of a function.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    /// The index of the function.
    pub(crate) index: usize,
    pub(crate) function: &'a ir::Function<'a>,
    /// The arguments and their places.
    pub(crate) arguments: Vec<(Expression<'a>, Place)>,
    /// Whether the call certainly returns.
    pub(crate) returns: bool,
}

/// The control flow after an instruction.
#[derive(Debug)]
pub(crate) enum Jump<'a> {
    /// To the next instruction.
    Next,
    /// To this label, or, if guarded and false, to the next instruction.
    To(Box<Name<'a>>),
    /// To any label.
    Anywhere,
    /// The thread exits, or the function returns.
    Ends,
}

/// The effect of an instruction on mbarriers and matrices.
#[derive(Debug)]
pub(crate) enum Action<'a> {
    /// Nothing.
    None,
    /// It arrives this many times on the mbarrier in its first operand in brackets; `None` if the count is unknown
    /// or something else may complete a phase.
    Arrive(Option<Box<Expression<'a>>>),
    /// It invalidates that mbarrier.
    Invalidate,
    /// It initialises that mbarrier for this many arrivals.
    Init(Box<Count<'a>>),
    /// It adds this many bytes to that mbarrier's expected transactions, and may arrive after that.
    Expect(Box<Count<'a>>),
    /// It tests whether a phase of that mbarrier is complete: the one with this parity or state.
    Wait(Option<Box<Expression<'a>>>),
    /// It completes transactions of its mbarrier by itself.
    Complete,
    /// It copies this many bytes, which complete on its mbarrier.
    Copy(Box<Expression<'a>>),
    /// It copies a tile, which completes on the mbarrier in its last operand in brackets, or on none.
    CopyTile(Box<TileCopy<'a>>),
    /// It multiplies matrices in shared memory.
    Multiply(Vec<Matrix<'a>>),
}

/// A copy of a tile.
#[derive(Debug)]
pub(crate) struct TileCopy<'a> {
    /// The indices of the operands in brackets that are the tile and the map.
    pub(crate) operands: Option<(usize, usize)>,
    /// Whether its last operand is an mbarrier.
    pub(crate) completes: bool,
    /// Whether it is a multicast to several blocks.
    pub(crate) is_multicast: bool,
    /// The coordinate along the innermost dimension.
    pub(crate) first: Option<Count<'a>>,
    /// The halo, if there is one.
    pub(crate) halo: Amount,
}

/// A matrix that an instruction reads through a descriptor.
#[derive(Debug)]
pub(crate) struct Matrix<'a> {
    /// The register with the descriptor.
    pub(crate) name: Name<'a>,
    /// The place of the name.
    pub(crate) place: Place,
    /// Whether the matrix is transposed.
    pub(crate) is_transposed: bool,
    /// The type of its elements.
    pub(crate) element: Option<&'a str>,
    /// The number of its rows, or of columns for the second matrix.
    pub(crate) rows: usize,
}

impl<'a> Effects<'a> {
    /// Derives the effects of the instruction in this statement.
    pub(crate) fn of(instruction: &Instruction<'a>, statement: usize) -> Self {
        let control = instruction.row.map_or(Control::Next, |row| row.control);
        let jump = match (control, instruction.operands.first().and_then(Operand::name)) {
            (Control::Jump, Some(name)) => Jump::To(Box::new(name)),
            (Control::Jump, None) | (Control::JumpAnywhere, _) => Jump::Anywhere,
            (Control::Ends | Control::Returns, _) => Jump::Ends,
            (Control::Next | Control::Call, _) => Jump::Next,
        };
        let mut writes = Vec::new();
        let first = instruction.operands.first();
        let taken = instruction.row.map_or(&[][..], |row| row.takes);
        let takes_first = taken.iter().any(|(n, _)| *n == 0);
        if let (Jump::Next | Jump::Ends, Some(first), false) = (&jump, first, takes_first) {
            note_names(first, &mut writes);
        }
        let register = |(n, taken_for): &(usize, &'static str)| {
            Some((instruction.operands.get(*n)?.name()?, *taken_for))
        };
        // Vector elements are not tracked.
        let has_one = matches!(
            first.map(|first| &first.kind),
            Some(OperandKind::Name(name)) if name.element.is_empty()
        );
        let ignores_guard = Expression::ignores_guard(instruction);
        let value = if let (Control::JumpAnywhere, Some(index)) = (control, first) {
            Expression::of(index)
        } else if has_one && !ignores_guard {
            Expression::written(instruction)
        } else {
            Expression::made(instruction.operands.get(1..).unwrap_or_default())
        };
        Self {
            statement,
            guard: instruction.guard.map(Box::new),
            ignores_guard,
            // Collecting into an exact allocation avoids gaps between long-lived ones.
            writes: writes.as_slice().into(),
            value,
            takes: taken.iter().filter_map(register).collect(),
            memory: MemoryOperand::all(instruction, statement).into(),
            is_non_coherent: instruction.has(NON_COHERENT),
            takes_numbers: takes_numbers(instruction),
            action: Action::of(instruction, statement),
            is_copy: instruction.row.is_some_and(|row| row.computes == Computes::Copy),
            jump,
            calls: control == Control::Call,
            rare: Rare {
                lower: Expression::lower_half(instruction),
                order: order(instruction),
                surface: SurfaceAccess::of(instruction, statement),
                tensor: in_tensor_memory(instruction),
                together: Together::of(instruction, statement),
                call: None,
            }
            .kept(),
        }
    }

    /// Returns the value written to one of several registers, if it is half of a number.
    pub(crate) fn lower(&self) -> Option<&(Name<'a>, Expression<'a>)> {
        self.rare.as_ref()?.lower.as_ref()
    }

    /// Returns the ordering it establishes, and how many groups a wait leaves pending.
    pub(crate) fn order(&self) -> Option<(Order, Amount)> {
        self.rare.as_ref()?.order
    }

    /// Returns the byte offset into a surface row that it accesses, if a coordinate counts bytes.
    pub(crate) fn surface(&self) -> Option<&SurfaceAccess<'a>> {
        self.rare.as_ref()?.surface.as_ref()
    }

    /// Returns its collective behaviour.
    pub(crate) fn together(&self) -> Option<&Together<'a>> {
        self.rare.as_ref()?.together.as_ref()
    }

    /// Returns the call, if it names a function of the module, with its arguments.
    pub(crate) fn call(&self) -> Option<&Call<'a>> {
        self.rare.as_ref()?.call.as_ref()
    }

    /// Sets the call.
    pub(crate) fn set_call(&mut self, call: Option<Call<'a>>) {
        let rare = self.rare.take().map_or_else(Rare::default, |rare| *rare);
        self.rare = Rare { call, ..rare }.kept();
    }

    /// Whether it has no tracked effects, as most instructions without operands.
    pub(crate) fn is_nothing(&self) -> bool {
        let is_named = !self.writes.is_empty() || !self.takes.is_empty() || self.guard.is_some();
        let is_made = match &self.value {
            Expression::Made(names) => !names.is_empty(),
            _ => true,
        };
        let acts = !matches!((&self.action, &self.jump), (Action::None, Jump::Next));
        let reads = !self.memory.is_empty() || self.is_non_coherent;
        !(is_named || is_made || acts || reads || self.calls || self.rare.is_some())
    }

    /// Calls `note` with every name that matters to it.
    pub(crate) fn each_name(&self, note: &mut impl FnMut(Name<'a>)) {
        self.writes.iter().for_each(|name| note(*name));
        self.value.each_name(note);
        if let Some((name, value)) = self.lower() {
            note(*name);
            value.each_name(note);
        }
        self.takes.iter().for_each(|(name, _)| note(*name));
        for operand in &self.memory {
            note(operand.name);
            for value in operand.index.iter().chain(&operand.written) {
                value.each_name(note);
            }
        }
        self.guard.iter().for_each(|guard| note(guard.name));
        for (value, _) in self.call().iter().flat_map(|call| &call.arguments) {
            value.each_name(note);
        }
        self.surface().iter().for_each(|surface| surface.coordinate.0.each_name(note));
        self.rare.iter().flat_map(|rare| &rare.tensor).for_each(|name| note(*name));
        self.together().iter().for_each(|together| together.each_name(note));
        match &self.action {
            Action::Multiply(matrices) => matrices.iter().for_each(|matrix| note(matrix.name)),
            Action::CopyTile(copy) => {
                if let Some((value, _)) = &copy.first {
                    value.each_name(note);
                }
            }
            Action::Init(count) | Action::Expect(count) => count.0.each_name(note),
            Action::Copy(value) | Action::Arrive(Some(value)) | Action::Wait(Some(value)) => {
                value.each_name(note);
            }
            Action::None
            | Action::Arrive(None)
            | Action::Invalidate
            | Action::Wait(None)
            | Action::Complete => {}
        }
    }
}

/// Returns the function name in a call.
pub(crate) fn named_function<'a>(instruction: &Instruction<'a>) -> Option<Name<'a>> {
    let is_name = |operand: &&Operand<'_>| matches!(operand.kind, OperandKind::Name(_));
    instruction.operands.iter().find(is_name).and_then(Operand::name)
}

/// Returns the names in addresses of tensor memory.
fn in_tensor_memory<'a>(instruction: &Instruction<'a>) -> Vec<Name<'a>> {
    let addresses = instruction.row.map_or(&[][..], |row| row.addresses);
    if !addresses.iter().any(|address| address.role == Role::TensorMemory) {
        return Vec::new();
    }
    let inner = instruction.operands.iter().filter_map(|operand| match &operand.kind {
        OperandKind::Address(inner) => inner.first(),
        _ => None,
    });
    let name = |operand: &Operand<'a>| match &operand.kind {
        OperandKind::Name(name) | OperandKind::Offset(name, ..) => Some(*name),
        _ => None,
    };
    inner.filter_map(name).collect()
}

/// Whether an instruction interprets registers as numbers of a format, and if so, whether as narrow ones.
fn takes_numbers(instruction: &Instruction<'_>) -> Option<bool> {
    if matches!(instruction.row?.formats, Formats::Bits) {
        return None;
    }
    let words = instruction.modifiers.iter().map(|modifier| modifier.word);
    let mut formats = words.filter_map(PackedNumbers::from_name).map(|numbers| numbers.format);
    let first = formats.next()?;
    Some(first.is_narrow() || formats.any(NumberFormat::is_narrow))
}

impl<'a> Action<'a> {
    fn of(instruction: &Instruction<'a>, statement: usize) -> Self {
        let operands = &instruction.operands;
        let count = || {
            let last = operands.last()?;
            Some((Expression::of(last), Place::new(statement, last.at?)))
        };
        let has = |word: &str| instruction.has(word);
        // The operands after the mbarrier.
        let after = || {
            let is_address =
                |operand: &Operand<'_>| matches!(operand.kind, OperandKind::Address(_));
            let at = operands.iter().position(is_address)?;
            operands.get(at + 1).map(|operand| Box::new(Expression::of(operand)))
        };
        match instruction.row.and_then(|row| Some((row, row.effect(has)?))) {
            Some((_, BarrierEffect::Arrive)) => {
                let once = || Box::new(Expression::Amount(Amount::Known(1)));
                Self::Arrive(Some(after().unwrap_or_else(once)))
            }
            Some((_, BarrierEffect::MayArrive)) => Self::Arrive(None),
            Some((_, BarrierEffect::Invalidate)) => Self::Invalidate,
            Some((_, BarrierEffect::Init)) => {
                count().map_or(Self::Arrive(None), |count| Self::Init(Box::new(count)))
            }
            Some((
                _,
                BarrierEffect::Expect
                | BarrierEffect::ExpectAndArrive
                | BarrierEffect::ExpectAndDrop,
            )) => count().map_or(Self::Arrive(None), |count| Self::Expect(Box::new(count))),
            Some((_, BarrierEffect::Wait)) => Self::Wait(after()),
            Some((_, BarrierEffect::Complete)) => Self::Complete,
            Some((_, BarrierEffect::Copy(bytes))) => {
                // A copy from another block's shared memory may complete on an mbarrier there.
                let pairs = instruction.pairs();
                let is_here = !spaces(&pairs).eq([Space::Shared, Space::Shared]);
                let is_known = is_here && !has("multicast");
                let bytes = operands.get(bytes).filter(|_| is_known);
                Self::Copy(Box::new(bytes.map_or(Expression::UNKNOWN, Expression::of)))
            }
            Some((_, BarrierEffect::CopyTile)) => {
                Self::CopyTile(Box::new(TileCopy::of(instruction, statement)))
            }
            Some((row, BarrierEffect::Multiply)) => {
                Self::Multiply(matrices(row, instruction, statement))
            }
            None if has(COMPLETES) => Self::Copy(Box::new(Expression::UNKNOWN)),
            None => Self::None,
        }
    }
}

/// Returns the ordering an instruction establishes, and how many groups a wait leaves pending.
fn order(instruction: &Instruction<'_>) -> Option<(Order, Amount)> {
    let row = instruction.row?;
    let amount = |n: usize| instruction.operands.get(n).map_or(Amount::Unknown, Operand::amount);
    match row.order(|word| instruction.has(word)) {
        Some(order @ Order::Wait(_, n)) => Some((order, amount(n))),
        Some(order) => Some((order, Amount::Unknown)),
        // A flag that other threads wait for, or one that they set.
        None => {
            let is_access = row.addresses.iter().any(|address| address.role == Role::Data);
            let is_flag = is_access && ORDERED.iter().any(|word| instruction.has(word));
            is_flag.then_some((Order::Threads, Amount::Unknown))
        }
    }
}

impl<'a> TileCopy<'a> {
    fn of(instruction: &Instruction<'a>, statement: usize) -> Self {
        let pairs = instruction.pairs();
        let is_load = spaces(&pairs).next() == Some(Space::Shared);
        let first = coordinates(instruction).and_then(|group| inside(group).first());
        let mode = tensor(&pairs).map(|(_, mode)| mode);
        let is_wide = matches!(mode, Some(TensorMode::Im2colW | TensorMode::Im2colW128));
        Self {
            operands: match (instruction.has("prefetch"), is_load) {
                (true, _) => None,
                (false, true) => Some((0, 1)),
                (false, false) => Some((1, 0)),
            },
            completes: instruction.has(COMPLETES),
            is_multicast: instruction.has("multicast"),
            first: first
                .and_then(|first| Some((Expression::of(first), Place::new(statement, first.at?)))),
            halo: match offsets(instruction) {
                Some(group) if is_wide => {
                    inside(group).first().map_or(Amount::Unknown, Operand::amount)
                }
                Some(_) | None => Amount::Known(0),
            },
        }
    }
}

/// Returns the matrices of `wgmma.mma_async`: `{d}, a, b, scale-d, scale-a, scale-b, trans-a, trans-b`,
/// where `a` may be registers, which have no transpose flag.
fn matrices<'a>(row: &Row, instruction: &Instruction<'a>, statement: usize) -> Vec<Matrix<'a>> {
    let operands = &instruction.operands;
    let named = |n: &usize| Some((*n, operands.get(*n)?.name()?));
    // The transpose flags follow the scales, one for each matrix in memory.
    let flags = operands.iter().skip(6).map(|operand| operand.amount().known());
    let flags = flags.chain(core::iter::repeat(None));
    // `.m64n256k16.f32.bf16.bf16`: the shape, and the types of the product and of both factors.
    let shape = instruction.modifiers.iter().position(|it| it.word.starts_with("m64n"));
    let word = |n: usize| {
        shape.and_then(|shape| instruction.modifiers.get(shape + n)).map(|modifier| modifier.word)
    };
    let columns = word(0).and_then(|shape| shape.strip_prefix("m64n")?.split('k').next());
    let columns = columns.and_then(|columns| columns.parse().ok()).unwrap_or(0);
    let matrix = |((n, name), flag): ((usize, Name<'a>), Option<i128>)| Matrix {
        name,
        place: Place::new(statement, name.at()),
        is_transposed: flag.is_some_and(|flag| flag != 0),
        element: word(n + 1),
        rows: if n == 1 { 64 } else { columns },
    };
    row.descriptors.iter().filter_map(named).zip(flags).map(matrix).collect()
}

#[cfg(test)]
mod tests;
