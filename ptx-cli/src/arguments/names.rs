//! Names on the command line.

use ptx_isa::Target;

/// The target with this name.
pub(super) fn target(name: &str) -> Result<Target, String> {
    Target::from_name(name).ok_or_else(|| Target::meant(name, &[]))
}

/// A name for a Rust module.
pub(super) fn module_name(name: &str) -> Result<String, String> {
    match syn::parse_str::<syn::Ident>(name) {
        // What is parsed may have white space and comments around it.
        Ok(ident) if ident == name && name != "gen" && name != "_" => Ok(name.to_owned()),
        _ => Err(format!(
            "`{name}` is not a name of a Rust module; write letters, digits and `_`, and no keyword"
        )),
    }
}
