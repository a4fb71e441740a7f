//! What instructions take as their operands: the lists of the table's column.

use super::operand_type::OperandType::{
    self, Address, Any, AtLeast, Coordinates, CoordinatesOf, Double, First, Fragment, Is,
    MatrixDescriptor, Registers, Relaxed, SameSize, SizeAtLeast, SizeOf, Type, WholeType,
};
use crate::scalar::ScalarType::{B32, Pred, U16, U32, U64};

/// What an instruction takes, for the first modifier that it has; an empty modifier always matches.
pub(super) type Operands = &'static [(&'static str, &'static [OperandType])];

/// An integer of 32 bits.
const INT: OperandType = Is(U32);

/// One of 64 bits.
const LONG: OperandType = Is(U64);

/// One of 16 bits.
const SHORT: OperandType = Is(U16);

const PRED: OperandType = Is(Pred);

/// The type of the instruction.
const OWN: OperandType = Type(0);

// Arithmetic.
pub(super) const OF_OWN_TYPE: Operands = &[("", &[OWN, OWN, OWN, OWN])];
pub(super) const SUM: Operands = &[("", &[First, OWN, First])];
pub(super) const PRODUCT: Operands = &[("wide", &[Double(0), OWN, OWN]), ("", &[OWN, OWN, OWN])];
pub(super) const PRODUCT_AND_SUM: Operands =
    &[("wide", &[Double(0), OWN, OWN, Double(0)]), ("", &[OWN, OWN, OWN, OWN])];
pub(super) const FUSED: Operands = &[("", &[First, OWN, OWN, First])];
pub(super) const EXTRACTED: Operands = &[("", &[OWN, OWN, INT, INT])];
pub(super) const INSERTED: Operands = &[("", &[OWN, OWN, OWN, INT, INT])];
pub(super) const COUNT_OF_BITS: Operands = &[("", &[INT, OWN])];
pub(super) const MASK: Operands = &[("", &[INT, INT, INT])];
pub(super) const SHIFT: Operands = &[("", &[OWN, OWN, INT])];
pub(super) const FUNNEL: Operands = &[("", &[OWN, OWN, OWN, INT])];
pub(super) const DOT_PRODUCT: Operands = &[("", &[INT, Type(1), OWN, INT])];
pub(super) const TABLE: Operands = &[("", &[OWN, OWN, OWN, OWN, Any, PRED])];
pub(super) const COMPARISON: Operands = &[("", &[PRED, OWN, OWN, PRED])];
pub(super) const SET: Operands = &[("", &[First, OWN, OWN, PRED])];
pub(super) const SELECTION: Operands = &[("", &[OWN, OWN, OWN, PRED])];
pub(super) const SELECTION_BY_SIGN: Operands = &[("", &[Type(1), Type(1), Type(1), OWN])];
pub(super) const NTH_BIT: Operands = &[("", &[OWN, OWN, OWN, SizeOf(B32)])];
pub(super) const CONVERSION: Operands = &[
    ("pack", &[AtLeast(U32), AtLeast(U32), AtLeast(U32), AtLeast(B32)]),
    // The third operand is a number, or random bits.
    ("rs", &[Relaxed(1), Relaxed(0), SizeAtLeast(B32), SizeOf(B32)]),
    ("scaled", &[Relaxed(1), Relaxed(0)]),
    ("", &[Relaxed(1), Relaxed(0), Relaxed(0)]),
];
pub(super) const CLASS_TEST: Operands = &[("", &[PRED, OWN])];
pub(super) const COPY: Operands = &[("", &[WholeType(0), WholeType(0)])];

// Other lanes of the warp.
pub(super) const SHUFFLE: Operands = &[("", &[OWN, OWN, Is(B32), Is(B32), INT])];
pub(super) const VOTE: Operands = &[("", &[OWN, PRED, INT])];
pub(super) const MATCH: Operands = &[("", &[INT, OWN, INT])];
pub(super) const WARP_REDUCTION: Operands = &[("f32", &[OWN, OWN, INT]), ("", &[INT, INT, INT])];
pub(super) const ELECTION: Operands = &[("", &[INT, INT])];

// Addresses.
pub(super) const IS_IN_SPACE: Operands = &[("", &[PRED])];
pub(super) const REMOTE: Operands = &[("", &[OWN, OWN, INT])];
pub(super) const RANK: Operands = &[("", &[INT, OWN])];
pub(super) const IS_OPAQUE: Operands = &[("", &[PRED, LONG])];

// Memory.
pub(super) const AT_ADDRESS: Operands = &[("", &[Address])];
pub(super) const AT_ADDRESSES: Operands = &[("", &[Address, Address])];
pub(super) const POLICY_OF_RANGE: Operands = &[("", &[LONG, Address, INT, INT])];
pub(super) const ASYNC_STORE: Operands = &[("", &[Address, OWN, Address])];
pub(super) const LOAD: Operands = &[("", &[Relaxed(0), Address])];
pub(super) const STORE: Operands = &[("", &[Address, Relaxed(0)])];
pub(super) const STORE_OF_TYPE: Operands = &[("", &[Address, OWN])];
pub(super) const ATOMIC: Operands = &[("", &[OWN, Address, OWN, OWN])];
pub(super) const MULTIMEM_LOAD: Operands = &[("", &[SameSize(0), Address])];
pub(super) const MULTIMEM_STORE: Operands = &[("", &[Address, SameSize(0)])];
pub(super) const CANCELLATION: Operands = &[("is_canceled", &[PRED, OWN]), ("", &[Type(1), OWN])];
pub(super) const POLICY: Operands = &[("", &[LONG, Any, INT, INT])];
pub(super) const BULK_COPY: Operands = &[
    ("cp_mask", &[Address, Address, INT, SHORT]),
    ("mbarrier", &[Address, Address, INT, Address, SHORT]),
    ("", &[Address, Address, INT]),
];
pub(super) const BULK_PREFETCH: Operands = &[("", &[Address, INT])];
pub(super) const TENSOR_LOAD: Operands = &[("", &[Any, Coordinates(U32), Any, SHORT])];
pub(super) const TENSOR_STORE: Operands = &[("", &[Coordinates(U32)])];
pub(super) const TENSOR_PREFETCH: Operands = &[("", &[Coordinates(U32), SHORT])];
pub(super) const MAP_FIELD: Operands = &[("", &[Address, OWN, OWN])];
pub(super) const TEXTURE_LOAD: Operands = &[("", &[Type(1), CoordinatesOf(0)])];
pub(super) const QUERY: Operands = &[("", &[OWN, Address])];
pub(super) const SURFACE_LOAD: Operands = &[("", &[Relaxed(0), Coordinates(U32)])];
pub(super) const SURFACE_STORE: Operands = &[("", &[Coordinates(U32), Relaxed(0)])];

// Barriers.
pub(super) const BARRIER_COUNT: Operands = &[("", &[Address, INT])];
pub(super) const BARRIER_ARRIVAL: Operands = &[("", &[LONG, Address, INT])];
pub(super) const BARRIER_WAIT: Operands =
    &[("parity", &[PRED, Address, INT, INT]), ("", &[PRED, Address, LONG, INT])];
pub(super) const PENDING_COUNT: Operands = &[("", &[INT, LONG])];
pub(super) const BLOCK_BARRIER: Operands = &[("", &[INT, INT])];
pub(super) const BLOCK_REDUCTION: Operands = &[("", &[OWN, INT])];

// Matrices.
pub(super) const MATRIX_LOAD: Operands = &[("", &[Fragment(0), Address, INT])];
pub(super) const MATRIX_STORE: Operands = &[("", &[Address, Fragment(0), INT])];
pub(super) const MATRIX_ROWS_LOAD: Operands = &[("", &[Registers(B32), Address])];
pub(super) const MATRIX_TRANSPOSE: Operands = &[("", &[SizeOf(B32), SizeOf(B32)])];
pub(super) const REDUCING_LOAD: Operands = &[("", &[SizeOf(B32), SizeOf(B32), Address])];
pub(super) const MATRIX_ROWS_STORE: Operands = &[("", &[Address, Registers(B32)])];
pub(super) const WARP_MULTIPLY: Operands = &[
    ("block_scale", &[SizeOf(B32), SizeOf(B32), SizeOf(B32), SizeOf(B32)]),
    // With `.sp`, metadata follow.
    ("", &[Fragment(3), Fragment(2), Fragment(1), Fragment(0), SizeOf(B32)]),
];
pub(super) const WARPGROUP_MULTIPLY: Operands =
    &[("", &[Fragment(2), MatrixDescriptor, LONG, PRED])];
pub(super) const SPARSE_WARPGROUP_MULTIPLY: Operands =
    &[("", &[Fragment(2), MatrixDescriptor, LONG, SizeOf(B32), Any, PRED])];
pub(super) const TENSOR_MULTIPLY: Operands = &[("", &[Address, MatrixDescriptor, LONG, INT])];
pub(super) const SPARSE_TENSOR_MULTIPLY: Operands =
    &[("", &[Address, MatrixDescriptor, LONG, Address, INT])];
pub(super) const TENSOR_ALLOCATION: Operands = &[("", &[Address, INT])];
pub(super) const TENSOR_DEALLOCATION: Operands = &[("", &[INT, INT])];
pub(super) const TENSOR_COPY: Operands = &[("", &[Address, LONG])];
