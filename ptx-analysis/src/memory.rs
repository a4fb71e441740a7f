//! Operands at addresses: what the instruction table says of each.

use ptx_types::instruction::{Direction, Role};
use ptx_types::ir::body::{Amount, Name};
use ptx_types::rules::TensorAccess;
use ptx_types::{ScalarType, Space};

use crate::expression::Expression;
use crate::place::Place;

/// An operand in brackets that starts with a name, or one whose address is taken.
#[derive(Clone, Debug)]
pub struct MemoryOperand<'a> {
    /// Which of the operands in brackets it is, the first being 0; `None` without brackets.
    pub bracket: Option<usize>,
    /// What the instruction takes it for.
    pub role: Role,
    /// What it does there.
    pub direction: Direction,
    /// The state space that it goes to; `None` for generic addresses.
    pub space: Option<Space>,
    /// Whether that is said; of none, whether it is that of the storage.
    pub names_space: bool,
    /// How many bytes it goes to.
    pub bytes: Amount,
    /// The alignment in bytes that it needs.
    pub align: Amount,
    /// The type that it takes each element for.
    pub ty: Option<ScalarType>,
    /// What is added to the name, in bytes.
    pub offset: Amount,
    /// Which element of it is meant, if an index says.
    pub(crate) index: Option<Expression<'a>>,
    /// What is written there, if that is one number.
    pub(crate) written: Option<Expression<'a>>,
    /// What the instruction says of the tensor, if it takes a map.
    pub tensor: Option<TensorAccess>,
    /// The name, of storage or of a register.
    pub name: Name<'a>,
    /// Where the name stands.
    pub place: Place,
    /// Where the offset stands; the name where none does.
    pub offset_place: Place,
}
