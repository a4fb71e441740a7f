//! The names that bodies use from outside, and the resources of kernels with the functions that they call.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::instruction::Control;
use ptx_isa::ir::body::{Statement, StatementKind, TokenKind};
use ptx_isa::ir::family::{base_of, is_member};
use ptx_isa::ir::{Body, Function, FunctionKind, Linkage, Named, Variable};
use ptx_isa::sorted::SortedMap;
use ptx_isa::{Space, special};

use crate::findings::symbols::Symbols;
use crate::flow::effects::named_function;
use crate::flow::name_table::NameTable;

/// The declarations of a module, by the names that bodies use for them.
#[derive(Debug)]
pub struct ModuleNames<'a> {
    named: NameTable<'a, Option<Named>>,
    /// The further meanings of names, among which conditions choose.
    others: SortedMap<&'a str, Vec<Named>>,
    variables: &'a [&'a Variable<'a>],
    /// Whether one of the names starts with `%`, as those of registers do.
    has_percent: bool,
    has_families: bool,
}

impl<'a> ModuleNames<'a> {
    /// Collects the names of variables and functions, in the order of their indices. Unless conditions choose between
    /// them, the first declaration of a name counts.
    pub fn of(
        variables: &'a [&'a Variable<'a>],
        names: impl IntoIterator<Item = &'a str>,
        functions: impl IntoIterator<Item = &'a str>,
        has_conditions: bool,
    ) -> Self {
        let mut found = Self {
            named: NameTable::default(),
            others: SortedMap::new(),
            variables,
            has_percent: false,
            has_families: variables.iter().any(|variable| variable.ty.family().is_some()),
        };
        let variables = names.into_iter().enumerate().map(|(n, name)| (name, Named::Variable(n)));
        let functions = functions.into_iter().enumerate();
        for (name, named) in variables.chain(functions.map(|(n, name)| (name, Named::Function(n))))
        {
            found.add(name, named, has_conditions);
        }
        found
    }

    /// Collects the names of functions alone.
    pub(crate) fn of_functions(symbols: &'a Symbols<'_>) -> Self {
        let mut names = Self::of(&[], [], [], true);
        for (name, found) in &symbols.functions {
            for symbol in found {
                names.add(name, Named::Function(symbol.index), true);
            }
        }
        names
    }

    fn add(&mut self, name: &'a str, named: Named, has_conditions: bool) {
        self.has_percent |= name.starts_with('%');
        match self.named.of(name) {
            Some(_) if has_conditions => {
                self.others.entry(name).or_default().push(named);
            }
            Some(_) => {}
            first => *first = Some(named),
        }
    }

    /// Returns what a name may refer to, members of families included: one thing, unless conditions decide.
    pub fn meanings(&self, name: &str) -> impl Iterator<Item = Named> {
        let own = self.named.get(name).map(|_| name);
        let base = || base_of(name).filter(|base| self.named.get(base).is_some());
        let base = if own.is_none() && self.has_families { base() } else { None };
        let is_meant = move |named: &Named| match (*named, base) {
            (Named::Function(_), base) => base.is_none(),
            (Named::Variable(n), base) => match (self.variables[n].ty.family(), base) {
                (None, base) => base.is_none(),
                (Some((count, _)), Some(base)) => is_member(name, base, count.known()),
                // A family's own name refers to nothing.
                (Some(_), None) => false,
            },
        };
        let found = own.or(base);
        let first = found.and_then(|name| *self.named.get(name)?);
        let others = found.and_then(|name| self.others.get(name)).into_iter().flatten();
        first.into_iter().chain(others.copied()).filter(is_meant)
    }

    /// Returns the functions whose addresses are in the initial value of a variable, as ptxas counts them: not those in
    /// a table that the value refers to.
    pub fn functions_in(&self, variable: &Variable<'_>) -> Vec<usize> {
        let mut found = Vec::new();
        variable.init.for_each_address(&mut |address| {
            found.extend(self.meanings(address.symbol).filter_map(|named| match named {
                Named::Function(n) => Some(n),
                Named::Variable(_) => None,
            }));
        });
        found
    }

    /// Returns the PTX name of a variable that a name refers to.
    pub fn in_ptx(&self, name: &str, variable: usize) -> String {
        let variable = self.variables[variable];
        match (variable.ty.family(), base_of(name)) {
            (Some(_), Some(base)) => [variable.name, &name[base.len()..]].concat(),
            (_, _) => variable.name.into(),
        }
    }
}

/// The outside names that a body uses.
#[derive(Clone, Debug, Default)]
pub struct Uses<'a> {
    /// The module's variables, each with the name of the member if it is a family.
    pub variables: Vec<(usize, Option<&'a str>)>,
    /// The functions that it names.
    pub functions: Vec<NamedFunction<'a>>,
    /// Whether it calls through a register, and so perhaps any function whose address is taken.
    pub(crate) calls_indirectly: bool,
    /// The special registers.
    pub specials: Vec<&'a str>,
    /// The indices of the `.shared` variables that it declares but never names.
    pub idle: Vec<usize>,
    /// The number of its declarations.
    declared: usize,
    /// Whether it has a statement that is not understood, so that its uses are not known.
    pub(crate) is_verbatim: bool,
    /// Whether a name has several meanings, among which conditions choose.
    pub(crate) is_uncertain: bool,
}

impl<'a> Uses<'a> {
    /// Finds the outside names that the body of a function with these declarations uses.
    pub fn of(
        function: &Function<'a>,
        body: Body<'a>,
        declared: &[&'a Variable<'a>],
        module: &ModuleNames<'a>,
    ) -> Self {
        let mut found = Self { declared: declared.len(), ..Self::default() };
        let mut own = OwnNames::of(function, body, declared);
        for statement in body.statements() {
            if statement.kind() == StatementKind::Verbatim {
                return Self { declared: declared.len(), is_verbatim: true, ..Self::default() };
            }
            own.enter(&statement);
            let declares = statement.kind() == StatementKind::Declaration;
            if declares && !statement.text().contains('=') {
                continue;
            }
            let (is_call, callee) = call(&statement);
            let is_function = |name: &&str| {
                !own.hides(name)
                    && module.meanings(name).any(|named| matches!(named, Named::Function(_)))
            };
            let called = callee.filter(is_function);
            found.calls_indirectly |= is_call && called.is_none();
            let mut tokens = statement.tokens();
            if declares {
                // Names in the initial values follow.
                tokens.find(|token| token.is_sign("="));
            }
            for token in tokens {
                let name = token.text;
                if token.kind != TokenKind::Name || own.has_member(name) {
                    continue;
                }
                let (seen, is_called) = (own.names.of(name), called == Some(name));
                if seen.hiding > 0 {
                    seen.is_named = true;
                    continue;
                }
                let is_seen = if is_called { &mut seen.is_called } else { &mut seen.is_taken };
                if core::mem::replace(is_seen, true) {
                    continue;
                }
                let is_first = seen.is_called != seen.is_taken;
                if name.starts_with('%') && !module.has_percent {
                    if special::is_special(name) {
                        found.specials.push(name);
                    }
                    continue;
                }
                if is_first {
                    seen.first = found.functions.len();
                    found.note(name, module);
                }
                let functions = found.functions.iter_mut().skip(seen.first);
                // Those of one name stand together.
                for function in functions.take_while(|function| function.name == name) {
                    function.is_called |= is_called;
                    function.is_taken |= !is_called;
                }
            }
        }
        // Of several declarations of a name, in blocks of their own, any may be meant.
        let is_named = |name| own.names.get(name).is_some_and(|name| name.is_named);
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

    const fn is_certain(&self) -> bool {
        !self.is_uncertain && !self.is_verbatim
    }

    /// Records a name that the body does not declare.
    fn note(&mut self, name: &'a str, module: &ModuleNames<'a>) {
        let mut count = 0;
        for meaning in module.meanings(name) {
            count += 1;
            match meaning {
                Named::Variable(n) => {
                    let is_family = module.variables[n].ty.family().is_some();
                    self.variables.push((n, is_family.then_some(name)));
                }
                Named::Function(index) => {
                    let (is_called, is_taken) = (false, false);
                    self.functions.push(NamedFunction { index, name, is_called, is_taken });
                }
            }
        }
        self.is_uncertain |= count > 1;
        if count == 0 && special::is_special(name) {
            self.specials.push(name);
        }
    }
}

/// A function that a body names.
#[derive(Clone, Copy, Debug)]
pub struct NamedFunction<'a> {
    /// Its index.
    pub index: usize,
    /// The name in the body.
    name: &'a str,
    /// Whether it is called.
    pub(crate) is_called: bool,
    /// Whether its address is taken.
    pub(crate) is_taken: bool,
}

/// The names that a body declares, and what is known of all names so far.
struct OwnNames<'a, 'd> {
    names: NameTable<'a, Seen>,
    /// For each family, and for each of its declarations that are in scope, the greatest number of members up to there,
    /// if all are known.
    families: NameTable<'a, Vec<Option<usize>>>,
    /// The declarations that follow.
    declared: core::slice::Iter<'d, &'a Variable<'a>>,
    /// What each open block declares; `None` in a body without blocks, whose declarations are known from the start.
    blocks: Option<Vec<Vec<&'a Variable<'a>>>>,
}

/// What is known of a name so far.
#[derive(Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools)] // each is found apart from the others
struct Seen {
    /// The number of declarations here that hide what the module declares.
    hiding: usize,
    /// Whether the body names what it declares.
    is_named: bool,
    /// Whether it calls what the module declares.
    is_called: bool,
    /// Whether it names that in other ways.
    is_taken: bool,
    /// The number of functions that were named before it.
    first: usize,
}

impl<'a, 'd> OwnNames<'a, 'd> {
    fn of(function: &Function<'a>, body: Body<'a>, declared: &'d [&'a Variable<'a>]) -> Self {
        let mut names: NameTable<'a, Seen> = NameTable::default();
        let mut has_blocks = false;
        for statement in body.statements() {
            match statement.kind() {
                StatementKind::Open => has_blocks = true,
                StatementKind::Label => names.of(statement.text()).hiding += 1,
                StatementKind::Close
                | StatementKind::Declaration
                | StatementKind::Directive
                | StatementKind::Instruction
                | StatementKind::Verbatim => {}
            }
        }
        for param in function.params.iter().chain(function.returns) {
            names.of(param.variable.name).hiding += 1;
        }
        let blocks = has_blocks.then(|| vec![Vec::new()]);
        let mut own =
            Self { names, families: NameTable::default(), declared: declared.iter(), blocks };
        if !has_blocks {
            for variable in declared {
                own.declare(variable);
            }
        }
        own
    }

    /// Opens and closes blocks, and declares names.
    fn enter(&mut self, statement: &Statement<'a>) {
        let Some(blocks) = &mut self.blocks else { return };
        match statement.kind() {
            StatementKind::Open => blocks.push(Vec::new()),
            StatementKind::Close => {
                for variable in blocks.pop().into_iter().flatten() {
                    match variable.ty.family() {
                        Some(_) => {
                            self.families.of(variable.name).pop();
                        }
                        None => self.names.of(variable.name).hiding -= 1,
                    }
                }
            }
            StatementKind::Declaration => {
                let count = statement.declarators().len();
                let declared: Vec<&'a Variable<'a>> =
                    self.declared.by_ref().take(count).copied().collect();
                blocks.last_mut().into_iter().for_each(|block| block.extend_from_slice(&declared));
                for variable in declared {
                    self.declare(variable);
                }
            }
            StatementKind::Label
            | StatementKind::Directive
            | StatementKind::Instruction
            | StatementKind::Verbatim => {}
        }
    }

    /// Declares a name. A family leaves its own name to others.
    fn declare(&mut self, variable: &Variable<'a>) {
        match variable.ty.family() {
            Some((count, _)) => {
                let families = self.families.of(variable.name);
                let most = match (families.last(), count.known()) {
                    (Some(most), Some(count)) => most.map(|most| most.max(count)),
                    (None, count) => count,
                    (Some(_), None) => None,
                };
                families.push(most);
            }
            None => self.names.of(variable.name).hiding += 1,
        }
    }

    /// Whether a family that is in scope has a member of this name.
    fn has_member(&self, name: &str) -> bool {
        let Some(base) = base_of(name) else { return false };
        let Some(most) = self.families.get(base).and_then(|families| families.last()) else {
            return false;
        };
        // The macro runs unoptimised: `parse` is compiled already.
        let number = name[base.len()..].parse::<usize>();
        number.is_ok_and(|number| most.is_none_or(|most| number < most))
    }

    fn hides(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|seen| seen.hiding > 0) || self.has_member(name)
    }
}

/// Whether a statement is a call, and the name that it calls, which may be that of a register.
fn call<'a>(statement: &Statement<'a>) -> (bool, Option<&'a str>) {
    if statement.row().is_none_or(|row| row.control != Control::Call) {
        return (false, None);
    }
    let instruction = statement.instruction(&[]);
    let name = instruction.as_ref().and_then(named_function).map(|name| name.text);
    (true, name)
}

/// What a function uses, in a kernel together with the functions that it calls, directly or indirectly.
#[derive(Debug)]
pub struct Reached<'a> {
    /// The module's variables, sorted, each with the name of the member if it is a family.
    pub variables: Vec<(usize, Option<&'a str>)>,
    /// The functions that it calls, by their indices.
    pub functions: Vec<usize>,
    /// Whether all of that is certain: every statement is understood, and no name has several meanings.
    pub is_certain: bool,
}

/// The linkage of a function and what it declares: what it names, and the rest.
pub type Storage<'a> = (Linkage, [&'a [&'a Variable<'a>]; 2]);

impl<'a> Reached<'a> {
    /// Returns the module's variables that the function uses, and the shared ones that the functions declare that it calls,
    /// as its IR has them. `storage` has what each function declares; `kept` stores a variable that the IR does not have
    /// yet, and `in_ptx` returns the PTX name of a family's member.
    pub fn in_ir(
        &self,
        variables: &'a [&'a Variable<'a>],
        storage: &[Storage<'a>],
        kept: impl Fn(Variable<'a>) -> &'a Variable<'a>,
        in_ptx: impl Fn(&'a str, usize) -> &'a str,
    ) -> [Vec<&'a Variable<'a>>; 2] {
        let uses = self.variables.iter().map(|(n, member)| match member {
            Some(member) => kept(variables[*n].member(in_ptx(member, *n))),
            None => variables[*n],
        });
        let shared = self.functions.iter().flat_map(|callee| {
            let (linkage, declared) = storage[*callee];
            let all = declared.into_iter().flatten();
            let shared = all.filter(|variable| variable.space == Space::Shared);
            shared.map(move |variable| variable.declared_by(linkage))
        });
        [uses.collect(), shared.map(&kept).collect()]
    }
}

/// The maximum number of entries, for each function and variable, in the lists of all that the functions of a module
/// call and use: a text may have many kernels that call many functions.
const MOST_EACH: usize = 64;

/// Finds what each function of a module uses, from its kind and the names in its body, and passes it to `found` with
/// the function's index. `tables` has, for each variable, the functions whose addresses are in its initial value.
///
/// As in ptxas, a kernel also calls the functions whose addresses are in the initial values of variables that it names
/// and, where it calls through a register, every function whose address the module takes.
pub fn each_reached<'a>(
    kinds: &[FunctionKind],
    uses: &[Uses<'a>],
    tables: &[Vec<usize>],
    mut found: impl FnMut(usize, Reached<'a>),
) {
    let mut taken: Vec<usize> = tables.iter().flatten().copied().collect();
    let named = uses.iter().flat_map(|uses| &uses.functions);
    taken.extend(named.filter(|function| function.is_taken).map(|function| function.index));
    // Kernels are never called.
    taken.retain(|n| kinds[*n] == FunctionKind::Device);
    taken.sort_unstable();
    taken.dedup();
    let mut left = MOST_EACH * (kinds.len() + tables.len()) + (1 << 16);
    let mut walk = vec![0; kinds.len()];
    for n in 0..kinds.len() {
        let own = &uses[n];
        let mut reached = Reached {
            variables: own.variables.clone(),
            functions: Vec::new(),
            is_certain: own.is_certain(),
        };
        if kinds[n] == FunctionKind::Kernel {
            walk[n] = n + 1;
            let (mut open, mut taken) = (vec![n], taken.as_slice());
            while let Some(at) = open.pop() {
                if at != n {
                    reached.variables.extend_from_slice(&uses[at].variables);
                    reached.functions.push(at);
                    reached.is_certain &= uses[at].is_certain();
                }
                let named = uses[at].functions.iter().map(|function| &function.index);
                let in_tables = uses[at].variables.iter().flat_map(|(n, _)| &tables[*n]);
                // One indirect call reaches what all reach.
                let indirect = uses[at].calls_indirectly && taken.len() <= left;
                let called = if indirect { core::mem::take(&mut taken) } else { &[] };
                left -= called.len();
                for &next in named.chain(in_tables).chain(called) {
                    let cost = 1 + uses[next].variables.len() + uses[next].declared;
                    let is_callable = kinds[next] == FunctionKind::Device;
                    if is_callable && walk[next] != n + 1 && cost <= left {
                        left -= cost;
                        walk[next] = n + 1;
                        open.push(next);
                    }
                }
            }
            reached.variables.sort_unstable();
            reached.variables.dedup();
            reached.functions.sort_unstable();
        }
        found(n, reached);
    }
}
