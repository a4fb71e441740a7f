//! The rows, with the versions and architectures of ptxas.

use super::modifier_lists::{
    ANY_SPACE, GLOBAL, GLOBAL_OR_CLUSTER, GLOBAL_OR_LOCAL, IN_BLOCK, IN_CLUSTER, LOADED,
    ModifierLists, NOTHING, OF_ASYNC_REDUCTION, OF_ASYNC_STORE, OF_ATOMIC, OF_B32, OF_B32_OR_B64,
    OF_B64, OF_B128, OF_BITS, OF_BITS_OR_PRED, OF_BLOCK_REDUCTION, OF_BULK_COPY, OF_BULK_OPERATION,
    OF_BULK_REDUCTION, OF_COMPARISON, OF_CONVERSION, OF_COPIES, OF_COPY, OF_DIFFERENCE, OF_EXTREME,
    OF_F32, OF_F32_OR_HALVES, OF_FLOATS, OF_FRAGMENT_LOAD, OF_FRAGMENT_STORE, OF_FRAGMENTS,
    OF_FRAGMENTS_PRODUCT, OF_FUSED, OF_GATHER, OF_INTEGERS, OF_MAP, OF_MATRICES_PRODUCT, OF_MEMORY,
    OF_MULTIMEM, OF_MULTIMEM_REDUCTION, OF_OPAQUE, OF_PRODUCT, OF_PRODUCT_AND_SUM, OF_QUOTIENT,
    OF_REDUCING_LOAD, OF_RIGHT_SHIFT, OF_ROWS_LOAD, OF_ROWS_STORE, OF_SELECTION,
    OF_SELECTION_BY_SIGN, OF_SET, OF_SIGN, OF_SUM, OF_SURFACE, OF_SURFACE_REDUCTION,
    OF_TENSOR_LOAD, OF_TENSOR_STORE, OF_TEXTURE, OF_TWO_WORDS, OF_U32, OF_U32_OR_S32,
    OF_U32_OR_U64, OF_VOTE, OF_WARP_REDUCTION, OF_WORDS, ONLY_CONST, ONLY_GLOBAL, ONLY_PARAM,
    SHARED, SHARED_OR_CLUSTER, SHARED_OR_GLOBAL, STORED,
};
use super::operand_lists::{
    ASYNC_STORE, AT_ADDRESS, AT_ADDRESSES, ATOMIC, BARRIER_ARRIVAL, BARRIER_COUNT, BARRIER_WAIT,
    BLOCK_BARRIER, BLOCK_REDUCTION, BULK_COPY, BULK_PREFETCH, CANCELLATION, CLASS_TEST, COMPARISON,
    CONVERSION, COPY, COUNT_OF_BITS, DOT_PRODUCT, ELECTION, EXTRACTED, FUNNEL, FUSED, INSERTED,
    IS_IN_SPACE, IS_OPAQUE, LOAD, MAP_FIELD, MASK, MATCH, MATRIX_LOAD, MATRIX_ROWS_LOAD,
    MATRIX_ROWS_STORE, MATRIX_STORE, MATRIX_TRANSPOSE, MULTIMEM_LOAD, MULTIMEM_STORE, NTH_BIT,
    OF_OWN_TYPE, Operands, PENDING_COUNT, POLICY, POLICY_OF_RANGE, PRODUCT, PRODUCT_AND_SUM, QUERY,
    RANK, REDUCING_LOAD, REMOTE, SELECTION, SELECTION_BY_SIGN, SET, SHIFT, SHUFFLE,
    SPARSE_TENSOR_MULTIPLY, SPARSE_WARPGROUP_MULTIPLY, STORE, STORE_OF_TYPE, SUM, SURFACE_LOAD,
    SURFACE_STORE, TABLE, TENSOR_ALLOCATION, TENSOR_COPY, TENSOR_DEALLOCATION, TENSOR_LOAD,
    TENSOR_MULTIPLY, TENSOR_PREFETCH, TENSOR_STORE, TEXTURE_LOAD, VOTE, WARP_MULTIPLY,
    WARP_REDUCTION, WARPGROUP_MULTIPLY,
};
use super::row::{
    AccessSize, AddressOperand, AddressSpace, BULK_GROUP, BarrierEffect, Computes, Control,
    Direction, Formats, Group, Needs, Order, Required, Role, Row, Taken, TogetherEffect,
};
use super::target_sets::{
    TENSOR_MAPS, TENSOR_MEMORY, TENSOR_MEMORY_REDUCING, TENSOR_MEMORY_SPECIFIC,
};
use crate::space::Space;
use crate::target::{Target, Version};

use AccessSize::{
    Aligned, Counted, CountedAligned, CountedAlignedAtMost, Fixed, Fragment, MatrixRow, Typed,
    Unknown,
};
use AddressSpace::{Elsewhere, Generic, Named, Own};
use Direction::{Cache, Read, ReadWrite, Write};

/// Data in the `n`-th state space among the modifiers.
const fn data(n: usize, direction: Direction, size: AccessSize) -> AddressOperand {
    AddressOperand { role: Role::Data, space: Named(n), direction, size, tensor: None }
}

/// A tensor map whose cache line is prefetched.
const fn fetched_map(space: AddressSpace) -> AddressOperand {
    AddressOperand { space, direction: Cache, ..MAP }
}

/// A texture.
const TEXTURE: AddressOperand = AddressOperand { role: Role::Texture, ..surface(Read) };

/// A surface.
const fn surface(direction: Direction) -> AddressOperand {
    AddressOperand { role: Role::Surface, space: Elsewhere, direction, size: Unknown, tensor: None }
}

/// An address in tensor memory.
const fn tensor(direction: Direction) -> AddressOperand {
    AddressOperand {
        role: Role::TensorMemory,
        space: Elsewhere,
        direction,
        size: Unknown,
        tensor: None,
    }
}

/// An `mbarrier` object: a `.b64` in shared memory.
const BARRIER: AddressOperand = AddressOperand {
    role: Role::Barrier,
    space: AddressSpace::Always(Space::Shared),
    direction: ReadWrite,
    size: Fixed(8, 8),
    tensor: None,
};

/// An `mbarrier` object of an instruction that takes a generic address without `.shared`.
const OWN_BARRIER: AddressOperand = AddressOperand { space: Named(0), ..BARRIER };

/// An `mbarrier` object whose phase is tested, and which is not modified.
const ASKED_BARRIER: AddressOperand = AddressOperand { direction: Read, ..OWN_BARRIER };

/// A tensor map, which an instruction only addresses in global memory.
const MAP: AddressOperand = AddressOperand {
    role: Role::Map,
    space: AddressSpace::Always(Space::Global),
    direction: Read,
    size: Fixed(128, 64),
    tensor: None,
};

/// A tensor map through which a tensor is accessed in this direction.
const fn map_of(tensor: Direction) -> AddressOperand {
    AddressOperand { tensor: Some(tensor), ..MAP }
}

/// The targets with `wgmma`.
const WGMMA: &[Target] = &[Target::Sm90a];

/// A form that accesses memory or synchronises.
const fn memory(
    opcode: &'static str,
    since: (u8, u8),
    min_arch: u16,
    addresses: &'static [AddressOperand],
) -> Row {
    let since = Version::new(since.0, since.1);
    let needs = Needs { since, since_below: None, min_arch, only: &[] };
    Row {
        opcode,
        first_space: None,
        needs,
        is_of_memory: true,
        addresses,
        taken: None,
        descriptors: &[],
        takes: &[],
        has_result: false,
        operands: &[],
        count: None,
        spaces: &[],
        types: &[],
        computes: Computes::Other,
        formats: Formats::Bits,
        effects: &[],
        orders: &[],
        together: None,
        byte_coordinate: None,
        control: Control::Next,
        takes_elements: false,
        may_be_unified: false,
        required: &[],
        is_aligned: false,
        takes_bytes: true,
        has_lanes: false,
        can_discard: false,
        gives_predicate: false,
    }
}

/// An instruction that computes in registers, on types of at least 16 bits (PTX ISA 5.2.2), with operands of its own
/// type.
const fn arithmetic(opcode: &'static str, since: (u8, u8), computes: Computes) -> Row {
    Row {
        is_of_memory: false,
        takes_bytes: false,
        ..memory(opcode, since, 10, &[]).gives(computes).operands(OF_OWN_TYPE).in_spaces(NOTHING)
    }
}

/// An instruction that computes in registers, on floating-point numbers too.
const fn numeric(opcode: &'static str, since: (u8, u8), computes: Computes) -> Row {
    arithmetic(opcode, since, computes).formats(Formats::Arithmetic)
}

/// An instruction that multiplies fragments of matrices.
const fn matrices(opcode: &'static str, since: (u8, u8), min_arch: u16) -> Row {
    Row { is_of_memory: false, ..memory(opcode, since, min_arch, &[]) }
        .has_result()
        .operands(WARP_MULTIPLY)
        .of_types(OF_FRAGMENTS_PRODUCT)
        .in_spaces(NOTHING)
        .formats(Formats::Fragments)
}

/// An instruction of a thread or of its warp without memory. Its result depends on more than its operands.
const fn warp(opcode: &'static str, since: (u8, u8), min_arch: u16) -> Row {
    Row { is_of_memory: false, ..memory(opcode, since, min_arch, &[]) }.in_spaces(NOTHING)
}

/// The operands of a barrier of a block.
const OF_BLOCK: &[(usize, &str)] = &[(0, "the number of a barrier"), (1, "a number of threads")];

/// The operand after the result of a barrier with a reduction.
const OF_REDUCTION: &[(usize, &str)] = &[(1, "the number of a barrier")];

/// A barrier of a block.
const fn barrier(
    opcode: &'static str,
    since: (u8, u8),
    min_arch: u16,
    effect: TogetherEffect,
) -> Row {
    let row = ordering(opcode, since, min_arch, &[("", Order::Block)])
        .together(effect)
        .in_spaces(NOTHING);
    match effect {
        TogetherEffect::BlockReduce => row
            .has_result()
            .takes_numbers(OF_REDUCTION)
            .operands(BLOCK_REDUCTION)
            .of_types(OF_BLOCK_REDUCTION),
        _ => row.takes_numbers(OF_BLOCK).operands(BLOCK_BARRIER),
    }
}

/// A collective instruction of a warpgroup other than a multiplication.
const fn warpgroup(opcode: &'static str, effect: TogetherEffect) -> Row {
    Row { is_of_memory: false, ..memory(opcode, (8, 0), 90, &[]) }
        .only(WGMMA)
        .together(effect)
        .of_types(NOTHING)
        .in_spaces(NOTHING)
        .requires(OF_WARP)
}

/// The modifier of instructions of a warp since its threads may diverge.
const SYNC: Required = Required {
    modifier: "sync",
    since: Version::new(6, 4),
    min_arch: 70,
    missing: "needs `.sync` since PTX 6.4 on sm_70 and newer",
    fix: "",
};

/// The modifier of instructions that have always been those of a warp.
const ALWAYS_SYNC: Required = Required {
    modifier: "sync",
    since: Version::new(1, 0),
    min_arch: 0,
    missing: "needs `.sync`",
    fix: "write it after the opcode",
};

/// The modifier of instructions that all threads of a warp execute together.
const ALIGNED: Required = Required {
    modifier: "aligned",
    missing: "needs `.aligned`",
    fix: "write `.sync.aligned`",
    ..ALWAYS_SYNC
};

/// What ptxas requires of a collective instruction of a warp.
const OF_WARP: &[Required] = &[ALWAYS_SYNC];

/// What it requires of one for which all threads of the warp come together.
const OF_WHOLE_WARP: &[Required] = &[Required { fix: ALIGNED.fix, ..ALWAYS_SYNC }, ALIGNED];

/// What it requires of a multiplication of matrices by a warp, which PTX had before `.aligned`.
const OF_WMMA: &[Required] = &[
    ALWAYS_SYNC,
    Required { since: Version::new(6, 3), missing: "needs `.aligned` since PTX 6.3", ..ALIGNED },
];

/// The order of accesses among threads.
const AMONG_THREADS: &[(&str, Order)] = &[("", Order::Threads)];

/// An instruction that orders the accesses of others, and does not access memory itself.
const fn ordering(
    opcode: &'static str,
    since: (u8, u8),
    min_arch: u16,
    orders: &'static [(&'static str, Order)],
) -> Row {
    Row { is_of_memory: false, ..memory(opcode, since, min_arch, &[]) }
        .orders(orders)
        .of_types(NOTHING)
}

/// The order of a bulk copy, which completes on a barrier or belongs to a group.
const IN_BULK: &[(&str, Order)] = &[(BULK_GROUP, Order::Copy(Group::Bulk))];

/// A control-flow instruction.
const fn control(opcode: &'static str, since: (u8, u8), control: Control) -> Row {
    Row { is_of_memory: false, control, ..memory(opcode, since, 10, &[]) }
        .of_types(NOTHING)
        .in_spaces(NOTHING)
}

impl Row {
    const fn to(self, space: Space) -> Self {
        Self { first_space: Some(space), ..self }
    }

    const fn only(self, only: &'static [Target]) -> Self {
        Self { needs: Needs { only, ..self.needs }, ..self }
    }

    const fn since_arch(self, min_arch: u16) -> Self {
        Self { needs: Needs { min_arch, ..self.needs }, ..self }
    }

    const fn takes(self, operand: usize, space: AddressSpace) -> Self {
        Self { taken: Some(Taken { operand, space }), ..self }
    }

    const fn takes_numbers(self, takes: &'static [(usize, &'static str)]) -> Self {
        Self { takes, ..self }
    }

    const fn describes(self, descriptors: &'static [usize]) -> Self {
        Self { descriptors, ..self }
    }

    const fn has_result(self) -> Self {
        Self { has_result: true, ..self }
    }

    const fn in_spaces(self, spaces: ModifierLists) -> Self {
        Self { spaces, ..self }
    }

    const fn of_types(self, types: ModifierLists) -> Self {
        Self { types, ..self }
    }

    const fn operands(self, operands: Operands) -> Self {
        Self { operands, ..self }
    }

    const fn count(self, least: usize, most: usize) -> Self {
        Self { count: Some((least, most)), ..self }
    }

    const fn computes(self, computes: Computes) -> Self {
        Self { computes, ..self }
    }

    const fn gives(self, computes: Computes) -> Self {
        self.has_result().computes(computes)
    }

    const fn formats(self, formats: Formats) -> Self {
        Self { formats, ..self }
    }

    const fn does(self, effects: &'static [(&'static str, BarrierEffect)]) -> Self {
        Self { effects, ..self }
    }

    const fn orders(self, orders: &'static [(&'static str, Order)]) -> Self {
        Self { orders, ..self }
    }

    const fn together(self, effect: TogetherEffect) -> Self {
        Self { together: Some(effect), ..self }
    }

    const fn counts_bytes_with(self, modifier: &'static str) -> Self {
        Self { byte_coordinate: Some(modifier), ..self }
    }

    const fn goes(self, control: Control) -> Self {
        Self { control, ..self }
    }

    const fn takes_elements(self) -> Self {
        Self { takes_elements: true, ..self }
    }

    const fn may_be_unified(self) -> Self {
        Self { may_be_unified: true, ..self }
    }

    const fn requires(self, required: &'static [Required]) -> Self {
        Self { required, ..self }
    }

    const fn aligned(self) -> Self {
        Self { is_aligned: true, ..self }
    }

    const fn of_lanes(self) -> Self {
        Self { has_lanes: true, ..self }
    }

    const fn discards(self) -> Self {
        Self { can_discard: true, ..self }
    }

    const fn pairs(self) -> Self {
        Self { gives_predicate: true, ..self }
    }

    const fn without_bytes(self) -> Self {
        Self { takes_bytes: false, ..self }
    }
}

/// Every form that accesses memory and is checked, and the others whose effects are tracked.
pub const INSTRUCTIONS: &[Row] = &[
    memory("ld", (1, 0), 10, &[data(0, Read, Typed)])
        .operands(LOAD)
        .gives(Computes::Parameter)
        .takes_elements()
        .may_be_unified().of_types(OF_MEMORY).in_spaces(LOADED).count(2, 2).of_lanes(),
    memory("ld.global.nc", (3, 1), 32, &[data(0, Read, Typed)])
        .operands(LOAD)
        .has_result()
        .takes_elements()
        .may_be_unified().of_types(OF_MEMORY).in_spaces(LOADED).count(2, 2).of_lanes(),
    memory("ldu", (2, 0), 20, &[data(0, Read, Typed)])
        .operands(LOAD)
        .has_result()
        .takes_elements()
        .may_be_unified().of_types(OF_MEMORY).in_spaces(GLOBAL).count(2, 2).of_lanes(),
    memory("st", (1, 0), 10, &[data(0, Write, Typed)])
        .operands(STORE)
        .takes_elements().of_types(OF_MEMORY).in_spaces(STORED).count(2, 2).of_lanes(),
    memory("st.async", (8, 1), 90, &[data(0, Write, Typed), BARRIER])
        .operands(ASYNC_STORE)
        .takes_elements().of_types(OF_ASYNC_STORE).in_spaces(SHARED_OR_GLOBAL).count(2, 3),
    memory("st.bulk", (8, 6), 100, &[data(0, Write, Counted(1, 8))]).takes_elements().of_types(NOTHING).in_spaces(IN_BLOCK).operands(AT_ADDRESS),
    memory("multimem.ld_reduce", (8, 1), 90, &[data(0, Read, Typed)])
        .operands(MULTIMEM_LOAD).of_types(OF_MULTIMEM).in_spaces(GLOBAL).count(2, 2).of_lanes(),
    memory("multimem.st", (8, 1), 90, &[data(0, Write, Typed)])
        .operands(MULTIMEM_STORE).of_types(OF_MULTIMEM).in_spaces(GLOBAL).count(2, 2).of_lanes(),
    memory("multimem.red", (8, 1), 90, &[data(0, ReadWrite, Typed)])
        .operands(MULTIMEM_STORE).of_types(OF_MULTIMEM_REDUCTION).in_spaces(GLOBAL).count(2, 2).of_lanes().discards(),
    memory("prefetch", (2, 0), 20, &[data(0, Cache, Unknown)]).of_types(NOTHING).in_spaces(GLOBAL_OR_LOCAL).count(1, 1).operands(AT_ADDRESS),
    memory("prefetch.tensormap", (8, 0), 90, &[fetched_map(Generic)]).of_types(NOTHING).in_spaces(NOTHING).count(1, 1).operands(AT_ADDRESS),
    memory("prefetch.const.tensormap", (8, 0), 90, &[fetched_map(Named(0))]).of_types(NOTHING).in_spaces(ONLY_CONST).count(1, 1).operands(AT_ADDRESS),
    memory("prefetch.param.tensormap", (8, 0), 90, &[fetched_map(Named(0))]).of_types(NOTHING).in_spaces(ONLY_PARAM).count(1, 1).operands(AT_ADDRESS),
    memory(
        "prefetchu",
        (2, 0),
        20,
        &[AddressOperand { space: Generic, ..data(0, Cache, Unknown) }],
    ).of_types(NOTHING).in_spaces(NOTHING).count(1, 1).operands(AT_ADDRESS),
    memory("applypriority", (7, 4), 80, &[data(0, Cache, Counted(1, 128))]).of_types(NOTHING).in_spaces(GLOBAL).count(2, 2).operands(AT_ADDRESS),
    // The contents are undefined afterwards, as if they had been overwritten.
    memory("discard", (7, 4), 80, &[data(0, Write, Counted(1, 128))]).of_types(NOTHING).in_spaces(GLOBAL).count(2, 2).operands(AT_ADDRESS),
    memory("createpolicy.range", (7, 4), 80, &[data(0, Cache, Unknown)])
        .operands(POLICY_OF_RANGE).of_types(OF_B64).in_spaces(GLOBAL),
    memory("isspacep", (2, 0), 20, &[])
        .operands(IS_IN_SPACE)
        .takes(1, Generic)
        .computes(Computes::IsInSpace).of_types(NOTHING).in_spaces(ANY_SPACE).count(2, 2),
    memory("cvta", (2, 0), 20, &[])
        .operands(OF_OWN_TYPE)
        .takes(1, Named(0))
        .gives(Computes::ToGeneric)
        .takes_elements().of_types(OF_U32_OR_U64).in_spaces(ANY_SPACE).count(2, 2),
    memory("cvta.to", (2, 0), 20, &[])
        .operands(OF_OWN_TYPE)
        .takes(1, Generic)
        .gives(Computes::FromGeneric)
        .takes_elements().of_types(OF_U32_OR_U64).in_spaces(ANY_SPACE).count(2, 2),
    memory("mapa", (7, 8), 90, &[]).operands(REMOTE).takes(1, Named(0)).computes(Computes::Remote).of_types(OF_WORDS).in_spaces(IN_CLUSTER).count(3, 3),
    memory("getctarank", (7, 8), 90, &[]).operands(RANK).takes(1, Named(0)).of_types(OF_WORDS).in_spaces(IN_CLUSTER).count(2, 2),
    memory("mov", (1, 0), 10, &[])
        .operands(COPY)
        .takes(1, Own)
        .gives(Computes::Copy)
        .takes_elements()
        .without_bytes().of_types(OF_COPIES).in_spaces(NOTHING).count(2, 2),
    memory(
        "cp.async",
        (7, 0),
        80,
        &[data(0, Write, CountedAligned(2)), data(1, Read, CountedAlignedAtMost(2))],
    )
    .orders(&[("", Order::Copy(Group::Copies))]).of_types(NOTHING).in_spaces(OF_COPY).count(3, 4).operands(AT_ADDRESSES),
    ordering("cp.async.commit_group", (7, 0), 80, &[("", Order::Commit(Group::Copies))]).in_spaces(NOTHING).count(0, 0),
    ordering("cp.async.wait_group", (7, 0), 80, &[("", Order::Wait(Group::Copies, 0))]).in_spaces(NOTHING).count(1, 1),
    ordering("cp.async.wait_all", (7, 0), 80, &[("", Order::WaitAll(Group::Copies))]).in_spaces(NOTHING).count(0, 0),
    memory(
        "cp.async.bulk",
        (8, 0),
        90,
        &[data(0, Write, Counted(2, 16)), data(1, Read, Counted(2, 16)), BARRIER],
    )
    .operands(BULK_COPY)
    .does(&[("complete_tx", BarrierEffect::Copy(2))])
    .orders(IN_BULK).of_types(NOTHING).in_spaces(OF_BULK_COPY).count(3, 5),
    memory(
        "cp.reduce.async.bulk",
        (8, 0),
        90,
        &[data(0, ReadWrite, Counted(2, 16)), data(1, Read, Counted(2, 16)), BARRIER],
    )
    .operands(BULK_COPY)
    .does(&[("complete_tx", BarrierEffect::Copy(2))])
    .orders(IN_BULK).of_types(OF_BULK_OPERATION).in_spaces(OF_BULK_REDUCTION).count(3, 4),
    ordering("cp.async.bulk.commit_group", (8, 0), 90, &[("", Order::Commit(Group::Bulk))]).in_spaces(NOTHING).count(0, 0),
    ordering("cp.async.bulk.wait_group", (8, 0), 90, &[("", Order::Wait(Group::Bulk, 0))]).in_spaces(NOTHING).count(1, 1),
    memory("cp.async.bulk.prefetch", (8, 0), 90, &[data(0, Cache, Counted(1, 16))])
        .operands(BULK_PREFETCH).of_types(NOTHING).in_spaces(ONLY_GLOBAL).count(2, 2),
    // PTX ISA 9.2 has these sections; 9.0 does not have the instructions.
    memory(
        "multimem.cp.async.bulk",
        (9, 1),
        90,
        &[data(0, Write, Counted(2, 16)), data(1, Read, Counted(2, 16))],
    )
    .orders(IN_BULK).operands(AT_ADDRESSES),
    memory(
        "multimem.cp.reduce.async.bulk",
        (9, 1),
        90,
        &[data(0, ReadWrite, Counted(2, 16)), data(1, Read, Counted(2, 16))],
    )
    .orders(IN_BULK).operands(AT_ADDRESSES),
    memory(
        "cp.async.bulk.tensor",
        (8, 0),
        90,
        &[data(0, Write, Aligned(128)), map_of(Read), BARRIER],
    )
    .operands(TENSOR_LOAD)
    .to(Space::Shared)
    .takes_elements()
    .does(&[("", BarrierEffect::CopyTile)]).of_types(NOTHING).in_spaces(OF_TENSOR_LOAD),
    memory("cp.async.bulk.tensor", (8, 0), 90, &[map_of(Write), data(1, Read, Aligned(128))])
        .operands(TENSOR_STORE)
        .to(Space::Global)
        .takes_elements()
        .does(&[("", BarrierEffect::CopyTile)])
        .orders(IN_BULK).of_types(NOTHING).in_spaces(OF_TENSOR_STORE),
    memory(
        "cp.reduce.async.bulk.tensor",
        (8, 0),
        90,
        &[map_of(ReadWrite), data(1, Read, Aligned(128))],
    )
    .operands(TENSOR_STORE)
    .takes_elements()
    .does(&[("", BarrierEffect::CopyTile)])
    .orders(IN_BULK).of_types(NOTHING).in_spaces(OF_TENSOR_STORE).count(2, 2),
    memory("cp.async.bulk.prefetch.tensor", (8, 0), 90, &[map_of(Cache)])
        .operands(TENSOR_PREFETCH)
        .does(&[("", BarrierEffect::CopyTile)]).of_types(NOTHING).in_spaces(ONLY_GLOBAL).count(1, 2),
    memory("tensormap.replace", (8, 3), 90, &[data(0, ReadWrite, Fixed(128, 64))])
        .operands(MAP_FIELD)
        .only(TENSOR_MAPS).of_types(OF_B32_OR_B64).in_spaces(OF_MAP).count(2, 3),
    memory("tex", (1, 0), 10, &[TEXTURE]).operands(TEXTURE_LOAD).has_result().of_types(OF_TEXTURE).in_spaces(NOTHING).of_lanes().pairs(),
    memory("tld4", (2, 2), 20, &[TEXTURE]).operands(TEXTURE_LOAD).has_result().of_types(OF_GATHER).in_spaces(NOTHING).of_lanes().pairs(),
    memory("txq", (1, 5), 10, &[TEXTURE]).operands(QUERY).has_result().of_types(OF_B32).in_spaces(NOTHING).count(2, 3),
    memory("istypep", (4, 0), 30, &[]).operands(IS_OPAQUE).takes(1, Elsewhere).of_types(OF_OPAQUE).in_spaces(NOTHING).count(2, 2),
    memory("suld", (1, 5), 10, &[surface(Read)])
        .operands(SURFACE_LOAD)
        .has_result()
        .counts_bytes_with("b").of_types(OF_SURFACE).in_spaces(NOTHING).count(2, 2),
    memory("sust", (1, 5), 10, &[surface(Write)]).operands(SURFACE_STORE).counts_bytes_with("b").of_types(OF_SURFACE).in_spaces(NOTHING).count(2, 2),
    memory("sured", (2, 0), 20, &[surface(ReadWrite)])
        .operands(SURFACE_STORE)
        .counts_bytes_with("b").of_types(OF_SURFACE_REDUCTION).in_spaces(NOTHING).count(2, 2),
    memory("suq", (1, 5), 10, &[surface(Read)]).operands(QUERY).has_result().of_types(OF_B32).in_spaces(NOTHING).count(2, 2),
    memory("call", (1, 0), 10, &[]).goes(Control::Call).of_types(NOTHING).in_spaces(NOTHING),
    memory("fence.proxy.tensormap::generic.acquire", (8, 3), 90, &[MAP]).orders(AMONG_THREADS).of_types(NOTHING).in_spaces(NOTHING),
    ordering("membar", (1, 4), 10, AMONG_THREADS).in_spaces(NOTHING).count(0, 0),
    ordering("fence", (6, 0), 70, AMONG_THREADS),
    ordering("fence.proxy", (7, 5), 70, AMONG_THREADS),
    ordering("fence.proxy.async", (8, 0), 90, &[("", Order::Proxies)]),
    ordering("fence.mbarrier_init", (8, 0), 90, &[("", Order::Initialisations)]).in_spaces(NOTHING).count(0, 0),
    ordering("barrier.cluster.arrive", (7, 8), 90, &[("", Order::Arrival)])
        .together(TogetherEffect::ClusterArrive).in_spaces(NOTHING).count(0, 0),
    ordering("barrier.cluster.wait", (7, 8), 90, AMONG_THREADS)
        .together(TogetherEffect::ClusterWait).in_spaces(NOTHING).count(0, 0),
    ordering("griddepcontrol", (7, 8), 90, AMONG_THREADS).in_spaces(NOTHING).count(0, 0),
    memory("atom", (1, 0), 11, &[data(0, ReadWrite, Typed)])
        .operands(ATOMIC)
        .has_result()
        .formats(Formats::Reduction)
        .orders(AMONG_THREADS).of_types(OF_ATOMIC).in_spaces(SHARED_OR_GLOBAL).count(3, 4).of_lanes().discards(),
    memory("red", (1, 2), 11, &[data(0, ReadWrite, Typed)])
        .operands(STORE_OF_TYPE)
        .formats(Formats::Reduction)
        .orders(AMONG_THREADS).of_types(OF_ATOMIC).in_spaces(SHARED_OR_GLOBAL).count(2, 2).of_lanes().discards(),
    memory("red.async", (8, 1), 90, &[data(0, ReadWrite, Typed), BARRIER]).operands(ASYNC_STORE).of_types(OF_ASYNC_REDUCTION).in_spaces(GLOBAL_OR_CLUSTER).count(2, 3),
    memory("mbarrier.init", (7, 0), 80, &[OWN_BARRIER])
        .operands(BARRIER_COUNT)
        .does(&[("", BarrierEffect::Init)]).of_types(OF_B64).in_spaces(SHARED).count(2, 2),
    memory("mbarrier.inval", (7, 0), 80, &[OWN_BARRIER]).does(&[("", BarrierEffect::Invalidate)]).of_types(OF_B64).in_spaces(SHARED).count(1, 1).operands(AT_ADDRESS),
    memory("mbarrier.expect_tx", (8, 0), 90, &[OWN_BARRIER])
        .operands(BARRIER_COUNT)
        .does(&[("", BarrierEffect::Expect)]).of_types(OF_B64).in_spaces(SHARED_OR_CLUSTER).count(2, 2),
    memory("mbarrier.complete_tx", (8, 0), 90, &[OWN_BARRIER])
        .operands(BARRIER_COUNT)
        .does(&[("", BarrierEffect::Complete)]).of_types(OF_B64).in_spaces(SHARED_OR_CLUSTER).count(2, 2),
    memory("mbarrier.arrive", (7, 0), 80, &[OWN_BARRIER])
        .operands(BARRIER_ARRIVAL)
        .does(&[("expect_tx", BarrierEffect::ExpectAndArrive), ("", BarrierEffect::Arrive)]).of_types(OF_B64).in_spaces(SHARED_OR_CLUSTER).count(2, 3).discards(),
    memory("mbarrier.arrive_drop", (7, 0), 80, &[OWN_BARRIER])
        .operands(BARRIER_ARRIVAL)
        .does(&[("expect_tx", BarrierEffect::ExpectAndDrop), ("", BarrierEffect::MayArrive)]).of_types(OF_B64).in_spaces(SHARED_OR_CLUSTER).count(2, 3).discards(),
    // Without `.noinc`, the arrival also increments the expected count.
    memory("cp.async.mbarrier.arrive", (7, 0), 80, &[OWN_BARRIER])
        .does(&[("noinc", BarrierEffect::Arrive), ("", BarrierEffect::MayArrive)])
        .orders(&[("", Order::WaitAll(Group::Copies))]).of_types(OF_B64).in_spaces(SHARED).count(1, 1).operands(AT_ADDRESS),
    memory("mbarrier.test_wait", (7, 0), 80, &[ASKED_BARRIER])
        .operands(BARRIER_WAIT)
        .does(&[("", BarrierEffect::Wait)]).of_types(OF_B64).in_spaces(SHARED).count(3, 3),
    memory("mbarrier.try_wait", (7, 8), 90, &[ASKED_BARRIER])
        .operands(BARRIER_WAIT)
        .does(&[("", BarrierEffect::Wait)]).of_types(OF_B64).in_spaces(SHARED).count(3, 4),
    memory(
        "tensormap.cp_fenceproxy",
        (8, 3),
        90,
        &[data(0, Write, Fixed(128, 64)), data(1, Read, Fixed(128, 64))],
    ).of_types(NOTHING).in_spaces(OF_TENSOR_STORE).operands(AT_ADDRESSES).requires(OF_WHOLE_WARP),
    memory(
        "clusterlaunchcontrol.try_cancel",
        (8, 6),
        100,
        &[data(0, Write, Fixed(16, 16)), BARRIER],
    ).of_types(OF_B128).in_spaces(IN_BLOCK).operands(AT_ADDRESSES),
    memory("wmma.load", (6, 0), 70, &[data(0, Read, Fragment(0))]).operands(MATRIX_LOAD).of_types(OF_FRAGMENT_LOAD).in_spaces(OF_FRAGMENTS).count(2, 3).requires(OF_WMMA),
    memory("wmma.store", (6, 0), 70, &[data(0, Write, Fragment(1))]).operands(MATRIX_STORE).of_types(OF_FRAGMENT_STORE).in_spaces(OF_FRAGMENTS).count(2, 3).requires(OF_WMMA),
    memory("ldmatrix", (6, 5), 75, &[data(0, Read, MatrixRow)]).operands(MATRIX_ROWS_LOAD).of_types(OF_ROWS_LOAD).in_spaces(SHARED).count(2, 2).requires(OF_WHOLE_WARP),
    memory("stmatrix", (7, 8), 90, &[data(0, Write, MatrixRow)]).operands(MATRIX_ROWS_STORE).of_types(OF_ROWS_STORE).in_spaces(SHARED).count(2, 2).requires(OF_WHOLE_WARP),
    memory("wgmma.mma_async", (8, 0), 90, &[])
        .operands(WARPGROUP_MULTIPLY)
        .only(WGMMA)
        .describes(&[1, 2])
        .does(&[("", BarrierEffect::Multiply)])
        .together(TogetherEffect::WarpgroupMultiply)
        .formats(Formats::Matrices).of_types(OF_MATRICES_PRODUCT).in_spaces(NOTHING).requires(OF_WARP),
    memory("wgmma.mma_async.sp", (8, 2), 90, &[])
        .operands(SPARSE_WARPGROUP_MULTIPLY)
        .only(WGMMA)
        .describes(&[1, 2])
        .together(TogetherEffect::WarpgroupMultiply)
        .formats(Formats::Matrices).of_types(OF_MATRICES_PRODUCT).in_spaces(NOTHING).requires(OF_WARP),
    memory("tcgen05.alloc", (8, 6), 100, &[data(0, Write, Fixed(4, 4))])
        .operands(TENSOR_ALLOCATION)
        .only(TENSOR_MEMORY).of_types(OF_B32).in_spaces(IN_BLOCK).requires(OF_WHOLE_WARP),
    memory("tcgen05.dealloc", (8, 6), 100, &[])
        .operands(TENSOR_DEALLOCATION)
        .only(TENSOR_MEMORY)
        .takes(0, Elsewhere).of_types(OF_B32).in_spaces(NOTHING).requires(OF_WHOLE_WARP),
    memory("tcgen05.ld", (8, 6), 100, &[tensor(Read)])
        .operands(MATRIX_ROWS_LOAD)
        .only(TENSOR_MEMORY).of_types(OF_B32).in_spaces(NOTHING).requires(OF_WARP),
    memory("tcgen05.ld.red", (8, 8), 101, &[tensor(Read)])
        .operands(REDUCING_LOAD)
        .only(TENSOR_MEMORY_REDUCING).of_types(OF_REDUCING_LOAD).in_spaces(NOTHING).requires(OF_WARP),
    memory("tcgen05.st", (8, 6), 100, &[tensor(Write)])
        .operands(MATRIX_ROWS_STORE)
        .only(TENSOR_MEMORY).of_types(OF_B32).in_spaces(NOTHING).requires(OF_WARP),
    memory("tcgen05.cp", (8, 6), 100, &[tensor(Write)])
        .operands(TENSOR_COPY)
        .only(TENSOR_MEMORY)
        .describes(&[1]).in_spaces(NOTHING),
    memory("tcgen05.shift", (8, 6), 100, &[tensor(ReadWrite)]).only(TENSOR_MEMORY_SPECIFIC).of_types(NOTHING).in_spaces(NOTHING).operands(AT_ADDRESS),
    memory(
        "tcgen05.mma",
        (8, 6),
        100,
        &[tensor(ReadWrite), tensor(Read), tensor(Read), tensor(Read)],
    )
    .operands(TENSOR_MULTIPLY)
    .only(TENSOR_MEMORY)
    .describes(&[1, 2]).of_types(NOTHING).in_spaces(NOTHING),
    memory(
        "tcgen05.mma.sp",
        (8, 6),
        100,
        &[tensor(ReadWrite), tensor(Read), tensor(Read), tensor(Read), tensor(Read)],
    )
    .operands(SPARSE_TENSOR_MULTIPLY)
    .only(TENSOR_MEMORY)
    .describes(&[1, 2]).of_types(NOTHING).in_spaces(NOTHING),
    memory("tcgen05.mma.ws", (8, 6), 100, &[tensor(ReadWrite), tensor(Read)])
        .operands(TENSOR_MULTIPLY)
        .only(TENSOR_MEMORY)
        .describes(&[1, 2]).of_types(NOTHING).in_spaces(NOTHING),
    memory("tcgen05.mma.ws.sp", (8, 6), 100, &[tensor(ReadWrite), tensor(Read), tensor(Read)])
        .operands(SPARSE_TENSOR_MULTIPLY)
        .only(TENSOR_MEMORY)
        .describes(&[1, 2]).of_types(NOTHING).in_spaces(NOTHING),
    memory("tcgen05.commit", (8, 6), 100, &[BARRIER])
        .only(TENSOR_MEMORY)
        .does(&[("", BarrierEffect::MayArrive)]).of_types(OF_B64).in_spaces(IN_CLUSTER).operands(AT_ADDRESS),
    Row { is_of_memory: false, ..memory("mbarrier.pending_count", (7, 0), 80, &[]) }
        .has_result()
        .operands(PENDING_COUNT)
        .does(&[("", BarrierEffect::MayArrive)]).of_types(OF_B64).in_spaces(NOTHING).count(2, 2),
    Row { is_of_memory: false, ..memory("cvt", (1, 0), 10, &[]) }
        .operands(CONVERSION)
        .gives(Computes::Conversion)
        .formats(Formats::Conversion).of_types(OF_CONVERSION).in_spaces(NOTHING).count(2, 4),
    arithmetic("abs", (1, 0), Computes::Absolute).of_types(OF_SIGN).count(2, 2),
    numeric("add", (1, 0), Computes::Sum).operands(SUM).of_types(OF_SUM).count(3, 3),
    arithmetic("and", (1, 0), Computes::And).of_types(OF_BITS_OR_PRED).count(3, 3),
    arithmetic("bfe", (2, 0), Computes::ExtractField).operands(EXTRACTED).of_types(OF_WORDS).count(4, 4),
    arithmetic("bfi", (2, 0), Computes::InsertField).operands(INSERTED).of_types(OF_B32_OR_B64).count(5, 5),
    arithmetic("bfind", (2, 0), Computes::FirstBit).operands(COUNT_OF_BITS).of_types(OF_WORDS).count(2, 2),
    arithmetic("brev", (2, 0), Computes::Reversal).of_types(OF_B32_OR_B64).count(2, 2),
    arithmetic("clz", (2, 0), Computes::LeadingZeros).operands(COUNT_OF_BITS).of_types(OF_B32_OR_B64).count(2, 2),
    arithmetic("cnot", (1, 0), Computes::IsZero).of_types(OF_BITS).count(2, 2),
    numeric("div", (1, 0), Computes::Quotient).of_types(OF_QUOTIENT).count(3, 3),
    numeric("fma", (1, 4), Computes::Other).operands(FUSED).of_types(OF_FUSED).count(4, 4),
    arithmetic("lop3", (4, 3), Computes::Table).operands(TABLE).of_types(OF_B32).count(5, 6).discards().pairs(),
    numeric("mad", (1, 0), Computes::ProductAndSum).operands(PRODUCT_AND_SUM).of_types(OF_PRODUCT_AND_SUM).count(4, 4),
    arithmetic("mad24", (1, 0), Computes::Product24AndSum).of_types(OF_U32_OR_S32).count(4, 4),
    arithmetic("max", (1, 0), Computes::Maximum).of_types(OF_EXTREME).count(3, 4),
    arithmetic("min", (1, 0), Computes::Minimum).of_types(OF_EXTREME).count(3, 4),
    numeric("mul", (1, 0), Computes::Product).operands(PRODUCT).of_types(OF_PRODUCT).count(3, 3),
    arithmetic("mul24", (1, 0), Computes::Product24).of_types(OF_U32_OR_S32).count(3, 3),
    arithmetic("neg", (1, 0), Computes::Negation).of_types(OF_SIGN).count(2, 2),
    arithmetic("not", (1, 0), Computes::Not).of_types(OF_BITS_OR_PRED).count(2, 2),
    arithmetic("or", (1, 0), Computes::Or).of_types(OF_BITS_OR_PRED).count(3, 3),
    arithmetic("popc", (2, 0), Computes::Population).operands(COUNT_OF_BITS).of_types(OF_B32_OR_B64).count(2, 2),
    arithmetic("prmt", (2, 0), Computes::Permutation).of_types(OF_B32).count(4, 4),
    arithmetic("rem", (1, 0), Computes::Remainder).of_types(OF_INTEGERS).count(3, 3),
    arithmetic("sad", (1, 0), Computes::SumOfDifference).of_types(OF_INTEGERS).count(4, 4),
    arithmetic("selp", (1, 0), Computes::Selection).operands(SELECTION).of_types(OF_SELECTION).count(4, 4),
    arithmetic("set", (1, 0), Computes::SetByComparison).operands(SET).of_types(OF_SET).count(3, 4),
    arithmetic("setp", (1, 0), Computes::Comparison).operands(COMPARISON).of_types(OF_COMPARISON).count(3, 4).discards().pairs(),
    arithmetic("shf", (3, 1), Computes::FunnelShift).operands(FUNNEL).of_types(OF_B32).count(4, 4),
    arithmetic("shl", (1, 0), Computes::ShiftLeft).operands(SHIFT).of_types(OF_BITS).count(3, 3),
    arithmetic("shr", (1, 0), Computes::ShiftRight).operands(SHIFT).of_types(OF_RIGHT_SHIFT).count(3, 3),
    arithmetic("slct", (1, 0), Computes::SelectionBySign).operands(SELECTION_BY_SIGN).of_types(OF_SELECTION_BY_SIGN).count(4, 4),
    numeric("sub", (1, 0), Computes::Difference).operands(SUM).of_types(OF_DIFFERENCE).count(3, 3),
    arithmetic("xor", (1, 0), Computes::ExclusiveOr).of_types(OF_BITS_OR_PRED).count(3, 3),
    arithmetic("addc", (1, 2), Computes::Other).of_types(OF_INTEGERS).count(3, 3),
    arithmetic("bmsk", (7, 6), Computes::Other).since_arch(70).operands(MASK).of_types(OF_B32).count(3, 3),
    arithmetic("dp2a", (5, 0), Computes::Other).since_arch(61).operands(DOT_PRODUCT).of_types(OF_TWO_WORDS).count(4, 4),
    arithmetic("dp4a", (5, 0), Computes::Other).since_arch(61).operands(DOT_PRODUCT).of_types(OF_TWO_WORDS).count(4, 4),
    arithmetic("fns", (6, 0), Computes::Other).operands(NTH_BIT).of_types(OF_B32).count(4, 4),
    arithmetic("madc", (3, 0), Computes::Other).of_types(OF_INTEGERS).count(4, 4),
    arithmetic("subc", (1, 2), Computes::Other).of_types(OF_INTEGERS).count(3, 3),
    arithmetic("szext", (7, 6), Computes::Other).since_arch(70).operands(SHIFT).of_types(OF_U32_OR_S32).count(3, 3),
    ordering("bar.warp.sync", (6, 0), 30, &[("", Order::Block)])
        .together(TogetherEffect::Warp(0)).operands(BLOCK_BARRIER).in_spaces(NOTHING).count(1, 1),
    barrier("bar.sync", (1, 0), 10, TogetherEffect::BlockSync).aligned().count(1, 2),
    barrier("bar.arrive", (2, 0), 20, TogetherEffect::BlockArrive).aligned().count(2, 2),
    barrier("bar.red", (2, 0), 20, TogetherEffect::BlockReduce).aligned().count(3, 4),
    barrier("bar.cta.sync", (7, 8), 30, TogetherEffect::BlockSync).aligned().count(1, 2),
    barrier("bar.cta.arrive", (7, 8), 30, TogetherEffect::BlockArrive).aligned().count(2, 2),
    barrier("bar.cta.red", (7, 8), 30, TogetherEffect::BlockReduce).aligned().count(3, 4),
    barrier("barrier.sync", (6, 0), 30, TogetherEffect::BlockSync).count(1, 2),
    barrier("barrier.arrive", (6, 0), 30, TogetherEffect::BlockArrive).count(2, 2),
    barrier("barrier.red", (6, 0), 30, TogetherEffect::BlockReduce).count(3, 4),
    barrier("barrier.cta.sync", (7, 8), 30, TogetherEffect::BlockSync).count(1, 2),
    barrier("barrier.cta.arrive", (7, 8), 30, TogetherEffect::BlockArrive).count(2, 2),
    barrier("barrier.cta.red", (7, 8), 30, TogetherEffect::BlockReduce).count(3, 4),
    warpgroup("wgmma.fence", TogetherEffect::WarpgroupFence).count(0, 0),
    warpgroup("wgmma.commit_group", TogetherEffect::WarpgroupCommit).count(0, 0),
    warpgroup("wgmma.wait_group", TogetherEffect::WarpgroupWait).count(1, 1),
    numeric("cos", (1, 0), Computes::Other).of_types(OF_F32).count(2, 2),
    numeric("ex2", (1, 0), Computes::Other).of_types(OF_F32_OR_HALVES).count(2, 2),
    numeric("lg2", (1, 0), Computes::Other).of_types(OF_F32).count(2, 2),
    numeric("rcp", (1, 0), Computes::Other).of_types(OF_FLOATS).count(2, 2),
    numeric("rsqrt", (1, 0), Computes::Other).of_types(OF_FLOATS).count(2, 2),
    numeric("sin", (1, 0), Computes::Other).of_types(OF_F32).count(2, 2),
    numeric("sqrt", (1, 0), Computes::Other).of_types(OF_FLOATS).count(2, 2),
    numeric("tanh", (7, 0), Computes::Other).since_arch(75).of_types(OF_F32_OR_HALVES).count(2, 2),
    arithmetic("copysign", (2, 0), Computes::Other).since_arch(20).of_types(OF_FLOATS).count(3, 3),
    arithmetic("testp", (2, 0), Computes::Other).since_arch(20).operands(CLASS_TEST).of_types(OF_FLOATS).count(2, 2),
    warp("activemask", (6, 2), 30).has_result().operands(OF_OWN_TYPE).of_types(OF_B32).count(1, 1),
    warp("elect", (8, 0), 90).gives(Computes::Election).together(TogetherEffect::Warp(1)).operands(ELECTION).of_types(NOTHING).count(2, 2).requires(OF_WARP).pairs(),
    warp("match", (6, 0), 70).has_result().together(TogetherEffect::Warp(2)).operands(MATCH).of_types(OF_B32_OR_B64).count(3, 3).requires(OF_WARP).pairs(),
    warp("nanosleep", (6, 2), 70).operands(OF_OWN_TYPE).of_types(OF_U32).count(1, 1),
    warp("redux", (7, 0), 80).has_result().together(TogetherEffect::Warp(2)).operands(WARP_REDUCTION).of_types(OF_WARP_REDUCTION).count(3, 3).requires(OF_WARP),
    warp("shfl", (3, 0), 30).gives(Computes::Shuffle).together(TogetherEffect::Warp(4)).operands(SHUFFLE).requires(&[Required {
        fix: "write `shfl.sync`, with the mask of the threads that take part as the last operand",
        ..SYNC
    }]).of_types(OF_B32).count(4, 5).pairs(),
    warp("vote", (1, 2), 12).gives(Computes::Vote).together(TogetherEffect::Warp(2)).operands(VOTE).requires(&[Required {
        fix: "write `vote.sync`, with the mask of the threads that take part as the last operand",
        ..SYNC
    }]).of_types(OF_VOTE).count(2, 3),
    warp("alloca", (7, 3), 52).has_result().operands(OF_OWN_TYPE),
    warp("stacksave", (7, 3), 52).has_result().operands(OF_OWN_TYPE),
    warp("stackrestore", (7, 3), 52).operands(OF_OWN_TYPE),
    warp("clusterlaunchcontrol.query_cancel", (8, 6), 100).has_result().operands(CANCELLATION),
    warp("createpolicy.fractional", (7, 4), 80).operands(POLICY),
    warp("movmatrix", (7, 8), 75).has_result().operands(MATRIX_TRANSPOSE).requires(OF_WHOLE_WARP),
    warp("setmaxnreg", (8, 0), 90).only(TENSOR_MAPS).requires(OF_WHOLE_WARP),
    warp("tcgen05.fence", (8, 6), 100).only(TENSOR_MEMORY),
    warp("tcgen05.relinquish_alloc_permit", (8, 6), 100).only(TENSOR_MEMORY).requires(OF_WHOLE_WARP),
    warp("tcgen05.wait", (8, 6), 100).only(TENSOR_MEMORY).requires(OF_WHOLE_WARP),
    warp("wmma.mma", (6, 0), 70).has_result().operands(WARP_MULTIPLY).requires(OF_WMMA),
    matrices("mma", (6, 4), 70).count(4, 8).requires(OF_WHOLE_WARP),
    matrices("mma.sp", (7, 1), 80).requires(OF_WHOLE_WARP),
    control("bra", (1, 0), Control::Jump).count(1, 1),
    control("brx", (6, 0), Control::JumpAnywhere),
    control("ret", (1, 0), Control::Returns),
    control("exit", (1, 0), Control::Ends),
    control("trap", (1, 0), Control::Ends),
];
