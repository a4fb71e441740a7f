//! The names that bodies use from outside, and the resources of kernels with the functions that they call.

use std::collections::{HashMap, HashSet};

use bumpalo::Bump;
use ptx_isa::ir::body::{Operand, Statement, TokenKind};
use ptx_isa::ir::family::{base_of, is_member};
use ptx_isa::ir::{Body, Function, FunctionKind, Linkage, Named, Variable};
use ptx_isa::{Space, special};

/// The declarations of a module, by name.
pub(super) struct Symbols<'a> {
    named: HashMap<&'a str, Named>,
    variables: &'a [&'a Variable<'a>],
    functions: Vec<&'a str>,
    /// Whether one of the names starts with `%`, as those of registers do.
    has_percent: bool,
    has_families: bool,
}

impl<'a> Symbols<'a> {
    pub(super) fn of(variables: &'a [&'a Variable<'a>], functions: Vec<&'a str>) -> Self {
        let mut named = HashMap::new();
        for (n, variable) in variables.iter().enumerate() {
            named.entry(variable.name).or_insert(Named::Variable(n));
        }
        for (n, name) in functions.iter().enumerate() {
            named.entry(name).or_insert(Named::Function(n));
        }
        let has_percent = named.keys().any(|name| name.starts_with('%'));
        let has_families = variables.iter().any(|variable| variable.ty.family().is_some());
        Self { named, variables, functions, has_percent, has_families }
    }

    /// The declaration that a name denotes, including members of families.
    fn find(&self, name: &str) -> Option<Named> {
        match self.named.get(name) {
            Some(Named::Variable(n)) if self.variables[*n].ty.family().is_some() => None,
            Some(named) => Some(*named),
            None if self.has_families => {
                let Some(Named::Variable(n)) = self.named.get(base_of(name)?) else { return None };
                let (count, _) = self.variables[*n].ty.family()?;
                let is_member = is_member(name, self.variables[*n].name, count.known());
                is_member.then_some(Named::Variable(*n))
            }
            None => None,
        }
    }
}

/// The outside names that a body uses.
#[derive(Debug, Default)]
pub(super) struct Names<'a> {
    /// The module's variables, each with the name of the member if it is a family.
    variables: Vec<(usize, Option<&'a str>)>,
    functions: Vec<usize>,
    /// Those whose addresses it takes.
    taken: Vec<usize>,
    /// Whether it calls through a register, and so perhaps any function whose address is taken.
    calls_indirectly: bool,
    specials: Vec<&'a str>,
    /// The indices of the `.shared` variables that it declares but never names.
    idle: Vec<usize>,
}

/// Finds the outside names that a body with these declarations uses. They shadow those of the module, even
/// outside the block that contains them.
pub(super) fn names<'a>(
    body: Body<'a>,
    declared: &[&'a Variable<'a>],
    symbols: &Symbols<'a>,
) -> Names<'a> {
    let mut found = Names::default();
    let mut own: HashMap<&str, usize> = HashMap::new();
    let mut families: Vec<&str> = Vec::new();
    for (n, variable) in declared.iter().enumerate() {
        if variable.ty.family().is_some() {
            families.push(variable.name);
        } else {
            own.insert(variable.name, n);
        }
    }
    let mut named = vec![false; declared.len()];
    // The names, each apart where it is called.
    let mut seen: HashSet<(&str, bool)> = HashSet::new();
    for statement in body.statements() {
        let declares = statement.kind() == ptx_isa::ir::body::StatementKind::Declaration;
        if declares && !statement.text().contains('=') {
            continue;
        }
        let callee = callee(&statement);
        let called = callee.filter(|name| matches!(symbols.find(name), Some(Named::Function(_))));
        found.calls_indirectly |= callee.is_some() && called.is_none();
        let mut tokens = statement.tokens();
        if declares {
            // Names in the initial values follow.
            tokens.find(|token| token.is_sign("="));
        }
        for token in tokens.filter(|token| token.kind == TokenKind::Name) {
            let name = token.text;
            let is_register = name.starts_with('%') && {
                let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
                base.len() < name.len() && families.contains(&base)
            };
            let is_called = called == Some(name);
            if is_register || !seen.insert((name, is_called)) {
                continue;
            }
            if let Some(n) = own.get(name) {
                named[*n] = true;
                continue;
            }
            if name.starts_with('%') && !symbols.has_percent {
                if special::is_special(name) {
                    found.specials.push(name);
                }
                continue;
            }
            match symbols.find(name) {
                Some(Named::Variable(n)) => {
                    let is_family = symbols.variables[n].ty.family().is_some();
                    found.variables.push((n, is_family.then_some(name)));
                }
                Some(Named::Function(n)) => {
                    if !seen.contains(&(name, !is_called)) {
                        found.functions.push(n);
                    }
                    found.taken.extend((!is_called).then_some(n));
                }
                None if special::is_special(name) => found.specials.push(name),
                None => {}
            }
        }
    }
    // Of several declarations of a name, in blocks of their own, any may be meant.
    let is_named = |name| own.get(name).is_some_and(|n| named[*n]);
    let is_idle = |n: &usize| {
        let variable = declared[*n];
        variable.space == Space::Shared
            && variable.ty.family().is_none()
            && !is_named(variable.name)
    };
    found.idle = (0..declared.len()).filter(is_idle).collect();
    found.variables.sort_unstable();
    found
}

/// What a statement calls, if it is a call: a function, or a register with the address of one.
fn callee<'a>(statement: &Statement<'a>) -> Option<&'a str> {
    if !statement.text().contains("call") {
        return None;
    }
    let instruction = statement.instruction(&[]).filter(|it| it.opcode == "call")?;
    let mut names = instruction.operands.iter().filter_map(Operand::name);
    Some(names.next()?.text)
}

/// The maximum number of entries, for each function and variable, in the lists of all that the functions of a module
/// call and use: a text may have many kernels that call many functions.
const MOST_EACH: usize = 64;

/// Fills in the variables and functions that functions use, from the names in their bodies.
pub(super) fn complete<'a>(
    functions: &mut [&'a mut Function<'a>],
    names: &[Names<'a>],
    symbols: &Symbols<'a>,
    arena: &'a Bump,
) {
    let variable = |(n, member): (usize, Option<&'a str>)| -> &'a Variable<'a> {
        match member {
            Some(member) => arena.alloc(symbols.variables[n].member(member)),
            None => symbols.variables[n],
        }
    };
    // The functions that the initial values of variables refer to, as ptxas counts them.
    let tables: Vec<Vec<usize>> = symbols
        .variables
        .iter()
        .map(|variable| {
            let mut found = Vec::new();
            variable.init.for_each_address(&mut |address| {
                if let Some(Named::Function(n)) = symbols.find(address.symbol) {
                    found.push(n);
                }
            });
            found
        })
        .collect();
    let mut taken: Vec<usize> = tables.iter().flatten().copied().collect();
    taken.extend(names.iter().flat_map(|names| &names.taken));
    // Kernels are never called.
    taken.retain(|n| functions[*n].kind == FunctionKind::Device);
    taken.sort_unstable();
    taken.dedup();
    let declared: Vec<&'a [&'a Variable<'a>]> =
        functions.iter().map(|function| function.locals).collect();
    let linkages: Vec<Linkage> = functions.iter().map(|function| function.linkage).collect();
    let mut left = MOST_EACH * (functions.len() + symbols.variables.len()) + (1 << 16);
    let mut walk = vec![0; functions.len()];
    for n in 0..functions.len() {
        let own = &names[n];
        let (mut uses, mut shared) = (own.variables.clone(), Vec::new());
        if functions[n].kind == FunctionKind::Kernel {
            walk[n] = n + 1;
            let (mut open, mut taken) = (vec![n], taken.as_slice());
            while let Some(at) = open.pop() {
                if at != n {
                    uses.extend_from_slice(&names[at].variables);
                    let of_callee =
                        declared[at].iter().filter(|local| local.space == Space::Shared);
                    for local in of_callee {
                        shared.push(&*arena.alloc(local.declared_by(linkages[at])));
                    }
                }
                let named = names[at].functions.iter();
                let in_tables = names[at].variables.iter().flat_map(|(n, _)| &tables[*n]);
                // One indirect call reaches what all reach.
                let indirect = names[at].calls_indirectly && taken.len() <= left;
                let called = if indirect { std::mem::take(&mut taken) } else { &[] };
                left -= called.len();
                for &next in named.chain(in_tables).chain(called) {
                    let cost = 1 + names[next].variables.len() + declared[next].len();
                    if walk[next] != n + 1 && cost <= left {
                        left -= cost;
                        walk[next] = n + 1;
                        open.push(next);
                    }
                }
            }
            uses.sort_unstable();
            uses.dedup();
        }
        let is_idle = |local: &usize| own.idle.binary_search(local).is_ok();
        let (idle, locals): (Vec<usize>, Vec<usize>) = (0..declared[n].len()).partition(is_idle);
        let each = |numbers: Vec<usize>| {
            numbers.into_iter().map(|local| declared[n][local]).collect::<Vec<_>>()
        };
        let called: Vec<&'a str> =
            own.functions.iter().map(|callee| symbols.functions[*callee]).collect();
        let function = &mut *functions[n];
        function.uses = arena.alloc_slice_fill_iter(uses.into_iter().map(variable));
        function.called_shared = arena.alloc_slice_copy(&shared);
        function.specials = arena.alloc_slice_copy(&own.specials);
        function.calls = arena.alloc_slice_copy(&called);
        if !idle.is_empty() {
            function.locals = arena.alloc_slice_copy(&each(locals));
            function.idle_shared = arena.alloc_slice_copy(&each(idle));
        }
    }
}
