//! Bodies: instructions, declarations and labels as data.
//!
//! A body is stored as one text and one table of bytes, because rustc reads two literals faster
//! than a thousand values. [`Encoder`] writes both, token by token; [`Body::statements`] reads
//! them.

mod encode;
mod expression;
mod group;
mod instruction;
mod integer;
mod modifier;
mod number;
mod operand;
mod statement;
mod token;
mod varint;

pub use encode::{Encoder, Ended, Mark};
pub use expression::{NoValue, Term, Terms, evaluate};
pub use instruction::{Declarator, Guard, Instruction};
pub use integer::{Amount, integer};
pub use modifier::Modifier;
pub use number::{Number, Refusal, single_bits};
pub use operand::{Immediate, Name, Operand, OperandKind};
pub use statement::{Piece, Pieces, Statement, StatementKind, Statements};
pub use token::{PLACEHOLDER, Token, TokenKind, TokenRange, Tokens};
pub(crate) use varint::{read, split, unzigzag, write, zigzag};

use crate::constant;

/// The body of a function.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Body<'a> {
    text: &'a str,
    table: &'a [u8],
    constants: &'a [constant::Number],
}

impl<'a> Body<'a> {
    /// The body whose text and table an [`Encoder`] wrote, and the Rust constants in it, in order.
    /// Without the constants it can be read, but not printed as PTX.
    pub const fn new(text: &'a str, table: &'a [u8], constants: &'a [constant::Number]) -> Self {
        Self { text, table, constants }
    }

    /// A body with one statement on each line of a text, whose tokens are not known: a line that
    /// starts with a state space is a declaration, any other an instruction.
    pub const fn verbatim(text: &'a str) -> Self {
        Self { text, table: &[], constants: &[] }
    }

    /// The statements, in order.
    pub fn statements(&self) -> Statements<'a> {
        Statements::of(self.text, self.table, self.constants)
    }

    /// The Rust constants in it, in order.
    pub const fn constants(&self) -> &'a [constant::Number] {
        self.constants
    }

    /// The text and table of the same body with other names: `rename` takes the number of a
    /// statement and that of a token in it, and gives the new name, if any.
    pub fn renamed(
        &self,
        rename: impl Fn(usize, usize) -> Option<&'a str>,
    ) -> (alloc::string::String, alloc::vec::Vec<u8>) {
        if self.table.is_empty() {
            return (self.text.into(), alloc::vec::Vec::new());
        }
        let mut encoder = Encoder::default();
        for (n, statement) in self.statements().enumerate() {
            for token in statement.tokens() {
                encoder.space(token.spaces);
                encoder.token(token.kind, rename(n, token.index).unwrap_or(token.text));
            }
            encoder.end(statement.kind(), statement.allowed());
        }
        encoder.finish()
    }
}

#[cfg(test)]
mod tests;
