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
    /// The cycles of variables whose initial values refer to each other, each by its last variable: a module with one
    /// cannot be written, and its variables stay in declaration order.
    pub cycles: Vec<usize>,
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
            has_cycle: false,
        };
        for i in 0..module.variables.len() {
            visit.variable(i);
        }
        let mut cycles = Vec::new();
        if visit.has_cycle {
            visit.order = (0..module.variables.len()).collect();
            let leads: Vec<Vec<usize>> = visit.order.iter().map(|i| visit.named_by(*i)).collect();
            cycles = self::cycles(&leads);
        }
        let variables = visit.order;
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
        Some(Self { prototypes, variables, cycles })
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
    has_cycle: bool,
}

impl Visit<'_, '_> {
    /// Visits one variable, without recursion: a chain of pointers may be long.
    fn variable(&mut self, start: usize) {
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        self.enter(start, &mut open);
        while let Some((i, named)) = open.last_mut() {
            if let Some(next) = named.pop() {
                if self.state[next] == State::Open {
                    self.has_cycle = true;
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
        let mut named = self.named_by(i);
        named.reverse();
        open.push((i, named));
    }

    /// The variables that the initial value of one names.
    fn named_by(&self, i: usize) -> Vec<usize> {
        let mut named = Vec::new();
        self.module.variables[i].init.for_each_address(&mut |address| {
            if let Some(Named::Variable(target)) = self.names.find(address.symbol) {
                named.push(target);
            }
        });
        named
    }
}

/// The cycles of a graph in which each node leads to others, each by its last node: the nontrivial strongly connected
/// components, found by Kosaraju's algorithm without recursion, because a chain may be long.
pub fn cycles(leads: &[Vec<usize>]) -> Vec<usize> {
    let mut finished = Vec::new();
    let mut is_seen = vec![false; leads.len()];
    for start in 0..leads.len() {
        let mut open = vec![(start, false)];
        while let Some((node, is_finished)) = open.pop() {
            if is_finished {
                finished.push(node);
            } else if !is_seen[node] {
                is_seen[node] = true;
                open.push((node, true));
                open.extend(leads[node].iter().map(|next| (*next, false)));
            }
        }
    }
    let mut back = vec![Vec::new(); leads.len()];
    for (node, leads) in leads.iter().enumerate() {
        for next in leads {
            back[*next].push(node);
        }
    }
    let mut is_left = vec![true; leads.len()];
    let mut found = Vec::new();
    for &start in finished.iter().rev() {
        let (mut component, mut open) = (Vec::new(), vec![start]);
        while let Some(node) = open.pop() {
            if core::mem::take(&mut is_left[node]) {
                component.push(node);
                open.extend(&back[node]);
            }
        }
        if component.len() > 1 || leads[start].contains(&start) {
            found.extend(component.into_iter().max());
        }
    }
    found.sort_unstable();
    found
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
            Self::Value(value) => {
                value.each(&mut |_, value| {
                    if let Value::Address(address) | Value::MaskedAddress(_, address) = value {
                        visit(address);
                    }
                });
            }
            Self::Unknown(addresses) => addresses.iter().for_each(visit),
            Self::None | Self::Bytes(_) | Self::Members(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::cycles;

    #[test]
    fn cycles_are_those_of_nodes_that_reach_themselves() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for _ in 0..500 {
            let count = 1 + random(9);
            let leads: Vec<Vec<usize>> =
                (0..count).map(|_| (0..random(3)).map(|_| random(count)).collect()).collect();
            let reached = |node: usize| {
                let (mut seen, mut open) = (vec![false; count], leads[node].clone());
                while let Some(next) = open.pop() {
                    if !core::mem::replace(&mut seen[next], true) {
                        open.extend(&leads[next]);
                    }
                }
                seen
            };
            let reached: Vec<Vec<bool>> = (0..count).map(reached).collect();
            let is_last = |node: &usize| {
                let is_with = |other: usize| reached[*node][other] && reached[other][*node];
                is_with(*node) && !(*node + 1..count).any(is_with)
            };
            let expected: Vec<usize> = (0..count).filter(is_last).collect();
            assert_eq!(cycles(&leads), expected, "{leads:?}");
        }
    }
}
