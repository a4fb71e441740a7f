//! The number that an instruction writes, as its operands say it.

/// A number in a register or an operand.
#[derive(Clone, Debug)]
pub(crate) enum Expression<'a> {
    /// To be written.
    Todo(&'a str),
}
