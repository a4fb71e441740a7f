//! Parses PTX text into the IR: modules as nvcc, Triton and people write them.
//!
//! [`Parsed`] is a text together with what was parsed from it. It keeps every byte: it prints exactly what it
//! read. All errors are found at once, each with its location, and whatever surrounds them
//! is parsed all the same.

mod alias;
mod allowance;
mod body;
mod boundary;
mod check;
mod debug;
mod diagnostic;
mod directive;
mod elements;
mod encoding;
mod extent;
mod faults;
mod follows;
mod forward;
mod function;
mod group;
mod header;
mod launch;
mod lexer;
mod lines;
mod module;
mod noted;
mod number;
mod older;
mod parsed;
mod places;
mod pragma;
mod reader;
mod stray;
mod values;
mod variable;

pub use diagnostic::{Diagnostic, Kind};
pub use extent::{Extent, Position};
pub use group::{Excess, Group};
pub use launch::pass;
pub use lexer::{Lexer, Piece, PieceKind};
pub use number::digits_before_name;
pub use parsed::Parsed;
