//! Parses the bodies of functions.

use std::collections::HashSet;

use bumpalo::Bump;
use bumpalo::collections::Vec as Tokens;
use ptx_isa::ir::body::{StatementKind, TokenRange};
use ptx_isa::ir::family::base_of;
use ptx_isa::ir::{self, Function, FunctionKind, Variable};

use super::allowance::{Allowed, Before, allowances, first_allowances, keep_fitting};
use super::boundary::{Defect, Ended, Scope};
use super::extent::{Extent, Kept};
use super::faults::PREPROCESSOR;
use super::faults::SyntaxErrors;
use super::launch;
use super::lexer::PieceKind;
use super::reader::Reader;
use super::values::values;
use super::variable::as_bits;
use crate::body::token::{Faults, Language, Token};
use crate::body::{BodyWriter, Positions, assume, lower_declaration, parse_next, prototypes};

/// A parsed body.
#[derive(Debug)]
pub(super) struct ReadBody<'a> {
    /// The body.
    pub(super) body: ir::Body<'a>,
    /// Its declarations, in order.
    pub(super) declared: &'a [&'a Variable<'a>],
    /// Its prototypes, in order.
    pub(super) prototypes: &'a [Function<'a>],
    /// Names in declarations that could not be parsed, which are assumed to be declared there.
    pub(super) assumed: &'a [&'a str],
    /// Whether every statement could be parsed.
    pub(super) is_whole: bool,
    /// Whether its end is missing, where labels may be.
    pub(super) is_open: bool,
    /// The offsets at which its statements start.
    pub(super) starts: &'a [u32],
    /// The allowances of statements: the index of the statement, the index among its codes, and the location
    /// of the code.
    pub(super) allowances: &'a [(u32, u32, Extent)],
    /// The allowances of its declarations.
    pub(super) of_declarations: &'a [Allowed],
}

/// Parses bodies.
pub(super) struct Bodies {
    writer: BodyWriter<()>,
    /// The arena for the grammar's temporary data while it parses one statement.
    scratch: Bump,
    /// No statement terminator occurs before this offset, neither for the unterminated statement that was read last nor
    /// for those after it.
    known_end: usize,
    /// Whether the body is one of a device function.
    is_of_device: bool,
}

/// The message about an allowance at the end of a block.
const NOTHING_FOLLOWS: &str = "no statement follows this allowance; remove it";

/// The maximum nesting depth of blocks; ptxas accepts deeper nesting, but nobody writes it.
const DEEPEST: usize = 256;

/// If a statement's terminator is known to be at least this many bytes away, the ends of lines are tried first: a text
/// whose statements are unterminated is then not read to its end for each of them.
const FAR: usize = 2048;

impl Bodies {
    pub(super) fn new() -> Self {
        Self { writer: BodyWriter::new(), scratch: Bump::new(), known_end: 0, is_of_device: false }
    }

    /// Parses the body of a function of this kind, if that is known, starting after its `{`.
    pub(super) fn read<'a>(
        &mut self,
        kind: Option<FunctionKind>,
        reader: &mut Reader<'_>,
        open: Extent,
        arena: &'a Bump,
        errors: &mut SyntaxErrors,
    ) -> ReadBody<'a> {
        self.is_of_device = kind == Some(FunctionKind::Device);
        let (mut starts, mut found, mut depth) = (Vec::new(), Vec::new(), 0_usize);
        let (mut allowed, mut of_declarations): (Vec<Allowed>, Vec<Allowed>) = Default::default();
        let (at_start, mut is_open) = (errors.refused(), false);
        loop {
            let next = reader.peek();
            if !reader.notes.is_empty() {
                allowed.extend(allowances(reader, errors));
                launch::misplaced(reader, errors);
            }
            let kind = next.map(|next| next.piece.kind);
            if kind == Some(PieceKind::Sign)
                && let Some(at) = reader.skip_preprocessor()
            {
                errors.at(at, PREPROCESSOR);
                continue;
            }
            let directive = next.filter(|_| kind == Some(PieceKind::Dotted));
            let directive = directive.map(|next| (reader.text(next.piece.at), next.piece.at));
            match directive {
                Some((".loc", _)) => {
                    loc(reader, errors);
                    continue;
                }
                Some((".file", at)) => {
                    errors.at(
                        at,
                        "`.file` belongs in the module, outside its functions (PTX ISA 11.5.4)",
                    );
                    reader.token();
                    reader.skip_line();
                    continue;
                }
                Some((".target", at)) => {
                    errors.accepted(at, "a target belongs at the start of a text, and ptxas ignores one in a body; remove it (PTX ISA 11.1.2)");
                    reader.token();
                    reader.token();
                    while reader.next_is(",") {
                        reader.token();
                        reader.token();
                    }
                    continue;
                }
                Some(_) | None => {}
            }
            let start = next.map_or(0, |next| next.piece.at.start);
            let (before, known) = (self.writer.statements(), errors.refused());
            let ended = self.statement(reader, &mut allowed, errors);
            if self.writer.statements() > before {
                starts.push(start);
                if self.writer.last() == Some(StatementKind::Declaration) {
                    of_declarations.append(&mut allowed);
                }
                if !allowed.is_empty() && self.writer.last() != Some(StatementKind::Label) {
                    let statement = u32::try_from(starts.len() - 1).unwrap_or(u32::MAX);
                    let codes = allowed.drain(..).zip(0..);
                    found.extend(codes.map(|(allowed, n)| (statement, n, allowed.at)));
                }
            }
            match ended {
                Ended::Semicolon | Ended::Label | Ended::Comma(_) | Ended::Limit => {}
                Ended::Open(at) => {
                    keep_fitting(&mut allowed, Before::Nothing, errors);
                    if depth == DEEPEST {
                        errors.at(at, "more than 256 blocks are nested here; write fewer");
                    }
                    if depth < DEEPEST {
                        self.writer.brace(StatementKind::Open, ());
                        starts.push(at.start);
                    }
                    depth += 1;
                }
                Ended::Close(at) if depth > 0 => {
                    for allowed in allowed.drain(..) {
                        errors.at(allowed.at, NOTHING_FOLLOWS);
                    }
                    depth -= 1;
                    if depth < DEEPEST {
                        self.writer.brace(StatementKind::Close, ());
                        starts.push(at.start);
                    }
                }
                Ended::Close(_) => break,
                Ended::Module | Ended::Text => {
                    is_open = true;
                    // An unfinished statement, string or comment at the end of the text is reported itself.
                    let is_cut = errors.refused() > known || reader.open_comment.is_some();
                    if !(ended == Ended::Text && is_cut) {
                        errors.at(
                            open,
                            "nothing closes this body; write `}` after its last statement",
                        );
                    }
                    for _ in 0..depth.min(DEEPEST) {
                        self.writer.brace(StatementKind::Close, ());
                        starts.push(start);
                    }
                    break;
                }
            }
        }
        for allowed in allowed {
            errors.at(allowed.at, NOTHING_FOLLOWS);
        }
        let whole = reader.whole();
        let source = self.writer.finish();
        let text = arena.alloc_str(&source.text);
        let table = arena.alloc_slice_copy(&source.table);
        let declared = source.declarations.into_iter().map(|found| {
            let variable = lower_declaration(&found, arena, &|written, scalar| {
                values(whole, written, scalar, arena)
            });
            &*arena.alloc(as_bits(variable, arena))
        });
        let declared: Vec<&'a Variable<'a>> = declared.collect();
        // A declaration that could only be parsed in part still declares its name.
        let is_needed = !source.assumed.is_empty();
        let own = declared.iter().filter(|_| is_needed).map(|variable| variable.name);
        let own: HashSet<&str> = own.collect();
        let is_own =
            |name: &str| own.contains(name) || base_of(name).is_some_and(|base| own.contains(base));
        let assumed = source.assumed.iter().filter(|name| !is_own(name));
        let assumed: Vec<&'a str> = assumed.map(|name| &*arena.alloc_str(name)).collect();
        let body = ir::Body::new(text, table, &[]);
        let has_prototypes = text.contains(".callprototype");
        ReadBody {
            body,
            prototypes: if has_prototypes { prototypes(body, arena) } else { &[] },
            declared: arena.alloc_slice_copy(&declared),
            assumed: arena.alloc_slice_copy(&assumed),
            is_whole: errors.refused() == at_start,
            is_open,
            starts: arena.alloc_slice_copy(&starts),
            allowances: arena.alloc_slice_copy(&found),
            of_declarations: arena.alloc_slice_copy(&of_declarations),
        }
    }

    /// Parses one statement, which may break the rules with the allowed codes.
    fn statement(
        &mut self,
        reader: &mut Reader<'_>,
        allowed: &mut Vec<Allowed>,
        errors: &mut SyntaxErrors,
    ) -> Ended {
        self.reset();
        let start = reader.mark();
        if start.at() + FAR < self.known_end
            && let Some(limit) = self.early_end(start, reader)
        {
            reader.return_to(start);
            self.faults((Ended::Limit, Some(limit)), reader, errors);
            reader.return_to(start);
            return self.until(limit, reader, allowed, errors);
        }
        let (before, was_allowed) = (self.writer.snapshot(), allowed.len());
        let mut faults = Faults::of(Language::Ptx);
        let ended = {
            let mut tokens = Tokens::with_capacity_in(48, &self.scratch);
            let ended = reader.statement(Scope::Body, None, &mut tokens, &self.scratch);
            if !reader.notes.is_empty() || !allowed.is_empty() {
                settle(&tokens, reader, allowed, errors);
            }
            let codes = codes(allowed);
            if reader.defect.is_none() {
                parse(&tokens, &codes, &mut self.writer, &mut faults);
            } else if matches!(tokens.first(), Some(Token::Dotted(..))) {
                assume(&tokens, &mut self.writer);
            }
            ended
        };
        if faults.is_empty() && reader.defect.is_none() {
            return ended;
        }
        let end = reader.mark();
        let limit = self.early_end(start, reader);
        reader.return_to(start);
        self.faults((ended, limit), reader, errors);
        let Some(limit) = limit else {
            reader.return_to(end);
            return ended;
        };
        // The statement is complete except for its terminator.
        self.known_end = end.at();
        self.writer.restore(before);
        reader.return_to(start);
        allowed.truncate(was_allowed);
        self.until(limit, reader, allowed, errors)
    }

    /// Empties the arena for temporary data, of which a long statement leaves little room for the next reading of it.
    fn reset(&mut self) {
        /// The maximum number of bytes that are kept.
        const MOST: usize = 1 << 18;
        if self.scratch.allocated_bytes() > MOST {
            self.scratch = Bump::new();
        }
        self.scratch.reset();
    }

    /// Reports the errors in the statement that starts here.
    fn faults(
        &mut self,
        (ended, limit): (Ended, Option<u32>),
        reader: &mut Reader<'_>,
        errors: &mut SyntaxErrors,
    ) {
        self.reset();
        let mut faults = Faults::of_body(Language::Ptx, self.is_of_device);
        let last;
        {
            let mut tokens: Tokens<'_, Token<'_, Extent>> = Tokens::new_in(&self.scratch);
            reader.statement(Scope::Body, limit, &mut tokens, &self.scratch);
            last = tokens.last().map_or(reader.end(), Token::end);
            if reader.defect.is_none() {
                parse(&tokens, &[], &mut BodyWriter::sink(), &mut faults);
            }
        }
        let defect = reader.defect;
        match ended {
            // What is missing at the end of the text is one mistake.
            Ended::Text if limit.is_none() && !matches!(defect, Some(Defect::OpenText(_))) => {
                if reader.open_comment.is_none() {
                    errors.at(last, "the text ends in the middle of this statement; write the rest of it, and the `}` of its body");
                }
                return;
            }
            _ => {}
        }
        if let Some(defect) = defect {
            errors.defect(defect, reader.text(defect.at()));
        }
        match ended {
            // The statement before the block cannot be parsed because of the block.
            Ended::Open(at) if limit.is_none() => errors.at(
                at,
                "a block is a statement of its own: end the statement before it with `;`; to guard a block, branch around it",
            ),
            _ => errors.extend(faults),
        }
    }

    /// Parses the statement that starts here and ends at `limit` without a semicolon.
    fn until(
        &mut self,
        limit: u32,
        reader: &mut Reader<'_>,
        allowed: &mut Vec<Allowed>,
        errors: &mut SyntaxErrors,
    ) -> Ended {
        self.reset();
        let mut tokens = Tokens::new_in(&self.scratch);
        let ended = reader.statement(Scope::Body, Some(limit), &mut tokens, &self.scratch);
        settle(&tokens, reader, allowed, errors);
        parse(&tokens, &codes(allowed), &mut self.writer, &mut Faults::of(Language::Ptx));
        ended
    }

    /// The end of a statement without a semicolon, if the tokens up to there form a statement: the start of a later
    /// line, after what may be the last operand.
    fn early_end(&mut self, start: super::reader::Mark, reader: &mut Reader<'_>) -> Option<u32> {
        /// The number of lines to try.
        const MOST: usize = 8;
        for line in 1..=MOST {
            reader.return_to(start);
            let limit = reader.line_start(line)?;
            reader.return_to(start);
            self.reset();
            let mut tokens: Tokens<'_, Token<'_, Extent>> = Tokens::new_in(&self.scratch);
            let ended = reader.statement(Scope::Body, Some(limit), &mut tokens, &self.scratch);
            if ended != Ended::Limit || reader.defect.is_some() {
                return None;
            }
            let mut faults = Faults::of(Language::Ptx);
            parse(&tokens, &[], &mut BodyWriter::sink(), &mut faults);
            // The one fault is the missing semicolon.
            let is_cut = matches!(tokens.last(), Some(Token::Sign(sign, _)) if *sign != '>');
            if faults.into_found().len() == 1 && !is_cut {
                return Some(limit);
            }
        }
        None
    }
}

/// The codes of the allowances.
fn codes(allowed: &[Allowed]) -> Vec<(&'static str, ())> {
    allowed.iter().map(|allowed| (allowed.code, ())).collect()
}

/// Determines the allowances of a statement, from the notes before it, which were read, and those inside it.
fn settle<P>(
    tokens: &[Token<'_, P>],
    reader: &mut Reader<'_>,
    allowed: &mut Vec<Allowed>,
    errors: &mut SyntaxErrors,
) {
    let Some(first) = tokens.first() else { return };
    allowed.extend(first_allowances(reader.own_notes, reader, errors));
    let before = match (first, tokens) {
        (Token::Dotted(directive, ..), _)
            if ptx_isa::Space::from_name(&directive[1..]).is_some() =>
        {
            Before::Local
        }
        // The statement after the label takes the allowances.
        (_, [_, Token::Sign(':', _)]) => return,
        _ => Before::Statement,
    };
    keep_fitting(allowed, before, errors);
}

/// The location of a statement's tokens.
pub(super) struct StatementAt {
    /// The offset at which it starts.
    pub(super) start: u32,
    first: Extent,
    positions: Positions<Extent>,
}

impl StatementAt {
    /// The statement that starts at `start`; it may be unterminated, in which case the next one may start at `next`.
    pub(super) fn of(text: &str, start: u32, next: Option<u32>) -> Self {
        let mut reader = Reader::from(text, start);
        let first = reader.peek().map_or(Extent { start, end: start }, |first| first.piece.at);
        let scratch = Bump::new();
        let mut writer = BodyWriter::new();
        {
            let mut read: Tokens<'_, Token<'_, Extent>> = Tokens::new_in(&scratch);
            let limit = next.filter(|next| *next > start);
            reader.statement(Scope::Body, limit, &mut read, &scratch);
            parse(&read, &[], &mut writer, &mut Faults::of(Language::Ptx));
        }
        Self { start, first, positions: writer.finish().positions }
    }

    /// The location of a range of its tokens; if that is not known, the location of its first token.
    pub(super) fn over(&self, tokens: TokenRange) -> Extent {
        self.positions.over(0, tokens).map_or(self.first, Extent::over)
    }
}

/// Parses the statement that these tokens form.
fn parse<P: Kept>(
    tokens: &[Token<'_, P>],
    codes: &[(&'static str, P)],
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) {
    let mut rest = tokens;
    while !rest.is_empty() {
        rest = match rest {
            [first @ Token::Sign(';', _), after @ ..] => {
                faults.at(first.start(), "PTX has no empty statement; remove the `;`");
                after
            }
            _ => parse_next(rest, codes, writer, faults),
        };
    }
}

/// Parses `.loc 1 12 3, function_name $L__info_string0, inlined_at 1 30 5` (PTX ISA 11.5.2), which gives the source
/// location of the code that follows; it ends with its last operand, without a semicolon.
fn loc(reader: &mut Reader<'_>, errors: &mut SyntaxErrors) {
    let Some(directive) = reader.token() else { return };
    let fault = "`.loc` takes the numbers of a file, a line and a column, of 32 bits each, as in `.loc 1 12 3` (PTX ISA 11.5.2)";
    if !reader.words(3) {
        errors.at(directive.piece.at, fault);
        reader.skip_line();
        return;
    }
    if !reader.next_is(",") {
        return;
    }
    // `, function_name $L__info_string0+4, inlined_at 1 30 5`
    let sign = |reader: &mut Reader<'_>, text: &str| {
        let is_it = reader.next_is(text);
        if is_it {
            reader.token();
        }
        is_it
    };
    let mut is_read = sign(reader, ",") && sign(reader, "function_name");
    is_read = is_read
        && reader.peek().is_some_and(|label| label.piece.kind == PieceKind::Word)
        && reader.token().is_some();
    if is_read && sign(reader, "+") {
        is_read = reader.numbers(1);
    }
    if !(is_read && sign(reader, ",") && sign(reader, "inlined_at") && reader.words(3)) {
        errors.at(
            directive.piece.at,
            "after a comma, `.loc` takes the function and the place that it was inlined at, as in `.loc 1 12 3, function_name $L__info_string0, inlined_at 1 30 5` (PTX ISA 11.5.2)",
        );
        reader.skip_line();
    }
}
