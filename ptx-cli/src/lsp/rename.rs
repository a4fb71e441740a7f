//! Renames what a name stands for.

use std::collections::HashMap;

use lsp_types::{Range as Span, TextEdit, WorkspaceEdit};
use ptx_isa::ir::family::{base_of, is_member};
use ptx_isa::special::is_special;
use ptx_text::{Lexer, PieceKind};

use super::document::{Document, Language};
use super::outline::{Definition, FORMS, Name};

/// The name at an offset that can be renamed: that of a family for one of its members.
pub(super) fn prepare(document: &Document, offset: usize) -> Option<(Span, String)> {
    let name = document.outline.name_at(offset)?;
    let definition = document.outline.definitions.get(name.definition?)?;
    if document.outline.is_of_rust(definition) {
        return None;
    }
    Some((document.span(name.at.clone()), document.slice(name.at.clone()).to_owned()))
}

/// Renames what the name at an offset stands for, or says why that is not possible.
pub(super) fn rename(
    document: &Document,
    offset: usize,
    new: &str,
) -> Result<WorkspaceEdit, String> {
    let outline = &document.outline;
    let name = outline.name_at(offset).ok_or("there is no name here")?;
    let old = document.slice(name.at.clone());
    let number = name
        .definition
        .ok_or_else(|| format!("nothing here is named `{old}`; declare it before it is renamed"))?;
    let definition = &outline.definitions[number];
    if outline.is_of_rust(definition) {
        return Err(format!("`{old}` is declared in Rust; rename it with rust-analyzer"));
    }
    check_word(new)?;
    if document.language == Language::Rust && FORMS.iter().any(|form| form.word == new) {
        return Err(format!("`{new}` starts a form of bodies in Rust; write another name"));
    }
    let new = match definition.family {
        Some(_) if !name.is_definition => of_family(document, definition, old, new)?,
        _ => new,
    };
    let old = document.slice(definition.at.clone());
    let places: Vec<&Name> = outline.places(definition.canonical).collect();
    check_free(document, definition, &places, new)?;
    let edit = |place: &&Name| -> TextEdit {
        let start = place.at.start;
        // Of a member, its number stays.
        document.edit(start..start + old.len().min(place.at.len()), new)
    };
    let edits = places.iter().map(edit).collect();
    #[expect(clippy::mutable_key_type, reason = "the protocol's types have it so")]
    let changes = HashMap::from([(document.uri.clone(), edits)]);
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

/// The name of the family if one of its members gets this name: the number has to stay.
fn of_family<'n>(
    document: &Document,
    definition: &Definition,
    old: &str,
    new: &'n str,
) -> Result<&'n str, String> {
    let family = document.slice(definition.at.clone());
    let number = old.get(family.len()..).unwrap_or_default();
    match new.strip_suffix(number) {
        Some(base) if !base.is_empty() && base_of(base).is_none() => Ok(base),
        _ => Err(format!(
            "`{old}` is a member of the family `{family}`, which is renamed with all its members; write a name that ends in {number} and in no other digit"
        )),
    }
}

/// Whether a name is an identifier of PTX (PTX ISA 4.4).
fn check_word(new: &str) -> Result<(), String> {
    let mut pieces = Lexer::new(new);
    let is_word =
        pieces.next().is_some_and(|piece| piece.kind == PieceKind::Word) && pieces.next().is_none();
    if !is_word || matches!(new, "_" | "WARP_SZ") {
        return Err(format!(
            "`{new}` is not a name; write letters, digits, `_` and `$`, with a letter, `%`, `$` or `_` first"
        ));
    }
    if is_special(new) {
        return Err(format!("`{new}` is a special register; write another name"));
    }
    Ok(())
}

/// Whether no name would mean something else after the renaming.
fn check_free(
    document: &Document,
    definition: &Definition,
    places: &[&Name],
    new: &str,
) -> Result<(), String> {
    let outline = &document.outline;
    let canonical = definition.canonical;
    let clash = |other: &Definition| {
        let name = document.slice(other.at.clone());
        if other.canonical == canonical {
            return false;
        }
        let overlaps = |name: &str, family: &Definition, base: &str| {
            family.family.is_some_and(|count| is_member(name, base, count.known()))
        };
        // An array has a name of its own, besides those of its members.
        let is_array = definition.is_array || other.is_array;
        let is_member = match (definition.family, other.family) {
            (None, Some(_)) => overlaps(new, other, name),
            (Some(_), None) => overlaps(name, definition, new),
            (None, None) | (Some(_), Some(_)) => name == new,
        };
        is_member || is_array && name == new
    };
    let refuse = |other: &Definition| {
        let line = document.lines.line(other.at.start) + 1;
        let (kind, name) = (other.kind.name(), document.slice(other.at.clone()));
        Err(format!("the {kind} `{name}` in line {line} has this name; write another one"))
    };
    // What would hide it, or be hidden, where it is used.
    let scopes: std::collections::BTreeSet<usize> =
        places.iter().map(|place| place.scope).collect();
    for scope in scopes {
        if let Some(other) = outline.visible(scope).into_iter().find(|other| clash(other)) {
            return refuse(other);
        }
    }
    // What another name in the blocks inside stands for, if it would be hidden there.
    for name in &outline.names {
        let text = document.slice(name.at.clone());
        let is_same = match definition.family {
            None => text == new,
            Some(count) => is_member(text, new, count.known()),
        };
        let is_inside = || is_within(document, name.scope, definition.scope);
        if is_same && !places.iter().any(|place| place.at == name.at) && is_inside() {
            let line = document.lines.line(name.at.start) + 1;
            return Err(format!(
                "`{text}` in line {line} would stand for the renamed {}; write another name",
                definition.kind.name()
            ));
        }
    }
    Ok(())
}

/// Whether a block is another one, or inside of it.
fn is_within(document: &Document, scope: usize, around: usize) -> bool {
    let mut next = Some(scope);
    while let Some(scope) = next {
        if scope == around {
            return true;
        }
        next = document.outline.scopes.get(scope).and_then(|it| it.parent);
    }
    false
}
