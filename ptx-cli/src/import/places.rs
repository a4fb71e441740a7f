//! Accesses to elements of a file's arrays, as places: `[row[3]]` for `[row+12]`.

use std::fmt::Write as _;

use ptx_isa::ScalarType;
use ptx_isa::instruction::{AccessSize, Row, WordKind};
use ptx_isa::ir::body::integer;
use ptx_isa::ir::{Function, Module, Type, Variable};
use ptx_text::{Lexer, Piece, PieceKind};

use super::body::Replacement;
use super::names::Names;

/// The accesses in a body that are surely to one element of a variable of the module, and their places.
pub(super) fn places(
    module: &Module<'_>,
    function: &Function<'_>,
    body: &str,
    names: &Names<'_>,
) -> Vec<Replacement> {
    let pieces: Vec<Piece> = Lexer::new(body).filter(|piece| !piece.kind.is_trivia()).collect();
    let text = |at: usize| pieces.get(at).map_or("", |piece| &body[piece.at.range()]);
    let is_local = |name: &str| {
        function.locals.iter().any(|it| it.name == name)
            || function.params.iter().chain(function.returns).any(|it| it.variable.name == name)
    };
    let variable = |name: &str| {
        let found = module.variables.iter().find(|it| it.name == name);
        found.filter(|_| !is_local(name))
    };
    let mut found = Vec::new();
    // The bytes that the current instruction accesses, if it is one that does.
    let mut accessed: Option<usize> = None;
    for (at, piece) in pieces.iter().enumerate() {
        match piece.kind {
            // An operand may have the name of an opcode.
            PieceKind::Word
                if WordKind::Opcode.knows(text(at)) && text(at + 1).starts_with('.') =>
            {
                accessed = access(&text, at);
            }
            PieceKind::Sign if text(at) == ";" => accessed = None,
            PieceKind::Open(_) if text(at) == "[" && text(at + 2) == "+" && text(at + 4) == "]" => {
                let name = text(at + 1);
                let place = accessed
                    .zip(variable(name))
                    .zip(integer(text(at + 3)).and_then(|offset| usize::try_from(offset).ok()))
                    .and_then(|((bytes, variable), offset)| indices(variable, offset, bytes));
                if let Some(indices) = place {
                    let range = pieces[at + 1].at.range().start..pieces[at + 3].at.range().end;
                    found.push((range, format!("{}{indices}", names.of_word(name))));
                }
            }
            _ => {}
        }
    }
    found
}

/// The bytes that an instruction accesses, if they are those of its type times the number of its vector.
fn access<'t>(text: &impl Fn(usize) -> &'t str, opcode: usize) -> Option<usize> {
    let modifiers: Vec<(&str, &str)> = (opcode + 1..)
        .map(text)
        .map_while(|text| match text.strip_prefix("::") {
            Some(word) => Some(("::", word)),
            None => text.strip_prefix('.').map(|word| (".", word)),
        })
        .collect();
    let [address] = Row::find(text(opcode), &modifiers)?.addresses else { return None };
    if address.size != AccessSize::Typed {
        return None;
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
    Some(lanes * scalar?.bytes())
}

/// The indices of the element of an array that starts at this offset and has this size.
fn indices(variable: &Variable<'_>, mut offset: usize, bytes: usize) -> Option<String> {
    let Type::Array(..) = variable.ty else { return None };
    let (mut ty, mut indices) = (variable.ty, String::new());
    while let Type::Array(extent, element) = ty {
        let size = element.size().filter(|size| *size > 0)?;
        let index = offset / size;
        // Where the launch sets the number of elements, every one may be there.
        if extent.known().is_some_and(|extent| index >= extent) {
            return None;
        }
        let _ = write!(indices, "[{index}]");
        offset %= size;
        ty = element;
    }
    (offset == 0 && ty.size() == Some(bytes)).then_some(indices)
}
