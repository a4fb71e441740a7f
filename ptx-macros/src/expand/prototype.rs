//! Call prototypes (PTX ISA 11.2.3).

use proc_macro2::TokenStream;
use ptx_frontend::ir::{Function, Param};
use quote::quote;

use super::parts::option;
use super::ty;
use super::variant::variant;

/// Writes the IR of a prototype, which has the name of its label.
pub(super) fn prototype(ptx: &TokenStream, prototype: &Function<'_>) -> TokenStream {
    let param = |param: &Param<'_>| self::param(ptx, param);
    let (returns, params) =
        (prototype.returns.iter().map(param), prototype.params.iter().map(param));
    let name = prototype.name;
    quote! {
        #ptx::ir::Function {
            returns: &[#(#returns),*],
            params: &[#(#params),*],
            ..#ptx::ir::Function::new(#ptx::ir::FunctionKind::Device, #name)
        }
    }
}

fn param(ptx: &TokenStream, param: &Param<'_>) -> TokenStream {
    let variable = &param.variable;
    let (name, space) = (variable.name, variant(&variable.space));
    let align = option(variable.align.map(|bytes| quote!(#bytes)));
    let ty = ty::ty(ptx, variable.ty, &mut |count| ty::extent(ptx, count));
    quote! {
        #ptx::ir::Param {
            variable: #ptx::ir::Variable {
                align: #align,
                ..#ptx::ir::Variable::new(#ptx::Space::#space, #name, #ty)
            },
            ..#ptx::ir::Param::new(#name, #ty)
        }
    }
}
