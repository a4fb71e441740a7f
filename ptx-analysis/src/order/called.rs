//! What the functions do that a kernel calls, as far as it counts for the order of what threads do.

use alloc::vec::Vec;
use core::cell::RefCell;

use ptx_isa::Space;
use ptx_isa::instruction::{Control, Direction, ORDERED, Row};
use ptx_isa::ir::Function;
use ptx_isa::ir::body::{Instruction, StatementKind};
use ptx_isa::sorted::SortedMap;

use crate::findings::symbols::Symbols;
use crate::flow::effects::named_function;

/// The functions of the driver that neither wait nor write what a kernel reads.
const OF_DRIVER: &[&str] = &["vprintf", "malloc", "free"];

/// The most functions that call each other.
const MOST_CALLS: usize = 8;

/// What a function does besides computing a result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Callee {
    /// Nothing but reading memory.
    Nothing,
    /// It writes memory.
    Stores,
    /// It may wait, let others wait, or end the thread.
    Anything,
}

/// The functions that a kernel calls, and what is known of them.
pub(super) struct Callees<'s, 'a> {
    symbols: &'s Symbols<'a>,
    /// What functions do, by their index; of one that calls itself, anything.
    known: RefCell<SortedMap<usize, Callee>>,
}

impl<'s, 'a> Callees<'s, 'a> {
    pub(super) fn new(symbols: &'s Symbols<'a>) -> Self {
        Self { symbols, known: RefCell::default() }
    }

    /// Returns what the function does that an instruction calls.
    pub(super) fn called(&self, instruction: &Instruction<'_>) -> Callee {
        self.of_call(instruction, MOST_CALLS)
    }

    fn of_call(&self, instruction: &Instruction<'_>, most: usize) -> Callee {
        let found = named_function(instruction).and_then(|it| self.symbols.functions.get(it.text));
        let Some([symbol]) = found.map(Vec::as_slice) else { return Callee::Anything };
        if let Some(known) = self.known.borrow().get(&symbol.index) {
            return *known;
        }
        self.known.borrow_mut().insert(symbol.index, Callee::Anything);
        let found = self.of_function(symbol.ir, most);
        self.known.borrow_mut().insert(symbol.index, found);
        found
    }

    fn of_function(&self, function: &Function<'_>, most: usize) -> Callee {
        let Some(body) = function.body else {
            let is_quiet = OF_DRIVER.contains(&function.name);
            return if is_quiet { Callee::Nothing } else { Callee::Anything };
        };
        let mut found = Callee::Nothing;
        for statement in body.statements() {
            if !matches!(statement.kind(), StatementKind::Instruction) {
                continue;
            }
            let Some(instruction) = statement.instruction(&[]) else { return Callee::Anything };
            let Some(row) = instruction.row else { return Callee::Anything };
            found = found.max(match row.control {
                Control::Call if most > 0 => self.of_call(&instruction, most - 1),
                Control::Call | Control::Ends => Callee::Anything,
                Control::Next | Control::Jump | Control::JumpAnywhere | Control::Returns => {
                    of_row(&instruction, row)
                }
            });
            if found == Callee::Anything {
                break;
            }
        }
        found
    }
}

/// Returns what an instruction does that does not call a function.
fn of_row(instruction: &Instruction<'_>, row: &Row) -> Callee {
    let has = |word: &str| instruction.has(word);
    let is_ordered = row.order(has).is_some() || ORDERED.iter().any(|word| has(word));
    if row.together.is_some() || row.effect(has).is_some() || is_ordered {
        return Callee::Anything;
    }
    // Parameters of a call are of its thread, and written before it is made.
    let is_own = has(Space::Param.name());
    let writes = |direction| matches!(direction, Direction::Write | Direction::ReadWrite);
    let stores = !is_own && row.addresses.iter().any(|address| writes(address.direction));
    if stores { Callee::Stores } else { Callee::Nothing }
}
