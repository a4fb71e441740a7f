//! Checked declarations to typed items.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Literal, Span, TokenStream};
use ptx_syntax::ast::{Directive, ExternFunction, Item, Kernel, Module, Param, Piece, Variable};
use ptx_syntax::body::{Body, Count, Declaration, Statement};
use ptx_syntax::derive::Struct;
use ptx_syntax::ptx_name;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Ident, Path, Type, Visibility};

/// The path to the facade, whatever `Cargo.toml` calls it.
fn facade(given: Option<&Path>) -> TokenStream {
    if let Some(path) = given {
        return quote!(#path);
    }
    match crate_name("ptx") {
        Ok(FoundCrate::Name(name)) => {
            let name = Ident::new(&name, Span::call_site());
            quote!(::#name)
        }
        Ok(FoundCrate::Itself) | Err(_) => quote!(::ptx),
    }
}

/// What every expansion needs to know.
struct Context {
    /// The path to the facade.
    ptx: TokenStream,
}

pub(crate) fn module(module: &Module) -> TokenStream {
    let ptx = facade(module.args.krate.as_ref());
    let context = Context { ptx: ptx.clone() };
    let Module { attrs, vis, ident, .. } = module;
    let items = module.items.iter().map(|item| match item {
        Item::Rust(item) => quote!(#item),
        Item::Variable(item) => variable(&context, item),
        Item::Kernel(item) => kernel(&context, item, module),
        Item::Extern(item) => extern_function(&context, item),
    });
    let constant = module_constant(&context, module);
    quote! {
        #(#attrs)*
        #vis mod #ident {
            #(#items)*
            #constant
        }
    }
}

/// The attributes that decide whether an item exists.
fn conditions(attrs: &[Attribute]) -> Vec<&Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect()
}

fn linkage(ptx: &TokenStream, vis: &Visibility) -> TokenStream {
    match vis {
        Visibility::Inherited => quote!(#ptx::ir::Linkage::Internal),
        Visibility::Public(_) | Visibility::Restricted(_) => quote!(#ptx::ir::Linkage::Visible),
    }
}

/// `MODULE`, and the checks of the module as a whole.
fn module_constant(context: &Context, module: &Module) -> TokenStream {
    let ptx = &context.ptx;
    let name = ptx_name(&module.ident);
    // A module with a wrong target was reported; its items are still there.
    let target = module.args.target.unwrap_or(ptx_syntax::FALLBACK_TARGET);
    let target = format_ident!("{}", target.variant());
    let option = |value: Option<TokenStream>| match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    };
    let version = option(module.args.version.map(|(version, _)| {
        let (major, minor) = (version.major, version.minor);
        quote!(#ptx::Version::new(#major, #minor))
    }));
    let release = option(module.args.release.map(|release| {
        let (major, minor) = (release.major, release.minor);
        quote!(#ptx::Release::new(#major, #minor))
    }));
    let mut variables = Vec::new();
    let mut functions = Vec::new();
    for item in &module.items {
        match item {
            Item::Variable(item) => {
                let (conditions, ident) = (conditions(&item.attrs), &item.ident);
                variables.push(quote!(#(#conditions)* #ident.ir()));
            }
            Item::Kernel(item) => {
                let (conditions, ident) = (conditions(&item.attrs), &item.ident);
                functions.push(quote!(#(#conditions)* #ident().ir()));
            }
            Item::Extern(item) => {
                let (conditions, ident) = (conditions(&item.attrs), &item.ident);
                functions.push(quote!(#(#conditions)* #ident().ir()));
            }
            Item::Rust(_) => {}
        }
    }
    let span = module.ident.span();
    let refused = module.args.target.is_none()
        || module.items.iter().any(|item| match item {
            Item::Variable(item) => item.refused,
            Item::Kernel(_) | Item::Extern(_) | Item::Rust(_) => false,
        });
    let check = if refused {
        TokenStream::new()
    } else {
        quote_spanned!(span=> const _: () = #ptx::__private::require_module(MODULE.ir());)
    };
    quote! {
        #[doc(hidden)]
        const __ENVIRONMENT: #ptx::rules::Environment = #ptx::rules::Environment {
            target: ::core::option::Option::Some(#ptx::Target::#target),
            version: #version,
            release: #release,
        };
        /// The module: `Display` prints its PTX.
        pub static MODULE: #ptx::Module<'static> = #ptx::Module::new(#ptx::ir::Module {
            name: #name,
            target: #ptx::Target::#target,
            version: #version,
            release: #release,
            variables: &[#(#variables),*],
            functions: &[#(#functions),*],
        });
        #check
    }
}

/// The Rust type of a variable's handle, with `_` as the first extent taken from the value.
fn variable_type(ty: &Type, value: Option<&Expr>) -> TokenStream {
    match (ty, value) {
        (Type::Array(array), Some(value)) if matches!(array.len, Expr::Infer(_)) => {
            let element = &array.elem;
            match peel_expr(value) {
                Expr::Array(list) => {
                    let count = Literal::usize_unsuffixed(list.elems.len());
                    quote!([#element; #count])
                }
                _ => quote!([#element; {
                    const VALUE: &[#element] = &#value;
                    VALUE.len()
                }]),
            }
        }
        (Type::Group(group), value) => variable_type(&group.elem, value),
        _ => quote!(#ty),
    }
}

fn peel_expr(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => peel_expr(&group.expr),
        Expr::Paren(paren) => peel_expr(&paren.expr),
        other => other,
    }
}

fn variable(context: &Context, item: &Variable) -> TokenStream {
    let ptx = &context.ptx;
    let Variable { attrs, vis, ident, ty, value, .. } = item;
    let name = ptx_name(ident);
    let space = space_variant(item.space);
    let marker = space.clone();
    let linkage = if item.dynamic { quote!(#ptx::ir::Linkage::Extern) } else { linkage(ptx, vis) };
    if item.refused {
        // The name stays, so that nothing that uses it fails too.
        return quote! {
            #(#attrs)*
            #vis static #ident: #ptx::Variable<#ptx::#marker, u32> = #ptx::Variable::__new(
                #ptx::ir::Variable::new(
                    #ptx::Space::#space,
                    #name,
                    <u32 as #ptx::PtxType>::TYPE,
                ),
                ::core::option::Option::None,
            );
        };
    }
    let rust = variable_type(ty, value.as_ref());
    let ty_span = ty.span();
    let ir_type = match slice_element(ty) {
        Some(element) => quote_spanned! {ty_span=>
            &#ptx::ir::Type::Array(#ptx::ir::Extent::Incomplete, <#element as #ptx::PtxType>::TYPE)
        },
        None => quote_spanned!(ty_span=> <#rust as #ptx::PtxType>::TYPE),
    };
    let align = match &item.align {
        Some(align) => quote!(::core::option::Option::Some(#align)),
        None => quote!(::core::option::Option::None),
    };
    let allow = &item.allow;
    let (initial, init) = match value {
        Some(value) => (
            quote! {{
                const VALUE: &#rust = &#value;
                ::core::option::Option::Some(VALUE)
            }},
            quote!(#ptx::__private::init_of(INITIAL)),
        ),
        None => (quote!(::core::option::Option::None), quote!(#ptx::ir::Init::None)),
    };
    let checks = variable_checks(context, item, &rust);
    let conditions = conditions(attrs);
    quote! {
        #(#attrs)*
        #vis static #ident: #ptx::Variable<#ptx::#marker, #rust> = {
            const INITIAL: ::core::option::Option<&#rust> = #initial;
            #ptx::Variable::__new(
                #ptx::ir::Variable {
                    name: #name,
                    space: #ptx::Space::#space,
                    linkage: #linkage,
                    align: #align,
                    ty: #ir_type,
                    init: #init,
                    allow: &[#(#allow),*],
                },
                INITIAL,
            )
        };
        #(#conditions)*
        #checks
    }
}

/// The late checks of a variable: one constant for each token that a rule can blame.
fn variable_checks(context: &Context, item: &Variable, rust: &TokenStream) -> TokenStream {
    let ptx = &context.ptx;
    let ident = &item.ident;
    let mut checks = TokenStream::new();
    let span = item.ty.span();
    let layout = if slice_element(&item.ty).is_some() {
        TokenStream::new()
    } else {
        quote_spanned!(span=> #ptx::__private::require_layout::<#rust>();)
    };
    let require = quote_spanned! {span=>
        #ptx::__private::require_variable(#ident.ir(), __ENVIRONMENT, #ptx::rules::Part::Type);
    };
    checks.extend(match &item.align {
        None => quote!(const _: () = { #require #layout };),
        Some(align) => {
            let at = quote_spanned! {align.span()=>
                #ptx::__private::require_variable(#ident.ir(), __ENVIRONMENT, #ptx::rules::Part::Align);
            };
            quote!(const _: () = { #require #layout #at };)
        }
    });
    checks
}

fn slice_element(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Slice(slice) => Some(&slice.elem),
        Type::Group(group) => slice_element(&group.elem),
        Type::Paren(paren) => slice_element(&paren.elem),
        _ => None,
    }
}

fn space_variant(space: ptx_syntax::Space) -> Ident {
    format_ident!("{}", format!("{space:?}"))
}

/// The IR of parameters.
fn params(context: &Context, params: &[Param]) -> Vec<TokenStream> {
    let ptx = &context.ptx;
    let param = |param: &Param| {
        let conditions = conditions(&param.attrs);
        let name = ptx_name(&param.ident);
        let ty = if param.refused {
            quote!(u32)
        } else {
            let ty = &param.ty;
            quote!(#ty)
        };
        let span = param.ty.span();
        let value = quote_spanned!(span=> <#ty as #ptx::PtxType>);
        quote! {
            #(#conditions)*
            #ptx::ir::Param {
                variable: #ptx::ir::Variable::new(#ptx::Space::Param, #name, #value::TYPE),
                pointer: #value::POINTER,
            }
        }
    };
    params.iter().map(param).collect()
}

/// The late checks of parameters.
fn param_checks(context: &Context, params: &[Param]) -> TokenStream {
    let ptx = &context.ptx;
    let mut checks = TokenStream::new();
    for param in params.iter().filter(|param| !param.refused) {
        let conditions = conditions(&param.attrs);
        let (ty, name) = (&param.ty, ptx_name(&param.ident));
        let span = param.ty.span();
        checks.extend(quote_spanned! {span=>
            #(#conditions)*
            #ptx::__private::require_param_type::<#ty>(#name, __ENVIRONMENT);
        });
    }
    checks
}

fn kernel(context: &Context, item: &Kernel, module: &Module) -> TokenStream {
    let ptx = &context.ptx;
    let Kernel { attrs, vis, ident, items, body, .. } = item;
    let name = ptx_name(ident);
    let linkage = linkage(ptx, vis);
    let args = args_type(&item.params);
    let param_irs = params(context, &item.params);
    let directives = item.directives.iter().map(|directive| directive_ir(context, directive));
    let (statements, locals, uses) = if item.refused {
        (Vec::new(), Vec::new(), Vec::new())
    } else {
        (statements(context, body), locals(context, body), uses(body, module))
    };
    let conditions = conditions(attrs);
    let checks = if item.refused {
        TokenStream::new()
    } else {
        let at_params = param_checks(context, &item.params);
        let at_directives = directive_checks(context, item);
        let at_name = quote_spanned! {ident.span()=>
            #ptx::__private::require_function(#ident().ir(), __ENVIRONMENT);
        };
        quote! {
            #(#conditions)*
            const _: () = { #at_params #at_directives #at_name };
        }
    };
    quote! {
        #(#attrs)*
        #vis const fn #ident() -> #ptx::Kernel<#args> {
            const __PARAMS: &[#ptx::ir::Param<'static>] = &[#(#param_irs),*];
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
                }
            };
            #ptx::Kernel::__new(&IR)
        }
        #checks
    }
}

/// The tuple of the parameters' types, without those that were refused.
fn args_type(params: &[Param]) -> TokenStream {
    let types = params.iter().map(|param| {
        let ty = &param.ty;
        if param.refused { quote!(u32) } else { quote!(#ty) }
    });
    quote!((#(#types,)*))
}

fn directive_ir(context: &Context, directive: &Directive) -> TokenStream {
    let ptx = &context.ptx;
    let kind = format_ident!("{}", directive.kind.variant());
    let mut values: Vec<TokenStream> =
        directive.values.iter().map(|value| quote!(#value)).collect();
    values.resize(3, quote!(1));
    quote!(#ptx::ir::Directive {
        kind: #ptx::ir::DirectiveKind::#kind,
        values: [#(#values),*],
    })
}

/// The late checks of directives whose values are no literals.
fn directive_checks(context: &Context, item: &Kernel) -> TokenStream {
    let ptx = &context.ptx;
    let mut checks = TokenStream::new();
    for directive in &item.directives {
        let span = directive.values.first().map_or(directive.span, Spanned::span);
        let ir = directive_ir(context, directive);
        checks.extend(quote_spanned! {span=>
            #ptx::__private::require_directive(#ir, __ENVIRONMENT);
        });
    }
    checks
}

/// The module's variables that a body names.
fn uses(body: &Body, module: &Module) -> Vec<TokenStream> {
    body.uses
        .iter()
        .filter_map(|index| match module.items.get(*index) {
            Some(Item::Variable(variable)) => {
                let (conditions, ident) = (conditions(&variable.attrs), &variable.ident);
                Some(quote!(#(#conditions)* #ident.ir()))
            }
            Some(Item::Rust(_) | Item::Kernel(_) | Item::Extern(_)) | None => None,
        })
        .collect()
}

/// The storage that a body declares, for the sums of the rules.
fn locals(context: &Context, body: &Body) -> Vec<TokenStream> {
    let ptx = &context.ptx;
    let stored = |declaration: &&Declaration| {
        matches!(declaration.space, ptx_syntax::Space::Shared | ptx_syntax::Space::Const)
    };
    body.declarations()
        .filter(stored)
        .filter_map(|declaration| {
            let scalar = format_ident!("{}", format!("{:?}", declaration.scalar?));
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
            let align = match declaration.align {
                Some((align, _)) => quote!(::core::option::Option::Some(#align)),
                None => quote!(::core::option::Option::None),
            };
            Some(quote!(&#ptx::ir::Variable {
                align: #align,
                ..#ptx::ir::Variable::new(#ptx::Space::#space, #name, &#ty)
            }))
        })
        .collect()
}

fn statements(context: &Context, body: &Body) -> Vec<TokenStream> {
    let ptx = &context.ptx;
    let pieces = |pieces: &[Piece]| {
        let pieces = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => quote!(#ptx::ir::Piece::Text(#text)),
            Piece::Splice(expr) => {
                let span = expr.span();
                quote_spanned!(span=> #ptx::ir::Piece::Number(#ptx::splice(#expr)))
            }
        });
        quote!(&[#(#pieces),*])
    };
    body.statements
        .iter()
        .map(|statement| match statement {
            Statement::Directive(text) => {
                let pieces = pieces(text);
                quote!(#ptx::ir::Statement::Directive(#pieces))
            }
            Statement::Instruction(text) => {
                let pieces = pieces(text);
                quote!(#ptx::ir::Statement::Instruction(#pieces))
            }
            Statement::Label(name) => quote!(#ptx::ir::Statement::Label(#name)),
            Statement::Open => quote!(#ptx::ir::Statement::Open),
            Statement::Close => quote!(#ptx::ir::Statement::Close),
        })
        .collect()
}

fn extern_function(context: &Context, item: &ExternFunction) -> TokenStream {
    let ptx = &context.ptx;
    let ExternFunction { attrs, vis, ident, output, .. } = item;
    let name = ptx_name(ident);
    let args = args_type(&item.params);
    let param_irs = params(context, &item.params);
    let returns = output
        .as_ref()
        .map(|ty| quote!(#ptx::ir::Param::new("result", <#ty as #ptx::PtxType>::TYPE)));
    quote! {
        #(#attrs)*
        #[allow(dead_code)]
        #vis const fn #ident() -> #ptx::Kernel<#args> {
            static IR: #ptx::ir::Function<'static> = #ptx::ir::Function {
                name: #name,
                kind: #ptx::ir::FunctionKind::Device,
                linkage: #ptx::ir::Linkage::Extern,
                returns: &[#returns],
                params: &[#(#param_irs),*],
                directives: &[],
                body: ::core::option::Option::None,
                uses: &[],
                locals: &[],
            };
            #ptx::Kernel::__new(&IR)
        }
    }
}

pub(crate) fn derive(item: &Struct) -> TokenStream {
    let ptx = facade(item.krate.as_ref());
    let Struct { ident, generics, fields, .. } = item;
    let name = ptx_name(ident);
    let mut generics = generics.clone();
    for (_, ty) in fields {
        if !generics.params.is_empty() {
            let bound = syn::parse_quote!(#ty: #ptx::PtxType);
            generics.make_where_clause().predicates.push(bound);
        }
    }
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let field_irs = fields.iter().map(|(field, ty)| {
        let name = field.to_string();
        let name = name.strip_prefix("r#").unwrap_or(&name);
        let ty = quote_spanned!(ty.span()=> <#ty as #ptx::PtxType>::TYPE);
        quote!(#ptx::ir::Field {
            name: #name,
            offset: ::core::mem::offset_of!(Self, #field),
            ty: #ty,
        })
    });
    let checks: TokenStream = fields
        .iter()
        .enumerate()
        .map(|(i, (field, _))| {
            quote_spanned!(field.span()=> #ptx::__private::require_no_padding(ty, #i);)
        })
        .chain(core::iter::once({
            let (count, span) = (fields.len(), ident.span());
            quote_spanned!(span=> #ptx::__private::require_no_padding(ty, #count);)
        }))
        .collect();
    // A generic struct has no layout yet; its checks wait for the types.
    let (in_type, apart) = if generics.params.is_empty() {
        let apart = quote! {
            const _: () = {
                let ty = <#ident as #ptx::PtxType>::TYPE;
                #checks
            };
        };
        (TokenStream::new(), apart)
    } else {
        (checks, TokenStream::new())
    };
    quote! {
        // SAFETY: `repr(C)` or `repr(transparent)` lays the fields out as `TYPE` says, each is
        // storage itself, and the checks refuse padding.
        #[automatically_derived]
        #[allow(unsafe_code)]
        unsafe impl #impl_generics #ptx::PtxType for #ident #type_generics #where_clause {
            const TYPE: &'static #ptx::ir::Type<'static> = {
                let ty = &#ptx::ir::Type::Struct(#ptx::ir::Struct {
                    name: #name,
                    size: ::core::mem::size_of::<Self>(),
                    align: ::core::mem::align_of::<Self>(),
                    fields: &[#(#field_irs),*],
                });
                #in_type
                ty
            };
        }
        #apart
    }
}
