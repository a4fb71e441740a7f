//! Findings that conclude from what is missing in a body: the instruction that has another error may be it.

use ptx_analysis::{Place, Problem};
use ptx_isa::instruction::Control;
use ptx_isa::ir::body::{Instruction, Operand, OperandKind, Statement};

/// The rules that conclude from a missing statement: it may be the one that has the error.
const FROM_ABSENCE: &[&str] = &["A056", "A105", "C008"];

/// A rule about an instruction that writes to something else than a register of the function.
const WRITES_ELSEWHERE: &str = "A016";

/// Whether the rule with this code concludes from a missing statement.
pub fn is_concluded(code: &str) -> bool {
    FROM_ABSENCE.contains(&code)
}

/// Whether this problem leaves unknown what an instruction writes. `statement` is the statement of the problem.
pub fn is_caused_by<'s>(
    problem: &Problem<'_>,
    place: Place,
    statement: impl FnOnce() -> Option<Statement<'s>>,
) -> bool {
    match problem {
        Problem::Undeclared(_) | Problem::Hidden { .. } | Problem::Ambiguous(_) => {
            let instruction = statement().and_then(|it| it.instruction(&[]));
            instruction.is_some_and(|instruction| writes(&instruction, place.tokens.first))
        }
        Problem::SideBySide => true,
        Problem::Rule(broken) => broken.rule.code == WRITES_ELSEWHERE,
        Problem::UnknownInstruction(_) | Problem::Unneeded(_) | Problem::NotFollowed(_) => false,
    }
}

/// Whether an instruction may write to the register that this token names: its first operand, unless that is an
/// address, a label or the function that is called.
fn writes(instruction: &Instruction<'_>, token: usize) -> bool {
    let control = instruction.row.map_or(Control::Next, |row| row.control);
    let Some(Operand { kind, at: Some(at), .. }) = instruction.operands.first() else {
        return false;
    };
    let is_register = match kind {
        OperandKind::Address(_) => false,
        OperandKind::Arguments(_) => true,
        _ => control == Control::Next,
    };
    is_register && (at.first..=at.last).contains(&token)
}
