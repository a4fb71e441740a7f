//! Generic kernels and functions: a Rust function and a method that choose an instance by its arguments.

use std::rc::Rc;

use proc_macro2::TokenStream;
#[cfg(feature = "cuda")]
use ptx_frontend::FunctionKind;
use ptx_frontend::ast::{Function, Item, Module};
use ptx_frontend::instance::{Argument, Family, Instance};
use ptx_frontend::tensor_map::{Instantiated as InstantiatedMap, TensorMap};
use quote::{format_ident, quote};
use syn::{Attribute, Ident, Type, Visibility};

use super::documentation::is_documented;
use super::fragment::expand_called;
use super::function::handle_type;
use super::parts::conditions;
use super::span::moved;

/// A generic item, with its instances.
pub(super) struct Generic<'m, I = Function> {
    family: &'m Rc<Family>,
    instances: Vec<(&'m I, &'m Instance)>,
}

/// An item that may be an instance.
pub(super) trait Instantiated {
    /// Its visibility and its attributes.
    fn about(&self) -> (&Visibility, &[Attribute]);
}

impl Instantiated for Function {
    fn about(&self) -> (&Visibility, &[Attribute]) {
        (&self.vis, &self.attrs)
    }
}

impl Instantiated for TensorMap {
    fn about(&self) -> (&Visibility, &[Attribute]) {
        (&self.item.vis, &self.item.attrs)
    }
}

impl<'m> Generic<'m, TensorMap> {
    /// A generic tensor map.
    pub(super) fn of_maps(maps: &'m [InstantiatedMap]) -> Option<Self> {
        let (_, first) = maps.first()?;
        let family = &first.as_ref()?.family;
        let instances =
            maps.iter().filter_map(|(map, instance)| Some((map, instance.as_deref()?))).collect();
        Some(Self { family, instances })
    }

    /// The type that chooses an instance: `A<bf16, 64>`.
    pub(super) fn expand_map(&self) -> Option<TokenStream> {
        let Parts { vis, conditions, documented, declared, used, types, tuple, diagnostic } =
            self.parts()?;
        let ident = &self.family.ident;
        let name = chooser("MAP_OF", ident);
        let implementations = self.implementations(&name, |map| {
            let map = map.ident();
            quote!(type Map = #map;)
        });
        Some(quote! {
            #conditions
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            #diagnostic
            #vis trait #name<#(#declared),*> {
                #[doc(hidden)]
                type Map;
            }
            #implementations
            #conditions
            #documented
            #[allow(dead_code, non_camel_case_types)] // a user may name only the maps themselves
            #vis type #ident<#(#types,)* #(#declared),*> = <#tuple as #name<#(#used),*>>::Map;
        })
    }
}

impl<'m> Generic<'m> {
    /// The generic items of a module.
    pub(super) fn all(module: &'m Module) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for function in module.items.iter().filter_map(Item::function) {
            let Some(instance) = &function.instance else { continue };
            let family = &instance.family;
            let known = found.iter_mut().find(|generic| Rc::ptr_eq(generic.family, family));
            match known {
                Some(generic) => generic.instances.push((function, instance)),
                None => found.push(Self { family, instances: vec![(function, instance)] }),
            }
        }
        found
    }

    /// The function that returns the handle of an instance: `reduce::<f32, 128>()`.
    pub(super) fn expand(&self, ptx: &TokenStream) -> Option<TokenStream> {
        let Parts { vis, conditions, documented, declared, used, types, tuple, diagnostic } =
            self.parts()?;
        let ident = &self.family.ident;
        let name = chooser("INSTANCE_OF", ident);
        let implementations = self.implementations(&name, |function| {
            let (ident, handle) = (&function.ident, handle_type(ptx, function));
            quote! {
                type Handle = #handle;
                const HANDLE: Self::Handle = #ident();
            }
        });
        // Messages show it at the name.
        let bound = moved(quote!(#tuple: #name<#(#used),*>), ident.span());
        Some(quote! {
            #conditions
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            #diagnostic
            #vis trait #name<#(#declared),*> {
                #[doc(hidden)]
                type Handle;
                #[doc(hidden)]
                const HANDLE: Self::Handle;
            }
            #implementations
            #conditions
            #documented
            #[allow(dead_code)] // a host need not name an instance
            #vis const fn #ident<#(#types,)* #(#declared),*>() -> <#tuple as #name<#(#used),*>>::Handle
            where
                #bound,
            {
                <#tuple as #name<#(#used),*>>::HANDLE
            }
        })
    }

    /// What it tells other modules that call it.
    pub(super) fn expand_called(&self) -> Option<TokenStream> {
        let Parts { vis, conditions, .. } = self.parts()?;
        let travels = self.family.travels.as_ref()?;
        Some(expand_called(&self.family.ident, vis, &conditions, travels))
    }

    /// Whether the host launches it.
    #[cfg(feature = "cuda")]
    pub(super) fn is_launched(&self) -> bool {
        self.instances
            .iter()
            .all(|(function, _)| function.kind == FunctionKind::Kernel && function.body.is_some())
    }

    /// The method of the loaded module that launches an instance, and the items that it needs.
    #[cfg(feature = "cuda")]
    pub(super) fn method(
        &self,
        launch: impl Fn(&Function) -> TokenStream,
    ) -> Option<(TokenStream, TokenStream)> {
        let Parts { vis, conditions, documented, declared, used, types, tuple, diagnostic } =
            self.parts()?;
        let ident = &self.family.ident;
        let name = chooser("LOADED", ident);
        let implementations = self.implementations(&name, |function| {
            let (ident, launch) = (&function.ident, launch(function));
            quote! {
                type Launch<'l> = #launch;
                fn of(__ptx_loaded: &Loaded) -> Self::Launch<'_> {
                    __ptx_loaded.#ident()
                }
            }
        });
        let items = quote! {
            #conditions
            #[doc(hidden)]
            #[allow(non_camel_case_types, missing_docs)]
            #diagnostic
            #vis trait #name<#(#declared),*> {
                type Launch<'l>;
                fn of(loaded: &Loaded) -> Self::Launch<'_>;
            }
            #implementations
        };
        let method = quote! {
            #conditions
            #documented
            #vis fn #ident<#(#types,)* #(#declared),*>(
                &self,
            ) -> <#tuple as #name<#(#used),*>>::Launch<'_>
            where
                #tuple: #name<#(#used),*>,
            {
                <#tuple as #name<#(#used),*>>::of(self)
            }
        };
        Some((items, method))
    }
}

/// The name of the trait that chooses an instance. rustdoc shows it in a signature, as `InstanceOf_scale`: an item has no name of
/// the expansion there.
fn chooser(what: &str, ident: &Ident) -> Ident {
    if is_documented() {
        let words = what.split('_').map(|word| {
            let (first, rest) = word.split_at(1);
            first.to_owned() + &rest.to_ascii_lowercase()
        });
        format_ident!("{}_{ident}", words.collect::<String>())
    } else {
        format_ident!("__PTX_{what}_{ident}")
    }
}

impl<'m, I: Instantiated> Generic<'m, I> {
    /// What the items that choose an instance have in common.
    fn parts(&self) -> Option<Parts<'m>> {
        let (vis, attrs) = self.instances.first()?.0.about();
        let (conditions, documented) = (conditions(attrs), attrs.iter());
        let documented = documented.filter(|attr| attr.path().is_ident("doc"));
        let listed = is_documented().then(|| {
            let text = format!("\nInstances: {}.", self.labels().join(", "));
            quote!(#[doc = #text])
        });
        let (declared, used) = self.constants();
        let (types, tuple) = self.types();
        Some(Parts {
            vis,
            conditions: quote!(#(#conditions)*),
            documented: quote!(#(#documented)* #listed),
            declared,
            used,
            types,
            tuple,
            diagnostic: self.diagnostic(),
        })
    }

    /// The implementations of a trait for the arguments of each instance.
    fn implementations(&self, name: &Ident, items: impl Fn(&I) -> TokenStream) -> TokenStream {
        let each = self.instances.iter().map(|(item, instance)| {
            let conditions = conditions(item.about().1);
            let (tuple, constants) = arguments(instance);
            let items = items(item);
            quote! {
                #(#conditions)*
                #[allow(deprecated)]
                #[diagnostic::do_not_recommend]
                impl #name<#(#constants),*> for #tuple {
                    #items
                }
            }
        });
        each.collect()
    }

    /// The constants among the parameters: declared, and used.
    fn constants(&self) -> (Vec<TokenStream>, Vec<&'m Ident>) {
        let constants = self.family.parameters.iter();
        let constants = constants.filter_map(|(name, ty)| Some((name, ty.as_ref()?)));
        let (declared, used): (Vec<TokenStream>, Vec<&Ident>) =
            constants.map(|(name, ty): (&Ident, &Type)| (quote!(const #name: #ty), name)).unzip();
        (declared, used)
    }

    /// The types among the parameters, and the tuple of them.
    fn types(&self) -> (Vec<&'m Ident>, TokenStream) {
        let types = self.family.parameters.iter().filter(|(_, ty)| ty.is_none());
        let types: Vec<&Ident> = types.map(|(name, _)| name).collect();
        let tuple = quote!((#(#types,)*));
        (types, tuple)
    }

    /// The instances, as they are named in Rust.
    fn labels(&self) -> Vec<String> {
        let label = |(_, instance): &(&I, &Instance)| format!("`{}`", instance.in_rust());
        self.instances.iter().map(label).collect()
    }

    /// What rustc says where an instance is not listed.
    fn diagnostic(&self) -> TokenStream {
        let message = format!("`{}` has no such instance", self.family.ident);
        let note = format!("its instances are {}", self.labels().join(", "));
        quote! {
            #[diagnostic::on_unimplemented(
                message = #message,
                label = "not listed where it is declared",
                note = #note
            )]
        }
    }
}

/// What the function and the method that choose an instance have in common.
struct Parts<'m> {
    vis: &'m Visibility,
    conditions: TokenStream,
    documented: TokenStream,
    /// The constants among the parameters: declared, and used.
    declared: Vec<TokenStream>,
    used: Vec<&'m Ident>,
    /// The types among them, and the tuple of these.
    types: Vec<&'m Ident>,
    tuple: TokenStream,
    /// What rustc says where an instance is not listed.
    diagnostic: TokenStream,
}

/// The arguments of an instance: the tuple of the types, and the constants.
fn arguments(instance: &Instance) -> (TokenStream, Vec<TokenStream>) {
    let parameters = instance.family.parameters.iter().zip(&instance.arguments);
    let (mut types, mut constants) = (Vec::new(), Vec::new());
    for ((_, ty), Argument { tokens, .. }) in parameters {
        match ty {
            None => types.push(tokens),
            Some(_) => constants.push(quote!({ #tokens })),
        }
    }
    (quote!((#(#types,)*)), constants)
}
