//! The functions from which control surely comes back.

use alloc::collections::BTreeSet;

use ptx_types::instruction::Control;
use ptx_types::ir;
use ptx_types::ir::body::{Operand, StatementKind};

/// Those of functions with these bodies, by their index, that end on every path by going back, without loops,
/// calls and jumps to where nobody knows.
pub fn returning<'a>(bodies: impl IntoIterator<Item = (usize, ir::Body<'a>)>) -> BTreeSet<usize> {
    let sure = bodies.into_iter().filter(|(_, body)| surely_returns(*body));
    sure.map(|(index, _)| index).collect()
}

fn surely_returns(body: ir::Body<'_>) -> bool {
    let (mut labels, mut jumps) = (BTreeSet::new(), BTreeSet::new());
    for statement in body.statements() {
        match statement.kind() {
            // Names in blocks may hide each other.
            StatementKind::Verbatim | StatementKind::Open | StatementKind::Close => return false,
            StatementKind::Declaration | StatementKind::Directive => {}
            StatementKind::Label => {
                labels.insert(statement.text());
                jumps.remove(statement.text());
            }
            StatementKind::Instruction => {
                let Some(instruction) = statement.instruction(&[]) else { return false };
                let Some(row) = instruction.row else { return false };
                match row.control {
                    Control::Jump => {
                        let target = instruction.operands.first().and_then(Operand::name);
                        match target.map(|name| name.text) {
                            Some(name) if !labels.contains(name) => jumps.insert(name),
                            Some(_) | None => return false,
                        };
                    }
                    Control::Returns if instruction.guard.is_none() && jumps.is_empty() => {
                        return true;
                    }
                    Control::Next | Control::Returns => {}
                    Control::JumpAnywhere | Control::Ends | Control::Call => return false,
                }
            }
        }
    }
    // At the end control goes back, too.
    jumps.is_empty()
}
