//! The callers of the functions of a module: the order in which bodies are analysed, so that callers come before
//! their callees, and the arguments of calls.

use alloc::vec::Vec;

use ptx_isa::ir::{self, Function, FunctionKind, Linkage};
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::calls::needs::needed;
use crate::calls::returns::returning;
use crate::calls::uses::{ModuleNames, Uses};
use crate::findings::symbols::Symbols;
use crate::findings::unit::Analysis;
use crate::values::argument::Called;

/// The callers of a module's functions, and the arguments of their calls.
#[derive(Debug, Default)]
pub(crate) struct Callers<'a> {
    /// The functions with bodies, callers first, except for recursion.
    order: Vec<usize>,
    /// The functions whose callers are all among these bodies.
    known: SortedSet<usize>,
    /// How functions are called, as recorded so far.
    called: SortedMap<usize, Called<'a>>,
}

/// The maximum number of calls of a function that are followed into it.
const MOST_CALLS: usize = 8;

impl<'a> Callers<'a> {
    /// Collects the callers of functions. `bodies` lists the functions with bodies, by their index; the initial
    /// values of variables name those that are `addressed`. The results about the functions are added to the
    /// symbols.
    pub(crate) fn of(
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
        let names = ModuleNames::of_functions(symbols);
        // Where nothing can be called, nobody asks.
        let uses = bodies.iter().filter(|_| !callable.is_empty());
        let nothing = Function::new(FunctionKind::Device, "");
        let uses = uses.map(|(index, body)| (*index, Uses::of(&nothing, *body, &[], &names)));
        let mut taken: SortedSet<usize> = addressed.into_iter().collect();
        let (mut calls, mut is_verbatim) = (SortedMap::new(), false);
        for (index, uses) in uses {
            is_verbatim |= uses.is_verbatim;
            let functions = uses.functions.iter();
            let functions = functions.filter(|function| callable.contains_key(&function.index));
            taken.extend(functions.clone().filter(|it| it.is_taken).map(|it| it.index));
            let called: SortedSet<usize> =
                functions.filter(|it| it.is_called).map(|it| it.index).collect();
            if !called.is_empty() {
                calls.insert(index, called);
            }
        }
        let (order, is_sorted) = sorted(&order, &calls);
        let is_known = |(function, is_private): &(usize, bool)| {
            !is_verbatim && *is_private && !taken.contains(function) && is_sorted.contains(function)
        };
        let known = callable.into_iter().filter(is_known);
        let known = known.map(|(function, _)| function).collect();
        Self { order, known, ..Self::default() }
    }

    /// Returns the functions with bodies, by index, in an order in which a body comes after those of its
    /// callers, if they are known.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    /// Removes and returns how a function is called.
    pub(crate) fn take(&mut self, function: usize) -> Called<'a> {
        self.called.remove(&function).unwrap_or_default()
    }

    /// Records the calls of an analysed body.
    pub(crate) fn note(&mut self, analysis: &Analysis<'a>) {
        for (function, call) in &analysis.must_calls {
            let called = self.called.entry(*function).or_default();
            if called.must_calls.len() < MOST_CALLS {
                // Most functions are called once.
                called.must_calls.reserve_exact(1);
                called.must_calls.push(call.clone());
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
    pub(crate) fn note_conditional(&mut self, analysis: &Analysis<'a>) {
        for (function, _) in &analysis.calls {
            self.known.remove(function);
            self.called.entry(*function).or_default().passed.clear();
        }
    }
}

/// Returns the functions with bodies whose name is unambiguous, and whether no other module can call them.
fn callable(symbols: &Symbols<'_>, bodies: &[(usize, ir::Body<'_>)]) -> SortedMap<usize, bool> {
    let has_body: SortedSet<usize> = bodies.iter().map(|(index, _)| *index).collect();
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
    calls: &SortedMap<usize, SortedSet<usize>>,
) -> (Vec<usize>, SortedSet<usize>) {
    let mut callers: SortedMap<usize, usize> = SortedMap::new();
    for callee in calls.values().flatten() {
        *callers.entry(*callee).or_default() += 1;
    }
    let is_first = |function: &&usize| !callers.contains_key(function);
    let mut ready: SortedSet<usize> = functions.iter().filter(is_first).copied().collect();
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
    let is_sorted: SortedSet<usize> = order.iter().copied().collect();
    order.extend(functions.iter().filter(|function| !is_sorted.contains(function)));
    (order, is_sorted)
}

#[cfg(test)]
mod tests;
