//! A PTX text and its parse result.

use core::fmt;
use core::ops::Range;
use std::sync::OnceLock;

use bumpalo::Bump;
use ptx_analysis::uses::{ModuleNames, Storage, Uses, each_reached};
use ptx_analysis::{Finding, Following, KnownValue, Launches};
use ptx_isa::Release;
use ptx_isa::ir::{self, Site};
use ptx_isa::rules::Blame;
use self_cell::self_cell;

use super::check::TextChecker;
use super::diagnostic::{Diagnostic, Kind};
use super::encoding;
use super::extent::Position;
use super::faults::{Message, SyntaxErrors};
use super::lexer::Lexer;
use super::lines::Lines;
use super::module::{self, ReadModule};
use super::places::Places;
use crate::body::token::{ByPtxas, Language};

/// A PTX text, and what was parsed from it. `Display` writes the text, byte for byte.
///
/// ```
/// use ptx_text::Parsed;
///
/// let parsed = Parsed::new(
///     ".version 8.0 .target sm_90a .address_size 64
///     .shared .align 4 .f32 row[32];
///     .visible .entry read() {
///         .reg .v4 .f32 %f;
///         ld.shared.v4.f32 %f, [row+8];
///         ret;
///     }",
/// );
/// let found = parsed.check();
/// assert_eq!(found[0].code, Some("A021"));
/// assert_eq!(parsed.position(found[0].range.start).to_string(), "5:35");
/// ```
pub struct Parsed {
    cell: Cell,
    lines: OnceLock<Lines>,
}

struct Owner {
    text: String,
    /// The original bytes, if they are not UTF-8.
    bytes: Option<Vec<u8>>,
    /// The text that is parsed instead, if the original is not ASCII.
    substituted: Option<String>,
    arena: Bump,
}

impl Owner {
    fn bytes(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or(self.text.as_bytes())
    }
}

/// The result of parsing.
struct Read<'a> {
    module: ReadModule<'a>,
    ir: ir::Module<'a>,
    /// For each variable in the IR, its index in the text.
    variables: Vec<usize>,
    /// Likewise for each function.
    functions: Vec<usize>,
    syntax: Vec<Diagnostic>,
    /// Syntax that is not PTX although ptxas accepts it.
    taken: Vec<Diagnostic>,
}

self_cell! {
    struct Cell {
        owner: Owner,
        #[covariant]
        dependent: Read,
    }
}

impl Parsed {
    /// Parses a text, of which only the first 4 GiB count. [`check`](Self::check) reports its errors.
    pub fn new(text: impl Into<String>) -> Self {
        Self::of(text.into(), None)
    }

    /// Parses any bytes. Those that are not UTF-8 appear as `?` in the text, so that offsets are those in the
    /// bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::of(text, None),
            Err(error) => {
                let bytes = error.into_bytes();
                let mut text = String::with_capacity(bytes.len());
                for chunk in bytes.utf8_chunks() {
                    text.push_str(chunk.valid());
                    text.extend(chunk.invalid().iter().map(|_| '?'));
                }
                Self::of(text, Some(bytes))
            }
        }
    }

    fn of(text: String, bytes: Option<Vec<u8>>) -> Self {
        let substituted = encoding::substituted(bytes.as_deref().unwrap_or(text.as_bytes()));
        let owner = Owner { text, bytes, substituted, arena: Bump::new() };
        Self { cell: Cell::new(owner, read), lines: OnceLock::new() }
    }

    /// The input, byte for byte.
    pub fn bytes(&self) -> &[u8] {
        self.cell.borrow_owner().bytes()
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.cell.borrow_owner().text
    }

    /// The pieces of the text, which cover every byte, including comments and white space.
    pub fn pieces(&self) -> Lexer<'_> {
        Lexer::new(self.text())
    }

    /// The IR of everything that could be parsed. Its name is empty, and its source is the text, so that it prints
    /// as the text: `ir::Module { source: None, ..*parsed.module() }` prints the declarations.
    pub fn module(&self) -> &ir::Module<'_> {
        &self.cell.borrow_dependent().ir
    }

    /// The errors in what the IR has no place for, all of which ptxas rejects as well, ordered by location: syntax, and
    /// rules such as that of an alignment before another one.
    pub fn syntax(&self) -> &[Diagnostic] {
        &self.cell.borrow_dependent().syntax
    }

    /// All errors, ordered by location: syntax, names, and every rule that the declarations and
    /// bodies break, as far as they could be parsed. The threads of kernels are followed in the launches that directives
    /// declare (`.reqntid`, PTX ISA 11.4.2).
    pub fn check(&self) -> Vec<Diagnostic> {
        self.check_launched(Launches::Declared)
    }

    /// The same, with the threads of kernels followed in these launches ([`Launches`] or [`Following`]).
    pub fn check_launched<'l>(&self, launches: impl Into<Following<'l>>) -> Vec<Diagnostic> {
        let Read { syntax, taken, .. } = self.cell.borrow_dependent();
        let mut found = [syntax.as_slice(), taken].concat();
        let mode = (Language::Ptx, Some(launches.into()));
        found.extend(self.checked(self.module(), mode, |checker| checker.diagnostics()));
        // Nobody wrote a name with a character that was substituted, which is reported itself.
        let Owner { substituted, .. } = self.cell.borrow_owner();
        if let Some(substituted) = substituted {
            found.retain(|found| {
                let is_written = self.bytes().get(found.range.clone())
                    == substituted.as_bytes().get(found.range.clone());
                is_written || found.code != Some("D033")
            });
        }
        // What a statement lacks is not missing where its syntax is wrong.
        let is_cut_off = |start: usize| {
            let mut ends =
                syntax.iter().map(|syntax| syntax.range.start).filter(|end| *end >= start);
            ends.any(|end| !self.bytes()[start..end].contains(&b';'))
        };
        found.retain(|found| {
            !matches!(found.code, Some("A099" | "A100")) || !is_cut_off(found.range.start)
        });
        // At the same location, syntax errors come first, followed by the rules that declarations break.
        found.sort_by_key(|diagnostic| diagnostic.range.start);
        found
    }

    /// The findings of the rules and the analysis in another IR of the text, which knows more about the types of
    /// parameters, with messages as in compile errors.
    pub fn check_as<'m>(&'m self, ir: &ir::Module<'m>) -> Vec<(Diagnostic, Option<Finding<'m>>)> {
        self.findings(ir, Some(Following::default()))
    }

    /// The same without what only the values in registers show, whose analysis takes most of the time: all that the
    /// version and the target of the text decide.
    pub fn check_statements(&self) -> Vec<(Diagnostic, Option<Finding<'_>>)> {
        self.findings(self.module(), None)
    }

    fn findings<'m>(
        &'m self,
        ir: &ir::Module<'m>,
        following: Option<Following<'_>>,
    ) -> Vec<(Diagnostic, Option<Finding<'m>>)> {
        let with_findings =
            |checker: TextChecker<'_, 'm>| checker.findings(|found, it| (found, it));
        let mut found = self.checked(ir, (Language::Rust, following), with_findings);
        found.sort_by_key(|(diagnostic, _)| diagnostic.range.start);
        found
    }

    /// What `check` finds in an IR of the text.
    fn checked<'m, T>(
        &'m self,
        ir: &ir::Module<'m>,
        mode: (Language, Option<Following<'_>>),
        check: impl FnOnce(TextChecker<'_, 'm>) -> T,
    ) -> T {
        let Read { module, variables, functions, .. } = self.cell.borrow_dependent();
        let checked = |text, lines: &Lines| {
            check(TextChecker::new((text, lines), module, ir, (variables, functions), mode))
        };
        match &self.cell.borrow_owner().substituted {
            Some(text) => checked(text, &Lines::of(text)),
            None => checked(self.text(), self.lines()),
        }
    }

    /// The bytes of a part of the [module](Self::module): of a declaration its name, and of tokens of a statement
    /// these. What the module does not have is an empty range at the start.
    pub fn locate(&self, site: Site) -> Range<usize> {
        let Read { module, ir, variables, functions, .. } = self.cell.borrow_dependent();
        let Owner { text, substituted, .. } = self.cell.borrow_owner();
        let text = substituted.as_deref().unwrap_or(text);
        if !has(ir, site) {
            return 0..0;
        }
        Places::new(text, module, ir, (variables, functions))
            .of_declaration(site, Blame::Name)
            .range()
    }

    /// The instructions without a row in the instruction table, of which no rule knows what they need: the index of the
    /// function, the bytes of the opcode, and its name.
    pub fn unknown_instructions(&self) -> Vec<(usize, Range<usize>, &str)> {
        let mut found = Vec::new();
        for (index, function) in self.module().functions.iter().enumerate() {
            let statements = function.body.iter().flat_map(|body| body.statements().enumerate());
            for (number, statement) in statements.filter(|(_, it)| it.row().is_none()) {
                if let Some(instruction) = statement.instruction(&[]) {
                    found.push((index, number, instruction.opcode, instruction.opcode_at));
                }
            }
        }
        let mode = (Language::Ptx, None);
        self.checked(self.module(), mode, |checker| {
            let place = |number, tokens| ptx_analysis::Place::new(number, tokens);
            let found = found.into_iter();
            found
                .map(|(index, number, opcode, at)| {
                    (index, checker.range(index, place(number, at)), opcode)
                })
                .collect()
        })
    }

    /// What is known of the value of each register that a function writes, in order, with the bytes of its name in the
    /// instruction; the function by its index in the [IR](Self::module). It is what holds in every execution, whatever
    /// the function is called with.
    ///
    /// ```
    /// use ptx_text::{KnownValue, Parsed};
    ///
    /// let parsed = Parsed::new(
    ///     ".version 8.0 .target sm_90a .address_size 64
    ///     .entry read() {
    ///         .reg .b32 %a;
    ///         and.b32 %a, %tid.x, 12;
    ///         ret;
    ///     }",
    /// );
    /// let (at, value) = &parsed.values(0)[0];
    /// assert_eq!(&parsed.text()[at.clone()], "%a");
    /// assert!(matches!(value, KnownValue::Number(number) if number.range == Some((0, 12))));
    /// ```
    pub fn values(&self, function: usize) -> Vec<(Range<usize>, KnownValue<'_>)> {
        let mode = (Language::Ptx, None);
        self.checked(self.module(), mode, |checker| checker.values(function))
    }

    /// The line and the column of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        self.lines().position(self.text(), offset)
    }

    fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::of(self.text()))
    }
}

impl fmt::Display for Parsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Debug for Parsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parsed").field("module", self.module()).finish_non_exhaustive()
    }
}

/// Whether a module has a declaration or a function at a site.
fn has(ir: &ir::Module<'_>, site: Site) -> bool {
    match (site.function(), site.declaration()) {
        (Some(function), _) => function < ir.functions.len(),
        (None, Site::Variable(variable)) => variable < ir.variables.len(),
        (None, _) => true,
    }
}

/// Parses a text into its arena.
fn read(owner: &Owner) -> Read<'_> {
    let Owner { text: source, substituted, arena, .. } = owner;
    let text = substituted.as_deref().unwrap_or(source);
    let mut errors = SyntaxErrors::of(text);
    if let Some((at, message)) = encoding::fault(owner.bytes()) {
        errors.at(at, message);
    }
    let (module, mut irs) = module::read(text, arena, &mut errors);
    let variables = module::variables(&module.variables);
    let declared: &[&ir::Variable<'_>] =
        arena.alloc_slice_fill_iter(variables.iter().map(|n| module.variables[*n].variable));
    let functions = module::functions(&irs);
    keep(&mut irs, &functions);
    complete(&mut irs, declared, arena);
    let irs = irs.into_iter().map(|ir| &*ir);
    let ir = ir::Module {
        // An older target has the rules of the table's oldest, but need not have a version that supports it.
        version: module.version.0.filter(|_| !module.is_older),
        // A text does not specify which releases must accept it, so anything that some release accepts is allowed.
        release: Some(Release::NEWEST),
        texture_mode: module.texture_mode,
        source: Some(source),
        variables: declared,
        functions: arena.alloc_slice_fill_iter(irs),
        ..ir::Module::new("", module.target.0)
    };
    errors.finish();
    // For UTF-16 one error is enough, since each of its characters looks like two.
    let most = if encoding::is_utf16(owner.bytes()) { 1 } else { usize::MAX };
    let mut syntax: Vec<Diagnostic> = errors
        .iter()
        .take(most)
        .map(|(at, Message { text, by_ptxas, rule })| Diagnostic {
            kind: match (by_ptxas, rule) {
                (ByPtxas::Refused, None) => Kind::Syntax,
                (ByPtxas::Refused, Some(_)) => Kind::Refused,
                (ByPtxas::Accepted, _) => Kind::Unenforced,
                (ByPtxas::Warned, _) => Kind::Warned,
            },
            code: rule.as_ref().map(|rule| rule.code),
            range: at.range(),
            other: None,
            message: text.to_string(),
            help: rule.as_ref().map(|rule| rule.fix.clone()),
        })
        .collect();
    syntax.sort_by_key(|diagnostic| diagnostic.range.start);
    let (syntax, taken) = syntax
        .into_iter()
        .partition(|diagnostic| matches!(diagnostic.kind, Kind::Syntax | Kind::Refused));
    Read { module, ir, variables, functions, syntax, taken }
}

/// Fills in the variables and functions that functions use, from the names in their bodies.
fn complete<'a>(
    functions: &mut [&'a mut ir::Function<'a>],
    variables: &'a [&'a ir::Variable<'a>],
    arena: &'a Bump,
) {
    let function_names: Vec<&'a str> = functions.iter().map(|function| function.name).collect();
    let names = variables.iter().map(|variable| variable.name);
    let names = ModuleNames::of(variables, names, function_names.iter().copied(), false);
    let uses = functions.iter().map(|function| match function.body {
        Some(body) => Uses::of(function, body, function.locals, &names),
        None => Uses::default(),
    });
    let uses: Vec<Uses<'a>> = uses.collect();
    let kinds: Vec<ir::FunctionKind> = functions.iter().map(|function| function.kind).collect();
    let tables: Vec<Vec<usize>> =
        variables.iter().map(|variable| names.functions_in(variable)).collect();
    let storage: Vec<Storage<'a>> =
        functions.iter().map(|function| (function.linkage, [function.locals, &[]])).collect();
    each_reached(&kinds, &uses, &tables, |n, reached| {
        let (own, function) = (&uses[n], &mut *functions[n]);
        let kept = |variable| &*arena.alloc(variable);
        let [used, shared] = reached.in_ir(variables, &storage, kept, |name, _| name);
        function.uses = arena.alloc_slice_copy(&used);
        function.called_shared = arena.alloc_slice_copy(&shared);
        function.specials = arena.alloc_slice_copy(&own.specials);
        let called = own.functions.iter().map(|callee| function_names[callee.index]);
        function.calls = arena.alloc_slice_fill_iter(called);
        if !own.idle.is_empty() {
            let all = function.locals;
            let is_idle = |n: &usize| own.idle.binary_search(n).is_ok();
            let (idle, locals): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(is_idle);
            let each = |numbers: Vec<usize>| -> &'a [&'a ir::Variable<'a>] {
                arena.alloc_slice_fill_iter(numbers.into_iter().map(|local| all[local]))
            };
            (function.locals, function.idle_shared) = (each(locals), each(idle));
        }
    });
}

/// Keeps only the values at these indices, in that order.
fn keep<T>(values: &mut Vec<T>, numbers: &[usize]) {
    let mut all: Vec<Option<T>> = values.drain(..).map(Some).collect();
    values.extend(numbers.iter().filter_map(|n| all[*n].take()));
}
