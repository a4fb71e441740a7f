//! What the instruction table says of an instruction, in words.

use ptx_isa::Target;
use ptx_isa::instruction::{
    BarrierEffect, Computes, Control, Direction, Group, InstructionTypes, Needs, OperandForm,
    OperandType, Order, Role, Row, TogetherEffect, needs,
};

use super::outline::{Outline, Statement};

/// An instruction, as far as it is written.
#[derive(Clone, Debug)]
pub(super) struct Written<'t> {
    /// The opcode.
    pub(super) opcode: &'t str,
    /// The modifiers, each with the separator before it.
    pub(super) modifiers: Vec<(&'static str, &'t str)>,
    /// Its row in the table.
    pub(super) row: Option<&'static Row>,
}

impl<'t> Written<'t> {
    /// The instruction in a statement, with the modifiers that start before an offset.
    pub(super) fn of(
        text: &'t str,
        outline: &Outline,
        statement: &Statement,
        before: usize,
    ) -> Option<Self> {
        let (opcode, end) = outline.opcode(text, statement)?;
        let modifiers = outline.tokens.get(opcode + 1..end)?.iter();
        let modifiers = modifiers.take_while(|token| token.start < before);
        let modifiers: Vec<(&'static str, &'t str)> = modifiers
            .map(|token| {
                let word = token.text(text);
                match word.strip_prefix("::") {
                    Some(word) => ("::", word),
                    None => (".", word.trim_start_matches('.')),
                }
            })
            .collect();
        let opcode = outline.tokens.get(opcode)?.text(text);
        Some(Self { opcode, row: Row::find(opcode, &modifiers), modifiers })
    }

    /// Whether this word is among the modifiers.
    pub(super) fn has(&self, word: &str) -> bool {
        self.modifiers.iter().any(|modifier| modifier.1 == word)
    }

    /// The modifiers without the dot before them, `shared::cta` as one.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for (separator, word) in &self.modifiers {
            match words.last_mut() {
                Some(last) if *separator == "::" => last.extend([separator, *word]),
                _ => words.push((*word).to_owned()),
            }
        }
        words
    }

    /// The opcode with its modifiers.
    pub(super) fn name(&self) -> String {
        let modifiers = self.modifiers.iter().map(|(separator, word)| [*separator, *word].concat());
        std::iter::once(self.opcode.to_owned()).chain(modifiers).collect()
    }

    /// What it does, in a sentence or two; empty if the table does not say.
    pub(super) fn does(&self) -> String {
        let Some(row) = self.row else { return String::new() };
        let computes = computes(row.computes);
        let mut all: Vec<String> = computes.map(str::to_owned).into_iter().collect();
        // What a load writes is what it reads.
        let is_plain = all.is_empty() || matches!(row.computes, Computes::Parameter);
        if is_plain {
            all.clear();
            all.extend(accesses(row));
        }
        let has = |word: &str| self.has(word);
        all.extend(row.effect(has).map(|it| effect(it).to_owned()));
        all.extend(row.order(has).and_then(order).map(str::to_owned));
        all.extend(row.together.map(|it| together(it).to_owned()));
        all.extend(control(row.control).map(str::to_owned));
        all.join(" ")
    }

    /// What it takes in each place, if the table says so: the name of the place and what stands there, and whether it may
    /// be left out.
    pub(super) fn operands(&self) -> Vec<Place> {
        let Some(row) = self.row else { return Vec::new() };
        let Some((_, types)) = row.operand_types(|word| self.has(word)) else { return Vec::new() };
        let most = row.count.map_or(types.len(), |(_, most)| most.min(types.len()));
        let least = row.count.map_or(most, |(least, _)| least);
        let written = InstructionTypes::of(&self.modifiers);
        let mut names = ["a", "b", "c", "e", "f", "g", "h"].into_iter();
        let place = |(n, ty): (usize, &OperandType)| {
            let is_result = n == 0 && row.has_result;
            let name = if is_result { "d" } else { names.next().unwrap_or("x") };
            let is_address = ty.is_address() == Some(true);
            Place {
                label: if is_address { format!("[{name}]") } else { name.to_owned() },
                what: what(*ty, &written, self.lanes().filter(|_| row.has_lanes)),
                is_optional: n >= least,
                ty: *ty,
            }
        };
        types.iter().take(most).enumerate().map(place).collect()
    }

    /// The number of elements that a modifier gives the operands.
    fn lanes(&self) -> Option<usize> {
        [("v2", 2), ("v4", 4), ("v8", 8)].iter().find(|(word, _)| self.has(word)).map(|it| it.1)
    }

    /// The versions and targets that it needs, each with the part that needs it.
    pub(super) fn needs(&self) -> Vec<(&'static str, Needs)> {
        needs(self.row, self.opcode, &self.modifiers, |_| None::<OperandForm>)
    }
}

/// What stands in a place of an instruction.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Its name, in brackets if it is an address: `[a]`.
    pub(super) label: String,
    /// What may stand there: `.f32, or wider`.
    pub(super) what: String,
    /// Whether it may be left out.
    pub(super) is_optional: bool,
    /// The entry of the table.
    pub(super) ty: OperandType,
}

/// What may stand in a place, for vectors of this many elements.
fn what(ty: OperandType, types: &InstructionTypes, lanes: Option<usize>) -> String {
    let wanted = ty.wanted(types, 0);
    let of_type = wanted.map(|wanted| {
        let name = wanted.ty.name();
        let wider = if wanted.is_relaxed { ", or wider" } else { "" };
        if wanted.any_kind {
            format!("{} bits{wider}", wanted.ty.bytes() * 8)
        } else {
            format!(".{name}{wider}")
        }
    });
    match (ty, of_type) {
        (OperandType::Address, _) => "an address".to_owned(),
        (OperandType::CoordinatesOf(_) | OperandType::Coordinates(_), Some(ty)) => {
            format!("an address with coordinates of {ty}")
        }
        (OperandType::MatrixDescriptor, _) => {
            "the descriptor of a matrix, or a part of it in braces".to_owned()
        }
        (OperandType::Fragment(_) | OperandType::Registers(_), Some(ty)) => {
            format!("registers of {ty}, in braces")
        }
        (_, Some(ty)) => match lanes {
            Some(lanes) => format!("{lanes} of {ty}, in braces"),
            None => ty,
        },
        (_, None) => "anything".to_owned(),
    }
}

/// What needs a version and a target: the newest version and architecture of all parts.
pub(super) fn requirements(all: &[(&'static str, Needs)], target: Target) -> Option<String> {
    let version = all.iter().map(|(_, needs)| needs.since_on(Some(target))).max()?;
    let arch = all.iter().map(|(_, needs)| needs.min_arch).max()?;
    let only = all.iter().map(|(_, needs)| needs.only).find(|only| !only.is_empty());
    let targets = match only {
        Some([one]) => format!("`{one}` alone"),
        Some(several) => {
            let names = several.iter().take(4).map(|it| format!("`{it}`"));
            let rest = if several.len() > 4 { ", .." } else { "" };
            format!("one of {}{rest}", names.collect::<Vec<_>>().join(", "))
        }
        None if arch <= 20 => "any target".to_owned(),
        None => format!("`sm_{arch}` or newer"),
    };
    let lacks = all.iter().find(|(_, needs)| !needs.has(target));
    let lacks = lacks.map(|(part, _)| format!(" (`{target}` lacks `{}`)", part.trim()));
    Some(format!("Needs PTX {version} and {targets}{}.", lacks.unwrap_or_default()))
}

/// What it does to memory.
fn accesses(row: &Row) -> Option<String> {
    let data = |direction: Direction| {
        row.addresses.iter().any(|it| it.direction == direction && it.role == Role::Data)
    };
    let first = row.addresses.first()?;
    let object = match first.role {
        Role::Data => "memory",
        Role::Map => "a tensor map",
        Role::Barrier => "an `mbarrier` object",
        Role::Texture => "a texture",
        Role::Surface => "a surface",
        Role::TensorMemory => "tensor memory",
    };
    if data(Direction::Write) && data(Direction::Read) {
        return Some("Copies memory, from the second address to the first.".to_owned());
    }
    Some(match first.direction {
        Direction::Read => format!("Reads {object}."),
        Direction::Write => format!("Writes {object}."),
        Direction::ReadWrite if first.role == Role::Data => {
            "Changes memory in one step, which no other thread sees in between.".to_owned()
        }
        Direction::ReadWrite => format!("Changes {object}."),
        Direction::Cache => {
            format!("Prefetches {object} into a cache, or changes how it is cached.")
        }
        Direction::Taken => return None,
    })
}

/// The number that it writes.
const fn computes(computes: Computes) -> Option<&'static str> {
    Some(match computes {
        Computes::Other => return None,
        Computes::Parameter => "Loads a value.",
        Computes::Copy => "Copies `a`.",
        Computes::Conversion => "Converts `a` to another type.",
        Computes::ToGeneric => "Makes a generic address of an address in a state space.",
        Computes::FromGeneric => "Makes an address in a state space of a generic address.",
        Computes::Remote => "The same address in another block of the cluster.",
        Computes::IsInSpace => "Whether a generic address is in a state space.",
        Computes::Sum => "The sum `a + b`.",
        Computes::Difference => "The difference `a - b`.",
        Computes::Product => "The product `a * b`.",
        Computes::ProductAndSum => "The product and sum `a * b + c`.",
        Computes::Remainder => "The remainder of `a / b`.",
        Computes::ShiftLeft => "`a` shifted left by `b` bits.",
        Computes::ShiftRight => "`a` shifted right by `b` bits; a signed one keeps its sign.",
        Computes::And => "The bitwise and of `a` and `b`.",
        Computes::Or => "The bitwise or of `a` and `b`.",
        Computes::ExclusiveOr => "The bitwise exclusive or of `a` and `b`.",
        Computes::Not => "The bitwise complement of `a`, or the negation of a predicate.",
        Computes::Selection => "`a` if the predicate `c` is true, and otherwise `b`.",
        Computes::Comparison => "Whether `a` compares with `b` as the modifier says.",
        Computes::Absolute => "The absolute value of `a`.",
        Computes::Negation => "`-a`.",
        Computes::HighProduct => "The upper half of the product `a * b`.",
        Computes::Product24 => "The product of the lowest 24 bits of `a` and `b`.",
        Computes::Product24AndSum => "The product of the lowest 24 bits of `a` and `b`, plus `c`.",
        Computes::SumOfDifference => "The absolute difference of `a` and `b`, plus `c`.",
        Computes::Quotient => "The quotient `a / b`.",
        Computes::Minimum => "The lesser of `a` and `b`.",
        Computes::Maximum => "The greater of `a` and `b`.",
        Computes::ExtractField => "The field of `a` from bit `b` on that has `c` bits.",
        Computes::InsertField => "`b` with `a` in the field from bit `c` on that has `e` bits.",
        Computes::Reversal => "The bits of `a` in reverse order.",
        Computes::Population => "The number of ones in `a`.",
        Computes::LeadingZeros => "The number of leading zeros of `a`.",
        Computes::FirstBit => "The position of the highest bit of `a` that differs from its sign.",
        Computes::IsZero => "1 if `a` is zero, and otherwise 0.",
        Computes::Table => "A bitwise operation on `a`, `b` and `c` that a truth table gives.",
        Computes::Permutation => "Four bytes of `a` and `b`, which `c` selects.",
        Computes::FunnelShift => "Half of `b` and `a` together, shifted by `c` bits.",
        Computes::SetByComparison => {
            "All ones or 1.0 if `a` compares with `b` as the modifier says."
        }
        Computes::SelectionBySign => "`a` if `c` is not negative, and otherwise `b`.",
        Computes::Shuffle => "`a` of another thread of the warp.",
        Computes::Vote => "A combination of the predicates of the warp's threads.",
        Computes::Election => "One of the threads that execute it together.",
    })
}

const fn effect(effect: BarrierEffect) -> &'static str {
    match effect {
        BarrierEffect::Arrive | BarrierEffect::MayArrive => "Arrives on an `mbarrier` object.",
        BarrierEffect::Invalidate => "Ends the use of an `mbarrier` object.",
        BarrierEffect::Init => "Initialises an `mbarrier` object with a number of arrivals.",
        BarrierEffect::Expect => "Makes an `mbarrier` object expect bytes.",
        BarrierEffect::ExpectAndArrive => "Makes an `mbarrier` object expect bytes, and arrives.",
        BarrierEffect::ExpectAndDrop => {
            "Makes an `mbarrier` object expect bytes, arrives, and leaves."
        }
        BarrierEffect::Wait => "Tests whether a phase of an `mbarrier` object is complete.",
        BarrierEffect::Complete => "Completes bytes that an `mbarrier` object expects.",
        BarrierEffect::Copy(_) => "The copied bytes complete on an `mbarrier` object.",
        BarrierEffect::CopyTile => "A tile of a tensor, which a tensor map describes.",
        BarrierEffect::Multiply => "Multiplies matrices in shared memory.",
    }
}

const fn order(order: Order) -> Option<&'static str> {
    Some(match order {
        // Loads and stores have it, too.
        Order::Threads | Order::Block => return None,
        Order::Initialisations => "Orders initialisations of `mbarrier` objects.",
        Order::Arrival => "Arrives at the barrier of the cluster.",
        Order::Proxies => "Orders accesses of the generic proxy and of others.",
        Order::Copy(Group::Copies) => "Asynchronous: `cp.async.wait_group` or `.wait_all` waits.",
        Order::Copy(Group::Bulk) => "Asynchronous: `cp.async.bulk.wait_group` waits.",
        Order::Commit(_) => "Makes a group of the copies so far.",
        Order::Wait(..) => "Waits until at most this many groups are pending.",
        Order::WaitAll(_) => "Waits for all copies, or has an `mbarrier` object track them.",
    })
}

const fn together(effect: TogetherEffect) -> &'static str {
    match effect {
        TogetherEffect::BlockArrive => "Arrives at a barrier of the block.",
        TogetherEffect::BlockSync => "Waits at a barrier for the threads of the block.",
        TogetherEffect::BlockReduce => "Waits for the block, and combines its predicates.",
        TogetherEffect::ClusterArrive => "Arrives at the barrier of the cluster.",
        TogetherEffect::ClusterWait => "Waits for the threads of the cluster.",
        TogetherEffect::Warp(_) => "The threads of the warp in the mask come together.",
        TogetherEffect::WarpgroupFence => "Orders registers before those of `wgmma`.",
        TogetherEffect::WarpgroupCommit => "Makes a group of the multiplications so far.",
        TogetherEffect::WarpgroupWait => "Waits until at most this many groups are pending.",
        TogetherEffect::WarpgroupMultiply => {
            "Asynchronous: `wgmma.wait_group` waits for the result."
        }
    }
}

const fn control(control: Control) -> Option<&'static str> {
    Some(match control {
        Control::Next => return None,
        Control::Jump => "Jumps to a label.",
        Control::JumpAnywhere => "Jumps to one of a list of labels.",
        Control::Ends => "Ends the thread.",
        Control::Returns => "Returns from the function, or ends the thread in a kernel.",
        Control::Call => "Calls a function.",
    })
}
