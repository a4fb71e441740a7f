//! Features that targets older than every target in the table do not have.

use ptx_isa::instruction::{OperandForm, needs};
use ptx_isa::ir::Variable;
use ptx_isa::ir::body::{Instruction, Operand, OperandKind, TokenRange};
use ptx_isa::{Space, Target, ir};

use super::body::{ReadBody, StatementAt};
use super::faults::SyntaxErrors;
use super::header::Older;
use super::variable::DeclaredVariable;

/// Reports the instructions in a body that the target does not have, and its generic addresses if it has none
/// (PTX ISA 5.1, 9.7).
pub(super) fn check_body(
    older: &Older,
    (text, body): (&str, &ReadBody<'_>),
    errors: &mut SyntaxErrors,
) {
    for (n, statement) in body.body.statements().enumerate() {
        let (Some(found), Some(start)) = (statement.instruction(&[]), body.starts.get(n)) else {
            continue;
        };
        let mut report = |at: TokenRange, message: core::fmt::Arguments<'_>| {
            let place = StatementAt::of(text, *start, body.starts.get(n + 1).copied());
            errors.at(place.over(at), message);
        };
        // What an operand is matters to newer targets only.
        let operand = |n: usize| found.operands.get(n).map(|_| OperandForm::Any);
        let needed = needs(found.row, found.opcode, &found.pairs(), operand);
        let newest = needed.iter().max_by_key(|(_, needs)| needs.min_arch);
        // The rules report what the table's oldest target lacks as well.
        let is_older = |arch: u16| arch > older.arch && arch <= Target::ALL[0].arch();
        if let Some((name, needs)) = newest.filter(|(_, needs)| is_older(needs.min_arch)) {
            report(
                found.opcode_at,
                format_args!(
                    "`{name}` needs sm_{} or newer; choose a newer target (PTX ISA 9.7)",
                    needs.min_arch
                ),
            );
        } else if let (true, Some(at)) = (older.arch < 20, generic_address(&found)) {
            report(
                at,
                format_args!(
                    "generic addresses need sm_20 or newer; write the state space of the address after the opcode, as in `ld.global`"
                ),
            );
        }
    }
}

/// The address of an access without a state space.
fn generic_address(instruction: &Instruction<'_>) -> Option<TokenRange> {
    if !matches!(instruction.opcode, "ld" | "st" | "atom" | "red" | "ldu") {
        return None;
    }
    if instruction.modifiers.iter().any(|modifier| Space::from_name(modifier.word).is_some()) {
        return None;
    }
    let is_address = |operand: &&Operand<'_>| matches!(operand.kind, OperandKind::Address(_));
    instruction.operands.iter().find(is_address)?.at
}

/// Reports managed variables, and initial values with functions, if the target has none (PTX ISA 5.4.4, 5.4.8).
pub(super) fn check_variables<'a>(
    older: &Older,
    variables: &[DeclaredVariable<'a>],
    functions: &[&'a mut ir::Function<'a>],
    errors: &mut SyntaxErrors,
) {
    for DeclaredVariable { variable, name, value, .. } in variables {
        if variable.managed && older.arch < 30 {
            errors.at(*name, "`.managed` needs sm_30 or newer; remove it");
        }
        if older.arch < 20 && holds_function(variable, functions) {
            let at = value.unwrap_or(*name);
            errors.at(at, "addresses of functions need sm_20 or newer; remove the value");
        }
    }
}

fn holds_function<'a>(variable: &Variable<'_>, functions: &[&'a mut ir::Function<'a>]) -> bool {
    let mut holds = false;
    variable.init.for_each_address(&mut |address| {
        holds |= functions.iter().any(|function| function.name == address.symbol);
    });
    holds
}
