//! The variables of a module (PTX ISA 5.4).

use bumpalo::Bump;
use ptx_isa::ir::{self, Extent as Count, Init, Linkage, Type, Unified, Value, Variable};
use ptx_isa::{
    AddressMode, Assignment, Class, FilterMode, Member, MemberValue, Opaque, ScalarType, Space,
};

use super::allowance::Allowed;
use super::extent::Extent;
use super::values::values;
use crate::body::token::{Delimiter, Faults, Language, Name, Token, join};
use crate::body::{
    BodyWriter, MOST_DIMENSIONS, lower_declaration, parse_next, taken, too_many_dimensions,
    value_after,
};
use ptx_isa::near::alternatives;

/// A variable, and the locations of its parts.
#[derive(Debug)]
pub(super) struct DeclaredVariable<'a> {
    pub(super) variable: &'a Variable<'a>,
    pub(super) name: Extent,
    pub(super) linkage: Option<Extent>,
    pub(super) space: Extent,
    pub(super) align: Option<Extent>,
    pub(super) ty: Extent,
    pub(super) value: Option<Extent>,
}

/// The contents of `.attribute(..)`.
#[derive(Default)]
pub(super) struct Attributes {
    pub(super) managed: bool,
    pub(super) unified: Option<Unified>,
}

/// Parses a declaration from its state space on, without its semicolon, with which it is `ended`, unless its parts are
/// in another order there.
pub(super) fn read<'a>(
    (linkage, linkage_at): (Linkage, Option<Extent>),
    (tokens, ended, text): (&[Token<'_, Extent>], &[Token<'_, Extent>], &str),
    allowed: &[Allowed],
    arena: &'a Bump,
    (read, faults): (&mut Vec<DeclaredVariable<'a>>, &mut Faults<Extent>),
) {
    let [space @ Token::Dotted(word, start, end), rest @ ..] = tokens else { return };
    let space_at = Extent::over((*start, *end));
    let (mut attributes, rest) = attributes(rest, faults);
    let codes: Vec<&'a str> = allowed.iter().map(|allowed| allowed.code).collect();
    let codes: &'a [&'a str] = arena.alloc_slice_copy(&codes);
    let state_space = Space::from_name(&word[1..]).unwrap_or(Space::Global);
    // Attributes may also follow an alignment.
    let moved: Vec<Token<'_, Extent>>;
    let rest = match rest {
        [
            align @ Token::Dotted(".align", ..),
            number @ Token::Number(..),
            attribute @ Token::Dotted(".attribute", ..),
            after @ ..,
        ] => {
            let with_attribute = [&[*attribute], after].concat();
            let (found, after) = self::attributes(&with_attribute, faults);
            attributes = found;
            moved = [&[*align, *number], after].concat();
            moved.as_slice()
        }
        rest => rest,
    };
    let mut after_align = rest;
    let align = align_of(&mut after_align, &mut Faults::of(Language::Ptx));
    let finish = |variable: Variable<'a>, name, align, ty, value| DeclaredVariable {
        variable: arena.alloc(Variable {
            linkage,
            managed: attributes.managed,
            unified: attributes.unified,
            allow: codes,
            ..variable
        }),
        name,
        linkage: linkage_at,
        space: space_at,
        align,
        ty,
        value,
    };
    if let Some(Token::Dotted(ty, start, end)) = after_align.first()
        && let Some(opaque) = Opaque::from_name(&ty[1..])
    {
        let ty_at = Extent::over((*start, *end));
        let declared = read_opaque(opaque, state_space, &after_align[1..], ty_at, arena, faults);
        read.extend(declared.into_iter().map(|(variable, name, value)| {
            let align_at = align.map(|(_, at)| at);
            let align = align.map(|(bytes, _)| bytes);
            finish(Variable { align, ..variable }, name, align_at, ty_at, value)
        }));
        return;
    }
    let mut each = |tokens: &[Token<'_, Extent>], faults: &mut Faults<Extent>| {
        let mut writer = BodyWriter::sink();
        parse_next(tokens, &[], &mut writer, faults);
        read.extend(writer.finish().declarations.iter().map(|declaration| {
            let mut variable = lower_declaration(declaration, arena, &|written, scalar| {
                values(text, written, scalar, arena)
            });
            if let (Some((_, at)), true) = (&declaration.value, is_never_initialised(&variable)) {
                faults.at(*at, "PTX has no initial values of `.f16` and `.f16x2`; declare bits, as in `.b16`, and write the bits of the number (PTX ISA 5.4.4)");
                variable.init = Init::None;
            }
            finish(
                as_bits(variable, arena),
                Extent::over(declaration.name.at),
                declaration.align.as_ref().map(|(_, at)| *at),
                declaration.type_at,
                declaration.value.as_ref().map(|(_, at)| *at),
            )
        }));
    };
    match rest.split_last() {
        // Each name of a long list is read by itself, so that only the variables are kept of it.
        Some((Token::List(list, ..), head)) => {
            list.each(&mut |item, comma| {
                let item = match (item, comma) {
                    ([], Some(comma)) => &[Token::Sign(',', comma)],
                    (item, _) => item,
                };
                let end = comma.unwrap_or_else(|| item.last().unwrap_or(space).end());
                each(&whole(&[&[*space], head, item], end), faults);
                faults.is_empty().then_some(())
            });
        }
        // A long value is not copied.
        _ if rest.len() + 2 == ended.len() => each(ended, faults),
        _ => each(&whole(&[&[*space], rest], rest.last().unwrap_or(space).end()), faults),
    }
}

/// The tokens of a declaration that ends with a semicolon.
fn whole<'t>(parts: &[&[Token<'t, Extent>]], end: Extent) -> Vec<Token<'t, Extent>> {
    let mut all = parts.concat();
    all.push(Token::Sign(';', end));
    all
}

/// Whether its initial value has an element of a type that has no initial values.
fn is_never_initialised(variable: &Variable<'_>) -> bool {
    let is_empty = matches!(variable.init, Init::Value(value) if value.elements() == Some(0));
    let is_half = matches!(variable.ty.scalar(), Some(ScalarType::F16 | ScalarType::F16x2));
    is_half && !is_empty && !matches!(variable.init, Init::None)
}

/// The variable with its integers in the range of its type: text gives the bits of a number, such as `-1` for the
/// greatest value of an unsigned type, and 255 for -1.
pub(super) fn as_bits<'a>(variable: Variable<'a>, arena: &'a Bump) -> Variable<'a> {
    match (variable.init, variable.ty.scalar()) {
        (Init::Value(value), Some(scalar)) => {
            Variable { init: Init::Value(bits_of(value, scalar, arena)), ..variable }
        }
        _ => variable,
    }
}

fn bits_of<'a>(value: Value<'a>, scalar: ScalarType, arena: &'a Bump) -> Value<'a> {
    match value {
        // A large value is not copied without need.
        same if is_as_bits(same, scalar) => same,
        Value::Int(number) => Value::Int(bits(number, scalar)),
        Value::Integers(values) => {
            let values = values.iter().map(|number| bits(*number, scalar));
            Value::Integers(arena.alloc_slice_fill_iter(values))
        }
        Value::List(values) => {
            let values = values.iter().map(|value| bits_of(*value, scalar, arena));
            Value::List(arena.alloc_slice_fill_iter(values))
        }
        other => other,
    }
}

/// Whether all integers in a value are in the range of its type.
fn is_as_bits(value: Value<'_>, scalar: ScalarType) -> bool {
    match value {
        Value::Int(number) => bits(number, scalar) == number,
        Value::Integers(values) => values.iter().all(|number| bits(*number, scalar) == *number),
        Value::List(values) => values.iter().all(|value| is_as_bits(*value, scalar)),
        _ => true,
    }
}

/// The integer with these bits in a type.
fn bits(number: i128, scalar: ScalarType) -> i128 {
    let range = 1_i128 << (8 * scalar.bytes()).min(64);
    match scalar.class() {
        Class::Unsigned | Class::Bits if number < 0 && number >= -(range / 2) => number + range,
        Class::Signed if number >= range / 2 && number < range => number - range,
        _ => number,
    }
}

/// Parses `.attribute(.managed, .unified(1, 2))` at the start of some tokens. Returns it and the tokens that follow.
pub(super) fn attributes<'s, 't>(
    tokens: &'s [Token<'t, Extent>],
    faults: &mut Faults<Extent>,
) -> (Attributes, &'s [Token<'t, Extent>]) {
    let mut found = Attributes::default();
    let mut rest = tokens;
    while let [Token::Dotted(".attribute", at, _), after @ ..] = rest {
        let [Token::Group(Delimiter::Parenthesis, inner, ..), after @ ..] = after else {
            faults.at(
                *at,
                "expected attributes in parentheses, as in `.attribute(.managed)` (PTX ISA 5.4.8)",
            );
            let mut after = &rest[1..];
            if let [Token::Dotted(".managed" | ".unified", ..), next @ ..] = after {
                after = next;
            }
            return (found, after);
        };
        for attribute in inner.split(|token| token.is_sign(',')) {
            match attribute {
                [Token::Dotted(".managed", ..)] => found.managed = true,
                [
                    Token::Dotted(".unified", unified, _),
                    Token::Group(Delimiter::Parenthesis, halves, ..),
                ] => {
                    let halves: Vec<Option<u64>> = halves
                        .split(|token| token.is_sign(','))
                        .map(|half| match half {
                            [Token::Number(number, at)] => half_of_unified(number, *at, faults),
                            _ => None,
                        })
                        .collect();
                    match halves.as_slice() {
                        [Some(upper), Some(lower)] => {
                            found.unified = Some(Unified { upper: *upper, lower: *lower });
                        }
                        _ => faults.at(*unified, "`.unified` takes two numbers of 64 bits, as in `.unified(1, 2)` (PTX ISA 5.4.8)"),
                    }
                }
                _ => {
                    let at = attribute.first().map_or(*at, Token::start);
                    faults.at(at, "an attribute is `.managed` or `.unified(1, 2)` (PTX ISA 5.4.8)");
                }
            }
        }
        rest = after;
    }
    (found, rest)
}

/// Half of the identifier of a unified variable, of 64 bits; a greater number is reported and has the value that
/// ptxas uses.
fn half_of_unified(text: &str, at: Extent, faults: &mut Faults<Extent>) -> Option<u64> {
    let number = ir::body::integer(text)?;
    u64::try_from(number).ok().or_else(|| taken(text, at, faults))
}

/// A variable, the location of its name, and that of its value.
type ReadOpaque<'a> = (Variable<'a>, Extent, Option<Extent>);

/// Parses `tex = { addr_mode_0 = wrap, filter_mode = nearest }, other` (PTX ISA 5.3).
fn read_opaque<'a>(
    opaque: Opaque,
    space: Space,
    tokens: &[Token<'_, Extent>],
    ty_at: Extent,
    arena: &'a Bump,
    faults: &mut Faults<Extent>,
) -> Vec<ReadOpaque<'a>> {
    let mut found = Vec::new();
    if tokens.is_empty() {
        faults.accepted(ty_at, "this declares nothing; write a name after the type");
        return found;
    }
    for declarator in tokens.split(|token| token.is_sign(',')) {
        let Some((Name { text, at }, mut rest)) = join(declarator) else {
            let at = declarator.first().map_or(ty_at, Token::start);
            faults.at(at, format_args!("a name has to follow `{}`", opaque.declared()));
            continue;
        };
        let mut ty = Type::Opaque(opaque);
        if let [Token::Sign('<', _), Token::Number(number, _), Token::Sign('>', _), after @ ..] =
            rest
        {
            let count = ir::body::integer(number).and_then(|number| usize::try_from(number).ok());
            ty = Type::Family(count.map_or(Count::Incomplete, Count::Known), arena.alloc(ty));
            rest = after;
        }
        let mut extents = Vec::new();
        while let [Token::Group(Delimiter::Bracket, inner, open, _), after @ ..] = rest {
            if extents.len() == MOST_DIMENSIONS {
                faults.at(*open, too_many_dimensions());
                break;
            }
            let count = match inner {
                [Token::Number(number, _)] => ir::body::integer(number)
                    .and_then(|number| usize::try_from(number).ok())
                    .map_or(Count::Incomplete, Count::Known),
                _ => Count::Incomplete,
            };
            extents.push(count);
            rest = after;
        }
        for count in extents.into_iter().rev() {
            ty = Type::Array(count, arena.alloc(ty));
        }
        let mut variable = Variable::new(space, arena.alloc_str(&text), arena.alloc(ty));
        let mut value_at = None;
        match rest {
            [] => {}
            [Token::Sign('=', _), Token::Group(Delimiter::Brace, inner, open, _)] => {
                value_at = Some(*open);
                let members: Vec<Assignment> = inner
                    .split(|token| token.is_sign(','))
                    .filter(|assignment| !(assignment.is_empty() && inner.is_empty()))
                    .filter_map(|assignment| member(assignment, *open, faults))
                    .collect();
                variable.init = Init::Members(arena.alloc_slice_copy(&members));
            }
            [other, ..] => faults.at(
                other.start(),
                "members in braces may follow, as in `= { addr_mode_0 = wrap }` (PTX ISA 5.3.2)",
            ),
        }
        found.push((variable, Extent::over(at), value_at));
    }
    found
}

/// Parses `addr_mode_0 = wrap`.
fn member(
    tokens: &[Token<'_, Extent>],
    open: Extent,
    faults: &mut Faults<Extent>,
) -> Option<Assignment> {
    let (word, at, equals, value) = match tokens {
        [] => {
            faults.at(
                open,
                "a member is missing beside a comma in these braces; write it, or remove the comma",
            );
            return None;
        }
        [Token::Word(word, at), Token::Sign('=', equals), value @ ..] => {
            (*word, *at, *equals, value)
        }
        [other, ..] => {
            faults.at(other.start(), "a member has a value, as in `addr_mode_0 = wrap`");
            return None;
        }
    };
    let Some(member) = Member::ALL.iter().copied().find(|member| member.name() == word) else {
        let known: Vec<&str> = Member::ALL.iter().map(|member| member.name()).collect();
        let advice = alternatives(word, known.into_iter());
        faults.at(at, format_args!("opaque types have no member `{word}`; {advice}"));
        return None;
    };
    let message =
        || format!("`{word}` takes a number, a filter mode or an address mode (PTX ISA 5.3.2)");
    let value = match value {
        [Token::Word(mode, at)] if *mode != "WARP_SZ" => {
            let filter = FilterMode::ALL.iter().copied().find(|filter| filter.name() == *mode);
            let address = AddressMode::ALL.iter().copied().find(|address| address.name() == *mode);
            let value = filter.map(MemberValue::Filter).or(address.map(MemberValue::Address));
            if value.is_none() {
                faults.at(*at, message());
            }
            value?
        }
        [] => {
            faults.at(open, message());
            return None;
        }
        [first, ..] => match value_after(value, equals, faults)?.integer() {
            Some(value) => MemberValue::Int(value),
            // ptxas accepts floating-point numbers as well.
            None => {
                faults.accepted(first.start(), message());
                return None;
            }
        },
    };
    Some(Assignment { member, value })
}

/// Parses `.align 16` at the start of some tokens, and advances past it.
pub(super) fn align_of(
    tokens: &mut &[Token<'_, Extent>],
    faults: &mut Faults<Extent>,
) -> Option<(usize, Extent)> {
    let [Token::Dotted(".align", at, _), after @ ..] = *tokens else { return None };
    let (number, at, rest) = match after {
        [Token::Number(number, at), rest @ ..] => {
            (ir::body::integer(number).and_then(|number| usize::try_from(number).ok()), *at, rest)
        }
        [Token::Word("WARP_SZ", at), rest @ ..] => (Some(32), *at, rest),
        rest => (None, *at, rest),
    };
    *tokens = rest;
    if number.is_none() {
        faults.at(at, "expected an alignment in bytes after `.align`");
    }
    Some((number?, at))
}

/// The scalar or opaque type with this name, including the dot.
pub(super) fn scalar(word: &str) -> Option<ScalarType> {
    ScalarType::from_name(word.strip_prefix('.')?).filter(|scalar| scalar.is_fundamental())
}
