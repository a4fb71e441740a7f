//! Everything that is wrong with a text, each at its place.

use std::collections::{BTreeMap, HashMap};

use ptx_analysis::{Allowance, Judgement, Place, Problem, judge_module};
use ptx_types::ir;
use ptx_types::ir::family::is_member;
use ptx_types::rules::{self, Arg, Blame, Kind as RuleKind, Violation};

use super::body::positions;
use super::diagnostic::{Diagnostic, Kind};
use super::extent::Extent;
use super::function::ParamAt;
use super::lines::Lines;
use super::module::{ReadFunction, ReadModule};
use super::reader::numbers;
use crate::codes::is_of_statements;
use crate::message;

/// What the name of a declaration belongs to.
#[derive(Clone, Copy)]
enum Declared {
    Variable(usize),
    Function(usize),
    Param(usize, usize),
    Return(usize, usize),
    Local(usize, usize),
}

/// A text that is judged.
pub(super) struct Judging<'c, 'a> {
    pub(super) text: &'a str,
    pub(super) lines: &'c Lines,
    pub(super) module: &'c ReadModule<'a>,
    pub(super) ir: &'c ir::Module<'a>,
    /// The functions in the IR, by their number there: their numbers in the text.
    pub(super) functions: &'c [usize],
}

impl<'a> Judging<'_, 'a> {
    /// What the rules and the analysis find.
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        let names = self.names();
        let mut assumed: BTreeMap<usize, Vec<&'a str>> = BTreeMap::new();
        for (n, function) in self.functions() {
            if let Some(body) = &function.body
                && !body.assumed.is_empty()
            {
                // What was declared is not declared again by what could not be read.
                let is_declared = |name: &&str| {
                    body.declared.iter().any(|variable| {
                        variable.name == *name
                            || variable.ty.family().is_some()
                                && is_member(name, variable.name, None)
                    })
                };
                let names = body.assumed.iter().copied().filter(|name| !is_declared(name));
                assumed.insert(n, names.collect());
            }
        }
        let line = |function: usize, place: Place| {
            let extent = self.in_body(function, place);
            Some(self.lines.position(self.text, extent.start as usize).line)
        };
        let judged = judge_module(self.ir, &assumed, line);
        let mut found = Vec::new();
        for Judgement { problem, body } in &judged.problems {
            let at = |blames, subject: &str, args: &[Arg<'_>]| match body {
                Some((function, place)) => self.in_body(*function, *place),
                None => self.of_declaration(&names, blames, subject, args),
            };
            match problem {
                Problem::Rule(broken) => {
                    let at = at(broken.blames, broken.subject, &broken.args);
                    found.push(of_rule(at, broken.violation()));
                }
                Problem::UnknownInstruction(broken) => {
                    let at = at(broken.blames, broken.subject, &broken.args);
                    let instruction = body.and_then(|(function, place)| {
                        let body = self.ir.functions[function].body?;
                        body.statements().nth(place.statement)?.instruction(&[])
                    });
                    let Some(instruction) = instruction else { continue };
                    let (name, question) =
                        message::unknown_instruction(instruction.opcode, &instruction.pairs());
                    let [_, _, third, fourth] = broken.args;
                    let args = [Arg::Str(&name), Arg::Str(&question), third, fourth];
                    found.push(of_rule(at, Violation { args, ..broken.violation() }));
                }
                Problem::Undeclared(name) => {
                    let text = message::undeclared(name, &judged.symbols, None);
                    found.push(named(at(Blame::Name, "", &[]), text));
                }
                Problem::Hidden { name, ptx_name } => {
                    found.push(named(at(Blame::Name, "", &[]), message::hidden(name, ptx_name)));
                }
                Problem::SideBySide => found.push(Diagnostic {
                    kind: Kind::Syntax,
                    code: None,
                    range: at(Blame::Name, "", &[]).range(),
                    message: message::SIDE_BY_SIDE.to_owned(),
                    help: None,
                }),
                Problem::Unneeded(n) => {
                    let allowance = body.and_then(|(function, _)| {
                        Some((function, judged.allowances.get(&function)?.get(*n)?))
                    });
                    if let Some((function, allowance)) = allowance {
                        found.extend(self.unneeded(function, allowance));
                    }
                }
            }
        }
        found
    }

    /// The functions of the IR as they were read.
    fn functions(&self) -> impl Iterator<Item = (usize, &ReadFunction<'a>)> {
        self.functions.iter().enumerate().map(|(n, at)| (n, &self.module.functions[*at]))
    }

    fn function(&self, index: usize) -> &ReadFunction<'a> {
        &self.module.functions[self.functions[index]]
    }

    /// The declarations by where their names are kept: each has its own place, and a violation has the name
    /// of what breaks the rule.
    fn names(&self) -> HashMap<usize, Declared> {
        let key = |name: &str| name.as_ptr() as usize;
        let mut found = HashMap::new();
        for (n, declared) in self.module.variables.iter().enumerate() {
            found.insert(key(declared.variable.name), Declared::Variable(n));
        }
        for (n, ir) in self.ir.functions.iter().enumerate() {
            found.insert(key(ir.name), Declared::Function(n));
            for (i, param) in ir.params.iter().enumerate() {
                found.insert(key(param.variable.name), Declared::Param(n, i));
            }
            for (i, param) in ir.returns.iter().enumerate() {
                found.insert(key(param.variable.name), Declared::Return(n, i));
            }
            if let Some(body) = &self.function(n).body {
                for (i, local) in body.declared.iter().enumerate() {
                    found.insert(key(local.name), Declared::Local(n, i));
                }
            }
        }
        found
    }

    /// The part of a declaration that is blamed.
    fn of_declaration(
        &self,
        names: &HashMap<usize, Declared>,
        blames: Blame,
        subject: &str,
        args: &[Arg<'_>],
    ) -> Extent {
        let of_param = |at: &ParamAt| match blames {
            Blame::Align => at.align.unwrap_or(at.name),
            Blame::Type | Blame::Element | Blame::Extent => at.ty,
            Blame::Linkage => at.pointer.unwrap_or(at.name),
            _ => at.name,
        };
        match names.get(&(subject.as_ptr() as usize)) {
            Some(Declared::Variable(n)) => {
                let at = &self.module.variables[*n];
                match blames {
                    Blame::Space => at.space,
                    Blame::Linkage => at.linkage.unwrap_or(at.name),
                    Blame::Align => at.align.unwrap_or(at.name),
                    Blame::Type | Blame::Element | Blame::Extent => at.ty,
                    Blame::Value => at.value.unwrap_or(at.name),
                    Blame::Number => at.value.map_or(at.name, |value| self.number(value, args)),
                    _ => at.name,
                }
            }
            Some(Declared::Function(n)) => self.of_function(*n, blames, args),
            Some(Declared::Param(n, i)) => {
                let signature = &self.function(*n).signature;
                signature.params.get(*i).map_or(signature.name, of_param)
            }
            Some(Declared::Return(n, i)) => {
                let signature = &self.function(*n).signature;
                signature.returns.get(*i).map_or(signature.name, of_param)
            }
            Some(Declared::Local(n, i)) => self.local(*n, *i),
            None => {
                let is_it = |function: &&'a ir::Function<'a>| {
                    function.name == subject || function.specials.contains(&subject)
                };
                match self.ir.functions.iter().position(is_it) {
                    Some(n) => self.of_function(n, blames, args),
                    None if blames == Blame::Version => self.module.version.1,
                    None => self.module.target.1,
                }
            }
        }
    }

    /// Where a number of an initial value stands; where it cannot be told, where the value starts.
    fn number(&self, value: Extent, args: &[Arg<'_>]) -> Extent {
        let Some(Arg::Int(wanted)) = args.first() else { return value };
        numbers(self.text, value.start)
            .find(|(number, _)| number == wanted)
            .map_or(value, |(_, at)| at)
    }

    fn of_function(&self, index: usize, blames: Blame, args: &[Arg<'_>]) -> Extent {
        let signature = &self.function(index).signature;
        let directives = self.ir.functions[index].directives;
        match blames {
            Blame::Directive | Blame::DirectiveValue => {
                let is_named = |directive: &ir::Directive| {
                    let name = directive.kind.name();
                    args.iter()
                        .any(|arg| matches!(arg, Arg::Str(word) | Arg::Name(word) if *word == name))
                };
                let of_directive = directives
                    .iter()
                    .position(is_named)
                    .and_then(|n| signature.directives.get(n))
                    .map(|(at, values)| if blames == Blame::Directive { *at } else { *values });
                of_directive.or(signature.attribute).unwrap_or(signature.name)
            }
            Blame::Directives => signature.directives.last().map_or(signature.name, |(at, _)| *at),
            Blame::Linkage => signature.linkage.unwrap_or(signature.name),
            _ => signature.name,
        }
    }

    /// Where a declaration of a body stands: its name.
    fn local(&self, index: usize, local: usize) -> Extent {
        let function = self.function(index);
        let Some(body) = function.body.as_ref() else { return function.signature.name };
        let mut left = local;
        for (n, statement) in body.body.statements().enumerate() {
            let declarators = statement.declarators();
            if let Some(declarator) = declarators.get(left) {
                let place = Place::new(n, declarator.name.at());
                return self.in_body(index, place);
            }
            left -= declarators.len();
        }
        function.signature.name
    }

    /// Where some tokens of a body stand.
    fn in_body(&self, index: usize, place: Place) -> Extent {
        let function = self.function(index);
        let start = function.body.as_ref().and_then(|body| body.starts.get(place.statement));
        match start {
            Some(start) => positions(self.text, *start, place.tokens),
            None => function.signature.name,
        }
    }

    /// That nothing needs an allowance, of those that are about what bodies do.
    fn unneeded(&self, index: usize, allowance: &Allowance<'_>) -> Option<Diagnostic> {
        let function = self.function(index);
        let at = match allowance.statement {
            Some((statement, which)) => {
                let is_it = |(of, n, _): &&(u32, u32, Extent)| {
                    (*of as usize, *n as usize) == (statement, which)
                };
                function.body.as_ref()?.allowances.iter().find(is_it)?.2
            }
            None => {
                if !rules::rule(allowance.code).is_some_and(is_of_statements) {
                    return None;
                }
                function.allowed.iter().find(|allowed| allowed.code == allowance.code)?.at
            }
        };
        Some(Diagnostic {
            kind: Kind::Unneeded,
            code: Some(rules::rule(allowance.code)?.code),
            range: at.range(),
            message: rules::unneeded(allowance.code).to_string(),
            help: None,
        })
    }
}

fn of_rule(at: Extent, violation: Violation<'_>) -> Diagnostic {
    let kind = match violation.rule.kind {
        RuleKind::Refused => Kind::Refused,
        RuleKind::Unenforced => Kind::Unenforced,
        RuleKind::Hazard => Kind::Hazard,
    };
    Diagnostic {
        kind,
        code: Some(violation.rule.code),
        range: at.range(),
        message: violation.in_ptx().message().as_str().to_owned(),
        help: Some(violation.in_ptx().fix().as_str().to_owned()),
    }
}

fn named(at: Extent, message: String) -> Diagnostic {
    Diagnostic { kind: Kind::Name, code: None, range: at.range(), message, help: None }
}
