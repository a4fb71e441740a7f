//! Lowers Rust type tokens to IR types, as far as the tokens determine them.

use ptx_isa::sorted::SortedSet;

use bumpalo::Bump;
use ptx_isa::ir::{Extent, Pointer, Type};
use ptx_isa::{Opaque, ScalarType, Space};
use syn::{Expr, GenericArgument, Ident, Item as RustItem, PathArguments, UseTree};

use crate::group::Peel;
use crate::integer::literal;
use crate::name::each_import;

/// The types and constants that Rust items declare or import.
#[derive(Clone, Default)]
pub(crate) struct DeclaredTypes {
    names: SortedSet<String>,
    /// The constants and statics.
    values: SortedSet<String>,
    /// Whether the items import everything from somewhere, which may be types of its own.
    pub(crate) has_glob: bool,
    /// Whether the items have macros, which may declare other types.
    has_macros: bool,
}

impl DeclaredTypes {
    /// Adds the types of these items.
    pub(crate) fn with<'i>(mut self, items: impl Iterator<Item = &'i RustItem>) -> Self {
        for item in items {
            match item {
                RustItem::Type(item) => shadow(&item.ident, &mut self.names),
                RustItem::Struct(item) => shadow(&item.ident, &mut self.names),
                RustItem::Enum(item) => shadow(&item.ident, &mut self.names),
                RustItem::Union(item) => shadow(&item.ident, &mut self.names),
                RustItem::Const(item) => shadow(&item.ident, &mut self.values),
                RustItem::Static(item) => shadow(&item.ident, &mut self.values),
                RustItem::Use(item) => {
                    self.has_glob |= is_glob(&item.tree);
                    each_import(&item.tree, &mut |name| {
                        if let Some(name) = name {
                            shadow(name, &mut self.names);
                        }
                    });
                }
                RustItem::Macro(item) => self.has_macros |= item.ident.is_none(),
                _ => {}
            }
        }
        self
    }

    /// Whether the items may declare or import a type of this name, other than by `use ..::*`.
    pub(crate) fn may_contain(&self, name: &Ident) -> bool {
        self.has_macros || self.names.contains(&name.to_string())
    }

    /// Whether the items may declare or import a constant of this name. `use ..::*` may import those that are named as
    /// constants are.
    pub(crate) fn may_contain_value(&self, name: &Ident) -> bool {
        let word = name.to_string();
        let is_upper = !word.bytes().any(|byte| byte.is_ascii_lowercase());
        self.values.contains(&word) || self.may_contain(name) || self.has_glob && is_upper
    }
}

/// Lowers types: the arena for the results, and the names that the module shadows.
pub(crate) struct Lowering<'a> {
    pub(crate) arena: &'a Bump,
    pub(crate) declared: DeclaredTypes,
}

impl<'a> Lowering<'a> {
    /// Creates a lowering for a module that contains these Rust items, which may be types of its own.
    pub(crate) fn of<'m>(items: impl Iterator<Item = &'m RustItem>, arena: &'a Bump) -> Self {
        Self { arena, declared: DeclaredTypes::default().with(items) }
    }

    /// The IR type for a Rust type, with unknowns where the tokens do not determine it.
    pub(crate) fn lower_type(&self, ty: &syn::Type) -> &'a Type<'a> {
        self.arena.alloc(match ty.peel() {
            syn::Type::Array(array) => {
                Type::Array(lower_extent(&array.len), self.lower_type(&array.elem))
            }
            syn::Type::Slice(slice) => {
                Type::Array(Extent::Incomplete, self.lower_type(&slice.elem))
            }
            syn::Type::Path(path) if path.qself.is_none() => self.lower_path(&path.path),
            _ => Type::Unknown,
        })
    }

    /// The last segment of a path that may name one of our types: `f32`, `ptx::V4<f32>`, `half::f16`.
    fn ours<'p>(&self, path: &'p syn::Path) -> Option<&'p syn::PathSegment> {
        let last = path.segments.last()?;
        let first = path.segments.first()?;
        let known = if path.segments.len() == 1 {
            !self.declared.names.contains(&last.ident.to_string())
        } else {
            ["ptx", "half", "core", "std"].iter().any(|name| first.ident == name)
        };
        known.then_some(last)
    }

    fn lower_path(&self, path: &syn::Path) -> Type<'a> {
        let Some(last) = self.ours(path) else { return Type::Unknown };
        let name = last.ident.to_string();
        let args = arguments(&last.arguments);
        match (name.as_str(), args.as_slice()) {
            ("Family", [member, ..]) => {
                let count = const_argument(&last.arguments);
                Type::Family(count.map_or(Extent::Unknown, Extent::Known), self.lower_type(member))
            }
            (_, []) if Opaque::from_rust_name(&name).is_some() => {
                Opaque::from_rust_name(&name).map_or(Type::Unknown, Type::Opaque)
            }
            (_, []) => ScalarType::from_rust_name(&name).map_or(Type::Unknown, Type::Scalar),
            ("V2" | "V3" | "V4", [element]) => match self.lower_type(element) {
                Type::Scalar(scalar) => Type::Vector(if name == "V2" { 2 } else { 4 }, *scalar),
                _ => Type::Unknown,
            },
            ("Aligned", [inner, align]) => match typenum(align) {
                Some(align) => Type::Aligned(align, self.lower_type(inner)),
                None => Type::Unknown,
            },
            ("Ptr", [_, _] | [_, _, _]) => Type::Scalar(ScalarType::U64),
            _ => Type::Unknown,
        }
    }

    /// The type of the elements of an array.
    pub(crate) fn element(&self, ty: &syn::Type) -> Option<syn::Type> {
        match ty.peel() {
            syn::Type::Array(array) => Some((*array.elem).clone()),
            syn::Type::Slice(slice) => Some((*slice.elem).clone()),
            syn::Type::Path(path) => {
                let last = self.ours(&path.path).filter(|last| last.ident == "Aligned")?;
                self.element(arguments(&last.arguments).first()?)
            }
            _ => None,
        }
    }

    /// The type that a pointer points to.
    pub(crate) fn pointee(&self, ty: &syn::Type) -> Option<syn::Type> {
        self.of_pointer(ty)?.get(1).cloned()
    }

    /// The types in `Ptr<..>`.
    fn of_pointer(&self, ty: &syn::Type) -> Option<Vec<syn::Type>> {
        let syn::Type::Path(path) = ty.peel() else { return None };
        let last = self.ours(&path.path).filter(|last| last.ident == "Ptr")?;
        Some(arguments(&last.arguments))
    }

    /// The pointee of a parameter's type, as far as the tokens determine it.
    pub(crate) fn lower_pointer(&self, ty: &syn::Type) -> Option<Pointer<'a>> {
        let args = self.of_pointer(ty)?;
        let pointee = self.lower_type(args.get(1)?);
        let space = match args.first()? {
            syn::Type::Path(path) => self.ours(&path.path),
            _ => None,
        };
        let space = space.and_then(|last| match last.ident.to_string().as_str() {
            "Global" => Some(Space::Global),
            "Const" => Some(Space::Const),
            "Shared" => Some(Space::Shared),
            "Local" => Some(Space::Local),
            _ => None,
        });
        Some(Pointer { space, align: args.get(2).and_then(typenum), pointee })
    }
}

fn shadow(ident: &Ident, shadowed: &mut SortedSet<String>) {
    shadowed.insert(ident.to_string());
}

/// Whether a `use` imports everything from somewhere other than our prelude.
fn is_glob(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(path) if path.ident == "prelude" => false,
        UseTree::Path(path) => is_glob(&path.tree),
        UseTree::Group(group) => group.items.iter().any(is_glob),
        UseTree::Glob(_) => true,
        UseTree::Name(_) | UseTree::Rename(_) => false,
    }
}

/// The constant argument in `Family<T, 10>`, if it is a literal.
pub(crate) fn const_argument(arguments: &PathArguments) -> Option<usize> {
    let PathArguments::AngleBracketed(list) = arguments else { return None };
    list.args.iter().find_map(|argument| match argument {
        GenericArgument::Const(expr) => literal(expr),
        _ => None,
    })
}

fn arguments(arguments: &PathArguments) -> Vec<syn::Type> {
    let PathArguments::AngleBracketed(list) = arguments else {
        return Vec::new();
    };
    list.args
        .iter()
        .filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty.clone()),
            _ => None,
        })
        .collect()
}

/// 16 for `U16`.
pub(crate) fn typenum(ty: impl core::borrow::Borrow<syn::Type>) -> Option<usize> {
    match ty.borrow() {
        syn::Type::Path(path) => {
            path.path.segments.last()?.ident.to_string().strip_prefix('U')?.parse().ok()
        }
        syn::Type::Group(group) => typenum(&*group.elem),
        _ => None,
    }
}

pub(crate) fn lower_extent(expr: &Expr) -> Extent {
    match expr.peel() {
        Expr::Infer(_) => Extent::Incomplete,
        expr => literal(expr).map_or(Extent::Unknown, Extent::Known),
    }
}
