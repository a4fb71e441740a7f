//! The attributes that make an item part of the PTX module.

use syn::Attribute;

use crate::errors::Errors;

/// The word of an attribute, if it is one of ours: `global` of `#[global]` and `#[ptx::global]`.
pub(super) fn word(attr: &Attribute) -> Option<String> {
    let path = attr.path();
    let last = path.segments.last()?.ident.to_string();
    let ours = ["global", "constant", "shared", "kernel", "device", "tex"].contains(&last.as_str());
    (ours && path.segments.len() <= 2).then_some(last)
}

/// Takes our attribute out of a list; a second one is an error.
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
                    .on(&attr, format_args!("this is already `#[{first}]`; leave one of them out"));
            }
            (Some(word), None) => ours = Some((word, attr)),
            (None, _) => others.push(attr),
        }
    }
    (ours, others)
}
