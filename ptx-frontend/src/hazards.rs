//! The places where hazards can be allowed: declarations, parameters, functions and statements.

use proc_macro2::Span;
use ptx_isa::rules::{self, AllowanceSite, Rule};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Ident, Meta, Token};

use crate::attribute::AttributeValue;
use crate::errors::Errors;
use ptx_isa::near;
use ptx_text::codes::{named, not_allowed};

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
    let found = hazards(&name, value, AllowanceSite::Param, errors);
    found.into_iter().map(|(code, _)| code).collect()
}

/// The codes after `allow` of hazards that can be allowed at this site.
pub(crate) fn hazards(
    name: &Ident,
    value: AttributeValue,
    site: AllowanceSite,
    errors: &mut Errors,
) -> Vec<(&'static str, Span)> {
    let is_hazard = |rule: &&Rule| rule.is_allowed_on(site);
    let codes = || rules::RULES.iter().filter(is_hazard).map(|rule| rule.code);
    let AttributeValue::List(list) = value else {
        errors.at(
            name.span(),
            format_args!(
                "name the rules: {}, as in `allow({})`",
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
            errors.on(&expr, format_args!("a rule is named by its code: {}", near::list(codes())));
            continue;
        };
        let rule = named(&word.to_string(), |message| errors.at(word.span(), message));
        match rule {
            Some(rule) if found.iter().any(|(code, _)| *code == rule.code) => {
                errors.at(word.span(), format_args!("`{word}` is allowed twice here; remove one"));
            }
            Some(rule) if is_hazard(&rule) => found.push((rule.code, word.span())),
            Some(rule) => errors.at(word.span(), not_allowed(rule)),
            None => {}
        }
    }
    found
}
