//! Where a name is declared, and where it is used.

use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location};
use ptx_text::PieceKind;

use super::document::Document;
use super::outline::{Definition, StatementKind};

/// Where the name at an offset is declared.
pub(super) fn definition(document: &Document, offset: usize) -> Option<Location> {
    let name = document.outline.name_at(offset)?;
    let definition = document.outline.definitions.get(name.definition?)?;
    let definition = document.outline.definitions.get(definition.canonical)?;
    Some(document.location(definition.at.clone()))
}

/// Whether the word at an offset is a name, or the field of a place.
pub(super) fn is_of_place(document: &Document, offset: usize) -> bool {
    document.outline.name_at(offset).is_some() || field_at(document, offset).is_some()
}

/// The token of a field of a place at an offset in a Rust file.
pub(super) fn field_at(document: &Document, offset: usize) -> Option<usize> {
    let outline = &document.outline;
    outline.rust.as_ref()?;
    let at = outline.token_at(offset)?;
    let token = outline.tokens.get(at).filter(|token| token.kind == PieceKind::Dotted)?;
    let (_, statement) = outline.statement_at(token.start)?;
    let (opcode, end) = outline.opcode(&document.text, statement)?;
    (statement.kind == StatementKind::Instruction && !(opcode..end).contains(&at)).then_some(at)
}

/// The places of what the name at an offset stands for: for a member of a family, those of this member alone, and for
/// the family those of all members.
fn places(document: &Document, offset: usize) -> Option<Vec<Place>> {
    let outline = &document.outline;
    let name = outline.name_at(offset)?;
    let text = document.slice(name.at.clone());
    let definition: &Definition = outline.definitions.get(name.definition?)?;
    // rust-analyzer knows all places of what Rust declares.
    if outline.is_of_rust(definition) {
        return None;
    }
    let is_family = definition.family.is_some();
    let places = outline.places(definition.canonical).filter(|place| {
        !is_family
            || name.is_definition
            || place.is_definition
            || document.slice(place.at.clone()) == text
    });
    let place = |place: &super::outline::Name| Place {
        at: place.at.clone(),
        is_definition: place.is_definition,
        is_written: place.is_written,
    };
    Some(places.map(place).collect())
}

/// A place of a name.
struct Place {
    at: std::ops::Range<usize>,
    is_definition: bool,
    is_written: bool,
}

/// The uses of the name at an offset, and its declarations if they are wanted.
pub(super) fn references(
    document: &Document,
    offset: usize,
    with_declaration: bool,
) -> Option<Vec<Location>> {
    let places = places(document, offset)?.into_iter();
    let places = places.filter(|place| with_declaration || !place.is_definition);
    Some(places.map(|place| document.location(place.at)).collect())
}

/// The same, with what an instruction does to a register there.
pub(super) fn highlights(document: &Document, offset: usize) -> Option<Vec<DocumentHighlight>> {
    let highlight = |place: Place| DocumentHighlight {
        range: document.span(place.at),
        kind: Some(match (place.is_definition, place.is_written) {
            (true, _) => DocumentHighlightKind::TEXT,
            (false, true) => DocumentHighlightKind::WRITE,
            (false, false) => DocumentHighlightKind::READ,
        }),
    };
    Some(places(document, offset)?.into_iter().map(highlight).collect())
}
