//! The callers of the functions of a module: in which order bodies are analysed so that callers come before
//! what they call, and what those pass.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use ptx_types::instruction::Control;
use ptx_types::ir::body::{Name, Statement, StatementKind};
use ptx_types::ir::{self, FunctionKind, Linkage};

use crate::argument::Argument;
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
}

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
        let order = bodies.iter().map(|(index, _)| *index).collect();
        let mut known = private_functions(symbols, bodies);
        // What a verbatim body calls is not known.
        let is_verbatim = |body: &ir::Body<'_>| {
            body.statements().any(|statement| statement.kind() == StatementKind::Verbatim)
        };
        if known.is_empty() || bodies.iter().any(|(_, body)| is_verbatim(body)) {
            return Self { order, passed: BTreeMap::new() };
        }
        let mut named = Named { taken: addressed.into_iter().collect(), ..Named::default() };
        for (index, body) in bodies {
            named.note(*index, *body, symbols, &known);
        }
        known.retain(|function| !named.taken.contains(function));
        let (order, is_sorted) = sorted(&order, &named.calls);
        let passed = known.into_iter().filter(|function| is_sorted.contains(function));
        Self { order, passed: passed.map(|function| (function, None)).collect() }
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
        wanted: &BTreeSet<usize>,
    ) {
        let function = |name: &Name<'_>| {
            let [symbol] = symbols.functions.get(name.text)?.as_slice() else { return None };
            wanted.contains(&symbol.index).then_some(symbol.index)
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

/// The functions with parameters and bodies that no other module can call, where each name stands for one.
fn private_functions(symbols: &Symbols<'_>, bodies: &[(usize, ir::Body<'_>)]) -> BTreeSet<usize> {
    let has_body: BTreeSet<usize> = bodies.iter().map(|(index, _)| *index).collect();
    let private = symbols.functions.values().filter_map(|found| {
        let [symbol] = found.as_slice() else { return None };
        let is_private =
            symbol.ir.kind == FunctionKind::Device && symbol.ir.linkage == Linkage::Internal;
        let is_wanted = is_private && !symbol.ir.params.is_empty();
        (is_wanted && has_body.contains(&symbol.index)).then_some(symbol.index)
    });
    private.collect()
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
