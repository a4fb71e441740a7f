//! Bodies in Rust tokens: their lexer, and the forms that extend PTX, which are expanded before the
//! [grammar](ptx_text::body) reads the tokens.

mod forms;
mod lexer;
mod tree;

use ptx_isa::ScalarType;
use ptx_isa::ir::Value;
use ptx_text::body::token::{self, Written};

pub(crate) use forms::{Around, Base, Bytes, Input, Step, Taken, is_place_of, unknown_place};
pub(crate) use lexer::parse_body;
pub use lexer::{Body, with_facade};
pub use ptx_text::body::{Count, Declaration, Family, Literal, Positions, Source};

/// The value of a long list that is read again, which only a text has: all Rust tokens are kept.
pub(crate) fn no_list<'a>(_: Written, _: ScalarType) -> Value<'a> {
    Value::List(&[])
}
