//! The Rust types of PTX declarations.

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::Space;
use ptx_frontend::ir::{Extent, Param, Pointer, Type, Variable};
use quote::{format_ident, quote};

use super::super::variant::variant;

/// The type of a variable or of a function's return value; `None` if Rust has none for it.
pub(super) fn of_type(ptx: &TokenStream, ty: &Type<'_>) -> Option<TokenStream> {
    Some(match ty {
        Type::Scalar(scalar) => of_scalar(ptx, scalar.rust_name()?)?,
        Type::Vector(lanes, scalar) => {
            let scalar = of_scalar(ptx, scalar.rust_name()?)?;
            match lanes {
                2 => quote!(#ptx::V2<#scalar>),
                4 => quote!(#ptx::V4<#scalar>),
                _ => return None,
            }
        }
        Type::Array(extent, element) => {
            let element = of_type(ptx, element)?;
            match extent {
                Extent::Known(count) => {
                    let count = Literal::usize_unsuffixed(*count);
                    quote!([#element; #count])
                }
                Extent::Incomplete => quote!([#element]),
                Extent::Unknown => return None,
            }
        }
        Type::Family(Extent::Known(count), member) => {
            let (member, count) = (of_type(ptx, member)?, Literal::usize_unsuffixed(*count));
            quote!(#ptx::Family<#member, #count>)
        }
        Type::Opaque(opaque) => {
            let name = variant(opaque);
            quote!(#ptx::#name)
        }
        Type::Family(..) | Type::Aligned(..) | Type::Struct(_) | Type::Unknown => return None,
    })
}

/// The type of a variable, whose value may give its length.
pub(super) fn of_variable(ptx: &TokenStream, variable: &Variable<'_>) -> Option<TokenStream> {
    if let (Type::Array(Extent::Incomplete, element), Some(bytes)) = (variable.ty, variable.bytes())
        && let Some(size) = element.size().filter(|size| *size > 0)
    {
        let count = Extent::Known(bytes / size);
        return of_type(ptx, &Type::Array(count, element));
    }
    of_type(ptx, variable.ty)
}

/// The type of a parameter; with `.ptr`, a pointer to bytes.
pub(super) fn of_param(ptx: &TokenStream, param: &Param<'_>) -> Option<TokenStream> {
    let pointer = param.pointer.and_then(|pointer| of_pointer(ptx, &pointer));
    pointer.or_else(|| of_type(ptx, param.variable.ty))
}

/// The alignment of a pointer's target in bytes if none is declared (PTX ISA 5.1.6.3).
const POINTEE_ALIGN: usize = 4;

/// The alignment of the address that the parameter promises, in bytes.
pub(super) fn pointee_align(pointer: &Pointer<'_>) -> usize {
    pointer.align.unwrap_or(POINTEE_ALIGN)
}

fn of_pointer(ptx: &TokenStream, pointer: &Pointer<'_>) -> Option<TokenStream> {
    let space = match pointer.space {
        None => format_ident!("Generic"),
        Some(space @ (Space::Global | Space::Const | Space::Shared | Space::Local)) => {
            variant(&space)
        }
        Some(Space::Reg | Space::Sreg | Space::Param | Space::Tex) => return None,
    };
    let align = pointee_align(pointer);
    // There are types for alignments up to this one only.
    if !align.is_power_of_two() || align > 1 << 20 {
        return None;
    }
    let align = format_ident!("U{align}");
    Some(quote!(#ptx::Ptr<#ptx::#space, #ptx::B8, #ptx::__private::typenum::#align>))
}

fn of_scalar(ptx: &TokenStream, name: &str) -> Option<TokenStream> {
    let ident = format_ident!("{name}");
    Some(match name {
        "Pred" => return None,
        // Without the crate `half`, plain bits stand for them.
        "f16" | "bf16" | "F16x2" | "Bf16x2" => quote!(#ptx::__private::imported::#ident),
        _ if name.starts_with(|c: char| c.is_ascii_lowercase()) => {
            quote!(::core::primitive::#ident)
        }
        _ => quote!(#ptx::#ident),
    })
}

/// A type as the documentation shows it.
pub(super) fn shown(ty: &TokenStream, ptx: &TokenStream) -> String {
    let text = super::super::text::type_text(ty);
    let facade = super::super::text::type_text(ptx);
    let text = text.replace("::core::primitive::", "");
    let hidden = ["__private::typenum::", "__private::imported::", ""];
    hidden.iter().fold(text, |text, path| text.replace(&format!("{facade}::{path}"), ""))
}

#[cfg(test)]
mod tests {
    use ptx_frontend::ScalarType::{self, B8, F16, F32, Pred, U64};
    use ptx_frontend::ir::{Extent, Init, Param, Pointer, Type, Value, Variable};
    use ptx_frontend::{Opaque, Space};
    use quote::quote;

    use super::{of_param, of_variable, shown};

    fn text(tokens: Option<proc_macro2::TokenStream>) -> String {
        tokens.map_or("none".to_owned(), |tokens| shown(&tokens, &quote!(::ptx)))
    }

    #[test]
    fn storage_has_a_type_of_its_layout() {
        let scalar = |scalar: ScalarType| Type::Scalar(scalar);
        let bytes = scalar(B8);
        let row = Type::Array(Extent::Known(3), &Type::Vector(4, F32));
        let values = [Value::Int(1), Value::Int(2)];
        let all = [
            (scalar(F32), "f32"),
            (scalar(F16), "f16"),
            (scalar(Pred), "none"),
            (row, "[V4<f32>; 3]"),
            (Type::Array(Extent::Known(2), &row), "[[V4<f32>; 3]; 2]"),
            (Type::Array(Extent::Incomplete, &bytes), "[B8]"),
            (Type::Family(Extent::Known(7), &bytes), "Family<B8, 7>"),
            (Type::Opaque(Opaque::TexRef), "TexRef"),
            (Type::Unknown, "none"),
        ];
        for (ty, expected) in &all {
            let variable = Variable::new(Space::Global, "x", ty);
            assert_eq!(text(of_variable(&quote!(::ptx), &variable)), *expected);
        }
        let counted = Type::Array(Extent::Incomplete, &bytes);
        let init = Init::Value(Value::List(&values));
        let variable = Variable { init, ..Variable::new(Space::Global, "x", &counted) };
        assert_eq!(text(of_variable(&quote!(::ptx), &variable)), "[B8; 2]");
    }

    #[test]
    fn addresses_point_to_bytes() {
        let (address, bytes) = (Type::Scalar(U64), Type::Scalar(B8));
        let pointer = |space, align| Some(Pointer { space, align, pointee: &bytes });
        for (pointer, expected) in [
            (None, "u64"),
            (pointer(Some(Space::Global), Some(16)), "Ptr<Global, B8, U16>"),
            (pointer(None, None), "Ptr<Generic, B8, U4>"),
            (pointer(Some(Space::Shared), Some(1)), "Ptr<Shared, B8, U1>"),
        ] {
            let param = Param { pointer, ..Param::new("p", &address) };
            assert_eq!(text(of_param(&quote!(::ptx), &param)), expected);
        }
    }
}
