//! Which names a body may use (PTX ISA 4.4).

use std::collections::{HashMap, HashSet};

use ptx_types::rules::{self, Environment};
use ptx_types::{ir, special};

use super::{Body, Count, Declaration, Event, Family, Name};
use crate::errors::Errors;
use crate::near::{list, near};

/// The names that a body finds outside itself.
#[derive(Debug, Default)]
pub struct Symbols<'a> {
    /// The module's variables, by name, with their index among the items; several where `cfg`
    /// chooses.
    pub variables: HashMap<String, Vec<(usize, &'a ir::Variable<'a>)>>,
    /// The module's functions and kernels.
    pub functions: Vec<String>,
}

/// What one block declares.
#[derive(Default)]
struct Scope<'b> {
    names: HashSet<&'b str>,
    families: Vec<(&'b str, Option<usize>)>,
    labels: HashSet<&'b str>,
}

impl Scope<'_> {
    fn has(&self, name: &str) -> bool {
        self.names.contains(name)
            || self.labels.contains(name)
            || self.families.iter().any(|(prefix, count)| is_member(name, prefix, *count))
    }
}

/// Whether `name` is `prefix` with a number below `count`.
fn is_member(name: &str, prefix: &str, count: Option<usize>) -> bool {
    name.strip_prefix(prefix)
        .filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|digits| digits.parse::<usize>().ok())
        .is_some_and(|number| count.is_none_or(|count| number < count))
}

/// Resolves every name of `body`, reports those that nothing declares and those that stand twice,
/// and notes the module's variables that are used, which are returned.
pub(crate) fn resolve<'a>(
    body: &mut Body,
    symbols: &Symbols<'a>,
    params: &[&str],
    env: Environment,
    errors: &mut Errors,
) -> Vec<&'a ir::Variable<'a>> {
    let mut uses = Vec::new();
    let mut specials: Vec<&Name> = Vec::new();
    let mut is_certain = true;
    for meaning in resolve_names(&body.events, symbols, params, errors) {
        match meaning {
            Meaning::Variables(variables) => {
                is_certain &= variables.len() == 1;
                uses.extend(variables);
            }
            Meaning::Special(name) => specials.push(name),
        }
    }
    for name in &specials {
        for violation in rules::check_special(&name.text, env) {
            errors.on(name.tokens(), violation);
        }
    }
    let mut specials: Vec<String> = specials.into_iter().map(|name| name.text.clone()).collect();
    specials.sort_unstable();
    specials.dedup();
    uses.sort_unstable_by_key(|(index, _)| *index);
    uses.dedup_by_key(|(index, _)| *index);
    body.specials = specials;
    body.uses = uses.iter().map(|(index, _)| *index).collect();
    // Where `cfg` chooses, rustc knows.
    uses.retain(|_| is_certain);
    uses.into_iter().map(|(_, variable)| variable).collect()
}

/// What a name means that is not declared in the body.
enum Meaning<'a, 'b> {
    /// The module's variables of this name, with their index among the items.
    Variables(Vec<(usize, &'a ir::Variable<'a>)>),
    /// A special register.
    Special(&'b Name),
}

fn resolve_names<'a, 'b>(
    events: &'b [Event],
    symbols: &Symbols<'a>,
    params: &[&'b str],
    errors: &mut Errors,
) -> Vec<Meaning<'a, 'b>> {
    let mut uses = Vec::new();
    let mut scopes = vec![Scope::default()];
    scopes[0].names.extend(params);
    declare_labels(events, &mut scopes, errors);
    for (i, event) in events.iter().enumerate() {
        match event {
            Event::Open => {
                scopes.push(Scope::default());
                declare_labels(&events[i + 1..], &mut scopes, errors);
            }
            Event::Close => {
                scopes.pop();
            }
            Event::Label(_) => {}
            Event::Assume(name) => {
                if let Some(scope) = scopes.last_mut() {
                    scope.names.insert(&name.text);
                    scope.families.push((&name.text, None));
                }
            }
            Event::Declare(declaration) => declare(declaration, &mut scopes, errors),
            Event::Use(name) => uses.extend(find(name, &events[i..], &scopes, symbols, errors)),
        }
    }
    uses
}

/// Declares the labels of the block that `events` starts: they may be used before they stand.
fn declare_labels<'b>(events: &'b [Event], scopes: &mut [Scope<'b>], errors: &mut Errors) {
    let Some(scope) = scopes.last_mut() else {
        return;
    };
    let mut depth = 0_usize;
    for event in events {
        match event {
            Event::Open => depth += 1,
            Event::Close if depth == 0 => return,
            Event::Close => depth -= 1,
            Event::Label(name) if depth == 0 => {
                if !scope.labels.insert(&name.text) || scope.names.contains(name.text.as_str()) {
                    report_twice(name, errors);
                }
            }
            Event::Label(_) | Event::Declare(_) | Event::Assume(_) | Event::Use(_) => {}
        }
    }
}

fn declare<'b>(declaration: &'b Declaration, scopes: &mut [Scope<'b>], errors: &mut Errors) {
    let Some(scope) = scopes.last_mut() else {
        return;
    };
    let name = declaration.name.text.as_str();
    match &declaration.family {
        Family::No => {
            if scope.has(name) {
                report_twice(&declaration.name, errors);
            }
            scope.names.insert(name);
        }
        Family::Of(count) => {
            let count = match count {
                Count::Known(count) => Some(*count),
                Count::Missing | Count::Splice(_) => None,
            };
            let overlaps = scope.families.iter().any(|(prefix, _)| *prefix == name)
                || scope.names.iter().any(|other| is_member(other, name, count));
            if overlaps {
                report_twice(&declaration.name, errors);
            }
            scope.families.push((name, count));
        }
    }
}

fn report_twice(name: &Name, errors: &mut Errors) {
    for violation in rules::check_duplicate(&name.text, &name.text) {
        errors.on(name.tokens(), violation);
    }
}

/// Finds what a name means that the body does not declare.
fn find<'a, 'b>(
    name: &'b Name,
    later: &[Event],
    scopes: &[Scope<'_>],
    symbols: &Symbols<'a>,
    errors: &mut Errors,
) -> Option<Meaning<'a, 'b>> {
    let text = name.text.as_str();
    if text == "_" || text == "WARP_SZ" || scopes.iter().any(|scope| scope.has(text)) {
        return None;
    }
    if special::is_special(text) {
        return Some(Meaning::Special(name));
    }
    if let Some(variables) = symbols.variables.get(text) {
        return Some(Meaning::Variables(variables.clone()));
    }
    if symbols.functions.iter().any(|function| function == text) {
        return None;
    }
    let is_later = later.iter().any(|event| match event {
        Event::Declare(declaration) => match &declaration.family {
            Family::No => declaration.name.text == text,
            Family::Of(_) => is_member(text, &declaration.name.text, None),
        },
        Event::Open | Event::Close | Event::Assume(_) | Event::Label(_) | Event::Use(_) => false,
    });
    if is_later {
        errors.on(
            name.tokens(),
            format_args!("`{text}` is used before its declaration; move the declaration up"),
        );
        return None;
    }
    let families = scopes.iter().flat_map(|scope| &scope.families);
    if let Some((prefix, Some(count))) =
        families.clone().find(|(prefix, _)| is_member(text, prefix, None))
    {
        let last = count.saturating_sub(1);
        errors.on(name.tokens(), format_args!("`{text}` is not declared: `{prefix}<{count}>` ends at `{prefix}{last}`; declare more of them"));
        return None;
    }
    let members: Vec<String> = families.map(|(prefix, _)| format!("{prefix}0")).collect();
    let mut known: Vec<&str> = members.iter().map(String::as_str).collect();
    for scope in scopes {
        known.extend(scope.names.iter().chain(scope.labels.iter()).copied());
    }
    known.extend(symbols.variables.keys().map(String::as_str));
    known.extend(symbols.functions.iter().map(String::as_str));
    if text.starts_with('%') {
        for name in special::names() {
            known.push(name);
        }
    }
    let near = near(text, known.iter().copied());
    if near.is_empty() {
        errors.on(name.tokens(), format_args!("nothing here is named `{text}`; declare it in the body, as a parameter or in the module{}", all(&mut known)));
    } else {
        errors.on(
            name.tokens(),
            format_args!("nothing here is named `{text}`; did you mean {}?", list(near)),
        );
    }
    None
}

/// What there is, if it can be listed.
fn all(known: &mut Vec<&str>) -> String {
    known.retain(|name| !special::is_special(name));
    known.sort_unstable();
    known.dedup();
    match known.len() {
        0 => String::new(),
        1..=8 => format!(", where there is {}", list(known.iter().copied())),
        _ => format!(
            ", where there is {}, ..",
            list(known.iter().take(6).copied()).replace(" or ", ", ")
        ),
    }
}
