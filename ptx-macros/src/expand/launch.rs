//! The host's side of a module: `Loaded`, and the arguments of each kernel.
//!
//! It is expanded with this crate's feature `cuda`, which `ptx`'s feature `cuda` turns on, inside one
//! `__cuda! { .. }`, which expands to nothing in a `ptx` without that feature: a `ptx` built for a build script
//! shares this crate with one that has it.

use proc_macro2::{Ident, Span, TokenStream};
use ptx_frontend::ast::{Function, Item, Variable};
use ptx_frontend::ir::DirectiveKind;
use ptx_frontend::{Checked, FunctionKind, Space, ptx_name};
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, UseTree, Visibility};

use super::arguments::expand_arguments;
use super::documentation::is_documented;
use super::instances::Generic;
use super::parts::{condition, conditions};
use super::span::moved;
use super::variable::{rust_type, slice_element};
use super::variant::variant;

pub(super) fn expand_launch(ptx: &TokenStream, checked: &Checked<'_>) -> TokenStream {
    let module = &checked.module;
    let loadable = |(i, item)| loadable(i, item, checked);
    let mut loadable: Vec<Loadable<'_>> =
        module.items.iter().enumerate().filter_map(loadable).collect();
    loadable.extend(checked.other_kernels.iter().filter_map(|kernel| {
        let (other, item) = (checked.others.get(kernel.other)?, &*kernel.function);
        let shown = super::documentation::documentation(item, kernel.item, other);
        let open = Open::of(item, &kinds(item), names_slice(kernel.item, other));
        Some(Loadable::Kernel { item, shown, open, is_partial: true })
    }));
    if let Some(taken) = module.items.iter().find_map(taken_name) {
        return quote_spanned! {taken.span()=>
            #ptx::__cuda! {
                ::core::compile_error! {
                    "`Loaded` is the type of the loaded module, with the feature `cuda`; give this another name"
                }
            }
        };
    }
    let names_kernels = !module.items.iter().any(|item| declares(item, "kernels"));
    let markers = markers(&loadable, names_kernels);
    let launch = |item: &Function| {
        let (marker, safety) = (marker_of(&item.ident), safety(ptx, item));
        let open = loadable.iter().find_map(|it| match it {
            Loadable::Kernel { item: it, open, .. } if it.ident == item.ident => Some(*open),
            _ => None,
        });
        let open = open.unwrap_or_else(|| Open::of(item, &kinds(item), false));
        let [grid, block, cluster, dynamic] = open.states(ptx);
        quote!(#ptx::cuda::Launch<'l, #markers::#marker, #safety, #grid, #block, #cluster, #dynamic>)
    };
    let is_launched = |generic: &Generic<'_>| generic.is_launched();
    let generic = Generic::all(module).into_iter().filter(is_launched);
    let generic: Vec<_> = generic.filter_map(|generic| generic.method(launch)).collect();
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
        /// Whether the module has other targets without it.
        is_partial: bool,
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
        [self.grid, self.block, self.is_explicit, self.slice].map(|is_open| state(ptx, is_open))
    }
}

/// The type that says whether something is left open.
fn state(ptx: &TokenStream, is_open: bool) -> TokenStream {
    let state = Ident::new(if is_open { "Missing" } else { "Given" }, Span::call_site());
    quote!(#ptx::cuda::#state)
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
            let is_partial = checked.partial.contains(&i);
            Some(Loadable::Kernel { item, shown, open, is_partial })
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
    let module = markers(loadable, names_kernels);
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
            Loadable::Kernel { item, shown, open, is_partial } => {
                let Function { vis, ident, .. } = item;
                let mut attrs = documentation(&item.attrs);
                attrs
                    .extend(shown.as_ref().map(|shown| -> Attribute { syn::parse_quote!(#shown) }));
                let conditions = conditions(&item.attrs);
                let (field, marker) = (field_of(ident), marker_of(ident));
                let safety = safety(ptx, item);
                let of = quote!(#module::#marker, #safety);
                let of_name = quote!(super::#module::#marker, #safety);
                let [grid, block, cluster, dynamic] = open.states(ptx);
                let given = quote!(#grid, #block, #cluster, #dynamic);
                let error = quote!(#ptx::cuda::LaunchError);
                let mut handle = quote!(#ptx::cuda::LoadedKernel<#of>);
                let mut load = quote!(__ptx_loader.kernel());
                let mut launch = quote!(#ptx::cuda::Launch<'_, #of, #given>);
                let mut configured = quote!(self.#field.configure());
                if *is_partial {
                    handle = quote!(::core::result::Result<#handle, #error>);
                    load = quote!(__ptx_loader.kernel_of_target());
                    launch = quote!(::core::result::Result<#launch, #error>);
                    configured = quote! {
                        match &self.#field {
                            ::core::result::Result::Ok(kernel) => {
                                ::core::result::Result::Ok(kernel.configure())
                            }
                            ::core::result::Result::Err(error) => {
                                ::core::result::Result::Err(::core::clone::Clone::clone(error))
                            }
                        }
                    };
                    attrs.push(syn::parse_quote!(#[doc = "\n# Errors\nThe module is loaded for a target without this kernel."]));
                }
                fields.push(quote!(#(#conditions)* #hidden #field: #handle,));
                loads.push(quote!(#(#conditions)* #field: #load,));
                // Messages show where it is declared.
                let declared = moved(quote!(pub enum #marker {}), ident.span());
                markers.push(quote!(#(#conditions)* #declared));
                let name = type_name_of(ident, &taken);
                names.push(quote! {
                    #(#conditions)* pub type #name = #ptx::cuda::LoadedKernel<#of_name>;
                });
                taken.push(name);
                methods.push(quote! {
                    #(#attrs)*
                    #vis fn #ident(&self) -> #launch {
                        #configured
                    }
                });
                kernels.push(expand_kernel(ptx, item, &module, *open, *is_partial));
            }
        }
    }
    let doc = format!(
        "The module `{name}` in a context, once it is loaded: its kernels as methods, its variables as \
         fields."
    );
    let markers = quote!(#(#[doc(hidden)] #markers)*);
    let (in_names, markers) =
        if module == KERNELS { (Some(&markers), None) } else { (None, Some(&markers)) };
    // The user may name none of these types, and has not written them.
    let allowed = quote! {
        #[allow(dead_code, missing_docs, missing_debug_implementations)]
        #[allow(missing_copy_implementations, non_camel_case_types)]
    };
    let named = (names_kernels && !names.is_empty()).then(|| {
        quote! {
            #[doc = "The types of the kernels of a loaded module."]
            #allowed
            pub mod kernels {
                #(#names)*
                #in_names
            }
        }
    });
    let markers = markers.map(|markers| {
        quote! {
            #[doc(hidden)]
            #allowed
            mod #module {
                #markers
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

            #markers

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

/// The module of the names of loaded kernels' types.
const KERNELS: &str = "kernels";

/// The module of the types that stand for kernels, which messages name: that of the [names](KERNELS), unless a kernel's own
/// name is one of these.
fn markers(loadable: &[Loadable<'_>], names_kernels: bool) -> Ident {
    let kernels = loadable.iter().filter_map(|handle| match handle {
        Loadable::Kernel { item, .. } => Some(&item.ident),
        Loadable::Variable { .. } => None,
    });
    let kernels: Vec<&Ident> = kernels.collect();
    let mut taken = Vec::new();
    for kernel in &kernels {
        let name = type_name_of(kernel, &taken);
        taken.push(name);
    }
    let is_apart = taken.iter().all(|name| kernels.iter().all(|kernel| *kernel != name));
    let name = if names_kernels && is_apart { KERNELS } else { "__ptx_kernels" };
    Ident::new(name, Span::call_site())
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
fn expand_kernel(
    ptx: &TokenStream,
    item: &Function,
    module: &Ident,
    open: Open,
    is_partial: bool,
) -> TokenStream {
    let (ident, marker) = (&item.ident, marker_of(&item.ident));
    let conditions = conditions(&item.attrs);
    let kernel = quote!(#module::#marker);
    let safety = safety(ptx, item);
    let private = quote!(#ptx::cuda::__private);
    let [grid, block, cluster, dynamic] = open.states(ptx);
    let declared_cluster = state(ptx, open.cluster);
    let arguments = expand_arguments(ptx, item, &kernel);
    // The function of the name may be that of another target, or none.
    let declaration = if is_partial {
        let name = &item.name;
        quote!(#private::declared(&MODULE, #name))
    } else {
        quote!(#ident().ir())
    };
    quote! {
        #(#conditions)*
        #[allow(deprecated)]
        impl #private::KernelType for #kernel {
            type Safety = #safety;
            type Grid = #grid;
            type Block = #block;
            type Cluster = #cluster;
            type DeclaredCluster = #declared_cluster;
            type Dynamic = #dynamic;

            fn declaration() -> &'static #ptx::ir::Function<'static> {
                #declaration
            }
        }

        #arguments
    }
}

/// Whether the body names a slice in dynamic shared memory.
fn names_slice(index: usize, checked: &Checked<'_>) -> bool {
    let uses = checked.body(index).into_iter().flat_map(|(_, body)| &body.uses);
    uses.filter_map(|used| checked.module.variable(used.index))
        .any(|variable| variable.space == Space::Shared && slice_element(&variable.ty).is_some())
}
