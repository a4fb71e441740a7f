//! The signatures of functions (PTX ISA 11.2 to 11.4).

use bumpalo::Bump;
use ptx_types::ir::{
    self, Directive, DirectiveKind, Extent as Count, Function, FunctionKind, Linkage, Param,
    Pointer, Type, Variable,
};
use ptx_types::{Opaque, ScalarType, Space};

use super::allowance::Allowed;
use super::boundary::LINKAGES;
use super::extent::Extent;
use super::faults::Complaints;
use super::variable::{align_of, attributes, scalar};
use crate::body::token::{Delimiter, Faults, Language, Name, Token, join, names};
use crate::body::{
    MOST_DIMENSIONS, Order, TWO_LANES, space_first, too_many_dimensions, type_meant, wrapped,
};
use ptx_types::near::dotted;

/// The locations of the parts of a signature.
#[derive(Debug, Default)]
pub(super) struct Signature<'a> {
    pub(super) name: Extent,
    pub(super) linkage: Option<Extent>,
    /// The location of `.attribute`.
    pub(super) attribute: Option<Extent>,
    pub(super) params: &'a [ParamAt],
    pub(super) returns: &'a [ParamAt],
    /// Names in parameters that could not be parsed, which are assumed to be declared there.
    pub(super) assumed: &'a [&'a str],
    /// The locations of the directives, and of the values of each.
    pub(super) directives: &'a [(Extent, Extent)],
}

/// The locations of the parts of a parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParamAt {
    pub(super) name: Extent,
    pub(super) ty: Extent,
    pub(super) align: Option<Extent>,
    /// The location of `.ptr`.
    pub(super) pointer: Option<Extent>,
}

/// Directives of functions that the table does not have: they are left to ptxas.
const OTHERS: &[&str] =
    &["pragma", "abi_preserve", "abi_preserve_control", "blocksareclusters", "maxnctapersm"];

/// Parses a signature from `.entry` or `.func` on. Parts that cannot be parsed are left out.
pub(super) fn read<'a>(
    (linkage, linkage_at): (Linkage, Option<Extent>),
    tokens: &[Token<'_, Extent>],
    allowed: &[Allowed],
    arena: &'a Bump,
    complaints: &mut Complaints,
) -> Option<(Function<'a>, Signature<'a>)> {
    let (directive, mut rest) = tokens.split_first()?;
    let kind = match directive {
        Token::Dotted(".entry", ..) => FunctionKind::Kernel,
        _ => FunctionKind::Device,
    };
    let mut signature = Signature { linkage: linkage_at, ..Signature::default() };
    let (mut directives, mut directives_at) = (Vec::new(), Vec::new());
    let mut faults = Faults::of(Language::Ptx);
    if let Some(first @ Token::Dotted(".attribute", ..)) = rest.first() {
        signature.attribute = Some(first.start());
    }
    let (attributes, after) = attributes(rest, &mut faults);
    rest = after;
    if let [Token::Dotted(".noreturn", at, _), after @ ..] = rest {
        faults.at(
            *at,
            "`.noreturn` goes after the parameters, as in `.func stop() .noreturn;` (PTX ISA 11.3)",
        );
        rest = after;
    }
    let (mut returns, mut returns_at) = (Vec::new(), Vec::new());
    let mut assumed: Vec<&'a str> = Vec::new();
    if let [Token::Group(Delimiter::Parenthesis, inner, open, _), after @ ..] = rest {
        if kind == FunctionKind::Kernel && !after.is_empty() {
            faults.at(*open, "a kernel returns nothing; write its parameters after its name");
        }
        returns = params(inner, kind, arena, (&mut returns_at, &mut assumed), &mut faults);
        rest = after;
    }
    let Some((Name { text, at }, after)) = join(rest) else {
        let at = rest.first().map_or(directive.end(), Token::start);
        match rest.first() {
            Some(Token::Dotted(word, ..)) if LINKAGES.contains(word) => {
                let directive = kind.directive();
                faults.at(
                    at,
                    format_args!("`{word}` goes before `{directive}`: `{word} {directive}`"),
                );
            }
            Some(Token::Dotted(".param" | ".reg", ..)) if kind == FunctionKind::Device => {
                faults.at(
                    at,
                    "a returned value goes in parentheses, as in `.func (.param .b32 r) f()`",
                );
            }
            _ => faults.at(at, "a function has a name, as in `.visible .entry scale()`"),
        }
        complaints.extend(faults);
        return None;
    };
    (signature.name, rest) = (Extent::over(at), after);
    let (mut inputs, mut inputs_at) = (Vec::new(), Vec::new());
    if let [Token::Group(Delimiter::Parenthesis, inner, ..), after @ ..] = rest {
        inputs = params(inner, kind, arena, (&mut inputs_at, &mut assumed), &mut faults);
        rest = after;
    }
    while let Some((first, after)) = rest.split_first() {
        rest = match first {
            Token::Sign(';', _) => after,
            Token::Dotted(word, start, end) => {
                let at = Extent::over((*start, *end));
                let end = after.iter().position(|token| matches!(token, Token::Dotted(..)));
                let (values, after) = after.split_at(end.unwrap_or(after.len()));
                let is_ended = values.last().is_some_and(|last| last.is_sign(';'));
                if *word == ".pragma" && kind == FunctionKind::Kernel && !is_ended {
                    faults.at(at, "a `.pragma` ends with `;`, also before the body of a kernel (PTX ISA 11.4)");
                }
                if let Some(directive) = directive_of(&word[1..], at, values, &mut faults) {
                    directives.push(directive);
                    let values_at = match (values.first(), values.last()) {
                        (Some(first), Some(last)) => Extent::over((first.start(), last.end())),
                        _ => at,
                    };
                    directives_at.push((at, values_at));
                }
                after
            }
            other => {
                faults.at(
                    other.start(),
                    "expected a directive such as `.maxntid`, a body in braces or `;`",
                );
                &[]
            }
        };
    }
    complaints.extend(faults);
    let codes: Vec<&'a str> = allowed.iter().map(|allowed| allowed.code).collect();
    let function = Function {
        linkage,
        returns: arena.alloc_slice_copy(&returns),
        params: arena.alloc_slice_copy(&inputs),
        directives: arena.alloc_slice_copy(&directives),
        unified: attributes.unified,
        allow: arena.alloc_slice_copy(&codes),
        ..Function::new(kind, arena.alloc_str(&text))
    };
    signature.params = arena.alloc_slice_copy(&inputs_at);
    signature.returns = arena.alloc_slice_copy(&returns_at);
    signature.assumed = arena.alloc_slice_copy(&assumed);
    signature.directives = arena.alloc_slice_copy(&directives_at);
    Some((function, signature))
}

/// Parses `.maxntid 256, 1, 1`.
fn directive_of(
    word: &str,
    at: Extent,
    values: &[Token<'_, Extent>],
    faults: &mut Faults<Extent>,
) -> Option<Directive> {
    let Some(kind) = DirectiveKind::ALL.iter().copied().find(|kind| kind.name() == word) else {
        if !OTHERS.contains(&word) {
            let known = DirectiveKind::ALL.iter().map(|kind| kind.name());
            let known: Vec<&str> = known.chain(OTHERS.iter().copied()).collect();
            let advice = dotted(word, known.into_iter());
            faults.at(at, format_args!("no directive `.{word}` on a function; {advice}"));
        }
        return None;
    };
    let values = match values.split_last() {
        Some((Token::Sign(';', _), values)) => values,
        _ => values,
    };
    let mut numbers = if kind.arity() == 0 { [0; 3] } else { [1; 3] };
    let mut count = 0;
    for value in values.split(|token| token.is_sign(',')) {
        let number = match value {
            [] if values.is_empty() => break,
            [Token::Number(number, at)] => directive_number(number, *at, faults),
            [Token::Word("WARP_SZ", _)] => Some(32),
            _ => None,
        };
        match (number, numbers.get_mut(count)) {
            (Some(number), Some(place)) if count < kind.arity() => *place = number,
            _ => {
                let at = value.first().map_or(at, Token::start);
                if let [Token::Number(..), next @ Token::Number(..), ..] = value {
                    faults.at(next.start(), "write `,` before another number");
                    return None;
                }
                let most = match kind.arity() {
                    0 => "takes no number".to_owned(),
                    1 => "takes one number of 32 bits".to_owned(),
                    most => format!("takes up to {most} numbers of 32 bits"),
                };
                faults.at(at, format_args!("`.{word}` {most}"));
                return None;
            }
        }
        count += 1;
    }
    if count == 0 && kind.arity() > 0 {
        faults.at(at, format_args!("expected a number, as in `.{word} 1`"));
        return None;
    }
    Some(Directive { kind, values: numbers })
}

/// A number of 32 bits; a greater one is reported and has the value that ptxas uses.
fn directive_number(text: &str, at: Extent, faults: &mut Faults<Extent>) -> Option<u32> {
    let number = ir::body::integer(text)?;
    if let Ok(number) = u32::try_from(number) {
        return Some(number);
    }
    // ptxas compares the lowest 64 bits as a signed number with the limit, and uses the lowest 32.
    let lowest = wrapped(text, number)?.cast_signed();
    let taken = match u32::try_from(lowest) {
        Ok(taken) => taken,
        Err(_) if lowest < 0 => (lowest & 0xFFFF_FFFF).try_into().unwrap_or_default(),
        Err(_) => return None,
    };
    faults.taken(at, format_args!("`{text}` does not fit in 32 bits, and ptxas takes {taken} for it; write the intended number"));
    Some(taken)
}

/// Parses the parameters in parentheses.
fn params<'a>(
    tokens: &[Token<'_, Extent>],
    kind: FunctionKind,
    arena: &'a Bump,
    (places, assumed): (&mut Vec<ParamAt>, &mut Vec<&'a str>),
    faults: &mut Faults<Extent>,
) -> Vec<Param<'a>> {
    if tokens.is_empty() {
        return Vec::new();
    }
    let mut end = None;
    let each = tokens.split(|token| token.is_sign(','));
    let read = each.filter_map(|each| {
        let start = each.first().map(Token::start);
        if let (None, Some(at)) = (start, end.or(tokens.first().map(Token::start))) {
            faults
                .at(at, "a parameter is missing beside this comma; write it, or remove the comma");
        }
        end = each.last().map(Token::end).or(end);
        let read = param(each, kind, arena, faults);
        if read.is_none() {
            assumed.extend(names(each).map(|name| &*arena.alloc_str(&name.text)));
        }
        read
    });
    let read: Vec<(Param<'a>, ParamAt)> = read.collect();
    places.extend(read.iter().map(|(_, at)| *at));
    read.into_iter().map(|(param, _)| param).collect()
}

/// Parses `.param .u64 .ptr .global .align 16 data`, `.param .align 8 .b8 config[24]` or `.reg .f32 x`.
fn param<'a>(
    tokens: &[Token<'_, Extent>],
    kind: FunctionKind,
    arena: &'a Bump,
    faults: &mut Faults<Extent>,
) -> Option<(Param<'a>, ParamAt)> {
    let in_order;
    let tokens = match space_first(tokens, faults) {
        Order::Written | Order::Nothing => tokens,
        Order::Other(tokens) => {
            in_order = tokens;
            in_order.as_slice()
        }
    };
    let (space, mut rest) = match tokens {
        [Token::Dotted(".param", ..), rest @ ..] => (Space::Param, rest),
        [Token::Dotted(".reg", ..), rest @ ..] => (Space::Reg, rest),
        [other, ..] => {
            let form = match kind {
                FunctionKind::Kernel => {
                    "a parameter of a kernel starts with `.param`, as in `.param .u64 data`"
                }
                FunctionKind::Device => {
                    "a parameter starts with `.param` or `.reg`, as in `.param .b32 n`"
                }
            };
            faults.at(other.start(), form);
            return None;
        }
        [] => return None,
    };
    let start = tokens.first()?.start();
    let mut align = align_of(&mut rest, faults);
    if let [
        Token::Dotted(".attribute", at, _),
        Token::Group(Delimiter::Parenthesis, ..),
        after @ ..,
    ] = rest
    {
        faults.taken(*at, "a parameter has no attributes, and ptxas ignores them in declarations without a body; remove it");
        rest = after;
    }
    let mut lanes = 1;
    let mut ty = None;
    while let [Token::Dotted(word, at, end), after @ ..] = rest {
        let at = Extent::over((*at, *end));
        rest = after;
        match *word {
            ".v2" | ".v4" if lanes != 1 => {
                faults.at(at, TWO_LANES);
                return None;
            }
            ".v2" => lanes = 2,
            ".v4" => lanes = 4,
            _ => {
                ty = Some((*word, at));
                break;
            }
        }
    }
    let Some((word, ty_at)) = ty else {
        faults.at(start, "expected a type, as in `.param .u64 data`");
        return None;
    };
    let opaque = Opaque::ALL.iter().copied().find(|opaque| opaque.declared() == word);
    let mut ty: &'a Type<'a> = match (opaque, scalar(word), lanes) {
        (Some(opaque), ..) => arena.alloc(Type::Opaque(opaque)),
        (None, Some(scalar), 1) => Type::of_scalar(scalar),
        (None, Some(scalar), lanes) => arena.alloc(Type::Vector(lanes, scalar)),
        (None, None, _) => {
            let advice = type_meant(word.trim_start_matches('.'));
            faults.at(ty_at, format_args!("no type of parameters is called `{word}`; {advice}"));
            return None;
        }
    };
    let (mut pointer, mut pointer_at) = (None, None);
    if let [Token::Dotted(".ptr", at, _), after @ ..] = rest {
        (rest, pointer_at) = (after, Some(*at));
        // LLVM writes `.ptr .texref` about a parameter that holds the handle of a texture, which points to nothing.
        let (mut space, mut is_handle) = (None, false);
        if let [Token::Dotted(word, at, _), after @ ..] = rest {
            if let Some(found) = Space::from_name(&word[1..]) {
                (space, rest) = (Some(found), after);
            } else if Opaque::ALL.iter().any(|opaque| opaque.declared() == *word) {
                (is_handle, rest) = (true, after);
            } else if *word != ".align" {
                let spaces = ["global", "const", "shared", "local"];
                let advice = dotted(&word[1..], spaces.into_iter());
                faults.at(
                    *at,
                    format_args!("no state space of pointers is called `{word}`; {advice}"),
                );
                rest = after;
            }
        }
        // PTX ISA 5.1.6.3: the default is 4 bytes.
        let align = align_of(&mut rest, faults).map_or(4, |(align, _)| align);
        if let [Token::Dotted(word, at, _), after @ ..] = rest
            && Space::from_name(&word[1..]).is_some()
        {
            faults.at(*at, format_args!("the state space of a pointer goes before its alignment, as in `.ptr {word} .align {align}`"));
            rest = after;
        }
        let pointee = Type::of_scalar(ScalarType::B8);
        pointer = (!is_handle).then_some(Pointer { space, align: Some(align), pointee });
    }
    if align.is_none() {
        align = align_of(&mut rest, faults);
    }
    let Some((Name { text, at }, mut rest)) = join(rest) else {
        let at = rest.first().map_or(ty_at, Token::start);
        faults.at(at, "expected a name after the type, as in `.param .u64 data`");
        return None;
    };
    let mut extents = Vec::new();
    while let [Token::Group(Delimiter::Bracket, inner, open, _), after @ ..] = rest {
        if extents.len() == MOST_DIMENSIONS {
            faults.at(*open, too_many_dimensions());
            return None;
        }
        extents.push(match inner {
            [] => Count::Incomplete,
            [Token::Number(number, _)] => ir::body::integer(number)
                .and_then(|number| usize::try_from(number).ok())
                .map_or(Count::Incomplete, Count::Known),
            _ => {
                faults.at(*open, "an extent is one number");
                return None;
            }
        });
        rest = after;
    }
    if let Some(other) = rest.first() {
        faults.at(other.start(), "write `,` before another parameter");
        return None;
    }
    for extent in extents.into_iter().rev() {
        ty = arena.alloc(Type::Array(extent, ty));
    }
    let mut variable = Variable::new(space, arena.alloc_str(&text), ty);
    variable.align = align.map(|(align, _)| align);
    let place = ParamAt {
        name: Extent::over(at),
        ty: ty_at,
        align: align.map(|(_, at)| at),
        pointer: pointer_at,
    };
    Some((Param { variable, pointer, readonly: false }, place))
}
