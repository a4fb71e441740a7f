//! Types that a module takes from outside without importing anything.

use ptx_isa::{Opaque, ScalarType};
use syn::{GenericArgument, Ident, Item as RustItem, PathArguments, Type};

use crate::ast::{Item, Module};
use crate::errors::Errors;
use crate::group::Peel;

/// The types that every module has.
const PRIMITIVE: &[&str] = &[
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16",
    "u32", "u64", "u128", "usize",
];

/// The generic types and state spaces of the prelude; the other types in it are known to the IR.
const PRELUDE: &[&str] = &[
    "Aligned",
    "Const",
    "Dense",
    "Generic",
    "Global",
    "Local",
    "Padded",
    "Pred",
    "Ptr",
    "Reg",
    "Shared",
    "TensorMap",
    "Tile",
    "V2",
    "V3",
    "V4",
];

/// Reports the first type from outside in a module that imports nothing: the `use` was forgotten. Returns whether one was
/// reported; then the expansion imports what may be needed, so that rustc does not report the types, too.
pub(super) fn check_imports(module: &Module, errors: &mut Errors) -> bool {
    let mut declared = Vec::new();
    for item in &module.items {
        let Item::Rust(item) = item else { continue };
        declared.push(match &**item {
            RustItem::Enum(item) => &item.ident,
            RustItem::Struct(item) => &item.ident,
            RustItem::Type(item) => &item.ident,
            RustItem::Union(item) => &item.ident,
            RustItem::Const(_) | RustItem::Fn(_) | RustItem::Impl(_) | RustItem::Static(_) => {
                continue;
            }
            // These may bring any name.
            _ => return false,
        });
    }
    let types = module.items.iter().flat_map(|item| match item {
        Item::Variable(item) => vec![&item.ty],
        // Its types are those of the module that declares it.
        Item::Function(item) if !item.outside.is_empty() => Vec::new(),
        Item::Function(item) => {
            item.params.iter().chain(&item.returns).map(|param| &param.ty).collect()
        }
        Item::Rust(_) => Vec::new(),
    });
    let Some(name) = types.into_iter().find_map(|ty| outside(ty, &declared)) else { return false };
    let word = name.to_string();
    let is_ours = PRELUDE.contains(&word.as_str())
        || ScalarType::from_rust_name(&word).is_some()
        || Opaque::from_rust_name(&word).is_some();
    let import = if is_ours { "ptx::prelude" } else { "super" };
    errors.on(
        name,
        format_args!(
            "`{name}` is not declared in this module, which imports nothing; write `use {import}::*;` at its start"
        ),
    );
    true
}

/// The first type in `ty` that is neither primitive nor declared.
fn outside<'t>(ty: &'t Type, declared: &[&Ident]) -> Option<&'t Ident> {
    match ty.peel() {
        Type::Array(array) => outside(&array.elem, declared),
        Type::Path(path) if path.qself.is_none() && path.path.leading_colon.is_none() => {
            let segment = path.path.segments.first()?;
            let name = segment.ident.to_string();
            let is_single = path.path.segments.len() == 1;
            let is_known = PRIMITIVE.contains(&name.as_str())
                || declared.iter().any(|declared| **declared == segment.ident);
            if is_single && !is_known {
                return Some(&segment.ident);
            }
            let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments
            else {
                return None;
            };
            arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(ty) => outside(ty, declared),
                _ => None,
            })
        }
        _ => None,
    }
}
