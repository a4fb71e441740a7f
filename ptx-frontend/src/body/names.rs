//! Which names a body may use (PTX ISA 4.4), and what they stand for.

use std::collections::{HashMap, HashSet};

use proc_macro2::Span;
use ptx_types::ir::family::is_member;
use ptx_types::rules::{self, Environment};
use ptx_types::{Version, ir, special};

use super::allowance::Allowance;
use super::flow::Line;
use super::late::DeferredCheck;
use super::launch::Block;
use super::storage::{DeferredObject, Storage};
use super::symbols::Symbols;
use super::{
    Body, Count, Declaration, DeferredArgument, Demanded, Event, Family, Name, Statement,
    VariableUse, mark,
};
use crate::check::lower_declaration;
use crate::errors::Errors;
use crate::piece::Piece;
use crate::types::Lowering;

/// What a name stands for that the function itself declares.
#[derive(Clone, Copy)]
pub(super) enum Thing<'b> {
    /// A declaration in the body, with its index among them.
    Declared(&'b Declaration, usize),
    /// A parameter, by index.
    Param(usize),
    /// What is returned, by index.
    Return(usize),
    /// A label, or a name in a declaration that could not be read.
    Other,
}

/// What one block declares.
#[derive(Default)]
pub(super) struct Scope<'b> {
    pub(super) names: HashMap<&'b str, Thing<'b>>,
    pub(super) families: Vec<(&'b str, Option<usize>, Thing<'b>)>,
    pub(super) labels: HashSet<&'b str>,
}

impl<'b> Scope<'b> {
    fn find(&self, name: &str) -> Option<Thing<'b>> {
        if let Some(thing) = self.names.get(name) {
            return Some(*thing);
        }
        let family = |(prefix, count, _): &&(&str, Option<usize>, Thing<'b>)| {
            is_member(name, prefix, *count)
        };
        match self.families.iter().find(family) {
            Some((.., thing)) => Some(*thing),
            None => self.labels.contains(name).then_some(Thing::Other),
        }
    }
}

/// What a body is resolved against.
#[derive(Clone, Copy)]
pub(crate) struct Context<'c, 'a> {
    /// The module's names.
    pub(crate) symbols: &'c Symbols<'a>,
    /// The function's own signature.
    pub(crate) function: &'a ir::Function<'a>,
    /// What the module is judged for.
    pub(crate) env: Environment,
    /// For the types of what the body declares.
    pub(crate) lowering: &'a Lowering,
    /// The extents of a block, as far as directives say.
    pub(crate) block: Block,
}

/// Resolves every name of `body`, reports those that nothing declares, those that stand twice, and
/// the accesses and calls that break rules; notes what of the module is used. Returns whether rustc
/// has no say in that, as it has where `cfg` chooses.
pub(crate) fn resolve(
    body: &mut Body,
    allow: &[(&'static str, Span)],
    context: Context<'_, '_>,
    errors: &mut Errors,
) -> bool {
    let allowance =
        |(code, span): &(&'static str, Span)| Allowance { code, span: *span, is_needed: false };
    let mut resolver = Resolver {
        context,
        events: &body.events,
        scopes: vec![Scope::default()],
        declared: 0,
        uses: Vec::new(),
        calls: Vec::new(),
        specials: Vec::new(),
        arguments: Vec::new(),
        storages: Vec::new(),
        storage_numbers: HashMap::new(),
        registers: HashMap::new(),
        lines: Vec::new(),
        allowances: allow.iter().map(allowance).collect(),
        of_function: allow.len(),
        allowed: Vec::new(),
        checks: Vec::new(),
        demands: Vec::new(),
        is_completed_by_copies: false,
        taken: Vec::new(),
        calls_indirectly: false,
        renames: Vec::new(),
        unknown: HashSet::new(),
        said: HashSet::new(),
        since: None,
        is_certain: true,
    };
    resolver.run(errors);
    resolver.judge(errors);
    (body.taken, body.calls_indirectly) =
        (core::mem::take(&mut resolver.taken), resolver.calls_indirectly);
    body.checks = core::mem::take(&mut resolver.checks);
    body.demands = core::mem::take(&mut resolver.demands);
    body.allowances = core::mem::take(&mut resolver.allowances);
    let Resolver { mut uses, mut calls, specials, arguments, renames, since, is_certain, .. } =
        resolver;
    body.since = since;
    for name in &specials {
        for violation in rules::check_special(&name.text, context.env) {
            errors.on(name.tokens(), violation);
        }
    }
    let mut specials: Vec<String> = specials.into_iter().map(|name| name.text.clone()).collect();
    specials.sort_unstable();
    specials.dedup();
    uses.sort_unstable();
    uses.dedup();
    calls.sort_unstable();
    calls.dedup();
    (body.specials, body.uses, body.calls, body.arguments) = (specials, uses, calls, arguments);
    write_names(body, renames.into_iter());
    is_certain
}

/// Turns names into text: each as it is called in PTX.
fn write_names(body: &mut Body, mut names: impl Iterator<Item = Option<String>>) {
    let mut marks = body.marks.iter_mut().peekable();
    for (n, statement) in body.statements.iter_mut().enumerate() {
        let (Statement::Declaration(pieces) | Statement::Instruction(pieces)) = statement else {
            continue;
        };
        let mut written: Vec<Piece> = Vec::with_capacity(pieces.len());
        let mut length = 0;
        for (i, piece) in core::mem::take(pieces).into_iter().enumerate() {
            mark::settle(&mut marks, n, i, length);
            let text = match piece {
                Piece::Text(text) => text,
                Piece::Name(name) => names.next().flatten().unwrap_or(name),
                Piece::Splice(tokens) => {
                    written.push(Piece::Splice(tokens));
                    length += 1;
                    continue;
                }
            };
            length += text.len();
            if let Some(Piece::Text(before)) = written.last_mut() {
                before.push_str(&text);
            } else {
                written.push(Piece::Text(text));
            }
        }
        *pieces = written;
    }
}

pub(super) struct Resolver<'c, 'a, 'b> {
    pub(super) context: Context<'c, 'a>,
    pub(super) events: &'b [Event],
    pub(super) scopes: Vec<Scope<'b>>,
    /// How many declarations were seen.
    declared: usize,
    uses: Vec<VariableUse>,
    calls: Vec<usize>,
    specials: Vec<&'b Name>,
    pub(super) arguments: Vec<DeferredArgument>,
    /// The storage that operands name.
    pub(super) storages: Vec<Storage<'a>>,
    pub(super) storage_numbers: HashMap<DeferredObject, usize>,
    /// The numbers of registers, by declaration and name.
    pub(super) registers: HashMap<(usize, String), usize>,
    /// The labels and instructions, in order.
    pub(super) lines: Vec<Line<'b>>,
    pub(super) allowances: Vec<Allowance>,
    /// How many of them stand on the function.
    pub(super) of_function: usize,
    /// The allowances of the next statement.
    pub(super) allowed: Vec<usize>,
    pub(super) checks: Vec<DeferredCheck>,
    /// What accesses need of declarations that tokens tell to promise less.
    pub(super) demands: Vec<Demanded>,
    /// Whether copies alone complete the transactions of barriers.
    pub(super) is_completed_by_copies: bool,
    /// The functions whose addresses are taken.
    pub(super) taken: Vec<usize>,
    pub(super) calls_indirectly: bool,
    /// For each use of a name, the name in PTX if it is another.
    renames: Vec<Option<String>>,
    /// Names that were reported: once is enough.
    unknown: HashSet<&'b str>,
    /// What was said of instructions that need more.
    pub(super) said: HashSet<String>,
    /// The lowest PTX version that qualifiers need.
    pub(super) since: Option<Version>,
    is_certain: bool,
}

impl<'a: 'b, 'b> Resolver<'_, 'a, 'b> {
    fn run(&mut self, errors: &mut Errors) {
        let function = self.context.function;
        for (i, param) in function.params.iter().enumerate() {
            self.scopes[0].names.insert(param.variable.name, Thing::Param(i));
        }
        for (i, param) in function.returns.iter().enumerate() {
            self.scopes[0].names.insert(param.variable.name, Thing::Return(i));
        }
        self.declare_labels(0, errors);
        let events = self.events;
        for (i, event) in events.iter().enumerate() {
            match event {
                Event::Open => {
                    self.scopes.push(Scope::default());
                    self.declare_labels(i + 1, errors);
                }
                Event::Close => {
                    self.scopes.pop();
                }
                Event::Label(name) => self.lines.push(Line::Label(&name.text)),
                Event::Assume(name) => {
                    if let Some(scope) = self.scopes.last_mut() {
                        scope.names.insert(&name.text, Thing::Other);
                        scope.families.push((&name.text, None, Thing::Other));
                    }
                }
                Event::Declare(declaration) => {
                    self.declare(declaration, errors);
                    self.check_value(declaration, errors);
                }
                Event::Use(name) => {
                    let rename = self.find(name, i, errors);
                    self.renames.push(rename);
                }
                Event::Access(access, name) => self.check_access(*access, name, errors),
                Event::Step(step) => self.resolve_step(step, errors),
                Event::Allow(codes) => self.allow(codes),
                Event::Call(call) => self.check_call(call, errors),
                Event::Form(form, name) => self.check_form(form, name, errors),
            }
        }
    }

    /// The IR of what a name stands for that a declaration declares: of a family, one member.
    pub(super) fn lower(&self, declaration: &Declaration) -> &'a ir::Variable<'a> {
        let ir = lower_declaration(declaration, self.context.lowering);
        self.context.lowering.arena.alloc(ir.member(ir.name))
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Thing<'b>> {
        self.scopes.iter().rev().find_map(|scope| scope.find(name))
    }

    /// Declares the labels of the block that event `from` starts: they may be used before they
    /// stand.
    fn declare_labels(&mut self, from: usize, errors: &mut Errors) {
        let Some(scope) = self.scopes.last_mut() else { return };
        let mut depth = 0_usize;
        for event in &self.events[from..] {
            match event {
                Event::Open => depth += 1,
                Event::Close if depth == 0 => return,
                Event::Close => depth -= 1,
                Event::Label(name) if depth == 0 => {
                    if !scope.labels.insert(&name.text)
                        || scope.names.contains_key(name.text.as_str())
                    {
                        report_twice(name, errors);
                    }
                }
                Event::Label(_)
                | Event::Declare(_)
                | Event::Assume(_)
                | Event::Use(_)
                | Event::Access(..)
                | Event::Step(_)
                | Event::Allow(_)
                | Event::Call(_)
                | Event::Form(..) => {}
            }
        }
    }

    fn declare(&mut self, declaration: &'b Declaration, errors: &mut Errors) {
        let thing = Thing::Declared(declaration, self.declared);
        self.declared += 1;
        let Some(scope) = self.scopes.last_mut() else { return };
        let name = declaration.name.text.as_str();
        match &declaration.family {
            Family::No => {
                if scope.find(name).is_some() {
                    report_twice(&declaration.name, errors);
                }
                scope.names.insert(name, thing);
            }
            Family::Of(count) => {
                let count = match count {
                    Count::Known(count) => Some(*count),
                    Count::Missing | Count::Splice(_) => None,
                };
                let overlaps = scope.families.iter().any(|(prefix, ..)| *prefix == name)
                    || scope.names.keys().any(|other| is_member(other, name, count));
                if overlaps {
                    report_twice(&declaration.name, errors);
                }
                scope.families.push((name, count, thing));
            }
        }
    }

    /// Finds what a name means that the body does not declare, and its name in PTX if that is
    /// another.
    fn find(&mut self, name: &'b Name, at: usize, errors: &mut Errors) -> Option<String> {
        let text = name.text.as_str();
        if text == "_" || text == "WARP_SZ" || self.lookup(text).is_some() {
            return None;
        }
        if special::is_special(text) {
            self.specials.push(name);
            return None;
        }
        let symbols = self.context.symbols;
        if let Some((found, ptx_name)) = symbols.variables(text) {
            self.is_certain &= found.len() == 1;
            let uses = found.iter().map(|symbol| VariableUse {
                index: symbol.index,
                member: symbol.ir.ty.family().map(|_| ptx_name.clone()),
            });
            self.uses.extend(uses);
            self.check_hidden(name, &ptx_name, errors);
            return Some(ptx_name);
        }
        if let Some(found) = symbols.functions.get(text) {
            self.calls.extend(found.iter().map(|symbol| symbol.index));
            let ptx_name = found.first().map(|symbol| symbol.name.clone());
            if let Some(ptx_name) = &ptx_name {
                self.check_hidden(name, ptx_name, errors);
            }
            return ptx_name;
        }
        if self.unknown.insert(text) {
            self.report_unknown(name, at, errors);
        }
        None
    }

    /// Reports what is called by another name in PTX, if the body declares something by that name.
    fn check_hidden(&self, name: &Name, ptx_name: &str, errors: &mut Errors) {
        if self.lookup(ptx_name).is_some() {
            let text = &name.text;
            errors.on(name.tokens(), format_args!("`{text}` is called `{ptx_name}` in PTX, and this function has a `{ptx_name}` of its own, which would be meant; rename that"));
        }
    }
}

fn report_twice(name: &Name, errors: &mut Errors) {
    for violation in rules::check_duplicate(&name.text, &name.text) {
        errors.on(name.tokens(), violation);
    }
}
