//! The `mod`, and `MODULE` in it.

use ptx_frontend::sorted::SortedMap;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use ptx_frontend::ast::{Item, Module, OwnByPath, Variable, Wanting};
use ptx_frontend::body::with_facade;
use ptx_frontend::{Checked, ptx_name};
use quote::{quote, quote_spanned};
use syn::{AttrStyle, Attribute, Item as RustItem};

use super::demand::demands_ir;
use super::documentation::hidden;
use super::facade::facade;
use super::fragment::{expand_called, expand_wanting};
use super::function::expand_function;
use super::instances::Generic;
#[cfg(feature = "cuda")]
use super::launch::expand_launch;
use super::parts::{conditions, option};
use super::place::{Places, line_info};
use super::span::require;
use super::variable::expand_variable;
use super::variant::variant;

/// An item that makes rustc report a variable's name as unused.
fn unused(item: &Variable) -> TokenStream {
    let levels = ["allow", "expect", "warn", "deny", "forbid", "cfg", "cfg_attr"];
    let is_level = |attr: &&Attribute| levels.iter().any(|level| attr.path().is_ident(level));
    let attrs = item.attrs.iter().filter(is_level);
    let static_token = syn::Token![static](item.ident.span());
    let ident = item.instance.as_ref().map_or(&item.ident, |instance| &instance.family.ident);
    quote_spanned! {ident.span()=>
        const _: () = {
            #(#attrs)*
            #static_token #ident: bool = false;
        };
    }
}

pub(crate) fn expand_module(mut checked: Checked<'_>) -> TokenStream {
    let ptx = &facade(checked.module.args.krate.as_ref());
    if let Some(wanting) = &checked.wanting {
        return expand_shell(ptx, &checked.module, wanting);
    }
    // What the host sees depends on the other targets, too.
    #[cfg(feature = "cuda")]
    let launch = expand_launch(ptx, &checked);
    #[cfg(not(feature = "cuda"))]
    let launch = TokenStream::new();
    let others: Vec<(Ident, TokenStream)> =
        core::mem::take(&mut checked.others).into_iter().map(|it| expand_other(ptx, it)).collect();
    let (names, modules): (Vec<Ident>, Vec<TokenStream>) = others.into_iter().unzip();
    let items = expand_items(ptx, &mut checked, &names);
    let module = &checked.module;
    // Where the module waits for others, they do not wait for it.
    let called = (!module.is_inside).then(|| expand_all_called(module));
    // What was reported is not reported again by rustc; the module may need one of the two alone.
    let imports = checked.lacks_imports.then(|| {
        quote! {
            #[allow(unused_imports)]
            use {super::*, #ptx::prelude::*};
        }
    });
    let content = hidden(quote!(#imports #items #called #launch #(#modules)*));
    if module.is_inside { content } else { in_mod(module, &content) }
}

/// The module for another of its targets: inside the first one, whose Rust items it uses.
fn expand_other(ptx: &TokenStream, mut checked: Checked<'_>) -> (Ident, TokenStream) {
    checked.module.items.iter_mut().for_each(|item| {
        if let Item::Rust(item) = item {
            **item = RustItem::Verbatim(TokenStream::new());
        }
    });
    let target = checked.module.args.target.unwrap_or(ptx_frontend::FALLBACK_TARGET);
    let name = Ident::new(&format!("__ptx_{target}"), Span::call_site());
    let items = expand_items(ptx, &mut checked, &[]);
    // The host uses the items of the first target: the user's lints have seen these, and items that are alike may need no import.
    let module = quote! {
        #[doc(hidden)]
        #[allow(dead_code, missing_docs, unreachable_pub, clippy::type_complexity)]
        pub mod #name {
            #[allow(unused_imports)]
            use super::*;
            #items
        }
    };
    (name, module)
}

/// The items of a module, and `MODULE`, with the names of those for its other targets.
fn expand_items(ptx: &TokenStream, checked: &mut Checked<'_>, others: &[Ident]) -> TokenStream {
    for item in &mut checked.module.items {
        let Item::Function(function) = item else { continue };
        if let Some(body) = &mut function.body {
            body.name_facade(ptx);
        }
        for item in &mut function.items {
            if let RustItem::Verbatim(tokens) = item {
                *tokens = with_facade(core::mem::take(tokens), ptx);
            }
        }
    }
    let (module, checked) = (&checked.module, &*checked);
    let mut demands: SortedMap<usize, Vec<TokenStream>> = SortedMap::new();
    let (mut items, mut places) = (Vec::new(), Places::default());
    for (i, item) in module.items.iter().enumerate() {
        items.push(match item {
            Item::Rust(item) => rust_item(ptx, item, module),
            Item::Variable(item) => {
                let unused = checked.unused.variables.contains(&i).then(|| unused(item));
                let item = expand_variable(ptx, item, i, module, &mut places);
                quote!(#item #unused)
            }
            Item::Function(item) if !item.outside.is_empty() => TokenStream::new(),
            Item::Function(item) => {
                let (tokens, needed) = expand_function(ptx, item, i, checked, &mut places);
                for (index, accesses) in needed {
                    demands.entry(index).or_default().push(accesses);
                }
                tokens
            }
        });
    }
    let alignments = demands.iter().filter_map(|(index, accesses)| {
        let item = module.variable(*index)?;
        let early = checked.demanded.iter().find(|(demanded, _)| demanded == index);
        let early = demands_ir(early.map(|(_, demands)| *demands));
        (!item.refused).then(|| expand_alignment(ptx, item, &early, accesses))
    });
    items.extend(Generic::all(module).iter().filter_map(|generic| generic.expand(ptx)));
    let (constant, places) = (expand_constant(ptx, module, others), places.table(ptx));
    quote!(#(#items)* #(#alignments)* #places #constant)
}

/// What the module's functions tell other modules that call them.
fn expand_all_called(module: &Module) -> TokenStream {
    let functions = module.items.iter().filter_map(Item::function);
    let own = functions.filter(|function| function.instance.is_none());
    let own = own.filter_map(|function| {
        let conditions = conditions(&function.attrs);
        let conditions = quote!(#(#conditions)*);
        let travels = function.travels.as_ref()?;
        Some(expand_called(&function.ident, &function.vis, &conditions, travels))
    });
    let generics = Generic::all(module);
    let generic = generics.iter().filter_map(Generic::expand_called);
    own.chain(generic).collect()
}

/// The `mod` with these items.
fn in_mod(module: &Module, items: &TokenStream) -> TokenStream {
    let Module { attrs, vis, ident, .. } = module;
    let (inner, outer): (Vec<&Attribute>, Vec<&Attribute>) =
        attrs.iter().partition(|attr| matches!(attr.style, AttrStyle::Inner(_)));
    let mod_token = syn::Token![mod](ident.span());
    let mut content = Group::new(Delimiter::Brace, quote!(#(#inner)* #items));
    // rustc's errors about the module span from its first token to its end.
    content.set_span(module.end);
    quote! {
        // A `pub` item is visible to other PTX modules; and a file is often named after the module in it.
        #[allow(unreachable_pub, clippy::type_complexity, clippy::module_inception)]
        #(#outer)*
        #vis #mod_token #ident #content
    }
}

/// A module whose items follow once the tokens of fragments are there: what it imports is needed to find these.
fn expand_shell(ptx: &TokenStream, module: &Module, wanting: &Wanting) -> TokenStream {
    let imports = module.items.iter().filter_map(|item| match item {
        Item::Rust(item) if matches!(**item, RustItem::Use(_)) => Some(item),
        _ => None,
    });
    let wanting = expand_wanting(ptx, wanting);
    let called = expand_all_called(module);
    in_mod(module, &quote!(#(#imports)* #called #wanting))
}

/// An item that is not PTX.
fn rust_item(ptx: &TokenStream, item: &RustItem, module: &Module) -> TokenStream {
    match item {
        RustItem::Use(_) if module.is_inside => TokenStream::new(),
        // As the other attributes in a module, it needs no import.
        RustItem::Fn(item) if item.attrs.iter().any(|attr| attr.path().is_ident("fragment")) => {
            let mut item = item.clone();
            for attr in &mut item.attrs {
                if attr.path().is_ident("fragment") {
                    let span = attr.path().segments[0].ident.span();
                    let path = syn::parse2(quote_spanned!(span=> #ptx::fragment));
                    let (Ok(path), meta) = (path, &mut attr.meta) else { continue };
                    match meta {
                        syn::Meta::Path(given) => *given = path,
                        syn::Meta::List(list) => list.path = path,
                        syn::Meta::NameValue(pair) => pair.path = path,
                    }
                }
            }
            quote!(#item)
        }
        item => quote!(#item),
    }
}

/// The check of a variable's alignment against the demands of all accesses to it.
fn expand_alignment(
    ptx: &TokenStream,
    item: &Variable,
    early: &TokenStream,
    accesses: &[TokenStream],
) -> TokenStream {
    let (conditions, ident) = (conditions(&item.attrs), &item.ident);
    let found = quote! {
        #ptx::__private::check_alignment(
            #ptx::rules::access::Object::Variable(#ident.ir()), #early, &[#(#accesses)*],
        )
    };
    let check = match &item.align {
        Some(align) => require(ptx, align, found),
        None => require(ptx, ident, found),
    };
    quote! {
        #(#conditions)*
        #[allow(deprecated, long_running_const_eval)]
        const _: () = #check
    }
}

/// `MODULE`, and the checks of the module as a whole.
fn expand_constant(ptx: &TokenStream, module: &Module, others: &[Ident]) -> TokenStream {
    let name = ptx_name(&module.ident);
    // A wrong target was reported; the module's items are expanded all the same.
    let target = module.args.target.unwrap_or(ptx_frontend::FALLBACK_TARGET);
    let target = variant(&target);
    let version = option(module.args.version.map(|(version, _)| {
        let (major, minor) = (version.major, version.minor);
        quote!(#ptx::Version::new(#major, #minor))
    }));
    let release = option(module.args.release.map(|release| {
        let (major, minor) = (release.major, release.minor);
        quote!(#ptx::Release::new(#major, #minor))
    }));
    let texture_mode = variant(&module.args.texture_mode);
    let texture_mode = quote!(#ptx::TextureMode::#texture_mode);
    let line_info = line_info(ptx, module.args.line_info);
    let (mut variables, mut functions) = (Vec::new(), Vec::new());
    for item in &module.items {
        match item {
            Item::Variable(item) => {
                let (conditions, ident) = (conditions(&item.attrs), &item.ident);
                variables.push(quote!(#(#conditions)* #ident.ir()));
            }
            Item::Function(item) if !item.outside.is_empty() => {}
            Item::Function(item) => {
                let (conditions, ident) = (conditions(&item.attrs), &item.ident);
                functions.push(quote!(#(#conditions)* #ident().ir()));
            }
            Item::Rust(_) => {}
        }
    }
    let refused = module.refused
        || module.args.target.is_none()
        || module.items.iter().any(|item| match item {
            Item::Variable(item) => item.refused,
            Item::Function(_) | Item::Rust(_) => false,
        });
    let check = if refused || module.args.is_unchecked {
        TokenStream::new()
    } else {
        let check = require(ptx, &module.ident, quote!(__PTX_CHECK.module(MODULE.ir())));
        quote!(const _: () = #check)
    };
    let (outside, variables, functions) = expand_outside(ptx, module, &variables, &functions);
    let others = (!others.is_empty()).then(|| quote!(.with_others(&[#(&#others::MODULE),*])));
    quote! {
        #outside
        #[doc(hidden)]
        const __PTX_CHECK: #ptx::__private::Checker =
            #ptx::__private::Checker::new(#ptx::Target::#target, #version, #release, #texture_mode);
        /// The module: `Display` prints its PTX.
        #[allow(deprecated)]
        pub static MODULE: #ptx::Module<'static> = #ptx::Module::new(#ptx::ir::Module {
            name: #name,
            target: #ptx::Target::#target,
            version: #version,
            release: #release,
            texture_mode: #texture_mode,
            line_info: #line_info,
            source: ::core::option::Option::None,
            variables: #variables,
            functions: #functions,
        }) #others;
        #check
    }
}

/// The variables and the functions of a module, with its copies of those of other modules, and the items that these need.
fn expand_outside(
    ptx: &TokenStream,
    module: &Module,
    variables: &[TokenStream],
    functions: &[TokenStream],
) -> (TokenStream, TokenStream, TokenStream) {
    let own = module.own_by_path.iter().filter_map(|OwnByPath { name, expression, at }| {
        let mut functions = module.items.iter().filter_map(Item::function);
        let ident = &functions.find(|function| function.name == *name)?.ident;
        let found = quote!(#ptx::__private::check_own(#expression, #ident().ir()));
        let check = require(ptx, TokenTree::Ident(Ident::new("here", *at)), found);
        Some(quote!(const _: () = { #check };))
    });
    let own: TokenStream = own.collect();
    let called = module.outside().filter(|function| !function.refused);
    let called: Vec<_> = called.flat_map(|function| &function.outside).collect();
    if called.is_empty() {
        return (own, quote!(&[#(#variables),*]), quote!(&[#(#functions),*]));
    }
    let expressions = called.iter().map(|(expression, _)| expression);
    let checks = called.iter().map(|(expression, at)| {
        let own = quote!((__PTX_OWN_VARIABLES, __PTX_OWN_FUNCTIONS));
        let found = quote!(#ptx::__private::check_outside(#expression, &__PTX_OUTSIDE, #own));
        require(ptx, TokenTree::Ident(Ident::new("here", *at)), found)
    });
    let items = quote! {
        #own
        #[allow(deprecated)]
        const __PTX_OWN_VARIABLES: &[&#ptx::ir::Variable<'static>] = &[#(#variables),*];
        #[allow(deprecated)]
        const __PTX_OWN_FUNCTIONS: &[&#ptx::ir::Function<'static>] = &[#(#functions),*];
        const __PTX_OUTSIDE: #ptx::ir::Outside<'static> =
            #ptx::ir::Outside::of(&[#(#expressions),*], __PTX_OWN_FUNCTIONS);
        static __PTX_OUTSIDE_VARIABLES:
            [#ptx::ir::Variable<'static>; __PTX_OUTSIDE.variable_count()] =
            __PTX_OUTSIDE.variables();
        static __PTX_OUTSIDE_FUNCTIONS:
            [#ptx::ir::Function<'static>; __PTX_OUTSIDE.function_count()] =
            __PTX_OUTSIDE.functions();
        const _: () = { #(#checks)* };
    };
    let variables = quote! {
        &#ptx::ir::with_variables::<
            { __PTX_OWN_VARIABLES.len() + __PTX_OUTSIDE_VARIABLES.len() },
        >(__PTX_OWN_VARIABLES, &__PTX_OUTSIDE_VARIABLES)
    };
    let functions = quote! {
        &#ptx::ir::with_functions::<
            { __PTX_OWN_FUNCTIONS.len() + __PTX_OUTSIDE_FUNCTIONS.len() },
        >(__PTX_OWN_FUNCTIONS, &__PTX_OUTSIDE_FUNCTIONS)
    };
    (items, variables, functions)
}
