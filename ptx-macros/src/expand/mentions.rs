//! Names in contracts, for rustc to resolve when nothing is launched.
//!
//! With the feature `cuda` of `ptx`, a contract is part of the launch's code. Without it, none of that code is
//! expanded, and an unknown name would only be found once the feature is turned on.

use proc_macro2::{Ident, TokenStream};
use ptx_frontend::ast::{Contract, Function, Param};
use ptx_frontend::group::Peel;
use ptx_frontend::ptx_name;
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, ExprCast, ExprPath, Item, PatIdent, Type};

use super::parts::conditions;

/// The functions of Rust's prelude, which cannot be named by a path from a module.
const PRELUDE: [&str; 8] =
    ["Some", "Ok", "Err", "drop", "size_of", "size_of_val", "align_of", "align_of_val"];

/// The constants, types and functions in a kernel's contract.
pub(super) fn expand_mentions(ptx: &TokenStream, item: &Function) -> Option<TokenStream> {
    let Function { contract: Contract { requires, grid, .. }, params, .. } = item;
    let mut found = Mentions::default();
    for expr in requires.iter().chain(grid) {
        found.visit_expr_mut(&mut expr.clone());
    }
    // rustc resolves items that an expression declares itself.
    if found.has_items {
        return None;
    }
    let is_local = |ident: &Ident| {
        let is_it = |other: &Ident| ptx_name(other) == ptx_name(ident);
        params.iter().map(|Param { ident, .. }| ident).chain(&found.bound).any(is_it)
    };
    let values = found.values.iter().filter(|path| !path.path.get_ident().is_some_and(is_local));
    let values = values.map(|path| quote!(let _ = &#path;));
    // A generic function used as a value would have no type.
    let functions = found.functions.iter().filter(|name| !is_local(name));
    let functions = functions.map(|name| quote_spanned!(name.span()=> use self::#name as _;));
    let types = found.types.iter().map(|ty| quote!(let _ = ::core::marker::PhantomData::<#ty>;));
    let all: Vec<TokenStream> = functions.chain(values).chain(types).collect();
    let conditions = conditions(&item.attrs);
    (!all.is_empty()).then(|| {
        quote! {
            #ptx::__without_cuda! {
                #(#conditions)*
                #[allow(warnings)]
                const _: fn() = || { #(#all)* };
            }
        }
    })
}

/// The names in expressions.
#[derive(Default)]
struct Mentions {
    values: Vec<ExprPath>,
    /// Functions that are called by a plain name.
    functions: Vec<Ident>,
    /// The types of casts.
    types: Vec<Type>,
    /// The names that patterns bind.
    bound: Vec<Ident>,
    has_items: bool,
}

impl VisitMut for Mentions {
    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        self.values.push(path.clone());
    }

    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        match call.func.peel() {
            Expr::Path(path) => {
                let name = path.path.get_ident();
                self.functions
                    .extend(name.filter(|name| !PRELUDE.iter().any(|it| name == it)).cloned());
            }
            _ => self.visit_expr_mut(&mut call.func),
        }
        call.args.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
    }

    fn visit_expr_cast_mut(&mut self, cast: &mut ExprCast) {
        // A path segment may be left to inference.
        let is_named =
            |ty: &Type| matches!(ty, Type::Path(_)) && !has_wildcard(&ty.to_token_stream());
        if is_named(&cast.ty) {
            self.types.push((*cast.ty).clone());
        }
        visit_mut::visit_expr_cast_mut(self, cast);
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut PatIdent) {
        self.bound.push(pattern.ident.clone());
        visit_mut::visit_pat_ident_mut(self, pattern);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {
        self.has_items = true;
    }
}

fn has_wildcard(tokens: &TokenStream) -> bool {
    tokens.to_string().split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == "_")
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;
    use syn::visit_mut::VisitMut;

    use super::Mentions;

    fn found(expr: TokenStream) -> (Vec<String>, Vec<String>, Vec<String>) {
        use quote::ToTokens as _;

        let mut found = Mentions::default();
        found.visit_expr_mut(&mut syn::parse2(expr).unwrap());
        let text = |tokens: TokenStream| tokens.to_string().replace(' ', "");
        (
            found.values.iter().map(|it| text(it.to_token_stream())).collect(),
            found.functions.iter().map(ToString::to_string).collect(),
            found.types.iter().map(|it| text(it.to_token_stream())).collect(),
        )
    }

    #[test]
    fn expressions_name_values_functions_and_types() {
        for (expr, values, functions, types) in [
            (quote!(n > super::MOST), vec!["n", "super::MOST"], vec![], vec![]),
            (quote!(p.len() >= (n as Count) as _), vec!["p", "n"], vec![], vec!["Count"]),
            (quote!(round(n) < u32::MAX), vec!["n", "u32::MAX"], vec!["round"], vec![]),
            // Only rustc knows whether it is a function of a module or of a type.
            (quote!(limits::most(n) > drop(1)), vec!["n"], vec![], vec![]),
        ] {
            let expr_text = expr.to_string();
            let expected = [values, functions, types]
                .map(|all| all.into_iter().map(str::to_owned).collect::<Vec<String>>());
            let (values, functions, types) = found(expr);
            assert_eq!([values, functions, types], expected, "{expr_text}");
        }
    }
}
