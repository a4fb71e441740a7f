//! Names of what a module has of other modules: PTX has one scope for all of them.

use super::declaration::signature_difference;
use crate::const_str::same;
use crate::found::Found;
use crate::ir::{Function, Init, Outside, Variable, has_name, is_same_function, is_same_variable};
use crate::text::Text;

/// Checks that nothing else has the names of what one of the functions that a module calls in others brings along: no item of
/// the module, and none before it in `all` that is reached from these functions.
pub const fn check_outside(
    called: &Function<'_>,
    all: &Outside<'_>,
    own: (&[&Variable<'_>], &[&Function<'_>]),
) -> Found {
    let found = Outside::of(&[called], own.1);
    let mut n = 0;
    while n < found.function_count() {
        if let Some(function) = found.function(n)
            && is_taken(function.name, None, Some(function), own, all)
        {
            return Found::of(name_clash(function.name, called.name));
        }
        n += 1;
    }
    if let Some(differs) = differs_elsewhere(called, own.1) {
        return Found::of(differs);
    }
    n = 0;
    while n < found.variable_count() {
        if let Some((variable, home)) = found.variable(n) {
            if is_taken(variable.name, Some((variable, home)), None, own, all) {
                return Found::of(name_clash(variable.name, called.name));
            }
            if let Some(symbol) = unreached(variable, &found) {
                let mut text = Text::new();
                text.push_str("`");
                text.push_str(variable.name);
                text.push_str("`, which `");
                text.push_str(called.name);
                text.push_str("` names, holds the address of `");
                text.push_str(symbol);
                text.push_str("`, and only what functions name themselves is copied from another module; name it in one of them");
                return Found::of(text);
            }
        }
        n += 1;
    }
    Found::NOTHING
}

/// Checks that what is called by the name of a function of the module is that function.
pub const fn check_own(called: &Function<'_>, own: &Function<'_>) -> Found {
    if is_same_function(called, own) {
        return Found::NOTHING;
    }
    Found::of(name_clash(own.name, called.name))
}

/// The message about a function that is defined elsewhere, and that the module and the function that it calls declare
/// differently.
const fn differs_elsewhere(called: &Function<'_>, own: &[&Function<'_>]) -> Option<Text<1024>> {
    let found = Outside::of(&[called], &[]);
    let mut n = 0;
    while n < own.len() {
        let mut k = 0;
        while k < found.function_count() {
            if let Some(function) = found.function(k)
                && function.linkage.is_elsewhere()
                && is_same_function(function, own[n])
                && let Some(why) = signature_difference(function, own[n])
            {
                let mut text = Text::new();
                text.push_str("`");
                text.push_str(called.name);
                text.push_str("` is copied into this module, and both declare `");
                text.push_str(function.name);
                text.push_str("`, which is defined elsewhere, but ");
                text.push_str(why);
                text.push_str("; declare it the same way");
                return Some(text);
            }
            k += 1;
        }
        n += 1;
    }
    None
}

/// Whether something else has this name.
const fn is_taken(
    name: &str,
    variable: Option<(&Variable<'_>, &str)>,
    function: Option<&Function<'_>>,
    (variables, functions): (&[&Variable<'_>], &[&Function<'_>]),
    all: &Outside<'_>,
) -> bool {
    if has_name(variables, name) {
        return true;
    }
    let mut n = 0;
    while n < functions.len() {
        let is_it = matches!(function, Some(function) if is_same_function(function, functions[n]));
        if same(functions[n].name, name) && !is_it {
            return true;
        }
        n += 1;
    }
    n = 0;
    while n < all.function_count() {
        if let Some(other) = all.function(n) {
            if matches!(function, Some(function) if is_same_function(function, other)) {
                return false;
            }
            if same(other.name, name) {
                return true;
            }
        }
        n += 1;
    }
    n = 0;
    while n < all.variable_count() {
        if let Some(other) = all.variable(n) {
            if matches!(variable, Some(variable) if is_same_variable(variable, other)) {
                return false;
            }
            if same(other.0.name, name) {
                return true;
            }
        }
        n += 1;
    }
    false
}

/// The first symbol in an initial value that is not among what is copied.
const fn unreached<'a>(variable: &Variable<'a>, found: &Outside<'_>) -> Option<&'a str> {
    let Init::Linked(linked) = variable.init else { return None };
    let mut link = 0;
    while link < linked.links.len() {
        let symbol = linked.links[link].address.symbol;
        let (mut is_known, mut n) = (false, 0);
        while n < found.variable_count() {
            is_known |=
                matches!(found.variable(n), Some((variable, _)) if same(variable.name, symbol));
            n += 1;
        }
        n = 0;
        while n < found.function_count() {
            is_known |= matches!(found.function(n), Some(function) if same(function.name, symbol));
            n += 1;
        }
        if !is_known {
            return Some(symbol);
        }
        link += 1;
    }
    None
}

/// The message about a name that two things have, one of which comes along with a function of another module.
pub const fn name_clash(name: &str, called: &str) -> Text<1024> {
    let mut text = Text::new();
    text.push_str("`");
    text.push_str(called);
    text.push_str("` is copied into this module");
    if !same(name, called) {
        text.push_str(" with `");
        text.push_str(name);
        text.push_str("`");
    }
    text.push_str(", and something else is named `");
    text.push_str(name);
    text.push_str("` here; give one of them another name in PTX, as in `#[unsafe(export_name = \"other\")]` [D002, PTX ISA 4.4]");
    text
}
