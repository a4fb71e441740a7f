//! Kernels and functions to typed handles.

use proc_macro2::TokenStream;
use ptx_syntax::ast::{Directive, ExternFunction, Item, Kernel, Module, Param, Piece};
use ptx_syntax::body::{Body, Count, Declaration, Statement};
use ptx_syntax::ptx_name;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Ident};

use super::span::at;
use super::{conditions, linkage, number, option, space_variant};

pub(super) fn expand_kernel(ptx: &TokenStream, item: &Kernel, module: &Module) -> TokenStream {
    let Kernel { attrs, vis, ident, items, body, .. } = item;
    let name = ptx_name(ident);
    let linkage = linkage(ptx, vis);
    let (const_token, fn_token) = (syn::Token![const](ident.span()), syn::Token![fn](ident.span()));
    let args = args_type(&item.params);
    let params = item.params.iter().map(|param| param_ir(ptx, param, &item.allow));
    let directives = item.directives.iter().map(|directive| directive_ir(ptx, directive));
    let uses = uses(body, module);
    let (locals, idle) = split_locals(body);
    let locals = locals.into_iter().map(|local| local_ir(ptx, local));
    let idle = idle.into_iter().map(|local| local_ir(ptx, local));
    let specials = &body.specials;
    let statements = body.statements.iter().map(|statement| statement_ir(ptx, statement));
    let checks = late_checks(ptx, item);
    quote! {
        #(#attrs)*
        #vis #const_token #fn_token #ident() -> #ptx::Kernel<#args> {
            const __PTX_PARAMS: &[#ptx::ir::Param<'static>] = &[#(#params),*];
            const __PTX_DIRECTIVES: &[#ptx::ir::Directive] = &[#(#directives),*];
            #[allow(deprecated)]
            const __PTX_USES: &[&#ptx::ir::Variable<'static>] = &[#(#uses),*];
            static __PTX_IR: #ptx::ir::Function<'static> = {
                #(#items)*
                #ptx::ir::Function {
                    name: #name,
                    kind: #ptx::ir::FunctionKind::Kernel,
                    linkage: #linkage,
                    returns: &[],
                    params: __PTX_PARAMS,
                    directives: __PTX_DIRECTIVES,
                    body: ::core::option::Option::Some(&[#(#statements),*]),
                    uses: __PTX_USES,
                    locals: &[#(#locals),*],
                    idle_shared: &[#(#idle),*],
                    specials: &[#(#specials),*],
                }
            };
            #ptx::Kernel::__new(&__PTX_IR)
        }
        #checks
    }
}

pub(super) fn expand_extern(ptx: &TokenStream, item: &ExternFunction) -> TokenStream {
    let ExternFunction { attrs, vis, ident, output, .. } = item;
    let name = ptx_name(ident);
    let (const_token, fn_token) = (syn::Token![const](ident.span()), syn::Token![fn](ident.span()));
    let args = args_type(&item.params);
    let params = item.params.iter().map(|param| param_ir(ptx, param, &[]));
    let returned = match output {
        Some(ty) => quote!(#ty),
        None => quote!(()),
    };
    let returns = output.as_ref().map(|ty| {
        let value = quote_spanned!(ty.span()=> <#ty as #ptx::PtxType>);
        quote!(#ptx::ir::Param::new("returned", #value::TYPE))
    });
    let checks = item.params.iter().enumerate().filter(|(_, param)| !param.refused);
    let checks = checks.map(|(i, param)| param_check(ptx, ident, i, param));
    let checks = late_constants(&conditions(attrs), checks);
    quote! {
        #(#attrs)*
        #vis #const_token #fn_token #ident() -> #ptx::DeviceFunction<#args, #returned> {
            static __PTX_IR: #ptx::ir::Function<'static> = #ptx::ir::Function {
                name: #name,
                kind: #ptx::ir::FunctionKind::Device,
                linkage: #ptx::ir::Linkage::Extern,
                returns: &[#returns],
                params: &[#(#params),*],
                directives: &[],
                body: ::core::option::Option::None,
                uses: &[],
                locals: &[],
                idle_shared: &[],
                specials: &[],
            };
            #ptx::DeviceFunction::__new(&__PTX_IR)
        }
        #checks
    }
}

/// The tuple of the parameters' types.
fn args_type(params: &[Param]) -> TokenStream {
    let types = params.iter().map(|param| &param.ty);
    quote!((#(#types,)*))
}

fn param_ir(ptx: &TokenStream, param: &Param, allow: &[&str]) -> TokenStream {
    let (name, ty) = (ptx_name(&param.ident), &param.ty);
    let value = quote_spanned!(param.ty.span()=> <#ty as #ptx::PtxType>);
    quote! {
        #ptx::ir::Param {
            variable: #ptx::ir::Variable {
                allow: &[#(#allow),*],
                ..#ptx::ir::Variable::new(#ptx::Space::Param, #name, #value::TYPE)
            },
            pointer: #value::POINTER,
        }
    }
}

fn directive_ir(ptx: &TokenStream, directive: &Directive) -> TokenStream {
    let kind = format_ident!("{}", directive.kind.variant());
    let value = |value| {
        let value = number(ptx, value);
        quote!(#ptx::__private::to_u32(#value))
    };
    let mut values: Vec<TokenStream> = directive.values.iter().map(value).collect();
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

/// What a body declares, and what of it is shared memory that it never names.
fn split_locals(body: &Body) -> (Vec<&Declaration>, Vec<&Declaration>) {
    body.declarations().partition(|declaration| !body.is_idle_shared(declaration))
}

fn local_ir(ptx: &TokenStream, declaration: &Declaration) -> TokenStream {
    let scalar = format_ident!("{}", format!("{:?}", declaration.scalar));
    let mut ty = match declaration.lanes {
        1 => quote!(#ptx::ir::Type::Scalar(#ptx::ScalarType::#scalar)),
        lanes => quote!(#ptx::ir::Type::Vector(#lanes, #ptx::ScalarType::#scalar)),
    };
    for extent in declaration.extents.iter().rev() {
        let extent = match count_ir(ptx, extent) {
            Some(count) => quote!(Known(#count)),
            None => quote!(Incomplete),
        };
        ty = quote!(#ptx::ir::Type::Array(#ptx::ir::Extent::#extent, &#ty));
    }
    let name = &declaration.name.text;
    let space = space_variant(declaration.space);
    let align = option(declaration.align.as_ref().and_then(|(align, _)| count_ir(ptx, align)));
    let init = match declaration.value {
        Some(_) => quote!(Unknown),
        None => quote!(None),
    };
    quote! {
        &#ptx::ir::Variable {
            align: #align,
            init: #ptx::ir::Init::#init,
            ..#ptx::ir::Variable::new(#ptx::Space::#space, #name, &#ty)
        }
    }
}

fn count_ir(ptx: &TokenStream, count: &Count) -> Option<TokenStream> {
    match count {
        Count::Known(count) => Some(quote!(#count)),
        Count::Missing => None,
        Count::Splice(expr) => Some(at(expr, quote!(#ptx::__private::to_usize(#expr)))),
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

/// The late checks, a call at each token that a rule can blame.
fn late_checks(ptx: &TokenStream, item: &Kernel) -> TokenStream {
    let ident = &item.ident;
    let of_params = item.params.iter().enumerate().filter(|(_, param)| !param.refused);
    let of_params = of_params.map(|(i, param)| param_check(ptx, ident, i, param));
    let of_directives = item.directives.iter().filter(|directive| !directive.refused);
    let of_directives = of_directives.map(|directive| {
        let (ir, values) = (directive_ir(ptx, directive), &directive.values);
        let check = quote!(#ptx::__private::require_directive(#ir, __PTX_ENVIRONMENT));
        let check = at(quote!(#(#values)*), check);
        quote!(#check;)
    });
    // What tokens tell of a body was asked early; what is spliced in was not.
    let check_local = |field: &str, i: usize, local: &Declaration| {
        let field = format_ident!("{field}");
        let check = quote! {
            #ptx::__private::require_local(#ident().ir().#field[#i], __PTX_ENVIRONMENT)
        };
        let check = at(local.name.tokens(), check);
        let counts = local.splices().map(|expr| {
            let check = at(expr, quote!(#ptx::__private::require_count(#expr)));
            quote!(#check;)
        });
        local.has_splice().then(|| quote!(#(#counts)* #check;))
    };
    let (locals, idle) = split_locals(&item.body);
    let locals = locals.into_iter().enumerate();
    let of_locals = locals.filter_map(|(i, local)| check_local("locals", i, local));
    let idle = idle.into_iter().enumerate();
    let of_idle = idle.filter_map(|(i, local)| check_local("idle_shared", i, local));
    let of_name = (!item.refused).then(|| {
        let check = quote!(#ptx::__private::require_function(#ident().ir(), __PTX_ENVIRONMENT));
        at(ident, check)
    });
    let checks = of_params.chain(of_directives).chain(of_locals).chain(of_idle).chain(of_name);
    late_constants(&conditions(&item.attrs), checks)
}

/// A constant for each check: the evaluation of one ends at its first panic.
fn late_constants(
    conditions: &[&Attribute],
    checks: impl Iterator<Item = TokenStream>,
) -> TokenStream {
    let constant = |check| {
        quote! {
            #(#conditions)*
            #[allow(deprecated)]
            const _: () = { #check };
        }
    };
    checks.map(constant).collect()
}

fn param_check(ptx: &TokenStream, function: &Ident, i: usize, param: &Param) -> TokenStream {
    let ty = &param.ty;
    let require = quote! {
        #ptx::__private::require_param(&#function().ir().params[#i], __PTX_ENVIRONMENT)
    };
    let require_layout = quote! {
        #ptx::__private::require_layout(
            #function().ir().params[#i].variable.ty,
            ::core::mem::size_of::<#ty>(),
            ::core::mem::align_of::<#ty>(),
        )
    };
    let (require, require_layout) = (at(ty, require), at(ty, require_layout));
    quote!(#require; #require_layout;)
}
