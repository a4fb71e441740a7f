//! Where the declarations and statements of a text are at fault.

use std::cell::RefCell;
use std::collections::HashMap;

use ptx_analysis::{Broken, Finding, Place, Problem};
use ptx_isa::ir::body::{Statement, Statements, Token, TokenKind, TokenRange};
use ptx_isa::ir::{self, Site};
use ptx_isa::rules::{Arg, Blame};

use super::body::StatementAt;
use super::elements::Last;
use super::extent::Extent;
use super::function::ParamAt;
use super::integers::{extent, numbers};
use super::module::{ReadFunction, ReadModule};
use super::variable::DeclaredVariable;

/// A text, and what was looked up in it.
pub(super) struct Places<'c, 'a> {
    pub(super) text: &'a str,
    pub(super) module: &'c ReadModule<'a>,
    pub(super) ir: &'c ir::Module<'a>,
    /// For each variable in the IR, its index in the text.
    variables: &'c [usize],
    /// Likewise for each function.
    functions: &'c [usize],
    /// The statement that was looked up last, since a long one may have many findings.
    last: RefCell<Option<StatementAt>>,
    /// The element that was looked up last.
    element: RefCell<Last>,
    /// The instruction that was looked up last.
    walk: RefCell<Option<Walk<'a>>>,
    /// The places of the declarations in each function, by their indices in the IR.
    locals: RefCell<HashMap<usize, HashMap<usize, Place>>>,
}

/// The statements of a function from an index on: they are looked up in order.
struct Walk<'a> {
    function: usize,
    next: usize,
    statements: Statements<'a>,
    /// The statement before the next one, which may have several problems.
    last: Option<Statement<'a>>,
}

impl<'c, 'a> Places<'c, 'a> {
    pub(super) fn new(
        text: &'a str,
        module: &'c ReadModule<'a>,
        ir: &'c ir::Module<'a>,
        (variables, functions): (&'c [usize], &'c [usize]),
    ) -> Self {
        Self {
            text,
            module,
            ir,
            variables,
            functions,
            last: RefCell::default(),
            element: RefCell::default(),
            walk: RefCell::default(),
            locals: RefCell::default(),
        }
    }

    /// The functions in the IR, as parsed.
    pub(super) fn functions(&self) -> impl Iterator<Item = (usize, &'a ReadFunction<'a>)> {
        self.functions.iter().enumerate().map(|(n, at)| (n, self.module.functions[*at]))
    }

    pub(super) fn function(&self, index: usize) -> &'a ReadFunction<'a> {
        self.module.functions[self.functions[index]]
    }

    /// The location of a problem.
    pub(super) fn place(&self, finding: &Finding<'_>) -> Extent {
        if let Some((function, place)) = finding.body() {
            return self.in_body(function, place);
        }
        let (Problem::Rule(broken) | Problem::UnknownInstruction(broken)) = &finding.problem else {
            return self.of_declaration(finding.site, Blame::Name, &[]);
        };
        // An array of registers is its extent too much.
        let blames = if broken.rule.code == "D060" { Blame::Extent } else { broken.blames };
        self.of_element(finding.site, broken)
            .unwrap_or_else(|| self.of_declaration(finding.site, blames, &broken.args))
    }

    /// A statement of a function, by its index.
    pub(super) fn statement(&self, function: usize, number: usize) -> Option<Statement<'a>> {
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

    /// A variable in the IR, as parsed.
    fn variable(&self, index: usize) -> &'c DeclaredVariable<'a> {
        &self.module.variables[self.variables[index]]
    }

    /// The location of the part of a declaration that is at fault.
    fn of_declaration(&self, site: Site, blames: Blame, args: &[Arg<'_>]) -> Extent {
        let of_param = |at: &ParamAt| match blames {
            Blame::Align => at.align.unwrap_or(at.name),
            Blame::Extent => extent(self.text, at.name).unwrap_or(at.ty),
            Blame::Type | Blame::Element => at.ty,
            Blame::Linkage => at.pointer.unwrap_or(at.name),
            _ => at.name,
        };
        match site {
            Site::Module if blames == Blame::Version => self.module.version.1,
            Site::Module => self.module.target.1,
            Site::Variable(n) | Site::Address { variable: n, .. } => {
                let at = self.variable(n);
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
            Site::Function(n) => self.of_function(n, blames),
            Site::Directive { function, directive } => {
                let signature = &self.function(function).signature;
                let found = signature.directives.get(directive);
                let of_directive = |(at, values): &(Extent, Extent)| {
                    if blames == Blame::DirectiveValue { *values } else { *at }
                };
                found.map_or(signature.name, of_directive)
            }
            Site::Param { function, param } => {
                let signature = &self.function(function).signature;
                signature.params.get(param).map_or(signature.name, of_param)
            }
            Site::Return { function, index } => {
                let signature = &self.function(function).signature;
                signature.returns.get(index).map_or(signature.name, of_param)
            }
            Site::Local { function, local } => self.local(function, local, blames),
            Site::Tokens { function, statement, tokens } => {
                self.in_body(function, Place::new(statement, tokens))
            }
        }
    }

    /// The location of the element of a variable's initial value that is at fault.
    fn of_element(&self, site: Site, broken: &Broken<'_>) -> Option<Extent> {
        let (n, address) = match site {
            Site::Address { variable, address } => (variable, Some(address)),
            Site::Variable(n) => (n, None),
            _ => return None,
        };
        let DeclaredVariable { variable, value, .. } = self.variable(n);
        match (broken.blames, broken.rule.code, broken.args[0]) {
            _ if address.is_some() => {}
            // It is found by its value.
            (Blame::Number, _, Arg::Int(_)) => return None,
            (Blame::Number, ..) | (_, "D018", _) => {}
            (_, _, _) => return None,
        }
        self.element.borrow_mut().blamed(self.text, (*value)?.start, variable, address)
    }

    /// The location of a number in an initial value, or the start of the value if the number cannot be found.
    fn number(&self, value: Extent, args: &[Arg<'_>]) -> Extent {
        let Some(Arg::Int(wanted)) = args.first() else { return value };
        numbers(self.text, value.start)
            .find(|(number, _)| number == wanted)
            .map_or(value, |(_, at)| at)
    }

    fn of_function(&self, index: usize, blames: Blame) -> Extent {
        let signature = &self.function(index).signature;
        match blames {
            Blame::Directive => signature.attribute.unwrap_or(signature.name),
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
            let declared = self.ir.functions[index].declared();
            declared.map(|(local, n, name)| (local, Place::new(n, name.at()))).collect()
        });
        let Some(named) = places.get(&local).copied() else { return function.signature.name };
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
    pub(super) fn in_body(&self, index: usize, place: Place) -> Extent {
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
}
