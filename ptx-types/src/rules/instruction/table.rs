//! The rows.

use super::{Address, Direction, Extent, Instruction, Place, Role};
use crate::space::Space;

use Direction::{Cache, Read, ReadWrite, Write};
use Extent::{Aligned, Counted, CountedAligned, CountedAlignedAtMost, Fixed, Row, Typed, Unknown};

/// Data in the state space that stands as number `n` among the modifiers.
const fn data(n: usize, direction: Direction, extent: Extent) -> Address {
    Address { role: Role::Data, place: Place::Named(n), direction, extent }
}

/// An object of `mbarrier`: a `.b64` in shared memory.
const BARRIER: Address = Address {
    role: Role::Barrier,
    place: Place::Always(Space::Shared),
    direction: ReadWrite,
    extent: Fixed(8, 8),
};

/// A tensor map, which an instruction names in global memory alone.
const MAP: Address = Address {
    role: Role::Map,
    place: Place::Always(Space::Global),
    direction: Read,
    extent: Fixed(128, 64),
};

macro_rules! instructions {
    ($($opcode:literal $(in $space:ident)? $section:literal $time:ident [$($address:expr),* $(,)?];)*) => {
        /// Every form that touches memory and is checked.
        pub const INSTRUCTIONS: &[Instruction] = &[$(Instruction {
            opcode: $opcode,
            first_space: instructions!(@space $($space)?),
            section: $section,
            is_async: instructions!(@ $time),
            addresses: &[$($address),*],
        }),*];
    };
    (@space $space:ident) => { Some(Space::$space) };
    (@space) => { None };
    (@ now) => { false };
    (@ later) => { true };
}

instructions! {
    "ld" "9.7.9" now [data(0, Read, Typed)];
    "ldu" "9.7.9" now [data(0, Read, Typed)];
    "st" "9.7.9" now [data(0, Write, Typed)];
    "st.async" "9.7.9" later [data(0, Write, Typed), BARRIER];
    "st.bulk" "9.7.9" now [data(0, Write, Counted(1, 8))];
    "multimem.ld_reduce" "9.7.9" now [data(0, Read, Typed)];
    "multimem.st" "9.7.9" now [data(0, Write, Typed)];
    "multimem.red" "9.7.9" now [data(0, ReadWrite, Typed)];
    "prefetch" "9.7.9" now [data(0, Cache, Unknown)];
    "applypriority" "9.7.9" now [data(0, Cache, Counted(1, 128))];
    "discard" "9.7.9" now [data(0, Cache, Counted(1, 128))];
    "cp.async" "9.7.9" later [
        data(0, Write, CountedAligned(2)), data(1, Read, CountedAlignedAtMost(2)),
    ];
    "cp.async.mbarrier.arrive" "9.7.13" later [BARRIER];
    "cp.async.bulk" "9.7.9" later [
        data(0, Write, Counted(2, 16)), data(1, Read, Counted(2, 16)), BARRIER,
    ];
    "cp.async.bulk.prefetch" "9.7.9" later [data(0, Cache, Counted(1, 16))];
    "cp.reduce.async.bulk" "9.7.9" later [
        data(0, ReadWrite, Counted(2, 16)), data(1, Read, Counted(2, 16)), BARRIER,
    ];
    "cp.async.bulk.tensor" in Shared "9.7.9" later [data(0, Write, Aligned(128)), MAP, BARRIER];
    "cp.async.bulk.tensor" in Global "9.7.9" later [MAP, data(1, Read, Aligned(128))];
    "cp.reduce.async.bulk.tensor" "9.7.9" later [MAP, data(1, Read, Aligned(128))];
    "cp.async.bulk.prefetch.tensor" "9.7.9" later [MAP];
    "tensormap.replace" "9.7.9" now [data(0, ReadWrite, Fixed(128, 64))];
    "tensormap.cp_fenceproxy" "9.7.13" now [
        data(0, Write, Fixed(128, 64)), data(1, Read, Fixed(128, 64)),
    ];
    "atom" "9.7.13" now [data(0, ReadWrite, Typed)];
    "red" "9.7.13" now [data(0, ReadWrite, Typed)];
    "red.async" "9.7.13" later [data(0, ReadWrite, Typed), BARRIER];
    "mbarrier" "9.7.13" now [BARRIER];
    "clusterlaunchcontrol.try_cancel" "9.7.13" later [data(0, Write, Fixed(16, 16)), BARRIER];
    "ldmatrix" "9.7.14" now [data(0, Read, Row)];
    "stmatrix" "9.7.14" now [data(0, Write, Row)];
    "tcgen05.alloc" "9.7.16" now [data(0, Write, Fixed(4, 4))];
    "tcgen05.commit" "9.7.16" later [BARRIER];
}
