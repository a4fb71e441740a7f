//! The results for a body, as text.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

use ptx_isa::ir::body::{PLACEHOLDER, StatementKind, TokenRange};
use ptx_isa::ir::{Module, Variable};

use super::Written;
use crate::calls::uses::{ModuleNames, NamedFunction, Uses};
use crate::findings::deferred::{
    Deferred, DeferredActual, DeferredArgument, DeferredCopied, DeferredKind, DeferredOperand,
    Demanded,
};
use crate::findings::finding::Problem;
use crate::findings::unit::Analysis;
use crate::flow::object::{DeferredObject, VariableUse};
use crate::flow::place::Place;
use crate::values::claim::Condition;
use crate::values::number::{Linear, Sum};

/// The results for a body.
#[derive(Debug, Default)]
pub(crate) struct Conclusions {
    /// The findings, deferred checks and requirements, each with its statement index, in the order of
    /// discovery.
    pub(crate) notes: Vec<(usize, String)>,
    /// The called functions, with their numbers of arguments.
    pub(crate) calls: Vec<String>,
    /// The calls that threads certainly reach.
    pub(crate) must_calls: Vec<String>,
    /// The variables of the module whose alignment a check may find too low.
    pub(crate) maybe_misaligned: Vec<&'static str>,
    /// The names that the body uses, one line per kind, and the names that differ in PTX.
    pub(crate) uses: Vec<String>,
}

/// The names of a function and its module.
#[derive(Clone, Copy)]
pub(super) struct Words<'w> {
    pub(super) module: &'static Module<'static>,
    pub(super) written: &'w Written,
}

impl Conclusions {
    pub(super) fn of(words: Words<'_>, analysis: &Analysis<'static>) -> Self {
        let mut notes = Vec::new();
        for finding in &analysis.findings {
            let Some((_, place)) = finding.body() else { continue };
            let text = words.finding(place, &finding.problem);
            notes.push((place.statement, format!("! {text}")));
        }
        for check in &analysis.deferred {
            notes.push((check.place.statement, format!("? {}", words.deferred(check))));
        }
        for argument in &analysis.arguments {
            notes.push((argument.place.statement, format!("? {}", words.argument(argument))));
        }
        for demanded in &analysis.demands {
            notes.push((demanded.place.statement, format!("& {}", words.demand(demanded))));
        }
        let calls = analysis.calls.iter();
        let sure = analysis.must_calls.iter();
        let variables = words.module.variables.iter().enumerate();
        let perhaps = variables.filter(|(index, _)| {
            let used = VariableUse { index: *index, member: None };
            analysis.defers_alignment_of(|it| *it == DeferredObject::Variable(used.clone()))
        });
        Self {
            notes,
            calls: calls
                .map(|(n, passed)| format!("{} with {}", words.function(*n), passed.len()))
                .collect(),
            must_calls: sure.map(|(n, _)| words.function(*n).to_string()).collect(),
            maybe_misaligned: perhaps.map(|(_, variable)| variable.name).collect(),
            uses: words.uses(analysis),
        }
    }
}

pub(super) fn problem(problem: &Problem<'_>) -> String {
    match problem {
        Problem::Rule(violation) | Problem::UnknownInstruction(violation) => {
            let message = violation.to_string();
            format!("{}: {}", violation.rule.code, message.replace('\n', " / "))
        }
        Problem::Undeclared(name) => {
            let later = if name.is_later { " yet" } else { "" };
            let (names, families) = (name.visible.len(), name.families.len());
            format!("undeclared{later} ({names} names, {families} families)")
        }
        Problem::Hidden { name, ptx_name } => format!("{name} hidden by {ptx_name}"),
        Problem::Ambiguous(name) => format!("{name} is ambiguous"),
        Problem::SideBySide => "side by side".to_string(),
        Problem::Unneeded(n) => format!("unneeded {n}"),
        Problem::NotFollowed(_) => String::from("not followed"),
    }
}

impl Words<'_> {
    fn uses(&self, analysis: &Analysis<'static>) -> Vec<String> {
        let Module { variables, functions, .. } = self.module;
        let names = variables.iter().map(|variable| variable.name);
        let callable = functions.iter().map(|function| function.name);
        let names = ModuleNames::of(variables, names, callable, true);
        let declared = self.written.declared.iter().map(|declared| declared.variable);
        let declared: Vec<&Variable<'static>> = declared.collect();
        let body = self.written.body.expect("it was analysed");
        let uses = Uses::of(self.written.function, body, &declared, &names);
        let mut lines = Vec::new();
        let mut list = |what: &str, all: Vec<String>| {
            if !all.is_empty() {
                lines.push(format!("{what} {}", all.join(" ")));
            }
        };
        let used = uses.variables.iter().map(|(index, member)| match member {
            Some(member) => format!("{}.{member}", variables[*index].name),
            None => variables[*index].name.to_string(),
        });
        list("uses", used.collect());
        let name = |function: &NamedFunction<'_>| self.function(function.index).to_string();
        list("calls or takes", uses.functions.iter().map(name).collect());
        let taken = uses.functions.iter().filter(|function| function.is_taken);
        list("takes", taken.map(name).collect());
        list("specials", uses.specials.iter().map(ToString::to_string).collect());
        let idle = uses.idle.iter().map(|n| declared[*n].name.to_string());
        list("does not name", idle.collect());
        list("since", analysis.since.iter().map(ToString::to_string).collect());
        let renames = analysis.renames.iter().map(|it| {
            let at = TokenRange::one(it.token);
            format!("{} is {}", self.place(Place::new(it.statement, at)), it.name)
        });
        list("renames", renames.collect());
        let flags = [(uses.is_uncertain, "uncertain"), (uses.calls_indirectly, "indirect calls")];
        let flags = flags.iter().filter(|(is_so, _)| *is_so);
        list("with", flags.map(|(_, flag)| (*flag).to_string()).collect());
        lines
    }

    fn function(&self, n: usize) -> &'static str {
        self.module.functions[n].name
    }

    /// Returns the tokens of a place.
    fn place(&self, place: Place) -> String {
        let body = self.written.body.expect("it was analysed");
        let Some(statement) = body.statements().nth(place.statement) else {
            return "nowhere".to_string();
        };
        if statement.kind() == StatementKind::Verbatim {
            return statement.text().to_string();
        }
        let mut text = String::new();
        for token in statement.tokens() {
            if !(place.tokens.first..=place.tokens.last).contains(&token.index) {
                continue;
            }
            if token.text.starts_with(PLACEHOLDER) {
                text.push('$');
                text += self.written.names[token.constant];
            } else {
                text += token.text;
            }
        }
        text
    }

    pub(super) fn finding(&self, place: Place, of: &Problem<'_>) -> String {
        let (text, place) = (problem(of), self.place(place));
        match text.split_once(": ") {
            Some((code, message)) => format!("{code} at {place}: {message}"),
            None => format!("{text} at {place}"),
        }
    }

    fn argument(&self, argument: &DeferredArgument) -> String {
        let which = if argument.is_return { "return" } else { "param" };
        let actual = match &argument.actual {
            DeferredActual::Declaration(n) => format!("declaration {n}"),
            DeferredActual::Int => "an integer".to_string(),
            DeferredActual::Float => "a float".to_string(),
            DeferredActual::Constant(n) => format!("constant {n}"),
            DeferredActual::Address(name, space) => {
                format!("address of {name} in {}", space.name())
            }
        };
        let (function, place) = (self.function(argument.function), self.place(argument.place));
        format!("{which} {} of {function}: {actual} at {place}", argument.formal)
    }

    pub(super) fn object(&self, object: &DeferredObject) -> String {
        let function = self.written.function;
        match object {
            DeferredObject::Variable(used) => {
                let name = self.module.variables[used.index].name;
                match &used.member {
                    Some(member) => format!("{name}.{member}"),
                    None => name.to_string(),
                }
            }
            DeferredObject::Param(n) => function.params[*n].variable.name.to_string(),
            DeferredObject::Return(n) => function.returns[*n].variable.name.to_string(),
            DeferredObject::Declaration(n) => self.written.declared[*n].variable.name.to_string(),
            DeferredObject::Pointee(n) => format!("*{}", function.params[*n].variable.name),
            DeferredObject::FieldPointee(n, at) => {
                format!("*({}+{at})", function.params[*n].variable.name)
            }
        }
    }

    fn sum(&self, sum: &Sum) -> String {
        let mut terms: Vec<String> = Vec::new();
        for product in &sum.products {
            let names: Vec<&str> = product.of.iter().map(|n| self.written.names[*n]).collect();
            let names = names.join("*");
            terms.push(match product.times {
                1 => names,
                times => format!("{times}*{names}"),
            });
        }
        if sum.known != 0 || terms.is_empty() {
            terms.push(sum.known.to_string());
        }
        terms.join(" + ")
    }

    fn linear(&self, linear: &Linear) -> String {
        let steps = linear.steps.iter().map(|step| format!(" + any*({})", self.sum(step)));
        steps.fold(self.sum(&linear.base), |text, step| text + &step)
    }

    fn condition(&self, condition: &Condition) -> String {
        let Condition { one, comparison, other, bits, is_signed } = condition;
        let sign = if *is_signed { 's' } else { 'u' };
        format!("{} {comparison:?}.{sign}{bits} {}", self.sum(one), self.sum(other))
    }

    fn demand(&self, demanded: &Demanded) -> String {
        let Demanded { object, demand, place, .. } = demanded;
        let typed = if demand.is_typed { " typed" } else { "" };
        format!("{} to {}{typed} at {}", self.object(object), demand.align, self.place(*place))
    }

    fn operand(&self, operand: &DeferredOperand<'_>) -> String {
        let mut text =
            format!("{}+({})", self.object(&operand.object), self.linear(&operand.offset));
        if let Some((register, kind)) = operand.via {
            let _ = write!(text, " via {register} {kind:?}");
        }
        let settled = operand.settled;
        let flags = [
            (settled.is_tile, " tile"),
            (settled.is_aligned, " aligned"),
            (settled.computed.is_some(), " computed"),
            (settled.is_conditional, " conditional"),
            (operand.only_where.is_some(), " only where"),
            (operand.may_be_misaligned, " perhaps misaligned"),
        ];
        flags.iter().filter(|(is_so, _)| *is_so).for_each(|(_, flag)| text += flag);
        if let Some(it) = &operand.reached {
            text += &reached(it);
        }
        text
    }

    fn deferred(&self, check: &Deferred<'_>) -> String {
        let mut text = match &check.kind {
            DeferredKind::Operand(operand) => self.operand(operand),
            DeferredKind::Copy(copy) => {
                let at = |(object, offset): &(DeferredObject, Linear)| {
                    format!("{}+({})", self.object(object), self.linear(offset))
                };
                let mut text = format!("tile {} of {}", at(&copy.tile), at(&copy.map));
                let _ = write!(text, ", halo {:?}", copy.halo);
                if let Some(first) = &copy.first {
                    let _ = write!(text, ", first {}", self.sum(first));
                }
                for (offset, it) in &copy.executions {
                    let _ = write!(text, ", {offset}{}", reached(it));
                }
                text
            }
            DeferredKind::Transactions(expected, copied) => {
                let copied = copied.iter().map(|copied| match copied {
                    DeferredCopied::Bytes(bytes) => self.sum(bytes),
                    DeferredCopied::Tile(object, offset, halo) => {
                        format!("tile {}+({}) {halo:?}", self.object(object), self.linear(offset))
                    }
                });
                let copied: Vec<String> = copied.collect();
                format!("expects {}, copied [{}]", self.sum(expected), copied.join(", "))
            }
            DeferredKind::Count { of, count, by_copies } => {
                let by_copies = if *by_copies { " by copies" } else { "" };
                format!("{of:?} {}{by_copies}", self.sum(count))
            }
            DeferredKind::Descriptor(descriptor) => {
                let (object, offset) = &descriptor.tile;
                let transposed = if descriptor.is_transposed { " transposed" } else { "" };
                format!(
                    "descriptor {}+({}) bits {}{transposed} .{} rows {}",
                    self.object(object),
                    self.linear(offset),
                    self.sum(&descriptor.bits),
                    descriptor.element,
                    descriptor.rows
                )
            }
        };
        let _ = write!(text, " at {}", self.place(check.place));
        if let Some(value) = check.value.filter(|value| *value != check.place) {
            let _ = write!(text, " and {}", self.place(value));
        }
        for condition in &check.conditions {
            let _ = write!(text, " if {}", self.condition(condition));
        }
        if !check.allowances.is_empty() {
            let _ = write!(text, " allowing {:?}", check.allowances);
        }
        text
    }
}

fn reached(reached: &ptx_isa::rules::Reached<'_>) -> String {
    let mut text = String::new();
    if let Some(thread) = reached.thread {
        let _ = write!(text, " by {thread:?}");
    }
    if let Some((label, round)) = reached.round {
        let _ = write!(text, " in round {round} of {label}");
    }
    if reached.is_nearest {
        text += " nearest";
    }
    text
}
