//! Turns kernels and functions into typed handles.

use proc_macro2::{Span, TokenStream};
use ptx_frontend::analysis::VariableUse;
use ptx_frontend::analysis::deferred::{DeferredActual, DeferredArgument};
use ptx_frontend::ast::{Function, Module, Param};
use ptx_frontend::body::{Body, Declaration, Literal};
use ptx_frontend::sorted::SortedSet;
use ptx_frontend::{Checked, CheckedBody, FunctionKind, Unused, tokens_over};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Ident, Lifetime};

use super::documentation::documentation;
use super::late::{Late, Siblings};
use super::local::Locals;
use super::mentions::expand_mentions;
use super::number::{count_check, unified_ir};
use super::object::{local_of, used_ir};
use super::parts::{allow_deprecated, conditions, option, with_items};
use super::place::{self, Places};
use super::prototype::prototype;
use super::signature::{directive_ir, launch_ir, param_ir, tuple};
use super::span::{at, inside};
use super::variable::slice_element;
use super::variant::variant;

/// The items of a function, and the demands of its accesses on the module's variables, each with the variable's index.
pub(super) fn expand_function(
    ptx: &TokenStream,
    item: &Function,
    index: usize,
    checked: &Checked<'_>,
    places: &mut Places,
) -> (TokenStream, Vec<(usize, TokenStream)>) {
    let body = checked.body(index);
    let Function { attrs, vis, ident, name, items, allow, .. } = item;
    let (const_token, fn_token) = (syn::Token![const](ident.span()), syn::Token![fn](ident.span()));
    let handle = handle_type(ptx, item);
    let kind = match item.kind {
        FunctionKind::Kernel => quote!(Kernel),
        FunctionKind::Device => quote!(Device),
    };
    let launch = item.launch.as_ref().map(|launch| {
        let launch = option(Some(launch_ir(ptx, launch, &item.params)));
        quote!(launch: #launch,)
    });
    let linkage = variant(&item.linkage);
    let allow: Vec<&str> = allow.iter().map(|(code, _)| *code).collect();
    let mut all_ir = |params: &[Param]| -> Vec<TokenStream> {
        params.iter().map(|param| param_ir(ptx, param, item, places)).collect()
    };
    let (params, returns) = (all_ir(&item.params), all_ir(&item.returns));
    let directives = item.directives.iter().map(|directive| directive_ir(ptx, directive));
    let unified = item.unified.as_ref();
    let unified = unified.map(|(upper, lower, _)| {
        let unified = option(Some(unified_ir(ptx, upper, lower)));
        quote!(unified: #unified,)
    });
    let place = option(Some(places.of(ptx, ident)));
    let marks = body.map(|(_, checked)| place::places(ptx, checked));
    let marks = marks.unwrap_or_else(|| quote!(#ptx::ir::Locations::NONE));
    let inlined = body.and_then(|(_, checked)| place::inlined(ptx, checked));
    let inlined = inlined.map(|inlined| quote!(inlined: &#inlined,));
    let since = body.and_then(|(_, body)| body.analysis.since);
    let (major, minor) = since.map_or((1, 0), |since| (since.major, since.minor));
    let since = quote!(#ptx::Version::new(#major, #minor));
    let module = &checked.module;
    let DeferredChecks { tables, before, accesses, after, demands, constants } =
        if module.args.is_unchecked {
            DeferredChecks::default()
        } else {
            deferred_checks(ptx, item, index, body, checked)
        };
    let constants = constants.as_ref();
    let parts = body.map(|body| expand_body(ptx, body, item, checked, constants));
    let BodyParts { uses, locals, prototypes, idle, called, specials, calls, body } =
        parts.unwrap_or_default();
    let body = option(body);
    let sharing = sharing(ptx, item, index, checked);
    let [outside, counted] = reached_irs(item, index, checked);
    let (outside, uses, called) = if outside.is_empty() {
        (TokenStream::new(), quote!(&[#(#uses),*]), quote!(&[#(#called),*]))
    } else {
        with_outside(ptx, [&outside, &counted], [&uses, &called])
    };
    let deprecated = allow_deprecated(module);
    let ir = quote! {
        #ptx::ir::Function {
            linkage: #ptx::ir::Linkage::#linkage,
            returns: __PTX_RETURNS,
            params: __PTX_PARAMS,
            directives: __PTX_DIRECTIVES,
            #launch
            body: #body,
            uses: __PTX_USES,
            locals: &[#(#locals),*],
            prototypes: &[#(#prototypes),*],
            idle_shared: &[#(#idle),*],
            called_shared: __PTX_CALLED,
            specials: &[#(#specials),*],
            calls: &[#(#calls),*],
            #sharing
            body_since: #since,
            #unified
            allow: &[#(#allow),*],
            place: #place,
            places: &__PTX_MARKS,
            #inlined
            ..#ptx::ir::Function::new(#ptx::ir::FunctionKind::#kind, #name)
        }
    };
    let ir = with_items(items, ir);
    let unused = checked.unused.names.get(&index).map(|names| unused(names));
    // The table names everything that the constants name.
    let has_table = constants.is_some()
        && checked.body(index).is_some_and(|(read, _)| !read.constants.is_empty());
    let allow_unused = (!items.is_empty() && has_table).then(|| quote!(#[allow(unused)]));
    let documentation = documentation(item, index, checked);
    let tokens = quote! {
        #(#attrs)*
        #documentation
        #vis #const_token #fn_token #ident() -> #handle {
            #unused
            const __PTX_PARAMS: &[#ptx::ir::Param<'static>] = &[#(#params),*];
            const __PTX_RETURNS: &[#ptx::ir::Param<'static>] = &[#(#returns),*];
            const __PTX_DIRECTIVES: &[#ptx::ir::Directive] = &[#(#directives),*];
            #outside
            #deprecated
            const __PTX_USES: &[&#ptx::ir::Variable<'static>] = #uses;
            #deprecated
            const __PTX_CALLED: &[&#ptx::ir::Variable<'static>] = #called;
            static __PTX_MARKS: #ptx::ir::Locations<'static> = #marks;
            #allow_unused
            static __PTX_IR: #ptx::ir::Function<'static> = #ir;
            <#handle>::__new(&__PTX_IR)
        }
    };
    let left_out = checked.body(index).and_then(|(read, _)| expand_left_out(&read.left_out, item));
    let here = |tokens| inside(ident.span(), item.end, tokens);
    let (tokens, before, after) = (here(tokens), here(before), here(after));
    let mentions = expand_mentions(ptx, item);
    (quote!(#tokens #tables #before #accesses #after #left_out #mentions), demands)
}

/// What another module needs in order to have a copy of a device function.
fn sharing(
    ptx: &TokenStream,
    item: &Function,
    index: usize,
    checked: &Checked<'_>,
) -> Option<TokenStream> {
    let (_, body) = checked.body(index).filter(|_| item.kind == FunctionKind::Device)?;
    let each = body.calls.iter().filter_map(|callee| checked.module.function(*callee));
    let each: Vec<TokenStream> = each.flat_map(conditional_irs).collect();
    Some(quote! {
        sharing: ::core::option::Option::Some(&#ptx::ir::Sharing {
            home: ::core::module_path!(),
            callees: &[#(#each),*],
        }),
    })
}

/// The IR of the functions that a kernel reaches: those of other modules, whose shared memory is the kernel's, and those of
/// this one, with what they reach here.
fn reached_irs(item: &Function, index: usize, checked: &Checked<'_>) -> [Vec<TokenStream>; 2] {
    let Some((_, body)) = checked.body(index).filter(|_| item.kind == FunctionKind::Kernel) else {
        return Default::default();
    };
    let reached: SortedSet<usize> = body.called.iter().chain(&body.calls).copied().collect();
    let reached = || reached.iter().filter_map(|callee| checked.module.function(*callee));
    let outside = reached().filter(|callee| !callee.outside.is_empty()).flat_map(irs);
    let own = reached().filter(|it| it.outside.is_empty() && it.kind == FunctionKind::Device);
    [outside.collect(), own.flat_map(conditional_irs).collect()]
}

/// The IR of a function; of one of another module, as often as there are paths to it.
fn irs(function: &Function) -> Vec<TokenStream> {
    let ident = &function.ident;
    match function.outside.as_slice() {
        [] => vec![quote!(#ident().ir())],
        outside => outside.iter().map(|(expression, _)| expression.clone()).collect(),
    }
}

/// The same under the conditions of the function, as elements of a list.
fn conditional_irs(function: &Function) -> impl Iterator<Item = TokenStream> {
    let conditions = conditions(&function.attrs);
    irs(function).into_iter().map(move |ir| quote!(#(#conditions)* #ir))
}

/// What a kernel uses and what the functions that it calls declare, with those of other modules, and the items for these.
fn with_outside(
    ptx: &TokenStream,
    [outside, counted]: [&[TokenStream]; 2],
    [uses, called]: [&[TokenStream]; 2],
) -> (TokenStream, TokenStream, TokenStream) {
    // What those of other modules call of this one may be counted already.
    let items = quote! {
        const __PTX_OWN_USES: &[&#ptx::ir::Variable<'static>] = &[#(#uses),*];
        const __PTX_OUTSIDE: #ptx::ir::Outside<'static> =
            #ptx::ir::Outside::of(&[#(#outside),*], &[#(#counted),*]).without(__PTX_OWN_USES);
        static __PTX_VARIABLES: [#ptx::ir::Variable<'static>; __PTX_OUTSIDE.variable_count()] =
            __PTX_OUTSIDE.variables();
        const __PTX_OWN_CALLED: &[&#ptx::ir::Variable<'static>] = &[#(#called),*];
        static __PTX_SHARED: [#ptx::ir::Variable<'static>; __PTX_OUTSIDE.shared_count()] =
            __PTX_OUTSIDE.shared();
    };
    let with = |own: TokenStream, copies: TokenStream| quote!(&#ptx::ir::with_variables::<{ #own.len() + #copies.len() }>(#own, &#copies));
    let uses = with(quote!(__PTX_OWN_USES), quote!(__PTX_VARIABLES));
    (items, uses, with(quote!(__PTX_OWN_CALLED), quote!(__PTX_SHARED)))
}

/// The type of a function's handle.
pub(super) fn handle_type(ptx: &TokenStream, item: &Function) -> TokenStream {
    let args = tuple(&item.params);
    match item.kind {
        FunctionKind::Kernel => quote!(#ptx::Kernel<#args>),
        FunctionKind::Device => {
            let returned = match item.returns.as_slice() {
                [one] => one.ty.to_token_stream(),
                all => tuple(all),
            };
            quote!(#ptx::DeviceFunction<#args, #returned>)
        }
    }
}

/// The constants of statements that could not be read; they name items that would otherwise be reported as unused.
fn expand_left_out(constants: &[TokenStream], item: &Function) -> Option<TokenStream> {
    let conditions = conditions(&item.attrs);
    let named = with_items(&item.items, quote!(|| { #(let _ = #constants;)* }));
    (!constants.is_empty()).then(|| {
        quote! {
            #(#conditions)*
            #[allow(warnings)]
            const _: fn() = #named;
        }
    })
}

/// Items that make rustc report the names as unused.
pub(super) fn unused(names: &[Unused]) -> TokenStream {
    names
        .iter()
        .map(|Unused { name, at, is_label }| {
            let statement = if *is_label {
                let label = Lifetime::new(&format!("'{name}"), *at);
                quote_spanned!(*at=> #label: {})
            } else {
                let name = Ident::new(name, *at);
                quote_spanned!(*at=> let #name = false;)
            };
            quote_spanned!(Span::mixed_site().located_at(*at)=> const _: fn() = || { #statement };)
        })
        .collect()
}

/// The fields of a function that its body decides.
#[derive(Default)]
struct BodyParts {
    uses: Vec<TokenStream>,
    locals: Vec<TokenStream>,
    prototypes: Vec<TokenStream>,
    idle: Vec<TokenStream>,
    called: Vec<TokenStream>,
    specials: Vec<String>,
    calls: Vec<TokenStream>,
    body: Option<TokenStream>,
}

fn expand_body(
    ptx: &TokenStream,
    (read, body): (&Body, &CheckedBody<'_>),
    item: &Function,
    checked: &Checked<'_>,
    constants: Option<&Ident>,
) -> BodyParts {
    // Only the hazards of its declarations: accesses are allowed where they are made.
    let allow = item
        .allow
        .iter()
        .map(|(code, _)| *code)
        .filter(|code| ptx_frontend::is_of_declarations(code));
    let allow: Vec<&str> = allow.collect();
    let is_unchecked = checked.module.args.is_unchecked;
    let locals = Locals { ptx, constants: &read.constants, of_function: &allow, is_unchecked };
    let local_ir = |n: &usize| locals.ir(body.declared[*n], &read.source.declarations[*n]);
    let (named, idle) = &body.locals;
    let module = &checked.module;
    BodyParts {
        uses: uses(ptx, body, module),
        locals: named.iter().map(local_ir).collect(),
        prototypes: body.prototypes.iter().map(|it| prototype(ptx, it)).collect(),
        idle: idle.iter().map(local_ir).collect(),
        called: called(ptx, body, checked),
        specials: body.specials.clone(),
        calls: calls(body, module),
        body: Some(body_ir(ptx, read, body, constants)),
    }
}

/// A body: its text, its table and its constants, each at its tokens, or as they appear in a table.
fn body_ir(
    ptx: &TokenStream,
    read: &Body,
    body: &CheckedBody<'_>,
    constants: Option<&Ident>,
) -> TokenStream {
    let (text, table) = (&body.text, proc_macro2::Literal::byte_string(&body.table));
    if let Some(constants) = constants {
        return quote!(#ptx::ir::Body::new(#text, #table, #constants));
    }
    let constants = read.constants.iter().map(|expr| at(expr, quote!(#ptx::splice(#expr))));
    quote!(#ptx::ir::Body::new(#text, #table, &[#(#constants),*]))
}

/// The functions that a body calls by name.
fn calls(body: &CheckedBody<'_>, module: &Module) -> Vec<TokenStream> {
    let name = |index: &usize| {
        let function = module.function(*index)?;
        let (conditions, name) = (conditions(&function.attrs), &function.name);
        Some(quote!(#(#conditions)* #name))
    };
    body.calls.iter().filter_map(name).collect()
}

/// The shared variables of the functions that a kernel calls.
fn called(ptx: &TokenStream, body: &CheckedBody<'_>, checked: &Checked<'_>) -> Vec<TokenStream> {
    let mut found = Vec::new();
    for index in &body.called {
        let Some(function) = checked.module.function(*index) else { continue };
        let Some((_, body)) = checked.body(checked.module.functions[*index]) else { continue };
        let (conditions, ident) = (conditions(&function.attrs), &function.ident);
        let linkage = variant(&function.linkage);
        let (locals, idle) = &body.locals;
        for (field, all) in [("locals", locals), ("idle_shared", idle)] {
            let field = format_ident!("{field}");
            for (i, local) in all.iter().enumerate() {
                if body.declared[*local].space == ptx_frontend::Space::Shared {
                    found.push(quote! {
                        #(#conditions)* &const {
                            #ident().ir().#field[#i].declared_by(#ptx::ir::Linkage::#linkage)
                        }
                    });
                }
            }
        }
    }
    found
}

/// The module's variables that a body names.
fn uses(ptx: &TokenStream, body: &CheckedBody<'_>, module: &Module) -> Vec<TokenStream> {
    let variable = |used: &VariableUse| {
        let variable = module.variable(used.index)?;
        let (conditions, ident) = (conditions(&variable.attrs), &variable.ident);
        let ir = used_ir(ptx, used, ident);
        Some(quote!(#(#conditions)* #ir))
    };
    body.uses.iter().filter_map(variable).collect()
}

/// The checks that rustc evaluates for a function: a constant for each token that a rule can report.
#[derive(Default)]
struct DeferredChecks {
    /// The tables that the checks of accesses read; like these checks, they are inside the function.
    tables: TokenStream,
    before: TokenStream,
    /// The checks of accesses.
    accesses: TokenStream,
    after: TokenStream,
    /// The demands of accesses on the module's variables, each with the variable's index.
    demands: Vec<(usize, TokenStream)>,
    /// The table of the body's constants as numbers, if there is one.
    constants: Option<Ident>,
}

fn deferred_checks(
    ptx: &TokenStream,
    item: &Function,
    index: usize,
    body: Option<(&Body, &CheckedBody<'_>)>,
    checked: &Checked<'_>,
) -> DeferredChecks {
    let (ident, module) = (&item.ident, &checked.module);
    let (mut checks, mut after, mut demands) = (Vec::new(), Vec::new(), Vec::new());
    let (mut tables, mut of_accesses) = (TokenStream::new(), TokenStream::new());
    let mut constants = None;
    // A body that could not be read has no checks.
    let has_body =
        |index: usize| module.items[index].function().is_some_and(|it| it.body.is_some());
    let is_read = |index| checked.body(index).is_some() || !has_body(index);
    let late = &Late::new(ptx, Siblings::of_item(module, index, is_read));
    let (mut results, mut sources) = (quote!(&[]), Vec::new());
    let signature = item.params.iter().chain(&item.returns).enumerate();
    for (n, param) in signature.filter(|(_, param)| !param.refused) {
        checks.push(param_check(ptx, late, ident, n, checked.several_returns, param));
    }
    let directives = item.directives.iter().enumerate();
    for (n, directive) in directives.filter(|(_, directive)| !directive.refused) {
        let values = &directive.values;
        for value in values.iter().filter(|value| value.known().is_none()) {
            checks.push(late.require(value, quote!(#ptx::__private::check_u32(#value))));
        }
        let found = quote!(__PTX_CHECK.directive(#ident().ir(), #n));
        checks.push(late.require(quote!(#(#values)*), found));
    }
    if let Some(body) = body {
        checks.extend(local_checks(ptx, late, item, body));
        checks.extend(argument_checks(ptx, late, item, body, module));
        let accesses = super::access::access_checks(ptx, item, index, body, module, late);
        (results, sources) = (accesses.results, accesses.sources);
        (demands, constants) = (accesses.demands, accesses.constants);
        tables.extend(accesses.tables);
        of_accesses.extend(accesses.looks);
        after.extend(super::assumed::assumed_checks(ptx, late, item, body));
        if !item.refused {
            after.push(late.require(ident, quote!(__PTX_CHECK.function(#ident().ir()))));
        }
    }
    let conditions = conditions(&item.attrs);
    let mut before = deferred_constants(item, module, checks);
    before.extend(late.tables(&conditions, &results, &sources));
    let after = deferred_constants(item, module, after);
    DeferredChecks { tables, before, accesses: of_accesses, after, demands, constants }
}

/// Checks what is spliced into a body's declarations; what the tokens show was checked early.
fn local_checks(
    ptx: &TokenStream,
    late: &Late<'_>,
    Function { ident, items, .. }: &Function,
    (read, body): (&Body, &CheckedBody<'_>),
) -> Vec<TokenStream> {
    let check_local = |field: &str, i: usize, local: &Declaration<Span>| {
        let field = format_ident!("{field}");
        let ir = quote!(#ident().ir().#field[#i]);
        let check = late.require(tokens_over(local.name.at), quote!(__PTX_CHECK.local(#ir)));
        let counts = local.constants().map(|n| {
            let expr = &read.constants[n];
            let found = quote!(#ptx::__private::check_count(#expr));
            late.require(expr, with_items(items, found))
        });
        let values = local.elements().into_iter().filter_map(|(value, _)| {
            let Literal::Constant(n) = value else { return None };
            let expr = &read.constants[*n];
            let found = quote!(__PTX_CHECK.spliced(#ir, #ptx::splice(#expr)));
            Some(late.require(expr, with_items(items, found)))
        });
        let values: Vec<TokenStream> = values.collect();
        let check = local.has_constant().then(|| quote!(#(#counts)* #check));
        (check.is_some() || !values.is_empty()).then(|| quote!(#(#values)* #check))
    };
    let check_all = |field, all: &[usize]| {
        let all = all.iter().enumerate();
        let checks = all.filter_map(|(i, n)| check_local(field, i, &read.source.declarations[*n]));
        checks.collect::<Vec<_>>()
    };
    let (locals, idle) = &body.locals;
    [check_all("locals", locals), check_all("idle_shared", idle)].concat()
}

/// Arguments of calls whose type or alignment rustc decides.
fn argument_checks(
    ptx: &TokenStream,
    late: &Late<'_>,
    Function { ident, items, .. }: &Function,
    (read, body): (&Body, &CheckedBody<'_>),
    module: &Module,
) -> Vec<TokenStream> {
    let locals = &body.locals.0;
    let check = |argument: &DeferredArgument| {
        let callee = irs(module.function(argument.function)?).into_iter().next()?;
        let formal = argument.formal;
        let field = if argument.is_return { "returns" } else { "params" };
        let field = format_ident!("{field}");
        let formal = quote!(&#callee.#field[#formal]);
        let check = match &argument.actual {
            DeferredActual::Declaration(n) => {
                let local = local_of(ident, locals, *n)?;
                quote!(argument(#formal, #local))
            }
            DeferredActual::Int => quote!(number_argument(#formal, #ptx::splice(0))),
            DeferredActual::Float => quote!(number_argument(#formal, #ptx::splice(0.0))),
            DeferredActual::Address(name, space) => {
                let space = variant(space);
                quote!(address_argument(#formal, #name, #ptx::Space::#space))
            }
            DeferredActual::Constant(n) => {
                let expr = &read.constants[*n];
                quote!(number_argument(#formal, #ptx::splice(#expr)))
            }
        };
        let place = read.at(argument.place).map(tokens_over);
        Some(late.require(place, with_items(items, quote!(__PTX_CHECK.#check))))
    };
    body.analysis.arguments.iter().filter_map(check).collect()
}

/// A constant for each check, because the evaluation of a constant ends at its first panic.
fn deferred_constants(item: &Function, module: &Module, checks: Vec<TokenStream>) -> TokenStream {
    let (conditions, allow) = (conditions(&item.attrs), allow_deprecated(module));
    // Each check has all items that the function declares.
    let allow_unused = (!item.items.is_empty()).then(|| quote!(#[allow(unused)]));
    let allow_clippy = item.instance.is_some().then(|| quote!(#[allow(clippy::all)]));
    let constant = |check| {
        quote! {
            #(#conditions)*
            #allow
            #allow_unused
            #allow_clippy
            const _: () = { #check };
        }
    };
    checks.into_iter().map(constant).collect()
}

/// The check of parameter or return value `n` of a function.
fn param_check(
    ptx: &TokenStream,
    late: &Late<'_>,
    function: &Ident,
    n: usize,
    several_returns: bool,
    param: &Param,
) -> TokenStream {
    let ty = &param.ty;
    let layout = match slice_element(ty) {
        Some(_) => quote!((0, 0)),
        None => quote!((::core::mem::size_of::<#ty>(), ::core::mem::align_of::<#ty>())),
    };
    let all = quote! {
        let __ptx_found = __PTX_CHECK.param(#function().ir(), #n, #several_returns, #layout);
    };
    let of_type = late.require_after(&all, ty, quote!(__ptx_found.ty));
    let of_align = param.align.as_ref().map(|align| {
        let count = count_check(ptx, late, align);
        let check = late.require_after(&all, align, quote!(__ptx_found.align));
        quote!(#count #check)
    });
    let of_attribute = param.readonly.map(|span| {
        let mut place = proc_macro2::Punct::new('.', proc_macro2::Spacing::Alone);
        place.set_span(span);
        let found = quote!(#ptx::__private::check_attribute(&#function().ir().params[#n]));
        late.require(place, found)
    });
    quote!(#all #of_type #of_align #of_attribute)
}
