//! What is reported about a text.

use ptx_text::{Diagnostic, Parsed};

pub(crate) const HEAD: &str = ".version 8.7\n.target sm_90a\n.address_size 64\n";

/// What is reported about a text, each with its code or message and the part that it blames.
pub(crate) fn findings(text: &str) -> Vec<String> {
    let parsed = Parsed::new(format!("{HEAD}{text}"));
    let found = parsed.check();
    let text = |found: &Diagnostic| {
        let what = found.code.unwrap_or(found.message.split(';').next().unwrap_or_default());
        format!("{what} at {}", &parsed.text()[found.range.clone()])
    };
    found.iter().map(text).collect()
}
