//! Adjusts paths written beside a macro call for use inside the module that the macro generates.

use proc_macro2::Span;
use syn::visit_mut::VisitMut;
use syn::{Expr, Ident, Path, PathSegment, Type};

/// Moves paths that start at `self` or `super` one module outwards.
struct Outward;

impl VisitMut for Outward {
    fn visit_path_mut(&mut self, path: &mut Path) {
        syn::visit_mut::visit_path_mut(self, path);
        let Some(first) = path.segments.first_mut() else { return };
        let outer = |span: Span| PathSegment::from(Ident::new("super", span));
        // `self` alone is not the path of a module.
        if first.ident == "self" && path.segments.len() > 1 {
            path.segments[0] = outer(path.segments[0].ident.span());
        } else if path.segments[0].ident == "super" {
            let span = path.segments[0].ident.span();
            path.segments.insert(0, outer(span));
        }
    }
}

/// A type written outside the module, as it must be written inside.
pub(super) fn of_type(ty: &Type) -> Type {
    let mut ty = ty.clone();
    Outward.visit_type_mut(&mut ty);
    ty
}

/// Does the same for an expression.
pub(super) fn of_expr(expr: &mut Expr) {
    Outward.visit_expr_mut(expr);
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens, quote};
    use syn::parse_quote;

    use super::{of_expr, of_type};

    #[test]
    fn paths_move_one_module_outwards() {
        for (written, expected) in [
            (quote!(Config), quote!(Config)),
            (quote!(crate::Config), quote!(crate::Config)),
            (quote!([self::Config; 2]), quote!([super::Config; 2])),
            (quote!(Ptr<Global, super::a::B>), quote!(Ptr<Global, super::super::a::B>)),
            (quote!(super::super::B), quote!(super::super::super::B)),
        ] {
            let ty = of_type(&parse_quote!(#written));
            assert_eq!(ty.to_token_stream().to_string(), expected.to_string());
        }
        let mut expr = parse_quote!(n <= self::MOST && x.len() > super::f(n));
        of_expr(&mut expr);
        let expected = quote!(n <= super::MOST && x.len() > super::super::f(n));
        assert_eq!(expr.to_token_stream().to_string(), expected.to_string());
    }
}
