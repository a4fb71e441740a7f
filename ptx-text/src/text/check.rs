//! Finds all errors in a text, each with its location.

use core::ops::Range;
use std::cell::{Cell, OnceCell};
use std::collections::HashSet;

use ptx_analysis::{
    Allowance, Finding, Following, Known, KnownValue, Launches, Order, Place, Problem, Report,
    Symbols, Undeclared, check, register_values,
};
use ptx_isa::ScalarType;
use ptx_isa::instruction::{COMPLETE, WordKind};
use ptx_isa::ir::{self, Site};
use ptx_isa::rules::name_in_body::WrongName;
use ptx_isa::rules::{self, Arg, Kind as RuleKind, Violation};
use ptx_isa::sorted::SortedMap;

use super::allowance::Allowed;
use super::diagnostic::{Diagnostic, Kind};
use super::extent::Extent;
use super::faults::most_listed;
use super::follows::Unknown;
use super::lines::Lines;
use super::module::{ReadFunction, ReadModule};
use super::places::Places;
use crate::body::token::Language;
use crate::codes::is_of_statements;
use crate::message;

/// A text being checked.
pub(super) struct TextChecker<'c, 'a> {
    places: Places<'c, 'a>,
    lines: &'c Lines,
    /// The language of the messages: in Rust, those of rules read as in compile errors.
    language: Language,
    /// How the threads of kernels are followed; `None` if not even the values in registers are.
    following: Option<Following<'c>>,
    order: OnceCell<Order<'a>>,
    /// The remaining number of names that may be compared with undeclared names.
    comparisons: Cell<usize>,
}

/// The maximum number of comparisons between known and undeclared names, which would dominate the running time if
/// there are many of both.
const MOST_COMPARISONS: usize = 1 << 20;

impl<'c, 'a> TextChecker<'c, 'a> {
    pub(super) fn new(
        (text, lines): (&'a str, &'c Lines),
        module: &'c ReadModule<'a>,
        ir: &'c ir::Module<'a>,
        declared: (&'c [usize], &'c [usize]),
        (language, following): (Language, Option<Following<'c>>),
    ) -> Self {
        Self {
            places: Places::new(text, module, ir, declared),
            lines,
            language,
            following,
            order: OnceCell::new(),
            comparisons: Cell::new(MOST_COMPARISONS),
        }
    }

    /// The bytes of some tokens of a function's body.
    pub(super) fn range(&self, function: usize, place: Place) -> Range<usize> {
        self.places.in_body(function, place).range()
    }

    /// The findings of the rules and the analysis.
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        self.findings(|found, _| found)
    }

    /// The same, each made of its diagnostic and, unless it is one of several, of what was found.
    pub(super) fn findings<T>(
        &self,
        made: impl Fn(Diagnostic, Option<Finding<'a>>) -> T,
    ) -> Vec<T> {
        let mut assumed: SortedMap<usize, Vec<&'a str>> = SortedMap::new();
        let mut unknown = Unknown::default();
        for (n, function) in self.places.functions() {
            let mut names: Vec<&'a str> = self.places.module.assumed.clone();
            names.extend(function.signature.assumed);
            if let Some(body) = &function.body {
                names.extend(body.assumed);
                unknown.add(n, body);
            }
            if !names.is_empty() {
                assumed.insert(n, names);
            }
        }
        let known = InText { checker: self, assumed };
        let report = check(self.places.ir, &known);
        let Report { findings, more, allowances, needed, symbols, .. } = report;
        unknown.note(&findings, |function, number| self.places.statement(function, number));
        let at = |finding: &Finding<'_>| self.places.place(finding);
        // Findings are freed as they are converted, since there may be many.
        let mut found = Vec::with_capacity(findings.len() + usize::from(more.is_some()));
        let needed: HashSet<&str> = needed.into_iter().map(|(_, code)| code).collect();
        // What permits something else is only known if all is found.
        let idle = self.following.is_some().then(|| self.allowances_of_declarations());
        let idle = idle.into_iter().flatten();
        let idle = idle.filter(|allowed| !needed.contains(allowed.code));
        let idle = idle.filter_map(|allowed| unneeded(allowed.code, allowed.at));
        found.extend(idle.map(|found| made(found, None)));
        // ptxas does not check the version of a module that declares nothing.
        let is_empty = self.places.ir.variables.is_empty() && self.places.ir.functions.is_empty();
        let is_of_version = |finding: &Finding<'_>| matches!(&finding.problem, Problem::Rule(violation) if violation.rule.code == "T001");
        // A declaration that could not be parsed is an error itself.
        let is_assumed = |finding: &Finding<'_>| match &finding.problem {
            Problem::Rule(violation) if violation.rule.code == "D033" => matches!(
                violation.args.first(),
                Some(Arg::Str(name) | Arg::Name(name)) if self.places.module.assumed.contains(name)
            ),
            _ => false,
        };
        // An address of what is not declared is wrong whatever its variable.
        let code = |finding: &Finding<'_>| match &finding.problem {
            Problem::Rule(violation) => violation.rule.code,
            _ => "",
        };
        let undeclared = findings.iter().filter(|it| code(it) == "D033" && it.body().is_none());
        let undeclared: HashSet<Extent> = undeclared.map(at).collect();
        for finding in findings.into_iter().filter(|it| !(is_empty && is_of_version(it))) {
            if is_assumed(&finding)
                || !undeclared.is_empty()
                    && matches!(code(&finding), "D039" | "D040" | "D043")
                    && undeclared.contains(&at(&finding))
            {
                continue;
            }
            if unknown
                .explains(&finding, |function, number| self.places.statement(function, number))
            {
                continue;
            }
            let diagnostic = self.diagnostic(at(&finding), &finding, &symbols, &allowances);
            found.extend(diagnostic.map(|found| made(found, Some(finding))));
        }
        if let Some(more) = more {
            let more = not_listed(at(&more), &more.problem, found.len());
            found.push(made(more, None));
        }
        found
    }

    /// What is known of the values that a function writes, with the names of the registers.
    pub(super) fn values(&self, function: usize) -> Vec<(Range<usize>, KnownValue<'a>)> {
        let Places { ir, module, .. } = self.places;
        if function >= ir.functions.len() {
            return Vec::new();
        }
        let mut assumed: Vec<&'a str> = module.assumed.clone();
        let read = self.places.function(function);
        assumed.extend(read.signature.assumed);
        assumed.extend(read.body.iter().flat_map(|body| body.assumed));
        let values = register_values(ir, function, &assumed).into_iter();
        let at = |place| self.places.in_body(function, place).range();
        values.map(|it| (at(it.place), it.value)).collect()
    }

    /// The diagnostic for a problem, with its location.
    fn diagnostic(
        &self,
        at: Extent,
        finding: &Finding<'a>,
        symbols: &Symbols<'a>,
        allowances: &SortedMap<usize, Vec<Allowance<'a>>>,
    ) -> Option<Diagnostic> {
        let Finding { problem, site, .. } = finding;
        Some(match problem {
            Problem::Rule(violation) => {
                let other = finding.other_place().zip(site.function());
                let other = other.map(|(at, function)| self.places.in_body(function, at).range());
                Diagnostic { other, ..self.of_rule_in_text(*site, at, violation) }
            }
            Problem::UnknownInstruction(violation) => {
                let kind = self.kind_of_word(violation);
                let (function, place) = finding.body()?;
                let instruction =
                    self.places.statement(function, place.statement)?.instruction(&[])?;
                let (name, question) =
                    message::unknown_instruction(instruction.opcode, &instruction.pairs());
                let [_, _, third, fourth] = violation.args;
                let args = [Arg::Str(&name), Arg::Str(&question), third, fourth];
                let found = of_rule(at, &Violation { args, ..**violation }, self.language);
                Diagnostic { kind, ..found }
            }
            Problem::Undeclared(undeclared) => {
                let words = self.undeclared(undeclared, symbols);
                let found = of_rule(at, &undeclared.violation, self.language);
                match words.split_once("; ").filter(|_| self.language == Language::Ptx) {
                    Some((message, fix)) => Diagnostic {
                        message: message.to_owned(),
                        help: Some(fix.to_owned()),
                        ..found
                    },
                    None => Diagnostic { message: words, ..found },
                }
            }
            Problem::Hidden { name, ptx_name } => {
                let violation = rules::check_name_in_body(name, WrongName::Hidden(ptx_name))?;
                of_rule(at, &violation, self.language)
            }
            Problem::Ambiguous(name) => message::ambiguous(name, symbols, |violation| {
                of_rule(at, violation, self.language)
            })?,
            Problem::SideBySide => Diagnostic {
                kind: Kind::Syntax,
                code: None,
                range: at.range(),
                other: None,
                message: message::SIDE_BY_SIDE.to_owned(),
                help: None,
            },
            Problem::NotFollowed(stop) => Diagnostic {
                kind: Kind::NotFollowed,
                code: None,
                range: at.range(),
                other: None,
                message: message::not_followed(*stop),
                help: message::to_follow(*stop).map(str::to_owned),
            },
            Problem::Unneeded(n) => {
                let function = site.function()?;
                return self.unneeded(function, allowances.get(&function)?.get(*n)?);
            }
        })
    }

    /// The diagnostic of a rule, which may be another one for what only a text shows.
    fn of_rule_in_text(&self, site: Site, at: Extent, violation: &Violation<'_>) -> Diagnostic {
        let found = of_rule(at, violation, self.language);
        let has_body = |function: usize| self.places.ir.functions[function].body.is_some();
        let is_array =
            || self.places.ir.param(site).is_some_and(|param| param.variable.ty.rank() > 0);
        match (violation.rule.code, site) {
            // ptxas looks at a parameter of what has no body only in calls, which it refuses.
            (
                code @ ("D003" | "O001" | "O003" | "D011" | "D061"),
                Site::Param { function, .. } | Site::Return { function, .. },
            ) if !has_body(function) && (matches!(code, "D011" | "D061") || !is_array()) => {
                Diagnostic { kind: Kind::Unenforced, ..found }
            }
            // Dynamic shared memory consists of bytes in what Rust's becomes, and not in other texts.
            ("D068", Site::Variable(n))
                if self.places.ir.variables[n].ty.scalar() == Some(ScalarType::Pred) =>
            {
                let rule = rules::rule("D003").unwrap_or(violation.rule);
                of_rule(at, &Violation { rule, ..*violation }, self.language)
            }
            ("A084", _) => Diagnostic { kind: self.kind_of_word(violation), ..found },
            _ => found,
        }
    }

    /// Whether ptxas refuses an unknown word: the lists of words have all up to a version.
    fn kind_of_word(&self, violation: &Violation<'_>) -> Kind {
        let of_opcode = |opcode: &str| !WordKind::Opcode.understands(opcode);
        let is_unknown = match (violation.rule.code, violation.args[0]) {
            ("A030", Arg::Str(opcode)) => of_opcode(opcode),
            (code, _) => code == "A084",
        };
        let is_complete = self.places.ir.version.is_some_and(|version| !COMPLETE.is_below(version));
        if is_unknown && is_complete { Kind::Refused } else { of_kind(violation.rule.kind) }
    }

    /// The order of the declarations.
    fn order(&self) -> &Order<'a> {
        self.order.get_or_init(|| {
            let mut order = Order::default();
            let start = |function: &ReadFunction<'_>| function.signature.name.start;
            let functions = self
                .places
                .module
                .functions
                .iter()
                .map(|read| (&self.places.text[read.signature.name.range()], start(read)));
            let variables = &self.places.module.variables;
            let variables = variables.iter().map(|it| (it.variable.name, it.name.start));
            for (name, at) in functions.chain(variables) {
                let first = order.declared.entry(name).or_insert(at);
                *first = at.min(*first);
            }
            order.functions = self.places.functions().map(|(_, read)| start(read)).collect();
            order
        })
    }

    /// The message for an undeclared name.
    fn undeclared(&self, found: &Undeclared<'_>, symbols: &Symbols<'_>) -> String {
        let name = found.name;
        let declared = symbols.variable(name).map(|(symbol, _)| symbol.name.as_str());
        let declared = self.order().declared.get(declared.unwrap_or(name));
        if let (true, Some(at)) = (found.is_later, declared) {
            let line = self.lines.position(self.places.text, *at as usize).line;
            return message::declared_after(name, line, symbols.functions.contains_key(name));
        }
        let known = symbols.variables.len() + symbols.functions.len() + found.visible.len();
        match self.comparisons.get().checked_sub(known) {
            Some(left) => {
                self.comparisons.set(left);
                message::undeclared(found, symbols, None)
            }
            None => message::unknown(found.name),
        }
    }

    /// Reports an unneeded allowance, if it concerns instructions.
    fn unneeded(&self, index: usize, allowance: &Allowance<'_>) -> Option<Diagnostic> {
        let function = self.places.function(index);
        let at = match allowance.statement {
            Some((statement, which)) => {
                let allowances = function.body.as_ref()?.allowances;
                let number = |(of, n, _): &(u32, u32, Extent)| (*of as usize, *n as usize);
                allowances[allowances.binary_search_by_key(&(statement, which), number).ok()?].2
            }
            None => {
                if !rules::rule(allowance.code).is_some_and(is_of_statements) {
                    return None;
                }
                function.allowed.iter().find(|allowed| allowed.code == allowance.code)?.at
            }
        };
        unneeded(allowance.code, at)
    }

    /// The allowances of declarations.
    fn allowances_of_declarations(&self) -> Vec<Allowed> {
        let mut found = self.places.module.allowed.clone();
        for (_, function) in self.places.functions() {
            let is_of_statement = |code| rules::rule(code).is_some_and(is_of_statements);
            let own = function.allowed.iter().filter(|allowed| !is_of_statement(allowed.code));
            found.extend(own);
            found.extend(function.body.iter().flat_map(|body| body.of_declarations));
        }
        found
    }
}

/// The most steps of warps in which the threads of a kernel are followed in the launch that it declares: few enough for
/// tests, which are not optimised.
const EFFORT: usize = 100_000;

/// The same, where a caller asks for launches.
const EFFORT_OF_LAUNCHES: usize = 2_000_000;

/// What a text shows besides the IR.
struct InText<'k, 'c, 'a> {
    checker: &'k TextChecker<'c, 'a>,
    /// The names that count as declared in each function.
    assumed: SortedMap<usize, Vec<&'a str>>,
}

impl<'a> Known<'a> for InText<'_, '_, 'a> {
    fn assumed(&self, function: usize) -> &[&'a str] {
        self.assumed.get(&function).map_or(&[], Vec::as_slice)
    }

    fn order(&self) -> Option<&Order<'a>> {
        Some(self.checker.order())
    }

    fn line(&self, function: usize, place: Place) -> Option<u32> {
        let TextChecker { places, lines, .. } = self.checker;
        let extent = places.in_body(function, place);
        Some(lines.position(places.text, extent.start as usize).line)
    }

    fn following(&self, function: usize) -> Following<'_> {
        let places = &self.checker.places;
        let name = places.ir.functions[function].name;
        let all = self.checker.following.unwrap_or_default().of(name);
        let given = places.launch(function);
        Following { launches: given.map_or(all.launches, Launches::Given), ..all }
    }

    fn follows_values(&self) -> bool {
        self.checker.following.is_some()
    }

    fn effort(&self) -> usize {
        match self.checker.following.unwrap_or_default().launches {
            Launches::Declared => EFFORT,
            Launches::Usual | Launches::Given(_) => EFFORT_OF_LAUNCHES,
        }
    }

    fn most(&self) -> usize {
        most_listed(self.checker.places.text)
    }
}

/// Reports that there are more findings than the listed ones.
fn not_listed(at: Extent, problem: &Problem<'_>, listed: usize) -> Diagnostic {
    let kind = match problem {
        Problem::Rule(violation) | Problem::UnknownInstruction(violation) => {
            of_kind(violation.rule.kind)
        }
        Problem::Undeclared(undeclared) => of_kind(undeclared.violation.rule.kind),
        Problem::Hidden { .. } | Problem::Ambiguous(_) => Kind::Unenforced,
        Problem::SideBySide => Kind::Syntax,
        Problem::Unneeded(_) => Kind::Unneeded,
        Problem::NotFollowed(_) => Kind::NotFollowed,
    };
    let message = format!(
        "more is wrong here and perhaps elsewhere than the {listed} findings of rules and names that are listed; correct those first"
    );
    Diagnostic { kind, code: None, range: at.range(), other: None, message, help: None }
}

fn of_kind(kind: RuleKind) -> Kind {
    match kind {
        RuleKind::Refused => Kind::Refused,
        RuleKind::Unenforced => Kind::Unenforced,
        RuleKind::Hazard => Kind::Hazard,
        RuleKind::Warned => Kind::Warned,
    }
}

fn of_rule(at: Extent, violation: &Violation<'_>, language: Language) -> Diagnostic {
    let (message, help) = match language {
        // It has the fix; `Display` appends the rule.
        Language::Rust => (violation.words().as_str().to_owned(), None),
        Language::Ptx => {
            let in_ptx = violation.in_ptx();
            (in_ptx.message().as_str().to_owned(), Some(in_ptx.fix().as_str().to_owned()))
        }
    };
    Diagnostic {
        kind: of_kind(violation.rule.kind),
        code: Some(violation.rule.code),
        range: at.range(),
        other: None,
        message,
        help,
    }
}

/// The diagnostic for an unneeded allowance.
fn unneeded(code: &str, at: Extent) -> Option<Diagnostic> {
    Some(Diagnostic {
        kind: Kind::Unneeded,
        code: Some(rules::rule(code)?.code),
        range: at.range(),
        other: None,
        message: rules::unneeded(code).to_string(),
        help: None,
    })
}
