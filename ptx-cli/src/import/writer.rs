//! What is written, and the names in it.

use std::collections::BTreeSet;
use std::ops::Range;

use ptx_isa::ScalarType;
use ptx_isa::ir::{Pointer, Type};
use ptx_text::{Diagnostic, Kind, Parsed};

use super::allowance::Allowances;
use super::names::Names;
use super::types::Types;

/// The characters of a line.
pub(crate) const WIDTH: usize = 100;

/// The state between the items of a module.
pub(super) struct Writer<'a> {
    pub(super) parsed: &'a Parsed,
    pub(super) names: Names<'a>,
    pub(super) allowed: &'a Allowances,
    /// The types that are not those of the file.
    pub(super) types: &'a Types<'a>,
    /// Whether accesses at known offsets are written as places.
    pub(super) places: bool,
    /// Descriptions of the parts without a form in Rust.
    pub(super) left_out: Vec<String>,
    /// Whether a type or value is named that Rust does not know by itself.
    pub(super) uses_prelude: bool,
    /// What has to have a form in Rust, and has none.
    pub(super) refused: Vec<Diagnostic>,
}

impl Writer<'_> {
    /// Reports what has no form in Rust.
    pub(super) fn refuse(&mut self, range: Range<usize>, message: String) {
        let (kind, other) = (Kind::Syntax, None);
        let found = Diagnostic { kind, code: None, range, other, message, help: None };
        self.refused.push(found);
    }

    /// Notes the types and functions in a part of a declaration.
    pub(super) fn note_names(&mut self, part: &str) {
        self.uses_prelude |=
            part.contains(|c: char| c.is_ascii_uppercase() || c == '(') || part.contains("f16");
    }

    /// `allow(A021, A036)` for an item with allowances: those that the file gives it, and others.
    pub(super) fn allowance(&self, name: &str, own: &[&str]) -> Option<String> {
        let others = self.allowed.of(name).into_iter().flatten();
        let codes: BTreeSet<&str> = own.iter().copied().chain(others).collect();
        let codes: Vec<&str> = codes.into_iter().collect();
        (!codes.is_empty()).then(|| format!("allow({})", codes.join(", ")))
    }
}
/// `#[word(a, b)]`, or `#[word]`.
pub(super) fn attribute(word: &str, arguments: &[String]) -> String {
    if arguments.is_empty() {
        format!("    #[{word}]\n")
    } else {
        format!("    #[{word}({})]\n", arguments.join(", "))
    }
}

/// The alignment of a pointer's target in bytes if none is declared (PTX ISA 5.1.6.3).
const POINTEE_ALIGN: usize = 4;

/// The Rust type of a parameter with `.ptr`: `Ptr<Global, B8, U16>`.
pub(crate) fn pointer_type(pointer: &Pointer<'_>) -> String {
    let space = pointer.space.map_or("Generic".to_owned(), |space| format!("{space:?}"));
    format!("Ptr<{space}, B8, U{}>", pointer.align.unwrap_or(POINTEE_ALIGN))
}

/// The Rust type: `[V2<u32>; 4]`.
pub(crate) fn rust_type(ty: &Type<'_>) -> Result<String, String> {
    let scalar = |scalar: ScalarType| {
        scalar.rust_name().ok_or_else(|| {
            format!("expected a type that has a form in Rust, but found `.{}`", scalar.name())
        })
    };
    Ok(match ty {
        Type::Scalar(of) => scalar(*of)?.to_owned(),
        Type::Vector(lanes, of) => format!("V{lanes}<{}>", scalar(*of)?),
        Type::Array(extent, element) => {
            let element = rust_type(element)?;
            match extent.known() {
                Some(extent) => format!("[{element}; {extent}]"),
                None => format!("[{element}]"),
            }
        }
        Type::Family(count, member) => {
            format!("Family<{}, {}>", rust_type(member)?, count.known().unwrap_or_default())
        }
        Type::Opaque(opaque) => opaque.rust_name().to_owned(),
        Type::Aligned(_, inner) => rust_type(inner)?,
        Type::Struct(_) | Type::Unknown => return Err("this type is not one of PTX".to_owned()),
    })
}
