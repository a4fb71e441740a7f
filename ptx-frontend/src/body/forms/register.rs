//! Registers that have Rust types, and arrays of registers.

use proc_macro2::TokenStream;
use ptx_isa::near::{list, nearest};
use ptx_isa::{ScalarType, Space};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, Type};

use super::around::Around;
use crate::group::Peel;
use crate::name::ptx_name;

/// The registers declared so far.
#[derive(Default)]
pub(super) struct Registers(Vec<Register>);

/// A register, or an array of them.
#[derive(Clone)]
pub(super) struct Register {
    pub(super) name: String,
    pub(super) members: Members,
    /// Its size in bits, and whether it is signed; `None` if it is not an integer.
    pub(super) integer: Option<(u32, bool)>,
    /// The pointer type in its declaration.
    pub(super) pointer: Option<TokenStream>,
}

/// The number of registers that a name denotes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Members {
    /// One.
    One,
    /// This many.
    Of(i128),
    /// As many as a Rust constant specifies.
    Unknown,
}

impl Members {
    pub(super) fn of(number: Option<i128>) -> Self {
        number.map_or(Self::Unknown, Self::Of)
    }
}

/// The register type for a Rust type.
pub(super) struct Kind {
    /// The type in PTX.
    pub(super) scalar: &'static str,
    pub(super) integer: Option<(u32, bool)>,
    pub(super) pointer: Option<TokenStream>,
}

impl Registers {
    /// The registers among the parameters and the returned values.
    pub(super) fn of(around: Around<'_>) -> Self {
        let inputs = around.inputs.iter().filter(|input| input.space == Space::Reg);
        let registers = inputs.map(|input| {
            let kind = Kind::of(input.ty);
            Register {
                name: ptx_name(input.ident),
                members: Members::One,
                integer: kind.as_ref().and_then(|kind| kind.integer),
                pointer: kind.and_then(|kind| kind.pointer),
            }
        });
        Self(registers.collect())
    }

    pub(super) fn declare(&mut self, register: Register) {
        self.0.push(register);
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// The register with this name, or the array that contains it.
    pub(super) fn find(&self, name: &str) -> Option<&Register> {
        let is_member = |register: &Register| {
            let number = name.strip_prefix(register.name.as_str());
            register.members != Members::One
                && number.is_some_and(|number| {
                    !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
                })
        };
        self.0.iter().rev().find(|register| {
            register.name == name && register.members == Members::One || is_member(register)
        })
    }

    /// The array with this name.
    pub(super) fn array(&self, name: &str) -> Option<&Register> {
        self.0
            .iter()
            .rev()
            .find(|register| register.name == name && register.members != Members::One)
    }
}

impl Kind {
    /// The register type for a Rust type, if it has one.
    pub(super) fn of(ty: &Type) -> Option<Self> {
        let Type::Path(path) = ty.peel() else { return None };
        let last = path.path.segments.last()?;
        let plain = |scalar, integer| Some(Self { scalar, integer, pointer: None });
        match last.ident.to_string().as_str() {
            "bool" => plain("pred", None),
            "f32" | "F32" => plain("f32", None),
            "f64" | "F64" => plain("f64", None),
            "u16" | "U16" => plain("u16", Some((16, false))),
            "u32" | "U32" => plain("u32", Some((32, false))),
            "u64" | "U64" | "usize" => plain("u64", Some((64, false))),
            "i16" | "S16" => plain("s16", Some((16, true))),
            "i32" | "S32" => plain("s32", Some((32, true))),
            "i64" | "S64" | "isize" => plain("s64", Some((64, true))),
            "f16" | "bf16" | "B16" => plain("b16", Some((16, false))),
            "B32" => plain("b32", Some((32, false))),
            "B64" => plain("b64", Some((64, false))),
            "B128" => plain("b128", None),
            "Ptr" => {
                let PathArguments::AngleBracketed(list) = &last.arguments else { return None };
                let Some(GenericArgument::Type(space)) = list.args.first() else { return None };
                let Type::Path(space) = space.peel() else { return None };
                let space = space.path.segments.last()?.ident.to_string();
                let (scalar, bits) = if space == "Shared" { ("b32", 32) } else { ("b64", 64) };
                let pointer = Some(ty.to_token_stream());
                Some(Self { scalar, integer: Some((bits, false)), pointer })
            }
            // A register holds packed types and small floats as bits.
            name => {
                let (bits, _) = ScalarType::from_rust_name(name)?.initialised();
                plain(&bits[1..], None)
            }
        }
    }
}

/// The type in PTX of the register for a Rust type, without a dot.
pub fn register_type(ty: &Type) -> Option<&'static str> {
    Kind::of(ty).map(|kind| kind.scalar)
}

/// The number and the type of the elements, if a type is a vector.
pub(super) fn vector(ty: &Type) -> Option<(i128, String)> {
    let Type::Path(path) = ty.peel() else { return None };
    let last = path.path.segments.last()?;
    let lanes = match last.ident.to_string().as_str() {
        "V2" => 2,
        "V3" => 3,
        "V4" => 4,
        _ => return None,
    };
    let PathArguments::AngleBracketed(list) = &last.arguments else { return None };
    let GenericArgument::Type(element) = list.args.first()? else { return None };
    Some((lanes, element.to_token_stream().to_string()))
}

/// A name that is not a type, and the nearest types of registers.
pub(super) fn near_types(ty: &Type) -> Option<(String, String)> {
    let Type::Path(path) = ty.peel() else { return None };
    let word = path.path.get_ident()?.to_string();
    if word == "pred" {
        return Some((word, "`bool`".to_owned()));
    }
    let scalars = ScalarType::ALL.iter().filter_map(|scalar| scalar.rust_name());
    let near = nearest(&word, scalars.chain(["bool"]));
    (!near.is_empty()).then(|| (word, list(near)))
}

/// Whether a type is a pointer.
pub(super) fn is_pointer(ty: &Type) -> bool {
    Kind::of(ty).is_some_and(|kind| kind.pointer.is_some())
}
