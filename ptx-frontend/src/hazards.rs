//! Which hazards may be allowed where: on declarations, parameters, functions and statements.

use proc_macro2::Span;
use ptx_types::rules::{self, Kind, Rule, Site};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Ident, Meta, Token};

use crate::attribute::AttributeValue;
use crate::errors::Errors;
use crate::near;

/// Whether a rule is about what a declaration in a body says.
fn is_of_locals(rule: &Rule) -> bool {
    rule.is_allowed_on(Site::Local) && !rule.is_allowed_on(Site::Statement)
}

/// Whether the rule with this code is about what a declaration in a body says.
pub fn is_of_declarations(code: &str) -> bool {
    rules::rule(code).is_some_and(is_of_locals)
}

/// Whether a declaration may be allowed to break the rule with this code, or accesses to it may.
pub(crate) fn is_allowed_on_declarations(code: &str) -> bool {
    rules::rule(code).is_some_and(|rule| rule.is_allowed_on(Site::Local))
}

/// The codes in `#[allow(A034)]` on a parameter.
pub(crate) fn param_hazards(attr: &Attribute, errors: &mut Errors) -> Vec<&'static str> {
    let list = match &attr.meta {
        Meta::List(list) => {
            list.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated).ok()
        }
        Meta::Path(_) | Meta::NameValue(_) => None,
    };
    let value =
        list.map_or(AttributeValue::None, |list| AttributeValue::List(list.into_iter().collect()));
    let name = Ident::new("allow", attr.span());
    let found = hazards(&name, value, Site::Param, errors);
    found.into_iter().map(|(code, _)| code).collect()
}

/// Whether a rule is about what an instruction does.
pub(crate) fn is_of_statements(rule: &Rule) -> bool {
    rule.is_allowed_on(Site::Statement)
}

/// The rule that a statement is allowed to break, by its code; else what is wrong with that.
pub(crate) fn statement_hazard(code: &str) -> Result<&'static str, String> {
    match rules::rule(code) {
        Some(rule) if is_of_statements(rule) || is_of_locals(rule) => Ok(rule.code),
        Some(rule) => Err(not_allowed(rule)),
        None => Err(no_hazard(code)),
    }
}

/// The codes behind `allow`, of hazards that can be allowed at this site.
pub(crate) fn hazards(
    name: &Ident,
    value: AttributeValue,
    site: Site,
    errors: &mut Errors,
) -> Vec<(&'static str, Span)> {
    let is_hazard = |rule: &&Rule| rule.is_allowed_on(site);
    let codes = || rules::RULES.iter().filter(is_hazard).map(|rule| rule.code);
    let AttributeValue::List(list) = value else {
        errors.at(
            name.span(),
            format_args!(
                "name the hazards: {}, as in `allow({})`",
                near::list(codes()),
                codes().next().unwrap_or_default()
            ),
        );
        return Vec::new();
    };
    let mut found: Vec<(&'static str, Span)> = Vec::new();
    for expr in list {
        let word = match &expr {
            Expr::Path(path) => path.path.get_ident(),
            _ => None,
        };
        let Some(word) = word else {
            errors
                .on(&expr, format_args!("a hazard is named by its code: {}", near::list(codes())));
            continue;
        };
        match rules::rule(&word.to_string()) {
            Some(rule) if found.iter().any(|(code, _)| *code == rule.code) => {
                errors.at(word.span(), format_args!("`{word}` is allowed twice here; remove one"));
            }
            Some(rule) if is_hazard(&rule) => found.push((rule.code, word.span())),
            Some(rule) => errors.at(word.span(), not_allowed(rule)),
            None => errors.at(word.span(), no_hazard(&word.to_string())),
        }
    }
    found
}

/// What is wrong with a code that names no rule.
fn no_hazard(code: &str) -> String {
    match rules::withdrawn(code) {
        Some(why) => format!("`{code}` was withdrawn: {why}; remove the allowance"),
        None => format!(
            "there is no hazard `{code}`; the code of one stands in its error, as in `[A021, ..]`"
        ),
    }
}

/// Why a rule cannot be allowed where it was.
fn not_allowed(rule: &Rule) -> String {
    let code = rule.code;
    match rule.kind {
        Kind::Refused => format!("`{code}` cannot be allowed: ptxas or the driver refuses it too"),
        Kind::Unenforced => format!("`{code}` cannot be allowed: the PTX ISA forbids it"),
        Kind::Hazard => format!("`{code}` cannot be allowed here, where nothing can break it"),
    }
}
