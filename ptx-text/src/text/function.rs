//! The signatures of functions (PTX ISA 11.2 to 11.4).

use bumpalo::Bump;
use ptx_isa::ir::{
    self, Extent as Count, Function, FunctionKind, Linkage, Param, Pointer, Type, Variable,
};
use ptx_isa::rules::Scope;
use ptx_isa::{Opaque, ScalarType, Space};

use super::allowance::Allowed;
use super::boundary::LINKAGES;
use super::directive::{self, Around};
use super::extent::Extent;
use super::faults::SyntaxErrors;
use super::variable::{align_of, attributes, scalar};
use crate::body::token::{Delimiter, Faults, Language, Name, Token, join, names};
use crate::body::{
    Order, POINTED_SPACES, TWO_LANES, check_align, is_type_of_instructions, parse_param_count,
    space_first, type_meant,
};
use ptx_isa::near::dotted;

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
    /// The numbers of registers that its directives preserve.
    pub(super) preserved: [Option<u32>; 2],
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

/// Parses a signature from `.entry` or `.func` on. Parts that cannot be parsed are left out.
pub(super) fn read<'a>(
    (linkage, linkage_at): (Linkage, Option<Extent>),
    tokens: &[Token<'_, Extent>],
    allowed: &[Allowed],
    around: Around<'_>,
    arena: &'a Bump,
    errors: &mut SyntaxErrors,
) -> Option<(Function<'a>, Signature<'a>)> {
    let (directive, mut rest) = tokens.split_first()?;
    let kind = match directive {
        Token::Dotted(".entry", ..) => FunctionKind::Kernel,
        _ => FunctionKind::Device,
    };
    let mut signature = Signature { linkage: linkage_at, ..Signature::default() };
    let has_abi = around.header.older.is_none_or(|older| older.arch >= 20);
    let formal = Formal { kind, is_defined: around.is_defined, has_abi };
    let mut faults = Faults::of(Language::Ptx);
    if let Some(first @ Token::Dotted(".attribute", ..)) = rest.first() {
        signature.attribute = Some(first.start());
    }
    let (attributes, after) = attributes(rest, &mut faults);
    rest = after;
    if let Some(at) = signature.attribute {
        if kind == FunctionKind::Kernel {
            faults.at(at, "a kernel has no attributes; remove it (PTX ISA 5.4.8)");
        } else if attributes.managed {
            faults.at(at, "a function is not `.managed`; remove it (PTX ISA 5.4.8)");
        }
    }
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
        returns = params(inner, formal, arena, (&mut returns_at, &mut assumed), &mut faults);
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
        errors.extend(faults);
        return None;
    };
    (signature.name, rest) = (Extent::over(at), after);
    let (mut inputs, mut inputs_at) = (Vec::new(), Vec::new());
    if let [Token::Group(Delimiter::Parenthesis, inner, ..), after @ ..] = rest {
        inputs = params(inner, formal, arena, (&mut inputs_at, &mut assumed), &mut faults);
        rest = after;
    }
    let function = Function::new(kind, arena.alloc_str(&text));
    signature.preserved = directive::preserved(rest);
    let (directives, directives_at) = directive::read(rest, &function, around, &mut faults);
    errors.extend(faults);
    let codes: Vec<&'a str> = allowed.iter().map(|allowed| allowed.code).collect();
    let function = Function {
        linkage,
        returns: arena.alloc_slice_copy(&returns),
        params: arena.alloc_slice_copy(&inputs),
        directives: arena.alloc_slice_copy(&directives),
        unified: attributes.unified,
        allow: arena.alloc_slice_copy(&codes),
        ..function
    };
    signature.params = arena.alloc_slice_copy(&inputs_at);
    signature.returns = arena.alloc_slice_copy(&returns_at);
    signature.assumed = arena.alloc_slice_copy(&assumed);
    signature.directives = arena.alloc_slice_copy(&directives_at);
    Some((function, signature))
}

/// Whose parameter it is.
#[derive(Clone, Copy)]
struct Formal {
    kind: FunctionKind,
    /// Whether the function has a body.
    is_defined: bool,
    /// Whether the target has the ABI, in which functions have a parameter space.
    has_abi: bool,
}

/// Parses the parameters in parentheses.
fn params<'a>(
    tokens: &[Token<'_, Extent>],
    formal: Formal,
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
        let read = param(each, formal, arena, faults);
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
    Formal { kind, is_defined, has_abi }: Formal,
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
    let scope = match kind {
        FunctionKind::Kernel => Scope::Param,
        FunctionKind::Device => Scope::Function,
    };
    let start = tokens.first()?.start();
    let mut align = align_of(&mut rest, faults);
    // ptxas takes the last alignment, and checks all of them.
    while let Some((later, at)) = align_of(&mut rest, faults) {
        if let Some(earlier) = align.replace((later, at)) {
            check_align(earlier, space, scope, faults);
        }
    }
    if let [
        Token::Dotted(".attribute", at, _),
        Token::Group(Delimiter::Parenthesis, ..),
        after @ ..,
    ] = rest
    {
        let message = "a parameter has no attributes, and ptxas ignores them in declarations without a body; remove it";
        if is_defined {
            faults.at(*at, message);
        } else {
            faults.accepted(*at, message);
        }
        rest = after;
    }
    let (mut lanes, mut lanes_at) = (1, None);
    let mut ty = None;
    while let [Token::Dotted(word, at, end), after @ ..] = rest {
        let at = Extent::over((*at, *end));
        rest = after;
        match *word {
            ".v2" | ".v4" if lanes != 1 => {
                faults.at(at, TWO_LANES);
                return None;
            }
            ".v2" => (lanes, lanes_at) = (2, Some(at)),
            ".v4" => (lanes, lanes_at) = (4, Some(at)),
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
    let is_array = matches!(rest.last(), Some(Token::Group(Delimiter::Bracket, ..)));
    let opaque = Opaque::from_name(&word[1..]);
    let mut ty: &'a Type<'a> = match (opaque, scalar(word), lanes) {
        (Some(opaque), ..) => arena.alloc(Type::Opaque(opaque)),
        (None, Some(scalar), 1) => Type::of_scalar(scalar),
        (None, Some(scalar), lanes) => arena.alloc(Type::Vector(lanes, scalar)),
        (None, None, _) => {
            let advice = type_meant(word.trim_start_matches('.'));
            let message = format!("no type of parameters is called `{word}`; {advice}");
            // ptxas accepts the types of instructions where it need not lay them out, and in arrays.
            let is_laid_out = is_defined && !is_array;
            if is_laid_out || !is_type_of_instructions(&word[1..]) {
                faults.at(ty_at, message);
            } else {
                faults.accepted(ty_at, message);
            }
            return None;
        }
    };
    if opaque.is_some() && lanes > 1 {
        faults.at(ty_at, format_args!("`{word}` has no vectors; remove `.v{lanes}`"));
    }
    if kind == FunctionKind::Device && space == Space::Param && !has_abi {
        faults.at(start, "targets older than sm_20 pass parameters in registers; write `.reg`");
    }
    let is_composed = matches!(ty, Type::Vector(..) | Type::Scalar(ScalarType::F16x2));
    if space == Space::Param && is_composed {
        let composed_at = lanes_at.unwrap_or(ty_at);
        let message = "a `.param` of a function is a scalar or an array of scalars; declare bytes, as in `.param .align 8 .b8 pair[8]` (PTX ISA 5.1.6)";
        // ptxas accepts it where it need not lay it out, and in arrays.
        if is_defined && !is_array {
            faults.at(composed_at, message);
        } else {
            faults.accepted(composed_at, message);
        }
    }
    let (mut pointer, mut pointer_at) = (None, None);
    if let [Token::Dotted(".ptr", at, _), after @ ..] = rest {
        (rest, pointer_at) = (after, Some(*at));
        if kind == FunctionKind::Device {
            faults.at(*at, "`.ptr` describes parameters of kernels; remove it (PTX ISA 5.1.6.3)");
        }
        // LLVM writes `.ptr .texref` about a parameter that holds the handle of a texture, which points to nothing.
        let (mut space, mut is_handle) = (None, false);
        if let [Token::Dotted(word, at, _), after @ ..] = rest {
            if POINTED_SPACES.contains(word) {
                (space, rest) = (Space::from_name(&word[1..]), after);
            } else if Opaque::from_name(&word[1..]).is_some() {
                (is_handle, rest) = (true, after);
            } else if *word != ".align" {
                let advice = dotted(&word[1..], POINTED_SPACES.iter().map(|space| &space[1..]));
                faults.at(
                    *at,
                    format_args!("no state space of pointers is called `{word}`; {advice}"),
                );
                rest = after;
            }
        }
        // PTX ISA 5.1.6.3: the default is 4 bytes.
        let align = align_of(&mut rest, faults);
        if let Some((bytes, at)) = align
            && u32::try_from(bytes).is_err()
        {
            faults.at(at, format_args!("the alignment {bytes} does not fit in 32 bits"));
        }
        let align = align.map_or(4, |(align, _)| align);
        if let [Token::Dotted(word, at, _), after @ ..] = rest
            && Space::from_name(&word[1..]).is_some()
        {
            faults.at(*at, format_args!("the state space of a pointer goes before its alignment, as in `.ptr {word} .align {align}`"));
            rest = after;
        }
        let pointee = Type::of_scalar(ScalarType::B8);
        pointer = (!is_handle).then_some(Pointer { space, align: Some(align), pointee });
    }
    if let (None, Some(at)) = (pointer_at, rest.first().map(Token::start)) {
        let later = align_of(&mut rest, faults);
        if let (Some(_), Some(later)) = (align, later) {
            check_align(later, space, scope, faults);
        }
        if later.is_some() {
            const BEFORE: &str =
                "the alignment goes before the type, as in `.param .align 8 .b8 pair[8]`";
            match kind {
                FunctionKind::Device => faults.at(at, BEFORE),
                // It is the one of a pointer, without `.ptr`, and does not place the parameter.
                FunctionKind::Kernel => {
                    faults.accepted(at, format_args!("{BEFORE}; ptxas ignores it here"));
                }
            }
        }
    }
    let Some((Name { text, at }, mut rest)) = join(rest) else {
        let at = rest.first().map_or(ty_at, Token::start);
        faults.at(at, "expected a name after the type, as in `.param .u64 data`");
        return None;
    };
    let mut extents = Vec::new();
    while let [Token::Group(Delimiter::Bracket, inner, open, _), after @ ..] = rest {
        if !extents.is_empty() {
            faults.at(*open, "an array that is a parameter has one dimension; write the number of all its elements");
            return None;
        }
        extents.push(match inner {
            [] => Count::Incomplete,
            [Token::Number(number, _)]
                if kind == FunctionKind::Kernel && ir::body::integer(number).is_some() =>
            {
                ir::body::integer(number)
                    .and_then(|number| usize::try_from(number).ok())
                    .map_or(Count::Incomplete, Count::Known)
            }
            [count] => Count::Known(parse_param_count(count, faults)?),
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
    Some((Param { variable, pointer, readonly: false, elements: None }, place))
}
