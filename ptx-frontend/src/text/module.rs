//! Modules: their directives, variables and functions (PTX ISA 11).

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use bumpalo::Bump;
use bumpalo::collections::Vec as Tokens;
use ptx_types::ir::{self, Function, FunctionKind, Linkage, Variable};
use ptx_types::{Target, TextureMode, Version};

use super::allowance::{Allowed, allowances};
use super::body::{Bodies, ReadBody};
use super::extent::Extent;
use super::faults::{Complaints, PREPROCESSOR, shortened};
use super::function::{self, Signature};
use super::lexer::PieceKind;
use super::reader::{Ended, Lexed, Reader, Scope};
use super::variable::{self, DeclaredVariable};
use crate::FALLBACK_TARGET;
use crate::body::token::{Faults, Language, Token};
use crate::body::{Order, space_first};
use crate::near::alternatives;

/// What stands in a module, by its first directive.
const DIRECTIVES: &[&str] = &[
    "version",
    "target",
    "address_size",
    "visible",
    "extern",
    "weak",
    "common",
    "entry",
    "func",
    "global",
    "const",
    "shared",
    "file",
    "section",
    "pragma",
    "alias",
];

/// A text in the IR, and where everything stands.
#[derive(Debug)]
pub(super) struct ReadModule<'a> {
    pub(super) target: (Target, Extent),
    pub(super) version: (Option<Version>, Extent),
    /// Whether the target is older than those of the table.
    pub(super) is_older: bool,
    pub(super) texture_mode: TextureMode,
    pub(super) variables: Vec<DeclaredVariable<'a>>,
    pub(super) functions: Vec<&'a ReadFunction<'a>>,
}

/// A function, and where everything stands.
#[derive(Debug)]
pub(super) struct ReadFunction<'a> {
    pub(super) signature: Signature<'a>,
    pub(super) body: Option<ReadBody<'a>>,
    pub(super) allowed: &'a [Allowed],
}

/// Reads a text: a module, and the functions of it in the IR.
pub(super) fn read<'a>(
    text: &'a str,
    arena: &'a Bump,
    complaints: &mut Complaints,
) -> (ReadModule<'a>, Vec<&'a mut Function<'a>>) {
    let mut module = Parser {
        reader: Reader::new(text),
        bodies: Bodies::new(),
        scratch: Bump::new(),
        arena,
        header: Header::default(),
        variables: Vec::new(),
        functions: Vec::new(),
        irs: Vec::new(),
    };
    module.read_header(complaints);
    while module.read_item(complaints) {}
    if let Some(open) = module.reader.open_comment {
        complaints.at(
            Extent { start: open.start, end: open.start + 2 },
            "nothing ends this comment; write `*/`",
        );
    }
    let Header { target, is_older, version, texture_mode } = module.header;
    let read = ReadModule {
        target: target.unwrap_or((FALLBACK_TARGET, Extent::default())),
        version,
        is_older,
        texture_mode,
        variables: module.variables,
        functions: module.functions,
    };
    (read, module.irs)
}

/// What the first directives say.
#[derive(Default)]
struct Header {
    target: Option<(Target, Extent)>,
    is_older: bool,
    version: (Option<Version>, Extent),
    texture_mode: TextureMode,
}

struct Parser<'a> {
    reader: Reader<'a>,
    bodies: Bodies,
    /// What the grammar needs while it reads one declaration.
    scratch: Bump,
    arena: &'a Bump,
    header: Header,
    variables: Vec<DeclaredVariable<'a>>,
    functions: Vec<&'a ReadFunction<'a>>,
    irs: Vec<&'a mut Function<'a>>,
}

impl<'a> Parser<'a> {
    /// `.version`, `.target` and `.address_size`, in this order (PTX ISA 11.1).
    fn read_header(&mut self, complaints: &mut Complaints) {
        if self.reader.next_is(".version") {
            self.read_version(complaints);
        } else if self.reader.next_is(".target") {
            let at = self.next_at();
            self.read_target(complaints);
            complaints
                .at(at, "a text starts with its version, as in `.version 8.7` (PTX ISA 11.1.1)");
            if self.reader.next_is(".version") {
                self.read_version(complaints);
            }
        } else {
            let at = self.next_at();
            complaints
                .at(at, "a text starts with its version, as in `.version 8.7` (PTX ISA 11.1.1)");
        }
        if !self.reader.next_is(".target") && self.header.target.is_none() {
            let at = self.next_at();
            complaints.at(
                at,
                "`.target` has to follow `.version`, as in `.target sm_90a` (PTX ISA 11.1.2)",
            );
        }
        while self.reader.next_is(".target") {
            self.read_target(complaints);
        }
        if self.reader.next_is(".address_size") {
            let Some(directive) = self.reader.token() else { return };
            match self.number() {
                Some((64, _)) => {}
                Some((_, at)) => complaints.at(
                    at,
                    "addresses have 64 bits: ptxas has no other ABI; write `.address_size 64`",
                ),
                None => complaints.at(
                    directive.piece.at,
                    "a number of bits has to follow, as in `.address_size 64` (PTX ISA 11.1.3)",
                ),
            }
        }
    }

    /// Where the next token stands, or the end of the text.
    fn next_at(&mut self) -> Extent {
        match self.reader.peek() {
            Some(next) => next.piece.at,
            None => self.reader.end(),
        }
    }

    /// The number that stands here, if one does.
    fn number(&mut self) -> Option<(i128, Extent)> {
        let next = self.reader.peek()?;
        let text = self.reader.text(next.piece.at);
        let number = ir::body::integer(text)?;
        (next.piece.kind == PieceKind::Number).then(|| self.reader.token())?;
        Some((number, next.piece.at))
    }

    fn read_version(&mut self, complaints: &mut Complaints) {
        let Some(directive) = self.reader.token() else { return };
        let number = self.reader.peek().filter(|next| next.piece.kind == PieceKind::Number);
        let version = number.and_then(|number| {
            let (major, minor) = self.reader.text(number.piece.at).split_once('.')?;
            Some((Version::new(major.parse().ok()?, minor.parse().ok()?), number.piece.at))
        });
        match version {
            Some((version, at)) => self.header.version = (Some(version), at),
            None => complaints.at(
                number.map_or(directive.piece.at, |number| number.piece.at),
                "a version has two numbers, as in `.version 8.7` (PTX ISA 11.1.1)",
            ),
        }
        if number.is_some() {
            self.reader.token();
        }
    }

    fn read_target(&mut self, complaints: &mut Complaints) {
        let Some(directive) = self.reader.token() else { return };
        let mut is_first = true;
        loop {
            let word = self.reader.peek().filter(|next| next.piece.kind == PieceKind::Word);
            let Some(word) = word else {
                let at = directive.piece.at;
                complaints
                    .at(at, "a target has to follow, as in `.target sm_90a` (PTX ISA 11.1.2)");
                return;
            };
            self.reader.token();
            let (text, at) = (self.reader.text(word.piece.at), word.piece.at);
            if let Some((target, is_older)) = target(text) {
                if self.header.target.is_none() {
                    (self.header.target, self.header.is_older) = (Some((target, at)), is_older);
                }
            } else {
                match text {
                    "texmode_independent" => {
                        self.header.texture_mode = TextureMode::Independent;
                    }
                    "texmode_unified" | "debug" | "map_f64_to_f32" => {}
                    _ => {
                        let known = Target::ALL.iter().map(|target| target.name());
                        let known: Vec<&str> =
                            known.chain(["texmode_independent", "debug"]).collect();
                        let advice = alternatives(text, known.into_iter());
                        let word = shortened(text);
                        if let Some(target) = start_of(text) {
                            complaints.taken(at, format_args!("there is no target `{word}`, and ptxas takes `{target}` for it; {advice}"));
                            self.header.target.get_or_insert((target, at));
                        } else {
                            complaints
                                .at(at, format_args!("there is no target `{word}` here; {advice}"));
                            if is_first {
                                self.header.target.get_or_insert((FALLBACK_TARGET, at));
                            }
                        }
                    }
                }
            }
            is_first = false;
            if !self.reader.next_is(",") {
                return;
            }
            self.reader.token();
        }
    }

    /// Reads what stands next; whether there was anything.
    fn read_item(&mut self, complaints: &mut Complaints) -> bool {
        let Some(next) = self.reader.peek() else {
            for allowed in allowances(&mut self.reader, complaints) {
                complaints.at(allowed.at, "nothing follows this allowance; remove it");
            }
            return false;
        };
        let allowed = if self.reader.notes.is_empty() {
            Vec::new()
        } else {
            allowances(&mut self.reader, complaints)
        };
        if let Some(at) = self.reader.skip_preprocessor() {
            complaints.at(at, PREPROCESSOR);
            return true;
        }
        match self.reader.text(next.piece.at) {
            word @ (".version" | ".target" | ".address_size") => {
                complaints.at(
                    next.piece.at,
                    format_args!(
                        "`{word}` stands at the start of a text, before all else (PTX ISA 11.1)"
                    ),
                );
                self.reader.token();
                self.reader.skip_line();
            }
            ".loc" => {
                complaints.at(next.piece.at, "`.loc` stands in the body of a function");
                self.reader.token();
                self.reader.skip_line();
            }
            ".file" => self.read_file(complaints),
            ".section" => self.read_section(complaints),
            "}" => {
                complaints.at(next.piece.at, "this `}` closes nothing; remove it");
                self.reader.token();
            }
            _ => {
                let mut scratch = core::mem::take(&mut self.scratch);
                scratch.reset();
                self.read_declaration(next, &allowed, &scratch, complaints);
                self.scratch = scratch;
            }
        }
        true
    }

    /// `.file 1 "blur.cu", 1700000000, 1234` (PTX ISA 11.5.4).
    fn read_file(&mut self, complaints: &mut Complaints) {
        let Some(directive) = self.reader.token() else { return };
        let mut is_read = self.reader.numbers(1) && self.reader.string();
        while is_read && self.reader.next_is(",") {
            self.reader.token();
            is_read = self.reader.numbers(1);
        }
        if !is_read {
            complaints.at(
                directive.piece.at,
                "`.file` takes a number and a name, as in `.file 1 \"blur.cu\"` (PTX ISA 11.5.4)",
            );
        }
    }

    /// `.section .debug_info { .b8 1, 2 .. }` (PTX ISA 11.5.3): debug data, which has no semicolons.
    fn read_section(&mut self, complaints: &mut Complaints) {
        let Some(directive) = self.reader.token() else { return };
        let is_named = self
            .reader
            .peek()
            .is_some_and(|next| matches!(next.piece.kind, PieceKind::Dotted | PieceKind::Word));
        if is_named {
            self.reader.token();
        }
        if !is_named || !self.reader.next_is("{") {
            complaints.at(
                directive.piece.at,
                "a name and its data in braces have to follow, as in `.section .debug_str { .b8 0 }` (PTX ISA 11.5.3)",
            );
            return;
        }
        self.reader.token();
        let mut is_wrong = false;
        loop {
            let Some(Lexed { piece, .. }) = self.reader.token() else {
                complaints
                    .at(directive.piece.at, "nothing closes this section; write `}` behind it");
                return;
            };
            let text = self.reader.text(piece.at);
            let is_data = match piece.kind {
                // What data starts with has a dot, and so has the start of another section, which it names.
                PieceKind::Word | PieceKind::Number | PieceKind::Dotted => true,
                PieceKind::Sign => matches!(text, "," | ":" | "+" | "-"),
                PieceKind::Close(_) if text == "}" => return,
                _ => false,
            };
            if !is_data && !is_wrong {
                is_wrong = true;
                let text = shortened(text);
                complaints.at(piece.at, format_args!("`{text}` has no meaning in debug data: `.b8`, `.b32` or `.b64`, and numbers or labels behind it (PTX ISA 11.5.3)"));
            }
        }
    }

    /// A variable, a function, or a directive that ends in a semicolon.
    fn read_declaration(
        &mut self,
        first: Lexed,
        allowed: &[Allowed],
        scratch: &Bump,
        complaints: &mut Complaints,
    ) {
        let mut tokens: Tokens<'_, Token<'_, Extent>> = Tokens::new_in(scratch);
        let ended = self.reader.statement(Scope::Module, None, &mut tokens, scratch);
        if let Some(defect) = self.reader.defect {
            complaints.defect(defect, self.reader.text(defect.at()));
        }
        let at = first.piece.at;
        let (linkage, linkage_at, rest) = linkage(&tokens);
        let Some(Token::Dotted(directive, start, end)) = rest.first() else {
            if self.reader.defect.is_none() {
                let text = shortened(self.reader.text(at));
                match rest.first() {
                    Some(Token::Sign(';', at)) if rest.len() == tokens.len() => {
                        complaints.at(*at, "an empty statement is no PTX; remove the `;`");
                    }
                    _ => complaints.at(at, format_args!("a module holds directives, which start with a dot, and this is `{text}`; is it in no function? ({})", list())),
                }
            }
            return self.skip_block(ended, complaints);
        };
        let directive_at = Extent::over((*start, *end));
        if matches!(*directive, ".func" | ".entry") {
            // Where groups are not closed, what is in them is no directive of the function.
            let mut unheard = Complaints::of("");
            let heard = if self.reader.defect.is_some() { &mut unheard } else { &mut *complaints };
            let read = function::read((linkage, linkage_at), rest, allowed, self.arena, heard);
            return self.read_function(read, ended, allowed, complaints);
        }
        if let Ended::Open(at) | Ended::Close(at) = ended {
            let word = &directive[1..];
            if !DIRECTIVES.contains(&word) && ptx_types::Space::from_name(word).is_none() {
                unknown(word, directive_at, complaints);
                return self.skip_block(ended, complaints);
            }
            complaints.at(at, "a brace has no place here; end the declaration with `;`");
            return self.skip_block(ended, complaints);
        }
        if self.reader.defect.is_some() {
            return;
        }
        if !matches!(tokens.last(), Some(Token::Sign(';', _))) {
            let last = tokens.last().map_or(at, Token::end);
            complaints.at(last, "this statement has no end; write `;` behind it");
        }
        let rest = match rest.split_last() {
            Some((Token::Sign(';', _), rest)) => rest,
            _ => rest,
        };
        let mut faults = Faults::of(Language::Ptx);
        let order = space_first(rest, &mut faults);
        complaints.extend(faults);
        let rest = match &order {
            Order::Written => rest,
            Order::Other(tokens) => tokens.as_slice(),
            Order::Nothing => return,
        };
        let Some(Token::Dotted(directive, ..)) = rest.first() else { return };
        let word = &directive[1..];
        match word {
            "pragma" | "alias" => {
                if let Some(at) = linkage_at {
                    complaints.at(at, format_args!("`.{word}` has no linkage; remove it"));
                }
                directive_of_module(word, directive_at, &rest[1..], complaints);
            }
            _ if ptx_types::Space::from_name(word).is_some() => {
                let mut faults = Faults::of(Language::Ptx);
                let read = variable::read(
                    (linkage, linkage_at),
                    rest,
                    allowed,
                    (self.arena, scratch),
                    &mut faults,
                );
                complaints.extend(faults);
                self.variables.extend(read);
            }
            _ => unknown(word, directive_at, complaints),
        }
    }

    /// What is left of a function behind its signature.
    fn read_function(
        &mut self,
        read: Option<(Function<'a>, Signature<'a>)>,
        ended: Ended,
        allowed: &[Allowed],
        complaints: &mut Complaints,
    ) {
        let body = match ended {
            Ended::Open(open) => {
                Some(self.bodies.read(&mut self.reader, open, self.arena, complaints))
            }
            Ended::Close(at) => {
                complaints.at(at, "this `}` closes nothing; remove it");
                None
            }
            Ended::Semicolon | Ended::Label | Ended::Limit => None,
            Ended::Module | Ended::Text => {
                match &read {
                    Some((function, signature)) if function.kind == FunctionKind::Device => {
                        complaints.taken(signature.name, "a declaration of a function ends with `;`, without which ptxas takes it, too; write it behind the parameters and directives");
                    }
                    Some((_, signature)) => {
                        complaints.at(signature.name, "a body in braces or `;` has to follow");
                    }
                    None => {}
                }
                None
            }
        };
        let Some((mut function, signature)) = read else { return };
        if let Some(body) = &body {
            function.body = Some(body.body);
            function.locals = body.declared;
        }
        let allowed = self.arena.alloc_slice_copy(allowed);
        self.functions.push(self.arena.alloc(ReadFunction { signature, body, allowed }));
        self.irs.push(self.arena.alloc(function));
    }

    /// Reads past a block that has no place here.
    fn skip_block(&mut self, ended: Ended, complaints: &mut Complaints) {
        if let Ended::Open(open) = ended {
            let mut depth = 1_usize;
            while depth > 0 {
                let Some(next) = self.reader.token() else {
                    complaints.at(open, "nothing closes this `{`; write `}`");
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

/// Targets older than those of the table, which ptxas takes and compiles for newer ones.
const OLDER: &[&str] = &["10", "11", "12", "13", "20", "21", "30", "32", "35", "37"];

/// The target with this name: `sm_90a`, or `compute_90a`. Of those that are older than the table, which is
/// said then, the oldest in it, which has all that they have.
fn target(name: &str) -> Option<(Target, bool)> {
    let number = name.strip_prefix("sm_").or(name.strip_prefix("compute_"))?;
    let oldest = || Target::ALL.first().copied().filter(|_| OLDER.contains(&number));
    let named = Target::from_name(&format!("sm_{number}")).map(|target| (target, false));
    named.or_else(|| Some((oldest()?, true)))
}

/// The target that ptxas takes for a name that starts with one: `sm_90` for `sm_90x`.
fn start_of(name: &str) -> Option<Target> {
    let digits = name.strip_prefix("sm_")?;
    let end = digits.find(|c: char| !c.is_ascii_digit())?;
    // `sm_80a` and `sm_90f` are none that it takes.
    let is_other = matches!(&digits[end..], "a" | "f");
    Target::from_name(&name[..name.len() - digits.len() + end]).filter(|_| !is_other)
}

/// Reports a directive that there is not.
fn unknown(word: &str, at: Extent, complaints: &mut Complaints) {
    let advice = alternatives(word, DIRECTIVES.iter().copied());
    let word = shortened(word);
    complaints.at(at, format_args!("a module has no directive `.{word}`; {advice}"));
}

/// What there is, for a message.
fn list() -> String {
    format!("`.{}`", DIRECTIVES.join("`, `."))
}

/// The linkage at the start of a declaration, where it stands, and what follows.
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

/// `.pragma "nounroll";` and `.alias f, g;`.
fn directive_of_module(
    word: &str,
    at: Extent,
    tokens: &[Token<'_, Extent>],
    complaints: &mut Complaints,
) {
    let is_read = match word {
        "pragma" => {
            let mut lists = tokens.split(|token| token.is_sign(','));
            lists.all(|text| matches!(text, [Token::Text(..)]))
        }
        _ => matches!(tokens, [Token::Word(..), Token::Sign(',', _), Token::Word(..)]),
    };
    if !is_read {
        let form = match word {
            "pragma" => "`.pragma` takes strings, as in `.pragma \"nounroll\";` (PTX ISA 11.4)",
            _ => "`.alias` takes two functions, as in `.alias f, g;` (PTX ISA 11.6.5)",
        };
        complaints.at(at, form);
    }
}

/// The functions of a module, by their numbers: of one that is declared more than once its definition, or else
/// the first declaration.
pub(super) fn functions(read: &[&mut Function<'_>]) -> Vec<usize> {
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    let mut found: Vec<usize> = Vec::new();
    for (n, function) in read.iter().enumerate() {
        match by_name.entry(function.name) {
            Entry::Vacant(place) => {
                place.insert(found.len());
                found.push(n);
            }
            Entry::Occupied(place) => {
                let earlier = &mut found[*place.get()];
                match (read[*earlier].body, function.body) {
                    (None, Some(_)) => *earlier = n,
                    // A rule says that there are two.
                    (Some(_), Some(_)) => found.push(n),
                    (_, None) => {}
                }
            }
        }
    }
    found
}

/// The variables of a module in the IR.
pub(super) fn variables<'a>(
    declared: &[DeclaredVariable<'a>],
    arena: &'a Bump,
) -> &'a [&'a Variable<'a>] {
    arena.alloc_slice_fill_iter(declared.iter().map(|declared| declared.variable))
}
