//! Parts of the messages of errors.

use core::fmt;

/// A count with its noun, in the plural where needed: `1 number`, `2 numbers`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count(pub(crate) usize, pub(crate) &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, thing) = self;
        write!(f, "{count} {thing}{}", if *count == 1 { "" } else { "s" })
    }
}

/// Implements `Debug` for an error as its message: this is what a program prints when `main` returns it, and when
/// `unwrap` panics.
macro_rules! debug_as_message {
    ($Error:ty) => {
        impl ::core::fmt::Debug for $Error {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    };
}
pub(crate) use debug_as_message;
