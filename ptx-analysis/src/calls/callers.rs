//! The callers of the functions of a module: the order in which bodies are analysed, so that callers come before
//! their callees, and the arguments of calls.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use ptx_isa::instruction::Control;
use ptx_isa::ir::body::{Name, Statement, StatementKind};
use ptx_isa::ir::{self, FunctionKind, Linkage};

use crate::calls::call::named_function;
use crate::calls::needs::needed;
use crate::calls::returns::returning;
use crate::findings::symbols::Symbols;
use crate::findings::unit::Analysis;
use crate::values::argument::Called;

/// The callers of a module's functions, and the arguments of their calls.
#[derive(Debug, Default)]
pub struct Callers<'a> {
    /// The functions with bodies, callers first, except for recursion.
    order: Vec<usize>,
    /// The functions whose callers are all among these bodies.
    known: BTreeSet<usize>,
    /// How functions are called, as recorded so far.
    called: BTreeMap<usize, Called<'a>>,
}

/// The maximum number of calls of a function that are followed into it.
const MOST_CALLS: usize = 8;

/// The functions that bodies name.
#[derive(Default)]
struct Named {
    /// The functions that each body calls.
    calls: BTreeMap<usize, BTreeSet<usize>>,
    /// The functions that are named in other ways: anyone with the address may call them.
    taken: BTreeSet<usize>,
    /// Whether a body is verbatim, so that its calls are not known.
    is_verbatim: bool,
}

impl<'a> Callers<'a> {
    /// Collects the callers of functions. `bodies` lists the functions with bodies, by their index; the initial
    /// values of variables name those that are `addressed`. The results about the functions are added to the
    /// symbols.
    pub fn of(
        symbols: &mut Symbols<'a>,
        bodies: &[(usize, ir::Body<'a>)],
        addressed: impl IntoIterator<Item = usize>,
    ) -> Self {
        let order: Vec<usize> = bodies.iter().map(|(index, _)| *index).collect();
        let callable = callable(symbols, bodies);
        let bodies_called: Vec<(usize, ir::Body<'a>)> =
            bodies.iter().filter(|(index, _)| callable.contains_key(index)).copied().collect();
        symbols.returning = returning(symbols, &bodies_called);
        symbols.needed = needed(symbols, &bodies_called);
        let mut named = Named { taken: addressed.into_iter().collect(), ..Named::default() };
        for (index, body) in bodies.iter().filter(|_| !callable.is_empty()) {
            named.note(*index, *body, symbols, &callable);
        }
        let (order, is_sorted) = sorted(&order, &named.calls);
        let is_known = |(function, is_private): &(usize, bool)| {
            let is_taken = named.taken.contains(function);
            !named.is_verbatim && *is_private && !is_taken && is_sorted.contains(function)
        };
        let known = callable.into_iter().filter(is_known);
        let known = known.map(|(function, _)| function).collect();
        Self { order, known, ..Self::default() }
    }

    /// Returns the functions with bodies, by index, in an order in which a body comes after those of its
    /// callers, if they are known.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Returns how a function is called.
    pub fn of_function(&self, function: usize) -> &Called<'a> {
        self.called.get(&function).unwrap_or(Called::UNKNOWN)
    }

    /// Removes and returns how a function is called.
    pub(crate) fn take(&mut self, function: usize) -> Called<'a> {
        self.called.remove(&function).unwrap_or_default()
    }

    /// Records the calls of an analysed body.
    pub fn note(&mut self, analysis: &Analysis<'a>) {
        for (function, call) in &analysis.sure_calls {
            let called = self.called.entry(*function).or_default();
            if called.surely.len() < MOST_CALLS {
                // Most functions are called once.
                called.surely.reserve_exact(1);
                called.surely.push(call.clone());
            }
        }
        for (function, arguments) in &analysis.calls {
            if !self.known.contains(function) {
                continue;
            }
            let Called { passed, .. } = self.called.entry(*function).or_default();
            if passed.is_empty() {
                passed.clone_from(arguments);
            }
            for (known, argument) in passed.iter_mut().zip(arguments) {
                *known = known.join(argument);
            }
        }
    }

    /// Records that a body with calls may be absent.
    pub fn note_conditional(&mut self, analysis: &Analysis<'a>) {
        for (function, _) in &analysis.calls {
            self.known.remove(function);
            self.called.entry(*function).or_default().passed.clear();
        }
    }
}

impl Named {
    /// Records which of these functions a body names.
    fn note<'a>(
        &mut self,
        index: usize,
        body: ir::Body<'a>,
        symbols: &Symbols<'a>,
        wanted: &BTreeMap<usize, bool>,
    ) {
        let function = |name: &Name<'_>| {
            let [symbol] = symbols.functions.get(name.text)?.as_slice() else { return None };
            wanted.contains_key(&symbol.index).then_some(symbol.index)
        };
        for statement in body.statements() {
            let mut found: Vec<usize> =
                statement.names().filter_map(|name| function(&name)).collect();
            if !found.is_empty() {
                let called = called(&statement).and_then(|name| function(&name));
                if let Some(n) = found.iter().position(|found| Some(*found) == called) {
                    self.calls.entry(index).or_default().insert(found.swap_remove(n));
                }
                self.taken.extend(found);
            }
            self.is_verbatim |= statement.kind() == StatementKind::Verbatim;
        }
    }
}

/// Returns the function that a statement calls by name.
fn called<'a>(statement: &Statement<'a>) -> Option<Name<'a>> {
    let instruction = statement.instruction(&[])?;
    let calls = instruction.row.is_some_and(|row| row.control == Control::Call);
    named_function(&instruction).filter(|_| calls)
}

/// Returns the functions with bodies whose name is unambiguous, and whether no other module can call them.
fn callable(symbols: &Symbols<'_>, bodies: &[(usize, ir::Body<'_>)]) -> BTreeMap<usize, bool> {
    let has_body: BTreeSet<usize> = bodies.iter().map(|(index, _)| *index).collect();
    let callable = symbols.functions.values().filter_map(|found| {
        let [symbol] = found.as_slice() else { return None };
        let is_device = symbol.ir.kind == FunctionKind::Device;
        let is_private = symbol.ir.linkage == Linkage::Internal;
        let is_wanted = is_device && has_body.contains(&symbol.index);
        is_wanted.then_some((symbol.index, is_private))
    });
    callable.collect()
}

/// Sorts the functions, callers first, and returns those that come after all of their callers.
fn sorted(
    functions: &[usize],
    calls: &BTreeMap<usize, BTreeSet<usize>>,
) -> (Vec<usize>, BTreeSet<usize>) {
    let mut callers: BTreeMap<usize, usize> = BTreeMap::new();
    for callee in calls.values().flatten() {
        *callers.entry(*callee).or_default() += 1;
    }
    let is_first = |function: &&usize| !callers.contains_key(function);
    let mut ready: BTreeSet<usize> = functions.iter().filter(is_first).copied().collect();
    let mut order = Vec::new();
    while let Some(function) = ready.pop_first() {
        order.push(function);
        for callee in calls.get(&function).into_iter().flatten() {
            if let Some(left) = callers.get_mut(callee) {
                *left -= 1;
                if *left == 0 {
                    ready.insert(*callee);
                }
            }
        }
    }
    let is_sorted: BTreeSet<usize> = order.iter().copied().collect();
    order.extend(functions.iter().filter(|function| !is_sorted.contains(function)));
    (order, is_sorted)
}

#[cfg(test)]
mod tests;
