//! Declarations in bodies.

use proc_macro2::{Span, TokenStream};
use ptx_frontend::Space;
use ptx_frontend::body::{Count, Declaration, Family};
use ptx_frontend::ir::{Extent, Init, Type, Variable};
use quote::quote;

use super::fragment::option;
use super::span::at;
use super::ty::ty;
use super::variant::variant;

/// Writes the IR of a declaration in a body.
#[derive(Clone, Copy)]
pub(super) struct Locals<'m> {
    pub(super) ptx: &'m TokenStream,
    /// The constants of the body, in order.
    pub(super) constants: &'m [TokenStream],
    /// The codes of the hazards that the function allows in its declarations.
    pub(super) of_function: &'m [&'m str],
}

impl Locals<'_> {
    /// The lowered declaration, with the constants that were left open in it.
    pub(super) fn ir(self, ir: &Variable<'_>, declaration: &Declaration<Span>) -> TokenStream {
        let ptx = self.ptx;
        let allow = ir.allow.iter().chain(self.of_function);
        // Compilers declare families, but people declare registers one by one.
        if let (Space::Reg, Type::Scalar(scalar), Init::None, None, None) =
            (ir.space, ir.ty, ir.init, &declaration.align, allow.clone().next())
        {
            let (name, scalar) = (ir.name, variant(scalar));
            return quote!(&#ptx::ir::Variable::register(#name, #ptx::ScalarType::#scalar));
        }
        let family = match &declaration.family {
            Family::Of(count) => Some(count),
            Family::No => None,
        };
        let mut counts = family.into_iter().chain(&declaration.extents);
        let ty = ty(ptx, ir.ty, &mut |extent| self.extent(extent, counts.next()));
        let (name, space) = (ir.name, variant(&ir.space));
        let align = match (ir.align, &declaration.align) {
            (Some(bytes), _) => Some(quote!(#bytes)),
            (None, Some((Count::Constant(n), _))) => Some(self.count(*n)),
            (None, _) => None,
        };
        let align = option(align);
        // Only the text has the initial value.
        let init = match ir.init {
            Init::None => quote!(None),
            _ => quote!(Unknown),
        };
        quote! {
            &#ptx::ir::Variable {
                align: #align,
                init: #ptx::ir::Init::#init,
                allow: &[#(#allow),*],
                ..#ptx::ir::Variable::new(#ptx::Space::#space, #name, #ty)
            }
        }
    }

    fn extent(self, extent: Extent, count: Option<&Count>) -> TokenStream {
        let ptx = self.ptx;
        let extent = match (extent, count) {
            (Extent::Known(count), _) => quote!(Known(#count)),
            (Extent::Unknown, Some(Count::Constant(n))) => {
                let count = self.count(*n);
                quote!(Known(#count))
            }
            (Extent::Incomplete | Extent::Unknown, _) => quote!(Incomplete),
        };
        quote!(#ptx::ir::Extent::#extent)
    }

    fn count(self, constant: usize) -> TokenStream {
        let (ptx, expr) = (self.ptx, &self.constants[constant]);
        at(expr, quote!(#ptx::__private::to_usize(#expr)))
    }
}
