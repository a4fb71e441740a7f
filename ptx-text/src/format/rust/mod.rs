//! The tokens of Rust, and the bodies among them. Comments count, so a parser of Rust is of no use.

mod bodies;
mod draft;
mod pieces;
mod tokens;

pub use bodies::bodies;
pub use draft::draft_bodies;
pub use pieces::{RustPiece, RustPieceKind, pieces};
pub(super) use tokens::Tokens;
pub use tokens::Unreadable;
