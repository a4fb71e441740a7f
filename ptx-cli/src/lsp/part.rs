//! The part of a large text that decides what is right at a place.
//!
//! An answer must not wait for a check of a whole large file. What is wrong with a statement is mostly its own, or follows
//! from declarations; what is wrong with a declaration follows from it and its uses. So the part has all declarations,
//! the function around the place, and some that name what is declared there; in the place of anything else there are spaces.

use std::ops::Range;

use super::outline::{DefinitionKind, Function, Outline, StatementKind};

/// The most bytes of functions that are kept besides the one around the place, and of instructions of that one.
const MOST: usize = 1 << 14;

/// The text with spaces in the place of what does not matter for a part of it.
pub(super) fn around(text: &str, outline: &Outline, place: &Range<usize>) -> Option<String> {
    let place = place.start..place.end.min(place.start.saturating_add(MOST));
    let touches = |range: &Range<usize>| range.start <= place.end && place.start <= range.end;
    let names = names_declared(outline, touches);
    let alone = alone(outline);
    let (mut reduced, mut left) = (text.as_bytes().to_vec(), MOST);
    for (n, function) in outline.functions.iter().enumerate() {
        let length = function.range.len();
        if touches(&function.range) {
            if length > MOST {
                thin(&mut reduced, outline, function, &place)?;
            }
        } else if names.get(n) == Some(&true) && length <= left {
            left -= length;
        } else if alone.get(n) == Some(&true) {
            blank(&mut reduced, function.range.clone())?;
        } else if let Some(body) = body(outline, function).filter(|_| function.has_body) {
            blank(&mut reduced, body)?;
        }
    }
    String::from_utf8(reduced).ok()
}

/// For each function, whether it names something that the module declares at a place.
fn names_declared(outline: &Outline, is_here: impl Fn(&Range<usize>) -> bool) -> Vec<bool> {
    let is_declared = |definition: usize| {
        outline.definitions.get(definition).is_some_and(|it| {
            outline.is_module(it.scope)
                && outline
                    .statements
                    .get(it.statement)
                    .is_some_and(|it| is_here(&outline.range_of(it)))
        })
    };
    let declared: Vec<bool> = (0..outline.definitions.len()).map(is_declared).collect();
    let mut names = vec![false; outline.functions.len()];
    for name in &outline.names {
        let canonical =
            name.definition.and_then(|it| outline.definitions.get(it)).map(|it| it.canonical);
        let is_named = [name.definition, canonical].into_iter().flatten().any(|it| declared[it]);
        let function = outline.scopes.get(name.scope).and_then(|scope| scope.function);
        if let Some(names) = function.filter(|_| is_named).and_then(|it| names.get_mut(it)) {
            *names = true;
        }
    }
    names
}

/// Removes the instructions of a function that are far from a place.
fn thin(
    text: &mut [u8],
    outline: &Outline,
    function: &Function,
    place: &Range<usize>,
) -> Option<()> {
    let near = place.start.saturating_sub(MOST / 2)..place.end + MOST / 2;
    let end = function.range.end.checked_sub(1)?;
    let statements = outline.statements.get(function.statements.clone())?;
    for (n, statement) in statements.iter().enumerate() {
        let range = outline.range_of(statement);
        if statement.kind == StatementKind::Instruction
            && (range.end < near.start || near.end < range.start)
        {
            let next = statements.get(n + 1).map_or(end, |next| outline.range_of(next).start);
            blank(text, range.start..next.min(end))?;
        }
    }
    Some(())
}

/// Puts spaces in the place of some bytes; lines stay.
pub(super) fn blank(text: &mut [u8], range: Range<usize>) -> Option<()> {
    let words = text.get_mut(range)?.iter_mut().filter(|byte| !byte.is_ascii_whitespace());
    words.for_each(|byte| *byte = b' ');
    Some(())
}

/// What is between the braces of a function that has a body.
pub(super) fn body(outline: &Outline, function: &Function) -> Option<Range<usize>> {
    let open = outline.statements.get(function.statements.start + 1)?;
    Some(outline.range_of(open).end..function.range.end.checked_sub(1)?)
}

/// For each function, whether it is a kernel that nothing else names.
pub(super) fn alone(outline: &Outline) -> Vec<bool> {
    let mut places = vec![0_usize; outline.definitions.len()];
    for definition in outline.names.iter().filter_map(|name| name.definition) {
        let canonical = outline.definitions.get(definition).map(|it| it.canonical);
        if let Some(count) = canonical.and_then(|it| places.get_mut(it)) {
            *count += 1;
        }
    }
    let is_alone = |function: &Function| {
        outline.definitions.get(function.definition).is_some_and(|definition| {
            definition.kind == DefinitionKind::Kernel
                && places.get(definition.canonical) == Some(&1)
        })
    };
    outline.functions.iter().map(is_alone).collect()
}
