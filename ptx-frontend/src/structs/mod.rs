//! The structs of a Rust file, laid out as `#[repr(C)]` says, for tools that have no rustc to ask.

#[cfg(test)]
mod tests;

use bumpalo::Bump;
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use ptx_isa::ir::{Extent, Field, Struct, StructKind, Type};
use ptx_isa::sorted::SortedMap;
use ptx_isa::tensor::Spec;
use ptx_isa::{Opaque, ScalarType};
use quote::ToTokens;
use syn::{Attribute, Fields, Item as RustItem, ItemStruct, Meta};

use crate::attribute::is_conditional;
use crate::depth::refuse_deep;
use crate::errors::Errors;
use crate::group::Peel;
use crate::integer::literal;
use crate::integers::Integers;
use crate::name::ptx_name;
use crate::tensor_map::tensor_map;
use crate::tiles::argument_of;
use crate::types::{Lowering, typenum};

/// The bytes of a tensor map, to which it is also aligned in memory at least by half (PTX ISA 5.5.8).
const MAP_BYTES: usize = 128;

/// The structs, aliases, tensor maps and constants of Rust files.
#[derive(Clone, Default)]
pub struct Structs {
    /// All items, those of inline modules too.
    items: Vec<RustItem>,
    /// The number of the item that declares a type; `None` where several do.
    types: SortedMap<String, Option<usize>>,
    integers: Integers,
}

impl Structs {
    /// Adds the items of a Rust file. They are kept without their places in the text, so that a program that reads many
    /// texts may forget those ([`invalidate_current_thread_spans`](proc_macro2::extra::invalidate_current_thread_spans)).
    ///
    /// # Errors
    /// It is not Rust, or nested too deep.
    pub fn add(&mut self, text: &str) -> syn::Result<()> {
        let tokens: TokenStream = text.parse()?;
        let mut errors = Errors::default();
        if refuse_deep(&tokens, &mut errors) {
            let why = errors.messages().next().unwrap_or_default();
            return Err(syn::Error::new_spanned(tokens.into_iter().next(), why));
        }
        // An error has its place.
        let file: syn::File =
            syn::parse2(without_places(tokens.clone())).or_else(|_| syn::parse2(tokens))?;
        self.add_items(file.items);
        let items = std::mem::take(&mut self.items);
        self.integers = Integers::default().with_computed(items.iter());
        self.items = items;
        Ok(())
    }

    fn add_items(&mut self, items: Vec<RustItem>) {
        for item in items {
            let ident = match &item {
                RustItem::Struct(item) => Some(&item.ident),
                RustItem::Type(item) => Some(&item.ident),
                RustItem::Enum(item) => Some(&item.ident),
                RustItem::Union(item) => Some(&item.ident),
                _ => None,
            };
            if let Some(ident) = ident {
                let (name, number) = (ptx_name(ident), self.items.len());
                let is_new = !self.types.contains_key(&name);
                self.types.insert(name, is_new.then_some(number));
            }
            match item {
                RustItem::Mod(module) => {
                    self.add_items(module.content.map(|(_, items)| items).unwrap_or_default());
                }
                item => self.items.push(item),
            }
        }
    }

    /// Whether a type of this name is declared.
    pub fn declares(&self, name: &str) -> bool {
        self.types.contains_key(name)
    }

    /// The names of the structs.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.types.iter().map(|(name, _)| name.as_str())
    }

    /// The layout of a type: of structs that are declared here, and of the types of PTX.
    ///
    /// # Errors
    /// Why the layout is not known, as a sentence.
    pub fn layout<'a>(&self, ty: &syn::Type, arena: &'a Bump) -> Result<&'a Type<'a>, String> {
        let is_theirs = |item: &&RustItem| match item {
            RustItem::Use(item) => match &item.tree {
                syn::UseTree::Path(path) => path.ident != "ptx" && path.ident != "half",
                _ => true,
            },
            _ => true,
        };
        let lowering = Lowering::of(self.items.iter().filter(is_theirs), arena);
        Layout { structs: self, lowering, within: Vec::new() }.of(ty)
    }

    /// The declaration of a type.
    fn declaration(&self, name: &str) -> Result<Option<&RustItem>, String> {
        match self.types.get(name) {
            None => Ok(None),
            Some(None) => Err(format!("`{name}` is declared more than once")),
            Some(Some(number)) => Ok(self.items.get(*number)),
        }
    }
}

/// The same tokens, without their places in a text.
fn without_places(tokens: TokenStream) -> TokenStream {
    let without = |tree| match tree {
        TokenTree::Group(group) => {
            Group::new(group.delimiter(), without_places(group.stream())).into()
        }
        mut tree => {
            tree.set_span(Span::call_site());
            tree
        }
    };
    tokens.into_iter().map(without).collect()
}

/// The type that `Ptr<S, T>` points to.
pub fn pointee(ty: &syn::Type) -> Option<&syn::Type> {
    argument_of(ty, "Ptr", 1)
}

/// What is laid out.
struct Layout<'s, 'a> {
    structs: &'s Structs,
    lowering: Lowering<'a>,
    /// The types around the current one.
    within: Vec<String>,
}

impl<'a> Layout<'_, 'a> {
    fn of(&mut self, ty: &syn::Type) -> Result<&'a Type<'a>, String> {
        let arena = self.lowering.arena;
        let lowered = match ty.peel() {
            syn::Type::Array(array) => {
                let extent = literal(&array.len).or_else(|| {
                    self.structs.integers.value(&array.len).and_then(|n| usize::try_from(n).ok())
                });
                let extent = extent.ok_or_else(|| {
                    format!("the length `{}` is not known from literals", shown(&array.len))
                })?;
                Type::Array(Extent::Known(extent), self.of(&array.elem)?)
            }
            syn::Type::Slice(slice) => Type::Array(Extent::Incomplete, self.of(&slice.elem)?),
            syn::Type::Path(path) if path.qself.is_none() => {
                let last = path.path.segments.last().map(|last| ptx_name(&last.ident));
                let name = last.unwrap_or_default();
                match self.structs.declaration(&name)? {
                    Some(item) => return self.declared(&name, item),
                    None => self.of_library(&name, ty)?,
                }
            }
            _ => Type::Unknown,
        };
        match lowered {
            Type::Unknown => Err(format!("only rustc knows the layout of `{}`", shown(ty))),
            known => Ok(arena.alloc(known)),
        }
    }

    /// The layout of a type that the files do not declare.
    fn of_library(&mut self, name: &str, ty: &syn::Type) -> Result<Type<'a>, String> {
        let kind = match name {
            "Mbarrier" => return Ok(Type::Struct(Struct::MBARRIER)),
            "Aligned" => {
                let [inner, align] = [0, 1].map(|n| argument_of(ty, "Aligned", n));
                let (Some(inner), Some(align)) = (inner, align.and_then(typenum)) else {
                    return Ok(Type::Unknown);
                };
                return Ok(Type::Aligned(align, self.of(inner)?));
            }
            "Tile" => StructKind::Tile,
            "TensorMap" => StructKind::TensorMap,
            _ => return Ok(*self.lowering.lower_type(ty)),
        };
        let Some(spec) = argument_of(ty, name, 0).and_then(|map| self.spec(map)) else {
            return Ok(Type::Unknown);
        };
        let kind = kind(spec);
        let (size, align) = match kind {
            StructKind::Tile(spec) => (spec.tile_stride(), spec.tile_alignment()),
            _ => (MAP_BYTES, MAP_BYTES / 2),
        };
        let arena = self.lowering.arena;
        let bytes = Type::Array(Extent::Known(size), Type::of_scalar(ScalarType::B8));
        let field = Field { name: "bytes", offset: 0, ty: arena.alloc(bytes), pointer: None };
        let fields = arena.alloc_slice_copy(&[field]);
        Ok(Type::Struct(Struct { name: arena.alloc_str(name), size, align, fields, kind }))
    }

    /// The tensor map of this type, if a file declares it.
    fn spec(&self, map: &syn::Type) -> Option<&'a Spec> {
        let syn::Type::Path(path) = map.peel() else { return None };
        let name = ptx_name(&path.path.segments.last()?.ident);
        let RustItem::Struct(item) = self.structs.declaration(&name).ok().flatten()? else {
            return None;
        };
        let mut item = item.clone();
        let at = item.attrs.iter().position(is_map)?;
        let Meta::List(list) = item.attrs.remove(at).meta else { return None };
        let (map, errors) = tensor_map(list.tokens, item.into_token_stream());
        map.filter(|_| errors.is_empty()).map(|map| &*self.lowering.arena.alloc(map.spec))
    }

    /// The layout of a type that the files declare.
    fn declared(&mut self, name: &str, item: &RustItem) -> Result<&'a Type<'a>, String> {
        if self.within.iter().any(|it| it == name) {
            return Err(format!("`{name}` contains itself"));
        }
        self.within.push(name.to_owned());
        let found = match item {
            RustItem::Struct(item) => self.of_struct(name, item),
            RustItem::Type(item) if item.generics.params.is_empty() => self.of(&item.ty),
            _ => Err(format!("only rustc knows the layout of `{name}`, which is not a struct")),
        };
        self.within.pop();
        found
    }

    fn of_struct(&mut self, name: &str, item: &ItemStruct) -> Result<&'a Type<'a>, String> {
        if !item.generics.params.is_empty() {
            return Err(format!("`{name}` is generic, and only rustc knows its layout"));
        }
        if is_conditional(&item.attrs) || item.fields.iter().any(|it| is_conditional(&it.attrs)) {
            return Err(format!("`cfg` decides what `{name}` is"));
        }
        let Repr { is_c, mut align } = repr(name, &item.attrs)?;
        if !is_c {
            return Err(format!(
                "Rust may lay `{name}` out in any order; write `#[repr(C)]` above it"
            ));
        }
        let arena = self.lowering.arena;
        let (mut fields, mut end) = (Vec::new(), 0_usize);
        let too_large = || format!("`{name}` is too large");
        for (n, field) in item.fields.iter().enumerate() {
            let field_name = field.ident.as_ref().map_or(n.to_string(), ToString::to_string);
            let ty = self.of(&field.ty);
            let ty = ty.map_err(|why| format!("{why} (the field `{field_name}` of `{name}`)"))?;
            let (Some(size), Some(natural)) = (ty.size(), ty.align()) else {
                return Err(format!("the field `{field_name}` of `{name}` has no size"));
            };
            if matches!(ty.element(), Type::Opaque(_)) {
                let opaque = ty.opaque().map_or("it", Opaque::rust_name);
                return Err(format!(
                    "the field `{field_name}` of `{name}` has no layout: `{opaque}` stands alone"
                ));
            }
            let offset = end.checked_next_multiple_of(natural.max(1)).ok_or_else(too_large)?;
            end = offset.checked_add(size).ok_or_else(too_large)?;
            align = align.max(natural);
            fields.push(Field { name: arena.alloc_str(&field_name), offset, ty, pointer: None });
        }
        if end == 0 || matches!(item.fields, Fields::Unit) {
            return Err(format!("`{name}` has 0 bytes, and PTX has no such storage"));
        }
        let size = end.checked_next_multiple_of(align.max(1)).ok_or_else(too_large)?;
        Ok(arena.alloc(Type::Struct(Struct {
            name: arena.alloc_str(name),
            size,
            align,
            fields: arena.alloc_slice_copy(&fields),
            kind: StructKind::Fields,
        })))
    }
}

/// What `#[repr(..)]` says.
struct Repr {
    /// Whether the fields are laid out in order.
    is_c: bool,
    /// The least alignment in bytes.
    align: usize,
}

fn repr(name: &str, attrs: &[Attribute]) -> Result<Repr, String> {
    let mut found = Repr { is_c: false, align: 1 };
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("repr")) {
        let outcome = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("C") || meta.path.is_ident("transparent") {
                found.is_c = true;
            } else if meta.path.is_ident("align") {
                let inner;
                syn::parenthesized!(inner in meta.input);
                let align: usize = inner.parse::<syn::LitInt>()?.base10_parse()?;
                if !align.is_power_of_two() {
                    return Err(meta.error("an alignment is a power of two"));
                }
                found.align = found.align.max(align);
            } else {
                return Err(meta.error("PTX has no such layout"));
            }
            Ok(())
        });
        outcome.map_err(|why| format!("`#[repr(..)]` of `{name}` cannot be used: {why}"))?;
    }
    Ok(found)
}

/// Whether an attribute makes a struct a tensor map.
fn is_map(attr: &Attribute) -> bool {
    attr.path().segments.last().is_some_and(|last| last.ident == "tensor_map")
}

/// Tokens as one writes them in a type.
fn shown(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.replace(" :: ", "::")
        .replace(" < ", "<")
        .replace(" >", ">")
        .replace(" ,", ",")
        .replace(" ;", ";")
        .replace("& ", "&")
}
