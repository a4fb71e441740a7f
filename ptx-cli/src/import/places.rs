//! Accesses at known offsets of a file's arrays, and of what has a type of the user, as places: `[row[3]]` for `[row+12]`.

use std::fmt::Write as _;

use ptx_isa::ScalarType;
use ptx_isa::instruction::{AccessSize, Row, WordKind};
use ptx_isa::ir::body::integer;
use ptx_isa::ir::{Function, Module, Struct, StructKind, Type};
use ptx_text::{Lexer, Piece, PieceKind};

use super::body::Replacement;
use super::names::Names;
use super::types::{Given, Types};

/// What an instruction accesses at its addresses.
#[derive(Clone, Copy)]
enum Access {
    /// The elements of a vector, or one, of this many bytes.
    Elements(usize, usize),
    /// A barrier, a tensor map, or what operands count.
    Object,
}

/// The accesses in a body that are surely to one element, one field or one object, and their places.
pub(super) fn places(
    module: &Module<'_>,
    function: &Function<'_>,
    body: &str,
    types: &Types<'_>,
    names: &Names<'_>,
) -> Vec<Replacement> {
    let pieces: Vec<Piece> = Lexer::new(body).filter(|piece| !piece.kind.is_trivia()).collect();
    let text = |at: usize| pieces.get(at).map_or("", |piece| &body[piece.at.range()]);
    // The type of what has a name, and whether the user gives it.
    let typed = |name: &str| {
        if function.locals.iter().any(|it| it.name == name) {
            return None;
        }
        if function.params.iter().chain(function.returns).any(|it| it.variable.name == name) {
            return types.of_param(function, name).and_then(Given::storage).map(|ty| (ty, true));
        }
        let variable = module.variables.iter().find(|it| it.name == name)?;
        match types.of_variable(name) {
            Some(given) => given.storage().map(|ty| (ty, true)),
            None => matches!(variable.ty, Type::Array(..)).then_some((variable.ty, false)),
        }
    };
    let mut found = Vec::new();
    // What the current instruction accesses.
    let mut accessed = Access::Object;
    for (at, piece) in pieces.iter().enumerate() {
        match piece.kind {
            // An operand may have the name of an opcode.
            PieceKind::Word
                if WordKind::Opcode.knows(text(at)) && text(at + 1).starts_with('.') =>
            {
                accessed = access(&text, at);
            }
            PieceKind::Sign if text(at) == ";" => accessed = Access::Object,
            PieceKind::Open(_) if text(at) == "[" => {
                let (name, last) = (text(at + 1), if text(at + 2) == "+" { 3 } else { 1 });
                let end = text(at + last + 1);
                // A tensor map has coordinates after it, and the address of a matrix may have more.
                if end != "]" && end != "," {
                    continue;
                }
                let offset = if last == 3 { integer(text(at + 3)) } else { Some(0) };
                let path = offset
                    .and_then(|offset| usize::try_from(offset).ok())
                    .zip(typed(name))
                    // Without an offset, the name of an array is a place already.
                    .filter(|(_, (_, is_given))| *is_given || last == 3)
                    .and_then(|(offset, (ty, _))| path(ty, offset, accessed));
                if let Some(path) = path.filter(|path| !path.is_empty()) {
                    let range = pieces[at + 1].at.range().start..pieces[at + last].at.range().end;
                    found.push((range, format!("{}{path}", names.of_word(name))));
                }
            }
            _ => {}
        }
    }
    found
}

/// What an instruction accesses.
fn access<'t>(text: &impl Fn(usize) -> &'t str, opcode: usize) -> Access {
    let modifiers: Vec<(&str, &str)> = (opcode + 1..)
        .map(text)
        .map_while(|text| match text.strip_prefix("::") {
            Some(word) => Some(("::", word)),
            None => text.strip_prefix('.').map(|word| (".", word)),
        })
        .collect();
    let Some([address]) = Row::find(text(opcode), &modifiers).map(|row| row.addresses) else {
        return Access::Object;
    };
    if address.size != AccessSize::Typed {
        return Access::Object;
    }
    let (mut lanes, mut scalar) = (1, None);
    for (_, modifier) in modifiers.into_iter().filter(|it| it.0 == ".") {
        match modifier {
            "v2" => lanes = 2,
            "v4" => lanes = 4,
            "v8" => lanes = 8,
            _ => scalar = ScalarType::from_name(modifier).or(scalar),
        }
    }
    scalar.map_or(Access::Object, |scalar| Access::Elements(lanes, scalar.bytes()))
}

/// The fields and indices to what starts at this offset and is accessed as a whole; or to the first element of a vector
/// that is accessed.
fn path(mut ty: &Type<'_>, mut offset: usize, access: Access) -> Option<String> {
    let mut path = String::new();
    loop {
        match ty {
            Type::Array(extent, element) => {
                let size = element.size().filter(|size| *size > 0)?;
                let index = offset / size;
                // Where the launch sets the number of elements, every one may be there.
                if extent.known().is_some_and(|extent| index >= extent) {
                    return None;
                }
                let _ = write!(path, "[{index}]");
                (ty, offset) = (element, offset % size);
            }
            Type::Aligned(_, inner) => ty = inner,
            Type::Struct(Struct { kind: StructKind::Fields, fields, .. }) => {
                let field = fields.iter().find(|field| {
                    let end = field.ty.size().and_then(|size| field.offset.checked_add(size));
                    field.offset <= offset && end.is_some_and(|end| offset < end)
                })?;
                let _ = write!(path, ".{}", field.name);
                (ty, offset) = (field.ty, offset - field.offset);
            }
            Type::Struct(Struct { kind, size, .. }) => {
                let is_whole = match (kind, access) {
                    (StructKind::Mbarrier, Access::Elements(lanes, bytes)) => {
                        lanes * bytes == *size
                    }
                    (_, Access::Object) => true,
                    (_, Access::Elements(..)) => false,
                };
                return (offset == 0 && is_whole).then_some(path);
            }
            Type::Scalar(scalar) => {
                let Access::Elements(lanes, bytes) = access else { return None };
                let is_element = bytes == scalar.bytes() || lanes * bytes == scalar.bytes();
                return (offset == 0 && is_element).then_some(path);
            }
            Type::Vector(lanes, scalar) => {
                let Access::Elements(accessed, bytes) = access else { return None };
                if offset == 0 && accessed * bytes == usize::from(*lanes) * scalar.bytes() {
                    return Some(path);
                }
                let lane = Type::LANES.get(offset / scalar.bytes())?;
                let is_lane = offset.is_multiple_of(scalar.bytes()) && bytes == scalar.bytes();
                return is_lane.then(|| format!("{path}.{lane}"));
            }
            Type::Family(..) | Type::Opaque(_) | Type::Unknown => return None,
        }
    }
}
