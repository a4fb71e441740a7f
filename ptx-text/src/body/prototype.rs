//! Call prototypes (PTX ISA 11.2).

use ptx_isa::ir::body::{TokenKind, integer};
use ptx_isa::ir::{Directive, DirectiveKind, Function, FunctionKind, Param, Type, Variable};
use ptx_isa::rules::{self, Blame, Environment};
use ptx_isa::{Opaque, Space};

use super::constant;
use super::count::{parse_formal_align, parse_param_count};
use super::order::{Order, space_first};
use super::scalar::{is_type_of_instructions, parse_scalar};
use super::token::{Delimiter, Faults, Token, join};
use super::writer::BodyWriter;

/// The directives that may follow the parameters, and whether a number follows them.
const DIRECTIVES: &[(&str, bool)] =
    &[(".noreturn", false), (".abi_preserve", true), (".abi_preserve_control", true)];

const OTHER_DIRECTIVE: &str = "only `.noreturn`, `.abi_preserve` or `.abi_preserve_control` may follow the parameters of a prototype";

/// Checks the tokens after `.callprototype`: `(.param .b32 _) _ (.param .b64 _, .param .b8 _[16]) .noreturn`.
pub(super) fn check<P: Copy>(tokens: &[Token<'_, P>], at: P, faults: &mut Faults<P>) -> Option<()> {
    let mut rest = tokens;
    let mut returned = Vec::new();
    if let [Token::Group(Delimiter::Parenthesis, inner, ..), after @ ..] = rest {
        returned = params(inner, faults)?;
        rest = after;
    }
    let [Token::Word("_", _), after @ ..] = rest else {
        let at = rest.first().map_or(at, Token::start);
        faults.at(at, "`_` stands for the name in a prototype, as in `.callprototype (.param .b32 _) _ (.param .b64 _)` (PTX ISA 11.2.3)");
        return None;
    };
    rest = after;
    if let [Token::Group(Delimiter::Parenthesis, inner, ..), after @ ..] = rest {
        let inputs = params(inner, faults)?;
        let but_last = inputs.len().saturating_sub(1);
        if let Some(open) = inputs[..but_last].iter().find(|input| input.is_incomplete) {
            faults.at(open.at, "only the last parameter can be an array without a length");
        }
        rest = after;
    }
    if let Some(open) = returned.iter().find(|returned| returned.is_incomplete) {
        faults.at(open.at, "a returned array has a length; write the number of its elements");
    }
    directives(rest, &returned, faults)
}

/// Checks what a prototype returns, as of a function of its name, `_`: by these values, and unless `stops` is the location
/// of `.noreturn`.
fn check_returned<P: Copy>(returned: &[Formal<P>], stops: Option<P>, faults: &mut Faults<P>) {
    const NO_RETURN: &[Directive] = &[Directive { kind: DirectiveKind::NoReturn, values: [0; 3] }];
    let param = |formal: &Formal<P>| {
        let space = if formal.is_register { Space::Reg } else { Space::Param };
        let variable = Variable::new(space, "_", &Type::Unknown);
        Param { variable, ..Param::new("_", &Type::Unknown) }
    };
    let returns: Vec<Param<'_>> = returned.iter().map(param).collect();
    let directives = if stops.is_some() { NO_RETURN } else { &[] };
    let function =
        Function { returns: &returns, directives, ..Function::new(FunctionKind::Device, "_") };
    for violation in rules::check_function(&function, Environment::UNKNOWN) {
        let stored = || returned.iter().find(|it| !it.is_register).map(|it| it.at);
        let at = if violation.blames == Blame::Directives { stops } else { stored() };
        if let Some(at) = at {
            faults.broken(at, &violation);
        }
    }
}

/// Checks the directives after the parameters, and with them the values that are returned.
fn directives<P: Copy>(
    tokens: &[Token<'_, P>],
    returned: &[Formal<P>],
    faults: &mut Faults<P>,
) -> Option<()> {
    let mut stops = None;
    let (mut rest, mut given) = (tokens, Vec::new());
    while let Some((first, after)) = rest.split_first() {
        let Token::Dotted(word, at, _) = first else {
            faults.at(first.start(), OTHER_DIRECTIVE);
            return None;
        };
        let Some((_, has_number)) = DIRECTIVES.iter().find(|(name, _)| name == word) else {
            faults.at(*at, OTHER_DIRECTIVE);
            return None;
        };
        if given.contains(word) {
            faults.at(*at, format_args!("`{word}` is here twice; remove one of them"));
        }
        if *word == ".noreturn" {
            stops = Some(*at);
        }
        given.push(word);
        rest = if *has_number {
            after_preserved((word, *at), after, PRESERVED, faults)
        } else {
            after
        };
    }
    check_returned(returned, stops, faults);
    Some(())
}

/// The greatest number of registers that a prototype can preserve.
const PRESERVED: i128 = 255;

/// The greatest number of predicates and other registers of control that a call can preserve.
const PRESERVED_CONTROL: i128 = 11;

/// Reads the number after `.abi_preserve`, which is at most `most`, or after `.abi_preserve_control`. Returns the tokens
/// that follow.
pub(crate) fn after_preserved<'s, 't, P: Copy>(
    (word, at): (&str, P),
    tokens: &'s [Token<'t, P>],
    most: i128,
    faults: &mut Faults<P>,
) -> &'s [Token<'t, P>] {
    let most = if word.ends_with("control") { PRESERVED_CONTROL } else { most };
    let (at, is_taken, after) = match tokens {
        [Token::Constant(..) | Token::Word("WARP_SZ", _), after @ ..] => return after,
        [Token::Number(number, at), after @ ..] => {
            (*at, integer(number).is_some_and(|number| number <= most), after)
        }
        [Token::Sign('-', at), Token::Number(..), after @ ..] => (*at, false, after),
        after => {
            faults.at(at, format_args!("`{word}` takes one number"));
            return after;
        }
    };
    if !is_taken {
        faults.at(at, format_args!("`{word}` takes a whole number from 0 to {most} here"));
    }
    after
}

/// A parameter of a prototype.
struct Formal<P> {
    at: P,
    is_register: bool,
    /// Whether it is an array without a length; ptxas takes a length of zero for none.
    is_incomplete: bool,
}

/// Checks parameters: `.param .align 8 .b8 _[12], .reg .b32 x`, or none.
fn params<P: Copy>(tokens: &[Token<'_, P>], faults: &mut Faults<P>) -> Option<Vec<Formal<P>>> {
    let mut found = Vec::new();
    let Some(first) = tokens.first() else { return Some(found) };
    let mut before = first.start();
    for param in tokens.split(|token| token.is_sign(',')) {
        let Some(last) = param.last() else {
            faults
                .at(before, "a parameter is missing beside a comma; write it, or remove the comma");
            return None;
        };
        before = last.end();
        match formal(param, faults) {
            Ok(formal) => found.push(formal),
            Err(None) => return None,
            Err(Some(n)) => {
                let at = param.get(n).map_or(before, Token::start);
                faults.at(at, "a parameter of a prototype is a space, a type and a name, as in `.param .b32 _` or `.param .align 8 .b8 _[16]` (PTX ISA 11.2.3)");
                return None;
            }
        }
    }
    Some(found)
}

/// Reads a parameter: its space, alignments, the width of a vector, its type, its name and an extent. Fails with the
/// index of the token that has another form, if that is not reported yet.
fn formal<P: Copy>(
    tokens: &[Token<'_, P>],
    faults: &mut Faults<P>,
) -> Result<Formal<P>, Option<usize>> {
    let in_order;
    let tokens = match space_first(tokens, faults) {
        Order::Written | Order::Nothing => tokens,
        Order::Other(tokens) => {
            in_order = tokens;
            in_order.as_slice()
        }
    };
    let number = |rest: &[Token<'_, P>]| Some(tokens.len() - rest.len());
    let [Token::Dotted(space @ (".param" | ".reg"), at, _), rest @ ..] = tokens else {
        return Err(Some(0));
    };
    let mut rest = rest;
    while let [Token::Dotted(".align", ..), after @ ..] = rest {
        rest = match after {
            [Token::Number(align, at), after @ ..] => {
                parse_formal_align(align, *at, faults);
                after
            }
            [Token::Constant(..), after @ ..] => after,
            _ => return Err(number(after)),
        };
    }
    if let [
        Token::Dotted(".attribute", at, _),
        Token::Group(Delimiter::Parenthesis, ..),
        after @ ..,
    ] = rest
    {
        faults
            .accepted(*at, "a parameter has no attributes, and ptxas ignores them here; remove it");
        rest = after;
    }
    let mut lanes = 1;
    if let [Token::Dotted(width @ (".v2" | ".v4"), ..), after @ ..] = rest {
        lanes = if *width == ".v2" { 2 } else { 4 };
        rest = after;
    }
    let [Token::Dotted(word, type_at, _), after @ ..] = rest else { return Err(number(rest)) };
    let of_instructions = lanes == 1 && is_type_of_instructions(&word[1..]);
    if Opaque::from_name(&word[1..]).is_some() {
        faults.accepted_in_kernels(*type_at, format_args!("a `{word}` is a variable of the module or a parameter of a kernel, and no function takes one; declare its handle `.b64` (PTX ISA 5.3)"));
    } else if of_instructions {
        faults.accepted(*type_at, format_args!("`{word}` is a type of instructions, which no parameter has, although ptxas takes it here; declare bits of the same size"));
    } else if lanes * parse_scalar(&word[1..], *type_at, faults).ok_or(None)?.bytes() > 16 {
        faults.at(*type_at, "a PTX vector holds at most 16 bytes; use fewer elements or an array");
    }
    let after = after_type(after, faults);
    let Some((name, after)) = join(after) else { return Err(number(after)) };
    if name.text == "WARP_SZ" {
        return Err(Some(tokens.len() - after.len() - 1));
    }
    let (extent, after) = match after {
        [Token::Group(Delimiter::Bracket, inner, ..), after @ ..] => (Some(inner), after),
        after => (None, after),
    };
    let is_incomplete = match extent.map(AsRef::as_ref) {
        Some([]) => true,
        Some([count @ Token::Number(..)]) => parse_param_count(count, faults).ok_or(None)? == 0,
        None | Some([Token::Constant(..) | Token::Word(..)]) => false,
        Some(_) => return Err(Some(tokens.len() - after.len() - 1)),
    };
    match after {
        [] => Ok(Formal { at: *at, is_register: *space == ".reg", is_incomplete }),
        after => Err(number(after)),
    }
}

fn is_power_of_two(number: &str) -> bool {
    let number = integer(number).and_then(|number| u64::try_from(number).ok());
    number.is_some_and(u64::is_power_of_two)
}

/// The state spaces of the memory that a parameter of a kernel points to (PTX ISA 5.1.6.3).
pub(crate) const POINTED_SPACES: &[&str] = &[".global", ".const", ".shared", ".local"];

/// Skips what only a parameter of a kernel has behind its type, and ptxas takes here, too: `.ptr .global .align 16`.
fn after_type<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    faults: &mut Faults<P>,
) -> &'s [Token<'t, P>] {
    let mut rest = tokens;
    if let [Token::Dotted(".ptr", ..), after @ ..] = rest {
        rest = after;
        if let [Token::Dotted(space, ..), after @ ..] = rest
            && POINTED_SPACES.contains(space)
        {
            rest = after;
        }
    }
    if let [Token::Dotted(".align", ..), Token::Number(align, _), after @ ..] = rest
        && is_power_of_two(align)
    {
        rest = after;
    }
    if rest.len() < tokens.len() {
        faults.accepted_in_kernels(
            tokens[0].start(),
            "only a parameter of a kernel has `.ptr` or an alignment after its type; remove it",
        );
    }
    rest
}

/// Writes a call prototype's tokens with a space before each dot that starts a word. The names in it are
/// not uses.
pub(super) fn verbatim<P: Copy>(
    tokens: &[Token<'_, P>],
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<()> {
    let (mut tight, mut rest) = (true, tokens);
    while let [token, after @ ..] = rest {
        rest = after;
        let at = (token.start(), token.end());
        match token {
            Token::Word(text, _) | Token::Number(text, _) | Token::Text(text, _) => {
                if !tight {
                    writer.space();
                }
                let kind = match token {
                    Token::Number(..) => TokenKind::Number,
                    Token::Text(..) => TokenKind::Text,
                    _ => TokenKind::Word,
                };
                writer.put(kind, text, at);
                tight = false;
            }
            Token::Dotted(text, start, end) => {
                if !tight {
                    writer.space();
                }
                writer.put(TokenKind::Modifier, text, (*start, *end));
                tight = false;
            }
            Token::Colons(text, start, end) => {
                writer.put(TokenKind::Submodifier, text, (*start, *end));
                tight = false;
            }
            Token::List(list, ..) => list.each(&mut |tokens, comma| {
                verbatim(tokens, writer, faults)?;
                if let Some(at) = comma {
                    writer.comma(at);
                }
                Some(())
            })?,
            Token::Sign(',', at) => {
                writer.comma(*at);
                tight = true;
            }
            Token::Sign(c, at) => {
                writer.sign(*c, *at);
                tight = true;
            }
            Token::Group(delimiter, inner, open, close) => {
                let (opens, closes) = delimiter.signs();
                if !tight && *delimiter == Delimiter::Parenthesis {
                    writer.space();
                }
                writer.put(TokenKind::Open, opens, (*open, *open));
                verbatim(inner, writer, faults)?;
                writer.put(TokenKind::Close, closes, (*close, *close));
                tight = false;
            }
            Token::Constant(constant, ..) => {
                constant::spliced(constant, at, writer, faults)?;
                tight = false;
            }
            Token::Inlined(inner, ..) => {
                verbatim(inner, writer, faults)?;
                tight = false;
            }
        }
    }
    Some(())
}
