//! Pieces of which the text of a statement is made.

use proc_macro2::TokenStream;

/// A piece of a statement's text.
#[derive(Debug)]
pub enum Piece {
    /// PTX, verbatim.
    Text(String),
    /// A name that the statement uses; text once names are resolved.
    Name(String),
    /// A Rust expression, spliced in.
    Splice(TokenStream),
}
