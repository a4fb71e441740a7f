//! The functions that certainly return.

use ptx_isa::sorted::SortedSet;

use ptx_isa::instruction::Control;
use ptx_isa::ir;
use ptx_isa::ir::body::{Name, Operand, StatementKind};

use crate::findings::symbols::Symbols;
use crate::flow::effects::named_function;

/// The maximum call depth that is followed.
const MOST_CALLS: usize = 4;

/// Returns the functions, by index, that return on every path without loops or jumps to
/// unknown targets, and that call only such functions.
pub(crate) fn returning<'a>(
    symbols: &Symbols<'a>,
    bodies: &[(usize, ir::Body<'a>)],
) -> SortedSet<usize> {
    let mut sure = SortedSet::new();
    for _ in 0..MOST_CALLS {
        let before = sure.len();
        for (index, body) in bodies {
            if !sure.contains(index) && must_return(*body, symbols, &sure) {
                sure.insert(*index);
            }
        }
        if sure.len() == before {
            break;
        }
    }
    sure
}

fn must_return(body: ir::Body<'_>, symbols: &Symbols<'_>, sure: &SortedSet<usize>) -> bool {
    let (mut labels, mut jumps, mut declared) =
        (SortedSet::new(), SortedSet::new(), SortedSet::new());
    let comes_back = |name: Name<'_>, declared: &SortedSet<&str>| {
        // If a register has that name, the call is indirect.
        let found = symbols.functions.get(name.text).filter(|_| !declared.contains(name.text));
        matches!(found.map(alloc::vec::Vec::as_slice), Some([one]) if sure.contains(&one.index))
    };
    for statement in body.statements() {
        match statement.kind() {
            StatementKind::Verbatim => return false,
            // Compilers open a block for each call.
            StatementKind::Open | StatementKind::Close | StatementKind::Directive => {}
            StatementKind::Declaration => {
                let declarators = statement.declarators().into_iter();
                declared.extend(declarators.map(|declarator| declarator.name.text));
            }
            StatementKind::Label => {
                // In another block, the same name is a different label.
                if !labels.insert(statement.text()) {
                    return false;
                }
                jumps.remove(statement.text());
            }
            StatementKind::Instruction => {
                let Some(instruction) = statement.instruction(&[]) else { return false };
                let Some(row) = instruction.row else { return false };
                match row.control {
                    Control::Call => {
                        let name = named_function(&instruction);
                        if !name.is_some_and(|name| comes_back(name, &declared)) {
                            return false;
                        }
                    }
                    Control::Jump => {
                        let target = instruction.operands.first().and_then(Operand::name);
                        let Some(target) = target else { return false };
                        // A backward jump, a loop, is never removed.
                        jumps.insert(target.text);
                    }
                    Control::Returns if instruction.guard.is_none() && jumps.is_empty() => {
                        return true;
                    }
                    Control::Next | Control::Returns => {}
                    Control::JumpAnywhere | Control::Ends => return false,
                }
            }
        }
    }
    // At the end of the body, control returns, too.
    jumps.is_empty()
}
