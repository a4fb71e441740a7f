//! Operands that an instruction of this shape cannot have: an address without
//! brackets or in another's place, a vector of another length. ptxas refuses them as well, long after rustc.

use std::collections::HashMap;

use ptx_types::ScalarType;
use ptx_types::instruction::{AccessSize, AddressOperand, Direction, Role, WordKind};
use ptx_types::ir::body::{Amount, Instruction, Operand, OperandKind, TokenRange};
use ptx_types::ir::family::base_of;
use ptx_types::ir::{self, Type};

/// A fault, and its statement and place.
pub(super) type Fault = (usize, TokenRange, String);

/// Finds such operands in a body.
pub(super) fn faults<'a>(
    body: ir::Body<'a>,
    declared: &[&'a ir::Variable<'a>],
    function: &ir::Function<'a>,
) -> Vec<Fault> {
    let types = Types::of(declared, function);
    let mut found = Vec::new();
    for (n, statement) in body.statements().enumerate() {
        let Some(instruction) = statement.instruction(&[]) else { continue };
        let fault = address(&instruction)
            .or_else(|| size(&instruction))
            .or_else(|| vector(&instruction, &types));
        if let Some((at, message)) = fault {
            found.push((n, at, message));
        }
    }
    found
}

/// The types of the names that a body declares; several if scopes declare one name again.
struct Types<'a>(HashMap<&'a str, Vec<&'a Type<'a>>>);

impl<'a> Types<'a> {
    fn of(declared: &[&'a ir::Variable<'a>], function: &ir::Function<'a>) -> Self {
        let mut types: HashMap<&'a str, Vec<&'a Type<'a>>> = HashMap::new();
        for variable in declared {
            types.entry(variable.name).or_default().push(variable.ty);
        }
        // A parameter or a returned value in a register has a type that rustc may have to settle.
        for name in function.params.iter().chain(function.returns).map(|it| it.variable.name) {
            types.entry(name).or_default().push(&Type::Unknown);
        }
        Self(types)
    }

    /// The scalar that a name holds, if every declaration of it has the same one.
    fn scalar(&self, name: &str) -> Option<ScalarType> {
        let own = self.0.get(name).into_iter().flatten().copied();
        let of_family = base_of(name).and_then(|base| self.0.get(base)).into_iter().flatten();
        let mut all = own
            .filter(|ty| ty.family().is_none())
            .chain(of_family.filter_map(|ty| Some(ty.family()?.1)))
            .map(|ty| if let Type::Scalar(scalar) = ty { Some(*scalar) } else { None });
        let first = all.next()??;
        all.all(|scalar| scalar == Some(first)).then_some(first)
    }
}

/// An address without brackets, or where the result should be.
fn address(instruction: &Instruction<'_>) -> Option<(TokenRange, String)> {
    let row = instruction.row.filter(|row| !row.addresses.is_empty())?;
    let opcode = row.opcode;
    let is_address = |operand: &Operand<'_>| {
        matches!(
            operand.kind,
            OperandKind::Address(_) | OperandKind::Element(..) | OperandKind::Other(_)
        )
    };
    let [first, rest @ ..] = instruction.operands.as_slice() else { return None };
    if row.has_result && matches!(first.kind, OperandKind::Address(_)) {
        let advice = if instruction.opcode == "atom" {
            "a register for the old value, or write `red`, which has no result"
        } else {
            "the register that it writes"
        };
        let message = format!(
            "the first operand of `{opcode}` is its result, and this is an address; write {advice}"
        );
        return Some((first.at?, message));
    }
    let writes = row.addresses[0].role == Role::Data
        && matches!(row.addresses[0].direction, Direction::Write | Direction::ReadWrite);
    if writes
        && !row.has_result
        && matches!(first.kind, OperandKind::Name(_))
        && rest.iter().any(|operand| matches!(operand.kind, OperandKind::Address(_)))
    {
        return Some((
            first.at?,
            format!(
                "the first operand of `{opcode}` is the address that it writes to, in brackets; write this after it"
            ),
        ));
    }
    if instruction.operands.iter().any(is_address) {
        return None;
    }
    let operand = if row.has_result { rest.first()? } else { first };
    let (OperandKind::Name(name) | OperandKind::Offset(name, ..)) = &operand.kind else {
        return None;
    };
    let text = name.text;
    Some((operand.at?, format!("`{opcode}` takes an address in brackets here; write `[{text}]`")))
}

/// A number of bytes that an asynchronous copy by one thread cannot have (PTX ISA 9.7.9.25.3.1).
fn size(instruction: &Instruction<'_>) -> Option<(TokenRange, String)> {
    let copied = |operand: &AddressOperand| match operand.size {
        AccessSize::CountedAligned(n) => Some(n),
        _ => None,
    };
    let n = instruction.row?.addresses.iter().find_map(copied)?;
    let operand = instruction.operands.get(n)?;
    let Amount::Known(bytes) = operand.amount() else { return None };
    // Without L1, whole sectors are copied.
    let (sizes, form): (&[i128], _) =
        if instruction.has("cg") { (&[16], "cp.async.cg") } else { (&[4, 8, 16], "cp.async.ca") };
    let advice = if sizes.len() > 1 { "4, 8 or 16" } else { "16" };
    (!sizes.contains(&bytes)).then_some((
        operand.at?,
        format!("`{form}` copies {advice} bytes, not {bytes}; write {advice}"),
    ))
}

/// A vector of another length than the instruction has.
fn vector(instruction: &Instruction<'_>, types: &Types<'_>) -> Option<(TokenRange, String)> {
    if !matches!(instruction.opcode, "ld" | "ldu" | "st") {
        return None;
    }
    let has_result = instruction.opcode != "st";
    let data = instruction.operands.get(usize::from(!has_result))?;
    let lanes = [("v2", 2), ("v4", 4), ("v8", 8)];
    let lanes = lanes.into_iter().find(|(word, _)| instruction.has(word)).map(|(_, lanes)| lanes);
    match (&data.kind, lanes) {
        (OperandKind::Vector(items), Some(lanes)) if items.len() != lanes => {
            let count = items.len();
            Some((
                data.at?,
                format!(
                    "`.v{lanes}` takes {lanes} registers, and {count} are written here; write {lanes}"
                ),
            ))
        }
        (OperandKind::Vector(items), None) if items.len() > 1 => {
            let count = items.len();
            // A misspelt modifier has a message of its own, and a new one may be about vectors.
            let is_known = |word: &str| WordKind::Modifier.knows(word);
            if !instruction.modifiers.iter().all(|modifier| is_known(modifier.word)) {
                return None;
            }
            let advice = match count {
                2 | 4 | 8 => format!("write `.v{count}` before the type"),
                _ => "write one, or 2 or 4".to_owned(),
            };
            Some((
                data.at?,
                format!(
                    "`{}` without `.v2` or `.v4` takes one register, and {count} are written here; {advice}",
                    instruction.opcode
                ),
            ))
        }
        (OperandKind::Name(name), Some(lanes)) if name.element.is_empty() => {
            types.scalar(name.text)?;
            Some((
                data.at?,
                format!(
                    "`.v{lanes}` takes {lanes} registers in braces, and `{}` is one; write `{{%a, %b{}}}`",
                    name.text,
                    if lanes == 2 { "" } else { ", .." }
                ),
            ))
        }
        _ => None,
    }
}
