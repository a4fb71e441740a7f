//! The number that an instruction writes, as an expression of its operands.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::instruction::{Computes, spaces};
use ptx_isa::ir::body::{Amount, Instruction, Name, Operand, OperandKind};
use ptx_isa::rules::Comparison;
use ptx_isa::{ScalarType, Space, special};

/// A number in a register or an operand.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expression<'a> {
    /// The value of this name.
    Name(Name<'a>),
    /// This number.
    Amount(Amount),
    /// An element of a special register: `%tid.x`.
    Special(Name<'a>),
    /// The address of an array element, by its index.
    Element(Box<(Name<'a>, Expression<'a>)>),
    /// The value of a parameter, loaded with this size in bytes.
    Param(Box<(Name<'a>, Amount, usize)>),
    /// A sum of this width in bits.
    Add(Box<[Expression<'a>; 2]>, u32),
    /// A difference.
    Subtract(Box<[Expression<'a>; 2]>, u32),
    /// A product of this width in bits.
    Multiply(Box<[Expression<'a>; 2]>, u32),
    /// A left shift of this width in bits.
    ShiftLeft(Box<[Expression<'a>; 2]>, u32),
    /// A right shift of this width in bits, signed or not.
    ShiftRight(Box<[Expression<'a>; 2]>, u32, bool),
    /// The remainder of a division by the second, of this width in bits, signed or not.
    Remainder(Box<[Expression<'a>; 2]>, u32, bool),
    /// Bitwise AND of this width.
    And(Box<[Expression<'a>; 2]>, u32),
    /// Bitwise OR of this width.
    Or(Box<[Expression<'a>; 2]>, u32),
    /// Bitwise XOR of this width.
    ExclusiveOr(Box<[Expression<'a>; 2]>, u32),
    /// Another operation on numbers of this width, signed or not.
    Operation(Computes, Box<[Expression<'a>]>, u32, bool),
    /// The first if the predicate holds, otherwise the second.
    Select(Box<[Expression<'a>; 2]>, Box<Expression<'a>>),
    /// The result of a comparison of this width, signed or not.
    Compare(Box<[Expression<'a>; 2]>, Comparison, u32, bool),
    /// One for zero, and zero for everything else.
    Not(Box<Expression<'a>>),
    /// Two 32-bit halves, the lower first.
    Halves(Box<[Expression<'a>; 2]>),
    /// An address in a state space, converted to a generic one.
    ToGeneric(Space, Box<Expression<'a>>),
    /// A generic address, converted to one in a state space.
    FromGeneric(Space, Box<Expression<'a>>),
    /// Whether a generic address lies in a state space.
    IsInSpace(Space, Box<Expression<'a>>),
    /// A number truncated to this width.
    Narrow(Box<Expression<'a>>, u32),
    /// A number extended from this width, signed or not.
    Extend(Box<Expression<'a>>, u32, bool),
    /// The same address in the cluster's block of this rank.
    Remote(Box<[Expression<'a>; 2]>),
    /// Computed from these names in a way that is not tracked.
    Made(Box<[Name<'a>]>),
}

impl<'a> Expression<'a> {
    /// An unknown number.
    pub(crate) const UNKNOWN: Self = Self::Amount(Amount::Unknown);

    /// Returns an operand that is a name, a number, or a sum of both.
    pub(crate) fn of(operand: &Operand<'a>) -> Self {
        match &operand.kind {
            OperandKind::Not(inner) => Self::Not(Box::new(Self::of(inner))),
            OperandKind::Name(name) if name.element.is_empty() => Self::Name(*name),
            OperandKind::Name(name) if special::is_special(name.text) => Self::Special(*name),
            OperandKind::Offset(name, amount, _) if name.element.is_empty() => {
                Self::Add(Box::new([Self::Name(*name), Self::Amount(*amount)]), 64)
            }
            OperandKind::Element(name, index) if name.element.is_empty() => {
                Self::Element(Box::new((*name, Self::of(index))))
            }
            _ => Self::Amount(operand.amount()),
        }
    }

    /// Returns an untracked expression of these operands.
    pub(crate) fn made(operands: &[Operand<'a>]) -> Self {
        let mut names = Vec::new();
        for operand in operands {
            note_names(operand, &mut names);
        }
        Self::Made(names.as_slice().into())
    }

    /// Returns the number that an instruction writes to its only destination register.
    pub(crate) fn written(instruction: &Instruction<'a>) -> Self {
        let operands = instruction.operands.get(1..).unwrap_or_default();
        followed(instruction, operands).unwrap_or_else(|| Self::made(operands))
    }

    /// Returns the register that receives the lower half of 64 bits, and that half.
    pub(crate) fn lower_half(instruction: &Instruction<'a>) -> Option<(Name<'a>, Self)> {
        let [Operand { kind: OperandKind::Vector(halves), .. }, whole] =
            instruction.operands.as_slice()
        else {
            return None;
        };
        let is_copy = instruction.row.is_some_and(|row| row.computes == Computes::Copy);
        let is_whole = types(instruction).next_back().is_some_and(|ty| bits_of(ty) == 64);
        match halves.as_slice() {
            [low, _] if is_copy && is_whole => {
                let low = low.name().filter(|low| low.text != "_" && low.element.is_empty())?;
                Some((low, Self::Narrow(Box::new(Self::of(whole)), 32)))
            }
            [..] => None,
        }
    }

    /// Whether an instruction writes its destination even if its guard is false: ptxas of CUDA 12.9 and 13.0
    /// splits `set` from 16 to 32 bits into a comparison and a sign extension, and guards only the former.
    pub(crate) fn ignores_guard(instruction: &Instruction<'a>) -> bool {
        let is_set = instruction.row.is_some_and(|row| row.computes == Computes::SetByComparison);
        let mut bytes = types(instruction).map(ScalarType::bytes);
        instruction.guard.is_some() && is_set && (bytes.next(), bytes.next()) == (Some(4), Some(2))
    }

    /// Calls `note` with every name in it.
    pub(crate) fn each_name(&self, note: &mut impl FnMut(Name<'a>)) {
        match self {
            Self::Name(name) => note(*name),
            Self::Param(loaded) => note(loaded.0),
            Self::Amount(_) | Self::Special(_) => {}
            Self::Element(element) => {
                let (name, index) = &**element;
                note(*name);
                index.each_name(note);
            }
            Self::Add(two, _)
            | Self::Subtract(two, _)
            | Self::Multiply(two, _)
            | Self::ShiftLeft(two, _)
            | Self::ShiftRight(two, ..)
            | Self::Remainder(two, ..)
            | Self::And(two, _)
            | Self::Or(two, _)
            | Self::ExclusiveOr(two, _)
            | Self::Compare(two, ..)
            | Self::Halves(two)
            | Self::Remote(two) => two.iter().for_each(|value| value.each_name(note)),
            Self::ToGeneric(_, one)
            | Self::FromGeneric(_, one)
            | Self::IsInSpace(_, one)
            | Self::Narrow(one, _)
            | Self::Extend(one, ..)
            | Self::Not(one) => one.each_name(note),
            Self::Select(two, third) => {
                two.iter().for_each(|value| value.each_name(note));
                third.each_name(note);
            }
            Self::Operation(_, operands, ..) => {
                for value in operands {
                    value.each_name(note);
                }
            }
            Self::Made(names) => names.iter().for_each(|name| note(*name)),
        }
    }
}

/// Collects the names in an operand that may be registers.
pub(crate) fn note_names<'a>(operand: &Operand<'a>, names: &mut Vec<Name<'a>>) {
    operand.each_name(&mut |name| {
        if name.text != "_" {
            names.push(name);
        }
    });
}

/// Returns the scalar types among the modifiers of an instruction, in order.
fn types(instruction: &Instruction<'_>) -> impl DoubleEndedIterator<Item = ScalarType> {
    let words = instruction.modifiers.iter().filter(|modifier| !modifier.is_sub);
    words.filter_map(|modifier| ScalarType::from_name(modifier.word))
}

fn bits_of(ty: ScalarType) -> u32 {
    // All types are small enough.
    u32::try_from(ty.bytes() * 8).unwrap_or_default()
}

fn followed<'a>(instruction: &Instruction<'a>, operands: &[Operand<'a>]) -> Option<Expression<'a>> {
    let computes = instruction.row?.computes;
    let has = |word: &str| {
        instruction.modifiers.iter().any(|modifier| !modifier.is_sub && modifier.word == word)
    };
    let is_predicate =
        instruction.modifiers.last().is_some_and(|it| !it.is_sub && it.word == "pred");
    let last = types(instruction).next_back();
    let bits = match last {
        _ if is_predicate => 1,
        Some(ty) => bits_of(ty),
        None => 64,
    };
    let is_signed = last.is_some_and(ScalarType::is_signed);
    match (computes, operands) {
        (Computes::Parameter, [from, ..]) => return parameter(instruction, from),
        (Computes::Copy, [Operand { kind: OperandKind::Vector(halves), .. }]) => {
            return match halves.as_slice() {
                [low, high] if bits == 64 => {
                    Some(Expression::Halves(Box::new([Expression::of(low), Expression::of(high)])))
                }
                [..] => None,
            };
        }
        (_, _) => {}
    }
    // Packed numbers, and saturating ones.
    if types(instruction).any(|ty| ty.is_float() || ty.name().contains('x')) || has("sat") {
        return None;
    }
    let one = || operands.first().map(|one| Box::new(Expression::of(one)));
    let two = || match operands {
        [one, other, ..] => Some(Box::new([Expression::of(one), Expression::of(other)])),
        [..] => None,
    };
    let is_wide = has("wide");
    let product = || {
        let two = two()?;
        if !is_wide {
            return has("lo").then_some(Expression::Multiply(two, bits));
        }
        let extend = |one| Expression::Extend(Box::new(one), bits, is_signed);
        Some(Expression::Multiply(Box::new((*two).map(extend)), bits * 2))
    };
    let space = || spaces(&instruction.pairs()).next();
    match (computes, operands) {
        (Computes::Copy, [one]) => Some(match bits {
            1 | 64.. => Expression::of(one),
            bits => Expression::Narrow(Box::new(Expression::of(one)), bits),
        }),
        (Computes::Conversion, [one]) => conversion(instruction, one),
        (Computes::ToGeneric, [_]) => Some(Expression::ToGeneric(space()?, one()?)),
        (Computes::FromGeneric, [_]) => Some(Expression::FromGeneric(space()?, one()?)),
        (Computes::IsInSpace, [_]) => Some(Expression::IsInSpace(space()?, one()?)),
        (Computes::Remote, [_, _]) => two().map(Expression::Remote),
        (Computes::Sum, _) => two().map(|two| Expression::Add(two, bits)),
        (Computes::Difference, _) => two().map(|two| Expression::Subtract(two, bits)),
        (Computes::Product, _) if !has("hi") => product(),
        (Computes::ProductAndSum, [_, _, third]) if !has("hi") => {
            let bits = if is_wide { bits * 2 } else { bits };
            let third = Expression::of(third);
            product().map(|product| Expression::Add(Box::new([product, third]), bits))
        }
        (Computes::Remainder, [_, _]) => {
            two().map(|two| Expression::Remainder(two, bits, is_signed))
        }
        (Computes::ShiftLeft, _) => two().map(|two| Expression::ShiftLeft(two, bits)),
        (Computes::ShiftRight, _) => two().map(|two| Expression::ShiftRight(two, bits, is_signed)),
        (Computes::And, _) => two().map(|two| Expression::And(two, bits)),
        (Computes::Or, _) => two().map(|two| Expression::Or(two, bits)),
        (Computes::ExclusiveOr, _) => two().map(|two| Expression::ExclusiveOr(two, bits)),
        (Computes::Not, [_]) if is_predicate => one().map(Expression::Not),
        (Computes::Selection, [_, _, third]) => {
            two().map(|two| Expression::Select(two, Box::new(Expression::of(third))))
        }
        (Computes::Comparison, [_, _, rest @ ..]) => {
            two().and_then(|two| comparison(instruction, two, bits, is_signed, rest))
        }
        (_, _) => operation(instruction, operands, (bits, is_signed)),
    }
}

/// Returns the expression for integer operations other than sums and products.
fn operation<'a>(
    instruction: &Instruction<'a>,
    operands: &[Operand<'a>],
    (bits, is_signed): (u32, bool),
) -> Option<Expression<'a>> {
    let computes = instruction.row?.computes;
    let has = |word: &str| instruction.has(word);
    let number = |value| Expression::Amount(Amount::Known(value));
    let all = || operands.iter().map(Expression::of).collect::<Vec<_>>();
    let of = |how, all: Vec<_>| Some(Expression::Operation(how, all.into(), bits, is_signed));
    let and_third = |how, third: &Operand<'a>| {
        let product =
            Expression::Operation(how, all().into_iter().take(2).collect(), bits, is_signed);
        Some(Expression::Add(Box::new([product, Expression::of(third)]), bits))
    };
    // Saturates at zero.
    if has("relu") {
        return None;
    }
    match (computes, operands) {
        (Computes::Negation, [one]) => {
            Some(Expression::Subtract(Box::new([number(0), Expression::of(one)]), bits))
        }
        (Computes::Not, [one]) => {
            Some(Expression::Subtract(Box::new([number(-1), Expression::of(one)]), bits))
        }
        (Computes::IsZero, [one]) => {
            let two = Box::new([Expression::of(one), number(0)]);
            let is_zero = Expression::Compare(two, Comparison::Equal, bits, false);
            Some(Expression::Select(Box::new([number(1), number(0)]), Box::new(is_zero)))
        }
        (Computes::SetByComparison, [one, other, rest @ ..]) => {
            // The first type is the type of the result.
            let two = Box::new([Expression::of(one), Expression::of(other)]);
            let compared = comparison(instruction, two, bits, is_signed, rest)?;
            Some(Expression::Select(Box::new([number(-1), number(0)]), Box::new(compared)))
        }
        (Computes::SelectionBySign, [one, other, third]) => {
            let two = Box::new([Expression::of(third), number(0)]);
            let compared = Expression::Compare(two, Comparison::GreaterOrEqual, 32, true);
            let two = Box::new([Expression::of(one), Expression::of(other)]);
            // The last type decides.
            types(instruction)
                .next_back()
                .is_some_and(|ty| ty == ScalarType::S32)
                .then(|| Expression::Select(two, Box::new(compared)))
        }
        // The lower halves are tracked as separate numbers.
        (Computes::Product, [_, _]) => of(Computes::HighProduct, all()),
        (Computes::ProductAndSum, [_, _, third]) => and_third(Computes::HighProduct, third),
        (Computes::Product24, [_, _]) if has("lo") => of(Computes::Product24, all()),
        (Computes::Product24AndSum, [_, _, third]) if has("lo") => {
            and_third(Computes::Product24, third)
        }
        (Computes::FunnelShift, [_, _, _]) => {
            let mut all = all();
            all.push(number(has("l").into()));
            all.push(number(has("wrap").into()));
            of(computes, all)
        }
        // The other modes select differently.
        (Computes::Permutation, [_, _, _]) if instruction.modifiers.len() == 1 => {
            of(computes, all())
        }
        (Computes::FirstBit, [_]) if !has("shiftamt") => of(computes, all()),
        (Computes::Table, [_, _, _, _])
        | (
            Computes::Absolute
            | Computes::Minimum
            | Computes::Maximum
            | Computes::Quotient
            | Computes::SumOfDifference
            | Computes::ExtractField
            | Computes::InsertField
            | Computes::Reversal
            | Computes::Population
            | Computes::LeadingZeros,
            _,
        ) => of(computes, all()),
        (_, _) => None,
    }
}

fn parameter<'a>(instruction: &Instruction<'a>, from: &Operand<'a>) -> Option<Expression<'a>> {
    let OperandKind::Address(inner) = &from.kind else { return None };
    if spaces(&instruction.pairs()).next() != Some(Space::Param) {
        return None;
    }
    let bytes = types(instruction).next_back().map_or(0, ScalarType::bytes);
    let (name, added) = match &inner.first()?.kind {
        OperandKind::Name(name) if name.element.is_empty() => (*name, Amount::Known(0)),
        OperandKind::Offset(name, amount, _) => (*name, *amount),
        _ => (inner.first()?.name()?, Amount::Unknown),
    };
    Some(Expression::Param(Box::new((name, added, bytes))))
}

fn conversion<'a>(instruction: &Instruction<'a>, one: &Operand<'a>) -> Option<Expression<'a>> {
    let [to, from] = types(instruction).collect::<Vec<_>>()[..] else { return None };
    let one = Box::new(Expression::of(one));
    Some(if to.bytes() > from.bytes() {
        Expression::Extend(one, bits_of(from), from.is_signed())
    } else if to.bytes() < 4 {
        // The register may be wider; then the value is extended.
        let narrowed = Box::new(Expression::Narrow(one, bits_of(to)));
        Expression::Extend(narrowed, bits_of(to), to.is_signed())
    } else {
        Expression::Narrow(one, bits_of(to))
    })
}

/// Returns the predicate that `setp` writes: `.lt`, possibly combined with another by `.and`.
fn comparison<'a>(
    instruction: &Instruction<'a>,
    two: Box<[Expression<'a>; 2]>,
    bits: u32,
    is_signed: bool,
    rest: &[Operand<'a>],
) -> Option<Expression<'a>> {
    let word = |n: usize| instruction.modifiers.get(n).map(|modifier| modifier.word);
    let (comparison, is_unsigned) = Comparison::from_modifier(word(0)?)?;
    let compared = Expression::Compare(two, comparison, bits, is_signed && !is_unsigned);
    let [third] = rest else { return rest.is_empty().then_some(compared) };
    let both = Box::new([compared, Expression::of(third)]);
    match word(1)? {
        "and" => Some(Expression::And(both, 1)),
        "or" => Some(Expression::Or(both, 1)),
        "xor" => Some(Expression::ExclusiveOr(both, 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
