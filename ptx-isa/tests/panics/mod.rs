//! The panic messages of functions for constant evaluation, at run time.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message with which `asked` panics; empty if it returns.
pub(crate) fn text(asked: impl FnOnce()) -> String {
    match catch_unwind(AssertUnwindSafe(asked)) {
        Ok(()) => String::new(),
        Err(payload) => match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(payload) => (*payload.downcast::<&str>().expect("panics have texts")).to_owned(),
        },
    }
}

/// The code of the rule with which `asked` panics; empty if it returns. A message without a code is a bug.
#[allow(dead_code)] // not every test that includes this module uses it
pub(crate) fn code(asked: impl FnOnce()) -> String {
    let text = text(asked);
    if text.is_empty() {
        return text;
    }
    let (_, code) = text.rsplit_once(" [").unwrap_or_else(|| panic!("it has a code: {text}"));
    code.split([',', ']']).next().unwrap_or_default().to_owned()
}

/// The same for what a check found.
#[allow(dead_code)] // not every test that includes this module uses it
#[allow(clippy::large_types_passed_by_value)] // as in expanded code
pub(crate) mod found {
    use ptx_isa::__private::{Found, require};

    pub(crate) fn text(found: Found) -> String {
        super::text(|| require(found))
    }

    pub(crate) fn code(found: Found) -> String {
        super::code(|| require(found))
    }
}
