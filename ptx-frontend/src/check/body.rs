//! Analyses bodies and reports the findings at their tokens.

use std::collections::HashMap;
use std::fmt::Write as _;

use proc_macro2::Span;
use ptx_analysis::deferred::DeferredObject;
use ptx_analysis::{
    Analysis, Block, BodyFinding, Called, Constants, Declared, Place, Problem, Unit, VariableUse,
    analyse,
};
use ptx_isa::ir;
use ptx_isa::rules::alignment::Demands;
use ptx_isa::rules::{Arg, Environment, Violation};
use ptx_isa::{Space, rules};

use super::assumption::{Assumed, Assumptions};
use super::names::Names;
use super::once::Once;
use super::place::{locations, tokens_over};
use crate::absence;
use crate::body::{Body, is_named_as_constant, lower_declaration, no_list};
use crate::codes::is_of_statements;
use crate::errors::Errors;
use crate::integers::Integers;
use crate::message;
use crate::types::Lowering;

/// An analysed body.
#[derive(Debug)]
pub struct CheckedBody<'a> {
    /// The text of the IR, with the names in PTX.
    pub text: String,
    /// Its encoded table.
    pub table: Vec<u8>,
    /// The source locations of its tokens, in the form that [`Locations::new`](ir::Locations::new) takes.
    pub locations: (Vec<String>, Vec<u8>),
    /// Its declarations, in order, with unknowns where a Rust constant decides.
    pub declared: Vec<&'a ir::Variable<'a>>,
    /// The prototypes that it declares, in order.
    pub prototypes: &'a [ir::Function<'a>],
    /// The result of the analysis.
    pub analysis: Analysis<'a>,
    /// The violations that exist if Rust constants have the values known from tokens.
    pub assumed: Vec<Assumed>,
    /// The module's variables that it names; for a kernel, these include the ones that the functions it calls
    /// name.
    pub uses: Vec<VariableUse>,
    /// The functions that a kernel calls, and those that they call, by their index among the items.
    pub called: Vec<usize>,
    /// The demands of accesses on parameters and on the body's declarations, as far as tokens determine them, where
    /// rustc knows of more.
    pub demanded: Vec<(DeferredObject, Demands)>,
}

impl CheckedBody<'_> {
    /// Whether this declaration is a `.shared` variable that the body never names.
    pub fn is_idle_shared(&self, declaration: usize) -> bool {
        let Some(variable) = self.declared.get(declaration) else { return false };
        // The IR knows declarations in blocks of their own by their names and their order.
        let is_named = || {
            let is_named = |n: usize| self.analysis.uses.named.get(n).copied().unwrap_or(true);
            let mut each = self.declared.iter().enumerate();
            each.any(|(n, it)| it.name == variable.name && is_named(n))
        };
        variable.space == Space::Shared && !is_named()
    }

    /// The indices of its declarations, and those of the `.shared` variables among them that it never names.
    pub fn split_declarations(&self) -> (Vec<usize>, Vec<usize>) {
        (0..self.declared.len()).partition(|n| !self.is_idle_shared(*n))
    }
}

/// The context of a body's analysis.
#[derive(Clone, Copy)]
pub(super) struct Around<'c, 'a> {
    /// The module's names.
    pub(super) names: &'c Names<'a>,
    /// The function's own signature.
    pub(super) function: &'a ir::Function<'a>,
    /// The codes that the function allows.
    pub(super) allow: &'c [(&'static str, Span)],
    /// The target, version and release that the module is checked for.
    pub(super) env: Environment,
    /// The extents of a block, as far as directives specify them.
    pub(super) block: Block,
    /// The maximum number of blocks in a cluster, if directives specify it, and whether it is the exact number.
    pub(super) cluster: Option<(u32, bool)>,
    /// The integer constants in scope.
    pub(super) integers: &'c Integers,
    /// The callers' view of the function.
    pub(super) called: &'c Called<'a>,
}

/// Lowers a body to IR.
pub(super) fn lower_body<'a>(body: &Body, lowering: &Lowering<'a>) -> ir::Body<'a> {
    let text = lowering.arena.alloc_str(&body.source.text);
    let table = lowering.arena.alloc_slice_copy(&body.source.table);
    ir::Body::new(text, table, &[])
}

/// Analyses a body, given its declarations in the IR, and reports the findings.
pub(super) fn check_body<'a>(
    (body, ir): (&Body, ir::Body<'a>),
    declared: Vec<&'a ir::Variable<'a>>,
    around: Around<'_, 'a>,
    lowering: &Lowering<'a>,
    errors: &mut Errors,
) -> CheckedBody<'a> {
    let source = &body.source;
    let declarations: Vec<Declared<'a>> = declared
        .iter()
        .zip(&source.declarations)
        .map(|(variable, declaration)| Declared {
            variable,
            is_deferred: declaration.has_constant(),
        })
        .collect();
    let same = same(body);
    let of_statements =
        |(code, _): &&(&'static str, Span)| rules::rule(code).is_some_and(is_of_statements);
    let allowed: Vec<(&'static str, Span)> =
        around.allow.iter().filter(of_statements).copied().collect();
    let codes: Vec<&'a str> = allowed.iter().map(|(code, _)| *code).collect();
    let names_assumed = source.assumed.iter().map(|name| &*lowering.arena.alloc_str(name));
    let names_assumed: Vec<&'a str> = names_assumed.collect();
    let analyse_with = |values: &[Option<i128>]| {
        analyse(Unit {
            symbols: &around.names.symbols,
            function: around.function,
            body: ir,
            declared: &declarations,
            constants: Constants { values, same: &same },
            environment: around.env,
            block: around.block,
            cluster: around.cluster,
            called: around.called,
            allowed: &codes,
            is_ptx: false,
            assumed: &names_assumed,
            before: None,
            defers: true,
        })
    };
    let mut analysis = analyse_with(&vec![None; body.constants.len()]);
    let values = around.integers.values(&body.constants);
    let is_assumed = values.iter().any(Option::is_some);
    let under = is_assumed.then(|| analyse_with(&values));
    // A finding that only `Module::check` can decide may need an allowance as well.
    let is_open = values.iter().any(Option::is_none);
    let report = Report { body, ir, names: around.names, analysis: &analysis, allowed: &allowed };
    let is_caused = |finding: &BodyFinding<'_>| {
        let statement = || ir.statements().nth(finding.place.statement);
        absence::is_caused_by(&finding.problem, finding.place, statement)
    };
    let is_whole = body.is_whole && !analysis.findings.iter().any(is_caused);
    let once = Once::new(body, ir.statements().count());
    let mut found = Vec::new();
    for finding in &analysis.findings {
        if let Problem::Rule(broken) = &finding.problem
            && !is_whole
            && absence::is_concluded(broken.rule.code)
        {
            continue;
        }
        let is_needed = |n: &usize| {
            let allows = |under: &Analysis<'_>| {
                under.allowances.get(*n).is_some_and(|allowance| allowance.is_needed)
                    || under.deferred.iter().any(|check| check.allowances.contains(n))
            };
            is_open || under.as_ref().is_some_and(allows)
        };
        if !matches!(&finding.problem, Problem::Unneeded(n) if is_needed(n)) {
            found.push((finding.place, code(&finding.problem), finding));
        }
    }
    for (finding, rounds) in once.first(found) {
        report.report(finding, &rounds, errors);
    }
    let (mut assumed, mut deferred) = (Vec::new(), Vec::new());
    if let Some(under) = &under {
        let assumptions =
            Assumptions { known: &analysis, under, values: &values, same: &same, analyse_with };
        let found = assumptions.findings();
        let found = found.into_iter().map(|found| (found.place, Some(found.code), found));
        let with = |(found, rounds): (Assumed, String)| Assumed {
            message: found.message.clone() + &rounds,
            ..found
        };
        assumed = once.first(found).into_iter().map(with).collect();
        deferred = assumptions.deferred();
    }
    analysis.deferred.extend(deferred);
    let renames: HashMap<(usize, usize), &str> = analysis
        .renames
        .iter()
        .map(|rename| ((rename.statement, rename.token), rename.name.as_str()))
        .collect();
    // In most bodies, no name differs in PTX.
    let (text, table) = if renames.is_empty() {
        (source.text.clone(), source.table.clone())
    } else {
        ir.renamed(|statement, token| renames.get(&(statement, token)).copied())
    };
    let locations = locations(ir::Body::new(&text, &table, &[]), &source.positions);
    CheckedBody {
        text,
        table,
        locations,
        declared,
        prototypes: around.function.prototypes,
        assumed,
        uses: analysis.uses.variables.clone(),
        analysis,
        called: Vec::new(),
        demanded: Vec::new(),
    }
}

/// Lowers the declarations of a body to IR.
pub(super) fn lower_declarations<'a>(
    body: &Body,
    lowering: &Lowering<'a>,
) -> Vec<&'a ir::Variable<'a>> {
    let declarations = body.source.declarations.iter();
    declarations
        .map(|declaration| {
            &*lowering.arena.alloc(lower_declaration(declaration, lowering.arena, &no_list))
        })
        .collect()
}

/// For each constant, the index of the first one with the same tokens.
fn same(body: &Body) -> Vec<usize> {
    let mut first: HashMap<String, usize> = HashMap::new();
    let constants = body.constants.iter().enumerate();
    constants.map(|(n, tokens)| *first.entry(tokens.to_string()).or_insert(n)).collect()
}

/// The rule that a problem is about.
fn code(problem: &Problem<'_>) -> Option<&'static str> {
    match problem {
        Problem::Rule(broken) => Some(broken.rule.code),
        Problem::UnknownInstruction(_)
        | Problem::Undeclared(_)
        | Problem::Hidden { .. }
        | Problem::Misplaced(_)
        | Problem::SideBySide
        | Problem::Unneeded(_) => None,
    }
}

/// Reports the findings in a body.
struct Report<'c, 'a> {
    body: &'c Body,
    ir: ir::Body<'a>,
    names: &'c Names<'a>,
    analysis: &'c Analysis<'a>,
    /// The codes that the function allows.
    allowed: &'c [(&'static str, Span)],
}

impl Report<'_, '_> {
    /// Reports a finding, with the rounds of the loop in which there is one.
    fn report(&self, finding: &BodyFinding<'_>, rounds: &str, errors: &mut Errors) {
        let BodyFinding { place, problem } = finding;
        let Some(at) = self.body.at(*place) else { return };
        match problem {
            Problem::Rule(broken) => {
                errors.on(tokens_over(at), format_args!("{}{rounds}", broken.violation()));
            }
            Problem::UnknownInstruction(broken) => {
                let instruction = self.ir.statements().nth(place.statement);
                let Some(instruction) = instruction.and_then(|found| found.instruction(&[])) else {
                    return;
                };
                let (name, question) =
                    message::unknown_instruction(instruction.opcode, &instruction.pairs());
                let [_, _, third, fourth] = broken.args;
                let args = [Arg::Str(&name), Arg::Str(&question), third, fourth];
                errors.on(tokens_over(at), Violation { args, ..broken.violation() });
            }
            Problem::Undeclared(found) => {
                let hint = self.names.rust_hint(found.name);
                let is_hinted = hint.is_some();
                let mut text = message::undeclared(found, &self.names.symbols, hint);
                let is_unlike_others = !is_hinted && text.contains("declare it in the body");
                if is_unlike_others && is_named_as_constant(found.name) {
                    let _ = write!(text, "; for a constant of Rust write `#({})`", found.name);
                }
                errors.on(tokens_over(at), text);
            }
            Problem::Hidden { name, ptx_name } => {
                errors.on(tokens_over(at), message::hidden(name, ptx_name));
            }
            Problem::Misplaced(found) => errors.on(tokens_over(at), message::misplaced(found)),
            Problem::SideBySide => errors.at(at.0, message::SIDE_BY_SIDE),
            Problem::Unneeded(n) => self.report_unneeded(*n, errors),
        }
    }

    fn report_unneeded(&self, n: usize, errors: &mut Errors) {
        let Some(allowance) = self.analysis.allowances.get(n) else { return };
        if let Some(span) = self.body.allowance_at(allowance, self.allowed) {
            errors.at(span, rules::unneeded(allowance.code));
        }
    }
}

impl Body {
    /// The spans of the first and last tokens at a place.
    pub fn at(&self, place: Place) -> Option<(Span, Span)> {
        self.source.positions.over(place.statement, place.tokens)
    }

    /// The span of an allowance, either on a statement or, by its code, among those of the function.
    pub fn allowance_at(
        &self,
        allowance: &ptx_analysis::Allowance<'_>,
        of_function: &[(&'static str, Span)],
    ) -> Option<Span> {
        match allowance.statement {
            Some((statement, which)) => self.source.positions.allowance(statement, which),
            None => {
                of_function.iter().find(|(code, _)| *code == allowance.code).map(|(_, span)| *span)
            }
        }
    }
}
