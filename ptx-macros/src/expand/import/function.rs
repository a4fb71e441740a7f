//! The kernels and functions of a file.

use ptx_frontend::sorted::SortedMap;

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::ast;
use ptx_frontend::import::{Function, Param};
use ptx_frontend::ir::family::is_member;
use ptx_frontend::ir::{self, FunctionKind};
use ptx_frontend::{Space, ptx_name};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Type, Visibility, parse_quote};

use super::super::mentions::expand_mentions;
use super::super::parts::option;
use super::super::signature::{sized, tuple};
use super::super::span::{at, require};
use super::super::variable::slice_element;
use super::super::variant::variant;
use super::context::Context;
use super::given::{Shape, check};
use super::variable::ExpandedVariable;
use super::{literal, types};

/// The handle of a kernel or function.
#[cfg_attr(not(feature = "cuda"), allow(dead_code))] // for the expansion of launches
pub(super) struct ExpandedFunction {
    pub(super) items: TokenStream,
    /// The declaration, for the expansion of launches.
    pub(super) declared: ast::Function,
    /// Whether it is a kernel with a body.
    pub(super) is_launched: bool,
    /// The kinds of its directives.
    pub(super) directives: Vec<ir::DirectiveKind>,
    /// Whether the launch sets the length of dynamic shared memory.
    pub(super) has_slice: bool,
}

/// The variables of a file, by their names.
pub(super) type Variables<'v, 'a> = SortedMap<&'a str, &'v ExpandedVariable<'a>>;

/// A kernel or function, unless Rust has no type for something in its signature.
pub(super) fn expand_function(
    context: &mut Context<'_>,
    function: &Function<'_>,
    variables: &Variables<'_, '_>,
) -> Option<ExpandedFunction> {
    let (ptx, ir, ident) = (context.ptx, function.ir, &function.ident);
    let types = param_types(ptx, function)?;
    let returns: Vec<Type> = ir
        .returns
        .iter()
        .map(|returned| types::of_param(ptx, returned).map(|ty| parse_quote!(#ty)))
        .collect::<Option<_>>()?;
    let is_defined = ir.body.is_some();
    let mut declared = ast::Function {
        kind: ir.kind,
        attrs: Vec::new(),
        vis: Visibility::Public(syn::Token![pub](ident.span())),
        ident: ident.clone(),
        name: ir.name.to_owned(),
        linkage: ir.linkage,
        params: function
            .params
            .iter()
            .zip(&types)
            .map(|(param, ty)| ast_param(param, ty.clone()))
            .collect(),
        returns: Vec::new(),
        directives: Vec::new(),
        unified: None,
        launch: None,
        contract: function.contract.clone(),
        items: Vec::new(),
        body: None,
        allow: Vec::new(),
        end: ident.span(),
        refused: false,
        instance: None,
        travels: None,
        outside: Vec::new(),
    };
    let documentation = context.documentation(&shown(ptx, &declared, &returns), ir.name);
    declared.attrs.push(parse_quote!(#[doc = #documentation]));
    let args = tuple(&declared.params);
    let handle = match ir.kind {
        FunctionKind::Kernel => quote!(#ptx::Kernel<#args>),
        FunctionKind::Device => {
            let returned = match returns.as_slice() {
                [one] => sized(one),
                all => {
                    let all = all.iter().map(sized);
                    quote!((#(#all,)*))
                }
            };
            quote!(#ptx::DeviceFunction<#args, #returned>)
        }
    };
    let fields = fields(context, function, (&types, &returns), variables);
    let kind = variant(&ir.kind);
    let name = ir.name;
    let checks = checks(ptx, function);
    let mentions = is_defined.then(|| expand_mentions(ptx, &declared)).flatten();
    let items = quote! {
        #[doc = #documentation]
        pub const fn #ident() -> #handle {
            static __PTX_IR: #ptx::ir::Function<'static> = #ptx::ir::Function {
                #fields
                ..#ptx::ir::Function::new(#ptx::ir::FunctionKind::#kind, #name)
            };
            <#handle>::__new(&__PTX_IR)
        }
        #checks
        #mentions
    };
    let mut used = ir.uses.iter().filter_map(|used| Some(named(used.name, variables)?.0));
    let has_slice = is_defined && used.any(ExpandedVariable::is_slice_of_launch);
    let is_launched = is_defined && ir.kind == FunctionKind::Kernel;
    let directives = ir.directives.iter().map(|directive| directive.kind).collect();
    Some(ExpandedFunction { items, declared, is_launched, directives, has_slice })
}

/// The Rust type of each parameter.
fn param_types(ptx: &TokenStream, function: &Function<'_>) -> Option<Vec<Type>> {
    let ty = |param: &Param<'_>| match &param.given {
        Some(given) => Some(given.ty.clone()),
        None => types::of_param(ptx, param.ir).map(|ty| parse_quote!(#ty)),
    };
    function.params.iter().map(ty).collect()
}

fn ast_param(param: &Param<'_>, ty: Type) -> ast::Param {
    ast::Param {
        ident: param.ident.clone(),
        ty,
        space: param.ir.variable.space,
        align: None,
        readonly: param.given.as_ref().and_then(|given| given.readonly),
        allow: Vec::new(),
        refused: false,
    }
}

/// The declaration in Rust.
fn shown(ptx: &TokenStream, declared: &ast::Function, returns: &[Type]) -> String {
    let text = |ty: &Type| types::shown(&ty.to_token_stream(), ptx);
    let param = |param: &ast::Param| {
        let ty = text(&param.ty);
        let ty = if param.space == Space::Reg { format!("Reg<{ty}>") } else { ty };
        let readonly = if param.readonly.is_some() { "#[readonly] " } else { "" };
        format!("{readonly}{}: {ty}", param.ident)
    };
    let params: Vec<String> = declared.params.iter().map(param).collect();
    let returns: Vec<String> = returns.iter().map(text).collect();
    let returns = match returns.as_slice() {
        [] => String::new(),
        [one] => format!(" -> {one}"),
        all => format!(" -> ({})", all.join(", ")),
    };
    format!("fn {}({}){returns}", declared.ident, params.join(", "))
}

/// The fields of the IR beside its kind and its name.
fn fields(
    context: &mut Context<'_>,
    function: &Function<'_>,
    (types, returns): (&[Type], &[Type]),
    variables: &Variables<'_, '_>,
) -> TokenStream {
    let (ptx, ir) = (context.ptx, function.ir);
    let linkage = variant(&ir.linkage);
    let params: Vec<TokenStream> = function
        .params
        .iter()
        .zip(types)
        .map(|(Param { ir, given, .. }, ty)| {
            let is_readonly = given.as_ref().is_some_and(|given| given.readonly.is_some());
            param(context, ir, ty, given.is_some(), is_readonly)
        })
        .collect();
    let returns: Vec<TokenStream> = ir
        .returns
        .iter()
        .zip(returns)
        .map(|(ir, ty)| param(context, ir, ty, false, false))
        .collect();
    let directives = ir.directives.iter().map(|directive| literal::directive(ptx, *directive));
    // Only the text has the statements.
    let body = option(ir.body.map(|_| quote!(#ptx::ir::Body::verbatim(""))));
    let uses = ir.uses.iter().filter_map(|used| {
        let (variable, member) = named(used.name, variables)?;
        let ir = variable.ir(ptx);
        Some(match member {
            None => ir,
            Some(member) => quote!(&const { #ptx::ir::Variable::member(#ir, #member) }),
        })
    });
    let locals = storage(ptx, ir.locals);
    let (idle, called) = (storage(ptx, ir.idle_shared), storage(ptx, ir.called_shared));
    let (specials, calls) = (ir.specials, ir.calls);
    let (major, minor) = (ir.body_since.major, ir.body_since.minor);
    let unified = literal::unified_ir(ptx, ir.unified);
    let (allow, place) = (context.allow(), option(context.place_of(ir.name)));
    quote! {
        linkage: #ptx::ir::Linkage::#linkage,
        returns: &[#(#returns),*],
        params: &[#(#params),*],
        directives: &[#(#directives),*],
        body: #body,
        uses: &[#(#uses),*],
        locals: &[#(#locals),*],
        idle_shared: &[#(#idle),*],
        called_shared: &[#(#called),*],
        specials: &[#(#specials),*],
        calls: &[#(#calls),*],
        body_since: #ptx::Version::new(#major, #minor),
        unified: #unified,
        allow: #allow,
        place: #place,
    }
}

/// The storage among a body's declarations, without registers, which only its statements name.
fn storage(ptx: &TokenStream, all: &[&ir::Variable<'_>]) -> Vec<TokenStream> {
    let is_storage = |space| match space {
        Space::Const | Space::Global | Space::Local | Space::Shared => true,
        Space::Reg | Space::Sreg | Space::Param | Space::Tex => false,
    };
    let storage = all.iter().filter(|variable| is_storage(variable.space));
    storage.map(|variable| literal::variable(ptx, variable)).collect()
}

/// The variable with this name, or the family and the member that has it.
fn named<'v, 'a, 'n>(
    name: &'n str,
    variables: &Variables<'v, 'a>,
) -> Option<(&'v ExpandedVariable<'a>, Option<&'n str>)> {
    if let Some(variable) = variables.get(name) {
        return Some((variable, None));
    }
    let is_family = |variable: &&&ExpandedVariable<'_>| {
        variable.ir.ty.family().is_some() && is_member(name, variable.ir.name, None)
    };
    variables.values().find(is_family).map(|family| (*family, Some(name)))
}

fn param(
    context: &mut Context<'_>,
    ir: &ir::Param<'_>,
    ty: &Type,
    is_given: bool,
    readonly: bool,
) -> TokenStream {
    let ptx = context.ptx;
    let (name, space) = (ir.variable.name, variant(&ir.variable.space));
    let (pointer, written) = match slice_element(ty) {
        Some(element) => {
            let element = at(element, quote!(<#element as #ptx::PtxType>::TYPE));
            let written = quote! {
                &#ptx::ir::Type::Array(#ptx::ir::Extent::Incomplete, #element)
            };
            (option(None), written)
        }
        None => {
            let of = |what| at(ty, quote!(<#ty as #ptx::PtxType>::#what));
            (of(format_ident!("POINTER")), of(format_ident!("TYPE")))
        }
    };
    let align = if is_given { ir.variable.alignment() } else { ir.variable.align };
    let align = option(align.map(|align| Literal::usize_unsuffixed(align).into_token_stream()));
    let allow = context.allow();
    quote! {
        #ptx::ir::Param {
            variable: #ptx::ir::Variable {
                align: #align,
                allow: #allow,
                ..#ptx::ir::Variable::new(#ptx::Space::#space, #name, #written)
            },
            pointer: #pointer,
            readonly: #readonly,
            elements: ::core::option::Option::None,
        }
    }
}

/// The checks of the types that the user gives.
fn checks(ptx: &TokenStream, function: &Function<'_>) -> TokenStream {
    if function.refused {
        return TokenStream::new();
    }
    let check = |(n, param): (usize, &Param<'_>)| {
        let (ir, given) = (param.ir, param.given.as_ref()?);
        let shape = Shape {
            name: ptx_name(&param.ident),
            of: Some(ptx_name(&function.ident)),
            bytes: ir.variable.bytes(),
            align: ir.variable.alignment().unwrap_or(1),
            ty: ir.variable.ty,
            pointer: ir.pointer,
        };
        let check = check(ptx, &shape, &given.ty);
        let attribute = given.readonly.map(|place| {
            let ident = &function.ident;
            let param = quote!(&#ident().ir().params[#n]);
            let found = quote!(#ptx::__private::check_attribute(#param));
            let check = require(ptx, quote_spanned!(place=> .), found);
            quote!(const _: () = #check)
        });
        Some(quote!(#check #attribute))
    };
    function.params.iter().enumerate().filter_map(check).collect()
}
