//! The grammar of bodies, and its results.
//!
//! A lexer makes [tokens](token::Token), either from Rust tokens or from PTX text; [`parse`] splits them into
//! statements by PTX's grammar, joins identifiers such as `%r1` and `$L__BB0_2`, and writes each
//! statement into the IR in its canonical spelling. The positions of the tokens are kept beside it. Names are
//! not resolved here.

mod constant;
mod count;
mod declaration;
mod declare;
mod expression;
mod initial;
mod literal;
mod lower;
mod operand;
mod order;
mod other_language;
mod part;
mod prototype;
mod prototypes;
mod scalar;
mod statement;
pub mod token;
mod value;
mod writer;

pub(crate) use constant::value_after;
pub(crate) use count::{check_align, parse_param_count};
pub use declaration::{Count, Declaration, Family, Literal};
pub(crate) use declare::{
    DIRECTIVES as DIRECTIVES_OF_BODIES, MOST_DIMENSIONS, TWO_LANES, too_many_dimensions,
};
pub(crate) use expression::{taken, taken_word, wrapped};
pub use lower::{ReadList, lower_declaration, lower_literal};
pub(crate) use order::{Order, space_first};
pub use other_language::{instead, is_named_as_constant};
pub(crate) use prototype::{POINTED_SPACES, after_preserved};
pub use prototypes::prototypes;
pub(crate) use scalar::{is_type, is_type_of_instructions, type_meant};
pub use statement::parse;
pub(crate) use statement::{assume, parse_next};
pub(crate) use value::element;
pub(crate) use writer::BodyWriter;

/// The advice about `.const[2]`, for Rust and for PTX.
pub const BANKED: [&str; 2] = [
    "constant memory has no banks since PTX 2.2: declare the data in the module with `#[constant]`, or pass a pointer, `Ptr<Const, T>`, as a parameter (PTX ISA 5.1.3.1)",
    "constant memory has no banks since PTX 2.2: declare the variable as `.const`, or pass a pointer as a parameter, `.param .u64 .ptr .const data` (PTX ISA 5.1.3.1)",
];

/// A parsed body, with the names that the source uses.
#[derive(Debug)]
pub struct Source<P> {
    /// The text of the IR.
    pub text: String,
    /// Its table.
    pub table: Vec<u8>,
    /// The positions of the IR's tokens.
    pub positions: Positions<P>,
    /// The Rust constants in it, in order, by the lexer's indices.
    pub constants: Vec<usize>,
    /// Its declarations, in order.
    pub declarations: Vec<Declaration<P>>,
    /// Names in declarations that could not be parsed, which are assumed to be declared there.
    pub assumed: Vec<String>,
}

/// The positions of the tokens of a body's IR: the first and the last source token of each.
#[derive(Debug)]
pub struct Positions<P> {
    tokens: Vec<(P, P)>,
    /// The index of each statement's first token.
    first_tokens: Vec<usize>,
    allowances: Vec<P>,
    first_allowances: Vec<usize>,
    /// For statements that come from another place: the statement and the number of the place.
    inlined: Vec<(usize, usize)>,
}
