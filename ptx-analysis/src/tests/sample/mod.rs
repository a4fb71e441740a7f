//! Modules written as text, as a front end provides them that does not know all constants and types yet, and the
//! results of their analysis as text.
//!
//! The variables of the module come first, each on its line: `.shared .align 16 .b8 A[64];`. A function starts
//! with `.entry name(.param .u32 n)` or `.func (.reg .b32 r) name(.reg .b32 a)`, with directives and
//! allowances after `|`: `| reqntid 32 1 1 | allow A021 {`. The following lines are its body, up to `}`.
//! `$N` is a Rust constant, whose value `| is N 4` gives; `.?` is an unknown type, and `x[$N]` an
//! array of unknown length.

extern crate std;

mod programs;
mod read;
mod words;

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use ptx_interpreter::{encode, is_directive};
use ptx_isa::Number;
use ptx_isa::ir::body::{Body, StatementKind, TokenKind};
use ptx_isa::ir::{Function, Location, Locations, Mark, Module, Site, Type, Variable};
use ptx_isa::rules::Environment;
use ptx_isa::sorted::SortedMap;
use ptx_isa::{Target, Version};

use crate::calls::callers::Callers;
use crate::check::analysis::analyse;
use crate::check::module::{self, Report, check, check_module};
use crate::findings::finding::Finding;
use crate::findings::symbols::{Symbol, Symbols};
use crate::findings::unit::{Declared, Unit};
use crate::flow::place::Place;
use crate::values::constants::Constants;
use crate::values::launch::{Block, cluster};
use read::{Head, Read, read, read_head};
pub(crate) use words::Conclusions;
use words::Words;

/// Leaks a value, so that it lives as long as the tests.
fn kept<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// A function in the text.
struct Written {
    function: &'static Function<'static>,
    head: Head,
    body: Option<Body<'static>>,
    /// Its declarations, and whether each depends on a constant.
    declared: Vec<Declared<'static>>,
    /// The constants: their names, the first one with the same name, and their values.
    names: Vec<&'static str>,
    same: Vec<usize>,
    values: Vec<Option<i128>>,
}

/// What is known about the functions of a module before one of them is analysed.
pub(crate) struct Known {
    /// The order of analysis.
    pub(crate) order: Vec<&'static str>,
    /// The functions that certainly return.
    pub(crate) returning: Vec<&'static str>,
    /// The parameters that functions certainly use, for functions that use any.
    pub(crate) needed: Vec<(&'static str, Vec<usize>)>,
}

/// A module in text form.
pub(crate) struct Sample {
    module: &'static Module<'static>,
    variables: Vec<Read>,
    functions: Vec<Written>,
    /// The maximum number of findings to keep.
    pub(crate) most: usize,
    /// The functions whose bodies may be absent.
    pub(crate) conditional: Vec<&'static str>,
}

impl Sample {
    pub(crate) fn of(text: &str) -> Self {
        let text: &'static str = kept(text.to_string());
        let mut variables = Vec::new();
        let mut functions: Vec<(Head, Vec<&'static str>)> = Vec::new();
        let mut depth = 0_usize;
        let lines = text.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with("//")) {
            match functions.last_mut().filter(|_| depth > 0) {
                Some((_, body)) => {
                    depth += usize::from(line == "{");
                    depth -= usize::from(line == "}");
                    body.extend((depth > 0).then_some(line));
                }
                None if is_head(line) => {
                    let head = read_head(line);
                    depth += usize::from(!head.is_declaration);
                    functions.push((head, Vec::new()));
                }
                None => variables.extend(read(line)),
            }
        }
        assert_eq!(depth, 0, "the last function has no end");
        let functions = functions.into_iter().map(|(head, body)| written(head, &body));
        let functions: Vec<Written> = functions.collect();
        let irs: Vec<&'static Function<'static>> =
            functions.iter().map(|function| function.function).collect();
        let named: Vec<&'static Variable<'static>> =
            variables.iter().map(|read| read.variable).collect();
        let module = Module {
            version: Some(Version::new(8, 6)),
            variables: kept(named),
            functions: kept(irs),
            ..Module::new("sample", Target::Sm90a)
        };
        let (most, conditional) = (usize::MAX, Vec::new());
        Self { module: kept(module), variables, functions, most, conditional }
    }

    /// Returns the module for an older target.
    pub(crate) fn on(self, target: Target) -> Self {
        Self { module: kept(Module { target, ..*self.module }), ..self }
    }

    fn symbols(&self) -> Symbols<'static> {
        let mut symbols = Symbols::default();
        for (index, read) in self.variables.iter().enumerate() {
            let symbol = Symbol {
                index,
                name: read.ptx_name.to_string(),
                ir: read.variable,
                is_alignment_deferred: read.is_alignment_open,
            };
            symbols.variables.entry(read.variable.name.to_string()).or_default().push(symbol);
        }
        for (index, written) in self.functions.iter().enumerate() {
            let name = written.function.name.to_string();
            let (ir, is_alignment_deferred) = (written.function, false);
            let symbol = Symbol { index, name: name.clone(), ir, is_alignment_deferred };
            symbols.functions.entry(name).or_default().push(symbol);
        }
        symbols
    }

    /// Returns what is known about the functions before one of them is analysed.
    pub(crate) fn callers(&self) -> Known {
        let mut symbols = self.symbols();
        let bodies = self.functions.iter().enumerate();
        let bodies: Vec<(usize, Body<'static>)> =
            bodies.filter_map(|(n, it)| Some((n, it.body?))).collect();
        let callers = Callers::of(&mut symbols, &bodies, []);
        let name = |n: &usize| self.functions[*n].function.name;
        let needed = symbols.needed.iter().filter(|(_, needed)| !needed.is_empty());
        Known {
            order: callers.order().iter().map(name).collect(),
            returning: symbols.returning.iter().map(name).collect(),
            needed: needed.map(|(n, all)| (name(n), all.iter().copied().collect())).collect(),
        }
    }

    /// Returns the results for each function, callers first, with or without deferred checks.
    pub(crate) fn conclusions(&self, defers: bool) -> SortedMap<&'static str, Conclusions> {
        let mut symbols = self.symbols();
        let bodies = self.functions.iter().enumerate();
        let bodies: Vec<(usize, Body<'static>)> =
            bodies.filter_map(|(n, it)| Some((n, it.body?))).collect();
        let addressed = self.variables.iter().filter_map(|read| read.names);
        let place = |name: &str| self.functions.iter().position(|it| it.function.name == name);
        let addressed: Vec<usize> = addressed.filter_map(place).collect();
        let mut callers = Callers::of(&mut symbols, &bodies, addressed);
        let mut all = SortedMap::new();
        for index in callers.order().to_vec() {
            let written = &self.functions[index];
            let Some(body) = written.body else { continue };
            let called = callers.take(index);
            let unit = Unit {
                symbols: &symbols,
                index,
                function: written.function,
                body,
                declared: &written.declared,
                constants: Constants { values: &written.values, same: &written.same },
                environment: Environment::of(self.module),
                block: Block::of(written.function.directives),
                cluster: cluster(written.function.directives),
                called: &called,
                is_ptx: false,
                assumed: &written.head.assumed,
                before: None,
                traced: None,
                defers,
                is_first: false,
            };
            let analysis = analyse(unit, usize::MAX);
            callers.note(&analysis);
            if self.conditional.contains(&written.function.name) {
                callers.note_conditional(&analysis);
            }
            let words = Words { module: self.module, written };
            all.insert(written.function.name, Conclusions::of(words, &analysis));
        }
        all
    }

    /// Returns the findings in the module, as a reader of PTX reports them.
    pub(crate) fn report(&self) -> Report<'static> {
        check(self.module, &Statements { most: self.most })
    }

    /// Returns the problems as text: the function, and the code and the tokens as in [`Conclusions`].
    pub(crate) fn findings_in_words(&self) -> Vec<String> {
        let shown = |finding: &Finding<'static>| match finding.body() {
            Some((index, place)) => {
                let words = Words { module: self.module, written: &self.functions[index] };
                alloc::format!(
                    "{}: {}",
                    words.written.function.name,
                    words.finding(place, &finding.problem)
                )
            }
            None => words::problem(&finding.problem),
        };
        self.report().findings.iter().map(shown).collect()
    }

    /// Returns the violations that the run-time check of a module finds, with their messages.
    pub(crate) fn checked(&self) -> Vec<String> {
        let shown = |(site, violation): (Site, ptx_isa::rules::Violation<'static>)| {
            let code = violation.rule.code;
            let message = violation.to_string().replace('\n', " / ");
            let location = self.module.location(site).filter(|_| site.statement().is_some());
            let place = location.map_or_else(String::new, |it| alloc::format!(" at {it}"));
            match site.statement() {
                Some((function, n)) => {
                    let name = self.module.functions[function].name;
                    alloc::format!("{name}[{n}]{place} {code} {message}")
                }
                None => alloc::format!("{place}{code} {message}"),
            }
        };
        check_module(self.module).into_iter().map(shown).collect()
    }
}

/// A module whose lines are its statements.
struct Statements {
    most: usize,
}

impl module::Known<'_> for Statements {
    fn line(&self, _: usize, place: Place) -> Option<u32> {
        u32::try_from(place.statement).ok()
    }

    fn most(&self) -> usize {
        self.most
    }
}

fn written(head: Head, lines: &[&'static str]) -> Written {
    let read_all: Vec<Read> = lines
        .iter()
        .filter(|line| line.starts_with('.') && !is_directive(line))
        .flat_map(|line| read(line))
        .collect();
    let names: Vec<&'static str> = lines
        .iter()
        .flat_map(|line| line.split('$').skip(1))
        .map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default())
        .collect();
    let first = |name: &&str| names.iter().position(|other| other == name).unwrap_or_default();
    let same: Vec<usize> = names.iter().map(first).collect();
    let value = |name: &&str| head.values.get(*name).copied();
    let values: Vec<Option<i128>> = names.iter().map(value).collect();
    let (text, table) = encode(&lines.join("\n"));
    let (text, table): (&'static str, &'static [u8]) = (kept(text), kept(table));
    let number = |value: &Option<i128>| {
        let value = value.unwrap_or_default();
        Number::Int { negative: value < 0, magnitude: value.unsigned_abs() }
    };
    let is_known = !values.is_empty() && values.iter().all(Option::is_some);
    let numbers: Vec<Number> = if is_known { values.iter().map(number).collect() } else { vec![] };
    let body = (!head.is_declaration).then(|| Body::new(text, table, kept(numbers)));
    let (idle, locals): (Vec<&Read>, Vec<&Read>) = read_all.iter().partition(|read| read.is_idle);
    let variables = |all: Vec<&Read>| -> &'static [&'static Variable<'static>] {
        kept(all.iter().map(|read| read.variable).collect::<Vec<_>>())
    };
    let places = if head.has_places
        && let Some(body) = body
    {
        places(head.name, body)
    } else {
        Locations::NONE
    };
    let function = Function {
        linkage: head.linkage,
        returns: kept(head.returns.clone()),
        params: kept(head.params.clone()),
        directives: kept(head.directives.clone()),
        allow: kept(head.allowed.clone()),
        locals: variables(locals),
        idle_shared: variables(idle),
        specials: kept(head.specials.clone()),
        places: kept(places),
        body,
        ..Function::new(head.kind, head.name)
    };
    let declared = read_all
        .iter()
        .map(|read| Declared { variable: read.variable, is_deferred: read.is_deferred })
        .collect();
    Written { function: kept(function), head, body, declared, names, same, values }
}

/// Returns places as a front end records them: for each statement the first token, and the names; none for directives.
fn places(name: &str, body: Body<'static>) -> Locations<'static> {
    let mut marks = Vec::new();
    for (n, statement) in body.statements().enumerate() {
        if statement.kind() == StatementKind::Directive {
            continue;
        }
        for token in statement.tokens() {
            if token.index == 0 || token.kind == TokenKind::Name {
                let line = u32::try_from(n + 100 * name.len()).expect("few statements");
                let column = u32::try_from(token.offset).expect("short statements") + 1;
                let place = Location { file: "sample.rs", line, column };
                marks.push(Mark { statement: n, offset: token.offset, place });
            }
        }
    }
    let (files, table) = Locations::encode(marks);
    Locations::new(kept(files), kept(table))
}

/// Whether a line is the start of a function.
fn is_head(line: &str) -> bool {
    line.starts_with(".entry") || line.starts_with(".func")
}

/// Creates an array type.
fn array_of(count: ptx_isa::ir::Extent, of: &'static Type<'static>) -> &'static Type<'static> {
    kept(Type::Array(count, of))
}
