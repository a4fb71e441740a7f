//! Where the declarations and statements of a text are at fault.

use std::cell::RefCell;
use std::collections::HashMap;

use ptx_analysis::{Finding, Launch, Place, Problem};
use ptx_isa::ir::body::{Statement, Statements, Token, TokenKind, TokenRange, integer};
use ptx_isa::ir::{self, Site};
use ptx_isa::rules::Blame;

use super::body::StatementAt;
use super::elements::Elements;
use super::extent::Extent;
use super::function::ParamAt;
use super::lexer::{Piece, PieceKind};
use super::module::{ReadFunction, ReadModule};
use super::reader::Reader;
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
    /// The initial value of which an element was looked up last.
    elements: RefCell<Elements<'a>>,
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
            elements: RefCell::default(),
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

    /// The launch that the text gives a function.
    pub(super) fn launch(&self, index: usize) -> Option<&'c Launch> {
        self.module.launches.get(&self.functions[index])
    }

    /// The location of a problem.
    pub(super) fn place(&self, finding: &Finding<'_>) -> Extent {
        if let Some((function, place)) = finding.body() {
            return self.in_body(function, place);
        }
        let (Problem::Rule(violation) | Problem::UnknownInstruction(violation)) = &finding.problem
        else {
            return self.of_declaration(finding.site, Blame::Name);
        };
        let blames = match (violation.rule.code, finding.site) {
            // An array of registers is its extent too much.
            ("D060", _) => Blame::Extent,
            // The mask is wrong, and not the address.
            ("D041", site) => return self.element(site, true),
            _ => violation.blames,
        };
        self.of_declaration(finding.site, blames)
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
    pub(super) fn of_declaration(&self, site: Site, blames: Blame) -> Extent {
        let of_param = |at: &ParamAt| match blames {
            Blame::Align => at.align.unwrap_or(at.name),
            Blame::Extent => zero_extent(self.text, at.name).unwrap_or(at.ty),
            Blame::Type | Blame::Element => at.ty,
            Blame::Linkage => at.pointer.unwrap_or(at.name),
            _ => at.name,
        };
        match site {
            Site::Module if blames == Blame::Version => self.module.version.1,
            Site::Module => self.module.target.1,
            Site::Element { .. } | Site::LocalElement { .. } => self.element(site, false),
            Site::Address { variable, address } => {
                let DeclaredVariable { variable, value, name, .. } = self.variable(variable);
                let Some(value) = *value else { return *name };
                let mut elements = self.elements.borrow_mut();
                elements.of(variable, value.start).address(self.text, address).unwrap_or(value)
            }
            Site::Variable(n) => {
                let at = self.variable(n);
                match blames {
                    Blame::Space => at.space,
                    Blame::Linkage => at.linkage.unwrap_or(at.name),
                    Blame::Align => at.align.unwrap_or(at.name),
                    Blame::Extent => zero_extent(self.text, at.name).unwrap_or(at.ty),
                    Blame::Type | Blame::Element => at.ty,
                    Blame::Value => at.value.unwrap_or(at.name),
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

    /// The location of an element of an initial value, or of its mask.
    fn element(&self, site: Site, is_mask: bool) -> Extent {
        let (variable, start, otherwise, element) = match site {
            Site::Element { variable, element } => {
                let DeclaredVariable { variable, value, name, .. } = self.variable(variable);
                (Some(*variable), value.map(|value| value.start), *name, element)
            }
            Site::LocalElement { function, local, element } => {
                let name = self.local(function, local, Blame::Name);
                let variable = self.ir.functions[function].local(local);
                (variable, value_start(self.text, name), name, element)
            }
            _ => return self.of_declaration(site, Blame::Value),
        };
        let (Some(variable), Some(start)) = (variable, start) else { return otherwise };
        let mut elements = self.elements.borrow_mut();
        let elements = elements.of(variable, start);
        let found = if is_mask {
            elements.first_token(self.text, element)
        } else {
            elements.element(self.text, element)
        };
        found.unwrap_or(otherwise)
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
            return zero_extent(self.text, name).unwrap_or(name);
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

/// The extent that is zero among those after the name of an array, or else the first with its brackets.
fn zero_extent(text: &str, name: Extent) -> Option<Extent> {
    let mut reader = Reader::from(text, name.end);
    let (mut open, mut first) = (None, None);
    loop {
        let Piece { kind, at } = reader.token()?.piece;
        match (kind, reader.text(at)) {
            (_, "[") => open = Some(at),
            (_, "]") => first = first.or(open.map(|open| Extent::over((open, at)))),
            (PieceKind::Number, number) if integer(number) == Some(0) => return Some(at),
            (PieceKind::Number, _) => {}
            _ => return first,
        }
    }
}

/// The start of the initial value after the name of a variable.
fn value_start(text: &str, name: Extent) -> Option<u32> {
    let mut reader = Reader::from(text, name.end);
    loop {
        let Piece { kind, at } = reader.token()?.piece;
        match (kind, reader.text(at)) {
            (PieceKind::Sign, "=") => return Some(reader.token()?.piece.at.start),
            (PieceKind::Sign, ";" | ",") => return None,
            _ => {}
        }
    }
}
