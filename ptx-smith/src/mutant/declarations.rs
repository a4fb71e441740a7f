//! Changes of whole declarations, parameters and directives.

use core::ops::Range;

use super::parts::{Item, Parts, Place};
use super::words::{DIRECTIVES, ITEMS, LINKAGES, LOCALS, TYPES};
use crate::Rng;

/// The text with one declaration, parameter or directive changed, moved, copied or removed.
pub(super) fn change(parts: &Parts<'_>, donor: &Parts<'_>, rng: &mut Rng) -> String {
    let made = match rng.below(24) {
        0 => delete(parts, rng),
        1 => copy(parts, rng),
        2 => swap(parts, rng),
        3 => transplant(parts, donor, rng),
        4 | 5 => insert(parts, rng.pick(ITEMS), rng),
        6 | 7 => into_body(parts, rng.pick(LOCALS), rng),
        8 => statement(parts, rng),
        9 | 10 => redeclare(parts, rng),
        11 | 12 => link(parts, rng),
        13..16 => direct(parts, rng),
        16..19 => parameter(parts, rng),
        19 => body(parts, rng),
        20 => kind(parts, rng),
        21 => move_between(parts, rng),
        22 => returned(parts, rng),
        _ => retype(parts, rng),
    };
    made.unwrap_or_else(|| insert(parts, rng.pick(ITEMS), rng).unwrap_or_default())
}

/// An item that is not part of the header.
fn item(parts: &Parts<'_>, rng: &mut Rng) -> Option<Item> {
    let is_header = |item: &&Item| parts.places[item.tokens.start] == Place::Header;
    let items: Vec<&Item> = parts.items.iter().filter(|item| !is_header(item)).collect();
    if items.is_empty() { None } else { Some(rng.pick(&items).clone()) }
}

fn function(parts: &Parts<'_>, rng: &mut Rng) -> Option<Item> {
    let functions = parts.functions();
    if functions.is_empty() { None } else { Some(rng.pick(&functions).clone()) }
}

fn delete(parts: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    Some(parts.with(parts.bytes(&item(parts, rng)?.tokens), ""))
}

/// Copies an item to another place.
fn copy(parts: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    insert(parts, parts.source(&item(parts, rng)?.tokens), rng)
}

fn insert(parts: &Parts<'_>, what: &str, rng: &mut Rng) -> Option<String> {
    let start = parts.bytes(&item(parts, rng)?.tokens);
    let at = if rng.one_in(2) { start.start } else { start.end };
    Some(parts.with(at..at, &format!("\n{what}\n")))
}

/// Exchanges two items.
fn swap(parts: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    let (one, other) = (item(parts, rng)?, item(parts, rng)?);
    let (one, other) = (parts.bytes(&one.tokens), parts.bytes(&other.tokens));
    let (first, second) = if one.start < other.start { (one, other) } else { (other, one) };
    (first.end <= second.start).then(|| {
        let [before, of_first, between, of_second, after] = [
            0..first.start,
            first.clone(),
            first.end..second.start,
            second.clone(),
            second.end..parts.text.len(),
        ]
        .map(|range| &parts.text[range]);
        [before, of_second, between, of_first, after].concat()
    })
}

/// Inserts an item of another text.
fn transplant(parts: &Parts<'_>, donor: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    let what = item(donor, rng)?;
    let source = donor.source(&what.tokens);
    if source.len() > 4_000 {
        return None;
    }
    insert(parts, source, rng)
}

/// Inserts a declaration into a body.
fn into_body(parts: &Parts<'_>, what: &str, rng: &mut Rng) -> Option<String> {
    let function = function(parts, rng)?;
    let open = parts.tokens[function.body?].end;
    let inside: Vec<&Range<usize>> = parts
        .statements
        .iter()
        .filter(|statement| function.tokens.contains(&statement.start))
        .collect();
    let at = if inside.is_empty() || rng.one_in(2) {
        open
    } else {
        parts.bytes(rng.pick(&inside)).start
    };
    Some(parts.with(at..at, &format!("\n{what}\n")))
}

/// Removes, copies or moves a declaration of a body.
fn statement(parts: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    let locals = parts.statements.iter().filter(|it| parts.places[it.start] == Place::Local);
    let locals: Vec<&Range<usize>> = locals.collect();
    if locals.is_empty() {
        return None;
    }
    let local = rng.pick(&locals);
    let source = parts.source(local);
    match rng.below(3) {
        0 => Some(parts.with(parts.bytes(local), "")),
        1 => into_body(parts, source, rng),
        _ => insert(parts, source, rng),
    }
}

/// Declares a function again, with the same or another signature.
fn redeclare(parts: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    let item = function(parts, rng)?;
    let end = match item.body {
        Some(open) => open,
        // Without its semicolon.
        None => item.tokens.end - 1,
    };
    let mut signature = parts.source(&(item.tokens.start..end)).to_owned();
    if rng.one_in(2) {
        let of_signature = format!("{signature};");
        let changed = super::tokens::change(&Parts::of(&of_signature), rng);
        changed.trim_end_matches(';').clone_into(&mut signature);
    }
    if rng.one_in(3) {
        let is_linked = LINKAGES.iter().find(|linkage| signature.starts_with(**linkage));
        let bare = signature[is_linked.map_or(0, |linkage| linkage.len())..].to_owned();
        signature = [rng.pick(LINKAGES), " ", &bare].concat();
    }
    let ending = if rng.one_in(4) { "{ ret; }" } else { ";" };
    let bytes = parts.bytes(&item.tokens);
    let at = if rng.one_in(2) { bytes.start } else { bytes.end };
    Some(parts.with(at..at, &format!("\n{signature}{ending}\n")))
}

/// Gives an item another linkage, or none.
fn link(parts: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    let item = item(parts, rng)?;
    let first = item.tokens.start;
    let at = parts.tokens[first].clone();
    let linkage = rng.pick(LINKAGES);
    Some(if LINKAGES.contains(&parts.token(first)) {
        parts.with(at, if rng.one_in(3) { "" } else { linkage })
    } else {
        parts.with(at.start..at.start, &format!("{linkage} "))
    })
}

/// Adds a directive to a function.
fn direct(parts: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    let item = function(parts, rng)?;
    let end = item.body.unwrap_or(item.tokens.end - 1);
    let at = parts.tokens[end].start;
    Some(parts.with(at..at, &format!(" {} ", rng.pick(DIRECTIVES))))
}

/// Removes, copies, exchanges or replaces a parameter.
fn parameter(parts: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    const PARAMETERS: &[&str] = &[
        ".param .b8 other",
        ".param .u16 other",
        ".param .b32 other",
        ".param .u64 other",
        ".param .b128 other",
        ".param .f16 other",
        ".param .f16x2 other",
        ".param .bf16x2 other",
        ".param .pred other",
        ".param .v2 .b32 other",
        ".param .v4 .f32 other",
        ".param .align 16 .b8 other[32]",
        ".param .align 256 .b8 other[256]",
        ".param .align 3 .b8 other[3]",
        ".param .b8 other[]",
        ".param .b32 other[0]",
        ".param .b32 other[2][2]",
        ".param .b8 other[5000]",
        ".param .b8 other[33000]",
        ".param .u64 .ptr .global .align 16 other",
        ".param .u64 .ptr other",
        ".param .u32 .ptr .shared other",
        ".param .f32 .ptr .global other",
        ".param .b8 .ptr other[8]",
        ".param .texref other",
        ".param .samplerref other",
        ".reg .b32 other",
        ".reg .pred other",
        ".reg .v2 .f32 other",
        ".reg .b32 other[2]",
        ".reg .align 8 .b64 other",
        ".const .b32 other",
        ".global .b32 other",
        ".param .b32",
        "other",
    ];
    let item = function(parts, rng)?;
    let group = parts.parameters(&item)?;
    let inner = group.start + 1..group.end - 1;
    let mut each: Vec<String> = Vec::new();
    let mut start = inner.start;
    for n in inner.clone() {
        if parts.token(n) == "," {
            each.push(parts.source(&(start..n)).to_owned());
            start = n + 1;
        }
    }
    if start < inner.end {
        each.push(parts.source(&(start..inner.end)).to_owned());
    }
    let new = rng.pick(PARAMETERS).to_owned();
    if each.is_empty() {
        each.push(new);
    } else {
        let n = rng.below(each.len());
        match rng.below(6) {
            0 => drop(each.remove(n)),
            1 => each.push(each[n].clone()),
            2 => {
                let other = rng.below(each.len());
                each.swap(n, other);
            }
            3 | 4 => each.insert(n, new),
            _ => each.push(new),
        }
    }
    let made = format!("({})", each.join(", "));
    Some(parts.with(parts.bytes(&group), &made))
}

/// Removes a body, or gives one to a declaration.
fn body(parts: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    let item = function(parts, rng)?;
    Some(match item.body {
        Some(open) => parts.with(parts.bytes(&(open..item.tokens.end)), ";"),
        None => parts.with(parts.bytes(&(item.tokens.end - 1..item.tokens.end)), "{ ret; }"),
    })
}

/// Makes a function of a kernel, or a kernel of a function.
fn kind(parts: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    let item = function(parts, rng)?;
    let kind = item.tokens.clone().find(|n| matches!(parts.token(*n), ".entry" | ".func"))?;
    let other = if parts.token(kind) == ".entry" { ".func" } else { ".entry" };
    Some(parts.with(parts.tokens[kind].clone(), other))
}

/// Copies a declaration of the module into a body.
fn move_between(parts: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    let item = item(parts, rng)?;
    let source = parts.source(&item.tokens);
    if item.is_function && source.len() > 200 {
        return None;
    }
    into_body(parts, source, rng)
}

/// Gives a function values to return.
fn returned(parts: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    const RETURNED: &[&str] = &[
        "()",
        "(.param .b32 out)",
        "(.param .b8 out)",
        "(.param .align 16 .b8 out[16])",
        "(.param .b8 out[])",
        "(.param .b32 out, .param .b32 more)",
        "(.reg .b32 out)",
        "(.reg .b32 out, .reg .b32 more)",
        "(.reg .pred out)",
        "(.param .v2 .b32 out)",
        "(.param .f16x2 out)",
        "(.param .u64 .ptr .global out)",
    ];
    let item = function(parts, rng)?;
    let kind = item.tokens.clone().find(|n| matches!(parts.token(*n), ".entry" | ".func"))?;
    let at = parts.tokens[kind].end;
    Some(parts.with(at..at, &format!(" {}", rng.pick(RETURNED))))
}

/// Gives something another type.
fn retype(parts: &Parts<'_>, rng: &mut Rng) -> Option<String> {
    let declared = parts.at(|place| place != Place::Instruction);
    let types: Vec<usize> =
        declared.into_iter().filter(|n| TYPES.contains(&parts.token(*n))).collect();
    if types.is_empty() {
        return None;
    }
    Some(parts.with(parts.tokens[rng.pick(&types)].clone(), rng.pick(TYPES)))
}
