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
