//! The rows, with the versions and architectures of ptxas.

use super::operand_lists::{
    ATOMIC, BARRIER_ARRIVAL, BARRIER_COUNT, BARRIER_WAIT, BLOCK_BARRIER, BLOCK_REDUCTION,
    BULK_COPY, BULK_PREFETCH, CANCELLATION, CLASS_TEST, COMPARISON, CONVERSION, COPY,
    COUNT_OF_BITS, DOT_PRODUCT, ELECTION, EXTRACTED, FUNNEL, FUSED, INSERTED, IS_IN_SPACE,
    IS_OPAQUE, LOAD, MAP_FIELD, MASK, MATCH, MATRIX_LOAD, MATRIX_ROWS_LOAD, MATRIX_ROWS_STORE,
    MATRIX_STORE, MATRIX_TRANSPOSE, MULTIMEM_LOAD, MULTIMEM_STORE, NTH_BIT, OF_OWN_TYPE, Operands,
    PENDING_COUNT, POLICY, PRODUCT, PRODUCT_AND_SUM, QUERY, RANK, REDUCING_LOAD, REMOTE, SELECTION,
    SELECTION_BY_SIGN, SET, SHIFT, SHUFFLE, SPARSE_TENSOR_MULTIPLY, SPARSE_WARPGROUP_MULTIPLY,
    STORE, STORE_OF_TYPE, SUM, SURFACE_LOAD, SURFACE_STORE, TABLE, TENSOR_ALLOCATION, TENSOR_COPY,
    TENSOR_DEALLOCATION, TENSOR_LOAD, TENSOR_MULTIPLY, TENSOR_PREFETCH, TENSOR_STORE, TEXTURE_LOAD,
    VOTE, WARP_MULTIPLY, WARP_REDUCTION, WARPGROUP_MULTIPLY,
};
use super::row::{
    AccessSize, AddressOperand, AddressSpace, BULK_GROUP, BarrierEffect, Computes, Control,
    Direction, Formats, Group, Needs, Order, Required, Role, Row, Taken, TogetherEffect,
};
use super::target_sets::{
    TENSOR_MAPS, TENSOR_MEMORY, TENSOR_MEMORY_REDUCING, TENSOR_MEMORY_SPECIFIC,
};
use crate::scalar::ScalarType;
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
        says_unified: false,
        required: None,
        takes_bytes: true,
    }
}

/// An instruction that computes in registers, on types of at least 16 bits (PTX ISA 5.2.2), with operands of its own
/// type.
const fn arithmetic(opcode: &'static str, since: (u8, u8), computes: Computes) -> Row {
    Row {
        is_of_memory: false,
        takes_bytes: false,
        ..memory(opcode, since, 10, &[]).gives(computes).operands(OF_OWN_TYPE)
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
        .formats(Formats::Fragments)
}

/// An instruction of a thread or of its warp without memory. Its result depends on more than its operands.
const fn warp(opcode: &'static str, since: (u8, u8), min_arch: u16) -> Row {
    Row { is_of_memory: false, ..memory(opcode, since, min_arch, &[]) }
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
    let row = ordering(opcode, since, min_arch, &[("", Order::Block)]).together(effect);
    match effect {
        TogetherEffect::BlockReduce => {
            row.has_result().takes_numbers(OF_REDUCTION).operands(BLOCK_REDUCTION)
        }
        _ => row.takes_numbers(OF_BLOCK).operands(BLOCK_BARRIER),
    }
}

/// A collective instruction of a warpgroup other than a multiplication.
const fn warpgroup(opcode: &'static str, effect: TogetherEffect) -> Row {
    Row { is_of_memory: false, ..memory(opcode, (8, 0), 90, &[]) }.only(WGMMA).together(effect)
}

/// The modifier of instructions of a warp since its threads may diverge.
const SYNC: Required = Required {
    modifier: "sync",
    since: Version::new(6, 4),
    min_arch: 70,
    missing: "needs `.sync` since PTX 6.4 on sm_70 and newer",
    fix: "",
};

/// The order of accesses among threads.
const AMONG_THREADS: &[(&str, Order)] = &[("", Order::Threads)];

/// An instruction that orders the accesses of others, and does not access memory itself.
const fn ordering(
    opcode: &'static str,
    since: (u8, u8),
    min_arch: u16,
    orders: &'static [(&'static str, Order)],
) -> Row {
    Row { is_of_memory: false, ..memory(opcode, since, min_arch, &[]) }.orders(orders)
}

/// The order of a bulk copy, which completes on a barrier or belongs to a group.
const IN_BULK: &[(&str, Order)] = &[(BULK_GROUP, Order::Copy(Group::Bulk))];

/// A control-flow instruction.
const fn control(opcode: &'static str, since: (u8, u8), control: Control) -> Row {
    Row { is_of_memory: false, control, ..memory(opcode, since, 10, &[]) }
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

    const fn in_spaces(self, spaces: &'static [Space]) -> Self {
        Self { spaces, ..self }
    }

    const fn of_types(self, types: &'static [ScalarType]) -> Self {
        Self { types, ..self }
    }

    const fn operands(self, operands: Operands) -> Self {
        Self { operands, ..self }
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

    const fn says_unified(self) -> Self {
        Self { says_unified: true, ..self }
    }

    const fn requires(self, required: Required) -> Self {
        Self { required: Some(required), ..self }
    }

    const fn without_bytes(self) -> Self {
        Self { takes_bytes: false, ..self }
    }
}

/// The types of loads and stores (PTX ISA 5.2.2).
const IN_MEMORY: &[ScalarType] = &[
    ScalarType::B8,
    ScalarType::B16,
    ScalarType::B32,
    ScalarType::B64,
    ScalarType::B128,
    ScalarType::U8,
    ScalarType::U16,
    ScalarType::U32,
    ScalarType::U64,
    ScalarType::S8,
    ScalarType::S16,
    ScalarType::S32,
    ScalarType::S64,
    ScalarType::F32,
    ScalarType::F64,
];

const GLOBAL: &[Space] = &[Space::Global];

/// Where atomic operations are.
const SHARED_OR_GLOBAL: &[Space] = &[Space::Global, Space::Shared];

/// Every form that accesses memory and is checked, and the others whose effects are tracked.
pub const INSTRUCTIONS: &[Row] = &[
    memory("ld", (1, 0), 10, &[data(0, Read, Typed)])
        .of_types(IN_MEMORY)
        .operands(LOAD)
        .gives(Computes::Parameter)
        .takes_elements()
        .says_unified(),
    memory("ld.global.nc", (3, 1), 32, &[data(0, Read, Typed)])
        .of_types(IN_MEMORY)
        .operands(LOAD)
        .has_result()
        .takes_elements()
        .says_unified(),
    memory("ldu", (2, 0), 20, &[data(0, Read, Typed)])
        .in_spaces(GLOBAL)
        .of_types(IN_MEMORY)
        .operands(LOAD)
        .has_result()
        .takes_elements()
        .says_unified(),
    memory("st", (1, 0), 10, &[data(0, Write, Typed)])
        .in_spaces(&[Space::Global, Space::Local, Space::Param, Space::Shared])
        .of_types(IN_MEMORY)
        .operands(STORE)
        .takes_elements(),
    memory("st.async", (8, 1), 90, &[data(0, Write, Typed), BARRIER])
        .operands(STORE_OF_TYPE)
        .takes_elements(),
    memory("st.bulk", (8, 6), 100, &[data(0, Write, Counted(1, 8))]).takes_elements(),
    memory("multimem.ld_reduce", (8, 1), 90, &[data(0, Read, Typed)])
        .in_spaces(GLOBAL)
        .operands(MULTIMEM_LOAD),
    memory("multimem.st", (8, 1), 90, &[data(0, Write, Typed)])
        .in_spaces(GLOBAL)
        .operands(MULTIMEM_STORE),
    memory("multimem.red", (8, 1), 90, &[data(0, ReadWrite, Typed)])
        .in_spaces(GLOBAL)
        .operands(MULTIMEM_STORE),
    memory("prefetch", (2, 0), 20, &[data(0, Cache, Unknown)])
        .in_spaces(&[Space::Global, Space::Local]),
    memory("prefetch.tensormap", (8, 0), 90, &[fetched_map(Generic)]),
    memory("prefetch.const.tensormap", (8, 0), 90, &[fetched_map(Named(0))]),
    memory("prefetch.param.tensormap", (8, 0), 90, &[fetched_map(Named(0))]),
    memory(
        "prefetchu",
        (2, 0),
        20,
        &[AddressOperand { space: Generic, ..data(0, Cache, Unknown) }],
    ),
    memory("applypriority", (7, 4), 80, &[data(0, Cache, Counted(1, 128))]).in_spaces(GLOBAL),
    // The contents are undefined afterwards, as if they had been overwritten.
    memory("discard", (7, 4), 80, &[data(0, Write, Counted(1, 128))]).in_spaces(GLOBAL),
    memory("createpolicy.range", (7, 4), 80, &[data(0, Cache, Unknown)])
        .in_spaces(GLOBAL)
        .operands(POLICY),
    memory("isspacep", (2, 0), 20, &[])
        .operands(IS_IN_SPACE)
        .takes(1, Generic)
        .computes(Computes::IsInSpace),
    memory("cvta", (2, 0), 20, &[])
        .operands(OF_OWN_TYPE)
        .takes(1, Named(0))
        .gives(Computes::ToGeneric)
        .takes_elements(),
    memory("cvta.to", (2, 0), 20, &[])
        .operands(OF_OWN_TYPE)
        .takes(1, Generic)
        .gives(Computes::FromGeneric)
        .takes_elements(),
    memory("mapa", (7, 8), 90, &[]).operands(REMOTE).takes(1, Named(0)).computes(Computes::Remote),
    memory("getctarank", (7, 8), 90, &[]).operands(RANK).takes(1, Named(0)),
    memory("mov", (1, 0), 10, &[])
        .operands(COPY)
        .takes(1, Own)
        .gives(Computes::Copy)
        .takes_elements()
        .without_bytes(),
    memory(
        "cp.async",
        (7, 0),
        80,
        &[data(0, Write, CountedAligned(2)), data(1, Read, CountedAlignedAtMost(2))],
    )
    .orders(&[("", Order::Copy(Group::Copies))]),
    ordering("cp.async.commit_group", (7, 0), 80, &[("", Order::Commit(Group::Copies))]),
    ordering("cp.async.wait_group", (7, 0), 80, &[("", Order::Wait(Group::Copies, 0))]),
    ordering("cp.async.wait_all", (7, 0), 80, &[("", Order::WaitAll(Group::Copies))]),
    memory(
        "cp.async.bulk",
        (8, 0),
        90,
        &[data(0, Write, Counted(2, 16)), data(1, Read, Counted(2, 16)), BARRIER],
    )
    .operands(BULK_COPY)
    .does(&[("complete_tx", BarrierEffect::Copy(2))])
    .orders(IN_BULK),
    memory(
        "cp.reduce.async.bulk",
        (8, 0),
        90,
        &[data(0, ReadWrite, Counted(2, 16)), data(1, Read, Counted(2, 16)), BARRIER],
    )
    .operands(BULK_COPY)
    .does(&[("complete_tx", BarrierEffect::Copy(2))])
    .orders(IN_BULK),
    ordering("cp.async.bulk.commit_group", (8, 0), 90, &[("", Order::Commit(Group::Bulk))]),
    ordering("cp.async.bulk.wait_group", (8, 0), 90, &[("", Order::Wait(Group::Bulk, 0))]),
    memory("cp.async.bulk.prefetch", (8, 0), 90, &[data(0, Cache, Counted(1, 16))])
        .operands(BULK_PREFETCH),
    // PTX ISA 9.2 has these sections; 9.0 does not have the instructions.
    memory(
        "multimem.cp.async.bulk",
        (9, 1),
        90,
        &[data(0, Write, Counted(2, 16)), data(1, Read, Counted(2, 16))],
    )
    .orders(IN_BULK),
    memory(
        "multimem.cp.reduce.async.bulk",
        (9, 1),
        90,
        &[data(0, ReadWrite, Counted(2, 16)), data(1, Read, Counted(2, 16))],
    )
    .orders(IN_BULK),
    memory(
        "cp.async.bulk.tensor",
        (8, 0),
        90,
        &[data(0, Write, Aligned(128)), map_of(Read), BARRIER],
    )
    .operands(TENSOR_LOAD)
    .to(Space::Shared)
    .takes_elements()
    .does(&[("", BarrierEffect::CopyTile)]),
    memory("cp.async.bulk.tensor", (8, 0), 90, &[map_of(Write), data(1, Read, Aligned(128))])
        .operands(TENSOR_STORE)
        .to(Space::Global)
        .takes_elements()
        .does(&[("", BarrierEffect::CopyTile)])
        .orders(IN_BULK),
    memory(
        "cp.reduce.async.bulk.tensor",
        (8, 0),
        90,
        &[map_of(ReadWrite), data(1, Read, Aligned(128))],
    )
    .operands(TENSOR_STORE)
    .takes_elements()
    .does(&[("", BarrierEffect::CopyTile)])
    .orders(IN_BULK),
    memory("cp.async.bulk.prefetch.tensor", (8, 0), 90, &[map_of(Cache)])
        .operands(TENSOR_PREFETCH)
        .does(&[("", BarrierEffect::CopyTile)]),
    memory("tensormap.replace", (8, 3), 90, &[data(0, ReadWrite, Fixed(128, 64))])
        .operands(MAP_FIELD)
        .only(TENSOR_MAPS),
    memory("tex", (1, 0), 10, &[TEXTURE]).operands(TEXTURE_LOAD).has_result(),
    memory("tld4", (2, 2), 20, &[TEXTURE]).operands(TEXTURE_LOAD).has_result(),
    memory("txq", (1, 5), 10, &[TEXTURE]).operands(QUERY).has_result(),
    memory("istypep", (4, 0), 30, &[]).operands(IS_OPAQUE).takes(1, Elsewhere),
    memory("suld", (1, 5), 10, &[surface(Read)])
        .operands(SURFACE_LOAD)
        .has_result()
        .counts_bytes_with("b"),
    memory("sust", (1, 5), 10, &[surface(Write)]).operands(SURFACE_STORE).counts_bytes_with("b"),
    memory("sured", (2, 0), 20, &[surface(ReadWrite)])
        .operands(SURFACE_STORE)
        .counts_bytes_with("b"),
    memory("suq", (1, 5), 10, &[surface(Read)]).operands(QUERY).has_result(),
    memory("call", (1, 0), 10, &[]).goes(Control::Call),
    memory("fence.proxy.tensormap::generic.acquire", (8, 3), 90, &[MAP]).orders(AMONG_THREADS),
    ordering("membar", (1, 4), 10, AMONG_THREADS),
    ordering("fence", (6, 0), 70, AMONG_THREADS),
    ordering("fence.proxy", (7, 5), 70, AMONG_THREADS),
    ordering("fence.proxy.async", (8, 0), 90, &[("", Order::Proxies)]),
    ordering("fence.mbarrier_init", (8, 0), 90, &[("", Order::Initialisations)]),
    ordering("barrier.cluster.arrive", (7, 8), 90, &[("", Order::Arrival)]),
    ordering("barrier.cluster.wait", (7, 8), 90, AMONG_THREADS),
    ordering("griddepcontrol", (7, 8), 90, AMONG_THREADS),
    memory("atom", (1, 0), 11, &[data(0, ReadWrite, Typed)])
        .in_spaces(SHARED_OR_GLOBAL)
        .operands(ATOMIC)
        .has_result()
        .formats(Formats::Reduction)
        .orders(AMONG_THREADS),
    memory("red", (1, 2), 11, &[data(0, ReadWrite, Typed)])
        .in_spaces(SHARED_OR_GLOBAL)
        .operands(STORE_OF_TYPE)
        .formats(Formats::Reduction)
        .orders(AMONG_THREADS),
    memory("red.async", (8, 1), 90, &[data(0, ReadWrite, Typed), BARRIER]).operands(STORE_OF_TYPE),
    memory("mbarrier.init", (7, 0), 80, &[OWN_BARRIER])
        .operands(BARRIER_COUNT)
        .does(&[("", BarrierEffect::Init)]),
    memory("mbarrier.inval", (7, 0), 80, &[OWN_BARRIER]).does(&[("", BarrierEffect::Invalidate)]),
    memory("mbarrier.expect_tx", (8, 0), 90, &[OWN_BARRIER])
        .operands(BARRIER_COUNT)
        .does(&[("", BarrierEffect::Expect)]),
    memory("mbarrier.complete_tx", (8, 0), 90, &[OWN_BARRIER])
        .operands(BARRIER_COUNT)
        .does(&[("", BarrierEffect::Complete)]),
    memory("mbarrier.arrive", (7, 0), 80, &[OWN_BARRIER])
        .operands(BARRIER_ARRIVAL)
        .does(&[("expect_tx", BarrierEffect::ExpectAndArrive), ("", BarrierEffect::Arrive)]),
    memory("mbarrier.arrive_drop", (7, 0), 80, &[OWN_BARRIER])
        .operands(BARRIER_ARRIVAL)
        .does(&[("expect_tx", BarrierEffect::ExpectAndDrop), ("", BarrierEffect::MayArrive)]),
    // Without `.noinc`, the arrival also increments the expected count.
    memory("cp.async.mbarrier.arrive", (7, 0), 80, &[OWN_BARRIER])
        .does(&[("noinc", BarrierEffect::Arrive), ("", BarrierEffect::MayArrive)])
        .orders(&[("", Order::WaitAll(Group::Copies))]),
    memory("mbarrier.test_wait", (7, 0), 80, &[ASKED_BARRIER])
        .operands(BARRIER_WAIT)
        .does(&[("", BarrierEffect::Wait)]),
    memory("mbarrier.try_wait", (7, 8), 90, &[ASKED_BARRIER])
        .operands(BARRIER_WAIT)
        .does(&[("", BarrierEffect::Wait)]),
    memory(
        "tensormap.cp_fenceproxy",
        (8, 3),
        90,
        &[data(0, Write, Fixed(128, 64)), data(1, Read, Fixed(128, 64))],
    ),
    memory(
        "clusterlaunchcontrol.try_cancel",
        (8, 6),
        100,
        &[data(0, Write, Fixed(16, 16)), BARRIER],
    ),
    memory("wmma.load", (6, 0), 70, &[data(0, Read, Fragment(0))]).operands(MATRIX_LOAD),
    memory("wmma.store", (6, 0), 70, &[data(0, Write, Fragment(1))]).operands(MATRIX_STORE),
    memory("ldmatrix", (6, 5), 75, &[data(0, Read, MatrixRow)]).operands(MATRIX_ROWS_LOAD),
    memory("stmatrix", (7, 8), 90, &[data(0, Write, MatrixRow)]).operands(MATRIX_ROWS_STORE),
    memory("wgmma.mma_async", (8, 0), 90, &[])
        .operands(WARPGROUP_MULTIPLY)
        .only(WGMMA)
        .describes(&[1, 2])
        .does(&[("", BarrierEffect::Multiply)])
        .together(TogetherEffect::WarpgroupMultiply)
        .formats(Formats::Matrices),
    memory("wgmma.mma_async.sp", (8, 2), 90, &[])
        .operands(SPARSE_WARPGROUP_MULTIPLY)
        .only(WGMMA)
        .describes(&[1, 2])
        .together(TogetherEffect::WarpgroupMultiply)
        .formats(Formats::Matrices),
    memory("tcgen05.alloc", (8, 6), 100, &[data(0, Write, Fixed(4, 4))])
        .operands(TENSOR_ALLOCATION)
        .only(TENSOR_MEMORY),
    memory("tcgen05.dealloc", (8, 6), 100, &[])
        .operands(TENSOR_DEALLOCATION)
        .only(TENSOR_MEMORY)
        .takes(0, Elsewhere),
    memory("tcgen05.ld", (8, 6), 100, &[tensor(Read)])
        .operands(MATRIX_ROWS_LOAD)
        .only(TENSOR_MEMORY),
    memory("tcgen05.ld.red", (8, 8), 101, &[tensor(Read)])
        .operands(REDUCING_LOAD)
        .only(TENSOR_MEMORY_REDUCING),
    memory("tcgen05.st", (8, 6), 100, &[tensor(Write)])
        .operands(MATRIX_ROWS_STORE)
        .only(TENSOR_MEMORY),
    memory("tcgen05.cp", (8, 6), 100, &[tensor(Write)])
        .operands(TENSOR_COPY)
        .only(TENSOR_MEMORY)
        .describes(&[1]),
    memory("tcgen05.shift", (8, 6), 100, &[tensor(ReadWrite)]).only(TENSOR_MEMORY_SPECIFIC),
    memory(
        "tcgen05.mma",
        (8, 6),
        100,
        &[tensor(ReadWrite), tensor(Read), tensor(Read), tensor(Read)],
    )
    .operands(TENSOR_MULTIPLY)
    .only(TENSOR_MEMORY)
    .describes(&[1, 2]),
    memory(
        "tcgen05.mma.sp",
        (8, 6),
        100,
        &[tensor(ReadWrite), tensor(Read), tensor(Read), tensor(Read), tensor(Read)],
    )
    .operands(SPARSE_TENSOR_MULTIPLY)
    .only(TENSOR_MEMORY)
    .describes(&[1, 2]),
    memory("tcgen05.mma.ws", (8, 6), 100, &[tensor(ReadWrite), tensor(Read)])
        .operands(TENSOR_MULTIPLY)
        .only(TENSOR_MEMORY)
        .describes(&[1, 2]),
    memory("tcgen05.mma.ws.sp", (8, 6), 100, &[tensor(ReadWrite), tensor(Read), tensor(Read)])
        .operands(SPARSE_TENSOR_MULTIPLY)
        .only(TENSOR_MEMORY)
        .describes(&[1, 2]),
    memory("tcgen05.commit", (8, 6), 100, &[BARRIER])
        .only(TENSOR_MEMORY)
        .does(&[("", BarrierEffect::MayArrive)]),
    Row { is_of_memory: false, ..memory("mbarrier.pending_count", (7, 0), 80, &[]) }
        .has_result()
        .operands(PENDING_COUNT)
        .does(&[("", BarrierEffect::MayArrive)]),
    Row { is_of_memory: false, ..memory("cvt", (1, 0), 10, &[]) }
        .operands(CONVERSION)
        .gives(Computes::Conversion)
        .formats(Formats::Conversion),
    arithmetic("abs", (1, 0), Computes::Absolute),
    numeric("add", (1, 0), Computes::Sum).operands(SUM),
    arithmetic("and", (1, 0), Computes::And),
    arithmetic("bfe", (2, 0), Computes::ExtractField).operands(EXTRACTED),
    arithmetic("bfi", (2, 0), Computes::InsertField).operands(INSERTED),
    arithmetic("bfind", (2, 0), Computes::FirstBit).operands(COUNT_OF_BITS),
    arithmetic("brev", (2, 0), Computes::Reversal),
    arithmetic("clz", (2, 0), Computes::LeadingZeros).operands(COUNT_OF_BITS),
    arithmetic("cnot", (1, 0), Computes::IsZero),
    numeric("div", (1, 0), Computes::Quotient),
    numeric("fma", (1, 4), Computes::Other).operands(FUSED),
    arithmetic("lop3", (4, 3), Computes::Table).operands(TABLE),
    numeric("mad", (1, 0), Computes::ProductAndSum).operands(PRODUCT_AND_SUM),
    arithmetic("mad24", (1, 0), Computes::Product24AndSum),
    arithmetic("max", (1, 0), Computes::Maximum),
    arithmetic("min", (1, 0), Computes::Minimum),
    numeric("mul", (1, 0), Computes::Product).operands(PRODUCT),
    arithmetic("mul24", (1, 0), Computes::Product24),
    arithmetic("neg", (1, 0), Computes::Negation),
    arithmetic("not", (1, 0), Computes::Not),
    arithmetic("or", (1, 0), Computes::Or),
    arithmetic("popc", (2, 0), Computes::Population).operands(COUNT_OF_BITS),
    arithmetic("prmt", (2, 0), Computes::Permutation),
    arithmetic("rem", (1, 0), Computes::Remainder),
    arithmetic("sad", (1, 0), Computes::SumOfDifference),
    arithmetic("selp", (1, 0), Computes::Selection).operands(SELECTION),
    arithmetic("set", (1, 0), Computes::SetByComparison).operands(SET),
    arithmetic("setp", (1, 0), Computes::Comparison).operands(COMPARISON),
    arithmetic("shf", (3, 1), Computes::FunnelShift).operands(FUNNEL),
    arithmetic("shl", (1, 0), Computes::ShiftLeft).operands(SHIFT),
    arithmetic("shr", (1, 0), Computes::ShiftRight).operands(SHIFT),
    arithmetic("slct", (1, 0), Computes::SelectionBySign).operands(SELECTION_BY_SIGN),
    numeric("sub", (1, 0), Computes::Difference).operands(SUM),
    arithmetic("xor", (1, 0), Computes::ExclusiveOr),
    arithmetic("addc", (1, 2), Computes::Other),
    arithmetic("bmsk", (7, 6), Computes::Other).operands(MASK),
    arithmetic("dp2a", (5, 0), Computes::Other).operands(DOT_PRODUCT),
    arithmetic("dp4a", (5, 0), Computes::Other).operands(DOT_PRODUCT),
    arithmetic("fns", (6, 0), Computes::Other).operands(NTH_BIT),
    arithmetic("madc", (3, 0), Computes::Other),
    arithmetic("subc", (1, 2), Computes::Other),
    arithmetic("szext", (7, 6), Computes::Other).operands(SHIFT),
    ordering("bar.warp.sync", (6, 0), 30, &[("", Order::Block)]).operands(BLOCK_BARRIER),
    barrier("bar.sync", (1, 0), 10, TogetherEffect::BlockSync),
    barrier("bar.arrive", (2, 0), 20, TogetherEffect::BlockArrive),
    barrier("bar.red", (2, 0), 20, TogetherEffect::BlockReduce),
    barrier("bar.cta.sync", (7, 8), 30, TogetherEffect::BlockSync),
    barrier("bar.cta.arrive", (7, 8), 30, TogetherEffect::BlockArrive),
    barrier("bar.cta.red", (7, 8), 30, TogetherEffect::BlockReduce),
    barrier("barrier.sync", (6, 0), 30, TogetherEffect::BlockSync),
    barrier("barrier.arrive", (6, 0), 30, TogetherEffect::BlockArrive),
    barrier("barrier.red", (6, 0), 30, TogetherEffect::BlockReduce),
    barrier("barrier.cta.sync", (7, 8), 30, TogetherEffect::BlockSync),
    barrier("barrier.cta.arrive", (7, 8), 30, TogetherEffect::BlockArrive),
    barrier("barrier.cta.red", (7, 8), 30, TogetherEffect::BlockReduce),
    warpgroup("wgmma.fence", TogetherEffect::WarpgroupFence),
    warpgroup("wgmma.commit_group", TogetherEffect::WarpgroupCommit),
    warpgroup("wgmma.wait_group", TogetherEffect::WarpgroupWait),
    numeric("cos", (1, 0), Computes::Other),
    numeric("ex2", (1, 0), Computes::Other),
    numeric("lg2", (1, 0), Computes::Other),
    numeric("rcp", (1, 0), Computes::Other),
    numeric("rsqrt", (1, 0), Computes::Other),
    numeric("sin", (1, 0), Computes::Other),
    numeric("sqrt", (1, 0), Computes::Other),
    numeric("tanh", (7, 0), Computes::Other).since_arch(75),
    arithmetic("copysign", (2, 0), Computes::Other).since_arch(20),
    arithmetic("testp", (2, 0), Computes::Other).since_arch(20).operands(CLASS_TEST),
    warp("activemask", (6, 2), 30).has_result().operands(OF_OWN_TYPE),
    warp("elect.sync", (8, 0), 90).has_result().operands(ELECTION),
    warp("match", (6, 0), 70).has_result().operands(MATCH),
    warp("nanosleep", (6, 2), 70).operands(OF_OWN_TYPE),
    warp("redux.sync", (7, 0), 80).has_result().operands(WARP_REDUCTION),
    warp("shfl", (3, 0), 30).has_result().operands(SHUFFLE).requires(Required {
        fix: "write `shfl.sync`, with the mask of the threads that take part as the last operand",
        ..SYNC
    }),
    warp("vote", (1, 2), 12).has_result().operands(VOTE).requires(Required {
        fix: "write `vote.sync`, with the mask of the threads that take part as the last operand",
        ..SYNC
    }),
    warp("alloca", (7, 3), 52).has_result().operands(OF_OWN_TYPE),
    warp("stacksave", (7, 3), 52).has_result().operands(OF_OWN_TYPE),
    warp("stackrestore", (7, 3), 52).operands(OF_OWN_TYPE),
    warp("clusterlaunchcontrol.query_cancel", (8, 6), 100).has_result().operands(CANCELLATION),
    warp("createpolicy.fractional", (7, 4), 80).operands(POLICY),
    warp("movmatrix", (7, 8), 75).has_result().operands(MATRIX_TRANSPOSE),
    warp("setmaxnreg", (8, 0), 90).only(TENSOR_MAPS),
    warp("tcgen05.fence", (8, 6), 100).only(TENSOR_MEMORY),
    warp("tcgen05.relinquish_alloc_permit", (8, 6), 100).only(TENSOR_MEMORY),
    warp("tcgen05.wait", (8, 6), 100).only(TENSOR_MEMORY),
    warp("wmma.mma", (6, 0), 70).has_result().operands(WARP_MULTIPLY),
    matrices("mma", (6, 4), 70),
    matrices("mma.sp", (7, 1), 80),
    control("bra", (1, 0), Control::Jump),
    control("brx", (6, 0), Control::JumpAnywhere),
    control("ret", (1, 0), Control::Returns),
    control("exit", (1, 0), Control::Ends),
    control("trap", (1, 0), Control::Ends),
];
