//! Addresses of shared memory in the blocks of a cluster.

/// Where the bits stand that say in an address of shared memory which block of the cluster it is of: zero
/// of the thread's own, and else one more than its rank.
const BLOCK_BITS: u32 = 30;

/// What such bits add to an address.
pub(crate) const WINDOWS: [u64; 4] = [0, 1 << BLOCK_BITS, 2 << BLOCK_BITS, 3 << BLOCK_BITS];

/// What being in the block of the cluster with this rank adds to an address; or in no block, where there is
/// no such one.
pub(super) fn window_of(rank: u64, cluster: u32) -> u64 {
    let rank = usize::try_from(rank).unwrap_or(2).min(2);
    WINDOWS[if rank < cluster as usize { rank + 1 } else { 3 }]
}

/// The rank of the block that an address of shared memory is of, if it says one, and the address there.
pub(crate) fn block_of(address: u64) -> (Option<u64>, u64) {
    let block = address >> BLOCK_BITS & 3;
    (block.checked_sub(1), address & !WINDOWS[3])
}
