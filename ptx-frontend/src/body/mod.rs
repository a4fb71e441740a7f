//! Bodies: their grammar, and what it reads.
//!
//! A lexer makes [tokens](token::Token), Rust's out of Rust tokens; [`parse`] splits them into
//! statements by PTX's grammar, joins identifiers such as `%r1` and `$L__BB0_2`, and writes each
//! statement into the IR as it is spelled canonically. Where the tokens stand is kept beside it. What
//! names mean is not asked here.

mod constant;
mod count;
mod declaration;
mod declare;
#[cfg(feature = "rust")]
mod forms;
mod initial;
#[cfg(feature = "rust")]
mod lexer;
mod lower;
mod operand;
mod order;
mod part;
mod prototype;
mod statement;
pub mod token;
#[cfg(feature = "rust")]
mod tree;
mod value;
mod writer;

pub(crate) use count::wrapped;
pub use declaration::{Count, Declaration, Family, Literal};
pub(crate) use declare::{MOST_DIMENSIONS, TWO_LANES, too_many_dimensions};
#[cfg(feature = "rust")]
pub(crate) use forms::{Around, Input, Taken};
#[cfg(feature = "rust")]
pub(crate) use lexer::parse_body;
#[cfg(feature = "rust")]
pub use lexer::{Body, with_facade};
pub(crate) use lower::lower_declaration;
#[cfg(feature = "rust")]
pub(crate) use lower::lower_literal;
pub(crate) use order::{Order, space_first};

pub use statement::parse;
pub(crate) use statement::parse_next;
pub(crate) use value::Plain;
pub(crate) use writer::BodyWriter;

/// What to do about `.const[2]`, in Rust and in PTX.
pub(crate) const BANKED: [&str; 2] = [
    "constant memory has no banks since PTX 2.2: declare the data in the module with `#[constant]`, or pass a pointer, `Ptr<Const, T>`, as a parameter (PTX ISA 5.1.3.1)",
    "constant memory has no banks since PTX 2.2: declare the variable as `.const`, or pass a pointer as a parameter, `.param .u64 .ptr .const data` (PTX ISA 5.1.3.1)",
];

/// A body as it was read, with the names that the source has.
#[derive(Debug)]
pub struct Source<P> {
    /// The text of the IR.
    pub text: String,
    /// Its table.
    pub table: Vec<u8>,
    /// Where the tokens of the IR stand.
    pub positions: Positions<P>,
    /// The lexer's numbers of the Rust constants in it, in order.
    pub constants: Vec<usize>,
    /// What it declares, in order.
    pub declarations: Vec<Declaration<P>>,
    /// Names in declarations that could not be read, which may be declared there.
    pub assumed: Vec<String>,
}

/// Where the tokens of a body's IR stand: of each the first and the last that it was read from.
#[derive(Debug)]
pub struct Positions<P> {
    tokens: Vec<(P, P)>,
    /// Where each statement's start among them.
    first_tokens: Vec<usize>,
    allowances: Vec<P>,
    first_allowances: Vec<usize>,
}
