//! Reports the findings of analysed bodies at their tokens.

use std::fmt::Write as _;

use proc_macro2::Span;
use ptx_analysis::deferred::DeferredObject;
use ptx_analysis::{
    Analysis, AssumedFinding, Demand, Finding, Place, Problem, Symbols, VariableUse,
};
use ptx_isa::ir;
use ptx_isa::rules;
use ptx_isa::rules::alignment::Demands;
use ptx_isa::rules::name_in_body::WrongName;
use ptx_isa::rules::{Arg, Violation};
use ptx_isa::sorted::SortedMap;
use ptx_text::absence;
use ptx_text::body::is_named_as_constant;
use ptx_text::message;

use super::lower::{Lowered, LoweredFunction};
use super::names::Names;
use super::once::Once;
use super::place::{encoded, location, locations, tokens_over};
use super::report::{Part, Reporter, When};
use crate::ast::{Function, Item, Module};
use crate::body::{Body, Origin, is_place_of, unknown_place};
use crate::errors::Errors;

/// A violation that exists if the Rust constants of a body have the assumed values, which rustc confirms.
#[derive(Debug)]
pub struct Assumed {
    /// The place of the violation.
    pub place: Place,
    /// The message.
    pub message: String,
    /// The constants, and their assumed values.
    pub constants: Vec<(usize, i128)>,
}

/// An analysed body.
#[derive(Debug)]
pub struct CheckedBody<'a> {
    /// The text of the IR, with the names in PTX.
    pub text: String,
    /// Its encoded table.
    pub table: Vec<u8>,
    /// The source locations of its tokens, in the form that [`Locations::new`](ir::Locations::new) takes.
    pub locations: (Vec<String>, Vec<u8>),
    /// For its statements that come from fragments, where they are written, in the same form.
    pub inlined: (Vec<String>, Vec<u8>),
    /// Its declarations, in order, with unknowns where a Rust constant decides.
    pub declared: Vec<&'a ir::Variable<'a>>,
    /// The declarations in the order of the IR: those of [`locals`](ir::Function::locals), and those of
    /// [`idle_shared`](ir::Function::idle_shared).
    pub locals: (Vec<usize>, Vec<usize>),
    /// The prototypes that it declares, in order.
    pub prototypes: &'a [ir::Function<'a>],
    /// The result of the analysis.
    pub analysis: Analysis<'a>,
    /// The violations that exist if Rust constants have the values known from tokens.
    pub assumed: Vec<Assumed>,
    /// The module's variables that it names; for a kernel, these include the ones that the functions it calls
    /// name.
    pub uses: Vec<VariableUse>,
    /// The functions that it names, by their index in the IR.
    pub calls: Vec<usize>,
    /// The functions that a kernel calls, and those that they call, by their index in the IR.
    pub called: Vec<usize>,
    /// The special registers that it names.
    pub specials: Vec<String>,
    /// The demands of accesses on parameters and on the body's declarations, as far as tokens determine them, where
    /// rustc knows of more.
    pub demanded: Vec<(DeferredObject, Demands)>,
}

/// Reports the findings in bodies. Returns the bodies, by the items of the module.
pub(super) fn check_bodies<'a>(
    module: &mut Module,
    lowered: &Lowered<'a>,
    checked: SortedMap<usize, ptx_analysis::CheckedBody<'a>>,
    reporter: &mut Reporter<'_, 'a>,
) -> Vec<Option<CheckedBody<'a>>> {
    let mut bodies: Vec<Option<CheckedBody<'a>>> = module.items.iter().map(|_| None).collect();
    for (n, checked) in checked {
        let item = module.functions[n];
        let Item::Function(function) = &mut module.items[item] else { continue };
        reporter.report_unneeded(n, item, function);
        let of = (lowered.ir.functions[n], &lowered.functions[n]);
        bodies[item] = check_body(function, item, of, checked, lowered, reporter);
    }
    bodies
}

/// Records what is demanded of a declaration with the checks that rustc makes.
pub(super) fn defer(
    module: &Module,
    Demand { function, object, demands }: Demand,
    bodies: &mut [Option<CheckedBody<'_>>],
    of_variables: &mut Vec<(usize, Demands)>,
) {
    if let DeferredObject::Variable(used) = object {
        of_variables.push((used.index, demands));
        return;
    }
    let item = function.and_then(|function| module.functions.get(function));
    if let Some(body) = item.and_then(|item| bodies.get_mut(*item)?.as_mut()) {
        body.demanded.push((object, demands));
    }
}

fn check_body<'a>(
    function: &mut Function,
    item: usize,
    (ir, own): (&'a ir::Function<'a>, &LoweredFunction<'a>),
    checked: ptx_analysis::CheckedBody<'a>,
    lowered: &Lowered<'a>,
    reporter: &mut Reporter<'_, 'a>,
) -> Option<CheckedBody<'a>> {
    let ptx_analysis::CheckedBody { analysis, assumed } = checked;
    let (body, ir_body) = (function.body.as_ref()?, ir.body?);
    let source = &body.source;
    let report = Report {
        body,
        ir: ir_body,
        names: reporter.names,
        symbols: reporter.symbols,
        analysis: &analysis,
        allowed: &function.allow,
    };
    let is_caused = |finding: &Finding<'_>| {
        let Some((_, place)) = finding.body() else { return false };
        let statement = || ir_body.statements().nth(place.statement);
        absence::is_caused_by(&finding.problem, place, statement)
    };
    let is_whole = body.is_whole && !analysis.findings.iter().any(is_caused);
    let is_certain = |finding: &&Finding<'_>| match &finding.problem {
        Problem::Rule(violation) => is_whole || !absence::is_concluded(violation.rule.code),
        _ => true,
    };
    let once = Once::new(body, ir_body.statements().count());
    let found = analysis.findings.iter().filter(is_certain);
    let found = found.filter_map(|finding| {
        let (_, place) = finding.body()?;
        Some((place, code(&finding.problem), finding))
    });
    let found = once.first(found);
    reporter.add(When::Item(item, Part::Body), |errors| {
        for (finding, rounds) in found {
            report.report(finding, &rounds, errors);
        }
    });
    let values = own.values.iter().enumerate();
    let constants = values
        .filter(|(n, _)| own.same.get(*n) == Some(n))
        .filter_map(|(n, value)| Some((n, (*value)?)));
    let constants: Vec<(usize, i128)> = constants.collect();
    let assumed =
        assumed.into_iter().map(|found| (found.place, Some(found.violation.rule.code), found));
    let assumed = once.first(assumed).into_iter().map(|(found, rounds)| {
        let AssumedFinding { place, violation } = found;
        Assumed {
            place,
            message: violation.to_string() + &rounds + &body.inside(place.statement),
            constants: constants.clone(),
        }
    });
    let assumed = assumed.collect();
    let renames: SortedMap<(usize, usize), &str> = analysis
        .renames
        .iter()
        .map(|rename| ((rename.statement, rename.token), rename.name.as_str()))
        .collect();
    // In most bodies, no name differs in PTX.
    let (text, table) = if renames.is_empty() {
        (source.text.clone(), source.table.clone())
    } else {
        ir_body.renamed(|statement, token| renames.get(&(statement, token)).copied())
    };
    let locations = locations(ir::Body::new(&text, &table, &[]), &source.positions);
    leave_out_undeclared(&mut function.items, &analysis);
    let reached = own.reached.as_ref();
    let uses = reached.iter().flat_map(|reached| &reached.variables);
    let uses = uses.map(|(index, member)| VariableUse {
        index: *index,
        member: member.map(|name| lowered.names.in_ptx(name, *index)),
    });
    let (locals, idle) = own.locals.split_at(ir.locals.len());
    Some(CheckedBody {
        text,
        table,
        locations,
        inlined: body.inlined(),
        declared: own.declared.clone(),
        locals: (locals.to_vec(), idle.to_vec()),
        prototypes: ir.prototypes,
        assumed,
        uses: uses.collect(),
        calls: own.uses.functions.iter().map(|function| function.index).collect(),
        called: reached.map(|reached| reached.functions.clone()).unwrap_or_default(),
        specials: own.uses.specials.iter().map(|name| (*name).to_owned()).collect(),
        analysis,
        demanded: Vec::new(),
    })
}

/// Removes the names that are not declared, which were reported, from the constants of places.
fn leave_out_undeclared(items: &mut [syn::Item], analysis: &Analysis<'_>) {
    for finding in &analysis.findings {
        let Problem::Undeclared(undeclared) = &finding.problem else { continue };
        for item in &mut *items {
            if let syn::Item::Verbatim(constant) = item
                && is_place_of(constant, undeclared.name)
            {
                *constant = unknown_place(constant);
            }
        }
    }
}

/// The rule that a problem is about.
fn code(problem: &Problem<'_>) -> Option<&'static str> {
    match problem {
        Problem::Rule(violation) => Some(violation.rule.code),
        Problem::UnknownInstruction(_)
        | Problem::Undeclared(_)
        | Problem::Hidden { .. }
        | Problem::Ambiguous(_)
        | Problem::SideBySide
        | Problem::Unneeded(_)
        | Problem::NotFollowed(_) => None,
    }
}

/// The advice about a function that nothing declares.
const OF_CALL: &str = "declare it in the module, or name the one that does, as in `call other::function` (`use ..::*` brings no functions)";

/// Whether a statement calls what has this name, outside of parentheses.
fn calls(statement: &str, name: &str) -> bool {
    let after = statement.split_once("call").map(|(_, after)| after);
    let mut depth = 0_i32;
    let callee = after.unwrap_or_default().split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        matches!(c, ',' | ';' | ' ' | '(' | ')') && depth == 0
    });
    let mut callee = callee.filter(|word| !word.is_empty() && !word.starts_with(['(', '.']));
    callee.next() == Some(name)
}

/// The advice about a name in a fragment that nothing declares.
const OF_FRAGMENT: &str = "declare it in the body or as a parameter, since a fragment is written into other modules and names nothing of its own";

/// Reports the findings in a body.
struct Report<'c, 'a> {
    body: &'c Body,
    ir: ir::Body<'a>,
    names: &'c Names,
    symbols: &'c Symbols<'a>,
    analysis: &'c Analysis<'a>,
    /// The codes that the function allows.
    allowed: &'c [(&'static str, Span)],
}

impl Report<'_, '_> {
    /// Reports a problem and its place, with the rounds of the loop in which there is one.
    fn report(&self, finding: &Finding<'_>, rounds: &str, errors: &mut Errors) {
        let Some((_, place)) = finding.body() else { return };
        let Some(at) = self.body.at(place) else { return };
        let inside = self.body.inside(place.statement);
        match &finding.problem {
            Problem::Rule(violation) => {
                errors.on(tokens_over(at), format_args!("{violation}{rounds}{inside}"));
            }
            Problem::UnknownInstruction(violation) => {
                let instruction = self.ir.statements().nth(place.statement);
                let Some(instruction) = instruction.and_then(|found| found.instruction(&[])) else {
                    return;
                };
                let (name, question) =
                    message::unknown_instruction(instruction.opcode, &instruction.pairs());
                let [_, _, third, fourth] = violation.args;
                let args = [Arg::Str(&name), Arg::Str(&question), third, fourth];
                let violation = Violation { args, ..**violation };
                errors.on(tokens_over(at), format_args!("{violation}{inside}"));
            }
            Problem::Undeclared(found) => {
                let hint = self.names.rust_hint(found.name);
                let is_hinted = hint.is_some();
                let mut text = message::undeclared(found, self.symbols, hint);
                let is_unlike_others = !is_hinted && text.contains(message::DECLARE);
                let statement = || self.ir.statements().nth(place.statement);
                if is_unlike_others && self.body.is_fragment() {
                    text = text.replace(message::DECLARE, OF_FRAGMENT);
                } else if is_unlike_others
                    && statement().is_some_and(|it| calls(it.text(), found.name))
                {
                    text = text.replace(message::DECLARE, OF_CALL);
                }
                if is_unlike_others && is_named_as_constant(found.name) {
                    let _ = write!(text, "; for a constant of Rust write `#({})`", found.name);
                }
                let violation = found.violation.in_words(&text);
                errors.on(tokens_over(at), format_args!("{violation}{inside}"));
            }
            Problem::Hidden { name, ptx_name } => {
                if let Some(violation) =
                    rules::check_name_in_body(name, WrongName::Hidden(ptx_name))
                {
                    errors.on(tokens_over(at), violation);
                }
            }
            Problem::Ambiguous(name) => {
                message::ambiguous(name, self.symbols, |violation| {
                    errors.on(tokens_over(at), violation);
                });
            }
            Problem::SideBySide => errors.at(at.0, message::SIDE_BY_SIDE),
            Problem::Unneeded(n) => self.report_unneeded(*n, errors),
            // No launch is given.
            Problem::NotFollowed(_) => {}
        }
    }

    fn report_unneeded(&self, n: usize, errors: &mut Errors) {
        let Some(allowance) = self.analysis.allowances.get(n) else { return };
        if let Some(span) = self.body.allowance_at(allowance, self.allowed) {
            errors.unneeded(span, allowance.code);
        }
    }
}

impl Body {
    /// Where the statements that come from fragments are written.
    fn inlined(&self) -> (Vec<String>, Vec<u8>) {
        let statements = self.source.positions.each_inlined();
        let mut found = Vec::new();
        for (statement, origin) in statements {
            let places = self.origins_of(Some(origin)).map(|(_, at)| location(at));
            found.extend(places.enumerate().map(|(n, place)| (statement, n, place)));
        }
        encoded(&found)
    }

    /// The uses that a statement comes from, from the innermost one on, each with the place in the fragment.
    fn origins_of(&self, origin: Option<usize>) -> impl Iterator<Item = (&str, Span)> {
        let mut origin = origin;
        core::iter::from_fn(move || {
            let Origin { of, at, .. } = self.origins.get(origin?)?;
            let used = self.uses.get(*of).filter(|used| !used.is_definition)?;
            origin = used.parent;
            Some((used.name.as_str(), *at))
        })
    }

    /// In which fragments a statement is, and where in them: what to add to a message about it.
    pub fn inside(&self, statement: usize) -> String {
        let origins = self.origins_of(self.source.positions.inlined(statement));
        origins.fold(String::new(), |text, (name, at)| {
            format!("{text}, in the fragment `{name}` at {}", location(at))
        })
    }

    /// The span of an operand that is passed to a fragment, if the place is one.
    pub(crate) fn operand_of_fragment(&self, place: Place) -> Option<(Span, Span)> {
        self.source.positions.inlined(place.statement)?;
        let at = self.at(place)?;
        let is_own =
            self.uses.iter().any(|used| used.is_definition || used.at.start() == at.0.start());
        (!is_own).then_some(at)
    }

    /// Whether it is the body in which a fragment is checked where it is written.
    fn is_fragment(&self) -> bool {
        self.uses.iter().any(|used| used.is_definition)
    }

    /// Whether a token is where a fragment is used.
    pub(crate) fn is_use(&self, at: Span) -> bool {
        let mut uses = self.uses.iter().filter(|used| !used.is_definition);
        uses.any(|used| used.at.start() == at.start() && used.at.file() == at.file())
    }

    /// Which statement of a fragment a statement is; 0 outside fragments.
    pub(crate) fn statement_of_fragment(&self, statement: usize) -> usize {
        let origin = self.source.positions.inlined(statement);
        let origin = origin.and_then(|origin| self.origins.get(origin));
        origin.map_or(0, |origin| origin.statement + 1)
    }

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
