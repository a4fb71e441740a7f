//! Finds all errors in a text, each with its location.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};

use ptx_analysis::{
    Allowance, Broken, Judged, Judgement, Order, Place, Problem, Symbols, Undeclared, judge_module,
};
use ptx_types::ScalarType;
use ptx_types::instruction::{COMPLETE, WordKind};
use ptx_types::ir;
use ptx_types::ir::body::{Statement, Statements, Token, TokenKind, TokenRange};
use ptx_types::rules::{self, Arg, Blame, Kind as RuleKind, Violation};

use super::allowance::Allowed;
use super::body::StatementAt;
use super::diagnostic::{Diagnostic, Kind};
use super::elements::Last;
use super::extent::Extent;
use super::faults::most_listed;
use super::follows::Unknown;
use super::function::ParamAt;
use super::integers::{extent, numbers};
use super::lines::Lines;
use super::module::{ReadFunction, ReadModule};
use super::unneeded::{self, unneeded};
use super::variable::DeclaredVariable;
use crate::body::token::Language;
use crate::codes::is_of_statements;
use crate::message;

/// The owner of a declared name.
#[derive(Clone, Copy)]
enum Declared {
    Variable(usize),
    Function(usize),
    Param(usize, usize),
    Return(usize, usize),
    Local(usize, usize),
}

/// A text being checked.
pub(super) struct Judging<'c, 'a> {
    text: &'a str,
    lines: &'c Lines,
    module: &'c ReadModule<'a>,
    ir: &'c ir::Module<'a>,
    /// For each function in the IR, its index in the text.
    functions: &'c [usize],
    /// The language of the messages: in Rust, those of rules read as in compile errors.
    language: Language,
    /// The statement that was looked up last, since a long one may have many findings.
    last: RefCell<Option<StatementAt>>,
    /// The element that was looked up last.
    element: RefCell<Last>,
    /// The instruction that was looked up last.
    walk: RefCell<Option<Walk<'a>>>,
    /// The places of the declarations in each function.
    locals: RefCell<HashMap<usize, Vec<Place>>>,
    order: OnceCell<Order<'a>>,
    /// The functions, by their own names and by the names of the special registers that they use.
    named: OnceCell<HashMap<&'a str, usize>>,
    /// The remaining number of names that may be compared with undeclared names.
    comparisons: Cell<usize>,
}

/// The maximum number of comparisons between known and undeclared names, which would dominate the running time if
/// there are many of both.
const MOST_COMPARISONS: usize = 1 << 20;

/// The statements of a function from an index on: they are looked up in order.
struct Walk<'a> {
    function: usize,
    next: usize,
    statements: Statements<'a>,
    /// The statement before the next one, which may have several problems.
    last: Option<Statement<'a>>,
}

impl<'c, 'a> Judging<'c, 'a> {
    pub(super) fn new(
        (text, lines): (&'a str, &'c Lines),
        module: &'c ReadModule<'a>,
        ir: &'c ir::Module<'a>,
        functions: &'c [usize],
        language: Language,
    ) -> Self {
        Self {
            text,
            lines,
            module,
            ir,
            functions,
            language,
            last: RefCell::default(),
            element: RefCell::default(),
            walk: RefCell::default(),
            locals: RefCell::default(),
            order: OnceCell::new(),
            named: OnceCell::new(),
            comparisons: Cell::new(MOST_COMPARISONS),
        }
    }

    /// The findings of the rules and the analysis.
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        self.findings(|found, _| found)
    }

    /// The same, each made of its diagnostic and, unless it is one of several, of what was found.
    pub(super) fn findings<T>(
        &self,
        made: impl Fn(Diagnostic, Option<Judgement<'a>>) -> T,
    ) -> Vec<T> {
        let mut assumed: BTreeMap<usize, Vec<&'a str>> = BTreeMap::new();
        let mut unknown = Unknown::default();
        for (n, function) in self.functions() {
            let mut names: Vec<&'a str> = self.module.assumed.clone();
            names.extend(function.signature.assumed);
            if let Some(body) = &function.body {
                names.extend(body.assumed);
                unknown.add(n, body);
            }
            if !names.is_empty() {
                assumed.insert(n, names);
            }
        }
        let line = |function: usize, place: Place| {
            let extent = self.in_body(function, place);
            Some(self.lines.position(self.text, extent.start as usize).line)
        };
        let Judged { problems, more, allowances, symbols } =
            judge_module(self.ir, &assumed, self.order(), line, most_listed(self.text));
        unknown.note(&problems, |function, number| self.statement(function, number));
        let names = self.names();
        let at = |judgement: &Judgement<'_>| self.place(&names, judgement);
        // Problems are freed as they are converted, since there may be many.
        let of_declarations = self.allowances_of_declarations();
        let mut found = match of_declarations.as_slice() {
            [] => Vec::with_capacity(problems.len() + usize::from(more.is_some())),
            allowed => {
                let (counted, most) = (unneeded::counted(&problems), most_listed(self.text));
                let found = unneeded::of_declarations(self.ir, allowed, &assumed, &counted, most);
                found.into_iter().map(|found| made(found, None)).collect()
            }
        };
        // ptxas does not check the version of a module that declares nothing.
        let is_empty = self.ir.variables.is_empty() && self.ir.functions.is_empty();
        let is_of_version = |judgement: &Judgement<'_>| matches!(&judgement.problem, Problem::Rule(broken) if broken.rule.code == "T001");
        // A declaration that could not be parsed is an error itself.
        let is_assumed = |judgement: &Judgement<'_>| match &judgement.problem {
            Problem::Rule(broken) if broken.rule.code == "D033" => matches!(
                broken.args.first(),
                Some(Arg::Str(name) | Arg::Name(name)) if self.module.assumed.contains(name)
            ),
            _ => false,
        };
        // An address of what is not declared is wrong whatever its variable.
        let code = |judgement: &Judgement<'_>| match &judgement.problem {
            Problem::Rule(broken) => broken.rule.code,
            _ => "",
        };
        let undeclared = problems.iter().filter(|it| code(it) == "D033" && it.body.is_none());
        let undeclared: HashSet<Extent> = undeclared.map(at).collect();
        for judgement in problems.into_iter().filter(|it| !(is_empty && is_of_version(it))) {
            if is_assumed(&judgement)
                || !undeclared.is_empty()
                    && matches!(code(&judgement), "D039" | "D040" | "D043")
                    && undeclared.contains(&at(&judgement))
            {
                continue;
            }
            if unknown.explains(&judgement, |function, number| self.statement(function, number)) {
                continue;
            }
            let diagnostic =
                self.diagnostic((&names, at(&judgement)), &judgement, &symbols, &allowances);
            found.extend(diagnostic.map(|found| made(found, Some(judgement))));
        }
        if let Some(more) = more {
            let more = not_listed(at(&more), &more.problem, found.len());
            found.push(made(more, None));
        }
        found
    }

    /// The location of a problem.
    fn place(&self, names: &HashMap<usize, Declared>, judgement: &Judgement<'_>) -> Extent {
        match (judgement.body, &judgement.problem) {
            (Some((function, place)), _) => self.in_body(function, place),
            (None, Problem::Rule(broken) | Problem::UnknownInstruction(broken)) => {
                // An array of registers is its extent too much.
                let blames = if broken.rule.code == "D060" { Blame::Extent } else { broken.blames };
                self.of_element(names, broken).unwrap_or_else(|| {
                    self.of_declaration(names, blames, broken.subject, &broken.args)
                })
            }
            (None, _) => self.of_declaration(names, Blame::Name, "", &[]),
        }
    }

    /// The diagnostic for a problem, with its location.
    fn diagnostic(
        &self,
        (names, at): (&HashMap<usize, Declared>, Extent),
        judgement: &Judgement<'a>,
        symbols: &Symbols<'a>,
        allowances: &BTreeMap<usize, Vec<Allowance<'a>>>,
    ) -> Option<Diagnostic> {
        let Judgement { problem, body } = judgement;
        Some(match problem {
            Problem::Rule(broken) => self.of_rule_in_text(names, at, broken),
            Problem::UnknownInstruction(broken) => {
                let kind = self.kind_of_word(broken);
                let (function, place) = (*body)?;
                let instruction = self.statement(function, place.statement)?.instruction(&[])?;
                let (name, question) =
                    message::unknown_instruction(instruction.opcode, &instruction.pairs());
                let [_, _, third, fourth] = broken.args;
                let args = [Arg::Str(&name), Arg::Str(&question), third, fourth];
                let found = of_rule(at, Violation { args, ..broken.violation() }, self.language);
                Diagnostic { kind, ..found }
            }
            Problem::Undeclared(name) => named(at, self.undeclared(name, symbols)),
            Problem::Hidden { name, ptx_name } => named(at, message::hidden(name, ptx_name)),
            Problem::Misplaced(found) => named(at, message::misplaced(found)),
            Problem::SideBySide => Diagnostic {
                kind: Kind::Syntax,
                code: None,
                range: at.range(),
                message: message::SIDE_BY_SIDE.to_owned(),
                help: None,
            },
            Problem::Unneeded(n) => {
                let (function, _) = (*body)?;
                return self.unneeded(function, allowances.get(&function)?.get(*n)?);
            }
        })
    }

    /// The diagnostic of a rule, which may be another one for what only a text shows.
    fn of_rule_in_text(
        &self,
        names: &HashMap<usize, Declared>,
        at: Extent,
        broken: &Broken<'_>,
    ) -> Diagnostic {
        let found = of_rule(at, broken.violation(), self.language);
        let declared = names.get(&(broken.subject.as_ptr() as usize));
        let is_array = |function: &ir::Function<'_>| {
            let mut each = function.params.iter().chain(function.returns);
            each.any(|it| it.variable.name == broken.subject && it.variable.ty.rank() > 0)
        };
        match (broken.rule.code, declared) {
            // ptxas looks at a parameter of what has no body only in calls, which it refuses.
            ("D003" | "O001" | "O003", Some(Declared::Param(n, _) | Declared::Return(n, _)))
                if self.ir.functions[*n].body.is_none() && !is_array(self.ir.functions[*n]) =>
            {
                Diagnostic { kind: Kind::Unenforced, ..found }
            }
            // Dynamic shared memory consists of bytes in what Rust's becomes, and not in other texts.
            ("D068", Some(Declared::Variable(n)))
                if self.module.variables[*n].variable.ty.scalar() == Some(ScalarType::Pred) =>
            {
                let rule = rules::rule("D003").unwrap_or(broken.rule);
                of_rule(at, Violation { rule, ..broken.violation() }, self.language)
            }
            ("A084", _) => Diagnostic { kind: self.kind_of_word(broken), ..found },
            _ => found,
        }
    }

    /// Whether ptxas refuses an unknown word: the lists of words have all up to a version.
    fn kind_of_word(&self, broken: &Broken<'_>) -> Kind {
        let of_opcode = |opcode: &str| !WordKind::Opcode.understands(opcode);
        let is_unknown = match (broken.rule.code, broken.args[0]) {
            ("A030", Arg::Str(opcode)) => of_opcode(opcode),
            (code, _) => code == "A084",
        };
        let is_complete = self.ir.version.is_some_and(|version| !COMPLETE.is_below(version));
        if is_unknown && is_complete { Kind::Refused } else { of_kind(broken.rule.kind) }
    }

    /// The functions in the IR, as parsed.
    fn functions(&self) -> impl Iterator<Item = (usize, &'a ReadFunction<'a>)> {
        self.functions.iter().enumerate().map(|(n, at)| (n, self.module.functions[*at]))
    }

    fn function(&self, index: usize) -> &'a ReadFunction<'a> {
        self.module.functions[self.functions[index]]
    }

    /// The order of the declarations.
    fn order(&self) -> &Order<'a> {
        self.order.get_or_init(|| {
            let mut order = Order::default();
            let start = |function: &ReadFunction<'_>| function.signature.name.start;
            let functions = self
                .module
                .functions
                .iter()
                .map(|read| (&self.text[read.signature.name.range()], start(read)));
            let variables = &self.module.variables;
            let variables = variables.iter().map(|it| (it.variable.name, it.name.start));
            for (name, at) in functions.chain(variables) {
                let first = order.declared.entry(name).or_insert(at);
                *first = at.min(*first);
            }
            order.functions = self.functions().map(|(_, read)| start(read)).collect();
            order
        })
    }

    /// The message for an undeclared name.
    fn undeclared(&self, found: &Undeclared<'_>, symbols: &Symbols<'_>) -> String {
        let name = found.name;
        let declared = symbols.variable(name).map(|(symbol, _)| symbol.name.as_str());
        let declared = self.order().declared.get(declared.unwrap_or(name));
        if let (true, Some(at)) = (found.is_later, declared) {
            let line = self.lines.position(self.text, *at as usize).line;
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

    /// A statement of a function, by its index.
    fn statement(&self, function: usize, number: usize) -> Option<Statement<'a>> {
        let mut walk = self.walk.borrow_mut();
        let known = walk.as_ref().filter(|walk| walk.function == function);
        if let Some(walk) = known.filter(|walk| walk.next == number + 1) {
            return walk.last;
        }
        if known.is_none_or(|walk| walk.next > number) {
            let statements = self.ir.functions[function].body?.statements();
            *walk = Some(Walk { function, next: 0, statements, last: None });
        }
        let walk = walk.as_mut()?;
        let skipped = number - walk.next;
        walk.next = number + 1;
        walk.last = walk.statements.nth(skipped);
        walk.last
    }

    /// The declarations by the address of their names: each has its own address, and a violation carries the name
    /// of the declaration that breaks the rule.
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

    /// The location of the part of a declaration that is at fault.
    fn of_declaration(
        &self,
        names: &HashMap<usize, Declared>,
        blames: Blame,
        subject: &str,
        args: &[Arg<'_>],
    ) -> Extent {
        let of_param = |at: &ParamAt| match blames {
            Blame::Align => at.align.unwrap_or(at.name),
            Blame::Extent => extent(self.text, at.name).unwrap_or(at.ty),
            Blame::Type | Blame::Element => at.ty,
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
                    Blame::Extent => extent(self.text, at.name).unwrap_or(at.ty),
                    Blame::Type | Blame::Element => at.ty,
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
            Some(Declared::Local(n, i)) => self.local(*n, *i, blames),
            None => {
                let named = self.named.get_or_init(|| {
                    let mut named = HashMap::new();
                    for (n, function) in self.ir.functions.iter().enumerate() {
                        for name in function.specials.iter().chain([&function.name]) {
                            named.entry(*name).or_insert(n);
                        }
                    }
                    named
                });
                match named.get(subject) {
                    Some(n) => self.of_function(*n, blames, args),
                    None if blames == Blame::Version => self.module.version.1,
                    None => self.module.target.1,
                }
            }
        }
    }

    /// The location of the element of a variable's initial value that is at fault.
    fn of_element(&self, names: &HashMap<usize, Declared>, broken: &Broken<'_>) -> Option<Extent> {
        let Some(Declared::Variable(n)) = names.get(&(broken.subject.as_ptr() as usize)) else {
            return None;
        };
        let DeclaredVariable { variable, value, .. } = &self.module.variables[*n];
        let symbol = match (broken.blames, broken.rule.code, broken.args[0]) {
            // It is found by its value.
            (Blame::Number, _, Arg::Int(_)) => return None,
            (Blame::Number, ..) | (_, "D018", _) => None,
            (Blame::Value, _, Arg::Str(symbol) | Arg::Name(symbol)) => Some(symbol),
            (_, _, _) => return None,
        };
        self.element.borrow_mut().blamed(self.text, (*value)?.start, variable, symbol)
    }

    /// The location of a number in an initial value, or the start of the value if the number cannot be found.
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

    /// The location of the part of a body's declaration that is at fault, or of its name if it has no such part.
    fn local(&self, index: usize, local: usize, blames: Blame) -> Extent {
        let function = self.function(index);
        let mut locals = self.locals.borrow_mut();
        let places = locals.entry(index).or_insert_with(|| {
            let statements = function.body.iter().flat_map(|body| body.body.statements());
            let declared = statements.enumerate().flat_map(|(n, statement)| {
                let declarators = statement.declarators();
                declarators.into_iter().map(move |declarator| Place::new(n, declarator.name.at()))
            });
            declared.collect()
        });
        let Some(named) = places.get(local).copied() else { return function.signature.name };
        if blames == Blame::Extent {
            let name = self.in_body(index, named);
            return extent(self.text, name).unwrap_or(name);
        }
        let statement = self.statement(index, named.statement);
        let mut tokens = statement.iter().flat_map(Statement::tokens);
        let blamed = match blames {
            Blame::Align => tokens.skip_while(|token| token.text != ".align").nth(1),
            Blame::Type | Blame::Element => tokens
                .take_while(|token| token.kind != TokenKind::Name)
                .filter(|token| token.kind == TokenKind::Modifier)
                .last(),
            Blame::Space => tokens.next(),
            _ => None,
        };
        let of = |token: Token<'_>| Place::new(named.statement, TokenRange::one(token.index));
        self.in_body(index, blamed.map_or(named, of))
    }

    /// The location of some tokens of a body.
    fn in_body(&self, index: usize, place: Place) -> Extent {
        let function = self.function(index);
        let starts = function.body.as_ref().map_or(&[][..], |body| body.starts);
        let next = starts.get(place.statement + 1).copied();
        match starts.get(place.statement) {
            Some(start) => {
                let mut last = self.last.borrow_mut();
                match &mut *last {
                    Some(statement) if statement.start == *start => statement.over(place.tokens),
                    last => {
                        last.insert(StatementAt::of(self.text, *start, next)).over(place.tokens)
                    }
                }
            }
            None => function.signature.name,
        }
    }

    /// Reports an unneeded allowance, if it concerns instructions.
    fn unneeded(&self, index: usize, allowance: &Allowance<'_>) -> Option<Diagnostic> {
        let function = self.function(index);
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
        let mut found = self.module.allowed.clone();
        for (_, function) in self.functions() {
            let is_of_statement = |code| rules::rule(code).is_some_and(is_of_statements);
            let own = function.allowed.iter().filter(|allowed| !is_of_statement(allowed.code));
            found.extend(own);
            found.extend(function.body.iter().flat_map(|body| body.of_declarations));
        }
        found
    }
}

/// Reports that there are more findings than the listed ones.
fn not_listed(at: Extent, problem: &Problem<'_>, listed: usize) -> Diagnostic {
    let kind = match problem {
        Problem::Rule(broken) | Problem::UnknownInstruction(broken) => of_kind(broken.rule.kind),
        Problem::Undeclared(_) | Problem::Hidden { .. } | Problem::Misplaced(_) => Kind::Name,
        Problem::SideBySide => Kind::Syntax,
        Problem::Unneeded(_) => Kind::Unneeded,
    };
    let message = format!(
        "more is wrong here and perhaps elsewhere than the {listed} findings of rules and names that are listed; correct those first"
    );
    Diagnostic { kind, code: None, range: at.range(), message, help: None }
}

fn of_kind(kind: RuleKind) -> Kind {
    match kind {
        RuleKind::Refused => Kind::Refused,
        RuleKind::Unenforced => Kind::Unenforced,
        RuleKind::Hazard => Kind::Hazard,
        RuleKind::Warned => Kind::Warned,
    }
}

fn of_rule(at: Extent, violation: Violation<'_>, language: Language) -> Diagnostic {
    let (message, help) = match language {
        // It has the fix; `Display` appends the rule.
        Language::Rust => {
            let text = violation.to_string();
            let rule = format!(" [{}, PTX ISA {}]", violation.rule.code, violation.rule.source);
            (text.strip_suffix(&rule).unwrap_or(&text).to_owned(), None)
        }
        Language::Ptx => {
            let in_ptx = violation.in_ptx();
            (in_ptx.message().as_str().to_owned(), Some(in_ptx.fix().as_str().to_owned()))
        }
    };
    Diagnostic {
        kind: of_kind(violation.rule.kind),
        code: Some(violation.rule.code),
        range: at.range(),
        message,
        help,
    }
}

fn named(at: Extent, message: String) -> Diagnostic {
    Diagnostic { kind: Kind::Name, code: None, range: at.range(), message, help: None }
}
