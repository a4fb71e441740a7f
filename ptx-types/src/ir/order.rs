//! The order of a module's declarations: PTX does not know a name before its declaration.

use alloc::vec;
use alloc::vec::Vec;

use super::family;
use super::function::Function;
use super::module::Module;
use super::variable::{Address, Init, Value, Variable};

/// What a name in a module refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// The variable with this index, or a member of that family.
    Variable(usize),
    /// The function or kernel with this index.
    Function(usize),
}

/// The names of a module, for lookups.
#[derive(Debug)]
pub struct Names<'a> {
    /// Sorted by name.
    names: Vec<(&'a str, Named)>,
    variables: &'a [&'a Variable<'a>],
}

impl<'a> Names<'a> {
    /// The names of `module`.
    pub fn of(module: &Module<'a>) -> Self {
        let variables = module.variables.iter().enumerate();
        let variables = variables.map(|(i, variable)| (variable.name, Named::Variable(i)));
        let functions = module.functions.iter().enumerate();
        let functions = functions.map(|(i, function)| (function.name, Named::Function(i)));
        let mut names: Vec<_> = variables.chain(functions).collect();
        names.sort_by_key(|(name, _)| *name);
        Self { names, variables: module.variables }
    }

    fn exact(&self, name: &str) -> Option<Named> {
        let at = self.names.binary_search_by_key(&name, |(name, _)| name).ok()?;
        Some(self.names[at].1)
    }

    /// What `name` refers to: a variable, a member of a family, or a function.
    pub fn find(&self, name: &str) -> Option<Named> {
        match self.exact(name) {
            // A family's own name refers to nothing.
            Some(Named::Variable(i)) if self.variables[i].ty.family().is_some() => None,
            Some(named) => Some(named),
            None => self.family_of(name).map(Named::Variable),
        }
    }

    /// The family that `name` is a member of.
    pub fn family_of(&self, name: &str) -> Option<usize> {
        let base = family::base_of(name)?;
        match self.exact(base)? {
            Named::Variable(i) => {
                let (count, _) = self.variables[i].ty.family()?;
                family::is_member(name, base, count.known()).then_some(i)
            }
            Named::Function(_) => None,
        }
    }
}

/// The order in which a module's declarations are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// Functions that are declared before everything else, by index: initial values or earlier
    /// functions name them.
    pub prototypes: Vec<usize>,
    /// All variables, by index; what an initial value names comes before it.
    pub variables: Vec<usize>,
    /// A variable whose initial value refers back to itself, if one exists: such a module cannot be
    /// written, and its variables stay in declaration order.
    pub circle: Option<usize>,
}

impl Order {
    /// The order for `module`; `None` if declaration order works without prototypes.
    pub fn of(module: &Module<'_>) -> Option<Self> {
        let has_address = |variable: &&Variable<'_>| variable.init.has_address();
        let calls = |function: &&Function<'_>| !function.calls.is_empty();
        if !module.variables.iter().any(has_address) && !module.functions.iter().any(calls) {
            return None;
        }
        let names = Names::of(module);
        let mut needed = vec![false; module.functions.len()];
        let mut visit = Visit {
            module,
            names: &names,
            state: vec![State::New; module.variables.len()],
            order: Vec::new(),
            circle: None,
        };
        for i in 0..module.variables.len() {
            visit.variable(i);
        }
        let Visit { order: mut variables, circle, .. } = visit;
        if circle.is_some() {
            variables = (0..module.variables.len()).collect();
        }
        for variable in module.variables {
            variable.init.for_each_address(&mut |address| {
                if let Some(Named::Function(i)) = names.find(address.symbol) {
                    needed[i] = true;
                }
            });
        }
        for (caller, function) in module.functions.iter().enumerate() {
            for name in function.calls {
                if let Some(Named::Function(callee)) = names.find(name) {
                    needed[callee] |= callee > caller;
                }
            }
        }
        let prototypes = (0..needed.len()).filter(|i| needed[*i]).collect();
        Some(Self { prototypes, variables, circle })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// A depth-first visit of the variables: those that a variable names come before it.
struct Visit<'m, 'a> {
    module: &'m Module<'a>,
    names: &'m Names<'a>,
    state: Vec<State>,
    order: Vec<usize>,
    circle: Option<usize>,
}

impl Visit<'_, '_> {
    /// Visits one variable, without recursion: a chain of pointers may be long.
    fn variable(&mut self, start: usize) {
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        self.enter(start, &mut open);
        while let Some((i, named)) = open.last_mut() {
            if let Some(next) = named.pop() {
                if self.state[next] == State::Open {
                    self.circle = self.circle.or(Some(*i));
                } else {
                    self.enter(next, &mut open);
                }
            } else {
                self.state[*i] = State::Done;
                self.order.push(*i);
                open.pop();
            }
        }
    }

    fn enter(&mut self, i: usize, open: &mut Vec<(usize, Vec<usize>)>) {
        if self.state[i] != State::New {
            return;
        }
        self.state[i] = State::Open;
        let mut named = Vec::new();
        self.module.variables[i].init.for_each_address(&mut |address| {
            if let Some(Named::Variable(target)) = self.names.find(address.symbol) {
                named.push(target);
            }
        });
        named.reverse();
        open.push((i, named));
    }
}

impl<'a> Init<'a> {
    /// Whether it contains an address.
    pub fn has_address(&self) -> bool {
        let mut found = false;
        self.for_each_address(&mut |_| found = true);
        found
    }

    /// Calls `visit` with every address in it.
    pub fn for_each_address(&self, visit: &mut impl FnMut(&Address<'a>)) {
        match self {
            Self::Linked(linked) => linked.links.iter().for_each(|link| visit(&link.address)),
            Self::Value(value) => value.for_each_address(visit),
            Self::None | Self::Bytes(_) | Self::Members(_) | Self::Unknown => {}
        }
    }
}

impl<'a> Value<'a> {
    fn for_each_address(&self, visit: &mut impl FnMut(&Address<'a>)) {
        match self {
            Self::Address(address) | Self::MaskedAddress(_, address) => visit(address),
            Self::List(values) => {
                for value in *values {
                    value.for_each_address(visit);
                }
            }
            Self::Int(_)
            | Self::Float(_)
            | Self::MaskedInt(..)
            | Self::Integers(_)
            | Self::Floats(_) => {}
        }
    }
}
