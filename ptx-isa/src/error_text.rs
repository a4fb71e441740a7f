//! The `Debug` form of errors.

/// Implements `Debug` for errors as their messages: this is what a program prints when `main` returns an error, and when
/// `unwrap` panics. The messages contain those of their sources.
///
/// It is not covered by semantic versioning.
#[doc(hidden)]
#[macro_export]
macro_rules! __debug_as_message {
    ($($Error:ty),+) => {$(
        impl ::core::fmt::Debug for $Error {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    )+};
}
