//! Names that nothing declares.

use ptx_types::ir::Extent;
use ptx_types::ir::family::is_member;
use ptx_types::special;

use super::names::Resolver;
use super::symbols::{family_named, member_missing};
use super::{Event, Family, Name};
use crate::errors::Errors;
use crate::near::{list, near};

impl Resolver<'_, '_, '_> {
    pub(super) fn report_unknown(&self, name: &Name, at: usize, errors: &mut Errors) {
        let text = name.text.as_str();
        let mut later = self.events[at..].iter().filter_map(Event::declaration);
        let is_later = later.any(|declaration| match &declaration.family {
            Family::No => declaration.name.text == text,
            Family::Of(_) => is_member(text, &declaration.name.text, None),
        });
        if is_later {
            errors.on(
                name.tokens(),
                format_args!("`{text}` is used before its declaration; move the declaration up"),
            );
            return;
        }
        let symbols = self.context.symbols;
        let families = self.scopes.iter().flat_map(|scope| &scope.families);
        let families = families.map(|(prefix, count, _)| ((*prefix).to_owned(), *count));
        let of_module = symbols.variables.iter().filter_map(|(base, found)| {
            let (count, _) = found.first()?.ir.ty.family()?;
            match count {
                Extent::Known(count) => Some((base.clone(), Some(count))),
                Extent::Incomplete | Extent::Unknown => Some((base.clone(), None)),
            }
        });
        let families: Vec<(String, Option<usize>)> = families.chain(of_module).collect();
        if let Some((prefix, Some(count))) =
            families.iter().find(|(prefix, _)| is_member(text, prefix, None))
        {
            errors.on(name.tokens(), member_missing(text, prefix, *count));
            return;
        }
        if let Some((prefix, _)) = families.iter().find(|(prefix, _)| prefix == text) {
            errors.on(name.tokens(), family_named(prefix));
            return;
        }
        if let Some(hint) = symbols.rust_hint(text) {
            errors.on(name.tokens(), hint);
            return;
        }
        let members: Vec<String> =
            families.iter().map(|(prefix, _)| format!("{prefix}0")).collect();
        let mut known: Vec<&str> = members.iter().map(String::as_str).collect();
        for scope in &self.scopes {
            known.extend(scope.names.keys().chain(scope.labels.iter()).copied());
        }
        known.extend(symbols.names().filter(|name| !families.iter().any(|(base, _)| base == name)));
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
    }
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
