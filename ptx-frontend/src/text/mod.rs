//! PTX text, read into the IR: modules as nvcc, Triton and people write them.
//!
//! [`Parsed`] is a text with what was read out of it. It keeps every byte: what it prints is what it
//! read. What is wrong is found in all of it at once, each with where it stands, and whatever stands around it
//! is read all the same.

mod allowance;
mod body;
mod boundary;
mod check;
mod debug;
mod diagnostic;
mod encoding;
mod extent;
mod faults;
mod function;
mod header;
mod integers;
mod lexer;
mod lines;
mod module;
mod number;
mod parsed;
mod reader;
mod unneeded;
mod uses;
mod variable;

pub use diagnostic::{Diagnostic, Kind};
pub use extent::{Extent, Position};
pub use lexer::{Lexer, Piece, PieceKind};
pub use parsed::Parsed;
