//! Modules: their directives, variables and functions (PTX ISA 11).

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use bumpalo::Bump;
use bumpalo::collections::Vec as Tokens;
use ptx_analysis::Launch;
use ptx_isa::ir::{Extent as Count, Function, FunctionKind, Init, Linkage, Type, Variable};
use ptx_isa::rules::check_redeclared;
use ptx_isa::sorted::SortedMap;
use ptx_isa::{Space, Target, TextureMode, Version};

use super::alias::Alias;
use super::allowance::{Allowed, Before, allowances, first_allowances, keep_fitting};
use super::body::{Bodies, ReadBody};
use super::boundary::{Ended, LINKAGES, Scope};
use super::debug;
use super::directive::{self, Around};
use super::extent::Extent;
use super::faults::{PREPROCESSOR, SyntaxErrors, shortened};
use super::forward;
use super::function::{self, Signature};
use super::header::{DIRECTIVES, Header};
use super::launch;
use super::lexer::PieceKind;
use super::noted::Noted;
use super::older;
use super::pragma;
use super::reader::{Lexed, Reader};
use super::stray::Stray;
use super::variable::{self, DeclaredVariable};
use crate::body::token::{Faults, Language, Token, each_name};
use crate::body::{Order, space_first};
use crate::codes::is_of_declarations;
use crate::target::FALLBACK_TARGET;
use ptx_isa::near::dotted;

/// The IR of a text, with the locations of its parts.
#[derive(Debug)]
pub(super) struct ReadModule<'a> {
    pub(super) target: (Target, Extent),
    pub(super) version: (Option<Version>, Extent),
    /// Whether the target is older than every target in the table.
    pub(super) is_older: bool,
    pub(super) texture_mode: TextureMode,
    pub(super) variables: Vec<DeclaredVariable<'a>>,
    /// The allowances of the variables.
    pub(super) allowed: Vec<Allowed>,
    pub(super) functions: Vec<&'a ReadFunction<'a>>,
    /// The launches of kernels, by their numbers.
    pub(super) launches: SortedMap<usize, Launch>,
    /// Names in declarations that could not be parsed, which are assumed to be declared.
    pub(super) assumed: Vec<&'a str>,
}

/// A function, with the locations of its parts.
#[derive(Debug)]
pub(super) struct ReadFunction<'a> {
    pub(super) signature: Signature<'a>,
    pub(super) body: Option<ReadBody<'a>>,
    pub(super) allowed: &'a [Allowed],
}

/// Parses a text: the module, and its functions in the IR.
pub(super) fn read<'a>(
    text: &'a str,
    arena: &'a Bump,
    errors: &mut SyntaxErrors,
) -> (ReadModule<'a>, Vec<&'a mut Function<'a>>) {
    let mut reader = Reader::new(text);
    let header = Header::read(&mut reader, errors);
    let mut module = Parser {
        reader,
        header,
        bodies: Bodies::new(),
        scratch: Bump::new(),
        arena,
        variables: Vec::new(),
        allowed: Vec::new(),
        functions: Vec::new(),
        launches: SortedMap::new(),
        irs: Vec::new(),
        aliases: Vec::new(),
        assumed: Vec::new(),
        stray: Stray::default(),
        has_section: false,
        files: HashSet::new(),
        labels: HashSet::new(),
    };
    let mut is_any = true;
    while is_any {
        is_any = module.read_item(errors);
        launch::misplaced(&mut module.reader, errors);
    }
    if let Some(open) = module.reader.open_comment {
        errors.at(
            Extent { start: open.start, end: open.start + 2 },
            "nothing ends this comment; write `*/`",
        );
    }
    debug::check_inlined(text, &module.header, errors);
    pragma::check_versions(text, &module.header, errors);
    let Header { target, older, version, texture_mode, debug, .. } = module.header;
    if let (Some(at), false) = (debug, module.has_section) {
        errors.at(at, "`debug` promises debug information, and this text has no `.section` with any; remove it (PTX ISA 11.1.2)");
    }
    if let Some(older) = older {
        older::check_variables(older, &module.variables, &module.irs, errors);
    }
    let declared = module.irs.iter().zip(&module.functions);
    directive::check_preserved(
        declared.map(|(ir, read)| (ir.name, read.signature.name, read.signature.preserved)),
        errors,
    );
    let names = module.irs.iter().map(|ir| ir.name);
    let starts = module.functions.iter().map(|read| read.signature.name.start);
    forward::check(&module.variables, names.zip(starts), errors);
    drop_moved(&mut module.variables, &mut module.assumed, errors);
    if !module.assumed.is_empty() {
        let declared = module.variables.iter().map(|declared| declared.variable.name);
        let declared: HashSet<&str> = declared.collect();
        module.assumed.retain(|name| !declared.contains(name));
    }
    let read = ReadModule {
        target: target.unwrap_or((FALLBACK_TARGET, Extent::default())),
        version,
        is_older: older.is_some(),
        texture_mode,
        variables: module.variables,
        allowed: module.allowed,
        functions: module.functions,
        launches: module.launches,
        assumed: module.assumed,
    };
    (read, module.irs)
}

/// The maximum number of names that are assumed to be declared, since each function has its own list.
const MOST_ASSUMED: usize = 64;

struct Parser<'a> {
    reader: Reader<'a>,
    header: Header,
    bodies: Bodies,
    /// The arena for the grammar's temporary data while it parses one declaration.
    scratch: Bump,
    arena: &'a Bump,
    variables: Vec<DeclaredVariable<'a>>,
    allowed: Vec<Allowed>,
    functions: Vec<&'a ReadFunction<'a>>,
    launches: SortedMap<usize, Launch>,
    irs: Vec<&'a mut Function<'a>>,
    aliases: Vec<Alias<'a>>,
    assumed: Vec<&'a str>,
    stray: Stray,
    has_section: bool,
    /// The numbers of the files.
    files: HashSet<i128>,
    /// The labels of the sections.
    labels: HashSet<&'a str>,
}

impl<'a> Parser<'a> {
    /// Parses the next item. Returns whether there was one.
    fn read_item(&mut self, errors: &mut SyntaxErrors) -> bool {
        let Some(next) = self.reader.peek() else {
            for allowed in allowances(&mut self.reader, errors) {
                errors.at(allowed.at, "nothing follows this allowance; remove it");
            }
            return false;
        };
        let mut allowed = if self.reader.notes.is_empty() {
            Vec::new()
        } else {
            allowances(&mut self.reader, errors)
        };
        if let Some(at) = self.reader.skip_preprocessor() {
            errors.at(at, PREPROCESSOR);
            return true;
        }
        let first = self.reader.text(next.piece.at);
        if !allowed.is_empty() && !takes_allowances(first) {
            keep_fitting(&mut allowed, Before::Nothing, errors);
        }
        match first {
            word @ (".version" | ".target" | ".address_size") => {
                errors.at(
                    next.piece.at,
                    format_args!(
                        "`{word}` belongs at the start of a text, before everything else (PTX ISA 11.1)"
                    ),
                );
                self.reader.token();
                self.reader.skip_line();
                // These belong to a second text, and are the same mistake.
                while word == ".version"
                    && [".target", ".address_size"].iter().any(|next| self.reader.next_is(next))
                {
                    self.reader.token();
                    self.reader.skip_line();
                }
            }
            ".loc" => {
                errors.at(next.piece.at, "`.loc` belongs in the body of a function");
                self.reader.token();
                self.reader.skip_line();
            }
            ".file" => {
                let number = debug::read_file(&mut self.reader, errors);
                if number.is_some_and(|number| !self.files.insert(number)) {
                    errors.at(
                        next.piece.at,
                        "another file has this number; write another one (PTX ISA 11.5.4)",
                    );
                }
            }
            ".section" => {
                self.has_section = true;
                debug::read_section(&mut self.reader, &mut self.labels, &self.header, errors);
            }
            "}" => {
                if !core::mem::take(&mut self.stray.is_body) {
                    errors.at(next.piece.at, "this `}` closes nothing; remove it");
                }
                self.reader.token();
            }
            _ => {
                let mut scratch = core::mem::take(&mut self.scratch);
                scratch.reset();
                self.read_declaration(next, allowed, &scratch, errors);
                self.scratch = scratch;
            }
        }
        true
    }

    /// Parses a variable, a function, or a directive that ends in a semicolon.
    fn read_declaration(
        &mut self,
        first: Lexed,
        mut allowed: Vec<Allowed>,
        scratch: &Bump,
        errors: &mut SyntaxErrors,
    ) {
        let mut tokens: Tokens<'_, Token<'_, Extent>> = Tokens::new_in(scratch);
        let ended = self.reader.statement(Scope::Module, None, &mut tokens, scratch);
        // A comment that nothing ends is reported itself.
        if let Some(defect) = self.reader.defect.filter(|_| self.reader.open_comment.is_none()) {
            errors.defect(defect, self.reader.text(defect.at()));
        }
        allowed.extend(first_allowances(self.reader.own_notes, &mut self.reader, errors));
        let at = first.piece.at;
        let (linkage, linkage_at, mut rest) = linkage(&tokens);
        while let (Some(_), [Token::Dotted(word, start, end), after @ ..]) = (linkage_at, rest)
            && LINKAGES.contains(word)
        {
            let at = Extent::over((*start, *end));
            errors.at(
                at,
                format_args!("a declaration has one linkage; remove `{word}` (PTX ISA 11.6)"),
            );
            rest = after;
        }
        let Some(Token::Dotted(directive, start, end)) = rest.first() else {
            if self.reader.defect.is_none() {
                let is_linked = rest.len() < tokens.len();
                let first = rest.first().map_or(at, Token::start);
                let text = self.reader.text(first);
                let is_body = rest.is_empty() && matches!(ended, Ended::Open(_));
                if let (true, Some(_), Some(ir)) =
                    (is_body, self.stray.declared, self.irs.last_mut())
                {
                    // They belong to the definition, which the `;` cuts off.
                    ir.directives = &[];
                }
                self.stray.report((rest.first(), is_linked), (first, text), ended, errors);
            }
            self.stray.declared = None;
            return self.skip_block(ended, errors);
        };
        let directive_at = Extent::over((*start, *end));
        if self.stray.is_body && matches!(*directive, ".reg" | ".local" | ".param") {
            return;
        }
        self.stray = Stray::default();
        if matches!(*directive, ".func" | ".entry") {
            if let (Linkage::Common, Some(at)) = (linkage, linkage_at) {
                errors.at(at, "a function is not `.common`; write `.visible`, `.weak` or `.extern` (PTX ISA 11.6)");
            }
            // If groups are unclosed, their contents are not directives of the function.
            let mut discarded = SyntaxErrors::of("");
            keep_fitting(&mut allowed, Before::Function, errors);
            let reported = if self.reader.defect.is_some() { &mut discarded } else { &mut *errors };
            let is_defined = matches!(ended, Ended::Open(_));
            let around = Around { is_defined, header: &self.header };
            let read =
                function::read((linkage, linkage_at), rest, &allowed, around, self.arena, reported);
            if let (Ended::Semicolon, Some(last)) = (ended, tokens.last()) {
                self.stray.declared = Some(last.end());
            }
            let launch = self.reader.launch.take().filter(|noted| {
                let is_kernel = *directive == ".entry";
                if !is_kernel {
                    errors.at(noted.at, launch::MISPLACED);
                }
                is_kernel
            });
            return self.read_function(read, ended, (&allowed, launch), errors);
        }
        if let Ended::Open(at) | Ended::Close(at) = ended {
            let word = &directive[1..];
            if !DIRECTIVES.contains(&word) && Space::from_name(word).is_none() {
                unknown(word, directive_at, errors);
                return self.skip_block(ended, errors);
            }
            errors.at(at, "no brace is expected here; end the declaration with `;`");
            self.assume(rest);
            return self.skip_block(ended, errors);
        }
        if self.reader.defect.is_some() {
            self.assume(rest);
            return;
        }
        if !matches!(tokens.last(), Some(Token::Sign(';', _))) {
            let last = tokens.last().map_or(at, Token::end);
            errors.at(last, "this statement has no end; write `;` after it");
        }
        let ended = rest;
        let rest = match rest.split_last() {
            Some((Token::Sign(';', _), rest)) => rest,
            _ => rest,
        };
        let mut faults = Faults::of(Language::Ptx);
        let order = space_first(rest, &mut faults);
        errors.extend(faults);
        let rest = match &order {
            Order::Written => rest,
            Order::Other(tokens) => tokens.as_slice(),
            Order::Nothing => return,
        };
        let ended = if matches!(order, Order::Written) { ended } else { &[] };
        let Some(Token::Dotted(directive, ..)) = rest.first() else { return };
        let word = &directive[1..];
        match word {
            "pragma" | "alias" => {
                if let Some(at) = linkage_at {
                    errors.at(at, format_args!("`.{word}` has no linkage; remove it"));
                }
                self.directive(word, directive_at, &rest[1..], errors);
            }
            _ if Space::from_name(word).is_some() => {
                let mut faults = Faults::of(Language::Ptx);
                keep_fitting(&mut allowed, Before::Variable, errors);
                variable::read(
                    (linkage, linkage_at),
                    (rest, ended, self.reader.whole()),
                    &allowed,
                    self.arena,
                    (&mut self.variables, &mut faults),
                );
                if !faults.is_empty() {
                    self.assume(rest);
                }
                errors.extend(faults);
                self.allowed.append(&mut allowed);
            }
            _ => unknown(word, directive_at, errors),
        }
    }

    /// Parses `.pragma "nounroll";` and `.alias f, g;`.
    fn directive(
        &mut self,
        word: &str,
        at: Extent,
        tokens: &[Token<'_, Extent>],
        errors: &mut SyntaxErrors,
    ) {
        if word == "pragma" {
            let mut faults = Faults::of(Language::Ptx);
            pragma::check(at, tokens, &mut faults);
            return errors.extend(faults);
        }
        match Alias::read(tokens, |name| self.arena.alloc_str(name)) {
            Some(alias) => {
                alias.check(&self.irs, &self.aliases, &self.header, errors);
                self.aliases.push(alias);
            }
            None => {
                errors
                    .at(at, "`.alias` takes two functions, as in `.alias f, g;` (PTX ISA 11.6.5)");
            }
        }
    }

    /// Assumes that the names in a declaration that could not be parsed are declared.
    fn assume(&mut self, tokens: &[Token<'_, Extent>]) {
        each_name(tokens, &mut |name| {
            let is_left = self.assumed.len() < MOST_ASSUMED;
            is_left.then(|| self.assumed.push(self.arena.alloc_str(name)))
        });
    }

    /// Parses the rest of a function, after its signature.
    fn read_function(
        &mut self,
        read: Option<(Function<'a>, Signature<'a>)>,
        ended: Ended,
        (allowed, launch): (&[Allowed], Option<Noted>),
        errors: &mut SyntaxErrors,
    ) {
        let body = match ended {
            Ended::Open(open) => {
                let kind = read.as_ref().map(|(function, _)| function.kind);
                Some(self.bodies.read(kind, &mut self.reader, open, self.arena, errors))
            }
            Ended::Close(at) => {
                errors.at(at, "this `}` closes nothing; remove it");
                None
            }
            Ended::Semicolon | Ended::Label | Ended::Comma(_) | Ended::Limit => None,
            Ended::Module | Ended::Text => {
                match &read {
                    Some((function, signature)) if function.kind == FunctionKind::Device => {
                        errors.accepted(signature.name, "a declaration of a function ends with `;`, without which ptxas takes it, too; write it after the parameters and directives");
                    }
                    // Its parameters are open.
                    Some(_) if self.reader.defect.is_some() => {}
                    Some((_, signature)) => {
                        errors.at(signature.name, "expected a body in braces or `;`");
                    }
                    None => {}
                }
                None
            }
        };
        let Some((mut function, signature)) = read else { return };
        if let Some(body) = &body {
            if let Some(older) = self.header.older {
                older::check_body(older, (self.reader.whole(), body), errors);
            }
            function.body = Some(body.body);
            function.prototypes = body.prototypes;
            function.locals = self.locals(body.declared, allowed);
        }
        // Its body follows this semicolon, which is the one error: its directives are not those of a declaration.
        if matches!(ended, Ended::Semicolon) && self.reader.next_is("{") {
            function.directives = &[];
        }
        let allowed = self.arena.alloc_slice_copy(allowed);
        if let Some(noted) = launch {
            let launch = noted.of(&function, errors);
            self.launches.insert(self.functions.len(), launch);
        }
        self.functions.push(self.arena.alloc(ReadFunction { signature, body, allowed }));
        self.irs.push(self.arena.alloc(function));
    }

    /// The declarations of a body, to which the allowances of its function apply as well.
    fn locals(
        &self,
        declared: &'a [&'a Variable<'a>],
        allowed: &[Allowed],
    ) -> &'a [&'a Variable<'a>] {
        let codes = allowed.iter().map(|allowed| allowed.code);
        let codes: Vec<&'a str> = codes.filter(|code| is_of_declarations(code)).collect();
        if codes.is_empty() {
            return declared;
        }
        self.arena.alloc_slice_fill_iter(declared.iter().map(|variable| {
            let allow = [variable.allow, &codes].concat();
            let allow = self.arena.alloc_slice_copy(&allow);
            &*self.arena.alloc(Variable { allow, ..**variable })
        }))
    }

    /// Skips a block that is not valid here.
    fn skip_block(&mut self, ended: Ended, errors: &mut SyntaxErrors) {
        if let Ended::Open(open) = ended {
            let mut depth = 1_usize;
            while depth > 0 {
                let Some(next) = self.reader.token() else {
                    errors.at(open, "nothing closes this `{`; write `}`");
                    return;
                };
                match next.piece.kind {
                    PieceKind::Open(crate::body::token::Delimiter::Brace) => depth += 1,
                    PieceKind::Close(crate::body::token::Delimiter::Brace) => depth -= 1,
                    _ => {}
                }
            }
        }
    }
}

/// Whether a construct that starts with this word can have allowances.
fn takes_allowances(first: &str) -> bool {
    !matches!(
        first,
        ".version"
            | ".target"
            | ".address_size"
            | ".loc"
            | ".file"
            | ".section"
            | ".pragma"
            | ".alias"
            | "}"
    )
}

/// Reports an unknown directive.
fn unknown(word: &str, at: Extent, errors: &mut SyntaxErrors) {
    let advice = dotted(word, DIRECTIVES.iter().copied());
    let word = shortened(word);
    errors.at(at, format_args!("no directive `.{word}` in a module; {advice}"));
}

/// The linkage at the start of a declaration, its location, and the tokens that follow.
fn linkage<'s, 't>(
    tokens: &'s [Token<'t, Extent>],
) -> (Linkage, Option<Extent>, &'s [Token<'t, Extent>]) {
    if let Some((Token::Dotted(word, start, end), rest)) = tokens.split_first() {
        let is_it = |linkage: &&Linkage| {
            **linkage != Linkage::Dynamic && linkage.directive() == Some(*word)
        };
        if let Some(linkage) = Linkage::ALL.iter().find(is_it) {
            return (*linkage, Some(Extent::over((*start, *end))), rest);
        }
    }
    (Linkage::Internal, None, tokens)
}

/// The functions of a module, by their indices: if one is declared more than once, its definition, or else
/// the first declaration. Declarations that do not match are kept, so that a rule reports them.
pub(super) fn functions(read: &[&mut Function<'_>]) -> Vec<usize> {
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    let mut found: Vec<usize> = Vec::new();
    // Rules report the directives of a declaration, and the words that name no parameter.
    let is_kept = |declared: &Function<'_>| {
        let mut params = declared.params.iter().chain(declared.returns);
        params.any(|param| matches!(param.variable.name, "_" | "WARP_SZ"))
            || match declared.kind {
                FunctionKind::Kernel => !declared.directives.is_empty(),
                FunctionKind::Device => {
                    declared.directives.iter().any(|it| it.kind.is_of_kernels())
                }
            }
    };
    for (n, function) in read.iter().enumerate() {
        match by_name.entry(function.name) {
            Entry::Vacant(place) => {
                place.insert(found.len());
                found.push(n);
            }
            Entry::Occupied(place) => {
                let earlier = &mut found[*place.get()];
                match (read[*earlier].body, function.body) {
                    // A rule reports the second definition.
                    (Some(_), Some(_)) => found.push(n),
                    // What a rule reports stays in the IR; what is left out is judged nowhere else.
                    _ if !check_redeclared(read[*earlier], function).is_empty() => found.push(n),
                    (_, None) if is_kept(function) => found.push(n),
                    (None, Some(_)) if is_kept(read[*earlier]) => found.push(n),
                    (None, Some(_)) => *earlier = n,
                    (_, None) => {}
                }
            }
        }
    }
    found
}

/// The variables of a module in the IR, by their indices in the text: if one is declared more than once, its
/// definition, or else its first declaration. Declarations with other types and second definitions are kept, so that a
/// rule reports them.
pub(super) fn variables(declared: &[DeclaredVariable<'_>]) -> Vec<usize> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut found: Vec<usize> = Vec::with_capacity(declared.len());
    for (n, variable) in declared.iter().map(|declared| declared.variable).enumerate() {
        let place = first.entry(variable.name).or_insert(found.len());
        let is_declaration = |variable: &Variable<'_>| variable.linkage == Linkage::Extern;
        let before = found.get_mut(*place).map(|at| (declared[*at].variable, at));
        match before {
            Some((earlier, at))
                if is_of_one_kind(earlier, variable) && is_declaration(variable) =>
            {
                // Of two declarations, the one with a length says what the definition must have.
                if is_declaration(earlier) && is_without_length(earlier.ty) {
                    *at = n;
                }
            }
            Some((earlier, at))
                if is_of_one_kind(earlier, variable)
                    && is_declaration(earlier)
                    && variable.linkage.is_exported() =>
            {
                *at = n;
            }
            Some(_) | None => found.push(n),
        }
    }
    found
}

/// Drops the declarations of a variable of which one has another memory than the others, since what accesses it is
/// right for one of them, and reports that.
fn drop_moved<'a>(
    variables: &mut Vec<DeclaredVariable<'a>>,
    assumed: &mut Vec<&'a str>,
    errors: &mut SyntaxErrors,
) {
    let is_memory = |variable: &Variable<'_>| {
        matches!(variable.space, Space::Global | Space::Shared | Space::Const)
    };
    let is_declaration = |variable: &Variable<'_>| variable.linkage == Linkage::Extern;
    if !variables.iter().any(|declared| is_declaration(declared.variable)) {
        return;
    }
    let mut first: HashMap<&str, &'a Variable<'a>> = HashMap::new();
    let mut moved: HashSet<&str> = HashSet::new();
    for DeclaredVariable { variable, space, .. } in variables.iter() {
        let earlier = *first.entry(variable.name).or_insert(variable);
        if earlier.space != variable.space
            && is_memory(earlier)
            && is_memory(variable)
            && (is_declaration(earlier) || is_declaration(variable))
            && is_of_one_type(earlier, variable)
            && assumed.len() + moved.len() < MOST_ASSUMED
            && moved.insert(variable.name)
        {
            errors.accepted(*space, format_args!("`{}` is declared in `{}` before this; declare it in the same state space, although ptxas takes both", variable.name, earlier.space.directive()));
        }
    }
    variables.retain(|declared| !moved.contains(declared.variable.name));
    assumed.extend(moved);
}

/// Whether two declarations of a variable may be of one: in one state space, with types that match, and without an
/// initial value in the one that defines nothing.
fn is_of_one_kind(a: &Variable<'_>, b: &Variable<'_>) -> bool {
    let has_value =
        |it: &Variable<'_>| it.linkage == Linkage::Extern && !matches!(it.init, Init::None);
    a.space == b.space && !has_value(a) && !has_value(b) && is_of_one_type(a, b)
}

/// Whether two variables have the same type, apart from the length of an array that one of them leaves to the other, as
/// C's `extern int x[];` does.
fn is_of_one_type(a: &Variable<'_>, b: &Variable<'_>) -> bool {
    match (a.ty, b.ty) {
        (Type::Array(one, a), Type::Array(other, b)) => {
            a == b && (one == other || [one, other].contains(&&Count::Incomplete))
        }
        (a, b) => a == b,
    }
}

fn is_without_length(ty: &Type<'_>) -> bool {
    matches!(ty, Type::Array(Count::Incomplete, _))
}
