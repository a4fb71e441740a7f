//! The languages of the messages.

/// The language in which a message states the fix.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Language {
    /// Rust, where storage is declared in Rust.
    Rust,
    /// PTX.
    Ptx,
}
