//! Checks that depend on constants and types that the analysis does not know.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::ir::body::Amount;
use ptx_isa::rules::alignment::Demand;
use ptx_isa::rules::copy::Counted;
use ptx_isa::rules::{AddressKind, Reached, Settled};

use crate::flow::memory::MemoryOperand;
pub use crate::flow::object::DeferredObject;
use crate::flow::place::Place;
use crate::values::claim::Condition;
use crate::values::number::{Linear, Sum};
use ptx_isa::rules::LaunchCondition;

/// A deferred check.
#[derive(Clone, Debug)]
pub struct Deferred<'a> {
    /// The subject of the check.
    pub kind: DeferredKind<'a>,
    /// The place of the name, or of the text that stands for it.
    pub place: Place,
    /// The place of the offset or of the number.
    pub value: Option<Place>,
    /// The indices of the allowances in effect.
    pub allowances: Vec<usize>,
    /// The conditions on constants under which control reaches the place.
    pub conditions: Vec<Condition>,
}

/// The subject of a deferred check.
#[derive(Clone, Debug)]
pub enum DeferredKind<'a> {
    /// An operand.
    Operand(Box<DeferredOperand<'a>>),
    /// A tile and its map.
    Copy(Box<DeferredCopy<'a>>),
    /// The bytes that an mbarrier expects, and the copies that complete on it.
    Transactions(Sum, Vec<DeferredCopied>),
    /// The count of a barrier.
    Count {
        /// The thing counted.
        of: Counted,
        /// The number.
        count: Sum,
        /// Whether only copies complete its transactions.
        by_copies: bool,
    },
    /// A matrix descriptor.
    Descriptor(Box<DeferredDescriptor<'a>>),
}

/// An operand whose check is deferred.
#[derive(Clone, Debug)]
pub struct DeferredOperand<'a> {
    /// The operand.
    pub memory: MemoryOperand<'a>,
    /// The register that holds the address, and the address kind.
    pub via: Option<(&'a str, AddressKind)>,
    /// The offset in the storage, in bytes.
    pub offset: Linear,
    /// The storage.
    pub object: DeferredObject,
    /// The other settled facts about it.
    pub settled: Settled,
    /// The launch condition under which control reaches it, as far as it is known.
    pub only_where: Option<Rc<LaunchCondition>>,
    /// The execution being checked, if others access something else.
    pub reached: Option<Reached<'a>>,
    /// Whether it may need a larger alignment than its storage declares.
    pub may_be_misaligned: bool,
}

/// A tile copy whose check is deferred.
#[derive(Clone, Debug)]
pub struct DeferredCopy<'a> {
    /// The location of the tile.
    pub tile: (DeferredObject, Linear),
    /// The location of the map.
    pub map: (DeferredObject, Linear),
    /// The halo in pixels.
    pub halo: Amount,
    /// The coordinate along the innermost dimension.
    pub first: Option<Sum>,
    /// Single executions, if the copies differ in their destination: the offset of each tile into its
    /// storage, in bytes.
    pub executions: Vec<(i128, Reached<'a>)>,
    /// Whether the swizzle may need a larger alignment than the tile's storage declares.
    pub may_be_misaligned: bool,
}

/// A matrix descriptor whose check is deferred.
#[derive(Clone, Debug)]
pub struct DeferredDescriptor<'a> {
    /// The location of the tile.
    pub tile: (DeferredObject, Linear),
    /// The descriptor bits other than the address.
    pub bits: Sum,
    /// Whether the matrix is transposed.
    pub is_transposed: bool,
    /// The element type; empty if it is not known.
    pub element: &'a str,
    /// The number of rows that are read.
    pub rows: usize,
}

/// The contribution of a copy to the transaction count of an mbarrier.
#[derive(Clone, Debug)]
pub enum DeferredCopied {
    /// A number of bytes.
    Bytes(Sum),
    /// A tile of this map, with a halo.
    Tile(DeferredObject, Linear, Amount),
}

/// A call argument whose type or alignment is not known.
#[derive(Clone, Debug)]
pub struct DeferredArgument {
    /// The function's index.
    pub function: usize,
    /// Whether it receives a return value rather than being passed.
    pub is_return: bool,
    /// The index of the parameter or return value.
    pub formal: usize,
    /// The argument.
    pub actual: DeferredActual,
    /// The place of the argument.
    pub place: Place,
}

/// A kind of argument whose type or alignment is not known.
#[derive(Clone, Debug)]
pub enum DeferredActual {
    /// One of the body's declarations.
    Declaration(usize),
    /// An integer.
    Int,
    /// A floating-point number.
    Float,
    /// A constant, by its index.
    Constant(usize),
    /// The address of the object with this name, in this state space.
    Address(String, Space),
}

/// A requirement of an access that goes beyond what the declaration guarantees.
#[derive(Clone, Debug)]
pub struct Demanded {
    /// The declaration.
    pub object: DeferredObject,
    /// The requirement.
    pub demand: Demand,
    /// The number of accesses with it: 0 for the swizzle of a tile whose access has a requirement of its own.
    pub accesses: usize,
    /// The place of the access.
    pub place: Place,
}

impl Deferred<'_> {
    /// Returns the object that may need a larger alignment than it has.
    pub fn maybe_misaligned(&self) -> Option<&DeferredObject> {
        match &self.kind {
            DeferredKind::Operand(operand) if operand.may_be_misaligned => Some(&operand.object),
            DeferredKind::Copy(copy) if copy.may_be_misaligned => Some(&copy.tile.0),
            DeferredKind::Operand(_)
            | DeferredKind::Copy(_)
            | DeferredKind::Transactions(..)
            | DeferredKind::Count { .. }
            | DeferredKind::Descriptor(_) => None,
        }
    }
}
