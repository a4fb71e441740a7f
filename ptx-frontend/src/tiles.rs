//! Tiles of tensor maps, as far as the tokens of a module show where they are.

use proc_macro2::TokenTree;
use ptx_isa::sorted::{SortedMap, SortedSet};
use ptx_isa::tensor::Swizzle;
use syn::{Ident, Item as RustItem, ItemStruct, Meta, PathArguments, Type};

use crate::attribute::is_conditional;
use crate::group::Peel;
use crate::name::{has_name, ptx_name};

/// The swizzle of a tensor map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seen {
    /// Tokens show it.
    Swizzle(Swizzle),
    /// It is declared elsewhere, or `cfg` chooses it, or its rows do not start at powers of two.
    Nothing,
}

/// The variables, the structs and the tensor maps of a module.
#[derive(Default)]
pub(crate) struct Tiles {
    variables: SortedMap<String, Type>,
    structs: SortedMap<String, ItemStruct>,
    /// The names that several variables, structs or maps have, among which `cfg` chooses: no swizzle is known for them.
    several: SortedSet<String>,
    maps: SortedMap<String, Seen>,
    /// Whether a type of the module is called `Tile`.
    declares_tile: bool,
}

impl Tiles {
    /// Whether a module with these items may have tiles.
    pub(crate) fn are_in<'i>(mut items: impl Iterator<Item = &'i RustItem>) -> bool {
        items.any(|item| match item {
            RustItem::Struct(item) => {
                swizzle_of(item).is_some() || item.fields.iter().any(|field| holds_tile(&field.ty))
            }
            RustItem::Static(item) => holds_tile(&item.ty),
            // A variable without a value.
            RustItem::Verbatim(tokens) => has_name(tokens.clone(), "Tile"),
            _ => false,
        })
    }

    /// The tiles in a module with these items and variables.
    pub(crate) fn of<'i>(
        items: impl Iterator<Item = &'i RustItem>,
        variables: impl Iterator<Item = (String, Type)>,
    ) -> Self {
        let mut tiles = Self::default();
        for (name, ty) in variables {
            if tiles.variables.insert(name.clone(), ty).is_some() {
                tiles.several.insert(name);
            }
        }
        for item in items {
            let ident = match item {
                RustItem::Struct(item) => &item.ident,
                RustItem::Enum(item) => &item.ident,
                RustItem::Type(item) => &item.ident,
                RustItem::Union(item) => &item.ident,
                _ => continue,
            };
            let name = ptx_name(ident);
            tiles.declares_tile |= name == "Tile";
            let RustItem::Struct(item) = item else { continue };
            match swizzle_of(item) {
                Some(swizzle) => {
                    let is_only = !tiles.maps.contains_key(&name) && !is_conditional(&item.attrs);
                    tiles.maps.insert(name, if is_only { swizzle } else { Seen::Nothing });
                }
                None => {
                    if tiles.structs.insert(name.clone(), item.clone()).is_some() {
                        tiles.several.insert(name);
                    }
                }
            }
        }
        tiles
    }

    /// Whether this is the name of several variables or structs.
    pub(crate) fn is_several(&self, name: &Ident) -> bool {
        self.several.contains(&ptx_name(name))
    }

    /// The type of a variable of the module.
    pub(crate) fn variable(&self, name: &Ident) -> Option<&Type> {
        self.variables.get(&ptx_name(name))
    }

    /// The type of a field.
    pub(crate) fn field(&self, ty: &Type, name: &Ident) -> Option<&Type> {
        let Type::Path(path) = ty.peel() else { return None };
        let item = self.structs.get(&ptx_name(path.path.get_ident()?))?;
        let field = item.fields.iter().find(|field| field.ident.as_ref() == Some(name));
        field.map(|field| &field.ty)
    }

    /// The swizzle of a tile; `None` for another type.
    pub(crate) fn tile(&self, ty: &Type) -> Option<Seen> {
        let map = argument_of(ty, "Tile", 0).filter(|_| !self.declares_tile)?;
        let Type::Path(path) = map.peel() else { return Some(Seen::Nothing) };
        let known = path.path.get_ident().and_then(|name| self.maps.get(&ptx_name(name)));
        Some(known.copied().unwrap_or(Seen::Nothing))
    }
}

/// Whether a type is a tile, or an array of them.
fn holds_tile(ty: &Type) -> bool {
    match ty.peel() {
        Type::Array(array) => holds_tile(&array.elem),
        Type::Slice(slice) => holds_tile(&slice.elem),
        ty => argument_of(ty, "Tile", 0).is_some(),
    }
}

/// The type that a pointer type points to.
pub(crate) fn pointee(ty: &Type) -> Option<&Type> {
    argument_of(ty, "Ptr", 1)
}

/// The argument with this number in the angle brackets of a type with this name.
pub(crate) fn argument_of<'t>(ty: &'t Type, name: &str, n: usize) -> Option<&'t Type> {
    let Type::Path(path) = ty.peel() else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.nth(n)
}

/// The swizzle of a tensor map; `None` for another struct.
fn swizzle_of(item: &ItemStruct) -> Option<Seen> {
    let is_map = |attr: &&syn::Attribute| {
        attr.path().segments.last().is_some_and(|last| last.ident == "tensor_map")
    };
    let attr = item.attrs.iter().find(is_map)?;
    let Meta::List(list) = &attr.meta else { return Some(Seen::Nothing) };
    let tokens: Vec<TokenTree> = list.tokens.clone().into_iter().collect();
    let key = |key: &str| {
        tokens.iter().position(|token| matches!(token, TokenTree::Ident(word) if word == key))
    };
    let swizzle = match key("swizzle") {
        // Rows of slices do not start at powers of two.
        _ if key("interleave").is_some() => None,
        None => Some(Swizzle::None),
        Some(n) => match tokens.get(n + 1..n + 3) {
            Some([_, TokenTree::Ident(word)]) => Swizzle::from_name(&word.to_string()),
            _ => None,
        },
    };
    // The rows of this one are 96 bytes.
    let swizzle = swizzle.filter(|swizzle| *swizzle != Swizzle::B96);
    Some(swizzle.map_or(Seen::Nothing, Seen::Swizzle))
}
