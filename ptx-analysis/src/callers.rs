//! The callers of the functions of a module: in which order bodies are analysed so that callers come before
//! what they call, and what those pass.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use ptx_types::instruction::Control;
use ptx_types::ir::body::{Name, Statement, StatementKind};
use ptx_types::ir::{self, FunctionKind, Linkage};

use crate::argument::{Argument, SureCall};
use crate::call::named_function;
use crate::symbols::Symbols;
use crate::unit::Analysis;

/// The callers of the functions of a module, and what they pass.
#[derive(Debug, Default)]
pub struct Callers<'a> {
    /// The functions with bodies, callers first, as far as none calls itself.
    order: Vec<usize>,
    /// What is passed to functions whose calls are all in these bodies; nothing of one that no call was
    /// noted of yet.
    passed: BTreeMap<usize, Option<Vec<Argument<'a>>>>,
    /// The calls of each function that threads surely come to.
    sure_calls: BTreeMap<usize, Vec<SureCall<'a>>>,
}

/// How many calls of a function are followed into it.
const MOST_CALLS: usize = 8;

/// The functions that bodies name.
#[derive(Default)]
struct Named {
    /// Those that each body calls.
    calls: BTreeMap<usize, BTreeSet<usize>>,
    /// Those that are named otherwise: whoever has the address may call them.
    taken: BTreeSet<usize>,
}

impl<'a> Callers<'a> {
    /// The callers of functions by these names. Functions have these bodies, by their index, and initial
    /// values of variables name those that are `addressed`.
    pub fn of(
        symbols: &Symbols<'a>,
        bodies: &[(usize, ir::Body<'a>)],
        addressed: impl IntoIterator<Item = usize>,
    ) -> Self {
        let order: Vec<usize> = bodies.iter().map(|(index, _)| *index).collect();
        let callable = callable(symbols, bodies);
        if callable.is_empty() {
            return Self { order, ..Self::default() };
        }
        let mut named = Named { taken: addressed.into_iter().collect(), ..Named::default() };
        for (index, body) in bodies {
            named.note(*index, *body, symbols, &callable);
        }
        let (order, is_sorted) = sorted(&order, &named.calls);
        // What a verbatim body calls is not known.
        let is_verbatim = |(_, body): &(usize, ir::Body<'_>)| {
            body.statements().any(|statement| statement.kind() == StatementKind::Verbatim)
        };
        let are_seen = !bodies.iter().any(is_verbatim);
        let is_known = |(function, is_private): &(usize, bool)| {
            let is_taken = named.taken.contains(function);
            are_seen && *is_private && !is_taken && is_sorted.contains(function)
        };
        let known = callable.into_iter().filter(is_known);
        let passed = known.map(|(function, _)| (function, None)).collect();
        Self { order, passed, sure_calls: BTreeMap::new() }
    }

    /// Calls of a function that threads surely come to.
    pub fn sure_calls_of(&self, function: usize) -> &[SureCall<'a>] {
        self.sure_calls.get(&function).map(Vec::as_slice).unwrap_or_default()
    }

    /// The functions with bodies by their index, in an order in which a body is analysed behind those of its
    /// callers, if they are known.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// What every call of a function passes; nothing where calls are not known.
    pub fn passed_to(&self, function: usize) -> &[Argument<'a>] {
        self.passed.get(&function).and_then(Option::as_deref).unwrap_or_default()
    }

    /// Notes what an analysed body passes.
    pub fn note(&mut self, analysis: &Analysis<'a>) {
        for (function, call) in &analysis.sure_calls {
            let calls = self.sure_calls.entry(*function).or_default();
            if calls.len() < MOST_CALLS {
                calls.push(call.clone());
            }
        }
        for (function, arguments) in &analysis.calls {
            match self.passed.get_mut(function) {
                Some(Some(known)) => {
                    for (known, argument) in known.iter_mut().zip(arguments) {
                        *known = known.join(argument);
                    }
                }
                Some(none) => *none = Some(arguments.clone()),
                None => {}
            }
        }
    }

    /// Notes that a body which calls functions is perhaps not there.
    pub fn note_conditional(&mut self, analysis: &Analysis<'a>) {
        for (function, _) in &analysis.calls {
            self.passed.remove(function);
        }
    }
}

impl Named {
    /// Notes the functions among these that a body names.
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
            if found.is_empty() {
                continue;
            }
            let called = called(&statement).and_then(|name| function(&name));
            if let Some(n) = found.iter().position(|found| Some(*found) == called) {
                self.calls.entry(index).or_default().insert(found.swap_remove(n));
            }
            self.taken.extend(found);
        }
    }
}

/// The function that a statement calls by its name.
fn called<'a>(statement: &Statement<'a>) -> Option<Name<'a>> {
    let instruction = statement.instruction(&[])?;
    let calls = instruction.row.is_some_and(|row| row.control == Control::Call);
    named_function(&instruction).filter(|_| calls)
}

/// The functions with bodies, where each name stands for one, and whether no other module can call them.
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

/// Functions with callers first, and which of them come behind all of their callers.
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
