//! The structs of a Rust file, laid out as `#[repr(C)]` says, for tools that have no rustc to ask.

use bumpalo::Bump;
use proc_macro2::TokenStream;
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

/// An `mbarrier` object (PTX ISA 9.7.13, `mbarrier`).
const MBARRIER: Type<'static> = Type::Struct(Struct {
    name: "Mbarrier",
    size: 8,
    align: 8,
    fields: &[Field {
        name: "state",
        offset: 0,
        ty: &Type::Scalar(ScalarType::B64),
        pointer: None,
    }],
    kind: StructKind::Mbarrier,
});

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
    /// Adds the items of a Rust file.
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
        let file: syn::File = syn::parse2(tokens)?;
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
                    Some(item) => return self.declared(name, item),
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
            "Mbarrier" => return Ok(MBARRIER),
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
    fn declared(&mut self, name: String, item: &RustItem) -> Result<&'a Type<'a>, String> {
        if self.within.contains(&name) {
            return Err(format!("`{name}` contains itself"));
        }
        self.within.push(name.clone());
        let found = match item {
            RustItem::Struct(item) => self.of_struct(&name, item),
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

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "
        use ptx::{V4, Ptr};
        const ROWS: usize = 4;
        const COUNT: usize = 2 * ROWS;
        pub type Row = [f32; 3];
        #[repr(C)] pub struct Point { x: f32, y: f32, tag: u8 }
        mod inner {
            #[derive(PtxType)] #[repr(C, align(32))]
            pub struct Ring { rows: [Row; ROWS], points: [Point; COUNT], full: [Mbarrier; 2], at: Ptr<Global, Ring> }
        }
        #[repr(C)] struct Tuple(u16, V4<f32>);
        #[tensor_map(element = bf16, box = [64, 8], swizzle = B128)] struct A;
        #[repr(C)] struct Stages { count: u32, a: [Tile<A>; 2] }
        struct Plain { a: u8 }
        #[repr(C, packed)] struct Packed { a: u8 }
        #[repr(C)] struct Own { a: Own2 }
        #[repr(C)] struct Own2 { a: Own }
        #[repr(C)] struct Foreign { a: other::Thing }
        #[repr(C)] struct Generic<T> { a: T }
        #[repr(C)] struct Length { a: [u8; size()] }
        #[repr(C)] struct Twice { a: u8 }
        #[repr(C)] struct Twice { a: u16 }
        #[repr(C)] struct Some { #[cfg(unix)] a: u8 }
        #[repr(C)] struct Huge { a: [u64; 0xFFFF_FFFF_FFFF_FFFF], b: u64 }
        enum Choice { A }
    ";

    fn of(ty: &str) -> Result<(usize, usize, Vec<(String, usize)>), String> {
        let mut structs = Structs::default();
        structs.add(FILE).expect("it is Rust");
        let arena = Bump::new();
        let ty = structs.layout(&syn::parse_str(ty).expect("a type"), &arena)?;
        let fields = match ty {
            Type::Struct(layout) => layout.fields,
            _ => &[],
        };
        let fields = fields.iter().map(|field| (field.name.to_owned(), field.offset)).collect();
        Ok((ty.size().unwrap_or_default(), ty.align().unwrap_or_default(), fields))
    }

    /// The offsets and sizes are those that rustc computes for the same structs.
    #[test]
    fn structs_are_laid_out_as_in_c() {
        let fields = |all: &[(&str, usize)]| -> Vec<(String, usize)> {
            all.iter().map(|(name, offset)| ((*name).to_owned(), *offset)).collect()
        };
        for (ty, size, align, all) in [
            ("Point", 12, 4, fields(&[("x", 0), ("y", 4), ("tag", 8)])),
            ("Ring", 192, 32, fields(&[("rows", 0), ("points", 48), ("full", 144), ("at", 160)])),
            ("Tuple", 32, 16, fields(&[("0", 0), ("1", 16)])),
            ("Stages", 3072, 1024, fields(&[("count", 0), ("a", 1024)])),
            ("crate::types::Point", 12, 4, fields(&[("x", 0), ("y", 4), ("tag", 8)])),
            ("[Row; 2]", 24, 4, Vec::new()),
            ("f16", 2, 2, Vec::new()),
            ("Aligned<Point, U16>", 12, 16, Vec::new()),
        ] {
            assert_eq!(of(ty), Ok((size, align, all)), "{ty}");
        }
    }

    #[test]
    fn what_only_rustc_knows_is_said() {
        for (ty, why) in [
            ("Plain", "Rust may lay `Plain` out in any order; write `#[repr(C)]` above it"),
            ("Packed", "`#[repr(..)]` of `Packed` cannot be used: PTX has no such layout"),
            ("Own", "`Own` contains itself (the field `a` of `Own2`) (the field `a` of `Own`)"),
            (
                "Foreign",
                "only rustc knows the layout of `other::Thing` (the field `a` of `Foreign`)",
            ),
            ("Generic<f32>", "`Generic` is generic, and only rustc knows its layout"),
            (
                "Length",
                "the length `size ()` is not known from literals (the field `a` of `Length`)",
            ),
            ("Twice", "`Twice` is declared more than once"),
            ("Some", "`cfg` decides what `Some` is"),
            ("Choice", "only rustc knows the layout of `Choice`, which is not a struct"),
            ("Missing", "only rustc knows the layout of `Missing`"),
            ("Huge", "`Huge` is too large"),
        ] {
            assert_eq!(of(ty), Err(why.to_owned()), "{ty}");
        }
    }
}
