//! Finds out what each name stands for (PTX ISA 4.4).

use std::collections::HashMap;

use ptx_isa::ir::family::{base_of, is_member};

use super::model::{DefinitionKind, Outline};

/// The declarations of each name in each block, in order.
type Declared<'t> = HashMap<(usize, &'t str), Vec<usize>>;

/// Resolves all names of an outline.
pub(super) fn resolve(text: &str, outline: &mut Outline) {
    let mut declared: Declared<'_> = HashMap::new();
    for (n, definition) in outline.definitions.iter().enumerate() {
        if let Some(name) = text.get(definition.at.clone()).filter(|name| !name.is_empty()) {
            declared.entry((definition.scope, name)).or_default().push(n);
        }
    }
    for number in 0..outline.definitions.len() {
        outline.definitions[number].canonical = canonical(text, outline, &declared, number);
    }
    for n in 0..outline.names.len() {
        let name = &outline.names[n];
        if name.is_definition {
            continue;
        }
        let found = find(text, outline, &declared, name.at.clone(), name.scope);
        outline.names[n].definition = found;
    }
    outline.names.sort_by_key(|name| name.at.start);
}

/// The declaration that stands for all of the same function or variable of the module: the one with a body, or else the
/// first.
fn canonical(text: &str, outline: &Outline, declared: &Declared<'_>, number: usize) -> usize {
    let definition = &outline.definitions[number];
    if !outline.is_module(definition.scope) {
        return number;
    }
    let name = text.get(definition.at.clone()).unwrap_or_default();
    let Some(all) = declared.get(&(definition.scope, name)) else { return number };
    let has_body = |n: &usize| {
        let statement = outline.definitions[*n].statement;
        let function = outline.statements.get(statement).and_then(|it| it.function);
        function.and_then(|it| outline.functions.get(it)).is_some_and(|it| it.has_body)
    };
    all.iter().copied().find(|n| has_body(n)).or(all.first().copied()).unwrap_or(number)
}

/// The declaration that a name in a block refers to: the innermost one, and in a block the last before the name, or
/// else the first after it, which is an error elsewhere.
fn find(
    text: &str,
    outline: &Outline,
    declared: &Declared<'_>,
    at: std::ops::Range<usize>,
    scope: usize,
) -> Option<usize> {
    let name = text.get(at.clone())?;
    let base = base_of(name);
    let mut later = None;
    let mut scope = Some(scope);
    while let Some(number) = scope {
        let own = declared.get(&(number, name)).into_iter().flatten();
        let own = own.filter(|n| {
            let definition = &outline.definitions[**n];
            definition.family.is_none() || definition.is_array
        });
        let families = base.and_then(|base| declared.get(&(number, base)).map(|it| (base, it)));
        let members = families.into_iter().flat_map(|(base, all)| {
            all.iter().filter(move |n| {
                let family = outline.definitions[**n].family;
                family.is_some_and(|count| is_member(name, base, count.known()))
            })
        });
        let mut all: Vec<usize> = own.chain(members).copied().collect();
        all.sort_unstable();
        let is_known = |n: &usize| {
            let definition = &outline.definitions[*n];
            definition.at.start <= at.start
                || outline.is_module(definition.scope)
                || definition.kind == DefinitionKind::Label
        };
        if let Some(found) = all.iter().rev().copied().find(is_known) {
            return Some(outline.definitions[found].canonical);
        }
        later = later.or(all.first().copied());
        scope = outline.scopes.get(number).and_then(|scope| scope.parent);
    }
    later
}
