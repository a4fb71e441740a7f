//! What differs between two files.

use std::collections::BTreeMap;

use ptx_emit::MemoryMap;
use ptx_emit::ptxas::Report;
use ptx_isa::Space;
use ptx_isa::ir::{Function, FunctionKind, Site};

use super::align::{self, Aligned};
use super::body::{Body, Interner};
use super::compare::{Difference, compare, votes};
use super::declaration::{Description, declared, directives, parameter, signature};
use super::file::{File, Symbol, SymbolKind};
use super::names::Kind;
use super::symbols::Pairs;

/// What differs between two files; they mean the same if there is nothing.
pub(super) struct Comparison<'f, 'a> {
    pub(super) files: [&'f File<'a>; 2],
    pub(super) pairs: Pairs,
    /// Sizes, alignments, registers, directives, target and version.
    pub(super) rows: Vec<Row>,
    pub(super) variables: Vec<Change>,
    pub(super) functions: Vec<FunctionChange>,
}

/// A property that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row {
    pub(super) what: String,
    /// The symbol of A that has it, or of B; `None` for the module.
    pub(super) of: Option<String>,
    /// `None` if the file does not have it.
    pub(super) values: [Option<String>; 2],
}

/// A symbol that differs, or that one file does not have.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// Its number in each file.
    pub(super) symbols: [Option<usize>; 2],
    /// What differs, in words.
    pub(super) notes: Vec<String>,
}

/// A function that differs, or that one file does not have.
#[derive(Clone, Debug)]
pub(super) struct FunctionChange {
    pub(super) change: Change,
    pub(super) difference: Difference,
}

impl<'f, 'a> Comparison<'f, 'a> {
    pub(super) fn of(files: [&'f File<'a>; 2]) -> Self {
        let both = files.map(|file| &file.symbols[..]);
        let mut pairs = Pairs::of(both);
        let mut lines = BTreeMap::new();
        let mut seen: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (a, b) in paired(&pairs) {
            if let (SymbolKind::Function(_, one), SymbolKind::Function(_, other)) =
                (&both[0][a].of, &both[1][b].of)
            {
                let aligned = align::lines(one, other);
                for (names, count) in votes(one, other, &aligned) {
                    *seen.entry(names).or_default() += count;
                }
                lines.insert(a, aligned);
            }
        }
        pair_by_use(&mut pairs, both, seen);
        let mut comparison =
            Self { files, pairs, rows: Vec::new(), variables: Vec::new(), functions: Vec::new() };
        comparison.module();
        for (a, b) in paired(&comparison.pairs.clone()) {
            let (one, other) = (&both[0][a], &both[1][b]);
            match (&one.of, &other.of) {
                (SymbolKind::Variable(x), SymbolKind::Variable(y)) => {
                    comparison.variable([a, b], [x, y]);
                }
                (SymbolKind::Function(f, x), SymbolKind::Function(g, y)) => {
                    let aligned = lines.remove(&a).unwrap_or_else(|| align::lines(x, y));
                    comparison.function([a, b], ([f, g], [x, y]), &aligned);
                }
                _ => {}
            }
        }
        comparison.left();
        if !comparison.is_empty() {
            comparison.budgets();
        }
        comparison
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.variables.is_empty() && self.functions.is_empty()
    }

    /// The name of a symbol of A, and that of B if it is another one.
    pub(super) fn name(&self, symbols: [Option<usize>; 2]) -> String {
        let name = |side: usize| symbols[side].map(|n| self.files[side].symbols[n].name);
        match (name(0), name(1)) {
            (Some(a), Some(b)) if a != b => format!("`{a}`, now `{b}`"),
            (Some(name), _) | (None, Some(name)) => format!("`{name}`"),
            (None, None) => String::new(),
        }
    }

    /// The word for the kind of a symbol.
    pub(super) fn kind(&self, symbols: [Option<usize>; 2]) -> &'static str {
        let symbols = [0, 1].map(|side| symbols[side].map(|n| &self.files[side].symbols[n].of));
        match symbols.into_iter().flatten().next() {
            Some(SymbolKind::Function(function, _)) => match function.kind {
                FunctionKind::Kernel => "kernel",
                FunctionKind::Device => "function",
            },
            Some(SymbolKind::Variable(_)) | None => "variable",
        }
    }

    /// Adds what ptxas reports of the kernels of both files.
    pub(super) fn resources(&mut self, [one, other]: [&Report; 2]) {
        for a in &one.kernels {
            let partner = self.partner(&a.name).and_then(|name| other.kernel(name));
            let Some(b) = partner else { continue };
            let kernel = Some(format!("`{}`", a.name));
            let both = [a, b];
            self.row("ptxas: registers", kernel.clone(), both.map(|it| Some(it.registers)));
            self.row("ptxas: bytes of stack", kernel.clone(), both.map(|it| Some(it.stack_bytes)));
            let spills = both.map(|it| Some(it.spill_bytes.0));
            self.row("ptxas: bytes of spill stores", kernel.clone(), spills);
            let spills = both.map(|it| Some(it.spill_bytes.1));
            self.row("ptxas: bytes of spill loads", kernel.clone(), spills);
            let shared = both.map(|it| Some(it.shared_bytes));
            self.row("ptxas: bytes of static shared memory", kernel, shared);
        }
    }

    /// Adds a row if the values differ.
    pub(super) fn row<T: PartialEq + ToString>(
        &mut self,
        what: impl Into<String>,
        of: Option<String>,
        [a, b]: [Option<T>; 2],
    ) {
        if a != b {
            let values = [a, b].map(|value| value.map(|value| value.to_string()));
            self.rows.push(Row { what: what.into(), of, values });
        }
    }

    fn module(&mut self) {
        let files = self.files;
        let modules = files.map(|file| file.module);
        self.row("target", None, modules.map(|module| Some(module.target.name())));
        self.row("version", None, modules.map(|module| Some(module.version())));
        let modes = modules.map(|module| Some(format!("{:?}", module.texture_mode)));
        self.row("texture mode", None, modes);
        self.row("directives", None, files.map(|file| written(file.directives.get(None))));
    }

    fn variable(&mut self, [a, b]: [usize; 2], [one, other]: [&Description<'_>; 2]) {
        let files = self.files;
        let symbols = [Some(a), Some(b)];
        let mut notes = Vec::new();
        let name = Some(self.name(symbols));
        self.sizes(name, [one, other]);
        if one.head != other.head {
            notes.push(format!("it was `{}`, and is `{}`", one.head, other.head));
        }
        if one.ty != other.ty {
            notes.push(format!("its type was `{}`, and is `{}`", one.ty, other.ty));
        }
        let mut addresses = one.symbols.iter().zip(&other.symbols);
        let are_same = one.symbols.len() == other.symbols.len()
            && addresses.all(|(x, y)| match (files[0].by_name.get(x), files[1].by_name.get(y)) {
                (Some(x), Some(y)) => self.pairs.of_a[*x] == Some(*y),
                (None, None) => x == y,
                _ => false,
            });
        if one.value != other.value || !are_same {
            notes.push("its initial value differs".to_owned());
        }
        if !notes.is_empty() {
            self.variables.push(Change { symbols, notes });
        }
    }

    fn sizes(&mut self, name: Option<String>, both: [&Description<'_>; 2]) {
        let bytes = both.map(|it| Some(it.bytes.map_or("launch".to_owned(), |n| n.to_string())));
        self.row("bytes", name.clone(), bytes);
        self.row("alignment", name, both.map(|it| Some(it.align)));
    }

    fn function(
        &mut self,
        [a, b]: [usize; 2],
        (functions, [one, other]): ([&Function<'a>; 2], [&Body<'a>; 2]),
        lines: &Aligned,
    ) {
        let files = self.files;
        let symbols = [Some(a), Some(b)];
        let name = self.name(symbols);
        let mut notes = Vec::new();
        if functions.map(signature)[0] != functions.map(signature)[1] {
            notes.extend(signature_notes(functions));
        }
        let mut of_both: BTreeMap<&str, [Option<String>; 2]> = BTreeMap::new();
        for (side, function) in functions.iter().enumerate() {
            for (directive, values) in directives(function) {
                of_both.entry(directive).or_default()[side] = Some(values);
            }
        }
        for (directive, values) in of_both {
            self.row(format!(".{directive}"), Some(name.clone()), values);
        }
        let others =
            [0, 1].map(|side| written(files[side].directives.get(Some(functions[side].name))));
        self.row("directives", Some(name.clone()), others);
        let difference = compare(one, other, &self.pairs, lines);
        if difference.is_empty() && notes.is_empty() {
            return;
        }
        let registers = [registers(one), registers(other)];
        let types: std::collections::BTreeSet<&str> =
            registers.iter().flat_map(|all| all.keys().copied()).collect();
        for ty in types {
            let counts = [0, 1].map(|side| Some(registers[side].get(ty).copied().unwrap_or(0)));
            self.row(format!("{ty} registers"), Some(name.clone()), counts);
        }
        for (n, m) in &difference.declared {
            let bodies = [(one, n, 0), (other, m, 1)];
            let found = bodies.map(|(body, n, side)| {
                let entity = &body.entities[(*n)?];
                let variable = match entity.site? {
                    Site::Local { local, .. } => functions[side].local(local)?,
                    _ => return None,
                };
                (variable.space != Space::Reg)
                    .then(|| (entity.name, Description::of(&variable.unit())))
            });
            if let [Some((inner, x)), Some((_, y))] = &found {
                self.sizes(Some(format!("`{inner}` in {name}")), [x, y]);
            }
            notes.extend(declared_note(one, other, (*n, *m)));
        }
        self.functions.push(FunctionChange { change: Change { symbols, notes }, difference });
    }

    /// The symbols that only one file has.
    fn left(&mut self) {
        for side in 0..2 {
            let paired = [&self.pairs.of_a, &self.pairs.of_b][side];
            for (n, symbol) in self.files[side].symbols.iter().enumerate() {
                if paired[n].is_some() {
                    continue;
                }
                let symbols = if side == 0 { [Some(n), None] } else { [None, Some(n)] };
                let change = Change { symbols, notes: Vec::new() };
                match symbol.of {
                    SymbolKind::Variable(_) => self.variables.push(change),
                    SymbolKind::Function(..) => self
                        .functions
                        .push(FunctionChange { change, difference: Difference::default() }),
                }
            }
        }
    }

    /// The totals of memory, which may depend on the order of declarations.
    fn budgets(&mut self) {
        let maps = self.files.map(|file| MemoryMap::of(file.module));
        for budget in &maps[0].budgets {
            let kernel = match budget.kernel {
                None => None,
                Some(kernel) => match self.partner(kernel) {
                    Some(other) => Some(other),
                    None => continue,
                },
            };
            let other = maps[1].budgets.iter();
            let mut other = other.filter(|it| it.what == budget.what && it.kernel == kernel);
            let Some(other) = other.next() else { continue };
            let text = |bytes: Option<usize>| {
                Some(bytes.map_or("launch".to_owned(), |bytes| bytes.to_string()))
            };
            let of = budget.kernel.map(|kernel| format!("`{kernel}`"));
            let values = [text(budget.bytes), text(other.bytes)];
            self.row(format!("bytes of {}", budget.what), of, values);
        }
    }

    /// The name in B of a function of A.
    pub(super) fn partner(&self, function: &str) -> Option<&'a str> {
        let n = *self.files[0].by_name.get(function)?;
        self.pairs.of_a[n].map(|n| self.files[1].symbols[n].name)
    }
}

/// The texts of both files compared.
pub(super) fn files(parsed: [&ptx_text::Parsed; 2]) -> [File<'_>; 2] {
    let mut texts = Interner::default();
    parsed.map(|parsed| File::of(parsed, &mut texts))
}

fn paired(pairs: &Pairs) -> Vec<(usize, usize)> {
    let of_a = pairs.of_a.iter().enumerate();
    of_a.filter_map(|(a, b)| Some((a, (*b)?))).collect()
}

/// Pairs private symbols that are left by the statements that name them.
fn pair_by_use(pairs: &mut Pairs, both: [&[Symbol<'_>]; 2], seen: BTreeMap<(usize, usize), usize>) {
    let mut seen: Vec<_> = seen.into_iter().collect();
    seen.sort_by_key(|(names, count)| (std::cmp::Reverse(*count), *names));
    for ((a, b), _) in seen {
        let (one, other) = (&both[0][a], &both[1][b]);
        let are_variables = [one, other].map(|it| matches!(it.of, SymbolKind::Variable(_)));
        if are_variables == [true; 2] && !one.is_public && !other.is_public {
            pairs.add(a, b);
        }
    }
}

fn written(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// The registers that the statements name, by type.
fn registers<'b>(body: &'b Body<'_>) -> BTreeMap<&'b str, usize> {
    let mut counts = BTreeMap::new();
    for entity in &body.entities {
        if entity.kind == Kind::Register && entity.is_named {
            *counts.entry(entity.what.as_str()).or_default() += 1;
        }
    }
    counts
}

/// What differs between two signatures.
fn signature_notes([a, b]: [&Function<'_>; 2]) -> Vec<String> {
    let mut notes = Vec::new();
    let linkage = |function: &Function<'_>| function.linkage.directive().unwrap_or("private");
    if linkage(a) != linkage(b) {
        notes.push(format!("it was {}, and is {}", linkage(a), linkage(b)));
    }
    if a.kind != b.kind {
        notes.push(format!("it was `{}`, and is `{}`", a.kind.directive(), b.kind.directive()));
    }
    if a.body.is_some() != b.body.is_some() {
        let (first, then) = if a.body.is_some() { ("has", "lost") } else { ("had no", "has") };
        notes.push(format!("it {first} a body in the first file, and {then} it in the second"));
    }
    for (what, [one, other]) in
        [("parameter", [a.params, b.params]), ("return value", [a.returns, b.returns])]
    {
        if one.len() != other.len() {
            notes.push(format!("it had {} {what}s, and has {}", one.len(), other.len()));
        }
        for (n, (x, y)) in one.iter().zip(other).enumerate() {
            if parameter(x) != parameter(y) {
                notes.push(format!(
                    "{what} {n}, `{}`, was `{}`, and is `{}`",
                    x.variable.name,
                    parameter(x),
                    parameter(y)
                ));
            }
        }
    }
    if notes.is_empty() {
        notes.push("its attributes differ".to_owned());
    }
    notes
}

/// What differs between two declarations of a body, or which of them only one has.
fn declared_note(
    a: &Body<'_>,
    b: &Body<'_>,
    (n, m): (Option<usize>, Option<usize>),
) -> Option<String> {
    let entity = |body: &Body<'_>, n: Option<usize>| {
        let entity = &body.entities[n?];
        Some((entity.kind.word(), entity.name.to_owned(), declared(&entity.what).to_owned()))
    };
    Some(match (entity(a, n), entity(b, m)) {
        // The signature says it.
        (Some(("parameter", ..)), Some(_)) | (None, None) => return None,
        (Some((kind, name, was)), Some((_, _, is))) if was == is => {
            format!("the initial value of the {kind} `{name}` differs")
        }
        (Some((kind, name, was)), Some((_, _, is))) => {
            format!("the {kind} `{name}` was `{was}`, and is `{is}`")
        }
        (Some((kind, name, was)), None) => format!("the {kind} `{name}`, `{was}`, is gone"),
        (None, Some((kind, name, is))) => format!("the {kind} `{name}`, `{is}`, is new"),
    })
}
