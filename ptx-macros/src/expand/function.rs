//! Kernels and functions to typed handles.

use proc_macro2::TokenStream;
use ptx_syntax::Space;
use ptx_syntax::ast::{Directive, ExternFunction, Item, Kernel, Module, Param, Piece};
use ptx_syntax::body::{Body, Count, Declaration, Statement};
use ptx_syntax::ptx_name;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::span::at;
use super::{conditions, linkage, option, space_variant};

pub(super) fn expand_kernel(ptx: &TokenStream, item: &Kernel, module: &Module) -> TokenStream {
    let Kernel { attrs, vis, ident, items, body, .. } = item;
    let name = ptx_name(ident);
    let linkage = linkage(ptx, vis);
    let (const_token, fn_token) = (syn::Token![const](ident.span()), syn::Token![fn](ident.span()));
    let args = args_type(&item.params);
    let params = item.params.iter().map(|param| param_ir(ptx, param));
    let directives = item.directives.iter().map(|directive| directive_ir(ptx, directive));
    let uses = uses(body, module);
    let locals = locals(ptx, body);
    let specials = &body.specials;
    let statements = body.statements.iter().map(|statement| statement_ir(ptx, statement));
    let checks = if item.refused { TokenStream::new() } else { late_checks(ptx, item) };
    quote! {
        #(#attrs)*
        #vis #const_token #fn_token #ident() -> #ptx::Kernel<#args> {
            const __PARAMS: &[#ptx::ir::Param<'static>] = &[#(#params),*];
            const __DIRECTIVES: &[#ptx::ir::Directive] = &[#(#directives),*];
            const __USES: &[&#ptx::ir::Variable<'static>] = &[#(#uses),*];
            static IR: #ptx::ir::Function<'static> = {
                #(#items)*
                #ptx::ir::Function {
                    name: #name,
                    kind: #ptx::ir::FunctionKind::Kernel,
                    linkage: #linkage,
                    returns: &[],
                    params: __PARAMS,
                    directives: __DIRECTIVES,
                    body: ::core::option::Option::Some(&[#(#statements),*]),
                    uses: __USES,
                    locals: &[#(#locals),*],
                    specials: &[#(#specials),*],
                }
            };
            #ptx::Kernel::__new(&IR)
        }
        #checks
    }
}

pub(super) fn expand_extern(ptx: &TokenStream, item: &ExternFunction) -> TokenStream {
    let ExternFunction { attrs, vis, ident, output, .. } = item;
    let name = ptx_name(ident);
    let (const_token, fn_token) = (syn::Token![const](ident.span()), syn::Token![fn](ident.span()));
    let args = args_type(&item.params);
    let params = item.params.iter().map(|param| param_ir(ptx, param));
    let returns = output
        .as_ref()
        .map(|ty| quote!(#ptx::ir::Param::new("result", <#ty as #ptx::PtxType>::TYPE)));
    quote! {
        #(#attrs)*
        #vis #const_token #fn_token #ident() -> #ptx::Kernel<#args> {
            static IR: #ptx::ir::Function<'static> = #ptx::ir::Function {
                name: #name,
                kind: #ptx::ir::FunctionKind::Device,
                linkage: #ptx::ir::Linkage::Extern,
                returns: &[#returns],
                params: &[#(#params),*],
                directives: &[],
                body: ::core::option::Option::None,
                uses: &[],
                locals: &[],
                specials: &[],
            };
            #ptx::Kernel::__new(&IR)
        }
    }
}

/// The tuple of the parameters' types.
fn args_type(params: &[Param]) -> TokenStream {
    let types = params.iter().map(|param| &param.ty);
    quote!((#(#types,)*))
}

fn param_ir(ptx: &TokenStream, param: &Param) -> TokenStream {
    let (name, ty) = (ptx_name(&param.ident), &param.ty);
    let value = quote_spanned!(param.ty.span()=> <#ty as #ptx::PtxType>);
    quote! {
        #ptx::ir::Param {
            variable: #ptx::ir::Variable::new(#ptx::Space::Param, #name, #value::TYPE),
            pointer: #value::POINTER,
        }
    }
}

fn directive_ir(ptx: &TokenStream, directive: &Directive) -> TokenStream {
    let kind = format_ident!("{}", directive.kind.variant());
    let mut values: Vec<TokenStream> =
        directive.values.iter().map(ToTokens::to_token_stream).collect();
    values.resize(3, quote!(1));
    quote!(#ptx::ir::Directive { kind: #ptx::ir::DirectiveKind::#kind, values: [#(#values),*] })
}

/// The module's variables that a body names.
fn uses(body: &Body, module: &Module) -> Vec<TokenStream> {
    let variable = |index: &usize| match module.items.get(*index) {
        Some(Item::Variable(variable)) => {
            let (conditions, ident) = (conditions(&variable.attrs), &variable.ident);
            Some(quote!(#(#conditions)* #ident.ir()))
        }
        Some(Item::Rust(_) | Item::Kernel(_) | Item::Extern(_)) | None => None,
    };
    body.uses.iter().filter_map(variable).collect()
}

/// The storage that a body declares and a budget counts.
fn locals(ptx: &TokenStream, body: &Body) -> Vec<TokenStream> {
    let counted = |declaration: &&Declaration| {
        matches!(declaration.space, Space::Shared | Space::Const | Space::Global)
    };
    body.declarations().filter(counted).map(|declaration| local_ir(ptx, declaration)).collect()
}

fn local_ir(ptx: &TokenStream, declaration: &Declaration) -> TokenStream {
    let scalar = format_ident!("{}", format!("{:?}", declaration.scalar));
    let mut ty = match declaration.lanes {
        1 => quote!(#ptx::ir::Type::Scalar(#ptx::ScalarType::#scalar)),
        lanes => quote!(#ptx::ir::Type::Vector(#lanes, #ptx::ScalarType::#scalar)),
    };
    for extent in declaration.extents.iter().rev() {
        let extent = match extent {
            Count::Known(count) => quote!(Known(#count)),
            Count::Missing => quote!(Incomplete),
            Count::Splice(expr) => quote!(Known(#expr)),
        };
        ty = quote!(#ptx::ir::Type::Array(#ptx::ir::Extent::#extent, &#ty));
    }
    let name = &declaration.name.text;
    let space = space_variant(declaration.space);
    let align = option(declaration.align.map(|(align, _)| quote!(#align)));
    quote! {
        &#ptx::ir::Variable {
            align: #align,
            ..#ptx::ir::Variable::new(#ptx::Space::#space, #name, &#ty)
        }
    }
}

fn statement_ir(ptx: &TokenStream, statement: &Statement) -> TokenStream {
    let pieces = |pieces: &[Piece]| {
        let pieces = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => quote!(#ptx::ir::Piece::Text(#text)),
            Piece::Splice(expr) => {
                let number = at(expr, quote!(#ptx::splice(#expr)));
                quote!(#ptx::ir::Piece::Number(#number))
            }
        });
        quote!(&[#(#pieces),*])
    };
    match statement {
        Statement::Declaration(text) => {
            let pieces = pieces(text);
            quote!(#ptx::ir::Statement::Declaration(#pieces))
        }
        Statement::Instruction(text) => {
            let pieces = pieces(text);
            quote!(#ptx::ir::Statement::Instruction(#pieces))
        }
        Statement::Label(name) => quote!(#ptx::ir::Statement::Label(#name)),
        Statement::Open => quote!(#ptx::ir::Statement::Open),
        Statement::Close => quote!(#ptx::ir::Statement::Close),
    }
}

/// The late checks: one constant, with a call at each token that a rule can blame.
fn late_checks(ptx: &TokenStream, item: &Kernel) -> TokenStream {
    let ident = &item.ident;
    let of_params = item.params.iter().enumerate().map(|(i, param)| {
        let ty = &param.ty;
        let require = at(
            ty,
            quote!(#ptx::__private::require_param(&#ident().ir().params[#i], __ENVIRONMENT)),
        );
        let require_layout = at(
            ty,
            quote! {
                #ptx::__private::require_layout(
                    #ident().ir().params[#i].variable.ty,
                    ::core::mem::size_of::<#ty>(),
                    ::core::mem::align_of::<#ty>(),
                )
            },
        );
        quote!(#require; #require_layout;)
    });
    let of_directives = item.directives.iter().map(|directive| {
        let (ir, values) = (directive_ir(ptx, directive), &directive.values);
        let check = quote!(#ptx::__private::require_directive(#ir, __ENVIRONMENT));
        let check = at(quote!(#(#values)*), check);
        quote!(#check;)
    });
    let check = quote!(#ptx::__private::require_function(#ident().ir(), __ENVIRONMENT));
    let of_name = at(ident, check);
    let conditions = conditions(&item.attrs);
    quote! {
        #(#conditions)*
        const _: () = { #(#of_params)* #(#of_directives)* #of_name };
    }
}
