//! The host's side of a module: `Loaded`, and the arguments of each kernel.
//!
//! It is expanded with this crate's feature `cuda`, which `ptx`'s feature `cuda` turns on, inside one
//! `__cuda! { .. }`, which expands to nothing in a `ptx` without that feature: a `ptx` built for a build script
//! shares this crate with one that has it.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use ptx_frontend::ast::{Function, Item, Param, Variable};
use ptx_frontend::ir::DirectiveKind;
use ptx_frontend::{Checked, FunctionKind, Space, ptx_name};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Type, UseTree, Visibility};

use super::contract::{expand_condition, expand_grid, mentioned};
use super::documentation::is_documented;
use super::instances::Generic;
use super::parts::{condition, conditions};
use super::variable::{rust_type, slice_element};
use super::variant::variant;

pub(super) fn expand_launch(ptx: &TokenStream, checked: &Checked<'_>) -> TokenStream {
    let module = &checked.module;
    let loadable = |(i, item)| loadable(i, item, checked);
    let loadable: Vec<Loadable<'_>> =
        module.items.iter().enumerate().filter_map(loadable).collect();
    if let Some(taken) = module.items.iter().find_map(taken_name) {
        return quote_spanned! {taken.span()=>
            #ptx::__cuda! {
                ::core::compile_error! {
                    "`Loaded` is the type of the loaded module, with the feature `cuda`; give this another name"
                }
            }
        };
    }
    let launch = |item: &Function| {
        let (marker, safety) = (marker_of(&item.ident), safety(ptx, item));
        let open = loadable.iter().find_map(|it| match it {
            Loadable::Kernel { item: it, open, .. } if it.ident == item.ident => Some(*open),
            _ => None,
        });
        let open = open.unwrap_or_else(|| Open::of(item, &kinds(item), false));
        let [grid, block, cluster, dynamic] = open.states(ptx);
        quote!(#ptx::cuda::Launch<'l, __ptx_kernels::#marker, #safety, #grid, #block, #cluster, #dynamic>)
    };
    let is_launched = |generic: &Generic<'_>| generic.is_launched();
    let generic = Generic::all(module).into_iter().filter(is_launched);
    let generic: Vec<_> = generic.filter_map(|generic| generic.method(launch)).collect();
    let names_kernels = !module.items.iter().any(|item| declares(item, "kernels"));
    expand_loaded(ptx, &ptx_name(&module.ident), &loadable, &generic, names_kernels)
}

/// An item that a loaded module has a handle for.
pub(super) enum Loadable<'m> {
    /// A variable that the host reads and writes, and its type in Rust.
    Variable {
        attrs: &'m [Attribute],
        vis: &'m Visibility,
        ident: &'m Ident,
        space: Space,
        managed: bool,
        rust: TokenStream,
    },
    /// A kernel that the host launches.
    Kernel {
        item: &'m Function,
        /// The documentation to show below its author's.
        shown: Option<TokenStream>,
        /// What the launch has to set.
        open: Open,
    },
}

/// What a kernel's declaration leaves to its launches.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub(super) struct Open {
    /// Whether no `grid = ..` computes the grid.
    grid: bool,
    /// Whether no `reqntid` sets the block.
    block: bool,
    /// Whether no `reqnctapercluster` sets the cluster.
    cluster: bool,
    /// Whether there has to be a cluster, which the launch sets: `explicitcluster`.
    is_explicit: bool,
    /// Whether dynamic shared memory is a slice, whose length the launch sets.
    slice: bool,
}

impl Open {
    /// What a kernel with this contract and these directives leaves open.
    pub(super) fn of(item: &Function, directives: &[DirectiveKind], slice: bool) -> Self {
        let has = |kind| directives.contains(&kind);
        let cluster = !has(DirectiveKind::ReqNCtaPerCluster);
        Self {
            grid: item.contract.grid.is_none(),
            block: !has(DirectiveKind::ReqNTid),
            cluster,
            is_explicit: cluster && has(DirectiveKind::ExplicitCluster),
            slice,
        }
    }

    /// The types that say of grid, block, cluster and dynamic shared memory whether they are given.
    fn states(self, ptx: &TokenStream) -> [TokenStream; 4] {
        [self.grid, self.block, self.is_explicit, self.slice].map(|is_open| {
            let state = if is_open { "Missing" } else { "Given" };
            let state = Ident::new(state, Span::call_site());
            quote!(#ptx::cuda::#state)
        })
    }

    /// The traits of a kernel that the methods of a launch ask for.
    fn traits(self) -> impl Iterator<Item = Ident> {
        let all = [
            (self.grid, "NeedsGrid"),
            (self.block, "NeedsBlock"),
            (self.cluster, "NeedsCluster"),
            (self.slice, "DynamicSlice"),
        ];
        let open = all.into_iter().filter(|(is_open, _)| *is_open);
        open.map(|(_, name)| Ident::new(name, Span::call_site()))
    }
}

fn loadable<'m>(i: usize, item: &'m Item, checked: &Checked<'_>) -> Option<Loadable<'m>> {
    match item {
        Item::Variable(item) if matches!(item.space, Space::Global | Space::Const) => {
            let Variable { attrs, vis, ident, .. } = &**item;
            let rust = rust_type(&item.ty, item.value.as_ref());
            let (space, managed) = (item.space, item.managed);
            Some(Loadable::Variable { attrs, vis, ident, space, managed, rust })
        }
        Item::Function(item) if item.kind == FunctionKind::Kernel && item.body.is_some() => {
            let shown = super::documentation::documentation(item, i, checked);
            let open = Open::of(item, &kinds(item), names_slice(i, checked));
            Some(Loadable::Kernel { item, shown, open })
        }
        Item::Variable(_) | Item::Function(_) | Item::Rust(_) => None,
    }
}

/// The type `Loaded` of the module with this name, with these handles, and the module `kernels`, if the name is
/// free.
pub(super) fn expand_loaded(
    ptx: &TokenStream,
    name: &str,
    loadable: &[Loadable<'_>],
    generic: &[(TokenStream, TokenStream)],
    names_kernels: bool,
) -> TokenStream {
    let (of_generic, methods_of_generic): (Vec<_>, Vec<_>) = generic.iter().cloned().unzip();
    let (mut fields, mut loads, mut kernels) = (Vec::new(), Vec::new(), Vec::new());
    let (mut markers, mut methods) = (Vec::new(), Vec::new());
    let (mut taken, mut names) = (Vec::new(), Vec::new());
    let hidden = is_documented().then(|| quote!(#[doc(hidden)]));
    for handle in loadable {
        match handle {
            Loadable::Variable { attrs, vis, ident, space, managed, rust } => {
                let (shown, conditions) = (documentation(attrs), conditions(attrs));
                let space = variant(space);
                let space =
                    if *managed { quote!(#ptx::cuda::Managed) } else { quote!(#ptx::#space) };
                let ty = quote!(#ptx::cuda::LoadedVariable<Loaded, #space, #rust>);
                fields.push(quote!(#(#shown)* #vis #ident: #ty,));
                loads.push(quote!(#(#conditions)* #ident: __ptx_loader.variable(&#ident),));
            }
            Loadable::Kernel { item, shown, open } => {
                let Function { vis, ident, .. } = item;
                let mut attrs = documentation(&item.attrs);
                attrs
                    .extend(shown.as_ref().map(|shown| -> Attribute { syn::parse_quote!(#shown) }));
                let conditions = conditions(&item.attrs);
                let (field, marker) = (field_of(ident), marker_of(ident));
                let safety = safety(ptx, item);
                let of = quote!(__ptx_kernels::#marker, #safety);
                let [grid, block, cluster, dynamic] = open.states(ptx);
                let given = quote!(#grid, #block, #cluster, #dynamic);
                fields.push(quote!(#(#conditions)* #hidden #field: #ptx::cuda::LoadedKernel<#of>,));
                loads.push(quote!(#(#conditions)* #field: __ptx_loader.kernel(),));
                markers.push(quote!(#(#conditions)* pub enum #marker {}));
                let name = type_name_of(ident, &taken);
                names.push(quote! {
                    #(#conditions)* pub type #name = #ptx::cuda::LoadedKernel<super::#of>;
                });
                taken.push(name);
                methods.push(quote! {
                    #(#attrs)*
                    #vis fn #ident(&self) -> #ptx::cuda::Launch<'_, #of, #given> {
                        self.#field.configure()
                    }
                });
                kernels.push(expand_kernel(ptx, item, *open));
            }
        }
    }
    let doc = format!(
        "The module `{name}` in a context, once it is loaded: its kernels as methods, its variables as \
         fields."
    );
    let named = (names_kernels && !names.is_empty()).then(|| {
        quote! {
            #[doc = "The types of the kernels of a loaded module."]
            #[allow(dead_code, missing_docs, non_camel_case_types)]
            pub mod kernels {
                #(#names)*
            }
        }
    });
    // rustdoc shows it.
    let formatter = format_ident!("{}", if is_documented() { "f" } else { "__ptx_f" });
    // Generated items must not cause lints if the user loads, launches or documents nothing; and
    // a name in the wrong case was reported at its declaration.
    quote! {
        #ptx::__cuda! {
            #[doc = #doc]
            #[allow(dead_code, deprecated, missing_docs, non_snake_case, non_camel_case_types)]
            pub struct Loaded {
                #(#fields)*
                #hidden __ptx_module: #ptx::cuda::__private::Arc<#ptx::cuda::__private::LoadedModule>,
            }

            #[doc(hidden)]
            #[allow(dead_code, missing_docs, missing_debug_implementations)]
            #[allow(missing_copy_implementations, non_camel_case_types)]
            mod __ptx_kernels {
                #(#markers)*
            }

            #named

            #[allow(dead_code, deprecated, missing_docs, non_snake_case)]
            #[allow(clippy::should_implement_trait)]
            impl Loaded {
                #(#methods)*
                #(#methods_of_generic)*
            }

            #(#of_generic)*

            impl ::core::fmt::Debug for Loaded {
                fn fmt(
                    &self,
                    #formatter: &mut ::core::fmt::Formatter<'_>,
                ) -> ::core::fmt::Result {
                    let __ptx_text = ::core::concat!("Loaded(", #name, ")");
                    ::core::fmt::Formatter::write_str(#formatter, __ptx_text)
                }
            }

            #[allow(deprecated)]
            impl #ptx::cuda::Load for Loaded {
                fn __declaration() -> &'static #ptx::Module<'static> {
                    &MODULE
                }

                fn __load(__ptx_loader: &mut #ptx::cuda::__private::Loader) -> Self {
                    Self {
                        #(#loads)*
                        __ptx_module: __ptx_loader.module(),
                    }
                }

                fn __module(
                    &self,
                ) -> &#ptx::cuda::__private::Arc<#ptx::cuda::__private::LoadedModule> {
                    &self.__ptx_module
                }
            }

            #(#kernels)*
        }
    }
}

/// A type of the user's with the name of the loaded module's type.
fn taken_name(item: &Item) -> Option<&Ident> {
    type_name(item).filter(|ident| *ident == "Loaded")
}

/// The name of a type, a trait or a module of the user's.
fn type_name(item: &Item) -> Option<&Ident> {
    let Item::Rust(item) = item else { return None };
    match &**item {
        syn::Item::Struct(item) => Some(&item.ident),
        syn::Item::Enum(item) => Some(&item.ident),
        syn::Item::Union(item) => Some(&item.ident),
        syn::Item::Type(item) => Some(&item.ident),
        syn::Item::Trait(item) => Some(&item.ident),
        syn::Item::Mod(item) => Some(&item.ident),
        _ => None,
    }
}

/// Whether an item of the user's has this name, or imports something by it.
fn declares(item: &Item, name: &str) -> bool {
    fn imports(tree: &UseTree, name: &str) -> bool {
        match tree {
            UseTree::Path(path) => imports(&path.tree, name),
            UseTree::Name(it) => it.ident == name,
            UseTree::Rename(it) => it.rename == name,
            UseTree::Glob(_) => false,
            UseTree::Group(group) => group.items.iter().any(|tree| imports(tree, name)),
        }
    }
    let is_imported = || match item {
        Item::Rust(item) => match &**item {
            syn::Item::Use(item) => imports(&item.tree, name),
            _ => false,
        },
        Item::Variable(_) | Item::Function(_) => false,
    };
    type_name(item).is_some_and(|ident| ident == name) || is_imported()
}

/// The attributes that a handle repeats: documentation, and conditions on its existence.
fn documentation(attrs: &[Attribute]) -> Vec<Attribute> {
    let is_kept =
        |attr: &Attribute| ["doc", "deprecated"].iter().any(|name| attr.path().is_ident(name));
    let kept = |attr: &Attribute| if is_kept(attr) { Some(attr.clone()) } else { condition(attr) };
    attrs.iter().filter_map(kept).collect()
}

fn field_of(ident: &Ident) -> Ident {
    format_ident!("__ptx_kernel_{}", ptx_name(ident), span = Span::call_site())
}

/// The type that stands for a kernel, with the kernel's name for messages.
fn marker_of(ident: &Ident) -> Ident {
    let mut marker = ident.clone();
    marker.set_span(Span::call_site());
    marker
}

/// The name of a loaded kernel's type, `ScaleRows` for `scale_rows`; the kernel's own if another kernel's type has that.
fn type_name_of(ident: &Ident, taken: &[Ident]) -> Ident {
    let own = ptx_name(ident);
    let words = own.split('_').map(|word| {
        let mut letters = word.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    });
    let name: String = words.collect();
    // `_0` would become a number.
    match syn::parse_str::<Ident>(&name) {
        Ok(name) if !taken.contains(&name) => name,
        _ => marker_of(ident),
    }
}

fn safety(ptx: &TokenStream, item: &Function) -> TokenStream {
    match item.contract.vouched {
        Some(_) => quote!(#ptx::cuda::Vouched),
        None => quote!(#ptx::cuda::Unvouched),
    }
}

/// The kinds of a function's directives.
fn kinds(item: &Function) -> Vec<DirectiveKind> {
    item.directives.iter().map(|directive| directive.kind).collect()
}

/// The type that stands for a kernel, and the arguments that it takes.
fn expand_kernel(ptx: &TokenStream, item: &Function, open: Open) -> TokenStream {
    let (ident, marker) = (&item.ident, marker_of(&item.ident));
    let conditions = conditions(&item.attrs);
    let kernel = quote!(__ptx_kernels::#marker);
    let safety = safety(ptx, item);
    let private = quote!(#ptx::cuda::__private);
    let [grid, block, cluster, dynamic] = open.states(ptx);
    let needs = open.traits();
    let needs = needs.map(|name| quote!(#(#conditions)* impl #private::#name for #kernel {}));
    let types: Vec<TokenStream> =
        item.params.iter().map(|param| parameter_type(ptx, param)).collect();
    let names: Vec<Ident> = argument_names(item);
    let bound: Vec<Ident> = (0..names.len()).map(|n| format_ident!("__ptx_{n}")).collect();
    let index = (0..names.len()).map(Literal::usize_unsuffixed);
    let contract = expand_contract(ptx, item, &types, &bound);
    let overlap = expand_overlap(item, &bound);
    let count = Literal::usize_unsuffixed(names.len());
    let each = names.iter().rev().fold(quote!(()), |rest, name| quote!((#name, #rest)));
    quote! {
        #(#conditions)*
        #[allow(deprecated)]
        impl #private::KernelType for #kernel {
            type Safety = #safety;
            type Count = #ptx::cuda::Parameters<#count>;
            type Grid = #grid;
            type Block = #block;
            type Cluster = #cluster;
            type Dynamic = #dynamic;

            fn declaration() -> &'static #ptx::ir::Function<'static> {
                #ident().ir()
            }
        }

        #(#needs)*

        #(#conditions)*
        #[allow(non_camel_case_types, deprecated, clippy::all, clippy::pedantic)]
        impl<#(#names),*> #ptx::cuda::Arguments<#kernel> for (#(#names,)*)
        where
            #(#names: #ptx::cuda::Argument<#types>),*
        {
            type __Each = #each;

            fn __launch(
                &mut self,
                __ptx_prepared: &#private::Prepared<'_>,
            ) -> ::core::result::Result<(), #ptx::cuda::LaunchError> {
                __ptx_prepared.start()?;
                let (#(#bound,)*) = self;
                #(
                    let #bound = #ptx::cuda::Argument::<#types>::__bind(
                        #bound, __ptx_prepared, #index,
                    )?;
                )*
                #overlap
                let __ptx_grid = { #contract };
                // SAFETY: there is one address for each parameter, of its bound argument.
                unsafe {
                    __ptx_prepared.submit(
                        __ptx_grid, &mut [#(#bound.pass()),*], &[#(#bound.pointed()),*],
                    )
                }
            }
        }
    }
}

/// The comparison of the arguments through which the kernel may write, if there are several.
fn expand_overlap(item: &Function, bound: &[Ident]) -> Option<TokenStream> {
    let may_write = |param: &Param| param.readonly.is_none() && !is_named(&param.ty, NUMBERS);
    let written = item.params.iter().zip(bound).enumerate();
    let written: Vec<TokenStream> = written
        .filter(|(_, (param, _))| may_write(param))
        .map(|(n, (_, bound))| {
            let index = Literal::usize_unsuffixed(n);
            quote!((#index, #bound.written()))
        })
        .collect();
    (written.len() > 1).then(|| quote!(__ptx_prepared.check_overlap([#(#written),*])?;))
}

/// The conditions on the arguments, and the grid that follows from them.
fn expand_contract(
    ptx: &TokenStream,
    item: &Function,
    types: &[TokenStream],
    bound: &[Ident],
) -> TokenStream {
    let contract = &item.contract;
    let expressions: Vec<TokenStream> =
        contract.requires.iter().chain(&contract.grid).map(ToTokens::to_token_stream).collect();
    let seen = item.params.iter().zip(types).zip(bound).filter_map(|((param, ty), bound)| {
        let name = &param.ident;
        if !expressions.iter().any(|expression| mentioned(expression, name)) {
            return None;
        }
        let deref = is_named(&param.ty, NUMBERS).then(|| quote!(*));
        Some(quote! {
            // The name may only be used as the name of a module: `limits::MOST`.
            #[allow(unused_variables)]
            let #name = #deref <#ty as #ptx::cuda::__private::Seen>::seen(&#bound);
        })
    });
    let floats: Vec<Ident> = item
        .params
        .iter()
        .filter(|param| is_named(&param.ty, &["f32", "f64"]))
        .map(|param| param.ident.clone())
        .collect();
    let conditions =
        contract.requires.iter().map(|condition| expand_condition(ptx, condition, &floats));
    let grid = match &contract.grid {
        Some(grid) => expand_grid(ptx, grid),
        None => quote!(::core::option::Option::None),
    };
    quote! {
        #(#seen)*
        #(#conditions)*
        #grid
    }
}

/// Whether a type is one of these by its name.
fn is_named(ty: &Type, names: &[&str]) -> bool {
    match ty {
        Type::Group(group) => is_named(&group.elem, names),
        Type::Path(path) => names.iter().any(|name| path.path.is_ident(name)),
        _ => false,
    }
}

/// Rust's numbers, which a contract uses by value.
const NUMBERS: &[&str] = &["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"];

/// The type of the parameter that an argument is for: a pointer that is only read through is marked.
fn parameter_type(ptx: &TokenStream, param: &Param) -> TokenStream {
    let ty = &param.ty;
    if param.readonly.is_some() {
        quote_spanned!(ty.span()=> #ptx::cuda::ReadOnly<#ty>)
    } else {
        quote!(#ty)
    }
}

/// The type parameters of an implementation for the tuple of arguments: named after the
/// parameters, so that messages show these names, unless a type of the signature has the name.
fn argument_names(item: &Function) -> Vec<Ident> {
    let params = &item.params;
    let contract = item.contract.requires.iter().chain(&item.contract.grid);
    let contract: TokenStream = contract.map(ToTokens::to_token_stream).collect();
    let name = |(n, param): (usize, &Param)| {
        let name = ptx_name(&param.ident);
        let is_path = starts_path(&contract, &param.ident);
        let is_taken = is_path
            || params.iter().any(|other| mentioned(&other.ty.to_token_stream(), &param.ident));
        let is_root = ["ptx", "core", "crate", "self", "super"].contains(&name.as_str());
        if is_taken || is_root {
            format_ident!("__Ptx{n}")
        } else {
            let mut name = param.ident.clone();
            name.set_span(Span::call_site());
            name
        }
    };
    params.iter().enumerate().map(name).collect()
}

/// Whether the body names a slice in dynamic shared memory.
fn names_slice(index: usize, checked: &Checked<'_>) -> bool {
    let uses = checked.body(index).into_iter().flat_map(|(_, body)| &body.uses);
    uses.filter_map(|used| checked.module.variable(used.index))
        .any(|variable| variable.space == Space::Shared && slice_element(&variable.ty).is_some())
}

/// Whether the tokens use the name as the start of a path: `name::..`.
fn starts_path(tokens: &TokenStream, name: &Ident) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    tokens.iter().enumerate().any(|(n, token)| match token {
        TokenTree::Ident(ident) if ident == name => {
            matches!(tokens.get(n + 1), Some(TokenTree::Punct(punct)) if punct.as_char() == ':')
        }
        TokenTree::Group(group) => starts_path(&group.stream(), name),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
