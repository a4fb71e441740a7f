//! The attributes that make an item part of the PTX module.

use ptx_isa::near::{list, nearest};
use syn::{Attribute, Ident, Meta, Path};

use crate::errors::Errors;

/// The attributes that make an item part of the PTX module.
const WORDS: [&str; 6] = ["global", "constant", "shared", "kernel", "device", "tex"];

/// The kind of item that an attribute is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum On {
    /// A `static`.
    Variable,
    /// A `fn`.
    Function,
}

/// The name of an attribute, if it is one of ours: `global` for `#[global]` and `#[ptx::global]`.
pub(super) fn word(attr: &Attribute) -> Option<String> {
    let path = attr.path();
    let last = path.segments.last()?.ident.to_string();
    let ours = WORDS.contains(&last.as_str());
    (ours && path.segments.len() <= 2).then_some(last)
}

/// Removes our attribute from a list; a second one is an error.
pub(super) fn take_ours(
    attrs: Vec<Attribute>,
    errors: &mut Errors,
) -> (Option<(String, Attribute)>, Vec<Attribute>) {
    let mut ours: Option<(String, Attribute)> = None;
    let mut others = Vec::new();
    for attr in attrs {
        match (word(&attr), &ours) {
            (Some(_), Some((first, _))) => {
                errors
                    .on(&attr, format_args!("this is already `#[{first}]`; remove one of the two"));
            }
            (Some(word), None) => ours = Some((word, attr)),
            (None, _) => others.push(attr),
        }
    }
    (ours, others)
}

/// Reports an attribute that is a misspelling of one of ours or its CUDA C++ form, and replaces it with ours, on an
/// item that has none of ours.
pub(super) fn correct(attrs: &mut [Attribute], on: On, errors: &mut Errors) {
    if attrs.iter().any(|attr| word(attr).is_some()) {
        return;
    }
    for attr in attrs {
        let Some((given, meant)) = meant(attr.path(), on) else { continue };
        let Some(word) = meant.first() else { continue };
        errors.on(
            attr.path(),
            format_args!(
                "no attribute `{given}` here; did you mean {}?",
                list(meant.iter().copied())
            ),
        );
        rename(attr, word);
        return;
    }
}

/// Gives an attribute another name, at the same place in the same path.
pub(super) fn rename(attr: &mut Attribute, name: &str) {
    let path = match &mut attr.meta {
        Meta::Path(path) => path,
        Meta::List(list) => &mut list.path,
        Meta::NameValue(pair) => &mut pair.path,
    };
    if let Some(last) = path.segments.last_mut() {
        last.ident = Ident::new(name, last.ident.span());
    }
}

/// The name of an unknown attribute, and those of ours that may have been meant.
fn meant(path: &Path, on: On) -> Option<(String, Vec<&'static str>)> {
    /// Rust attributes whose spelling is close to ours.
    const OF_RUST: [&str; 2] = ["derive", "test"];
    let last = path.segments.last()?.ident.to_string();
    let is_ours = match path.segments.len() {
        1 => !OF_RUST.contains(&last.as_str()),
        2 => path.segments[0].ident == "ptx",
        _ => false,
    };
    let meant = match (last.as_str(), on) {
        _ if !is_ours => Vec::new(),
        ("__global__", On::Function) => vec!["kernel"],
        ("__device__" | "texture" | "surface" | "sampler", On::Variable) => vec!["global"],
        (word, On::Variable) => nearest(word.trim_matches('_'), ["global", "constant", "shared"]),
        (word, On::Function) => nearest(word.trim_matches('_'), ["kernel", "device"]),
    };
    (!meant.is_empty()).then_some((last, meant))
}
