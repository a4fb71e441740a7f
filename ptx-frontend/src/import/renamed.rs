//! `names(_Z4rowsPf = rows)`: Rust names that replace the ones derived from PTX.

use ptx_isa::sorted::{SortedMap, SortedSet};

use syn::Ident;

use super::arguments::Rename;
use super::identifiers::{self, TAKEN};
use crate::errors::Errors;
use crate::name::ptx_name;
use ptx_isa::near::{list, near};

/// The names that the user gives, by PTX name.
pub(super) fn renamed<'p>(
    symbols: &[&'p str],
    renames: &[Rename],
    file: &str,
    errors: &mut Errors,
) -> SortedMap<&'p str, String> {
    let mut renamed: SortedMap<&'p str, String> = SortedMap::new();
    if renames.is_empty() {
        return renamed;
    }
    let names = identifiers::of_symbols(symbols, &SortedMap::new());
    let mut given: SortedSet<String> = SortedSet::new();
    let mut accepted: Vec<(&'p str, &Ident)> = Vec::new();
    for Rename { from, to } in renames {
        let text = &from.text;
        let is_it = |ptx: &&&str| **ptx == text.as_str();
        let by_name = || symbols.iter().find(|ptx| names[**ptx] == *text);
        let found = symbols.iter().find(is_it).or_else(by_name);
        let ptx = match found {
            Some(ptx) => ptx,
            None => {
                let both = symbols.iter().map(|ptx| [*ptx, names[ptx].as_str()]);
                let known = both.clone().flatten();
                errors.at(from.span, unknown(text, known.collect(), file));
                let is_named = |[ptx, name]: [&str; 2]| {
                    renames.iter().any(|other| [ptx, name].contains(&other.from.text.as_str()))
                };
                // The name that is meant gets the new name, so that its uses are not errors, too.
                let meant = meant(text, both).filter(|both| !is_named(*both));
                let Some([meant, _]) = meant else { continue };
                if renamed.contains_key(meant) {
                    continue;
                }
                let Some(ptx) = symbols.iter().find(|ptx| **ptx == meant) else { continue };
                ptx
            }
        };
        let name = ptx_name(to);
        if name == TAKEN {
            errors.at(to.span(), "`MODULE` is the module itself here; choose another name");
        } else if renamed.contains_key(ptx) {
            errors.at(from.span, format_args!("`{text}` is named twice; leave one of them out"));
        } else if given.insert(name.clone()) {
            renamed.insert(ptx, name);
            accepted.push((ptx, to));
        } else {
            errors.at(to.span(), format_args!("two symbols are named `{to}`; choose another name"));
        }
    }
    // A PTX name that is valid in Rust is kept, and is thus taken unless the symbol is renamed.
    let mut is_reported = false;
    loop {
        let stays = |ptx: &&&str| !renamed.contains_key(**ptx) && identifiers::stays(ptx);
        let kept: SortedSet<&str> = symbols.iter().filter(stays).copied().collect();
        let is_free = |to: &Ident| !kept.contains(ptx_name(to).as_str());
        let (free, taken): (Vec<_>, Vec<_>) = accepted.iter().partition(|(_, to)| is_free(to));
        if taken.is_empty() {
            return renamed;
        }
        for (ptx, to) in taken {
            renamed.remove(ptx);
            // A symbol that keeps its name for that reason may conflict with another renaming.
            if !is_reported {
                errors.at(
                    to.span(),
                    format_args!("`{file}` declares `{to}` itself; choose another name"),
                );
            }
        }
        is_reported = true;
        accepted = free;
    }
}

/// The symbol that a misspelt name stands for: the only one that is near to it. Each symbol has its name in PTX and
/// the one in Rust.
pub(super) fn meant<'s>(
    name: &str,
    symbols: impl Iterator<Item = [&'s str; 2]> + Clone,
) -> Option<[&'s str; 2]> {
    let near = near(name, symbols.clone().flatten());
    let mut meant = symbols.filter(|symbol| symbol.iter().any(|name| near.contains(name)));
    let first = meant.next()?;
    meant.next().is_none().then_some(first)
}

/// The message about a name that the file does not declare.
pub(super) fn unknown(name: &str, known: Vec<&str>, file: &str) -> String {
    if known.is_empty() {
        return format!("`{file}` declares nothing that could be named `{name}`");
    }
    // A file may declare thousands of names.
    let near = near(name, known.iter().copied());
    match (near.is_empty(), known.len()) {
        (false, _) => format!("`{file}` declares no `{name}`; did you mean {}?", list(near)),
        (true, 0..=16) => {
            let mut all = known;
            all.sort_unstable();
            all.dedup();
            format!("`{file}` declares no `{name}`; it declares {}", list(all))
        }
        (true, _) => format!("`{file}` declares no `{name}`"),
    }
}
