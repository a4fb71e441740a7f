//! Fragments that many items share.

use proc_macro2::{TokenStream, TokenTree};
use ptx_frontend::ast::Module;
use quote::quote;
use syn::{Attribute, Meta};

/// The attributes that decide whether an item exists.
pub(super) fn conditions(attrs: &[Attribute]) -> Vec<Attribute> {
    attrs.iter().filter_map(condition).collect()
}

/// The condition of an attribute on whether its item exists: a `cfg`, or the `cfg` part of a `cfg_attr`.
pub(super) fn condition(attr: &Attribute) -> Option<Attribute> {
    if attr.path().is_ident("cfg") {
        return Some(attr.clone());
    }
    let Meta::List(list) = &attr.meta else { return None };
    let mut list = list.clone();
    list.tokens = conditional(list.path.is_ident("cfg_attr"), list.tokens)?;
    Some(Attribute { meta: list.into(), ..attr.clone() })
}

/// The contents of a `cfg_attr`, without the attributes that are not conditions; `None` if it has
/// no conditions.
fn conditional(is_cfg_attr: bool, tokens: TokenStream) -> Option<TokenStream> {
    if !is_cfg_attr {
        return None;
    }
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(comma) if comma.as_char() == ',');
    let mut parts = tokens.split(is_comma);
    let predicate = parts.next()?.iter();
    let attributes: Vec<TokenStream> = parts
        .filter_map(|part| {
            let [TokenTree::Ident(name), TokenTree::Group(group)] = part else { return None };
            if name == "cfg" {
                return Some(quote!(#name #group));
            }
            let inner = conditional(name == "cfg_attr", group.stream())?;
            Some(quote!(#name(#inner)))
        })
        .collect();
    (!attributes.is_empty()).then(|| quote!(#(#predicate)*, #(#attributes),*))
}

/// Lets the expansion name items that the user may have deprecated. Only where needed: rustc checks an item with
/// an attribute again whenever its line changes.
pub(super) fn allow_deprecated(module: &Module) -> Option<TokenStream> {
    module.may_deprecate.then(|| quote!(#[allow(deprecated)]))
}

/// A value that may name these items.
pub(super) fn with_items(items: &[syn::Item], value: TokenStream) -> TokenStream {
    if items.is_empty() { value } else { quote!({ #(#items)* #value }) }
}

/// `Some(..)` or `None`, wherever the expansion lands.
pub(super) fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;
    use syn::parse_quote;

    use super::conditions;

    #[test]
    fn of_attributes_those_are_kept_that_decide_whether_an_item_exists() {
        let attrs = [
            parse_quote!(#[cfg(a)]),
            parse_quote!(#[doc = "b"]),
            parse_quote!(#[cfg_attr(c, doc = "d", cfg(all(e, f)), allow(g))]),
            parse_quote!(#[cfg_attr(all(h, i), allow(j))]),
            parse_quote!(#[cfg_attr(true, cfg_attr(k, l, cfg(m)), n(o))]),
        ];
        let found = conditions(&attrs);
        let expected = quote! {
            #[cfg(a)]
            #[cfg_attr(c, cfg(all(e, f)))]
            #[cfg_attr(true, cfg_attr(k, cfg(m)))]
        };
        assert_eq!(quote!(#(#found)*).to_string(), expected.to_string());
    }
}
