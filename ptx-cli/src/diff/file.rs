//! A file that is compared, and the symbols of its module.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use ptx_isa::ir::{Function, Module, Site, Variable};
use ptx_text::Parsed;

use super::body::{Body, Interner, Reference};
use super::declaration::{Description, directives, is_public, signature};
use super::directives::Directives;
use super::names::Kind;

/// A file.
pub(super) struct File<'a> {
    pub(super) parsed: &'a Parsed,
    pub(super) module: &'a Module<'a>,
    pub(super) symbols: Vec<Symbol<'a>>,
    /// Their numbers.
    pub(super) by_name: HashMap<&'a str, usize>,
    pub(super) directives: Directives<'a>,
}

/// A symbol of a module.
pub(super) struct Symbol<'a> {
    pub(super) name: &'a str,
    pub(super) site: Site,
    pub(super) is_public: bool,
    pub(super) of: SymbolKind<'a>,
    /// The symbols that its body or its initial value names, in the order in which they come first.
    pub(super) uses: Vec<usize>,
    /// A hash of what it is by itself, apart from its name if it is private.
    pub(super) own: u64,
}

/// A variable or a function.
pub(super) enum SymbolKind<'a> {
    Variable(Description<'a>),
    Function(&'a Function<'a>, Body<'a>),
}

impl<'a> File<'a> {
    pub(super) fn of(parsed: &'a Parsed, texts: &mut Interner) -> Self {
        let module = parsed.module();
        let declared = declared(module);
        let by_name = declared.iter().enumerate().map(|(n, it)| (it.name(), n)).collect();
        let directives = Directives::of(parsed);
        let symbols = declared.iter().map(|declared| match declared {
            Declared::Variable(n, variable) => self::variable(*n, variable, &by_name),
            Declared::Function(n, function) => {
                self::function(*n, function, &by_name, &directives, texts)
            }
        });
        let symbols = symbols.collect();
        Self { parsed, module, symbols, by_name, directives }
    }

    /// The line of a part of the module, from 1.
    pub(super) fn line(&self, site: Site) -> u32 {
        self.parsed.position(self.parsed.locate(site).start).line
    }
}

/// A declaration of a module, by its number.
#[derive(Clone, Copy)]
enum Declared<'a> {
    Variable(usize, &'a Variable<'a>),
    Function(usize, &'a Function<'a>),
}

impl<'a> Declared<'a> {
    fn name(&self) -> &'a str {
        match self {
            Self::Variable(_, variable) => variable.name,
            Self::Function(_, function) => function.name,
        }
    }

    fn is_definition(&self) -> bool {
        match self {
            Self::Variable(_, variable) => !variable.linkage.is_elsewhere(),
            Self::Function(_, function) => function.body.is_some(),
        }
    }
}

/// The declarations of a module: of several of one name the first definition, or else the first.
fn declared<'a>(module: &Module<'a>) -> Vec<Declared<'a>> {
    let variables = module.variables.iter().enumerate();
    let variables = variables.map(|(n, variable)| Declared::Variable(n, variable));
    let functions = module.functions.iter().enumerate();
    let functions = functions.map(|(n, function)| Declared::Function(n, function));
    let mut declared: Vec<Declared<'a>> = Vec::new();
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for next in variables.chain(functions) {
        let place = *by_name.entry(next.name()).or_insert(declared.len());
        match declared.get_mut(place) {
            Some(first) if !first.is_definition() && next.is_definition() => *first = next,
            Some(_) => {}
            None => declared.push(next),
        }
    }
    declared
}

fn variable<'a>(
    n: usize,
    variable: &Variable<'a>,
    symbols: &HashMap<&'a str, usize>,
) -> Symbol<'a> {
    let what = Description::of(variable);
    let is_public = is_public(variable.linkage);
    let mut hasher = DefaultHasher::new();
    if is_public {
        ("variable", variable.name).hash(&mut hasher);
    } else {
        ("variable", what.text()).hash(&mut hasher);
    }
    Symbol {
        name: variable.name,
        site: Site::Variable(n),
        is_public,
        uses: distinct(what.symbols.iter().filter_map(|name| symbols.get(name)).copied()),
        of: SymbolKind::Variable(what),
        own: hasher.finish(),
    }
}

fn function<'a>(
    n: usize,
    function: &'a Function<'a>,
    symbols: &HashMap<&'a str, usize>,
    others: &Directives<'_>,
    texts: &mut Interner,
) -> Symbol<'a> {
    let body = Body::of(n, function, symbols, texts);
    let is_public = is_public(function.linkage);
    let mut hasher = DefaultHasher::new();
    if is_public {
        ("function", function.name).hash(&mut hasher);
    } else {
        ("function", signature(function), directives(function)).hash(&mut hasher);
        others.get(Some(function.name)).hash(&mut hasher);
        hash_body(&body, &mut hasher);
    }
    let in_body = body.lines.iter().flat_map(|line| &line.names).filter_map(|name| match name {
        Reference::Symbol(symbol) => Some(*symbol),
        Reference::Own(_) => None,
    });
    let in_values = body.entities.iter().flat_map(|entity| &entity.values).copied();
    Symbol {
        name: function.name,
        site: Site::Function(n),
        is_public,
        uses: distinct(in_body.chain(in_values)),
        own: hasher.finish(),
        of: SymbolKind::Function(function, body),
    }
}

/// Hashes a body, with its entities and the symbols by the order in which they come.
fn hash_body(body: &Body<'_>, hasher: &mut DefaultHasher) {
    let mut numbers = HashMap::new();
    for line in &body.lines {
        line.shape.hash(hasher);
        for name in &line.names {
            let next = numbers.len();
            let number = *numbers.entry(*name).or_insert(next);
            number.hash(hasher);
            match name {
                Reference::Own(entity) if number == next => {
                    body.entities[*entity].what.hash(hasher);
                }
                _ => {}
            }
        }
    }
    let mut storage: Vec<&str> = storage(body).map(|n| body.entities[n].what.as_str()).collect();
    storage.sort_unstable();
    storage.hash(hasher);
}

/// The variables that a body declares.
pub(super) fn storage(body: &Body<'_>) -> impl Iterator<Item = usize> {
    let entities = body.entities.iter().enumerate();
    entities.filter(|(_, entity)| entity.kind == Kind::Storage).map(|(n, _)| n)
}

/// Each number once, where it first comes.
fn distinct(numbers: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut seen = std::collections::HashSet::new();
    numbers.filter(|number| seen.insert(*number)).collect()
}
