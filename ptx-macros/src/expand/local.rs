//! Declarations in bodies.

use proc_macro2::{Span, TokenStream};
use ptx_frontend::Space;
use ptx_frontend::body::{Count, Declaration, Family, Literal};
use ptx_frontend::ir::{Extent, Init, Type, Variable};
use quote::quote;

use super::parts::option;
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
    /// Whether a test checks the module itself, and needs the initial values.
    pub(super) is_unchecked: bool,
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
        // Otherwise only the text has the initial value.
        let value = declaration.value.as_ref().filter(|_| self.is_unchecked);
        let value = value.and_then(|(value, _)| self.value(value));
        let init = match (ir.init, value) {
            (Init::None, _) => quote!(None),
            (_, Some(value)) => quote!(Value(#value)),
            (_, None) => quote!(Unknown(&[])),
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

    /// An initial value, if all of it is known.
    fn value(self, value: &Literal<Span>) -> Option<TokenStream> {
        let ptx = self.ptx;
        let value = match value {
            Literal::Int(value) => quote!(Int(#value)),
            Literal::Float(value) => {
                let bits = value.to_bits();
                quote!(Float(f64::from_bits(#bits)))
            }
            Literal::MaskedInt(mask, value) => quote!(MaskedInt(#mask, #value)),
            Literal::Address { name, generic, addend, mask } => {
                let symbol = &*name.text;
                let address = quote! {
                    #ptx::ir::Address { symbol: #symbol, generic: #generic, addend: #addend }
                };
                match mask {
                    Some(mask) => quote!(MaskedAddress(#mask, #address)),
                    None => quote!(Address(#address)),
                }
            }
            Literal::List(values) => {
                let values = values.iter().map(|(value, _)| self.value(value));
                let values = values.collect::<Option<Vec<_>>>()?;
                quote!(List(&[#(#values),*]))
            }
            Literal::Constant(n) => {
                let expr = &self.constants[*n];
                return Some(at(expr, quote!(#ptx::__private::spliced_value(#ptx::splice(#expr)))));
            }
            Literal::Written(_) | Literal::Other => return None,
        };
        Some(quote!(#ptx::ir::Value::#value))
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
