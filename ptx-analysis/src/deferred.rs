//! What can only be judged where constants and types are known that the analysis does not see.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use ptx_types::Space;
use ptx_types::ir::body::Amount;
use ptx_types::rules::alignment::Demand;
use ptx_types::rules::copy::Counted;
use ptx_types::rules::{AddressKind, Reached, Settled};

use crate::claim::Condition;
use crate::memory::MemoryOperand;
use crate::number::{Linear, Sum};
pub use crate::object::DeferredObject;
use crate::place::Place;
use ptx_types::rules::LaunchCondition;

/// A check that is put off.
#[derive(Clone, Debug)]
pub struct Deferred<'a> {
    /// What it is about.
    pub kind: DeferredKind<'a>,
    /// Where the name stands, or what stands for it.
    pub place: Place,
    /// Where the offset or the number stands.
    pub value: Option<Place>,
    /// The allowances that hold there, by their number.
    pub allowances: Vec<usize>,
    /// What constants have to be for control to get there.
    pub conditions: Vec<Condition>,
}

/// What a check is about that is put off.
#[derive(Clone, Debug)]
pub enum DeferredKind<'a> {
    /// An operand.
    Operand(Box<DeferredOperand<'a>>),
    /// A tile and its map.
    Copy(Box<DeferredCopy<'a>>),
    /// What a barrier expects, and what completes on it.
    Transactions(Sum, Vec<DeferredCopied>),
    /// What a barrier counts to.
    Count {
        /// What it counts.
        of: Counted,
        /// The number.
        count: Sum,
        /// Whether copies alone complete its transactions.
        by_copies: bool,
    },
    /// A matrix descriptor.
    Descriptor(Box<DeferredDescriptor<'a>>),
}

/// An operand whose check is put off.
#[derive(Clone, Debug)]
pub struct DeferredOperand<'a> {
    /// The operand.
    pub memory: MemoryOperand<'a>,
    /// The register that holds the address, and what kind of address that is.
    pub via: Option<(&'a str, AddressKind)>,
    /// The offset in the storage, in bytes.
    pub offset: Linear,
    /// The storage.
    pub object: DeferredObject,
    /// What else is known of it.
    pub settled: Settled,
    /// The condition under which alone control gets there, as far as one is known.
    pub only_where: Option<Rc<LaunchCondition>>,
    /// Which execution is judged, where others go elsewhere.
    pub reached: Option<Reached<'a>>,
    /// Whether it may need more alignment than its storage declares.
    pub is_perhaps_misaligned: bool,
}

/// A copy of a tile whose check is put off.
#[derive(Clone, Debug)]
pub struct DeferredCopy<'a> {
    /// Where the tile is.
    pub tile: (DeferredObject, Linear),
    /// Where the map is.
    pub map: (DeferredObject, Linear),
    /// The halo in pixels.
    pub halo: Amount,
    /// The coordinate along the innermost dimension.
    pub first: Option<Sum>,
    /// Single executions, where others copy elsewhere: how far from the start of its storage the tile of
    /// each is, in bytes.
    pub executions: Vec<(i128, Reached<'a>)>,
}

/// A matrix descriptor whose check is put off.
#[derive(Clone, Debug)]
pub struct DeferredDescriptor<'a> {
    /// Where the tile is.
    pub tile: (DeferredObject, Linear),
    /// The bits beside the address.
    pub bits: Sum,
    /// Whether the matrix is transposed.
    pub is_transposed: bool,
    /// The type of its elements; empty if it is not known.
    pub element: &'a str,
    /// The rows that are read.
    pub rows: usize,
}

/// What a copy adds to the transaction of a barrier.
#[derive(Clone, Debug)]
pub enum DeferredCopied {
    /// So many bytes.
    Bytes(Sum),
    /// A tile of this map, with a halo.
    Tile(DeferredObject, Linear, Amount),
}

/// An argument of a call whose type or alignment is not known.
#[derive(Clone, Debug)]
pub struct DeferredArgument {
    /// The function's index.
    pub function: usize,
    /// Whether it receives what is returned, rather than being passed.
    pub is_return: bool,
    /// Which parameter or returned value it is for.
    pub formal: usize,
    /// What it is.
    pub actual: DeferredActual,
    /// Where it stands.
    pub place: Place,
}

/// What an argument is of which that is true.
#[derive(Clone, Debug)]
pub enum DeferredActual {
    /// One of the body's declarations.
    Declaration(usize),
    /// An integer.
    Int,
    /// A floating-point number.
    Float,
    /// The constant with this number.
    Constant(usize),
    /// An address of what has this name, in this state space.
    Address(String, Space),
}

/// What an access needs of a declaration beyond what that promises.
#[derive(Clone, Debug)]
pub struct Demanded {
    /// The declaration.
    pub object: DeferredObject,
    /// What is needed.
    pub demand: Demand,
    /// Where the access stands.
    pub place: Place,
}

impl Deferred<'_> {
    /// What it may find to need more alignment than it has.
    pub fn perhaps_misaligned(&self) -> Option<&DeferredObject> {
        match &self.kind {
            DeferredKind::Operand(operand) if operand.is_perhaps_misaligned => {
                Some(&operand.object)
            }
            DeferredKind::Operand(_)
            | DeferredKind::Copy(_)
            | DeferredKind::Transactions(..)
            | DeferredKind::Count { .. }
            | DeferredKind::Descriptor(_) => None,
        }
    }
}
