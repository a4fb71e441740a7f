//! For those who only read and check PTX: its text, and the grammar of bodies over the tokens of any source.
//!
//! [`Parsed`] is a text with the [IR](ptx_isa::ir) of its module; its errors, and what the
//! [analysis](ptx_analysis) finds in it, are [diagnostics](Diagnostic) at bytes of the text. Its bodies are read by the
//! [grammar of bodies](body), which also reads those of `#[ptx::module]`, from Rust tokens; the
//! [messages of findings](message) and the [codes of allowances](codes) are the same for both.
#![forbid(unsafe_code)]

pub mod absence;
pub mod body;
pub mod codes;
pub mod format;
pub mod message;
mod target;
mod text;

pub use ptx_analysis::{Finding, Following, KnownNumber, KnownValue, Launch, Launches, Passed};
pub use target::FALLBACK_TARGET;
pub use text::{
    Diagnostic, Excess, Extent, Group, Kind, Lexer, Parsed, Piece, PieceKind, Position,
    digits_before_name, pass,
};

/// Runs the README's example as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
