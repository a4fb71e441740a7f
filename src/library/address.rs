//! Addresses in other state spaces (PTX ISA 9.7.9.20).

use ptx_macros::fragment;
use ptx_types::Reg;

/// The generic address of an address in shared memory: `address::of_shared %generic, %at;`.
///
/// 1 `cvt`, 1 `cvta`; 1 register.
#[fragment]
pub fn of_shared(at: Reg<u32>) -> Reg<u64> {
    ptx! {
        let %wide: u64;
        cvt.u64.u32 %wide, at;
        cvta.shared.u64 returned, %wide;
    }
}

/// The address in shared memory of a generic address: `address::in_shared %at, %generic;`.
///
/// 1 `cvta`, 1 `cvt`; 1 register.
#[fragment]
pub fn in_shared(generic: Reg<u64>) -> Reg<u32> {
    ptx! {
        let %wide: u64;
        cvta.to.shared.u64 %wide, generic;
        cvt.u32.u64 returned, %wide;
    }
}
