//! Copies of 16 bytes at a time.

use ptx_macros::fragment;
use ptx_types::Reg;

/// Copies 16 bytes from one address in global memory to another; both are multiples of 16: `copy::global_16 %to, %from;`.
///
/// 1 `ld.global.v4`, 1 `st.global.v4`; 4 registers.
#[fragment]
pub fn global_16(to: Reg<u64>, from: Reg<u64>) {
    ptx! {
        .reg .b32 %word<4>;
        ld.global.v4.b32 {%word0, %word1, %word2, %word3}, [from];
        st.global.v4.b32 [to], {%word0, %word1, %word2, %word3};
    }
}

/// Starts to copy 16 bytes from global to shared memory; both addresses are multiples of 16. The bytes are there after
/// `cp.async.commit_group` and `cp.async.wait_group`: `copy::to_shared_16 %to, %from;`.
///
/// 1 `cp.async`, past the L1 cache.
#[fragment(target = sm_80)]
pub fn to_shared_16(to: Reg<u32>, from: Reg<u64>) {
    ptx! { cp.async.cg.shared.global [to], [from], 16; }
}
