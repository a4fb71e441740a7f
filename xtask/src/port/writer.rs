//! What is written, and the names in it.

use ptx_frontend::ScalarType;
use ptx_frontend::ir::Type;

use super::allowance::Allowances;
use super::names::Names;

/// The state between the items of a module.
pub(super) struct Writer<'a> {
    pub(super) names: Names<'a>,
    pub(super) allowed: &'a Allowances,
    /// Descriptions of the parts without a form in Rust.
    pub(super) left_out: Vec<String>,
}

impl Writer<'_> {
    /// `allow(A021, A036)` for an item with allowances.
    pub(super) fn allowance(&self, name: &str) -> Option<String> {
        let codes = self.allowed.of(name)?;
        Some(format!("allow({})", codes.collect::<Vec<_>>().join(", ")))
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

/// The Rust type: `[V2<u32>; 4]`.
pub(super) fn rust_type(ty: &Type<'_>) -> Result<String, String> {
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
