//! The variables of a file.

use proc_macro2::{Ident, Literal, TokenStream};
use ptx_frontend::import::{Variable, initial};
use ptx_frontend::ir::{self, Extent, Linkage, Type};
use ptx_frontend::{Space, ptx_name};
use quote::{ToTokens, quote};
use syn::parse_quote;

use super::super::span::at;
use super::super::variable::slice_element;
use super::super::variant::variant;
use super::context::Context;
use super::given::{Shape, check};
use super::{literal, types};

/// An expanded variable of a file.
pub(super) struct ExpandedVariable<'a> {
    /// Its declaration.
    pub(super) ir: &'a ir::Variable<'a>,
    /// Its handle, and its checks.
    pub(super) handle: Option<Handle>,
}

/// The handle of a variable.
#[cfg_attr(not(feature = "cuda"), allow(dead_code))] // for the expansion of `Loaded`
pub(super) struct Handle {
    pub(super) ident: Ident,
    pub(super) ty: syn::Type,
    pub(super) documentation: String,
    pub(super) items: TokenStream,
}

impl ExpandedVariable<'_> {
    /// The IR of the declaration: the handle's, if there is one.
    pub(super) fn ir(&self, ptx: &TokenStream) -> TokenStream {
        match &self.handle {
            Some(Handle { ident, .. }) => quote!(#ident.ir()),
            None => literal::variable(ptx, self.ir),
        }
    }

    /// Whether the launch sets its length.
    pub(super) fn is_slice_of_launch(&self) -> bool {
        let is_slice = |handle: &Handle| slice_element(&handle.ty).is_some();
        self.ir.space == Space::Shared && self.handle.as_ref().is_some_and(is_slice)
    }
}

pub(super) fn expand_variable<'a>(
    context: &mut Context<'a>,
    variable: &'a Variable<'a>,
) -> ExpandedVariable<'a> {
    let (ptx, ir) = (context.ptx, variable.ir);
    let given = variable.given.as_ref().map(|given| &given.ty);
    let own = || types::of_variable(ptx, ir).map(|ty| -> syn::Type { parse_quote!(#ty) });
    let ty = given.cloned().or_else(own).filter(|_| has_handle(ir.space));
    let Some(ty) = ty else { return ExpandedVariable { ir, handle: None } };
    let documentation = context.documentation(
        &format!("{}: {}", variable.ident, types::shown(&ty.to_token_stream(), ptx)),
        ir.name,
    );
    let items = items(context, variable, &ty, &documentation);
    let handle = Handle { ident: variable.ident.clone(), ty, documentation, items };
    ExpandedVariable { ir, handle: Some(handle) }
}

/// Whether variables in this state space have handles.
fn has_handle(space: Space) -> bool {
    match space {
        Space::Global | Space::Const | Space::Shared | Space::Local => true,
        Space::Reg | Space::Sreg | Space::Param | Space::Tex => false,
    }
}

fn items(
    context: &mut Context<'_>,
    variable: &Variable<'_>,
    ty: &syn::Type,
    documentation: &str,
) -> TokenStream {
    let (ptx, ir, ident) = (context.ptx, variable.ir, &variable.ident);
    let (name, space) = (ir.name, variant(&ir.space));
    let linkage = variant(&linkage(ir));
    let typed = match slice_element(ty) {
        Some(element) => {
            let element = at(element, quote!(<#element as #ptx::PtxType>::TYPE));
            let array = quote!(#ptx::ir::Type::Array(#ptx::ir::Extent::Incomplete, #element));
            quote!(#ptx::__private::Typed::slice(&#array))
        }
        None => at(ty, quote!(<#ty as #ptx::PtxType>::TYPED)),
    };
    let place = context.place_of(name).unwrap_or_else(|| {
        quote!(#ptx::ir::DeclaredAt::new(
            &#ptx::ir::Locations::NONE, 0,
        ))
    });
    let declared = quote!(#name, #ptx::ir::Linkage::#linkage, #place, #typed);
    let initial = if slice_element(ty).is_some() { None } else { initial(ir) };
    let handle = match initial {
        None => quote!(__new(#declared)),
        Some(initial) => {
            // A table may be long and mostly zero.
            let end = initial.bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            let start = Literal::byte_string(&initial.bytes[..end]);
            let value = quote!(&const { #ptx::__private::value_of::<#ty>(#start) });
            if initial.links.is_empty() {
                quote!(__initialised(#declared, #value))
            } else {
                let bytes = Literal::byte_string(&initial.bytes);
                let links = initial.links.iter().map(|link| literal::link(ptx, link));
                quote! {
                    __new(#declared).__linked(
                        #value,
                        #ptx::ir::Init::Linked(#ptx::ir::Linked {
                            bytes: #bytes, links: &[#(#links),*],
                        }),
                    )
                }
            }
        }
    };
    let align = ir.align.or_else(|| variable.given.as_ref().and_then(|_| ir.alignment()));
    let align = align.map(Literal::usize_unsuffixed);
    let align = align.map(|align| quote!(.__aligned(#align)));
    let managed = ir.managed.then(|| quote!(.__managed()));
    let unified = ir.unified.map(|unified| {
        let (upper, lower) = (unified.upper, unified.lower);
        quote!(.__unified(#upper, #lower))
    });
    let allow = context.allowed().map(|allow| quote!(.__allow(#allow)));
    let shape = Shape {
        name: ptx_name(ident),
        of: None,
        bytes: ir.bytes(),
        align: ir.alignment().unwrap_or(1),
        ty: ir.ty,
        pointer: None,
    };
    let check = variable.given.as_ref().map(|given| check(ptx, &shape, &given.ty));
    quote! {
        #[doc = #documentation]
        pub static #ident: #ptx::Variable<#ptx::#space, #ty> =
            #ptx::Variable::#handle #align #managed #unified #allow;
        #check
    }
}

/// The linkage of the declaration: shared memory without a length belongs to the launch, which PTX
/// calls external.
fn linkage(ir: &ir::Variable<'_>) -> Linkage {
    match (ir.space, ir.linkage, ir.ty) {
        (Space::Shared, Linkage::Extern, Type::Array(Extent::Incomplete, _)) => Linkage::Dynamic,
        (_, linkage, _) => linkage,
    }
}
