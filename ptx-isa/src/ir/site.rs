//! Places in a module.

use alloc::vec::Vec;

use super::body::{Name, Statement, StatementKind, TokenKind, TokenRange};
use super::{Body, Function, Location, Mark, Module, Param, Variable};
use crate::sorted::SortedMap;

/// A part of a module, by its place in the IR: what a violation blames. All numbers are indices from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Site {
    /// The module as a whole.
    Module,
    /// A variable of the module.
    Variable(usize),
    /// An element of the initial value of a variable.
    Element {
        /// The variable.
        variable: usize,
        /// The element, among the value, its lists and what is in them, in the order of their first tokens: 0 is the
        /// value.
        element: usize,
    },
    /// An address in the initial value of a variable.
    Address {
        /// The variable.
        variable: usize,
        /// The address, among those in the value.
        address: usize,
    },
    /// A function.
    Function(usize),
    /// A directive of a function.
    Directive {
        /// The function.
        function: usize,
        /// The directive.
        directive: usize,
    },
    /// A parameter of a function.
    Param {
        /// The function.
        function: usize,
        /// The parameter.
        param: usize,
    },
    /// A return value of a function.
    Return {
        /// The function.
        function: usize,
        /// The return value.
        index: usize,
    },
    /// A declaration in a body.
    Local {
        /// The function.
        function: usize,
        /// The declaration, among the function's `locals` followed by its `idle_shared` ones.
        local: usize,
    },
    /// An element of the initial value of a declaration in a body.
    LocalElement {
        /// The function.
        function: usize,
        /// The declaration, as in [`Local`](Self::Local).
        local: usize,
        /// The element, as in [`Element`](Self::Element).
        element: usize,
    },
    /// Tokens of a statement.
    Tokens {
        /// The function.
        function: usize,
        /// The statement.
        statement: usize,
        /// The tokens.
        tokens: TokenRange,
    },
}

impl Site {
    /// Returns the index of the function that it is a part of; `None` for variables and the module.
    pub const fn function(self) -> Option<usize> {
        match self {
            Self::Module | Self::Variable(_) | Self::Element { .. } | Self::Address { .. } => None,
            Self::Function(function)
            | Self::Directive { function, .. }
            | Self::Param { function, .. }
            | Self::Return { function, .. }
            | Self::Local { function, .. }
            | Self::LocalElement { function, .. }
            | Self::Tokens { function, .. } => Some(function),
        }
    }

    /// Returns the declaration that it is a part of: elements and addresses are parts of variables.
    pub const fn declaration(self) -> Self {
        match self {
            Self::Element { variable, .. } | Self::Address { variable, .. } => {
                Self::Variable(variable)
            }
            Self::LocalElement { function, local, .. } => Self::Local { function, local },
            _ => self,
        }
    }

    /// Returns the index of the function and of the statement that it is a part of; `None` for declarations and the
    /// module.
    pub const fn statement(self) -> Option<(usize, usize)> {
        match self {
            Self::Tokens { function, statement, .. } => Some((function, statement)),
            Self::Module
            | Self::Variable(_)
            | Self::Element { .. }
            | Self::Address { .. }
            | Self::Function(_)
            | Self::Directive { .. }
            | Self::Param { .. }
            | Self::Return { .. }
            | Self::Local { .. }
            | Self::LocalElement { .. } => None,
        }
    }
}

impl<'a> Module<'a> {
    /// Returns the location in Rust source of a declaration, or of a token of a statement; `None` if it is not known.
    /// [`Sources`] has many of them.
    pub fn location(&self, site: Site) -> Option<Location<&'a str>> {
        Sources::of(self).location(site)
    }

    /// Returns the parameter or the return value at a site.
    pub fn param(&self, site: Site) -> Option<&'a Param<'a>> {
        match site {
            Site::Param { function, param } => self.functions.get(function)?.params.get(param),
            Site::Return { function, index } => self.functions.get(function)?.returns.get(index),
            Site::Module
            | Site::Variable(_)
            | Site::Element { .. }
            | Site::Address { .. }
            | Site::Function(_)
            | Site::Directive { .. }
            | Site::Local { .. }
            | Site::LocalElement { .. }
            | Site::Tokens { .. } => None,
        }
    }
}

impl<'a> Function<'a> {
    /// Returns a declaration of the body, by its index among the [`locals`](Self::locals) followed by the
    /// [`idle_shared`](Self::idle_shared) ones.
    pub fn local(&self, index: usize) -> Option<&'a Variable<'a>> {
        self.locals.iter().chain(self.idle_shared).nth(index).copied()
    }

    /// Returns the declarations of the body in order, each by its index for [`local`](Self::local), its statement and
    /// its name; those from the first that the function does not have next are left out. A body that has shown them
    /// all is not read on.
    pub fn declared(&self) -> impl Iterator<Item = (usize, usize, Name<'a>)> + use<'a> {
        let mut locals = self.locals.iter().enumerate().peekable();
        let first = self.locals.len();
        let mut idle = self.idle_shared.iter().enumerate().peekable();
        let statements = self.body.into_iter().flat_map(|body| body.statements()).enumerate();
        let declarations = statements.filter(|it| it.1.kind() == StatementKind::Declaration);
        let declarators = declarations.flat_map(|(n, statement)| {
            let mut words = statement.tokens().take_while(|token| token.kind != TokenKind::Name);
            let is_shared = words.any(|token| token.text == ".shared");
            let declarators = statement.declarators().into_iter();
            declarators.map(move |it| (n, it.name, is_shared && !it.is_family))
        });
        let all = first + self.idle_shared.len();
        declarators.take(all).map_while(move |(statement, name, may_be_idle)| {
            let is_it = |(_, variable): &(usize, &&Variable<'_>)| variable.name == name.text;
            // Registers and families may have the name of an idle variable.
            let idle = if may_be_idle { idle.next_if(is_it) } else { None };
            let local = idle.map(|(n, _)| first + n);
            let local = local.or_else(|| locals.next_if(is_it).map(|(n, _)| n))?;
            Some((local, statement, name))
        })
    }
}

/// The locations of a module's parts in Rust source. The body that was looked up last is kept, since one may have many
/// findings.
#[derive(Clone, Debug)]
pub struct Sources<'a> {
    module: Module<'a>,
    last: Option<(usize, Source<'a>)>,
}

impl<'a> Sources<'a> {
    /// Returns those of a module.
    pub const fn of(module: &Module<'a>) -> Self {
        Self { module: *module, last: None }
    }

    /// Returns the location of a declaration, or of the first of the tokens of a statement; `None` if it is not known.
    pub fn location(&mut self, site: Site) -> Option<Location<&'a str>> {
        let function = |index: usize| self.module.functions.get(index).copied();
        let place = match site {
            Site::Module => None,
            Site::Tokens { function, statement, tokens } => {
                return self.source(function)?.location(statement, tokens);
            }
            Site::Local { function: index, local }
            | Site::LocalElement { function: index, local, .. } => {
                match function(index)?.local(local)?.place {
                    None => return self.source(index)?.location_of_local(local),
                    place => place,
                }
            }
            Site::Variable(index)
            | Site::Element { variable: index, .. }
            | Site::Address { variable: index, .. } => self.module.variables.get(index)?.place,
            Site::Function(index) | Site::Directive { function: index, .. } => {
                function(index)?.place
            }
            Site::Param { .. } | Site::Return { .. } => self.module.param(site)?.variable.place,
        };
        place?.location()
    }

    /// Returns the source of a function.
    fn source(&mut self, index: usize) -> Option<&mut Source<'a>> {
        let function = *self.module.functions.get(index)?;
        let known = self.last.take().filter(|(of, _)| *of == index);
        let (_, source) = self.last.insert(known.unwrap_or_else(|| (index, Source::of(function))));
        Some(source)
    }
}

/// The statements of a function and their locations in Rust source.
#[derive(Clone, Debug)]
struct Source<'a> {
    function: &'a Function<'a>,
    statements: Vec<Statement<'a>>,
    marks: Vec<Mark<'a>>,
    /// For each of its declarations, the statement and the name, once one is looked up.
    declared: Option<SortedMap<usize, (usize, TokenRange)>>,
}

impl<'a> Source<'a> {
    /// Returns that of a function, which may have none.
    fn of(function: &'a Function<'a>) -> Self {
        let marks: Vec<Mark<'a>> = function.places.marks().collect();
        let body = function.body.iter().filter(|_| !marks.is_empty());
        Self {
            function,
            statements: body.flat_map(Body::statements).collect(),
            marks,
            declared: None,
        }
    }

    /// Returns the location of the first of these tokens of a statement, or of the statement.
    fn location(&self, statement: usize, tokens: TokenRange) -> Option<Location<&'a str>> {
        let token = self.statements.get(statement)?.tokens().nth(tokens.first);
        let offset = token.map(|token| token.offset);
        let first = self.marks.partition_point(|mark| mark.statement < statement);
        let marks = self.marks.get(first..).unwrap_or_default();
        let mut marks = marks.iter().take_while(|mark| mark.statement == statement);
        let start = marks.clone().next()?;
        let is_it = |mark: &&Mark<'_>| Some(mark.offset) == offset;
        Some(marks.find(is_it).unwrap_or(start).place)
    }

    /// Returns the location of the name in a declaration of the body; `None` if it is not known.
    fn location_of_local(&mut self, local: usize) -> Option<Location<&'a str>> {
        let declared = self.declared.get_or_insert_with(|| {
            let declared = self.function.declared();
            declared.map(|(local, statement, name)| (local, (statement, name.at()))).collect()
        });
        let (statement, tokens) = *declared.get(&local)?;
        self.location(statement, tokens)
    }
}
