//! Names in Rust and in PTX.

use syn::Ident;

/// The identifier as PTX has it: without the `r#` of a raw one.
pub fn ptx_name(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}
