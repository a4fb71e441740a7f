//! What a valid text is.

use ptx_text::Parsed;

/// Whether nothing in a text is an error, as `ptx check` says.
pub fn is_valid(text: &str) -> bool {
    !Parsed::new(text).check().iter().any(|found| found.kind.is_error())
}
