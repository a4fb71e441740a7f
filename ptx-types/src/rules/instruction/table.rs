//! The rows. Versions and architectures as ptxas has them.

use super::{AccessSize, AddressOperand, AddressSpace, Direction, Instruction, Needs, Role, Taken};
use crate::space::Space;
use crate::target::{Target, Version};

use AccessSize::{
    Aligned, Counted, CountedAligned, CountedAlignedAtMost, Fixed, Fragment, Row, Typed, Unknown,
};
use AddressSpace::{Elsewhere, Generic, Named, Own};
use Direction::{Cache, Read, ReadWrite, Write};

/// Data in the state space that stands as number `n` among the modifiers.
const fn data(n: usize, direction: Direction, extent: AccessSize) -> AddressOperand {
    AddressOperand { role: Role::Data, place: Named(n), direction, extent, tensor: None }
}

/// A tensor map whose cache line is fetched.
const fn fetched_map(place: AddressSpace) -> AddressOperand {
    AddressOperand { place, direction: Cache, ..MAP }
}

/// A texture or surface.
const fn handle(direction: Direction) -> AddressOperand {
    AddressOperand {
        role: Role::Handle,
        place: Elsewhere,
        direction,
        extent: Unknown,
        tensor: None,
    }
}

/// A place in tensor memory.
const fn tensor(direction: Direction) -> AddressOperand {
    AddressOperand {
        role: Role::TensorMemory,
        place: Elsewhere,
        direction,
        extent: Unknown,
        tensor: None,
    }
}

/// An object of `mbarrier`: a `.b64` in shared memory.
const BARRIER: AddressOperand = AddressOperand {
    role: Role::Barrier,
    place: AddressSpace::Always(Space::Shared),
    direction: ReadWrite,
    extent: Fixed(8, 8),
    tensor: None,
};

/// The same, where an instruction without `.shared` takes a generic address.
const OWN_BARRIER: AddressOperand = AddressOperand { place: Named(0), ..BARRIER };

/// The same, which is asked whether its phase is over, and stays as it is.
const ASKED_BARRIER: AddressOperand = AddressOperand { direction: Read, ..OWN_BARRIER };

/// A tensor map, which an instruction names in global memory alone.
const MAP: AddressOperand = AddressOperand {
    role: Role::Map,
    place: AddressSpace::Always(Space::Global),
    direction: Read,
    extent: Fixed(128, 64),
    tensor: None,
};

/// The same, of a tensor to which this is done.
const fn map_of(tensor: Direction) -> AddressOperand {
    AddressOperand { tensor: Some(tensor), ..MAP }
}

/// With `wgmma`.
const WGMMA: &[Target] = &[Target::Sm90a];

/// With tensor memory, and what came with it.
pub(super) const TENSOR_MEMORY: &[Target] = &[
    Target::Sm100f,
    Target::Sm100a,
    Target::Sm101f,
    Target::Sm101a,
    Target::Sm103f,
    Target::Sm103a,
    Target::Sm107f,
    Target::Sm107a,
    Target::Sm110f,
    Target::Sm110a,
];

/// Of those with tensor memory, the architecture-specific ones.
pub(super) const TENSOR_MEMORY_SPECIFIC: &[Target] =
    &[Target::Sm100a, Target::Sm101a, Target::Sm103a, Target::Sm107a, Target::Sm110a];

/// With loads from tensor memory that reduce.
const TENSOR_MEMORY_REDUCING: &[Target] = &[
    Target::Sm101f,
    Target::Sm101a,
    Target::Sm103f,
    Target::Sm103a,
    Target::Sm107f,
    Target::Sm107a,
    Target::Sm110f,
    Target::Sm110a,
];

/// Whose tensor maps can be changed.
const TENSOR_MAPS: &[Target] = &[
    Target::Sm90a,
    Target::Sm100f,
    Target::Sm100a,
    Target::Sm101f,
    Target::Sm101a,
    Target::Sm103f,
    Target::Sm103a,
    Target::Sm107f,
    Target::Sm107a,
    Target::Sm110f,
    Target::Sm110a,
    Target::Sm120f,
    Target::Sm120a,
    Target::Sm121f,
    Target::Sm121a,
];

macro_rules! instructions {
    ($(
        $opcode:literal $(in $space:ident)? $section:literal
        ($major:literal, $minor:literal) $arch:literal $(: $only:ident)?
        $time:ident [$($address:expr),* $(,)?]
        $(describes $descriptors:tt)? $(takes $operand:literal in $place:expr)?;
    )*) => {
        /// Every form that touches memory and is checked.
        pub const INSTRUCTIONS: &[Instruction] = &[$(Instruction {
            opcode: $opcode,
            first_space: instructions!(@option $(Space::$space)?),
            section: $section,
            needs: Needs {
                since: Version::new($major, $minor),
                min_arch: $arch,
                only: instructions!(@list $($only)?),
            },
            is_async: instructions!(@ $time),
            addresses: &[$($address),*],
            taken: instructions!(@option $(Taken { operand: $operand, place: $place })?),
            descriptors: instructions!(@list $(&$descriptors)?),
        }),*];
    };
    (@option $some:expr) => { Some($some) };
    (@option) => { None };
    (@list $list:expr) => { $list };
    (@list) => { &[] };
    (@ now) => { false };
    (@ later) => { true };
}

instructions! {
    "ld" "9.7.9.8" (1, 0) 10 now [data(0, Read, Typed)];
    "ld.global.nc" "9.7.9.9" (3, 1) 32 now [data(0, Read, Typed)];
    "ldu" "9.7.9.10" (2, 0) 20 now [data(0, Read, Typed)];
    "st" "9.7.9.11" (1, 0) 10 now [data(0, Write, Typed)];
    "st.async" "9.7.9.12" (8, 1) 90 later [data(0, Write, Typed), BARRIER];
    "st.bulk" "9.7.9.13" (8, 6) 100 now [data(0, Write, Counted(1, 8))];
    "multimem.ld_reduce" "9.7.9.14" (8, 1) 90 now [data(0, Read, Typed)];
    "multimem.st" "9.7.9.14" (8, 1) 90 now [data(0, Write, Typed)];
    "multimem.red" "9.7.9.14" (8, 1) 90 now [data(0, ReadWrite, Typed)];
    "prefetch" "9.7.9.15" (2, 0) 20 now [data(0, Cache, Unknown)];
    "prefetch.tensormap" "9.7.9.15" (8, 0) 90 now [fetched_map(Generic)];
    "prefetch.const.tensormap" "9.7.9.15" (8, 0) 90 now [fetched_map(Named(0))];
    "prefetch.param.tensormap" "9.7.9.15" (8, 0) 90 now [fetched_map(Named(0))];
    "prefetchu" "9.7.9.15" (2, 0) 20 now [AddressOperand { place: Generic, ..data(0, Cache, Unknown) }];
    "applypriority" "9.7.9.16" (7, 4) 80 now [data(0, Cache, Counted(1, 128))];
    // What is there afterwards is undefined, as if that had been written.
    "discard" "9.7.9.17" (7, 4) 80 now [data(0, Write, Counted(1, 128))];
    "createpolicy.range" "9.7.9.18" (7, 4) 80 now [data(0, Cache, Unknown)];
    "isspacep" "9.7.9.19" (2, 0) 20 now [] takes 1 in Generic;
    "cvta" "9.7.9.20" (2, 0) 20 now [] takes 1 in Named(0);
    "cvta.to" "9.7.9.20" (2, 0) 20 now [] takes 1 in Generic;
    "mapa" "9.7.9.23" (7, 8) 90 now [] takes 1 in Named(0);
    "getctarank" "9.7.9.24" (7, 8) 90 now [] takes 1 in Named(0);
    "mov" "9.7.9.3" (1, 0) 10 now [] takes 1 in Own;
    "cp.async" "9.7.9.25.3.1" (7, 0) 80 later [
        data(0, Write, CountedAligned(2)), data(1, Read, CountedAlignedAtMost(2)),
    ];
    "cp.async.bulk" "9.7.9.25.4.1" (8, 0) 90 later [
        data(0, Write, Counted(2, 16)), data(1, Read, Counted(2, 16)), BARRIER,
    ];
    "cp.reduce.async.bulk" "9.7.9.25.4.2" (8, 0) 90 later [
        data(0, ReadWrite, Counted(2, 16)), data(1, Read, Counted(2, 16)), BARRIER,
    ];
    "cp.async.bulk.prefetch" "9.7.9.25.4.3" (8, 0) 90 later [data(0, Cache, Counted(1, 16))];
    // PTX 9.2 has these sections; 9.0 has not the instructions.
    "multimem.cp.async.bulk" "9.7.9.25.4.4" (9, 1) 90 later [
        data(0, Write, Counted(2, 16)), data(1, Read, Counted(2, 16)),
    ];
    "multimem.cp.reduce.async.bulk" "9.7.9.25.4.5" (9, 1) 90 later [
        data(0, ReadWrite, Counted(2, 16)), data(1, Read, Counted(2, 16)),
    ];
    "cp.async.bulk.tensor" in Shared "9.7.9.25.5.2" (8, 0) 90 later [
        data(0, Write, Aligned(128)), map_of(Read), BARRIER,
    ];
    "cp.async.bulk.tensor" in Global "9.7.9.25.5.2" (8, 0) 90 later [
        map_of(Write), data(1, Read, Aligned(128)),
    ];
    "cp.reduce.async.bulk.tensor" "9.7.9.25.5.3" (8, 0) 90 later [
        map_of(ReadWrite), data(1, Read, Aligned(128)),
    ];
    "cp.async.bulk.prefetch.tensor" "9.7.9.25.5.4" (8, 0) 90 later [map_of(Cache)];
    "tensormap.replace" "9.7.9.26" (8, 3) 90: TENSOR_MAPS now [
        data(0, ReadWrite, Fixed(128, 64)),
    ];
    "tex" "9.7.10.3" (1, 0) 10 now [handle(Read)];
    "tld4" "9.7.10.4" (2, 2) 20 now [handle(Read)];
    "txq" "9.7.10.5" (1, 5) 10 now [handle(Read)];
    "istypep" "9.7.10.6" (4, 0) 30 now [] takes 1 in Elsewhere;
    "suld" "9.7.11.1" (1, 5) 10 now [handle(Read)];
    "sust" "9.7.11.2" (1, 5) 10 now [handle(Write)];
    "sured" "9.7.11.3" (2, 0) 20 now [handle(ReadWrite)];
    "suq" "9.7.11.4" (1, 5) 10 now [handle(Read)];
    "call" "9.7.12.5" (1, 0) 10 now [];
    "fence.proxy.tensormap::generic.acquire" "9.7.13.4" (8, 3) 90 now [MAP];
    "atom" "9.7.13.5" (1, 0) 11 now [data(0, ReadWrite, Typed)];
    "red" "9.7.13.6" (1, 2) 11 now [data(0, ReadWrite, Typed)];
    "red.async" "9.7.13.7" (8, 1) 90 later [data(0, ReadWrite, Typed), BARRIER];
    "mbarrier.init" "9.7.13.15.9" (7, 0) 80 now [OWN_BARRIER];
    "mbarrier.inval" "9.7.13.15.10" (7, 0) 80 now [OWN_BARRIER];
    "mbarrier.expect_tx" "9.7.13.15.11" (8, 0) 90 now [OWN_BARRIER];
    "mbarrier.complete_tx" "9.7.13.15.12" (8, 0) 90 now [OWN_BARRIER];
    "mbarrier.arrive" "9.7.13.15.13" (7, 0) 80 now [OWN_BARRIER];
    "mbarrier.arrive_drop" "9.7.13.15.14" (7, 0) 80 now [OWN_BARRIER];
    "cp.async.mbarrier.arrive" "9.7.13.15.15" (7, 0) 80 later [OWN_BARRIER];
    "mbarrier.test_wait" "9.7.13.15.16" (7, 0) 80 now [ASKED_BARRIER];
    "mbarrier.try_wait" "9.7.13.15.16" (7, 8) 90 now [ASKED_BARRIER];
    "tensormap.cp_fenceproxy" "9.7.13.16" (8, 3) 90 now [
        data(0, Write, Fixed(128, 64)), data(1, Read, Fixed(128, 64)),
    ];
    "clusterlaunchcontrol.try_cancel" "9.7.13.17" (8, 6) 100 later [
        data(0, Write, Fixed(16, 16)), BARRIER,
    ];
    "wmma.load" "9.7.14.4.3" (6, 0) 70 now [data(0, Read, Fragment(0))];
    "wmma.store" "9.7.14.4.4" (6, 0) 70 now [data(0, Write, Fragment(1))];
    "ldmatrix" "9.7.14.5.15" (6, 5) 75 now [data(0, Read, Row)];
    "stmatrix" "9.7.14.5.16" (7, 8) 90 now [data(0, Write, Row)];
    "wgmma.mma_async" "9.7.15.5.2" (8, 0) 90: WGMMA later [] describes [1, 2];
    "wgmma.mma_async.sp" "9.7.15.6.3" (8, 2) 90: WGMMA later [] describes [1, 2];
    "tcgen05.alloc" "9.7.16.7.1" (8, 6) 100: TENSOR_MEMORY now [data(0, Write, Fixed(4, 4))];
    "tcgen05.dealloc" "9.7.16.7.1" (8, 6) 100: TENSOR_MEMORY now [] takes 0 in Elsewhere;
    "tcgen05.ld" "9.7.16.8.3" (8, 6) 100: TENSOR_MEMORY later [tensor(Read)];
    "tcgen05.ld.red" "9.7.16.8.3" (8, 8) 101: TENSOR_MEMORY_REDUCING later [tensor(Read)];
    "tcgen05.st" "9.7.16.8.4" (8, 6) 100: TENSOR_MEMORY later [tensor(Write)];
    "tcgen05.cp" "9.7.16.9.2" (8, 6) 100: TENSOR_MEMORY later [tensor(Write)] describes [1];
    "tcgen05.shift" "9.7.16.9.3" (8, 6) 100: TENSOR_MEMORY_SPECIFIC later [tensor(ReadWrite)];
    "tcgen05.mma" "9.7.16.10.9.1" (8, 6) 100: TENSOR_MEMORY later [
        tensor(ReadWrite), tensor(Read), tensor(Read), tensor(Read),
    ] describes [1, 2];
    "tcgen05.mma.sp" "9.7.16.10.9.2" (8, 6) 100: TENSOR_MEMORY later [
        tensor(ReadWrite), tensor(Read), tensor(Read), tensor(Read), tensor(Read),
    ] describes [1, 2];
    "tcgen05.mma.ws" "9.7.16.10.9.3" (8, 6) 100: TENSOR_MEMORY later [
        tensor(ReadWrite), tensor(Read),
    ] describes [1, 2];
    "tcgen05.mma.ws.sp" "9.7.16.10.9.4" (8, 6) 100: TENSOR_MEMORY later [
        tensor(ReadWrite), tensor(Read), tensor(Read),
    ] describes [1, 2];
    "tcgen05.commit" "9.7.16.12.1" (8, 6) 100: TENSOR_MEMORY later [BARRIER];
}
