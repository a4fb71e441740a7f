//! Declarations and directives in a body (PTX ISA 5.4 and 11).

use ptx_isa::ir::body::TokenKind;
use ptx_isa::rules::Scope;
use ptx_isa::{ScalarType, Space};

use super::count::{check_align, parse_count, parse_word};
use super::initial::initial;
use super::operand::listed_by_directive;
use super::order::{Order, space_first};
use super::part::names;
use super::prototype::{self, verbatim};
use super::scalar::{is_type_of_instructions, parse_scalar};
use super::token::{Delimiter, Faults, Language, Token, is_fraction, join};
use super::value::literal;
use super::writer::{BodyWriter, Written};
use super::{BANKED, Count, Declaration, Family};
use ptx_isa::near::dotted;

/// Directives that are not declarations, but whose operands are names.
pub(crate) const DIRECTIVES: &[&str] = &["pragma", "branchtargets", "calltargets", "callprototype"];

/// The maximum number of dimensions of an array, since each check of a type visits all of them.
pub(crate) const MOST_DIMENSIONS: usize = 64;

pub(crate) fn too_many_dimensions() -> String {
    format!(
        "an array has at most {MOST_DIMENSIONS} dimensions here; write one extent, their product"
    )
}

/// The part of a statement starting with a dot that could be parsed.
pub(super) enum Parsed {
    /// A directive.
    Directive,
    /// A declaration of at least one name.
    Declaration {
        /// Whether the whole declaration was parsed.
        is_whole: bool,
    },
    /// Nothing.
    Nothing,
}

/// Parses a statement that starts with a dot and may break the rules with these codes.
pub(super) fn parse<P: Copy>(
    tokens: &[Token<'_, P>],
    codes: &[(&'static str, P)],
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Parsed {
    let in_order;
    let tokens = match faults.language() {
        Language::Rust => tokens,
        Language::Ptx => match space_first(tokens, faults) {
            Order::Written => tokens,
            Order::Other(tokens) => {
                in_order = tokens;
                in_order.as_slice()
            }
            Order::Nothing => return Parsed::Nothing,
        },
    };
    let (directive, dot, at, rest) = match tokens {
        [Token::Dotted(directive, dot, at), rest @ ..] if !is_fraction(directive) => {
            (*directive, *dot, *at, rest)
        }
        [first, ..] => {
            faults.at(first.start(), "expected a directive after the dot, as in `.reg`");
            return Parsed::Nothing;
        }
        [] => return Parsed::Nothing,
    };
    let word = &directive[1..];
    if let Some(space) = Space::from_name(word) {
        let mut read = None;
        let is_whole =
            parse_variables((space, (dot, at)), codes, rest, writer, &mut read, faults).is_some();
        return match read {
            _ if is_whole => Parsed::Declaration { is_whole },
            Some(read) => {
                writer.take_back(read);
                Parsed::Declaration { is_whole }
            }
            None => Parsed::Nothing,
        };
    }
    match word {
        "pragma" | "branchtargets" | "calltargets" => {
            writer.put(TokenKind::Word, directive, (dot, at));
            writer.space();
            match listed_by_directive(rest, (directive, at), writer, faults) {
                Some(()) => return Parsed::Directive,
                None => return Parsed::Nothing,
            }
        }
        "callprototype" => {
            writer.put(TokenKind::Word, directive, (dot, at));
            writer.space();
            if prototype::check(rest, at, faults).is_none() {
                return Parsed::Nothing;
            }
            return match verbatim(rest, writer, faults) {
                Some(()) => Parsed::Directive,
                None => Parsed::Nothing,
            };
        }
        "func" | "extern" | "visible" | "weak"
            if faults.language() == Language::Ptx
                && (word == "func" || matches!(rest, [Token::Dotted(".func", ..), ..])) =>
        {
            let rest = if word == "func" { rest } else { &rest[1..] };
            if !matches!(rest, [Token::Group(Delimiter::Parenthesis, ..), ..])
                && !names(rest, faults)
            {
                faults.at(at, "a function has a name, and is declared in the module; remove this, or write `.reg` for a register");
                return Parsed::Nothing;
            }
            faults.accepted(at, "a function is declared in the module, although ptxas takes this, too; move the declaration before this function");
        }
        "extern" | "visible" | "weak" | "common" => {
            faults.at(at, format_args!("`.{word}` is not allowed in a body: storage that a kernel declares is its own; declare the variable in the module"));
        }
        "file" if faults.language() == Language::Ptx => {
            faults.at(at, "`.file` belongs in the module, outside its functions (PTX ISA 11.5.4)");
        }
        "loc" | "file" => {
            faults.at(at, format_args!("`.{word}` must end at a line break, which a Rust macro cannot see; write `line_info = true` in `#[ptx::module(..)]` instead"));
        }
        _ => {
            let spaces = Space::ALL.iter().filter(|space| space.is_body_scope());
            let known = spaces.map(|space| space.name()).chain(DIRECTIVES.iter().copied());
            let advice = dotted(word, known.collect::<Vec<_>>().into_iter());
            faults.at(at, format_args!("no directive `.{word}` in a body; {advice}"));
        }
    }
    Parsed::Nothing
}

/// The message about `.v4 .v2 .f32`.
pub(crate) const TWO_LANES: &str =
    "a declaration gives the number of elements once; remove one of `.v2` and `.v4`";

/// The parts that all names of a declaration share.
struct Shared<'c, P> {
    space: Space,
    align: Option<(Count, P)>,
    lanes: u8,
    scalar: ScalarType,
    type_at: P,
    managed: bool,
    codes: &'c [(&'static str, P)],
}

/// Parses `.reg .b64 %rd<4>, x;` from after the space. `read` is set to what was written up to the last complete
/// name.
fn parse_variables<P: Copy>(
    (space, at): (Space, (P, P)),
    codes: &[(&'static str, P)],
    mut rest: &[Token<'_, P>],
    writer: &mut BodyWriter<P>,
    read: &mut Option<Written>,
    faults: &mut Faults<P>,
) -> Option<()> {
    if let (Space::Const, [Token::Group(Delimiter::Bracket, _, open, _), ..]) = (space, rest) {
        let [rust, ptx] = BANKED;
        faults.at(*open, faults.words(rust, ptx));
        return None;
    }
    let directive = space.directive();
    writer.put(TokenKind::Word, directive, at);
    let (mut align, mut lanes, mut managed) = (None, 1, false);
    let (scalar, type_at) = loop {
        let (text, dot, word_at) = match rest {
            [Token::Dotted(text, dot, word_at), after @ ..] if !is_fraction(text) => {
                rest = after;
                (*text, *dot, word_at)
            }
            [other, Token::Word(..), ..] => {
                faults.at(other.start(), "expected a type, as in `.b32`");
                return None;
            }
            _ => {
                let at = rest.first().map_or(at.1, Token::start);
                faults.at(
                    at,
                    format_args!("expected a type after `{directive}`, as in `{directive} .b32 x`"),
                );
                return None;
            }
        };
        writer.space();
        writer.put(TokenKind::Modifier, text, (dot, *word_at));
        let word = &text[1..];
        match (word, rest) {
            ("align" | "attribute", _) if lanes != 1 => {
                faults.at(*word_at, format_args!("`{text}` goes before `.v{lanes}`"));
                return None;
            }
            (
                "align",
                [
                    count @ (Token::Number(..) | Token::Constant(..) | Token::Word("WARP_SZ", _)),
                    after @ ..,
                ],
            ) => {
                writer.space();
                let earlier = align.replace((parse_count(count, writer, faults)?, count.start()));
                // ptxas takes the last alignment, and checks all of them.
                if let Some((Count::Known(bytes), at)) = earlier {
                    check_align((bytes, at), space, Scope::Body, faults);
                }
                rest = after;
            }
            ("align", [Token::Group(Delimiter::Parenthesis, ..), ..]) => {
                faults.at(*word_at, "an alignment has no parentheses; write `.align 8`");
                return None;
            }
            ("align", _) => {
                faults.at(*word_at, "expected an alignment in bytes after `.align`");
                return None;
            }
            (
                "attribute",
                [group @ Token::Group(Delimiter::Parenthesis, inner, ..), after @ ..],
            ) if faults.language() == Language::Ptx => {
                if space != Space::Global && matches!(inner, [Token::Dotted(".unified", ..), ..]) {
                    faults.at(*word_at, "only `.global` variables are `.unified`; remove it");
                }
                verbatim(core::slice::from_ref(group), writer, faults)?;
                managed |= matches!(inner, [Token::Dotted(".managed", ..)]);
                rest = after;
            }
            ("v2" | "v4", _) if lanes != 1 => {
                faults.at(*word_at, TWO_LANES);
                return None;
            }
            ("v2", _) => lanes = 2,
            ("v4", _) => lanes = 4,
            // ptxas accepts arrays of them, which no instruction can use.
            _ if lanes == 1 && is_type_of_instructions(word) && is_one_array(rest) => {
                faults.accepted(*word_at, format_args!("`{word}` is a type of instructions, and no array has elements of it; declare bits of the same size"));
                return None;
            }
            _ => break (parse_scalar(word, *word_at, faults)?, *word_at),
        }
    };
    writer.space();
    let shared = Shared { space, align, lanes, scalar, type_at, managed, codes };
    if let [Token::List(list, ..)] = rest {
        return list.each(&mut |tokens, comma| {
            let rest = match (tokens, comma) {
                ([], Some(comma)) => &[Token::Sign(',', comma)],
                (tokens, _) => tokens,
            };
            let rest = parse_variable(&shared, rest, read.is_none(), writer, faults)?;
            *read = Some(writer.written());
            if let [other, ..] = rest {
                between(other, faults);
                return None;
            }
            if let Some(comma) = comma {
                writer.comma(comma);
            }
            Some(())
        });
    }
    loop {
        rest = parse_variable(&shared, rest, read.is_none(), writer, faults)?;
        *read = Some(writer.written());
        match rest {
            [] => break,
            [Token::Sign(',', at), after @ ..] => {
                writer.comma(*at);
                rest = after;
            }
            [other, ..] => {
                between(other, faults);
                return None;
            }
        }
    }
    Some(())
}

/// Reports a token between two names.
fn between<P: Copy>(token: &Token<'_, P>, faults: &mut Faults<P>) {
    let advice = misplaced(token).unwrap_or_else(|| {
        "write `,` before another name, or `;` after the declaration".to_owned()
    });
    faults.at(token.start(), advice);
}

/// Whether this is `x[16]`, the name of one array and its extents.
fn is_one_array<P: Copy>(tokens: &[Token<'_, P>]) -> bool {
    let is_extent = |token: &Token<'_, P>| matches!(token, Token::Group(Delimiter::Bracket, ..));
    join(tokens).is_some_and(|(_, rest)| !rest.is_empty() && rest.iter().all(is_extent))
}

/// The message about a part of a declaration after its type.
fn misplaced<P>(token: &Token<'_, P>) -> Option<String> {
    let Token::Dotted(text, ..) = token else { return None };
    Some(match *text {
        ".align" => "an alignment goes before the type, as in `.global .align 8 .b8 x`".to_owned(),
        ".v2" | ".v4" => format!("`{text}` goes before the type, as in `.global {text} .f32 x`"),
        _ if ScalarType::from_name(&text[1..]).is_some() => {
            format!("a declaration has one type; remove `{text}`, or the type before it")
        }
        _ => return None,
    })
}

/// Parses `%rd<4>` or `x[16] = {1, 2}`.
fn parse_variable<'s, 't, P: Copy>(
    shared: &Shared<'_, P>,
    tokens: &'s [Token<'t, P>],
    is_first: bool,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<&'s [Token<'t, P>]> {
    let Some((name, mut rest)) = join(tokens) else {
        if is_first && tokens.is_empty() && faults.language() == Language::Ptx {
            faults.accepted(
                shared.type_at,
                "this declares nothing; write a name after the type, as in `.reg .b32 %r<4>`",
            );
            return None;
        }
        let at = tokens.first().map_or(shared.type_at, Token::start);
        let advice = tokens.first().and_then(misplaced).unwrap_or_else(|| {
            "expected a name after the type, as in `.reg .b32 %r<4>`".to_owned()
        });
        faults.at(at, advice);
        return None;
    };
    writer.name(&name);
    let mut family = Family::No;
    if let [Token::Sign('<', open), count, Token::Sign('>', close), after @ ..] = rest {
        writer.sign('<', *open);
        let mut names = parse_count(count, writer, faults)?;
        if let Count::Known(number) = &mut names {
            let Some(word) = parse_word(*number, count.start(), faults) else {
                faults.at(
                    count.start(),
                    format_args!(
                        "a family has fewer than {} names, the 32 bits that ptxas has for their number",
                        1_u64 << 32
                    ),
                );
                return None;
            };
            *number = word;
        }
        family = Family::Of(names);
        writer.sign('>', *close);
        rest = after;
    }
    let mut extents = Vec::new();
    while let [Token::Group(Delimiter::Bracket, inner, open, close), after @ ..] = rest {
        if extents.len() == MOST_DIMENSIONS {
            faults.at(*open, too_many_dimensions());
            return None;
        }
        writer.put(TokenKind::Open, "[", (*open, *open));
        extents.push(match inner {
            [] => Count::Missing,
            [count] => parse_count(count, writer, faults)?,
            [Token::Sign('-', at), ..] => {
                faults.at(
                    *at,
                    "an extent is a number of elements, which is not negative; remove the `-`",
                );
                return None;
            }
            [_, second, ..] => {
                faults.at(
                    second.start(),
                    faults.words(
                        "an extent is one number; write `#( expr )` for a Rust constant",
                        "an extent is one number",
                    ),
                );
                return None;
            }
        });
        writer.put(TokenKind::Close, "]", (*close, *close));
        rest = after;
    }
    let mut value = None;
    if let [Token::Sign('=', equals), after @ ..] = rest {
        writer.space();
        writer.sign('=', *equals);
        writer.space();
        let end = after.iter().position(|token| token.is_sign(',')).unwrap_or(after.len());
        let at = after.first().map_or(*equals, Token::start);
        let is_read = initial(&after[..end], *equals, writer, faults).is_some();
        // Without its value, which was reported, the name is declared all the same.
        if !is_read && (!writer.is_sink() || extents.iter().any(Count::is_missing)) {
            return None;
        }
        value = is_read.then(|| (literal(&after[..end], shared.scalar, writer), at));
        rest = &after[end..];
    }
    // The initial value can determine the first extent.
    if let (Some(extent @ Count::Missing), Some((value, _))) = (extents.first_mut(), &value)
        && let Some(length) = value.length()
    {
        *extent = Count::Known(length);
    }
    writer.declare(Declaration {
        name: name.into_owned(),
        family,
        space: shared.space,
        align: shared.align.clone(),
        lanes: shared.lanes,
        scalar: shared.scalar,
        type_at: shared.type_at,
        extents,
        value,
        managed: shared.managed,
        allow: shared.codes.to_vec(),
    });
    Some(rest)
}
