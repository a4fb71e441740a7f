//! `#[ptx::fragment]`: fragments where they are written, and how they travel to the bodies that use them.
//!
//! A procedural macro sees the tokens of its own item alone, so a fragment is also a `macro_rules!` of its name, which
//! hands its tokens on. A module that uses fragments asks the first one for them, with a list of the others and of the
//! macro that comes last; each adds itself to what the ones before have added.

use bumpalo::Bump;
use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use ptx_isa::Target;
use quote::{ToTokens, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, ItemFn, Path, Token, Type, Visibility};

use crate::ast::{Module, Wanting};
use crate::body::{Fragment, Fragments, Generic, Known, Parameter, Shared, register_type};
use crate::check::{Checked, check_module};
use crate::errors::Errors;
use crate::name::{forget_dollar_crates, ptx_name};
use crate::others::check_others;
use crate::parse::{ParsedFragment, With, from_inside, parse_fragment, parse_outside, parse_with};
use crate::{Unused, depth};

/// The targets for one of which a fragment without a target has to be right where it is written: those of the latest
/// generations with all of their instructions.
const LATEST: [Target; 3] = [Target::Sm90a, Target::Sm100a, Target::Sm120a];

/// A fragment where it is written, with what its expansion needs.
pub struct Definition {
    /// The name.
    pub ident: Ident,
    /// The attributes of the function.
    pub attrs: Vec<Attribute>,
    /// The visibility.
    pub vis: Visibility,
    /// The Rust items before its body.
    pub items: Vec<syn::Item>,
    /// The constants that are evaluated where it is written.
    pub own: Vec<TokenStream>,
    /// The fragments that it uses.
    pub uses: Vec<Nested>,
    /// Its type parameters.
    pub type_parameters: Vec<Ident>,
    /// The types in its signature that do not depend on a constant.
    pub types: Vec<Type>,
    /// What its use looks like.
    pub usage: String,
    /// The path of `ptx`, if it differs from the one in `Cargo.toml`.
    pub krate: Option<Path>,
    /// The names that nothing uses.
    pub unused: Vec<Unused>,
    /// What travels.
    pub travels: TokenStream,
}

/// A fragment that another one uses, with the constants that belong to it, or a function of another module that it calls.
pub struct Nested {
    /// Its path, where the other one is written; for one that a used fragment uses, it starts with the path of that.
    pub path: TokenStream,
    /// Whether it is a function; for one that a used fragment calls, there is a constant at its path.
    pub function: Option<Nesting>,
    /// The number of its constants.
    pub own: usize,
    /// The constants among its items.
    pub items: Vec<(Ident, Type)>,
    /// The fragments that it uses.
    pub uses: Vec<Nested>,
}

/// How deep inside the fragments a function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nesting {
    /// By the fragment itself.
    Direct,
    /// By one that it uses.
    Inside,
}

/// The result of `#[ptx::fragment]`.
pub enum Defined {
    /// A fragment.
    Whole(Box<Definition>),
    /// The tokens of the fragments that it uses are needed first.
    Wanting(Wanting),
    /// A fragment with errors, of which nothing but the name is known.
    Refused {
        /// The name.
        ident: Ident,
        /// The visibility.
        vis: Visibility,
    },
}

/// The result of [`with_fragments`].
pub enum WithFragments<'a> {
    /// A module whose `mod` and `use` items are written already.
    Module(Box<Checked<'a>>),
    /// A fragment, or one for which the tokens of others are needed.
    Fragment(Defined),
}

/// Parses and checks `#[ptx::fragment]`.
pub fn fragment(args: &TokenStream, item: &TokenStream, errors: &mut Errors) -> Option<Defined> {
    forget_dollar_crates();
    if depth::refuse_deep(args, errors) || depth::refuse_deep(item, errors) {
        return None;
    }
    define(args, item, Vec::new(), errors)
}

/// Goes on with a module or a fragment, once the tokens of the fragments that it uses are there.
pub fn with_fragments<'a>(
    tokens: TokenStream,
    arena: &'a Bump,
    errors: &mut Errors,
) -> Option<WithFragments<'a>> {
    forget_dollar_crates();
    let [loaded, _, payload] = groups(tokens)?;
    let [kind, args, item, paths] = groups(payload)?;
    let paths = groups_of(paths);
    let loaded: Vec<(TokenStream, TokenStream)> =
        paths.into_iter().zip(groups_of(loaded)).collect();
    if kind.is_empty() {
        return define(&args, &item, loaded, errors).map(WithFragments::Fragment);
    }
    let parse = |target: usize, item: TokenStream, errors: &mut Errors| {
        let loaded: Vec<(TokenStream, TokenStream)> = match target {
            0 => loaded.clone(),
            _ => loaded.iter().map(|(path, it)| (from_inside(path.clone()), it.clone())).collect(),
        };
        let fragments = Fragments::of(known(&loaded), false);
        parse_with(args.clone(), item, With { fragments, target, ..With::default() }, errors)
    };
    let module = parse(0, item.clone(), errors)?;
    let module = Module { is_inside: true, ..module };
    let mut checked = check_module(module, arena, errors);
    check_others(&mut checked, &item, parse, arena, errors);
    errors.merge_instances();
    Some(WithFragments::Module(Box::new(checked)))
}

/// The fragments that a module needs, and what it passes on to [`with_fragments`].
pub(crate) fn wanting_module(
    args: &TokenStream,
    item: &TokenStream,
    paths: Vec<TokenStream>,
) -> Wanting {
    Wanting { payload: payload(&quote!(module), args, item, &paths), paths }
}

fn payload(
    kind: &TokenStream,
    args: &TokenStream,
    item: &TokenStream,
    paths: &[TokenStream],
) -> TokenStream {
    quote!({ {#kind} {#args} {#item} { #({#paths})* } })
}

/// The fragments with these paths and tokens.
fn known(loaded: &[(TokenStream, TokenStream)]) -> Known {
    let mut fragments = Fragments::default();
    for (path, tokens) in loaded {
        match groups(tokens.clone()) {
            Some([signature]) => fragments.insert_function(parse_outside(path, signature)),
            None => fragments.insert(path, load(tokens.clone())),
        }
    }
    fragments.known
}

/// Reads a fragment that has travelled; what is wrong with it is reported where it is written.
fn load(tokens: TokenStream) -> Option<Fragment> {
    let [args, item, nested] = groups(tokens)?;
    let nested = groups_of(nested);
    let nested: Vec<(TokenStream, TokenStream)> =
        nested.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
    let fragments = Fragments::of(known(&nested), false);
    let item = syn::parse2::<ItemFn>(item).ok()?;
    Some(parse_fragment(args, item, fragments, &mut Errors::default())?.fragment)
}

/// Parses and checks a fragment where it is written.
fn define(
    args: &TokenStream,
    item: &TokenStream,
    loaded: Vec<(TokenStream, TokenStream)>,
    errors: &mut Errors,
) -> Option<Defined> {
    let Ok(parsed) = syn::parse2::<ItemFn>(item.clone()) else {
        errors.on(item, "`#[ptx::fragment]` belongs on a function: `#[ptx::fragment] fn name(x: Reg<f32>) -> Reg<f32> { ptx! { .. } }`");
        return None;
    };
    let refused = Defined::Refused { ident: parsed.sig.ident.clone(), vis: parsed.vis.clone() };
    let name = ptx_name(&parsed.sig.ident);
    // Any word that no instruction has may be a fragment that is in scope.
    let fragments = Fragments::of(known(&loaded), true);
    let before = errors.len();
    let Some(parsed) = parse_fragment(args.clone(), parsed, fragments, errors) else {
        return Some(refused);
    };
    let wanted = parsed.fragment.wanted();
    if wanted.iter().any(|path| path.to_string() == name) {
        errors.on(
            &parsed.fragment.ident,
            format_args!("`{name}` uses itself, and would be written without end"),
        );
        return Some(refused);
    }
    if !wanted.is_empty() {
        let mut paths: Vec<TokenStream> = loaded.into_iter().map(|(path, _)| path).collect();
        paths.extend(wanted);
        let payload = payload(&TokenStream::new(), args, item, &paths);
        return Some(Defined::Wanting(Wanting { paths, payload }));
    }
    let ParsedFragment { fragment, args: given, attrs, vis, items, types, own, is_whole } = parsed;
    let uses = nested(&fragment);
    let type_parameters = fragment.type_parameters();
    let (ident, usage) = (fragment.ident.clone(), fragment.usage());
    let unused = check(fragment, given.target, is_whole, errors);
    let nested = loaded.iter().map(|(path, tokens)| quote!({#path} {#tokens}));
    let item = without_docs(item.clone());
    let travels = quote!({ {#args} {#item} { #(#nested)* } });
    let unused = if errors.len() > before { Vec::new() } else { unused };
    Some(Defined::Whole(Box::new(Definition {
        ident,
        attrs,
        vis,
        items,
        own,
        uses,
        type_parameters,
        types,
        usage,
        krate: given.krate,
        unused,
        travels,
    })))
}

/// The fragments that a fragment uses.
fn nested(fragment: &Fragment) -> Vec<Nested> {
    let known = fragment.fragments.known.values().flatten();
    let each = known.map(|known| match known {
        Shared::Fragment(known) => Nested {
            path: known.path.clone(),
            function: None,
            own: known.own(),
            items: known.items.clone(),
            uses: nested(known),
        },
        Shared::Function(function) => Nested {
            path: function.path.clone(),
            function: Some(if function.is_nested { Nesting::Inside } else { Nesting::Direct }),
            own: 0,
            items: Vec::new(),
            uses: Vec::new(),
        },
    });
    each.collect()
}

/// A function without its documentation, which does not travel.
fn without_docs(item: TokenStream) -> TokenStream {
    let Ok(mut item) = syn::parse2::<ItemFn>(item.clone()) else { return item };
    item.attrs.clear();
    item.vis = Visibility::Inherited;
    item.into_token_stream()
}

/// Checks a fragment by using it in a function that has a register for each of its values. Returns the names that
/// nothing uses.
fn check(
    fragment: Fragment,
    target: Option<Target>,
    is_whole: bool,
    errors: &mut Errors,
) -> Vec<Unused> {
    let ident = fragment.ident.clone();
    let declared = fragment.declared_names();
    let (mut storage, mut params, mut before) = (Vec::new(), Vec::new(), Vec::new());
    let (mut operands, mut returned) = (Vec::new(), Vec::new());
    for (name, ty) in &fragment.returns {
        let ty = &one_instance(ty, &fragment);
        operands.push(quote!(#name));
        if is_array(ty) || is_predicate(ty) {
            before.push(quote!(let #name: #ty;));
        } else {
            returned.push((name.clone(), ty.clone()));
        }
    }
    for (name, parameter) in &fragment.params {
        let parameter = &match parameter {
            Parameter::Value(ty) => Parameter::Value(one_instance(ty, &fragment)),
            Parameter::Register(ty) => Parameter::Register(one_instance(ty, &fragment)),
            Parameter::Place(ty) => Parameter::Place(one_instance(ty, &fragment)),
            Parameter::Constant(float) => Parameter::Constant(float.clone()),
        };
        operands.push(match parameter {
            Parameter::Constant(_) if is_whole => {
                let hash = Punct::new('#', Spacing::Alone);
                quote!(#hash (#name))
            }
            Parameter::Constant(_) => quote!(1),
            Parameter::Value(_) | Parameter::Register(_) | Parameter::Place(_) => quote!(#name),
        });
        match parameter {
            Parameter::Value(ty) if !is_array(ty) && !is_predicate(ty) => {
                params.push(quote!(#name: Reg<#ty>));
            }
            Parameter::Value(ty) | Parameter::Register(ty) => {
                before.push(quote!(let #name: #ty;));
                for (element, ty, n) in elements(name, ty) {
                    let given = format_ident!("__given_{name}_{n}");
                    let Some(suffix) = register_type(&ty) else { continue };
                    if is_predicate(&ty) {
                        params.push(quote!(#given: Reg<u32>));
                        before.push(quote!(setp.ne.u32 #element, #given, 0;));
                        continue;
                    }
                    let suffix = Ident::new(suffix, Span::call_site());
                    params.push(quote!(#given: Reg<#ty>));
                    before.push(quote!(mov.#suffix #element, #given;));
                }
            }
            Parameter::Place(ty) => {
                // How a place is aligned, its use decides.
                let space = fragment.space_of(name);
                storage.push(quote!(#[#space(align = 1024)] static #name: #ty;));
            }
            Parameter::Constant(_) => {}
        }
    }
    let (names, types): (Vec<Ident>, Vec<Type>) = returned.into_iter().unzip();
    let output = match types.as_slice() {
        [] => TokenStream::new(),
        [one] => quote!(-> Reg<#one>),
        types => quote!(-> (#(Reg<#types>),*)),
    };
    let device =
        if names.is_empty() { quote!(device) } else { quote!(device(returns(#(#names),*))) };
    let operands: Punctuated<TokenStream, Token![,]> = operands.into_iter().collect();
    // One instance shows which names nothing declares; the rest is checked in each use.
    let arguments = fragment.generics.iter().map(|generic| match generic {
        Generic::Type(_) => quote!(f32),
        Generic::Constant(_) => quote!(1),
    });
    let arguments: Punctuated<TokenStream, Token![,]> = arguments.collect();
    let arguments = (!arguments.is_empty()).then(|| quote!(::<#arguments>));
    let module = quote! {
        mod __fragment {
            use super::*;
            #(#storage)*
            #[#device]
            pub fn #ident(#(#params),*) #output {
                ptx! {
                    #(#before)*
                    #ident #arguments #operands;
                    ret;
                }
            }
        }
    };
    let mut fragments = Fragments::default();
    fragments.insert(&quote!(#ident), Some(fragment));
    let known = fragments.known;
    let check = |target: Target| {
        let target = Ident::new(target.name(), Span::call_site());
        let fragments = Fragments::of(known.clone(), false);
        let (mut errors, arena) = (Errors::default(), Bump::new());
        let module = module.clone();
        let with = With { fragments, is_definition: true, target: 0 };
        let parsed = parse_with(quote!(target = #target), module, with, &mut errors);
        let unused = parsed.map(|module| check_module(module, &arena, &mut errors).unused);
        let unused = unused
            .into_iter()
            .flat_map(|unused| unused.names.into_iter().flat_map(|(_, names)| names));
        (unused.collect::<Vec<Unused>>(), errors)
    };
    let given = target.map(|target| vec![target]);
    let mut all = given.unwrap_or_else(|| LATEST.to_vec()).into_iter().map(check);
    let Some(first) = all.next() else { return Vec::new() };
    let is_right = |(_, errors): &(Vec<Unused>, Errors)| errors.is_empty();
    let (unused, mut found) =
        if is_right(&first) { first } else { all.find(is_right).unwrap_or(first) };
    if !is_whole {
        // How many members an array has, a constant may decide.
        found.retain(|it| it.contains("[A101,") && !it.contains("declare more of them"));
    }
    errors.append(found);
    let is_own = |unused: &Unused| {
        declared.iter().any(|name| name.trim_start_matches(['%', '$']) == unused.name)
    };
    unused.into_iter().filter(|unused| is_whole && is_own(unused)).collect()
}

/// A type in the instance of a fragment whose type parameters are `f32` and whose constants are 1.
fn one_instance(ty: &Type, fragment: &Fragment) -> Type {
    fn replaced(tokens: TokenStream, fragment: &Fragment) -> TokenStream {
        let replace = |token| match token {
            TokenTree::Ident(word) => {
                let argument = fragment.generics.iter().find_map(|generic| match generic {
                    Generic::Type(name) => (*name == word).then(|| quote!(f32)),
                    Generic::Constant(name) => (*name == word).then(|| quote!(1)),
                });
                argument.unwrap_or_else(|| quote!(#word))
            }
            TokenTree::Group(group) => {
                let inner = replaced(group.stream(), fragment);
                TokenTree::Group(Group::new(group.delimiter(), inner)).into()
            }
            other => other.into(),
        };
        tokens.into_iter().map(replace).collect()
    }
    syn::parse2(replaced(ty.to_token_stream(), fragment)).unwrap_or_else(|_| ty.clone())
}

fn is_predicate(ty: &Type) -> bool {
    register_type(ty) == Some("pred")
}

fn is_array(ty: &Type) -> bool {
    matches!(crate::group::Peel::peel(ty), Type::Array(_))
}

/// The registers of a parameter, with their types: one, or those of an array whose length the tokens show.
fn elements(name: &Ident, ty: &Type) -> Vec<(TokenStream, Type, usize)> {
    match crate::group::Peel::peel(ty) {
        Type::Array(array) => {
            let count = crate::integer::literal::<usize>(&array.len).unwrap_or(0).min(256);
            let element = |n: usize| {
                let number = proc_macro2::Literal::usize_unsuffixed(n);
                (quote!(#name[#number]), (*array.elem).clone(), n)
            };
            (0..count).map(element).collect()
        }
        ty => vec![(quote!(#name), ty.clone(), 0)],
    }
}

/// The contents of a fixed number of groups.
fn groups<const N: usize>(tokens: TokenStream) -> Option<[TokenStream; N]> {
    groups_of(tokens).try_into().ok()
}

fn groups_of(tokens: TokenStream) -> Vec<TokenStream> {
    let group = |token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    };
    tokens.into_iter().filter_map(group).collect()
}
