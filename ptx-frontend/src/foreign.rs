//! Types of C, CUDA C++ and PTX where one of Rust is expected, and misspelt state spaces.

use ptx_isa::ScalarType;
use ptx_isa::near::nearest;
use syn::{GenericArgument, Ident, PathArguments, PathSegment, Type};

use crate::group::Peel;
use crate::types::DeclaredTypes;

/// The names of other languages, with the types that they have here.
const FOREIGN: &[(&str, &str)] = &[
    ("float", "f32"),
    ("double", "f64"),
    ("half", "f16"),
    ("__half", "f16"),
    ("float16", "f16"),
    ("bfloat16", "bf16"),
    ("nv_bfloat16", "bf16"),
    ("__nv_bfloat16", "bf16"),
    ("__nv_fp8_e4m3", "E4M3"),
    ("__nv_fp8_e5m2", "E5M2"),
    ("float32", "f32"),
    ("float64", "f64"),
    ("tf32", "Tf32"),
    ("E4M3FN", "E4M3"),
    ("e4m3", "E4M3"),
    ("e5m2", "E5M2"),
    ("fp8e4m3", "E4M3"),
    ("fp8e4nv", "E4M3"),
    ("fp8e5m2", "E5M2"),
    ("fp8e5", "E5M2"),
    ("float8_e4m3fn", "E4M3"),
    ("float8_e5m2", "E5M2"),
    ("int8", "i8"),
    ("int16", "i16"),
    ("int32", "i32"),
    ("int64", "i64"),
    ("uint8", "u8"),
    ("uint16", "u16"),
    ("uint32", "u32"),
    ("uint64", "u64"),
    ("cudaTextureObject_t", "u64"),
    ("cudaSurfaceObject_t", "u64"),
    ("schar", "i8"),
    ("short", "i16"),
    ("int", "i32"),
    ("long", "i64"),
    ("uchar", "u8"),
    ("ushort", "u16"),
    ("uint", "u32"),
    ("unsigned", "u32"),
    ("ulong", "u64"),
    ("size_t", "u64"),
    ("int8_t", "i8"),
    ("int16_t", "i16"),
    ("int32_t", "i32"),
    ("int64_t", "i64"),
    ("uint8_t", "u8"),
    ("uint16_t", "u16"),
    ("uint32_t", "u32"),
    ("uint64_t", "u64"),
    ("half2", "V2<f16>"),
    ("__half2", "V2<f16>"),
    ("nv_bfloat162", "V2<bf16>"),
    ("__nv_bfloat162", "V2<bf16>"),
    ("float2", "V2<f32>"),
    ("float4", "V4<f32>"),
    ("double2", "V2<f64>"),
    ("char2", "V2<i8>"),
    ("char4", "V4<i8>"),
    ("uchar2", "V2<u8>"),
    ("uchar4", "V4<u8>"),
    ("short2", "V2<i16>"),
    ("short4", "V4<i16>"),
    ("ushort2", "V2<u16>"),
    ("ushort4", "V4<u16>"),
    ("int2", "V2<i32>"),
    ("int4", "V4<i32>"),
    ("uint2", "V2<u32>"),
    ("uint4", "V4<u32>"),
    ("dim3", "[u32; 3]"),
    ("b8", "B8"),
    ("b16", "B16"),
    ("b32", "B32"),
    ("b64", "B64"),
    ("b128", "B128"),
    ("s8", "i8"),
    ("s16", "i16"),
    ("s32", "i32"),
    ("s64", "i64"),
];

/// The state spaces of pointers.
const SPACES: [&str; 5] = ["Global", "Const", "Shared", "Local", "Generic"];

/// Reports such names in a type, unless these types may contain them, and replaces them with what is meant. Returns
/// whether there was one.
pub(crate) fn refuse_foreign(
    ty: &mut Type,
    declared: &DeclaredTypes,
    report: &mut dyn FnMut(&Ident, String),
) -> bool {
    match ty {
        Type::Array(array) => refuse_foreign(&mut array.elem, declared, report),
        Type::Slice(slice) => refuse_foreign(&mut slice.elem, declared, report),
        Type::Group(group) => refuse_foreign(&mut group.elem, declared, report),
        Type::Paren(paren) => refuse_foreign(&mut paren.elem, declared, report),
        Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
            let segment = &mut path.path.segments[0];
            if declared.may_contain(&segment.ident) {
                return false;
            }
            if !segment.arguments.is_none() {
                return refuse_arguments(segment, declared, report);
            }
            let Some(meant) = meant(&segment.ident) else { return false };
            let word = &segment.ident;
            let message = not_a_type(word, meant);
            if declared.has_glob {
                let import = format_args!("or import your own by name: `use super::{word};`");
                report(word, format!("{message}, {import}"));
            } else {
                report(word, message);
            }
            if let Ok(meant) = syn::parse_str(meant) {
                *ty = meant;
            }
            true
        }
        _ => false,
    }
}

/// The message for a foreign name.
pub(crate) fn not_a_type(word: &Ident, meant: &str) -> String {
    format!("`{word}` is not a Rust type; write `{meant}`")
}

/// A type that is a foreign name, and the type that it stands for.
pub(crate) fn foreign(ty: &Type) -> Option<(Ident, Type)> {
    let Type::Path(path) = ty.peel() else { return None };
    let word = path.path.get_ident()?;
    Some((word.clone(), syn::parse_str(meant(word)?).ok()?))
}

/// The type that a foreign name stands for.
fn meant(word: &Ident) -> Option<&'static str> {
    FOREIGN.iter().find(|(foreign, _)| word == foreign).map(|(_, meant)| *meant)
}

fn refuse_arguments(
    segment: &mut PathSegment,
    declared: &DeclaredTypes,
    report: &mut dyn FnMut(&Ident, String),
) -> bool {
    let is_pointer = segment.ident == "Ptr";
    if !is_pointer && !["V2", "V3", "V4", "Aligned", "Family"].iter().any(|it| segment.ident == it)
    {
        return false;
    }
    let PathArguments::AngleBracketed(list) = &mut segment.arguments else { return false };
    let has_space = is_pointer && list.args.len() > 1;
    let mut refused = false;
    for (i, argument) in list.args.iter_mut().enumerate() {
        let GenericArgument::Type(ty) = argument else { continue };
        refused |= if has_space && i == 0 {
            refuse_space(ty, declared, report)
        } else {
            refuse_foreign(ty, declared, report)
        };
    }
    refused
}

/// Reports a misspelt state space.
fn refuse_space(
    ty: &mut Type,
    declared: &DeclaredTypes,
    report: &mut dyn FnMut(&Ident, String),
) -> bool {
    let Some((word, meant)) = misspelt(ty).or_else(|| constant(ty)) else { return false };
    if declared.may_contain(&word) {
        return false;
    }
    report(&word, format!("`{word}` is not a state space; did you mean `{meant}`?"));
    let meant = Ident::new(meant, word.span());
    *ty = syn::parse_quote!(#meant);
    true
}

/// The state space of `#[constant]` under that name, and its own.
fn constant(space: &Type) -> Option<(Ident, &'static str)> {
    let Type::Path(path) = space.peel() else { return None };
    let word = path.path.get_ident().filter(|word| *word == "Constant")?;
    Some((word.clone(), "Const"))
}

/// A misspelt state space, and the right one.
fn misspelt(space: &Type) -> Option<(Ident, &'static str)> {
    let Type::Path(path) = space.peel() else { return None };
    let word = path.path.get_ident()?;
    if is_space(word) {
        return None;
    }
    Some((word.clone(), *nearest(&word.to_string(), SPACES).first()?))
}

/// Whether a name is that of a state space of pointers.
pub(crate) fn is_space(word: &Ident) -> bool {
    SPACES.iter().any(|space| word == space)
}

/// The state space and the pointee of a pointer without an alignment.
fn pointer(ty: &Type) -> Option<(&Type, &Type)> {
    let Type::Path(path) = ty.peel() else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Ptr")?;
    let PathArguments::AngleBracketed(list) = &last.arguments else { return None };
    match list.args.iter().collect::<Vec<_>>()[..] {
        [GenericArgument::Type(space), GenericArgument::Type(pointee)] => Some((space, pointee)),
        _ => None,
    }
}

/// Whether a pointer leads to a scalar, so that nothing about its type is left to rustc.
pub(crate) fn is_known_pointer(ty: &Type) -> bool {
    pointer(ty).is_some_and(|(space, pointee)| {
        let word = |ty: &Type| match ty.peel() {
            Type::Path(path) => path.path.get_ident().cloned(),
            _ => None,
        };
        let is_scalar = |word: Ident| ScalarType::from_rust_name(&word.to_string()).is_some();
        word(space).as_ref().is_some_and(is_space) && word(pointee).is_some_and(is_scalar)
    })
}
