//! Bodies in Rust tokens: their lexer, and the forms that extend PTX, which are expanded before the
//! [grammar](ptx_text::body) reads the tokens.

mod forms;
mod fragments;
mod lexer;
mod outside;
mod scan;
mod statements;
mod tree;

use ptx_isa::ScalarType;
use ptx_isa::ir::Value;
use ptx_text::body::token::{self, Written};

pub use forms::register_type;
pub(crate) use forms::{
    Around, Base, Bytes, ConstantValue, Input, Origin, Step, Taken, is_place_of, unknown_place,
};
pub(crate) use fragments::{
    Fragment, Fragments, Generic, Known, Parameter, Shared, Signature, Splice, own_item,
};
pub use fragments::{nested_name, splice_name};
pub use lexer::{Body, with_facade};
pub(crate) use lexer::{parse_body, read_body};
pub use outside::FUNCTION;
pub(crate) use outside::{Outside, OutsideInstance};
pub use ptx_text::body::{Count, Declaration, Family, Literal, Positions, Source};
pub(crate) use scan::Read;

/// The value of a long list that is read again, which only a text has: all Rust tokens are kept.
pub(crate) fn no_list<'a>(_: Written, _: ScalarType) -> Value<'a> {
    Value::List(&[])
}
