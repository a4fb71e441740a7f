//! What only rustc can judge of accesses to memory.

use ptx_types::rules::copy::Counted;
use ptx_types::rules::{AddressKind, Settled};

use super::Name;
use super::claim::Condition;
use super::fact::{Linear, Sum};
use super::memory::{Amount, MemoryOperand};
use super::storage::DeferredObject;

/// What only rustc can judge.
#[derive(Debug)]
pub struct DeferredCheck {
    /// What it is about.
    pub kind: DeferredKind,
    /// The name, or what stands for it.
    pub name: Name,
    /// The offset or the number.
    pub value: Option<Name>,
    /// The allowances that hold there, by their index.
    pub allowances: Vec<usize>,
    /// What Rust constants have to be for control to get there.
    pub conditions: Vec<Condition>,
}

/// What a late check is about.
#[derive(Debug)]
pub enum DeferredKind {
    /// An operand.
    Operand(Box<DeferredOperand>),
    /// A tile and its map.
    Copy(Box<DeferredCopy>),
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
    Descriptor(Box<DeferredDescriptor>),
}

/// An operand that only rustc can judge.
#[derive(Debug)]
pub struct DeferredOperand {
    /// The operand.
    pub memory: MemoryOperand,
    /// The register that holds the address, and what kind of address that is.
    pub via: Option<(String, AddressKind)>,
    /// The offset in the storage, in bytes.
    pub offset: Linear,
    /// The storage.
    pub object: DeferredObject,
    /// What else is known of it.
    pub settled: Settled,
    /// The condition under which alone control gets there, in words; empty for none.
    pub only_where: String,
    /// Whether it may need more alignment than its storage declares.
    pub is_perhaps_misaligned: bool,
}

/// A copy of a tile that only rustc can judge.
#[derive(Debug)]
pub struct DeferredCopy {
    /// Where the tile is.
    pub tile: (DeferredObject, Linear),
    /// Where the map is.
    pub map: (DeferredObject, Linear),
    /// The halo in pixels.
    pub halo: Amount,
    /// The coordinate along the innermost dimension.
    pub first: Option<Sum>,
}

/// A matrix descriptor that only rustc can judge.
#[derive(Debug)]
pub struct DeferredDescriptor {
    /// Where the tile is.
    pub tile: (DeferredObject, Linear),
    /// The bits beside the address.
    pub bits: Sum,
    /// Whether the matrix is transposed.
    pub is_transposed: bool,
    /// The type of its elements.
    pub element: String,
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
