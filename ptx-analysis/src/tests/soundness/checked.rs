//! Compares the analysis of a program with what its threads do.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use ptx_interpreter::{Access, Definition, Moment, NamedBlock, Program, Thread, encode};
use ptx_isa::ir::body::Body;
use ptx_isa::ir::{Function, Module};
use ptx_smith::bodies::{ARRAYS, CALLEES, Formal};

use super::case::Case;
use super::declared::{functions, module, symbols};
use super::executed::{Chance, Done};
use super::seen::Seen;
use super::subject::{Claimed, Promised, Subject};
use super::values::{Facts, Held};
use crate::calls::callers::Callers;
use crate::findings::symbols::Symbols;
use crate::values::state::State;

/// A program under test.
pub(super) struct Checked<'c, 'a> {
    pub(super) case: &'c Case,
    pub(super) program: Program<'a>,
    pub(super) module: Module<'a>,
    /// Its functions; the first is launched.
    pub(super) functions: Vec<Subject<'a>>,
    /// The record of all launched threads.
    pub(super) done: Done,
}

/// Checks all results of the analysis of the functions with these bodies.
pub(super) fn check(texts: &[String], case: &Case, seen: &mut Seen) -> Result<(), String> {
    seen.programs += 1;
    let encoded: Vec<(String, Vec<u8>)> = texts.iter().map(|text| encode(text)).collect();
    let bodies: Vec<Body<'_>> =
        encoded.iter().map(|(text, table)| Body::new(text, table, &[])).collect();
    let directives = case.directives();
    let functions = functions(&bodies, &directives, case.is_device);
    let references: Vec<_> = functions.iter().collect();
    let module = module(&references);
    let mut symbols = symbols(&module);
    let names = |formals: &[Formal]| formals.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    let formals = CALLEES.map(|callee| (names(callee.returns), names(callee.params)));
    let mut definitions = Vec::new();
    for (n, (function, body)) in functions.iter().zip(&bodies).enumerate() {
        let formals = n.checked_sub(1).map(|n| &formals[n]);
        let (returns, params) =
            formals.map_or((&[][..], &[][..]), |(returns, params)| (returns, params));
        definitions.push(Definition { name: function.name, returns, params, body: *body });
    }
    let program = Program::of_functions(&definitions);
    let subjects = subjects(&functions, &bodies, &mut symbols, case)?;
    for (n, subject) in subjects.iter().enumerate() {
        if program.len(n) != subject.len() {
            return Err("other nodes".into());
        }
    }
    let done = case.chance().all(&program)?;
    let checked = Checked { case, program, module, functions: subjects, done };
    checked.values(seen)?;
    checked.reaches(seen)?;
    checked.findings(seen)
}

/// Analyses each function, callers first.
pub(super) fn subjects<'a>(
    functions: &'a [Function<'a>],
    bodies: &[Body<'a>],
    symbols: &mut Symbols<'a>,
    case: &Case,
) -> Result<Vec<Subject<'a>>, String> {
    let mut subjects = Vec::new();
    let numbered: Vec<(usize, Body<'_>)> = bodies.iter().copied().enumerate().collect();
    let mut callers = Callers::of(symbols, &numbered, []);
    for n in callers.order().to_vec() {
        let promised = if n == 0 { case.promised() } else { Promised::default() };
        let (subject, analysis) = Subject::of(&functions[n], symbols, promised, &callers.take(n))?;
        callers.note(&analysis);
        subjects.push((n, subject));
    }
    subjects.sort_by_key(|(n, _)| *n);
    Ok(subjects.into_iter().map(|(_, subject)| subject).collect())
}

/// How many visits of a node have their values checked.
const VISITS: usize = 4;

/// The results for a function: the state before each node, and for each register its index and its width.
type Known = (Vec<Option<State>>, Vec<(Option<usize>, u32)>);

impl Checked<'_, '_> {
    /// Checks that every register value is one that the analysis allows, and that proven facts hold.
    fn values(&self, seen: &mut Seen) -> Result<(), String> {
        let known = self.functions.iter().enumerate();
        let known: Vec<Known> = known
            .map(|(n, function)| (function.known(), function.widths(self.program.registers(n))))
            .collect();
        let chance = self.case.chance();
        let threads: Vec<Thread> = chance.threads().collect();
        let last = threads.len() - 1;
        let some = [0, last / 2, last].map(|n| (chance, threads[n]));
        // Another block of the grid is checked, too.
        let elsewhere = self.case.elsewhere();
        let other = elsewhere.threads().nth(1).map(|thread| (elsewhere, thread));
        for (chance, thread) in some.into_iter().chain(other) {
            let mut problem = None;
            let mut visits: Vec<_> =
                self.functions.iter().map(|function| alloc::vec![0; function.len()]).collect();
            chance.run(&self.program, thread, |moment| {
                let (function, node) = moment.at;
                let visit = visits[function][node];
                visits[function][node] += 1;
                if problem.is_none() && (visit < VISITS || visit.is_multiple_of(13)) {
                    problem = self.moment(&known[function], (chance, thread), &moment, seen).err();
                }
            });
            if let Some(problem) = problem {
                return Err(problem);
            }
        }
        Ok(())
    }

    /// Checks the values before one node.
    fn moment(
        &self,
        (known, widths): &Known,
        (chance, thread): (Chance, Thread),
        moment: &Moment<'_>,
        seen: &mut Seen,
    ) -> Result<(), String> {
        let (number, node) = moment.at;
        let function = &self.functions[number];
        let bases = function.storages(chance);
        let special = |of| chance.special(thread, of);
        let coordinates = function.coordinates;
        let held = |number| {
            let register = widths.iter().position(|(of, _)| *of == Some(number))?;
            let (_, bits) = widths[register];
            Some(i128::from(moment.registers[register]?) & ((1 << bits) - 1))
        };
        let facts =
            Facts { bases: &bases, special: &special, coordinates: &coordinates, registers: &held };
        let Some(state) = &known[node] else {
            let at = moment.at;
            return Err(format!("control never gets to {at:?}, and {thread:?} is there"));
        };
        if let Some(claim) = state.claims.iter().find(|claim| !facts.holds(claim)) {
            return Err(format!("{claim:?} before {:?}, not for {thread:?}", moment.at));
        }
        for (register, (of_register, bits)) in widths.iter().enumerate() {
            let (Some(value), Some(of_register)) = (moment.registers[register], of_register) else {
                continue;
            };
            seen.values += 1;
            let value = i128::from(value) & ((1 << bits) - 1);
            let known = state.get(*of_register);
            let held = Held { bits: *bits, value };
            if !known.is_some_and(|known| facts.allow(known, held)) {
                let name = self.program.registers(number)[register];
                return Err(format!(
                    "{name} is {value} before {:?} for {thread:?}, and {known:?}",
                    moment.at
                ));
            }
        }
        Ok(())
    }

    /// Checks that every location that is reported as certainly accessed is accessed.
    fn reaches(&self, seen: &mut Seen) -> Result<(), String> {
        for (number, function) in self.functions.iter().enumerate() {
            for claimed in function.reaches() {
                // Arguments are not in memory here.
                let name = function.names.get(claimed.storage);
                if name.is_some_and(|name| ARRAYS.iter().all(|array| array.name != *name)) {
                    continue;
                }
                seen.reaches += 1;
                if self.done.is_complete && !self.happens(number, &claimed) {
                    return Err(format!("in {number}, {claimed:?} of {name:?} does not happen"));
                }
            }
        }
        Ok(())
    }

    fn happens(&self, number: usize, claimed: &Claimed) -> bool {
        let chance = self.case.chance();
        let Claimed { node, operand, storage, reach, within } = claimed;
        let is_thread = |thread: Thread| {
            reach.thread.is_none_or(|numbers| thread.number.map(i128::from) == numbers)
        };
        let is_round = |rounds: &[_]| reach.round.is_none_or(|round| rounds.contains(&round));
        let name = self.functions[number].names.get(*storage);
        let is_access = |access: &&Access| {
            let offset = name.and_then(|name| chance.offset(access, name));
            access.at == (number, *node)
                && access.operand == *operand
                && offset == Some(reach.offset)
                && is_thread(access.thread)
                && is_round(&access.rounds)
        };
        // Without storage, it is the rank of a block.
        let is_rank = |named: &&NamedBlock| {
            name.is_none()
                && named.at == (number, *node)
                && i128::from(named.rank) == reach.offset & 0xffff_ffff
                && is_thread(named.thread)
                && is_round(&named.rounds)
        };
        let accesses = || self.done.accesses.iter().filter(is_access).map(|access| access.thread);
        let named = || self.done.named.iter().filter(is_rank).map(|named| named.thread);
        match within {
            None => accesses().chain(named()).next().is_some(),
            // Each thread that reaches the loop accesses it.
            Some(label) => {
                let is_inside = |thread| {
                    let mut is_inside = false;
                    chance.run(&self.program, thread, |moment| {
                        is_inside |= moment.at == (number, *label);
                    });
                    is_inside
                };
                chance
                    .threads()
                    .filter(|thread| is_inside(*thread))
                    .all(|thread| accesses().chain(named()).any(|other| other == thread))
            }
        }
    }
}
